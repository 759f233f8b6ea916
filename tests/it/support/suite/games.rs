//! Self-play, and its games in files.

use std::{fs, path::Path, sync::atomic::AtomicBool};

use maydan::{
    data::{self, replay},
    game::{Game, History, Playable},
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig},
};

use super::witness::Witness;

/// Games played and rebuilt.
const GAMES: u64 = 6;

/// Every game of a file is rebuilt from its rows exactly, and ended as its rows say.
pub fn games_are_rebuilt_from_their_rows<R: Playable>(game: &Game<R>, _: &Witness) {
    let dir = tempfile::tempdir().unwrap();
    let config = SelfPlayConfig { games_per_file: 4, shards: 2, slots: 3, ..config() };
    play(game, &config, dir.path());
    let files = data::list_files(dir.path(), 1..2).unwrap();
    assert_eq!(files.len(), 2);
    let mut rebuilt = 0;
    for replayed in files.iter().flat_map(|file| replay(game, file).unwrap()) {
        assert_eq!((replayed.generation, replayed.index, replayed.start), (1, rebuilt, game.start()));
        let mut position = replayed.start;
        let mut history = History::new(game, &position);
        let mut legal = Vec::new();
        for &action in &replayed.actions {
            game.legal_actions(&position, &mut legal);
            assert!(legal.contains(&action) && history.outcome(game, &position, &legal).is_none());
            game.apply(&mut position, action);
            history.push(game, &position);
        }
        assert_eq!(position, replayed.end);
        game.legal_actions(&position, &mut legal);
        let shown = history.outcome(game, &position, &legal);
        assert!(shown.is_none_or(|outcome| outcome == replayed.outcome), "{shown:?}, {:?}", replayed.outcome);
        rebuilt += 1;
    }
    assert_eq!(rebuilt, GAMES);
}

/// The files are the same bytes whatever the number of shards and slots and the size of the cache.
pub fn shards_leave_every_byte_alone<R: Playable>(game: &Game<R>, _: &Witness) {
    let bytes = |shards: usize, slots: usize, cache_positions: usize| -> Vec<Vec<u8>> {
        let dir = tempfile::tempdir().unwrap();
        play(game, &SelfPlayConfig { shards, slots, cache_positions, games_per_file: 4, ..config() }, dir.path());
        let files = data::list_files(dir.path(), 1..2).unwrap();
        files.iter().map(|path| fs::read(path).unwrap()).collect()
    };
    let alone = bytes(1, 6, 1 << 16);
    assert_eq!(alone.len(), 2);
    assert!(bytes(2, 2, 0) == alone);
    assert!(bytes(3, 1, 100) == alone);
}

fn config() -> SelfPlayConfig {
    let mut config = SelfPlayConfig { games: GAMES, max_plies: 50, ..SelfPlayConfig::default() };
    config.search.playouts = 6;
    config.search.considered_actions = 4;
    config.playout_cap.full_share = 0.5;
    config.playout_cap.cheap_playouts = 2;
    config.opening.max_plies = 4;
    config
}

fn play<R: Playable>(game: &Game<R>, config: &SelfPlayConfig, run_dir: &Path) {
    let generation = Generation { game, config, seed: 11, number: 1, checkpoint: "uniform", run_dir };
    let played =
        generation.run(&|_| Ok(Box::new(Uniform { batch_size: 4 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert!(played.complete);
}

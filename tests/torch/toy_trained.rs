//! The whole loop on a game whose truth is known: after some seconds of tiny generations tic-tac-toe is never lost
//! again.

use crate::support::toy;

use std::sync::{Arc, atomic::AtomicBool};

use maydan::{
    console::Ending,
    disk::ConfigChange,
    evaluate::match_search,
    game::{Game, History, Side, random},
    model::{Checkpoint, Evaluator, LibtorchEvaluator, Plan},
    pipeline::{Config, Run, SessionLimit},
    search::Searcher,
};
use tch::Device;
use toy::{Grid, TicTacToe};

const CONFIG: &str = r#"
game = "tictactoe"
[run]
seed = 1



generations = 24
batch_size = 32
[model]
blocks = 1
channels = 16
policy_channels = 16
value_channels = 16
value_hidden = 16
[selfplay]
games = 200
games_per_file = 200
shards = 1
slots = 32
[selfplay.opening]
max_plies = 6
temperature = 2.0
[selfplay.search]
playouts = 32
considered_actions = 9
[train]
batch_size = 64
threads = 1
warmup_steps = 20
[evaluate]
every = 0
"#;

/// So few that the search with a network that knows nothing loses, solver and all.
const PLAYOUTS: u32 = 24;

/// Lines that the network loses as `own` when it answers as it likes and the other side tries everything, and all lines
/// there are.
struct Lines<'a> {
    game: &'a Game<TicTacToe>,
    own: Side,
    evaluator: &'a mut dyn Evaluator,
    lost: usize,
    played: usize,
}

impl Lines<'_> {
    fn follow(&mut self, grid: &Grid) {
        let mut legal = Vec::new();
        self.game.legal_actions(grid, &mut legal);
        if let Some(outcome) = self.game.outcome(grid, &legal, 0) {
            self.lost += usize::from(outcome.winner == Some(!self.own));
            self.played += 1;
            return;
        }
        if self.game.side_to_move(grid) == self.own {
            legal = vec![self.answer(grid)];
        }
        for action in legal {
            let mut next = *grid;
            self.game.apply(&mut next, action);
            self.follow(&next);
        }
    }

    fn answer(&mut self, grid: &Grid) -> u8 {
        let config = match_search(PLAYOUTS);
        let mut rng = random::stream("toy", 0, 0, 0);
        let history = History::new(self.game, grid);
        let result = Searcher::new(self.game, config, 0).search(grid, &history, self.evaluator, &mut rng).unwrap();
        result.best().action
    }
}

fn lines(game: &Game<TicTacToe>, checkpoint: &Checkpoint) -> (usize, usize) {
    let mut evaluator = LibtorchEvaluator::new(checkpoint.weights(), Device::Cpu, Plan::F32, 1).unwrap();
    let [white, black] = [Side::White, Side::Black].map(|own| {
        let mut lines = Lines { game, own, evaluator: &mut evaluator, lost: 0, played: 0 };
        lines.follow(&game.start());
        (lines.lost, lines.played)
    });
    (white.0 + black.0, white.1 + black.1)
}

#[test]
fn the_trained_network_never_loses() {
    let folder = tempfile::tempdir().unwrap();
    let game = TicTacToe::game();
    let config = Config::parse(CONFIG, "toy", &[]).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let mut run = Run::open(game.clone(), config, folder.path(), "toy", ConfigChange::Refuse, stop).unwrap();
    assert_eq!(run.train(SessionLimit::default()).unwrap(), Ending::Done);
    let network = |generation| Checkpoint::load_for(&run.directory().checkpoint(generation), &game).unwrap();
    let (lost, played) = lines(&game, &network(0));
    println!("untrained: {lost} of {played} lines lost");
    assert!(lost > 0, "the search alone never loses: too many playouts to tell");
    let (lost, played) = lines(&game, &network(24));
    assert!(lost == 0 && played > 50, "{lost} of {played} lines lost");
}

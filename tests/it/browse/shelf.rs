//! The games of a run by what they are found by, held against the rows.

use std::path::Path;

use maydan::{
    browse::{Query, Shelf, ShelfError},
    data::{self, ReplayedGame, replay},
    game::{Game, Playable, omega::Omega, shatara::Shatara, shatra::Shatra},
    stats::{Replay, Runs},
};

use crate::support::played::play;

const GAMES: u64 = 6;

fn replayed<R: Playable>(game: &Game<R>, run: &Path) -> Vec<ReplayedGame<R>> {
    let files = data::list_files(run, 0..100).unwrap();
    files.iter().flat_map(|path| replay(game, path).unwrap()).collect()
}

fn query(edit: impl FnOnce(&mut Query)) -> Query {
    let mut query = Query { run: "run".to_owned(), ..Query::default() };
    edit(&mut query);
    query
}

/// Generation and index of the games that fit, newest first.
fn found(shelf: &Shelf, query: &Query) -> Vec<(u64, u64)> {
    let answer = shelf.list(query).unwrap();
    assert_eq!(answer.total, answer.games.len() + query.offset, "few games are one page");
    answer.games.iter().map(|game| (game.generation, game.index)).collect()
}

/// Every filter finds the games that the rows say.
fn check<R: Playable>(game: &Game<R>) {
    let root = tempfile::tempdir().unwrap();
    let run = root.path().join("data/run");
    play(game, &run, 2, GAMES);
    let mut games = replayed(game, &run);
    games.sort_by_key(|game| std::cmp::Reverse((game.generation, game.index)));
    let shelf = Shelf::new(root.path(), &["run".to_owned()]).unwrap();
    assert_eq!(shelf.runs()[0].games, 0, "nothing is read yet");
    assert_eq!(shelf.list(&query(|_| {})).unwrap().total, 0);
    shelf.refresh();
    assert_eq!((shelf.runs()[0].games, shelf.runs()[0].generation), (2 * GAMES as usize, Some(1)));

    let expect = |query: Query, fits: &dyn Fn(&ReplayedGame<R>) -> bool| {
        let expected: Vec<(u64, u64)> =
            games.iter().filter(|game| fits(game)).map(|game| (game.generation, game.index)).collect();
        assert_eq!(found(&shelf, &query), expected, "{query:?}");
        expected.len()
    };
    assert_eq!(expect(query(|_| {}), &|_| true), games.len());
    let length = games[3].actions.len();
    for result in ["white", "black", "draw"] {
        expect(query(|q| q.result = Some(result.to_owned())), &|game| game.outcome.result_name() == result);
    }
    let reason = games[0].outcome.reason.to_string();
    assert!(expect(query(|q| q.reason = Some(reason.clone())), &|game| game.outcome.reason.to_string() == reason) > 0);
    expect(query(|q| q.min_plies = Some(length as u32)), &|game| game.actions.len() >= length);
    expect(query(|q| q.max_plies = Some(length as u32)), &|game| game.actions.len() <= length);
    expect(query(|q| (q.from, q.to) = (Some(1), Some(7))), &|game| game.generation == 1);
    let line: Vec<String> = games[5].actions.iter().take(3).map(ToString::to_string).collect();
    let begins = |game: &ReplayedGame<R>| game.actions.iter().map(ToString::to_string).take(3).eq(line.iter().cloned());
    assert!(expect(query(|q| q.opening = Some(line.join(" "))), &begins) > 0);
    for kind in R::ACTION_KINDS {
        let occurs = |replayed: &ReplayedGame<R>| {
            let mut position = replayed.start;
            replayed.actions.iter().any(|&action| {
                let is = R::ACTION_KINDS[game.rules().action_kind(&position, action)] == *kind;
                game.apply(&mut position, action);
                is
            })
        };
        expect(query(|q| q.kind = Some((*kind).to_owned())), &occurs);
    }
    for odd in [
        query(|q| q.reason = Some("nothing".to_owned())),
        query(|q| q.opening = Some("z9z9".to_owned())),
        query(|q| q.kind = Some("flight".to_owned())),
        query(|q| q.min_plies = Some(u32::MAX)),
    ] {
        expect(odd, &|_| false);
    }
    let rest = shelf.list(&query(|q| q.offset = 5)).unwrap();
    assert_eq!((rest.total, rest.games.len()), (games.len(), games.len() - 5));
    assert!(shelf.list(&Query { run: "other".to_owned(), ..Query::default() }).is_none());

    // A game is its rows: positions, actions, and the numbers of each search.
    let rows = Runs::open(root.path(), &["run".to_owned()], 0..=u64::MAX).unwrap().with_searches();
    let rules = rows.rules().clone();
    let mut checked = 0;
    rows.for_each::<()>(&mut |_| {}, |columns| {
        let game = shelf.game("run", columns.generation, columns.index).unwrap().unwrap();
        assert_eq!(game, Replay::new(&columns, rules.as_ref()).unwrap());
        assert_eq!(game.plies.len(), columns.plies() + 1);
        for (at, ply) in game.plies.iter().enumerate() {
            assert_eq!(ply.position, columns.position(at));
            let Some(decision) = &ply.decision else { continue };
            assert_eq!(decision.action, columns.action(at));
            let searched = !columns.visits(at).is_empty();
            assert_eq!(decision.candidates.iter().any(|of| of.action == decision.action), searched, "{decision:?}");
            assert_eq!(decision.visits, columns.visits(at).iter().sum::<u32>());
            let chosen = decision.candidates.iter().find(|of| of.action == decision.action);
            assert_eq!(chosen.map(|of| of.policy), columns.policy(at).get(columns.chosen(at)).copied());
        }
        assert!(game.plies.last().unwrap().decision.is_none());
        checked += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(checked, games.len());
    assert!(shelf.game("run", 0, GAMES).unwrap().is_none() && shelf.game("run", 9, 0).unwrap().is_none());
}

#[test]
fn every_filter_finds_its_games() {
    check(&Shatara::game(&toml::Table::new()).unwrap());
    check(&Shatra::game(&toml::Table::new()).unwrap());
    check(&Omega::game(&toml::Table::new()).unwrap());
}

#[test]
fn files_that_come_later_are_found_and_damaged_ones_are_named() {
    let root = tempfile::tempdir().unwrap();
    let run = root.path().join("data/run");
    let game = Shatara::game(&toml::Table::new()).unwrap();
    play(&game, &run, 1, GAMES);
    let shelf = Shelf::new(root.path(), &["run".to_owned()]).unwrap();
    shelf.refresh();
    assert_eq!(shelf.newest("run"), Some((0, GAMES - 1)));
    play(&game, &run, 2, GAMES);
    let file = data::chunk_path(&data::generation_dir(&run, 1), 0);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    shelf.refresh();
    shelf.refresh();
    let info = &shelf.runs()[0];
    assert_eq!((info.games as u64, info.left_out), (GAMES + GAMES / 2, 1));
    assert!(info.fault.as_ref().unwrap().contains("0000.parquet"), "{info:?}");
    assert_eq!(shelf.newest("run"), Some((1, GAMES - 1)));
}

#[test]
fn a_run_that_is_not_there_is_named() {
    let root = tempfile::tempdir().unwrap();
    let missing = Shelf::new(root.path(), &["nobody".to_owned()]).unwrap_err();
    assert!(matches!(&missing, ShelfError::NoRun { run, .. } if run == "nobody"), "{missing}");
    assert!(Shelf::new(root.path(), &["../data".to_owned()]).is_err());
    std::fs::create_dir_all(root.path().join("models/young")).unwrap();
    let young = Shelf::new(root.path(), &["young".to_owned()]).unwrap();
    young.refresh();
    assert_eq!(young.runs()[0].games, 0, "a run that has played nothing is none the less a run");
}

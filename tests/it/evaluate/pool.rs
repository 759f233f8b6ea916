//! Matches between baselines, and the file that keeps them.

use std::{fs, sync::atomic::AtomicBool};

use maydan::{
    evaluate::{Contender, Meeting, PlayerSpec, Pool, meetings},
    game::{
        Game, Playable,
        registry::{GameVisitor, with_game},
        shatara::Shatara,
    },
};

fn chess() -> Game<Shatara> {
    Shatara::chess(&"max_plies = 40".parse().unwrap()).unwrap()
}

/// Plays a match between baselines; whether it came to its end.
fn play<R: Playable>(pool: &mut Pool, game: &Game<R>, meeting: &Meeting, games: u64, stop: &AtomicBool) -> bool {
    let contenders = meeting.each_ref().map(|name| Contender::baseline(&name.parse().unwrap()).unwrap());
    pool.play(game, meeting, contenders.each_ref(), games, stop, |_| {}).unwrap()
}

#[test]
fn a_match_is_played_once_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (game, stop) = (chess(), AtomicBool::new(false));
    let path = Pool::path(folder.path(), game.ruleset());
    let mut pool = Pool::read(&path, game.ruleset()).unwrap();
    let meeting = ["alphabeta:1@80%", "random"].map(str::to_owned);
    assert!(play(&mut pool, &game, &meeting, 4, &stop));
    pool.write(&path).unwrap();
    let read = Pool::read(&path, game.ruleset()).unwrap();
    assert_eq!(read, pool);
    assert_eq!(read.matches()[0].pairs.pairs(), 2);

    let wanted = || meetings(&["random".parse().unwrap(), "alphabeta:1".parse().unwrap()], &[], 1);
    assert_eq!(read.missing(wanted(), 4).len(), wanted().len() - 1);
    assert_eq!(read.missing(wanted(), 6).len(), wanted().len(), "a longer match is another");
    assert!(play(&mut pool, &game, &meeting, 6, &stop));
    assert!(pool.matches().len() == 1 && pool.matches()[0].games() == 6);

    // Another machine plays the same.
    let mut again = Pool::read(&folder.path().join("none.toml"), game.ruleset()).unwrap();
    play(&mut again, &game, &meeting, 6, &stop);
    assert_eq!(again, pool);
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(!play(&mut again, &game, &meeting, 8, &stop), "what was stopped is no match");
    assert_eq!(again, pool);
}

#[test]
fn a_damaged_or_foreign_file_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pool.toml");
    let game = chess();
    let mut pool = Pool::read(&path, game.ruleset()).unwrap();
    let meeting = ["alphabeta:1", "random"].map(str::to_owned);
    play(&mut pool, &game, &meeting, 2, &AtomicBool::new(false));
    pool.write(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let error = || Pool::read(&path, game.ruleset()).unwrap_err().to_string();
    for (damaged, part) in [
        (text[..text.len() / 2].to_owned(), "no pool of baselines"),
        (text.replacen("format = 1", "format = 2", 1), "format: expected 1, found 2"),
        (text.replacen("opening_plies = 4", "opening_plies = 6", 1), "opening_plies: expected 4, found 6"),
        (text.replacen("wins = ", "wins = 1", 1), "expected as many pairs as half of its games"),
        ("\0".to_owned(), "no pool of baselines"),
        (String::new(), "no pool of baselines"),
    ] {
        fs::write(&path, damaged).unwrap();
        let error = error();
        assert!(error.contains(part) && error.starts_with(&path.display().to_string()), "{error}");
        assert!(error.contains("remove the file") && !error.contains('\n'), "{error}");
    }
    fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(error().contains("remove the file"), "{}", error());
    fs::write(&path, &text).unwrap();
    let shatara = Shatara::game(&toml::Table::new()).unwrap();
    let foreign = Pool::read(&path, shatara.ruleset()).unwrap_err().to_string();
    assert!(foreign.contains("ruleset: expected shatara") && foreign.contains("found chess"), "{foreign}");
}

/// That the pool of a game's standard rules comes with the program up to a depth, and that its first match is played
/// again as it stands there: a change of the rules or of alpha-beta makes another scale.
struct Shipped {
    depth: u32,
}

impl GameVisitor for Shipped {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let shipped = Pool::shipped(game.ruleset()).expect("a pool for the standard rules");
        let wanted =
            || meetings(&[1, self.depth].map(|depth| PlayerSpec::AlphaBeta { depth, random: 0 }), &[], R::LEAST_DEPTH);
        assert!(shipped.missing(wanted(), 400).is_empty());

        let folder = tempfile::tempdir().unwrap();
        let mut pool = Pool::read(&Pool::path(folder.path(), game.ruleset()), game.ruleset()).unwrap();
        assert!(play(&mut pool, &game, &wanted()[1], 2, &AtomicBool::new(false)));
        assert!(!pool.take_shipped(&wanted(), 402), "longer matches have to be played");
        assert!(pool.take_shipped(&wanted(), 2), "a match of two games makes way for the one of 400");
        assert!(pool.missing(wanted(), 400).is_empty() && pool.matches().len() == wanted().len());
        assert!(!pool.take_shipped(&wanted(), 2), "what is here is not taken again");
        let mut played = Pool::read(&Pool::path(folder.path(), game.ruleset()), game.ruleset()).unwrap();
        assert!(play(&mut played, &game, &wanted()[0], 400, &AtomicBool::new(false)));
        assert!(shipped.matches().contains(&played.matches()[0]), "{:?}", played.matches()[0]);
    }
}

#[test]
fn pools_of_the_standard_rules_come_with_the_program() {
    for (game, depth) in [("shatara", 4), ("omega", 3), ("omega-advanced", 2), ("shatra", 3), ("shatar", 4)] {
        with_game(game, &toml::Table::new(), Shipped { depth }).unwrap();
    }
    assert!(Pool::shipped(chess().ruleset()).is_none());
}

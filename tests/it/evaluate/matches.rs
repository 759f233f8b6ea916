//! Matches between baselines on a solved game.

use crate::support::toy;

use std::sync::atomic::{AtomicBool, Ordering};

use maydan::{
    encode::Rows,
    estimate::{Sprt, Verdict},
    evaluate::{Contender, GameRecord, MatchConfig, MatchReport, PlayerSpec, match_search, opening, play_match},
    game::History,
    model::{Evaluations, Evaluator, EvaluatorError, Uniform},
    search::SearchConfig,
};
use toy::TicTacToe;

/// The word to stop a match, not given.
static GO_ON: AtomicBool = AtomicBool::new(false);

fn contender(name: &str) -> Contender {
    Contender::baseline(&name.parse::<PlayerSpec>().unwrap()).expect("a baseline")
}

fn play(names: [&str; 2], config: &MatchConfig) -> (MatchReport, Vec<GameRecord>) {
    let (first, second) = (contender(names[0]), contender(names[1]));
    let mut records = Vec::new();
    let report = play_match(&TicTacToe::game(), [&first, &second], names, config, &GO_ON, |record, _| {
        records.push(record.clone())
    });
    (report.unwrap(), records)
}

fn config(games: u64) -> MatchConfig {
    MatchConfig { games, opening_plies: 1, ..MatchConfig::default() }
}

#[test]
fn full_depth_never_loses() {
    let (report, _) = play(["alphabeta:9", "random"], &config(60));
    let total = report.total();
    assert_eq!((total.games(), total.losses), (60, 0), "{report:?}");
    assert!(total.wins > 40, "{report:?}");
    assert!(report.estimate().low > 100.0, "{}", report.estimate());
}

#[test]
fn full_depth_draws_itself() {
    let (report, records) = play(["alphabeta:9", "alphabeta:9"], &config(10));
    assert_eq!(report.total().draws, 10, "{report:?}");
    assert_eq!(report.pairs.0, [0, 0, 5, 0, 0]);
    assert!(records.iter().all(|record| record.result == "draw"));
}

#[test]
fn greedy_takes_a_win_in_one_and_so_beats_random() {
    let (report, records) = play(["greedy", "random"], &config(200));
    assert!(report.estimate().low > 0.0, "{report:?}");
    let game = TicTacToe::game();
    for record in records {
        let mut position = game.start();
        for text in record.opening.iter().chain(&record.moves) {
            let mover =
                if game.side_to_move(&position) == maydan::game::Side::White { &record.white } else { &record.black };
            let mut legal = Vec::new();
            game.legal_actions(&position, &mut legal);
            let wins = |action: u8| {
                let (mut next, mut replies) = (position, Vec::new());
                game.apply(&mut next, action);
                game.legal_actions(&next, &mut replies);
                game.outcome(&next, &replies, 0).is_some_and(|outcome| outcome.winner.is_some())
            };
            let action = game.parse_action(&position, text).unwrap();
            if mover == "greedy" && legal.iter().any(|&action| wins(action)) {
                assert!(wins(action), "{record:?}");
            }
            game.apply(&mut position, action);
        }
    }
}

/// The games of a pair share the opening; colours, and so the results by colour, are swapped.
#[test]
fn pairs_share_an_opening_with_colours_swapped() {
    let (report, records) = play(["random", "alphabeta:2"], &MatchConfig { opening_plies: 3, ..config(20) });
    for pair in records.chunks_exact(2) {
        assert_eq!(pair[0].opening, pair[1].opening);
        assert_eq!(pair[0].opening.len(), 3);
        assert_eq!((&*pair[0].white, &*pair[0].black), ("random", "alphabeta:2"));
        assert_eq!((&*pair[1].white, &*pair[1].black), ("alphabeta:2", "random"));
    }
    let wins = |parity: u64, result: &str| {
        records.iter().filter(|record| record.game % 2 == parity && record.result == result).count() as u64
    };
    assert_eq!((report.by_colour[0].wins, report.by_colour[0].losses), (wins(0, "white"), wins(0, "black")));
    assert_eq!((report.by_colour[1].wins, report.by_colour[1].losses), (wins(1, "black"), wins(1, "white")));
    assert_eq!(records.iter().map(|record| record.game).collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
}

#[test]
fn records_replay_to_their_results() {
    let (_, records) = play(["random", "greedy"], &config(30));
    let game = TicTacToe::game();
    for record in records {
        let mut position = game.start();
        let mut history = History::new(&game, &position);
        for text in record.opening.iter().chain(&record.moves) {
            let action = game.parse_action(&position, text).unwrap();
            game.apply(&mut position, action);
            history.push(&game, &position);
        }
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        let outcome = history.outcome(&game, &position, &legal).unwrap();
        assert_eq!((outcome.result_name(), outcome.reason), (&*record.result, record.reason));
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let one = play(["random", "greedy"], &MatchConfig { threads: 1, ..config(101) });
    let three = play(["random", "greedy"], &MatchConfig { threads: 3, ..config(101) });
    assert_eq!(one, three);
    assert_eq!(one.0.total().games(), 102, "an odd number of games is rounded up");
    let reseeded = play(["random", "greedy"], &MatchConfig { seed: 2, ..config(101) });
    assert_ne!(one.1, reseeded.1);
}

#[test]
fn the_sequential_test_stops_at_the_same_game_on_any_number_of_threads() {
    let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
    let stopping = |threads| MatchConfig { threads, sprt: Some(sprt), ..config(2000) };
    let (report, records) = play(["alphabeta:9", "random"], &stopping(1));
    assert_eq!(report.verdict, Some(Verdict::H1));
    assert!(records.len() < 200 && records.len() as u64 == report.total().games(), "{}", records.len());
    assert_eq!(play(["alphabeta:9", "random"], &stopping(3)), (report, records));
    assert_eq!(play(["random", "alphabeta:9"], &stopping(2)).0.verdict, Some(Verdict::H0));
}

#[test]
fn openings_are_legal_unfinished_and_a_function_of_the_seed() {
    let game = TicTacToe::game();
    for pair in 0..50 {
        let actions = opening(&game, 6, 3, pair);
        assert_eq!(actions, opening(&game, 6, 3, pair));
        let mut position = game.start();
        let mut legal = Vec::new();
        for action in &actions {
            game.legal_actions(&position, &mut legal);
            assert!(legal.contains(action));
            game.apply(&mut position, *action);
        }
        game.legal_actions(&position, &mut legal);
        assert_eq!((game.outcome(&position, &legal, 0), actions.len()), (None, 6));
    }
    assert_ne!(opening(&game, 6, 3, 0), opening(&game, 6, 3, 1));
    assert!(opening(&game, 100, 3, 0).len() < 9, "no opening outlasts the game");
}

#[test]
fn impossible_matches_are_named() {
    for (config, field) in [
        (MatchConfig { games: 0, ..MatchConfig::default() }, "games"),
        (MatchConfig { threads: 0, ..MatchConfig::default() }, "threads"),
        (MatchConfig { threads: usize::MAX, ..MatchConfig::default() }, "threads"),
        (MatchConfig { opening_plies: u32::MAX, ..MatchConfig::default() }, "opening_plies"),
    ] {
        assert!(config.validate().unwrap_err().to_string().starts_with(field));
    }
}

/// Opinions of no worth, another for every row: a row mistaken for its neighbour changes the game.
struct Opinionated;

impl Evaluator for Opinionated {
    fn batch_size(&self) -> usize {
        16
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        assert!(rows.len() <= self.batch_size());
        Uniform { batch_size: 16 }.evaluate(rows, out)?;
        let actions = rows.layout().actions();
        let logits = out.logits.in_order(actions);
        for row in 0..rows.len() {
            let bits = rows.bits(row)[0] + 512 * rows.bits(row)[1];
            let opinion = |i: u64| ((bits + 1) * (2 * i + 3) * 7919 % 101) as f32 / 101.0;
            logits.extend((0..actions).map(|i| 3.0 * opinion(i as u64)));
            out.wdl[row] = [opinion(40), 0.0, 1.0 - opinion(40)].into();
        }
        Ok(())
    }
}

fn network(make: impl Fn(usize) -> Result<Box<dyn Evaluator>, EvaluatorError> + Send + Sync + 'static) -> Contender {
    Contender::Network { evaluator: Box::new(make), leaves: 1, search: match_search(24) }
}

fn play_networks(second: &Contender, config: &MatchConfig) -> Result<(MatchReport, Vec<GameRecord>), EvaluatorError> {
    let first = network(|_| Ok(Box::new(Opinionated)));
    let mut records = Vec::new();
    let names = ["net", "other"];
    let each = |record: &GameRecord, _: &MatchReport| records.push(record.clone());
    let report = play_match(&TicTacToe::game(), [&first, second], names, config, &GO_ON, each)?;
    Ok((report, records))
}

#[test]
fn batches_and_threads_change_no_game_of_a_network() {
    let second = network(|batch_size| Ok(Box::new(Uniform { batch_size })));
    let with = |threads, batch_size| {
        play_networks(&second, &MatchConfig { threads, batch_size, ..config(60) }).expect("no evaluator fails")
    };
    let one_by_one = with(1, 1);
    assert_eq!(one_by_one.1.len(), 60);
    assert_eq!(with(1, 32), one_by_one);
    assert_eq!(with(3, 5), one_by_one);
}

/// Searches that wait for several positions at once play games of their own, which nothing else changes either.
#[test]
fn batches_and_threads_change_no_game_of_searches_with_several_leaves() {
    let second = |leaves| Contender::Network {
        evaluator: Box::new(|_| Ok(Box::new(Opinionated))),
        leaves,
        search: SearchConfig { c_puct_init: 2.0, c_puct_deviation: 0.0, ..match_search(300) },
    };
    let with = |leaves, threads, batch_size| {
        play_networks(&second(leaves), &MatchConfig { threads, batch_size, ..config(20) }).expect("no evaluator fails")
    };
    let alone = with(16, 1, 1);
    assert_eq!(with(16, 1, 32), alone);
    assert_eq!(with(16, 2, 5), alone);
    assert_ne!(with(1, 1, 1), alone);
}

#[test]
fn a_search_without_knowledge_beats_random_and_holds_the_perfect_player() {
    let net = network(|batch_size| Ok(Box::new(Uniform { batch_size })));
    let random = contender("random");
    let report =
        play_match(&TicTacToe::game(), [&net, &random], ["net", "random"], &config(60), &GO_ON, |_, _| {}).unwrap();
    assert!(report.estimate().low > 100.0, "{report:?}");
    let strong = Contender::Network {
        evaluator: Box::new(|batch_size| Ok(Box::new(Uniform { batch_size }))),
        leaves: 1,
        search: match_search(2000),
    };
    let perfect = contender("alphabeta:9");
    let report =
        play_match(&TicTacToe::game(), [&strong, &perfect], ["net", "perfect"], &config(20), &GO_ON, |_, _| {})
            .unwrap();
    assert_eq!(report.total().draws, 20, "{report:?}");
}

#[test]
fn a_match_ends_early_when_told_to_stop() {
    let (player, stop) = (contender("random"), AtomicBool::new(false));
    let stop_at_once = |_: &GameRecord, _: &MatchReport| stop.store(true, Ordering::Relaxed);
    let players = [&player, &player];
    let report = play_match(&TicTacToe::game(), players, ["a", "b"], &config(1_000_000), &stop, stop_at_once).unwrap();
    assert_eq!(report.total().games(), 2);
}

#[test]
fn a_failing_evaluator_ends_the_match_with_its_error() {
    struct Failing;
    impl Evaluator for Failing {
        fn batch_size(&self) -> usize {
            4
        }

        fn evaluate(&mut self, _: &Rows, _: &mut Evaluations) -> Result<(), EvaluatorError> {
            Err(EvaluatorError::Refused("out of order".to_owned()))
        }
    }
    for broken in
        [network(|_| Ok(Box::new(Failing))), network(|_| Err(EvaluatorError::Refused("out of order".to_owned())))]
    {
        assert!(play_networks(&broken, &config(1000)).unwrap_err().to_string().contains("out of order"));
    }
}

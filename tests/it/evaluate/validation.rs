//! Validation sets: made from games of tic-tac-toe, and networks of known worth held against them.

use std::{collections::BTreeMap, path::Path, sync::atomic::AtomicBool};

use maydan::{
    encode::Rows,
    evaluate::{Contender, SetConfig, Validation, ValidationSet, make_set, match_search, validate, won_positions},
    game::{Game, Material, Playable, shatara::Shatara},
    model::{Evaluations, Evaluator, EvaluatorError, Uniform},
    selfplay::{Generation, SelfPlayConfig},
};

use crate::support::toy::TicTacToe;

/// Knows the value of every position and, of its actions, the best; or the contrary of both.
struct Oracle {
    sign: f32,
}

/// Win, draw or loss of the side to move, as 1, 0 or -1.
fn truth(own: u64, enemy: u64) -> i32 {
    const LINES: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    if LINES.iter().any(|line| enemy & line == *line) {
        return -1;
    }
    let free = (0..9).map(|square| 1 << square).filter(|mark| (own | enemy) & mark == 0);
    free.map(|mark| -truth(enemy, own | mark)).max().unwrap_or(0)
}

impl Evaluator for Oracle {
    fn batch_size(&self) -> usize {
        8
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        out.wdl.clear();
        out.moves_left.clear();
        let logits = out.logits.in_order(9);
        for row in 0..rows.len() {
            let [own, enemy] = [rows.bits(row)[0], rows.bits(row)[1]];
            let value = truth(own, enemy) as f32 * self.sign;
            let after = |square: u32| match (own | enemy) >> square & 1 {
                0 => -truth(enemy, own | 1 << square) as f32,
                _ => -2.0,
            };
            logits.extend((0..9).map(|square| 2.0 * self.sign * after(square)));
            out.wdl.push([value.max(0.0), 1.0 - value.abs(), (-value).max(0.0)].into());
            out.moves_left.push(0.0);
        }
        Ok(())
    }
}

fn network(evaluator: fn() -> Box<dyn Evaluator>) -> Contender {
    Contender::Network { evaluator: Box::new(move |_| Ok(evaluator())), leaves: 1, search: match_search(1) }
}

fn uniform() -> Contender {
    network(|| Box::new(Uniform { batch_size: 8 }))
}

fn play<R: Playable>(game: &Game<R>, folder: &Path, games: u64, max_plies: u32) {
    let mut config = SelfPlayConfig { games, games_per_file: 16, shards: 1, max_plies, ..SelfPlayConfig::default() };
    config.search.playouts = 2;
    let generation = Generation { game, config: &config, seed: 3, number: 0, checkpoint: "uniform", run_dir: folder };
    generation.run(&|_| Ok(Box::new(Uniform { batch_size: 8 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
}

fn config(positions: usize) -> SetConfig {
    SetConfig { positions, plies: 0..=6, playouts: 600, considered_actions: 9, seed: 1 }
}

fn set(folder: &Path, positions: usize) -> ValidationSet {
    let game = TicTacToe::game();
    make_set(&game, folder, &uniform(), "uniform", &config(positions), |_| {}).unwrap().unwrap()
}

fn measured(set: &ValidationSet, network: &Contender) -> Validation {
    validate(&TicTacToe::game(), network, set).unwrap().unwrap()
}

#[test]
fn a_network_that_knows_more_is_nearer_to_the_searches() {
    let folder = tempfile::tempdir().unwrap();
    play(&TicTacToe::game(), folder.path(), 64, 100);
    let set = set(folder.path(), 40);
    assert_eq!(set.questions.len(), 40);
    let game = TicTacToe::game();
    for question in &set.questions {
        let position = game.parse_position(&question.position).unwrap();
        let mut rows = Rows::new(game.layout());
        rows.push(&game, &position, 0);
        let truth = truth(rows.bits(0)[0], rows.bits(0)[1]) as f32;
        assert!((question.wdl().value() - truth).abs() < 0.35, "{question:?}, {truth}");
    }

    let knows = measured(&set, &network(|| Box::new(Oracle { sign: 1.0 })));
    let nothing = measured(&set, &uniform());
    let contrary = measured(&set, &network(|| Box::new(Oracle { sign: -1.0 })));
    assert!(knows.policy_kl.estimate < nothing.policy_kl.estimate, "{knows:?} {nothing:?}");
    assert!(nothing.policy_kl.high < contrary.policy_kl.low, "{nothing:?} {contrary:?}");
    assert!(knows.value_r2.low > 0.8 && nothing.value_r2.high < 0.5 && contrary.value_r2.high < 0.0, "{knows:?}");
    assert!(knows.agreement.unwrap().low > contrary.agreement.unwrap().high, "{knows:?} {contrary:?}");
    assert!(knows.value_error.high < nothing.value_error.low);
    assert_eq!((knows.policy_kl.n, knows.agreement.unwrap().n), (40, 40));
}

#[test]
fn a_set_is_the_same_every_time_and_as_large_as_its_games() {
    let folder = tempfile::tempdir().unwrap();
    play(&TicTacToe::game(), folder.path(), 24, 100);
    let first = set(folder.path(), 1000);
    assert_eq!(first, set(folder.path(), 1000));
    assert!((12..=24).contains(&first.questions.len()), "{}", first.questions.len());
    assert!(first.questions.iter().all(|question| question.ply <= 6 && !question.policy.is_empty()));
}

#[test]
fn a_question_of_another_game_is_named() {
    let folder = tempfile::tempdir().unwrap();
    play(&TicTacToe::game(), folder.path(), 16, 100);
    let good = set(folder.path(), 10);
    let fault = |change: &dyn Fn(&mut ValidationSet)| {
        let mut bad = good.clone();
        change(&mut bad);
        validate(&TicTacToe::game(), &uniform(), &bad).unwrap_err()
    };
    let position = fault(&|set| set.questions[4].position = "nonsense".to_owned());
    assert!(position.starts_with("line 6: "), "{position}");
    let action = fault(&|set| set.questions[1].policy = BTreeMap::from([("z9".to_owned(), 1.0)]));
    assert!(action.starts_with("line 3: ") && action.contains("z9"), "{action}");
}

#[test]
fn white_is_ahead_in_positions_that_are_won() {
    let folder = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    play(&game, folder.path(), 24, 160);
    let found = won_positions(&game, folder.path(), 300, 5, 1).unwrap();
    assert!(!found.is_empty() && found.len() <= 5);
    for text in &found {
        let position = game.parse_position(text).unwrap();
        assert!(game.rules().material(&position) - game.rules().material(&game.start()) >= 300, "{text}");
    }
    assert!(won_positions(&game, folder.path(), 1_000_000, 5, 1).unwrap().is_empty());
}

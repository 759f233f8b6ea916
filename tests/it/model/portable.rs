//! The runtime in Rust alone: what it says of a row depends on that row alone.
#![cfg(feature = "engine")]

use crate::support::suite;

use std::sync::Arc;

use maydan::{
    encode::Rows,
    game::{Game, Playable, omega::Omega, shatara::Shatara},
    model::{Architecture, Evaluations, Evaluator, ModelConfig, PortableEvaluator, Weights},
};
use suite::walk::random_games;

fn evaluator<R: Playable>(game: &Game<R>, batch_size: usize) -> PortableEvaluator {
    let architecture = Architecture::of(ModelConfig::default(), game.layout()).unwrap();
    PortableEvaluator::new(&Weights::random(Arc::new(architecture), 1), game.ruleset(), batch_size).unwrap()
}

fn rows<R: Playable>(game: &Game<R>, count: usize) -> Rows {
    let mut rows = Rows::new(game.layout());
    for visit in random_games(game, 1, 200).iter().take(count) {
        rows.push(game, &visit.position, visit.repetitions);
    }
    assert_eq!(rows.len(), count);
    rows
}

fn evaluate(evaluator: &mut PortableEvaluator, rows: &Rows) -> Evaluations {
    let mut out = Evaluations::default();
    evaluator.evaluate(rows, &mut out).unwrap();
    out
}

#[test]
fn company_changes_nothing() {
    let game = Omega::game(&toml::Table::new()).unwrap();
    let (mut evaluator, rows) = (evaluator(&game, 8), rows(&game, 8));
    let together = evaluate(&mut evaluator, &rows);
    assert_eq!((together.logits.rows(), together.wdl.len(), together.moves_left.len()), (8, 8, 8));
    for i in 0..rows.len() {
        let mut row = Rows::new(rows.layout());
        row.push_packed(rows.bits(i), rows.scalars(i)).unwrap();
        let alone = evaluate(&mut evaluator, &row);
        assert_eq!(alone.logits.to_vec(0), together.logits.to_vec(i));
        assert_eq!((alone.wdl[0], alone.moves_left[0]), (together.wdl[i], together.moves_left[i]));
        assert!((alone.wdl[0].to_array().iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn other_rows_and_too_many_are_refused() {
    let (shatara, omega) = (Shatara::game(&toml::Table::new()), Omega::game(&toml::Table::new()));
    let (shatara, omega) = (shatara.unwrap(), omega.unwrap());
    let mut evaluator = evaluator(&shatara, 2);
    let mut out = Evaluations::default();
    let error = evaluator.evaluate(&rows(&omega, 1), &mut out).unwrap_err();
    assert!(error.to_string().contains("expected rows of"), "{error}");
    let error = evaluator.evaluate(&rows(&shatara, 3), &mut out).unwrap_err();
    assert!(error.to_string().contains("expected at most 2 rows, found 3"), "{error}");
}

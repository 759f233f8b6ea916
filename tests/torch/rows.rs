//! What a run writes of its networks, held against the networks themselves.

use std::fs;

use arrow_array::{Array as _, cast::AsArray as _, types::Float32Type};
use maydan::{
    data::{list_files, read_columns, replay},
    encode::Rows,
    game::{History, shatara::Shatara},
    model::{Checkpoint, Evaluations, Evaluator as _, LibtorchEvaluator, Plan},
    search::gather_logits,
};
use tch::Device;

use crate::run::Place;

/// What self-play wrote of the network in a row is what the checkpoint's network says of the row's position, replayed by
/// the rules: encoding, evaluator, cache and order of rows agree from end to end, in every generation. And the network
/// that plays is the moving average of the one in training.
#[test]
fn rows_hold_what_the_checkpoint_says() {
    let place = Place::new();
    place.done("train", &["--set", "selfplay.cache_positions=4096"]);
    let game = Shatara::game(&toml::Table::new()).unwrap();
    for generation in 0..2u64 {
        let checkpoint = Checkpoint::load_for(&place.model(&format!("gen-{generation:06}")), &game).unwrap();
        let mut evaluator = LibtorchEvaluator::new(checkpoint.weights().unwrap(), Device::Cpu, Plan::F32, 8).unwrap();
        let (mut compared, mut priors) = (0, 0);
        for path in list_files(&place.data(""), generation..generation + 1).unwrap() {
            let names = ["policy", "chosen_prior", "net_win", "net_draw", "net_loss", "policy_kl"];
            let (_, batches) = read_columns(&path, &names).unwrap();
            let batch = arrow_select::concat::concat_batches(&batches[0].schema(), &batches).unwrap();
            let told = |name: &str, row: usize| {
                let column = batch[name].as_primitive::<Float32Type>();
                (!column.is_null(row)).then(|| column.value(row))
            };
            let mut row = 0;
            for played in replay(&game, &path).unwrap() {
                let mut position = played.start;
                let mut history = History::new(&game, &position);
                for &action in &played.actions {
                    let mut rows = Rows::new(game.layout());
                    rows.push(&game, &position, history.repetitions(&game, &position));
                    let mut says = Evaluations::default();
                    evaluator.evaluate(&rows, &mut says).unwrap();
                    let wdl = says.wdl[0].to_array();
                    for (name, expected) in ["net_win", "net_draw", "net_loss"].iter().zip(wdl) {
                        let Some(found) = told(name, row) else { continue };
                        assert!((found - expected).abs() < 1e-5, "{name} of row {row}: {found}, {expected}");
                        compared += 1;
                    }
                    let (mut legal, mut logits) = (Vec::new(), Vec::new());
                    game.legal_actions(&position, &mut legal);
                    gather_logits(&game, &position, &legal, &says.logits, 0, &mut logits);
                    let total: f32 = logits.iter().map(|logit| logit.exp()).sum();
                    let chosen = legal.iter().position(|&other| other == action).unwrap();
                    if let Some(found) = told("chosen_prior", row) {
                        let expected = logits[chosen].exp() / total;
                        assert!((found - expected).abs() < 1e-5, "prior of row {row}: {found}, {expected}");
                        priors += 1;
                    }
                    let policy = batch["policy"].as_list::<i32>().value(row);
                    let policy = policy.as_primitive::<Float32Type>().values();
                    let terms = policy.iter().zip(&logits).filter(|&(&p, _)| p > 0.0);
                    let expected: f32 = terms.map(|(&p, logit)| p * (p * total / logit.exp()).ln()).sum();
                    assert_eq!(told("policy_kl", row).is_some(), !policy.is_empty());
                    let found = told("policy_kl", row).unwrap_or_default();
                    assert!((found - expected).abs() < 1e-4, "policy_kl of row {row}: {found}, {expected}");
                    game.apply(&mut position, action);
                    history.push(&game, &position);
                    row += 1;
                }
            }
            assert_eq!(row, batch.num_rows());
        }
        assert!(compared > 150 && priors > 50, "{compared} {priors}");
    }
    for generation in ["gen-000001", "gen-000002"] {
        let average = fs::read(place.model("training").join(generation).join("average.safetensors")).unwrap();
        assert_eq!(fs::read(place.model(generation).join("weights.safetensors")).unwrap(), average);
    }
}

//! A run of a given length, and the limits that a run without one reaches.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicBool},
};

use maydan::{
    console::Ending,
    disk::ConfigChange,
    game::shatara::Shatara,
    pipeline::{Budget, Config, Length, Run},
};
use serde_json::Value;

use crate::run::{CONFIG, Place, complaint};

/// In a run of a given length the learning rate falls to its end and the measurements are spread over it; a session that
/// goes on later goes on where it was, and a longer length goes on with a run that is over.
#[test]
fn a_run_follows_its_length() {
    let place = Place::new();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let sets =
        ["run.generations=0", "train.warmup_steps=0", "evaluate.times=4", "window.holdout=2", "sampler.passes=4"];
    let config = Config::parse(CONFIG, "tiny.toml", &sets.map(str::to_owned)).unwrap();
    let session = |whole: f64, until: f64| {
        let stop = Arc::new(AtomicBool::new(false));
        let root = place.folder.path();
        let mut run = Run::open(game.clone(), config.clone(), root, "tiny", ConfigChange::Refuse, stop).unwrap();
        assert_eq!(run.train(Some(Length { whole: Budget::Evaluations(whole), until })).unwrap(), Ending::Done);
        let of =
            |kind: &str| -> Vec<Value> { place.events().into_iter().filter(|event| event["event"] == kind).collect() };
        let rates: BTreeMap<u64, f64> = (of("train").iter())
            .map(|event| (event["generation"].as_u64().unwrap(), event["learning_rate"].as_f64().unwrap()))
            .collect();
        let measured: Vec<u64> = of("match").iter().map(|event| event["generation"].as_u64().unwrap()).collect();
        (rates.into_values().collect::<Vec<f64>>(), measured, of("holdout"))
    };
    let (half, _, _) = session(12_000.0, 0.5);
    let (rates, measured, held_out) = session(12_000.0, 1.0);
    let generations = rates.len();
    assert!(generations >= 8 && half.len().abs_diff(generations / 2) <= 1, "{} of {generations}", half.len());
    assert_eq!(half, rates[..half.len()]);
    assert!(rates.is_sorted_by(|a, b| a > b), "{rates:?}");
    let share = |rate: f64| rate / config.train.learning_rate;
    assert!(share(rates[0]) == 1.0 && share(rates[generations - 1]) < 0.2, "{rates:?}");
    // Four parts of the run, and where the first session ended.
    assert!((4..=6).contains(&measured.len()) && measured.is_sorted(), "{measured:?}");
    assert_eq!(measured.last(), Some(&(generations as u64)));

    let judged = held_out.last().expect("a file of two is held out");
    assert!(judged["rows"].as_u64() > Some(0) && judged["losses"]["policy_kl"].as_f64().unwrap().is_finite());

    let (longer, _, _) = session(15_000.0, 1.0);
    assert!(longer.len() > generations && longer[generations] > rates[generations - 1], "{longer:?}");
}

/// Limits of the configuration that a long run reaches unseen.
#[test]
fn a_floor_and_a_full_window_are_warned_of_once() {
    let place = Place::new();
    let sets = ["--set", "run.generations=4", "--set", "train.decay_samples=40"];
    let sets = [&sets[..], &["--set", "window.minimum_rows=1", "--set", "window.maximum_rows=1"]].concat();
    let output = place.run("train", &sets);
    assert!(output.status.success(), "{}", complaint(&output));
    let text = complaint(&output);
    assert_eq!(text.matches("train.decay_samples = 40").count(), 1, "{text}");
    assert_eq!(text.matches("window.maximum_rows = 1 ").count(), 1, "{text}");
    let silent = Place::new();
    let text = complaint(&silent.run("train", &["--minutes", "1", "--set", "train.decay_samples=40"]));
    assert!(!text.contains("decay_samples") && !text.contains("maximum_rows"), "{text}");
}

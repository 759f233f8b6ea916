//! The whole loop on a game that is solved and no toy: some seconds of training, and the network alone keeps the value
//! of far more positions of Connect Four. So does one that the solver teaches.

use crate::support::connect_four;

use std::sync::{Arc, atomic::AtomicBool};

use connect_four::{
    game::ConnectFour,
    solver::Solver,
    taught::{Pupil, lessons},
    yardstick::{Question, Shares, questions, shares},
};
use maydan::{
    console::Ending,
    disk::ConfigChange,
    evaluate::match_search,
    model::{Checkpoint, LibtorchEvaluator, Plan},
    pipeline::{Config, Run},
};
use tch::Device;

const GENERATIONS: u64 = 6;

const CONFIG: &str = r#"
game = "connect-four"
run = { seed = 1, generations = 6 }
model = { blocks = 2, channels = 16 }
train = { batch_size = 128, threads = 1, warmup_steps = 20, ema_decay = 0.95 }
evaluate = { every = 0 }
[selfplay]
games = 128
shards = 1
opening = { max_plies = 6 }
temperature = { plies = 12 }
search = { playouts = 16, considered_actions = 7 }
adjudication = { resign_plies = 0 }
"#;

/// By how much the share must grow: some five times the standard error of a share of 300.
const GAIN: f64 = 0.15;

#[test]
fn the_network_learns_what_the_solver_knows() {
    let folder = tempfile::tempdir().unwrap();
    let game = ConnectFour::game();
    let config = Config::parse(CONFIG, "connect-four", &[]).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let mut run = Run::open(game.clone(), config, folder.path(), "run", ConfigChange::Refuse, stop).unwrap();
    assert_eq!(run.train(None).unwrap(), Ending::Done);

    let questions = questions(300, 20..=30, 4, &mut Solver::new(18));
    let kept = |generation: u64| -> Shares {
        let checkpoint = Checkpoint::load_for(&run.directory().checkpoint(generation), &game).unwrap();
        let mut evaluator = LibtorchEvaluator::new(checkpoint.weights().unwrap(), Device::Cpu, Plan::F32, 50).unwrap();
        shares(&game, &questions, &match_search(16), &mut evaluator).unwrap()
    };
    let chance = questions.iter().map(Question::chance).sum::<f64>() / questions.len() as f64;
    let (untrained, trained) = (kept(0), kept(GENERATIONS));
    println!("chance {chance:.3}, untrained {untrained:?}, trained {trained:?}");
    assert!(trained.policy > untrained.policy.max(chance) + GAIN, "{untrained:?}, {trained:?}");
    assert!(trained.search > untrained.search, "{untrained:?}, {trained:?}");
}

#[test]
fn the_solver_teaches_a_network() {
    let game = ConnectFour::game();
    let learn = ["sampler.passes=20".to_owned()];
    let config = Config::parse(CONFIG, "connect-four", &learn).unwrap();
    let lessons = lessons(1000, 20..=30, 5);
    let questions = questions(300, 20..=30, 4, &mut Solver::new(18));
    let mut pupil = Pupil::new(&game, &config, &lessons).unwrap();
    let mut kept = |until: f64| -> Shares {
        let weights = pupil.learn(until).unwrap();
        let mut evaluator = LibtorchEvaluator::new(&weights, Device::Cpu, Plan::F32, 50).unwrap();
        shares(&game, &questions, &match_search(16), &mut evaluator).unwrap()
    };
    let (untaught, taught) = (kept(0.0), kept(1.0));
    println!("untaught {untaught:?}, taught {taught:?}");
    assert_eq!(pupil.rows(), 157 * 128);
    assert!(taught.policy > untaught.policy + 2.0 * GAIN, "{untaught:?}, {taught:?}");
    assert!(taught.search > untaught.search + GAIN, "{untaught:?}, {taught:?}");
}

//! How well a network has learnt a game is seen from outside where the game is solved: Connect Four, trained from
//! nothing and scored by a perfect solver.
//!
//! ```sh
//! cargo run --release --example connect_four -- --minutes 10 [--seed 1] [--scorings 10] [--set SECTION.KEY=VALUE]
//! cargo run --release --example connect_four -- --write-positions FILE
//! ```
//!
//! Needs libtorch (feature `torch`). Trains in a temporary folder. Some times along the way it puts 1,000
//! positions to the newest network, and prints in how many of them the network alone, and a search of 100 playouts with
//! it, choose an action that keeps the value. The positions are the same in every run, so that runs compare; the
//! standard error of a share is at most 1.6%. Minutes are those of self-play and training; scoring is not counted.

mod board;
mod game;
mod solver;
mod yardstick;

use std::{
    fs,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use maydan::{
    console::Ending,
    disk::ConfigChange,
    evaluate::match_search,
    model::{
        Checkpoint, Uniform,
        backend::{self, BackendConfig},
    },
    pipeline::{Budget, Config, Length, Run},
};

use board::COLUMNS;
use game::ConnectFour;
use solver::Solver;
use yardstick::{Question, questions, shares};

/// The positions of the yardstick: how many, with how many stones, and the seed that names them.
const QUESTIONS: usize = 1000;
const STONES: RangeInclusive<u32> = 14..=30;
const QUESTIONS_SEED: u64 = 1;

/// Playouts of the search that is scored beside the network.
const PLAYOUTS: u32 = 100;

/// Rows that a call of the network takes while it is scored.
const BATCH: usize = 100;

/// What differs from the defaults, as in the files of `configs/`.
const CONFIG: &str = r#"
game = "connect-four"
run = { precision = "auto", backend = "auto" }
model = { blocks = 4, channels = 32 }
window = { minimum_rows = 40000 }
train = { ema_decay = 0.98 }
evaluate = { every = 0 }
[selfplay]
games = 256
opening = { max_plies = 6 }
temperature = { plies = 12 }
search = { playouts = 32, considered_actions = 7 }
adjudication = { resign_plies = 0 }
"#;

/// Connect Four from nothing, scored by a perfect solver.
#[derive(Parser)]
struct Arguments {
    /// Minutes of self-play and training.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Seed of the run; the positions of the yardstick do not depend on it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How often the network is scored along the way, at most: a generation is scored once.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    scorings: u32,
    /// Sets a key of the configuration, such as `train.learning_rate=0.001`; may be repeated.
    #[arg(long, value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Writes the positions to a file and ends: a line each, the columns of the moves to it (0 to 6) and those that keep
    /// its value.
    #[arg(long, value_name = "FILE")]
    write_positions: Option<PathBuf>,
}

fn main() -> Result<()> {
    let Arguments { minutes, seed, scorings, mut set, write_positions } = Arguments::parse();
    ensure!(minutes > 0.0 && minutes <= 1e5, "--minutes: expected above 0 to 100000, found {minutes}");
    let game = ConnectFour::game();
    let search = match_search(PLAYOUTS);

    let start = Instant::now();
    let questions = questions(QUESTIONS, STONES, QUESTIONS_SEED, &mut Solver::new(22));
    if let Some(file) = write_positions {
        let lines: String = questions.iter().map(line).collect();
        return fs::write(&file, lines).with_context(|| format!("{}: cannot be written", file.display()));
    }
    let chance = questions.iter().map(|question| question.chance()).sum::<f64>() / questions.len() as f64;
    let unaided = shares(&game, &questions, &search, &mut Uniform { batch_size: BATCH })?.search;
    println!(
        "{QUESTIONS} positions of {} to {} stones, drawn and solved in {:.1} s",
        STONES.start(),
        STONES.end(),
        start.elapsed().as_secs_f64()
    );
    println!("the value is kept by {:.1}% of random actions", 100.0 * chance);
    println!("and by {:.1}% of those of {PLAYOUTS} playouts without a network", 100.0 * unaided);

    set.push(format!("run.seed={seed}"));
    let config = Config::parse(CONFIG, "connect_four", &set)?;
    let folder = tempfile::tempdir()?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut run = Run::open(game.clone(), config, folder.path(), "demo", ConfigChange::Refuse, stop)?;
    let mut table = vec!["minutes   games  generation  policy  100 playouts".to_owned()];
    let mut spent = Duration::ZERO;
    let mut scored = None;
    for scoring in 0..=scorings {
        let start = Instant::now();
        let until = f64::from(scoring) / f64::from(scorings);
        let ending = run.train(Some(Length { whole: Budget::Seconds(60.0 * minutes), until }))?;
        ensure!(ending == Ending::Done, "stopped");
        spent += start.elapsed();

        let newest = run.directory().checkpoints()?.pop().expect("a session begins with a checkpoint");
        // A generation may take longer than the time between two scorings.
        if scored.replace(newest) == Some(newest) {
            continue;
        }
        let checkpoint = Checkpoint::load_for(&run.directory().checkpoint(newest), &game)?;
        let games = checkpoint.metadata().counters.games;
        let network = backend::open(Arc::new(checkpoint), BackendConfig::default())?;
        let kept = shares(&game, &questions, &search, &mut *network.evaluator(BATCH)?)?;
        table.push(format!(
            "{:>7.2} {games:>7} {newest:>11} {:>6.1}% {:>12.1}%",
            spent.as_secs_f64() / 60.0,
            100.0 * kept.policy,
            100.0 * kept.search
        ));
        println!("{}\n{}", table[0], table[table.len() - 1]);
    }
    println!("\n{}", table.join("\n"));
    Ok(())
}

/// A position for other programs: the columns of the moves to it, 0 to 6, and those that keep its value.
fn line(question: &Question) -> String {
    let text = |columns: Vec<u8>| columns.iter().map(u8::to_string).collect::<String>();
    let legal = (0..COLUMNS as u8).filter(|&column| question.board.landing(column) != 0);
    let kept = legal.enumerate().filter(|&(action, _)| question.is_kept_by(action)).map(|(_, column)| column);
    format!("{} {}\n", text(question.moves.clone()), text(kept.collect()))
}

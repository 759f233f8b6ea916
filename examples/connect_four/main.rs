//! How well a network has learnt a game is seen from outside where the game is solved: Connect Four, trained from
//! nothing and scored by a perfect solver.
//!
//! ```sh
//! cargo run --release --example connect_four -- --minutes 10 [--seed 1] [--scorings 10] [--set SECTION.KEY=VALUE]
//! cargo run --release --example connect_four -- --solved 20000 [--seed 1] [--scorings 10] [--set SECTION.KEY=VALUE]
//! cargo run --release --example connect_four -- --write-positions FILE
//! ```
//!
//! Needs libtorch (feature `torch`). Trains in a temporary folder. Some times along the way it puts 1,000
//! positions to the newest network, and prints in how many of them the network alone, and a search of 100 playouts with
//! it, choose an action that keeps the value. The positions are the same in every run, so that runs compare; the
//! standard error of a share is at most 1.6%. Minutes are those of self-play and training; scoring is not counted.
//!
//! `--search mode=gumbel,considered_actions=7` scores another search beside that of matches.
//!
//! With `--solved` the network learns from other positions of that kind with the solver's own values, each
//! `sampler.passes` times. It shows what the network could know.

mod board;
mod game;
mod solver;
mod taught;
mod yardstick;

use std::{
    fs,
    ops::RangeInclusive,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Parser;
use maydan::{
    console::{Ending, typed_value},
    disk::ConfigChange,
    evaluate::match_search,
    game::Game,
    model::{
        Checkpoint, Evaluator, LibtorchEvaluator, Plan, Uniform,
        backend::{self, BackendConfig},
        device,
    },
    pipeline::{Budget, Config, Length, Run},
    search::SearchConfig,
};

use board::COLUMNS;
use game::ConnectFour;
use solver::Solver;
use taught::{Pupil, lessons};
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
    /// Scores another search too: `KEY=VALUE,...` with the keys of `[selfplay.search]` that differ; may be repeated.
    #[arg(long = "search", value_name = "KEY=VALUE,...")]
    searches: Vec<String>,
    /// Learns from about so many positions, none of them the yardstick's, with the solver's values in place of self-play.
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    solved: Option<u32>,
    /// Writes the positions to a file and ends: a line each, the columns of the moves to it (0 to 6) and those that keep
    /// its value.
    #[arg(long, value_name = "FILE")]
    write_positions: Option<PathBuf>,
}

fn main() -> Result<()> {
    let Arguments { minutes, seed, scorings, mut set, searches, solved, write_positions } = Arguments::parse();
    ensure!(minutes > 0.0 && minutes <= 1e5, "--minutes: expected above 0 to 100000, found {minutes}");
    let searches = searches_of(&searches)?;
    set.push(format!("run.seed={seed}"));
    let config = Config::parse(CONFIG, "connect_four", &set)?;

    let start = Instant::now();
    let questions = questions(QUESTIONS, STONES, QUESTIONS_SEED, &mut Solver::new(22));
    if let Some(file) = write_positions {
        let lines: String = questions.iter().map(line).collect();
        return fs::write(&file, lines).with_context(|| format!("{}: cannot be written", file.display()));
    }
    let yardstick = Yardstick { game: ConnectFour::game(), questions, searches };
    let chance = yardstick.questions.iter().map(|question| question.chance()).sum::<f64>() / QUESTIONS as f64;
    let unaided = yardstick.measure(&mut Uniform { batch_size: BATCH })?;
    println!(
        "{QUESTIONS} positions of {} to {} stones, drawn and solved in {:.1} s",
        STONES.start(),
        STONES.end(),
        start.elapsed().as_secs_f64()
    );
    println!("the value is kept by {:.1}% of random actions", 100.0 * chance);
    for ((name, _), share) in yardstick.searches.iter().zip(unaided.searches) {
        println!("and by {:.1}% of those of a search without a network: {name}", 100.0 * share);
    }
    match solved {
        Some(count) => learn_solved(&yardstick, config, count as usize, scorings),
        None => learn_by_play(&yardstick, config, minutes, scorings),
    }
}

/// The search of matches, and others that differ from it by `KEY=VALUE,...`, with what they are called.
fn searches_of(changes: &[String]) -> Result<Vec<(String, SearchConfig)>> {
    let usual = match_search(PLAYOUTS);
    let mut searches = vec![(format!("{PLAYOUTS} playouts"), usual)];
    for text in changes {
        let changes: Option<toml::Table> = (text.split(','))
            .map(|change| change.split_once('=').map(|(key, value)| (key.trim().to_owned(), typed_value(value))))
            .collect();
        let changes = changes.with_context(|| format!("--search: expected KEY=VALUE,..., found `{text}`"))?;
        searches.push((text.clone(), usual.changed(&changes).map_err(|error| anyhow!("--search: {error}"))?));
    }
    Ok(searches)
}

/// What networks are scored by.
struct Yardstick {
    game: Game<ConnectFour>,
    questions: Vec<Question>,
    /// What they are called, and their settings: those of matches first.
    searches: Vec<(String, SearchConfig)>,
}

/// Shares of questions whose value is kept.
struct Scores {
    policy: f64,
    /// By each search.
    searches: Vec<f64>,
}

impl Yardstick {
    fn measure(&self, evaluator: &mut dyn Evaluator) -> Result<Scores> {
        let mut scores = Scores { policy: 0.0, searches: Vec::new() };
        for (_, search) in &self.searches {
            let shares = shares(&self.game, &self.questions, search, evaluator)?;
            scores.policy = shares.policy;
            scores.searches.push(shares.search);
        }
        Ok(scores)
    }

    /// The header of a table, after columns of its own.
    fn header(&self, first: &str) -> String {
        let searches: String = self.searches.iter().map(|(name, _)| format!("  {name:>12}")).collect();
        format!("{first}  policy{searches}")
    }

    /// Scores a network, adds a line to a table, and shows it.
    fn add_line(&self, table: &mut Vec<String>, network: &str, evaluator: &mut dyn Evaluator) -> Result<()> {
        let Scores { policy, searches } = self.measure(evaluator)?;
        let columns = self.searches.iter().zip(searches);
        let searches: String = columns
            .map(|((name, _), share)| format!("  {:>width$.1}%", 100.0 * share, width = name.len().max(12) - 1))
            .collect();
        table.push(format!("{network}  {:>5.1}%{searches}", 100.0 * policy));
        println!("{}\n{}", table[0], table[table.len() - 1]);
        Ok(())
    }
}

/// Self-play and training from nothing, and the newest network's shares along the way.
fn learn_by_play(yardstick: &Yardstick, config: Config, minutes: f64, scorings: u32) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut run = Run::open(yardstick.game.clone(), config, folder.path(), "demo", ConfigChange::Refuse, stop)?;
    let mut table = vec![yardstick.header("minutes   games  generation")];
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
        let checkpoint = Checkpoint::load_for(&run.directory().checkpoint(newest), &yardstick.game)?;
        let games = checkpoint.metadata().counters.games;
        let network = backend::open(Arc::new(checkpoint), BackendConfig::default())?;
        let line = format!("{:>7.2} {games:>7} {newest:>11}", spent.as_secs_f64() / 60.0);
        yardstick.add_line(&mut table, &line, &mut *network.evaluator(BATCH)?)?;
    }
    println!("\n{}", table.join("\n"));
    Ok(())
}

/// Training on solved positions, and the network's shares along the way.
fn learn_solved(yardstick: &Yardstick, config: Config, count: usize, scorings: u32) -> Result<()> {
    let start = Instant::now();
    let mut lessons = lessons(count, STONES, QUESTIONS_SEED + 1);
    lessons.retain(|lesson| yardstick.questions.iter().all(|question| question.board != lesson.board));
    println!("{} positions to learn from, drawn and solved in {:.1} s", lessons.len(), start.elapsed().as_secs_f64());
    let mut pupil = Pupil::new(&yardstick.game, &config, &lessons)?;
    let mut table = vec![yardstick.header("rows trained on")];
    for scoring in 0..=scorings {
        let weights = pupil.learn(f64::from(scoring) / f64::from(scorings))?;
        let mut evaluator = LibtorchEvaluator::new(&weights, device("cpu")?, Plan::F32, BATCH)?;
        yardstick.add_line(&mut table, &format!("{:>15}", pupil.rows()), &mut evaluator)?;
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

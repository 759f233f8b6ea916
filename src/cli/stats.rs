//! `maydan stats`: what the games of a run say.

use std::{ops::RangeInclusive, path::PathBuf, process::ExitCode};

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::{
    pipeline::Progress,
    stats::{Game, Runs, Skipped},
};

/// Tell what the games of a run say: openings, single positions
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Openings(OpeningsArguments),
    Explore(ExploreArguments),
}

/// Which games.
#[derive(Debug, Args)]
struct Selection {
    /// Folder that holds `data/`, where runs are looked for by name
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Only these generations, the first and the last included; `A..`, `..B` and `A` will do
    #[arg(long, value_name = "A..B", default_value = "..", value_parser = parse_generations)]
    generations: RangeInclusive<u64>,
}

/// Tell the openings of runs
#[derive(Debug, Args)]
struct OpeningsArguments {
    /// Names of runs, or folders of games; all of one ruleset
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    selection: Selection,
}

/// Tell what was played in one position
#[derive(Debug, Args)]
struct ExploreArguments {
    /// Name of a run, or a folder of games
    run: String,
    /// Position string
    position: String,
    #[command(flatten)]
    selection: Selection,
}

fn parse_generations(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str, open: u64| if text.is_empty() { Ok(open) } else { text.parse() };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (number(first, 0), number(last, u64::MAX)) {
        (Ok(first), Ok(last)) if !text.is_empty() && first <= last => Ok(first..=last),
        _ => Err("expected the first and the last generation, as in `10..20`".to_owned()),
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.question {
        Question::Openings(arguments) => openings(&arguments),
        Question::Explore(arguments) => explore(&arguments),
    }
}

impl Selection {
    fn open(&self, runs: &[String]) -> anyhow::Result<Runs> {
        Ok(Runs::open(&self.root, runs, self.generations.clone())?)
    }
}

/// Gives every game to `each`, with a bar; tells of files that were left out.
fn read(runs: Runs, mut each: impl FnMut(Game)) {
    let progress = Progress::new("rows read", runs.rows());
    let skipped = runs.for_each(&mut |rows| progress.show(rows, String::new), |game| {
        each(game);
        Ok::<(), std::convert::Infallible>(())
    });
    drop(progress);
    match skipped {
        Ok(Skipped(errors)) if errors.is_empty() => {}
        Ok(skipped) => eprintln!("{skipped}"),
        Err(never) => match never {},
    }
}

fn openings(arguments: &OpeningsArguments) -> anyhow::Result<ExitCode> {
    let runs = arguments.selection.open(&arguments.runs)?;
    let mut games = 0_u64;
    read(runs, |_| games += 1);
    println!("{games} games");
    Ok(ExitCode::SUCCESS)
}

fn explore(arguments: &ExploreArguments) -> anyhow::Result<ExitCode> {
    let runs = arguments.selection.open(std::slice::from_ref(&arguments.run))?;
    let position = match runs.rules().normal(&arguments.position) {
        Ok(position) => position,
        Err(error) => bail!("POS: {error}"),
    };
    println!("{position}");
    Ok(ExitCode::SUCCESS)
}

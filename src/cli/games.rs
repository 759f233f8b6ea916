//! `maydan games`: the games of runs as text.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context;
use clap::Args;

use super::{examples::examples, stats::Selection};
use crate::{console::warn, stats::GameFormat};

/// Write the games of runs as text: records that the page loads, PGN, or JSON Lines
///
/// Games come in order of run, generation and index, with the value that the search found for each move.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan games shatara-demo --most 3",
    "maydan games shatara-demo --format pgn -o games.pgn",
    "maydan games shatara-demo --generations 20.. --format jsonl -o games.jsonl",
]))]
pub(super) struct Arguments {
    /// Names of runs, or folders of games; all of one ruleset
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    /// `record`, as the page copies and loads a game; `pgn`, with moves in the strings of the rules; `jsonl`, an object a
    /// line
    #[arg(long, value_name = "FORM", default_value = "record")]
    format: GameFormat,
    /// Most games; all if not given
    #[arg(long, value_name = "N")]
    most: Option<u64>,
    /// Where they go; to standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Why no more games are wanted.
enum End {
    Enough,
    Io(io::Error),
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { runs, selection, format, most, output } = arguments;
    let runs = selection.open(&runs)?;
    let ruleset = runs.rules().ruleset().clone();
    let mut out: Box<dyn Write> = match &output {
        None => Box::new(io::stdout().lock()),
        Some(path) => Box::new(File::create(path).with_context(|| path.display().to_string())?),
    };
    let mut out = BufWriter::new(&mut out);
    let mut written = 0;
    let end = runs.for_each(&mut |_| {}, |game| {
        if most == Some(written) {
            return Err(End::Enough);
        }
        let separator = if written > 0 { format.separator() } else { "" };
        written += 1;
        write!(out, "{separator}{}", format.text(&game, &ruleset)).map_err(End::Io)
    });
    match end {
        Ok(skipped) if !skipped.0.is_empty() => warn(&skipped.to_string()),
        Err(End::Io(error)) => return Err(error.into()),
        Ok(_) | Err(End::Enough) => {}
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

//! Floor 10: the command line, one file for each subcommand: parse arguments, call the module below, print the result.
//!
//! Exit codes: 0 done, 1 something failed that is no fault of the user's, 2 a mistake in what the user gave, reported
//! in one line on standard error.

mod analyse;
#[cfg(feature = "torch")]
mod bench;
mod bot;
mod bots;
mod compare;
mod engine;
mod export;
mod games;
mod improvement;
mod listening;
mod matches;
mod options;
mod play;
mod players;
mod ratings;
mod report;
mod rules;
mod serve;
mod stats;
mod study;
#[cfg(feature = "torch")]
mod train;
#[cfg(feature = "torch")]
mod trial;
mod validation;
mod watch;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand, error::ErrorKind};
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

use crate::disk::IoError;

/// Self-play reinforcement learning for Shatara Arena and its kin.
#[derive(Debug, Parser)]
#[command(name = "maydan", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// A new subcommand is one line here, one in [`Command::run`], and a file with its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "torch")]
    Train(train::TrainArguments),
    #[cfg(feature = "torch")]
    Selfplay(train::SelfplayArguments),
    #[cfg(feature = "torch")]
    Learn(train::LearnArguments),
    #[cfg(feature = "torch")]
    Bench(bench::Arguments),
    Match(Box<matches::Arguments>),
    Improvement(improvement::Arguments),
    Validation(validation::Arguments),
    Play(play::Arguments),
    Analyse(analyse::Arguments),
    Export(export::Arguments),
    Bot(bot::Arguments),
    Engine(engine::Arguments),
    Serve(serve::Arguments),
    Rules(rules::Arguments),
    Games(games::Arguments),
    Stats(stats::Arguments),
    Study(study::Arguments),
    #[cfg(feature = "torch")]
    Trial(trial::Arguments),
    Ratings(ratings::Arguments),
    Report(report::Arguments),
    Compare(Box<compare::Arguments>),
    Watch(watch::Arguments),
}

impl Command {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            #[cfg(feature = "torch")]
            Command::Train(arguments) => train::train(arguments),
            #[cfg(feature = "torch")]
            Command::Selfplay(arguments) => train::selfplay(arguments),
            #[cfg(feature = "torch")]
            Command::Learn(arguments) => train::learn(arguments),
            #[cfg(feature = "torch")]
            Command::Bench(arguments) => bench::run(arguments),
            Command::Match(arguments) => matches::run(*arguments),
            Command::Improvement(arguments) => improvement::run(arguments),
            Command::Validation(arguments) => validation::run(arguments),
            Command::Analyse(arguments) => analyse::run(arguments),
            Command::Play(arguments) => play::run(arguments),
            Command::Export(arguments) => export::run(arguments),
            Command::Bot(arguments) => bot::run(arguments),
            Command::Engine(arguments) => engine::run(arguments),
            Command::Serve(arguments) => serve::run(arguments),
            Command::Rules(arguments) => rules::run(arguments),
            Command::Games(arguments) => games::run(arguments),
            Command::Stats(arguments) => stats::run(arguments),
            Command::Study(arguments) => study::run(arguments),
            #[cfg(feature = "torch")]
            Command::Trial(arguments) => trial::run(arguments),
            Command::Ratings(arguments) => ratings::run(arguments),
            Command::Report(arguments) => report::run(arguments),
            Command::Compare(arguments) => compare::run(*arguments),
            Command::Watch(arguments) => watch::run(arguments),
        }
    }
}

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    log_to_standard_error();
    let command = match CommandLine::try_parse() {
        Ok(line) => line.command,
        Err(error) => return explain(&error),
    };
    match command.run() {
        Ok(code) => code,
        // The reader of our output has closed it (`maydan ... | head`).
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&message(&error));
            let is_system = error.is::<io::Error>() || error.is::<IoError>();
            if is_system { ExitCode::FAILURE } else { ExitCode::from(2) }
        }
    }
}

/// Warnings show on standard error; `RUST_LOG` asks for more or less.
fn log_to_standard_error() {
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::WARN.into()).from_env_lossy();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).without_time().with_target(false).init();
}

/// Help where it was asked for; else the first paragraph of clap's complaint, as one line.
fn explain(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A closed pipe is no reason to complain about help.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => report("no command given, see `maydan help`"),
        _ => {
            let text = error.render().to_string();
            let first = text.split("\n\n").next().unwrap_or_default();
            report(first.strip_prefix("error: ").unwrap_or(first));
        }
    }
    ExitCode::from(2)
}

/// An error with its causes, but for those that its own text contains.
fn message(error: &anyhow::Error) -> String {
    error.chain().skip(1).map(ToString::to_string).fold(error.to_string(), |chain, cause| {
        if chain.ends_with(&cause) { chain } else { format!("{chain}: {cause}") }
    })
}

/// One line on standard error, whatever the message holds.
fn report(message: &str) {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    // Nothing can be reported when standard error is closed.
    let _ = writeln!(io::stderr(), "error: {line}");
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

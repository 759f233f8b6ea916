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
mod completions;
mod engine;
mod examples;
mod export;
#[cfg(feature = "fleet")]
mod fleet;
mod games;
mod improvement;
mod listening;
mod manual;
mod matches;
mod options;
mod play;
mod players;
mod ratings;
mod report;
mod results;
mod rules;
mod serve;
mod stats;
mod study;
mod terminal;
#[cfg(feature = "torch")]
mod train;
#[cfg(feature = "torch")]
mod trial;
#[cfg(not(feature = "fleet"))]
mod unbuilt;
mod validation;
mod verify;
mod watch;
#[cfg(feature = "fleet")]
mod worker;

use std::{
    env,
    io::{self, Write},
    process::ExitCode,
};

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};

use self::{
    examples::examples,
    terminal::{STYLES, Terminal, settle_colour},
};
use crate::{
    console::{ERROR, errors, styled},
    model::RuntimeFault,
};

/// Self-play reinforcement learning for Shatara Arena and its kin.
#[derive(Debug, Parser)]
#[command(name = "maydan", version = version(), styles = STYLES, after_help = examples(&[
    "maydan play models/shatara.maydan",
    "maydan train configs/shatara-demo.toml",
    "maydan help match",
]))]
struct CommandLine {
    #[command(flatten)]
    terminal: Terminal,
    /// None: help.
    #[command(subcommand)]
    command: Option<Command>,
}

/// What the program is, and what it was built of.
fn version() -> &'static str {
    let commit = Some(env!("MAYDAN_COMMIT")).filter(|commit| !commit.is_empty());
    let libtorch = cfg!(feature = "torch").then(|| concat!("libtorch ", env!("MAYDAN_LIBTORCH")));
    let parts = [
        commit.map_or("unknown commit".to_owned(), |commit| format!("commit {commit}")),
        libtorch.unwrap_or("without libtorch").to_owned(),
        if cfg!(feature = "engine") { "with the runtime in Rust" } else { "without the runtime in Rust" }.to_owned(),
        if cfg!(feature = "cloud") {
            "with fleets and stores"
        } else if cfg!(feature = "fleet") {
            "with fleets"
        } else {
            "without fleets"
        }
        .to_owned(),
    ];
    format!("{} ({})", env!("CARGO_PKG_VERSION"), parts.join(", ")).leak()
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
    #[cfg(not(feature = "torch"))]
    Train(unbuilt::Arguments),
    #[cfg(not(feature = "torch"))]
    Selfplay(unbuilt::Arguments),
    #[cfg(not(feature = "torch"))]
    Learn(unbuilt::Arguments),
    #[cfg(not(feature = "torch"))]
    Bench(unbuilt::Arguments),
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
    #[cfg(not(feature = "torch"))]
    Trial(unbuilt::Arguments),
    #[cfg(feature = "fleet")]
    Worker(worker::Arguments),
    #[cfg(feature = "fleet")]
    Fleet(fleet::Arguments),
    #[cfg(not(feature = "fleet"))]
    Worker(unbuilt::Arguments),
    #[cfg(not(feature = "fleet"))]
    Fleet(unbuilt::Arguments),
    Verify(verify::Arguments),
    Ratings(ratings::Arguments),
    Report(report::Arguments),
    Compare(Box<compare::Arguments>),
    Watch(watch::Arguments),
    Completions(completions::Arguments),
    Manual(manual::Arguments),
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
            #[cfg(not(feature = "torch"))]
            Command::Train(arguments) => unbuilt::run("train", arguments),
            #[cfg(not(feature = "torch"))]
            Command::Selfplay(arguments) => unbuilt::run("selfplay", arguments),
            #[cfg(not(feature = "torch"))]
            Command::Learn(arguments) => unbuilt::run("learn", arguments),
            #[cfg(not(feature = "torch"))]
            Command::Bench(arguments) => unbuilt::run("bench", arguments),
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
            #[cfg(not(feature = "torch"))]
            Command::Trial(arguments) => unbuilt::run("trial", arguments),
            #[cfg(feature = "fleet")]
            Command::Worker(arguments) => worker::run(arguments),
            #[cfg(feature = "fleet")]
            Command::Fleet(arguments) => fleet::run(&arguments),
            #[cfg(not(feature = "fleet"))]
            Command::Worker(_) => unbuilt::without("maydan worker", "fleet"),
            #[cfg(not(feature = "fleet"))]
            Command::Fleet(_) => unbuilt::without("maydan fleet", "fleet"),
            Command::Verify(arguments) => verify::run(arguments),
            Command::Ratings(arguments) => ratings::run(arguments),
            Command::Report(arguments) => report::run(arguments),
            Command::Compare(arguments) => compare::run(*arguments),
            Command::Watch(arguments) => watch::run(arguments),
            Command::Completions(arguments) => completions::run(arguments),
            Command::Manual(arguments) => manual::run(arguments),
        }
    }
}

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    let CommandLine { terminal, command } = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => {
            settle_colour(&env::args_os().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>());
            return explain(&error);
        }
    };
    terminal.settle();
    let Some(command) = command else {
        // A closed pipe is no reason to complain about help.
        let _ = CommandLine::command().print_help();
        return ExitCode::SUCCESS;
    };
    match command.run() {
        Ok(code) => code,
        // The reader of our output has closed it (`maydan ... | head`).
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&message(&error));
            if is_fault_of_the_system(&error) { ExitCode::FAILURE } else { ExitCode::from(2) }
        }
    }
}

/// Help where it was asked for; else clap's complaint in one line.
fn explain(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A closed pipe is no reason to complain about help.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        // A command of commands, as `maydan stats`; bare `maydan` never gets here.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
        }
        _ => report(&complaint(error)),
    }
    ExitCode::from(2)
}

/// What is wrong, what may have been meant, and the usage, without the pointer to `--help` after them.
fn complaint(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let parts = text.split("\n\n").filter(|part| !part.trim_start().starts_with("For more information"));
    let lines = parts.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = lines.collect::<Vec<_>>().join("; ").replace("Usage: ", "usage: ");
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

/// An error with its causes, but for those that its own text contains.
fn message(error: &anyhow::Error) -> String {
    error.chain().skip(1).map(ToString::to_string).fold(error.to_string(), |chain, cause| {
        if chain.ends_with(&cause) { chain } else { format!("{chain}: {cause}") }
    })
}

/// One line on standard error, whatever the message holds.
fn report(message: &str) {
    // Nothing can be reported when standard error is closed.
    let _ = writeln!(errors(), "{} {}", styled(ERROR, "error:"), one_line(message));
}

/// Most characters of an error's line, whose words may come from a file.
const LONGEST: usize = 2000;

/// The message in one line of bounded length that a terminal shows as it is: white space is one space, other control
/// characters are escaped.
fn one_line(message: &str) -> String {
    let mut line = String::new();
    for (number, word) in message.split_whitespace().enumerate() {
        let space = if number > 0 { " " } else { "" };
        let visible = |c: char| if c.is_control() { c.escape_unicode().collect() } else { c.to_string() };
        line += space;
        line.extend(word.chars().take(LONGEST).map(visible));
    }
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}

/// Whether the system refused what it should have done: a full disk, say, or no more memory. A file that is not there, or
/// is none of the user's, is the user's mistake.
fn is_fault_of_the_system(error: &anyhow::Error) -> bool {
    use io::ErrorKind as Kind;
    if error.chain().any(|cause| cause.is::<RuntimeFault>()) {
        return true;
    }
    error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).is_some_and(|error| {
        let given = [
            Kind::NotFound,
            Kind::PermissionDenied,
            Kind::AlreadyExists,
            Kind::NotADirectory,
            Kind::IsADirectory,
            Kind::InvalidInput,
            Kind::InvalidFilename,
            Kind::InvalidData,
            Kind::UnexpectedEof,
        ];
        !given.contains(&error.kind())
    })
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::EvaluatorError, selfplay::SelfPlayError};

    #[test]
    fn a_runtime_that_fails_is_no_mistake_of_the_users() {
        let fault = || EvaluatorError::from(RuntimeFault("libtorch: std::bad_alloc".to_owned()));
        for error in [anyhow::Error::from(fault()), SelfPlayError::from(fault()).into()] {
            assert!(is_fault_of_the_system(&error.context("run")), "exit code 1");
        }
        assert_eq!(message(&fault().into()), "evaluator: libtorch: std::bad_alloc");
        assert!(!is_fault_of_the_system(&EvaluatorError::Refused("int8".to_owned()).into()), "exit code 2");
    }
}

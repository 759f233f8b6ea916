//! Options of every command: how much it says beside its results, and in which colours.

use std::env;

use clap::{
    ArgAction, Args, ColorChoice,
    builder::styling::{AnsiColor, Style, Styles},
};
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

use crate::console::{self, ERROR, HEADING, WARNING, be_quiet, errors_have_colour};

#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(super) struct Terminal {
    /// Print no progress and no notes on standard error: warnings and errors alone
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say on standard error what is done (-v), or also how (-vv); RUST_LOG wins
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    /// Use colours: where a terminal shows them and NO_COLOR does not forbid them, always, or never
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

impl Terminal {
    /// Keeps to the options from now on, in the whole process.
    pub(super) fn settle(&self) {
        colour(self.color);
        if self.quiet {
            be_quiet();
        }
        let level = match self.verbose {
            0 => LevelFilter::WARN,
            1 => LevelFilter::INFO,
            _ => LevelFilter::DEBUG,
        };
        let mut filter = EnvFilter::builder().with_default_directive(level.into()).from_env_lossy();
        if self.verbose == 0 && env::var_os(EnvFilter::DEFAULT_ENV).is_none() {
            // A server that is away for a while is no error: whoever waits for it says so.
            filter = filter.add_directive("async_nats=off".parse().expect("a directive"));
        }
        let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
        log.with_ansi(errors_have_colour()).without_time().with_target(false).init();
    }
}

/// Takes the colours from a command line that was not parsed to its end: for help, and for what is wrong with it.
pub(super) fn settle_colour(words: &[String]) {
    let value = |at: usize| match words[at].strip_prefix("--color") {
        Some("") => words.get(at + 1).map(String::as_str),
        Some(rest) => rest.strip_prefix('='),
        None => None,
    };
    if let Some(Ok(choice)) = (0..words.len()).rev().find_map(value).map(str::parse) {
        colour(choice);
    }
}

fn colour(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => console::ColorChoice::Auto,
        ColorChoice::Always => console::ColorChoice::Always,
        ColorChoice::Never => console::ColorChoice::Never,
    }
    .write_global();
}

/// How help looks.
pub(super) const STYLES: Styles = Styles::plain()
    .header(HEADING)
    .usage(HEADING)
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default())
    .error(ERROR)
    .valid(AnsiColor::Green.on_default())
    .invalid(WARNING)
    .context(Style::new().dimmed());

//! `maydan completions`: the commands and options of this program for a shell.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{CommandLine, examples::examples};

/// Print the completions of this program's commands and options for a shell
///
/// docs/install.md says where each shell looks for them.
#[derive(Debug, Args)]
#[command(after_help = examples(&["maydan completions bash"]))]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    // `generate` panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut CommandLine::command(), "maydan", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

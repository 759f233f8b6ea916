//! Commands that need libtorch, in a program built without it.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use super::examples::examples;

/// Not in this program, which was built without libtorch
#[derive(Debug, Args)]
#[command(after_help = examples(&["maydan --version"]))]
pub(super) struct Arguments {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

pub(super) fn run(command: &str, _: Arguments) -> anyhow::Result<ExitCode> {
    bail!(
        "`maydan {command}` needs libtorch, and this program was built without it: in the project's folder `make setup`, then `cargo build --release` build one that has it"
    )
}

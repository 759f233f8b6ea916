//! Commands that this program was built without.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use super::examples::examples;

/// Not in this program, which was built without what it needs
#[derive(Debug, Args)]
#[command(after_help = examples(&["maydan --version"]))]
pub(super) struct Arguments {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

#[cfg(not(feature = "torch"))]
pub(super) fn run(command: &str, _: Arguments) -> anyhow::Result<ExitCode> {
    bail!(
        "`maydan {command}` needs libtorch, and this program was built without it: in the project's folder `make setup`, then `cargo build --release` build one that has it"
    )
}

/// What needs a feature that is not among the default ones.
#[cfg(not(feature = "fleet"))]
pub(super) fn without(what: &str, feature: &str) -> anyhow::Result<ExitCode> {
    bail!(
        "`{what}` needs the feature `{feature}`, and this program was built without it: in the project's folder `make setup`, then `cargo build --release --features {feature}` build one that has it"
    )
}

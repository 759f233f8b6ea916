//! `maydan trial`: settings held against each other.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::{
    examples::examples,
    results::{Forms, print_json},
};
use crate::{
    console::{Ending, INTERRUPTED, stop_flag},
    disk::{ConfigChange, DirectoryError},
    trial::{Trial, TrialConfig, TrialError, TrialResults},
};

/// Train networks under several settings at equal cost, and say by matches which settings make stronger ones
///
/// The runs are `models/TRIAL-ARM-SEED/` and `data/TRIAL-ARM-SEED/`, the matches and the results in `trials/TRIAL/`.
/// Ctrl-C stops, and the same command goes on from there, also after the process was killed.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan trial configs/trials/cutoff.toml",
    "maydan trial configs/trials/considered.toml --json",
]))]
pub(super) struct Arguments {
    /// The trial, a TOML file; its name is the trial's
    file: PathBuf,
    /// Set a key of the trial; may be repeated
    #[arg(long = "set", value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Go on under changed matches or another cost; matches that were played are forgotten
    #[arg(long)]
    allow_config_change: bool,
    /// Folder that holds `data/`, `models/` and `trials/`
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    forms: Forms,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { file, set, allow_config_change, root, forms } = arguments;
    let config = TrialConfig::load(&file, &set)?;
    let name = file.file_stem().and_then(|stem| stem.to_str());
    let name = name.with_context(|| format!("{}: no name for a trial in it", file.display()))?;
    let change = if allow_config_change { ConfigChange::Allow } else { ConfigChange::Refuse };
    let mut trial = Trial::open(config, name, &root, change).inspect_err(show_diff)?;
    let ending = trial.run(&stop_flag())?;
    let results = TrialResults::new(&trial)?;
    results.write(trial.folder())?;
    forms.figures.write(|| results.page())?;
    let mut output = io::stdout().lock();
    let stopped = matches!(ending, Ending::Stopped);
    if forms.json {
        let facts = json!({ "trial": name, "ruleset": trial.ruleset(), "stopped": stopped });
        print_json(&mut output, facts, results.page().tables())?;
    } else {
        writeln!(output, "{}\n{}", trial.ruleset(), results.to_text())?;
        writeln!(output, "page  {}", trial.folder().join("index.html").display())?;
        if stopped {
            writeln!(output, "stopped; the same command goes on from here")?;
        }
    }
    Ok(if stopped { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Shows, above the one line of the error, what changed.
fn show_diff(error: &TrialError) {
    if let TrialError::Directory(DirectoryError::ConfigChanged { diff, .. }) = error {
        // Nothing can be reported when standard error is closed.
        let _ = write!(io::stderr(), "{diff}");
    }
}

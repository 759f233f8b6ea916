//! `maydan study`: experiments with changed rules.

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
    console::{Ending, INTERRUPTED, stop_flag, warn},
    disk::{ConfigChange, DirectoryError},
    study::{Results, Study, StudyConfig, StudyError},
};

/// Play a game under its rules, under others and with actions forbidden to one side, and tell what each change does
///
/// The games of each arm are in `data/STUDY/ARM/`. Ctrl-C stops, and the same command goes on from there; games that
/// are there are not played again.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan study configs/studies/shatara-reserve.toml --games 100",
    "maydan study configs/studies/shatara-start.toml --set play.max_plies=6",
]))]
pub(super) struct Arguments {
    /// The study, a TOML file; its name is the study's
    file: PathBuf,
    /// Set a key of the study; may be repeated
    #[arg(long = "set", value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Games of an arm, in place of those that the study says
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Play arms that changed since they were begun anew, removing the games that they have
    #[arg(long)]
    allow_config_change: bool,
    /// Folder that holds `data/` and `models/`
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Folder for tables and page; `studies/STUDY` in the root if not given
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    forms: Forms,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { file, mut set, games, allow_config_change, root, out, forms } = arguments;
    set.extend(games.map(|games| format!("play.games={games}")));
    let config = StudyConfig::load(&file, &set)?;
    let name = file.file_stem().and_then(|stem| stem.to_str());
    let name = name.with_context(|| format!("{}: no name for a study in it", file.display()))?;
    let change = if allow_config_change { ConfigChange::Allow } else { ConfigChange::Refuse };
    let study = Study::open(config, name, &root, change).inspect_err(show_diff)?;
    if study.play(&stop_flag())? == Ending::Stopped {
        writeln!(io::stdout(), "stopped; the same command goes on from here")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let tallies = study.count()?;
    for tally in tallies.iter().filter(|tally| !tally.skipped.0.is_empty()) {
        warn(&tally.skipped.to_string());
    }
    let results = Results::new(&study, &tallies);
    let folder = out.unwrap_or_else(|| root.join("studies").join(name));
    results.write(&folder)?;
    forms.figures.write(|| results.page())?;
    let mut output = io::stdout().lock();
    if forms.json {
        let facts = json!({ "study": name, "ruleset": study.arms()[0].rules.ruleset() });
        print_json(&mut output, facts, results.page().tables())?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(output, "{}\n{}", study.arms()[0].rules.ruleset(), results.to_text())?;
    writeln!(output, "games {}", root.join("data").join(name).display())?;
    writeln!(output, "page  {}", folder.join("index.html").display())?;
    Ok(ExitCode::SUCCESS)
}

/// Shows, above the one line of the error, what changed.
fn show_diff(error: &StudyError) {
    if let StudyError::Directory(DirectoryError::ConfigChanged { diff, .. }) = error {
        // Nothing can be reported when standard error is closed.
        let _ = write!(io::stderr(), "{diff}");
    }
}

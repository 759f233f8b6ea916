//! Where the results of a command go: to the terminal as text or JSON, to folders as tables, a page and figures.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use clap::Args;
use serde_json::{Map, Value, json};

use crate::{
    game::Ruleset,
    page::{Page, Table},
};

/// Forms of results beside the page.
#[derive(Debug, Args)]
pub(super) struct Forms {
    /// Write every figure of the page as SVG to this folder: NAME.svg, and NAME.ar.svg in Arabic
    #[arg(long, value_name = "FOLDER")]
    pub(super) figures: Option<PathBuf>,
    /// Print one JSON object in place of text: every table as an array of rows
    #[arg(long)]
    pub(super) json: bool,
}

/// Forms of statistics.
#[derive(Debug, Args)]
pub(super) struct Destination {
    /// Write tables and a page to this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    forms: Forms,
}

/// What was counted in the games of runs.
pub(super) struct Results<'a> {
    /// Stem of the page's file.
    pub(super) name: &'a str,
    pub(super) ruleset: &'a Ruleset,
    pub(super) runs: &'a [Arc<str>],
    pub(super) games: u64,
    pub(super) page: Page,
    /// Tables that are too long for the page.
    pub(super) more: Vec<Table>,
    /// Another file that was written, and what it is.
    pub(super) file: Option<(&'static str, PathBuf)>,
}

impl Destination {
    pub(super) fn folder(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Writes what was asked for to its folders, and prints the JSON object, or the number of games with what `text`
    /// writes behind it and where files are.
    ///
    /// # Errors
    /// When the disk refuses, or standard output is closed.
    pub(super) fn write(
        &self,
        results: &Results<'_>,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let Results { name, ruleset, page, more, .. } = results;
        if let Some(folder) = self.folder() {
            write_tables(folder, ruleset, page.tables().chain(more))?;
            page.write(&folder.join(name).with_extension("html"))?;
        }
        self.forms.write_figures(page)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        if self.forms.json {
            let runs: Vec<&str> = results.runs.iter().map(AsRef::as_ref).collect();
            let facts = json!({ "ruleset": ruleset, "runs": runs, "games": results.games });
            print_json(&mut out, facts, page.tables().chain(more))?;
        } else {
            write!(out, "{}: {ruleset}\n{} games", results.runs.join(", "), results.games)?;
            text(&mut out)?;
            if let Some(folder) = self.folder() {
                writeln!(out, "page   {}", folder.join(name).with_extension("html").display())?;
            }
            if let Some((kind, path)) = &results.file {
                writeln!(out, "{kind:<6} {}", path.display())?;
            }
        }
        Ok(out.flush()?)
    }
}

impl Forms {
    /// Writes the figures, where they were asked for.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(super) fn write_figures(&self, page: &Page) -> anyhow::Result<()> {
        match &self.figures {
            Some(folder) => page.write_figures(folder).context("--figures"),
            None => Ok(()),
        }
    }
}

/// Prints `facts`, an object, with the tables in it by name, as one line.
pub(super) fn print_json<'a>(
    out: &mut dyn Write,
    facts: Value,
    tables: impl IntoIterator<Item = &'a Table>,
) -> io::Result<()> {
    let tables: Map<String, Value> = tables.into_iter().map(|table| (table.name.clone(), table.to_json())).collect();
    let mut object = facts;
    object["tables"] = tables.into();
    writeln!(out, "{object}")
}

/// Writes tables as CSV and Parquet, with the rules in the footers.
pub(super) fn write_tables<'a>(
    folder: &Path,
    ruleset: &Ruleset,
    tables: impl IntoIterator<Item = &'a Table>,
) -> anyhow::Result<()> {
    let metadata = [("maydan.game", &ruleset.game), ("maydan.ruleset", &ruleset.hash)];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.clone()));
    for table in tables {
        table.write_csv(folder)?;
        table.write_parquet(folder, &metadata)?;
    }
    Ok(())
}

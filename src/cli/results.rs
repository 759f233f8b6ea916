//! Where the results of a command go: to the terminal as text or JSON, to folders as tables, a page and figures.

use std::{
    cell::LazyCell,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use clap::Args;
use serde_json::{Map, Value, json};

use crate::{
    console::{HEADING, headed, styled},
    game::Ruleset,
    page::{Page, Table},
};

/// The figures of a page as files.
#[derive(Debug, Args)]
pub(super) struct Figures {
    /// Write every figure of the page as SVG to this folder: NAME.svg, and NAME.ar.svg in Arabic
    #[arg(long = "figures", value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Forms of results beside the page.
#[derive(Debug, Args)]
pub(super) struct Forms {
    #[command(flatten)]
    pub(super) figures: Figures,
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

/// What is made when it is asked for.
pub(super) type Late<'a, T> = LazyCell<T, Box<dyn FnOnce() -> T + 'a>>;

/// What was counted in the games of runs.
pub(super) struct Results<'a> {
    /// Stem of the page's file.
    pub(super) name: &'a str,
    pub(super) ruleset: &'a Ruleset,
    pub(super) runs: &'a [Arc<str>],
    pub(super) games: u64,
    pub(super) page: Late<'a, Page>,
    /// Tables that are too long for the page.
    pub(super) more: Late<'a, Vec<Table>>,
    /// Another file that was written, and what it is.
    pub(super) file: Option<(&'static str, PathBuf)>,
}

impl Destination {
    pub(super) fn folder(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Writes what was asked for to its folders, and prints the JSON object, or the number of games with what `text`
    /// writes behind it and where files are. The page is made only where it is asked for.
    ///
    /// # Errors
    /// When the disk refuses, or `out` is closed.
    pub(super) fn write(
        &self,
        out: impl Write,
        results: &Results<'_>,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let Results { name, ruleset, page, more, .. } = results;
        if let Some(folder) = self.folder() {
            write_tables(folder, ruleset, page.tables().chain(more.iter()))?;
            page.write(&folder.join(name).with_extension("html"))?;
        }
        self.forms.figures.write(|| page)?;
        let mut out = io::BufWriter::new(out);
        if self.forms.json {
            let runs: Vec<&str> = results.runs.iter().map(AsRef::as_ref).collect();
            let facts = json!({ "ruleset": ruleset, "runs": runs, "games": results.games });
            print_json(&mut out, facts, page.tables().chain(more.iter()))?;
        } else {
            writeln!(out, "{}", styled(HEADING, format_args!("{}: {ruleset}", results.runs.join(", "))))?;
            write!(out, "{} games", results.games)?;
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

impl Figures {
    /// Where they go.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Writes the figures of a page, where they were asked for.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(super) fn write<'a>(&self, page: impl FnOnce() -> &'a Page) -> anyhow::Result<()> {
        match self.folder() {
            Some(folder) => page().write_figures(folder).context("--figures"),
            None => Ok(()),
        }
    }
}

/// A table as text, as many rows of it, with a heading for a terminal.
pub(super) fn table_text(table: &Table, rows: usize) -> String {
    headed(&table.to_text(rows))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::shatara::Shatara;

    #[test]
    fn no_page_is_made_that_was_not_asked_for() {
        let game = Shatara::game(&toml::Table::new()).unwrap();
        let results = Results {
            name: "openings",
            ruleset: game.ruleset(),
            runs: &["run".into()],
            games: 7,
            page: LazyCell::new(Box::new(|| panic!("nobody asked for the page"))),
            more: LazyCell::new(Box::new(|| panic!("nobody asked for the long tables"))),
            file: None,
        };
        let destination = Destination { out: None, forms: Forms { figures: Figures { folder: None }, json: false } };
        let mut out = Vec::new();
        destination.write(&mut out, &results, |out| writeln!(out, ", all of them")).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("run: shatara (") && text.ends_with("7 games, all of them\n"), "{text}");
    }
}

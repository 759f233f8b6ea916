//! `maydan report`: the report of a run on one page.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, ensure};
use clap::Args;

use super::{examples::examples, results::Figures};
use crate::{
    browse::write_games,
    console::Progress,
    report::{Parts, Record, page, read_games},
};

/// Write one page of a run: Elo first, then training, self-play, throughput, openings, reserves, configuration
///
/// The page is one HTML file that needs no network, in English and Arabic. Sections are folded where there is little room.
/// A run may be reported while it goes on; what it did not leave is named on the page.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan report shatara-demo",
    "maydan report shatara-demo --output page/report.html --tables page/tables --figures page/figures",
]))]
pub(super) struct Arguments {
    /// Name of the run
    run: String,
    /// Folder that holds `models/` and `data/`
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Where the page goes; `models/<run>/report.html` if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Newest games that are written beside the page, as `games.html`, to be listed and stepped through; 0 for none
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: usize,
    /// Write every table of the page as CSV and Parquet to this folder too
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    figures: Figures,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let record = Record::read(&arguments.root, &arguments.run)?;
    let output = arguments.output.unwrap_or_else(|| record.models.join("report.html"));
    let album = output.with_file_name("games.html");
    ensure!(album != output, "--output: expected another name than games.html, which the games have");
    let metadata = record.ruleset().map(|ruleset| {
        [("maydan.game", &ruleset.game), ("maydan.ruleset", &ruleset.hash)]
            .map(|(key, value)| (key.to_owned(), value.clone()))
    });
    let progress = Progress::new("rows read", record.stock.plies);
    let games = read_games(&record, &mut |rows| progress.show(rows, String::new))?;
    drop(progress);
    let written = write_games(&record.data, &record.name, arguments.games, &album)?;
    let beside = (written > 0).then(|| ("games.html".to_owned(), written));
    let page = page(Parts { record, games, album: beside });
    page.write(&output)?;
    let mut out = io::stdout().lock();
    writeln!(out, "page   {}", output.display())?;
    if written > 0 {
        writeln!(out, "games  {}", album.display())?;
    }
    if let Some(folder) = arguments.tables {
        let metadata = metadata.map(Vec::from).unwrap_or_default();
        for table in page.tables() {
            let written = table.write_csv(&folder).and_then(|()| table.write_parquet(&folder, &metadata));
            written.context("--tables")?;
        }
        writeln!(out, "tables {}", folder.display())?;
    }
    arguments.figures.write(|| &page)?;
    if let Some(folder) = arguments.figures.folder() {
        writeln!(out, "figures {}", folder.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

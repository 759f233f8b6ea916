//! `maydan stats`: statistics of the games of a run.

use std::{
    fs,
    io::{self, Write},
    ops::RangeInclusive,
    path::PathBuf,
    process::ExitCode,
    slice,
    sync::Arc,
};

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use serde_json::json;

use super::{
    examples::examples,
    results::{Destination, Late, Results, print_json, table_text, write_tables},
};
use crate::{
    console::{Progress, output, warn},
    disk::PartialFile,
    game::Ruleset,
    page::{Block, Page, Phrase, Section},
    stats::{
        GameColumns, Runs, StatsError, Temperature,
        compare::Compare,
        effect::Effects,
        openings::{BookFormat, Explore, Openings, Options},
        reserves::Reserves,
        this_run,
    },
};

/// Moves of the tree on a page of its own: more would make it slow to open.
const PAGE_LINES: usize = 2000;

/// Tell what the games of runs say: openings, single positions, reserves
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan stats openings shatara-demo",
    "maydan stats reserves shatara-demo --out tables",
]))]
pub(super) struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Openings(OpeningsArguments),
    Explore(ExploreArguments),
    Reserves(ReservesArguments),
    Effect(EffectArguments),
    Compare(CompareArguments),
}

/// Which games.
#[derive(Debug, Args)]
pub(super) struct Selection {
    /// Folder that holds `data/`, where runs are looked for by name
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Only these generations, the first and the last included; `A..`, `..B` and `A` will do
    #[arg(long, value_name = "A..B", default_value = "..", value_parser = parse_generations)]
    generations: RangeInclusive<u64>,
}

/// The games of several runs.
#[derive(Debug, Args)]
struct Games {
    /// Names of runs, or folders of games; all of one ruleset
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    selection: Selection,
}

/// Tell the openings of runs: the tree, first and second moves, how many openings there are, first-move advantage,
/// length, results
///
/// A position is one whatever the order of moves that led to it; a game counts once for each move in each position.
/// With `--out`, the folder gets every table as CSV and Parquet, the moves of the tree as `openings.csv`, and one page
/// with plots, `openings.html`.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan stats openings shatara-demo",
    "maydan stats openings shatara-demo --out tables --generations 12..",
    "maydan stats openings shatara-demo --depth 4 --book book.txt",
]))]
struct OpeningsArguments {
    #[command(flatten)]
    games: Games,
    /// Plies from the start that are followed
    #[arg(long, value_name = "PLIES", default_value_t = Options::default().depth)]
    depth: usize,
    /// Games that a move of the tree needs to be shown
    #[arg(long, value_name = "N", default_value_t = Options::default().min_count)]
    min_count: u64,
    /// Cut the generations into so many bands, to see what changes
    #[arg(long, value_name = "N", default_value_t = Options::default().bands)]
    bands: usize,
    /// Lengths of openings of which to tell how many there are in effect
    #[arg(long, value_name = "PLIES,...", value_delimiter = ',', default_values_t = Options::default().opening_plies)]
    opening_plies: Vec<usize>,
    /// Positions kept in memory, and as many moves; above it rare ones are forgotten, and reported how rare
    #[arg(long, value_name = "N", default_value_t = Options::default().max_positions)]
    max_positions: usize,
    #[command(flatten)]
    destination: Destination,
    /// Write what searches chose as a book: `*.bin` in Polyglot's format, for chess, any other name as lines of text
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Rows printed of each table but the tree
    #[arg(long, default_value_t = 24)]
    rows: usize,
}

/// Tell what was played in one position, at whatever ply games came to it
#[derive(Debug, Args)]
#[command(after_help = examples(&["maydan stats explore shatara-demo \"$(maydan rules shatara start)\""]))]
struct ExploreArguments {
    /// Name of a run, or a folder of games
    run: String,
    /// Position string; its counters do not matter
    #[arg(value_name = "POS")]
    position: String,
    #[command(flatten)]
    selection: Selection,
    /// Write the table to this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print one JSON object in place of text
    #[arg(long)]
    json: bool,
}

/// Tell when and how reserves are used: reinforcements, promotions, placings
///
/// Prints tables. With `--out`, the folder gets every use as a row of `events.parquet`, every table as CSV and Parquet,
/// and one page with plots, `reserves.html`.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan stats reserves shatara-demo",
    "maydan stats reserves shatara-demo --out tables",
]))]
struct ReservesArguments {
    #[command(flatten)]
    games: Games,
    /// Cut the generations into so many bands, to see what changes
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=100))]
    bands: u64,
    #[command(flatten)]
    destination: Destination,
    /// Rows printed of each table
    #[arg(long, default_value_t = 24)]
    rows: usize,
}

/// Tell what a kind of action changes in the result, from the actions that self-play drew by chance
///
/// In the first plies self-play draws actions from the search's policy, which is recorded: each such decision is an
/// experiment with known probabilities. Prints the effect of every kind of action, a placebo, and how well the
/// probabilities are calibrated. With `--out`, the folder gets every table as CSV and Parquet, and one page,
/// `effect.html`.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan stats effect shatara-demo",
    "maydan stats effect shatara-demo --out tables --rows 20",
]))]
struct EffectArguments {
    #[command(flatten)]
    games: Games,
    /// Actions of so many first plies were drawn; by the configuration kept with the run if not given
    #[arg(long, value_name = "PLIES")]
    drawn_plies: Option<u32>,
    /// Temperature at which they were drawn, with `--drawn-plies`
    #[arg(long, value_name = "T", default_value_t = 1.0, value_parser = parse_temperature, requires = "drawn_plies")]
    temperature: f64,
    #[command(flatten)]
    destination: Destination,
    /// Rows printed of each table
    #[arg(long, default_value_t = 60)]
    rows: usize,
}

fn parse_temperature(text: &str) -> Result<f64, String> {
    let temperature: Option<f64> = text.parse().ok();
    temperature.filter(|t| *t > 0.0 && *t <= 100.0).ok_or_else(|| "expected a number above 0, at most 100".to_owned())
}

/// Tell how runs of other seeds differ: the same numbers of each, their mean, and how wide that makes the intervals
///
/// A run is one sample. For each number, prints it with its interval over games and the one over generations for every
/// run; then the mean of the runs with the interval over runs, and how the numbers change from the first generations to
/// the last. With `--out`, the folder gets every table as CSV and Parquet, and one page, `compare.html`.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan stats compare shatara-demo shatara-demo-2",
    "maydan stats compare shatara-demo shatara-demo-2 --bands 2 --out tables",
]))]
struct CompareArguments {
    #[command(flatten)]
    games: Games,
    /// Cut the generations that all runs have into so many bands, and compare the last with the first
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=100))]
    bands: u64,
    #[command(flatten)]
    destination: Destination,
}

fn parse_generations(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str, open: u64| if text.is_empty() { Ok(open) } else { text.parse() };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (number(first, 0), number(last, u64::MAX)) {
        (Ok(first), Ok(last)) if !text.is_empty() && first <= last => Ok(first..=last),
        _ => Err("expected the first and the last generation, as in `10..20`".to_owned()),
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.question {
        Question::Openings(arguments) => openings(&arguments),
        Question::Explore(arguments) => explore(&arguments),
        Question::Reserves(arguments) => reserves(&arguments),
        Question::Effect(arguments) => effect(&arguments),
        Question::Compare(arguments) => compare(&arguments),
    }
}

impl Selection {
    pub(super) fn open(&self, runs: &[String]) -> anyhow::Result<Runs> {
        Ok(Runs::open(&self.root, runs, self.generations.clone())?)
    }
}

impl Games {
    fn open(&self) -> anyhow::Result<Runs> {
        self.selection.open(&self.runs)
    }
}

/// Gives every game to `each`, with a bar; warns of files that were left out.
fn read(runs: Runs, each: impl FnMut(GameColumns) -> Result<(), StatsError>) -> Result<(), StatsError> {
    let progress = Progress::new("rows read", runs.rows());
    let skipped = runs.for_each(&mut |rows| progress.show(rows, String::new), each)?;
    drop(progress);
    if !skipped.0.is_empty() {
        warn(&skipped.to_string());
    }
    Ok(())
}

fn openings(arguments: &OpeningsArguments) -> anyhow::Result<ExitCode> {
    let options = Options {
        depth: arguments.depth,
        min_count: arguments.min_count,
        bands: arguments.bands,
        opening_plies: arguments.opening_plies.clone(),
        max_positions: arguments.max_positions,
    };
    options.validate().map_err(|error| anyhow!("--{error}"))?;
    let runs = arguments.games.open()?;
    let (ruleset, runs_named) = (runs.rules().ruleset().clone(), runs.names().to_vec());
    let names = runs_named.join(", ");
    let book = match &arguments.book {
        None => None,
        Some(path) => Some((path, BookFormat::of_file(path, &ruleset).map_err(|error| anyhow!("--{error}"))?)),
    };
    let mut openings = Openings::new(options, &runs)?;
    read(runs, |game| {
        openings.add(&game);
        Ok(())
    })?;
    openings.finish();

    if let Some((path, format)) = book {
        let mut file = PartialFile::create(path).map_err(|error| anyhow!("--book: {error}"))?;
        openings.write_book(format, &mut file)?;
        file.finish()?;
    }
    let title = Phrase::new(format!("Openings of {names}"), format!("افتتاحات {names}"));
    let results = Results {
        name: "openings",
        ruleset: &ruleset,
        runs: &runs_named,
        games: openings.games(),
        page: late(|| page(title, &ruleset, with_note(&runs_named, openings.sections(PAGE_LINES)))),
        more: late(|| openings.tables_for_files()),
        file: arguments.book.clone().map(|path| ("book", path)),
    };
    arguments.destination.write(output(), &results, |out| {
        writeln!(out, "\n\n{}", table_text(&openings.tree(), usize::MAX))?;
        for table in openings.tables_for_reading() {
            writeln!(out, "{}", table_text(&table, arguments.rows))?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

fn explore(arguments: &ExploreArguments) -> anyhow::Result<ExitCode> {
    let runs = arguments.selection.open(slice::from_ref(&arguments.run))?;
    let ruleset = runs.rules().ruleset().clone();
    let mut explore = Explore::new(&arguments.position, &runs).map_err(|error| anyhow!("POS: {error}"))?;
    read(runs, |game| {
        explore.add(&game);
        Ok(())
    })?;

    let table = explore.table();
    if let Some(folder) = &arguments.out {
        write_tables(folder, &ruleset, [&table])?;
    }
    let mut out = output();
    if arguments.json {
        print_json(&mut out, json!({ "ruleset": ruleset, "position": arguments.position }), [&table])?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(out, "{}", explore.summary())?;
    if explore.is_known() {
        write!(out, "\n{}", table_text(&table, usize::MAX))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn reserves(arguments: &ReservesArguments) -> anyhow::Result<ExitCode> {
    let runs = arguments.games.open()?;
    let folder = arguments.destination.folder();
    if let Some(folder) = folder {
        fs::create_dir_all(folder).with_context(|| format!("--out: {}", folder.display()))?;
    }
    let (ruleset, runs_named) = (runs.rules().ruleset().clone(), runs.names().to_vec());
    let names = runs_named.join(", ");
    let mut reserves = Reserves::new(&runs, arguments.bands as usize, folder)?;
    let (mut games, mut rows) = (0_u64, 0_u64);
    read(runs, |game| {
        games += 1;
        rows += game.plies() as u64;
        reserves.add(&game)
    })?;
    let events = reserves.events();
    let (sections, events_file) = reserves.finish()?;
    let title = Phrase::new(format!("Reserves of {names}"), format!("احتياطي {names}"));
    let results = Results {
        name: "reserves",
        ruleset: &ruleset,
        runs: &runs_named,
        games,
        page: late(|| page(title, &ruleset, with_note(&runs_named, sections))),
        more: late(Vec::new),
        file: events_file.map(|path| ("events", path)),
    };
    arguments.destination.write(output(), &results, |out| {
        writeln!(out, ", {rows} decisions, {events} events\n")?;
        print_tables(out, &results.page, arguments.rows)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn effect(arguments: &EffectArguments) -> anyhow::Result<ExitCode> {
    let runs = arguments.games.open()?.with_searches();
    let (ruleset, runs_named) = (runs.rules().ruleset().clone(), runs.names().to_vec());
    let names = runs_named.join(", ");
    let given = arguments.drawn_plies.map(|plies| Temperature { start: arguments.temperature, plies, end: 0.0 });
    let mut effects = Effects::new(&runs, given)?;
    let mut games = 0_u64;
    read(runs, |game| {
        games += 1;
        effects.add(&game);
        Ok(())
    })?;
    let title = Phrase::new(format!("Effects in {names}"), format!("الآثار في {names}"));
    let results = Results {
        name: "effect",
        ruleset: &ruleset,
        runs: &runs_named,
        games,
        page: late(|| page(title, &ruleset, with_note(&runs_named, vec![effects.section()]))),
        more: late(Vec::new),
        file: None,
    };
    arguments.destination.write(output(), &results, |out| {
        writeln!(out, "\n")?;
        print_tables(out, &results.page, arguments.rows)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn compare(arguments: &CompareArguments) -> anyhow::Result<ExitCode> {
    let runs = arguments.games.open()?;
    let (ruleset, runs_named) = (runs.rules().ruleset().clone(), runs.names().to_vec());
    let names = runs_named.join(", ");
    let mut compare = Compare::new(&runs, arguments.bands as usize);
    read(runs, |game| {
        compare.add(&game);
        Ok(())
    })?;
    let title = Phrase::new(format!("Runs compared: {names}"), format!("مقارنة التجارب: {names}"));
    let results = Results {
        name: "compare",
        ruleset: &ruleset,
        runs: &runs_named,
        games: compare.games(),
        page: late(|| page(title, &ruleset, compare.sections())),
        more: late(Vec::new),
        file: None,
    };
    arguments.destination.write(output(), &results, |out| {
        writeln!(out, "\n")?;
        for block in results.page.blocks() {
            if let Block::Paragraph(words) = block {
                writeln!(out, "{}\n", words.en)?;
            }
            if let Some(table) = block.printed() {
                writeln!(out, "{}", table_text(table, usize::MAX))?;
            }
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the tables of a page that are meant to be read, so many rows of each.
fn print_tables(out: &mut dyn Write, page: &Page, rows: usize) -> io::Result<()> {
    for table in page.blocks().filter_map(Block::printed) {
        writeln!(out, "{}", table_text(table, rows))?;
    }
    Ok(())
}

/// Puts what a page of these runs says of itself at its top.
fn with_note(names: &[Arc<str>], mut sections: Vec<Section>) -> Vec<Section> {
    if let Some(first) = sections.first_mut() {
        first.blocks.insert(0, Block::Paragraph(this_run(names)));
    }
    sections
}

fn late<'a, T>(make: impl FnOnce() -> T + 'a) -> Late<'a, T> {
    Late::new(Box::new(make))
}

fn page(title: Phrase, ruleset: &Ruleset, sections: Vec<Section>) -> Page {
    Page { title, subtitle: Phrase::same(ruleset.to_string()), lead: Vec::new(), sections }
}

//! `maydan compare`: several runs on one page.

use std::{
    collections::BTreeSet,
    io::Write,
    path::PathBuf,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::{
    examples::examples,
    players::{PlayerOptions, SearchChanges},
    results::{Figures, table_text},
};
use crate::{
    console::{INTERRUPTED, Pace, Progress, output, stop_flag},
    disk::generation_dir,
    evaluate::{Contender, MatchConfig, MatchReport, PlayerSpec, play_match},
    game::{Game, Playable, registry::GameVisitor},
    model::EvaluatorError,
    page::Block,
    report::{Comparison, Meeting, Record, comparison_page},
};

/// Rows of a table that are printed as text; the files have all.
const TEXT_ROWS: usize = 60;

/// Hold runs against each other: settings that differ, strength and losses over games, evaluations and time
///
/// Writes one page that needs no network, in English and Arabic, with its tables as CSV and Parquet beside it. The runs
/// must have one ruleset and may still go on. Those that differ in `run.seed` alone are one curve, their mean, in a band
/// from the least to the greatest of them. With `--games` the newest networks of each two runs play a match.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan compare shatara-demo shatara-demo-2",
    "maydan compare shatara-demo shatara-demo-2 --games 100 --output comparison",
]))]
pub(super) struct Arguments {
    /// Names of runs, at least two
    #[arg(required = true, num_args = 2.., value_name = "RUN")]
    runs: Vec<String>,
    /// Folder that holds `models/` and `data/`
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Folder of the page and the tables
    #[arg(short, long, value_name = "FOLDER", default_value = "comparison")]
    output: PathBuf,
    /// Games between the newest networks of each two runs; an odd number is rounded up
    #[arg(long, default_value_t = 0)]
    games: u64,
    /// Random moves at the start of a game
    #[arg(long, value_name = "PLIES", default_value_t = MatchConfig::default().opening_plies)]
    openings: u32,
    /// Seed of openings and players
    #[arg(long, default_value_t = MatchConfig::default().seed)]
    seed: u64,
    #[command(flatten)]
    figures: Figures,
    #[command(flatten)]
    players: PlayerOptions,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let names: BTreeSet<&String> = arguments.runs.iter().collect();
    if names.len() < arguments.runs.len() {
        bail!("expected different runs, found {}", arguments.runs.join(", "));
    }
    let records = arguments.runs.iter().map(|run| Record::read(&arguments.root, run));
    let records = records.collect::<Result<Vec<Record>, _>>()?;
    check_rulesets(&records)?;
    let stop = stop_flag();
    let matches = if arguments.games > 0 { meet(&arguments, &records, &stop)? } else { Vec::new() };
    let comparison = Comparison { records, matches };
    let page = comparison_page(&comparison);
    let ruleset = comparison.records.iter().find_map(Record::ruleset);
    let metadata = ruleset.into_iter().flat_map(|ruleset| {
        [("maydan.game", &ruleset.game), ("maydan.ruleset", &ruleset.hash)]
            .map(|(key, value)| (key.to_owned(), value.clone()))
    });
    page.write_with_tables(&arguments.output, &metadata.collect::<Vec<_>>())?;
    arguments.figures.write(|| &page)?;
    let mut out = output();
    // The tables of figures are too long for a terminal.
    for table in page.blocks().filter_map(Block::printed) {
        writeln!(out, "{}", table_text(table, TEXT_ROWS))?;
    }
    writeln!(out, "page  {}", arguments.output.join("index.html").display())?;
    Ok(if stop.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Elo and losses of different games are not comparable.
fn check_rulesets(records: &[Record]) -> anyhow::Result<()> {
    let mut known = records.iter().filter_map(|record| Some((&record.name, record.ruleset()?)));
    let Some((first, ruleset)) = known.next() else { return Ok(()) };
    match known.find(|(_, other)| *other != ruleset) {
        Some((name, other)) => bail!("{first} plays {ruleset}, {name} plays {other}: expected runs of one ruleset"),
        None => Ok(()),
    }
}

/// The matches of each two runs, in order; those played before a stop.
fn meet(arguments: &Arguments, records: &[Record], stop: &AtomicBool) -> anyhow::Result<Vec<Meeting>> {
    let config = MatchConfig {
        games: arguments.games,
        opening_plies: arguments.openings,
        seed: arguments.seed,
        ..MatchConfig::default()
    };
    config.validate().map_err(|message| anyhow!("--{message}"))?;
    let newest = records.iter().map(|record| {
        let checkpoint = record.checkpoint.as_ref();
        let checkpoint = checkpoint.with_context(|| format!("{}: expected a network, found none", record.name))?;
        Ok(PlayerSpec::Checkpoint(generation_dir(&record.models, checkpoint.generation)))
    });
    let newest = newest.collect::<anyhow::Result<Vec<PlayerSpec>>>()?;
    let unchanged = SearchChanges::default();
    let seats: Vec<_> = newest.iter().map(|network| (network, &unchanged)).collect();
    let matched = arguments.players.resolve(&seats)?;
    let mut matches = Vec::new();
    for second in 1..records.len() {
        for first in 0..second {
            let runs = [first, second];
            let contenders = runs.map(|run| &matched.contenders[run]);
            let names = runs.map(|run| records[run].name.as_str());
            let report = matched.with_game(Match { contenders, names, config: &config, stop })??;
            if report.total().games() > 0 {
                matches.push(Meeting { runs, report, playouts: arguments.players.playouts });
            }
        }
    }
    Ok(matches)
}

struct Match<'a> {
    contenders: [&'a Contender; 2],
    names: [&'a str; 2],
    config: &'a MatchConfig,
    stop: &'a AtomicBool,
}

impl GameVisitor for Match<'_> {
    type Output = Result<MatchReport, EvaluatorError>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let [first, second] = self.names;
        let progress = Progress::paced("games", self.config.games.next_multiple_of(2), Pace::Tenths);
        play_match(&game, self.contenders, self.names, self.config, self.stop, |_, report| {
            let total = report.total();
            progress.show(total.games(), || {
                format!("{first} against {second}: +{} ={} -{}", total.wins, total.draws, total.losses)
            });
        })
    }
}

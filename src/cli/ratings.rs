//! `maydan ratings`: the players of runs on one scale.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, bail};
use clap::Args;

use super::examples::examples;
use crate::{
    console::{HEADING, output, styled},
    disk::{IoError, check_name, generation_dir, generation_of, generations},
    estimate::{Interval, PairCounts},
    evaluate::Pool,
    game::Ruleset,
    model::Checkpoint,
    pipeline::{
        metrics::{Event, MatchEvent, RatedPlayer, read_metrics},
        standings::{ANCHOR, Standings},
    },
};

/// Rate the networks of runs and the baselines on one scale of Elo, with `random` at 0 and 95% intervals
///
/// The matches are those that the runs played, and those between the baselines in `models/baselines/`, which `maydan
/// train` plays once for a ruleset. Networks of several runs, which must have one ruleset, are called `RUN/gen-000042`.
/// The last column is the difference from the network of the run that was measured before. A player who won every
/// point, as others see it, is at least so strong. The test of fit says whether one rating a player explains all
/// matches.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan ratings shatara-demo",
    "maydan ratings shatara-demo --difference gen-000024 gen-000006",
    "maydan ratings shatara-demo shatara-demo-2",
]))]
pub(super) struct Arguments {
    /// Names of runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// Print only the Elo of A less that of B; may be repeated
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    difference: Vec<String>,
    /// Folder that holds `models/`
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { mut runs, difference, root } = arguments;
    runs.dedup();
    let mut ruleset: Option<(&str, Ruleset)> = None;
    let mut matches: Vec<(String, String, PairCounts)> = Vec::new();
    for run in &runs {
        check_name(run)?;
        let folder = root.join("models").join(run);
        let own = ruleset_of(&folder)?;
        match &ruleset {
            Some((first, known)) if *known != own => {
                bail!("{first} plays {known}, {run} plays {own}: expected runs of one ruleset")
            }
            Some(_) => {}
            None => ruleset = Some((run, own)),
        }
        let name = |player: String| match generation_of(&player) {
            Some(_) if runs.len() > 1 => format!("{run}/{player}"),
            _ => player,
        };
        let events = matches_of(&folder)?.into_iter();
        matches.extend(events.map(|event| (name(event.player), name(event.opponent), PairCounts(event.pairs))));
    }
    let (_, ruleset) = ruleset.context("no run given")?;
    if matches.is_empty() {
        bail!("{}: expected matches in metrics.jsonl, found none ([evaluate] every = 0 plays none)", runs.join(", "));
    }
    let pool = Pool::read(&Pool::path(&root, &ruleset), &ruleset)?;
    let standings = Standings::new(matches.into_iter(), Some(&pool));
    let mut out = output();
    if difference.is_empty() {
        print_table(&mut out, &ruleset, &standings)?;
    }
    for pair in difference.chunks_exact(2) {
        let [first, second] = [&pair[0], &pair[1]];
        if let Some(stranger) = pair.iter().find(|name| !standings.names().contains(name)) {
            bail!("--difference: expected a player of `maydan ratings {}`, found `{stranger}`", runs.join(" "));
        }
        match standings.difference(first, second) {
            Some(interval) => writeln!(out, "Elo of {first} over {second}: {interval:+.1} (95%)")?,
            None => writeln!(out, "Elo of {first} over {second}: no chain of matches joins them")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The rules that a run's newest network plays by.
fn ruleset_of(folder: &Path) -> anyhow::Result<Ruleset> {
    let Some(&newest) = generations(folder)?.last() else {
        bail!("{}: expected the folder of a run with a network", folder.display());
    };
    Ok(Checkpoint::load_metadata(&generation_dir(folder, newest))?.ruleset)
}

fn matches_of(folder: &Path) -> anyhow::Result<Vec<MatchEvent>> {
    let path = folder.join("metrics.jsonl");
    let metrics = read_metrics(&path).map_err(IoError::at(&path))?;
    let matches = metrics.into_iter().filter_map(|metric| match metric.event {
        Event::Match(event) => Some(event),
        _ => None,
    });
    Ok(matches.collect())
}

fn print_table(out: &mut impl Write, ruleset: &Ruleset, standings: &Standings) -> io::Result<()> {
    let event = standings.event(0);
    let (networks, mut players): (Vec<&RatedPlayer>, Vec<&RatedPlayer>) =
        event.players.iter().partition(|player| player.generation.is_some());
    let elo = |player: &RatedPlayer| player.rating().estimate;
    players.sort_by(|a, b| elo(a).total_cmp(&elo(b)));
    players.extend(networks);
    let width = players.iter().map(|player| player.player.len()).max().unwrap_or(0).max(ANCHOR.len());
    writeln!(out, "{ruleset}: {} pairs of games, Elo over {ANCHOR} (95%)\n", standings.pairs())?;
    let head = format!("{:<width$}  {:>7}  {:<22}  over the network before", "", "pairs", "Elo");
    writeln!(out, "{}", styled(HEADING, head))?;
    for player in players {
        let text = |interval: Interval| format!("{interval:.0}");
        let gain = player.gain().map(|gain| format!("{gain:+.0}")).unwrap_or_default();
        let line = format!("{:<width$}  {:>7}  {:<22}  {gain}", player.player, player.pairs, text(player.rating()));
        writeln!(out, "{}", line.trim_end())?;
    }
    match event.fit {
        Some(fit) => writeln!(out, "\n{}", fit.line()),
        None => writeln!(out, "\ntest of fit: none, there are no more matches than ratings"),
    }
}

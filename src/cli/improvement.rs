//! `maydan improvement`: what a search adds to the policy of its network.

use std::{
    io::Write,
    path::PathBuf,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
};

use anyhow::{anyhow, bail};
use clap::Args;

use super::{
    examples::examples,
    players::{ComputeOptions, SearchChanges},
    results::table_text,
};
use crate::{
    console::{Progress, output},
    evaluate::{Contender, Improvement, ImprovementConfig, improvement, match_search},
    export::{Alternatives, read_network},
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
    page::{Cell, Column, Kind, Phrase, Table},
    search::SearchConfig,
};

/// Say what searches with different settings add to the policy of a network, without training
///
/// Positions are drawn from games that the network's policy plays. The value of every action there is that of a deeper
/// search of the same network; `gain` is the expected value of a search's training target less that of the policy, in
/// win less loss. Settings that gain more a playout make better targets. The reference is the network itself, so this
/// tells searches apart, not networks.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan improvement models/shatara-small --search playouts=32 --search playouts=64",
    "maydan improvement shatara-demo --search mode=puct --search mode=gumbel --positions 50",
]))]
pub(super) struct Arguments {
    /// A bundle, or a checkpoint or a run by its folder or name
    network: PathBuf,
    /// Settings of a search as `KEY=VALUE,...`, keys of `[selfplay.search]`; may be repeated, the first is what the
    /// others are held against
    #[arg(long = "search", value_name = "KEY=VALUE,...", required = true)]
    searches: Vec<SearchChanges>,
    /// Positions
    #[arg(long, default_value_t = 200)]
    positions: u64,
    /// Plies of the games at which positions are taken
    #[arg(long, value_name = "FIRST..LAST", default_value = "10..120", value_parser = plies)]
    plies: (u32, u32),
    /// Playouts of the search that values each action
    #[arg(long, value_name = "N", default_value_t = 100)]
    value_playouts: u32,
    /// Searches of each position with each of the settings, which differ by their noise
    #[arg(long, value_name = "N", default_value_t = 8)]
    repeats: u64,
    /// Keys every random number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; they change no number
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |cores| cores.get()))]
    threads: usize,
    /// Write the table to this folder as CSV and Parquet too
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    compute: ComputeOptions,
}

/// A range of plies as typed.
pub(super) fn plies(text: &str) -> Result<(u32, u32), String> {
    let expected = || "expected FIRST..LAST, as in `10..120`".to_owned();
    let (first, last) = text.split_once("..").ok_or_else(expected)?;
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last && last <= 100_000 => Ok((first, last)),
        _ => Err(expected()),
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let limits = [
        ("positions", arguments.positions, 2, 1_000_000),
        ("value-playouts", arguments.value_playouts.into(), 1, 1_000_000),
        ("repeats", arguments.repeats, 1, 10_000),
        ("threads", arguments.threads as u64, 1, 1024),
    ];
    for (name, value, least, most) in limits {
        if !(least..=most).contains(&value) {
            bail!("--{name}: expected {least} to {most}, found {value}");
        }
    }
    let checkpoint = read_network(&arguments.network, Alternatives::default())?;
    let ruleset = checkpoint.metadata().ruleset.clone();
    let network = arguments.compute.network(checkpoint, match_search(1), 1)?;
    registry::with_game(&ruleset.game, &ruleset.options, Measure { arguments: &arguments, network: &network })?
}

struct Measure<'a> {
    arguments: &'a Arguments,
    network: &'a Contender,
}

impl GameVisitor for Measure<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Measure { arguments, network } = self;
        if let Some(changes) = arguments.searches.iter().find(|changes| changes.leaves().is_some()) {
            bail!("--search: expected keys of [selfplay.search], found leaves in `{changes}`");
        }
        let settings = arguments.searches.iter().map(|changes| changes.apply(SearchConfig::default()));
        let settings: Vec<SearchConfig> =
            settings.collect::<Result<_, _>>().map_err(|error| anyhow!("--search: {error}"))?;
        let config = ImprovementConfig {
            positions: arguments.positions,
            plies: arguments.plies.0..=arguments.plies.1,
            value_playouts: arguments.value_playouts,
            repeats: arguments.repeats,
            seed: arguments.seed,
            threads: arguments.threads,
        };
        let (progress, finished) = (Progress::new("positions", config.positions), AtomicU64::new(0));
        let done = |positions: u64| {
            let finished = positions + finished.fetch_add(positions, Ordering::Relaxed);
            progress.show(finished, String::new);
        };
        let measured = improvement(&game, network, &settings, &config, &done)?;
        drop(progress);
        let table = table(&arguments.searches, &measured);
        let mut out = output();
        writeln!(out, "{}, {}\n{}", game.ruleset(), arguments.network.display(), table_text(&table, usize::MAX))?;
        if let Some(folder) = &arguments.out {
            table.write_csv(folder)?;
            table.write_parquet(folder, &[("maydan.ruleset".to_owned(), game.ruleset().hash.clone())])?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn table(searches: &[SearchChanges], measured: &[Improvement]) -> Table {
    let number = |name: &str, title: Phrase| Column::new(name, title, Kind::Number { decimals: 4 });
    let mut columns = vec![Column::new("search", Phrase::new("search", "البحث"), Kind::Text)];
    columns.push(Column::new("playouts", Phrase::new("playouts", "المحاكاة"), Kind::Count));
    for (name, title) in [
        ("gain", Phrase::new("gain", "المكسب")),
        ("over_first", Phrase::new("over the first", "فوق الأول")),
        ("regret", Phrase::new("regret", "الندم")),
    ] {
        columns.push(number(name, title));
        columns.push(number(&format!("{name}_low"), Phrase::new("95% from", "95% من")));
        columns.push(number(&format!("{name}_high"), Phrase::new("to", "إلى")));
    }
    columns.push(number("noise", Phrase::new("KL of noise", "تباعد الضجيج")));
    columns.push(number("divergence", Phrase::new("KL from the policy", "التباعد عن السياسة")));
    columns.push(Column::new(
        "unvisited",
        Phrase::new("on 2 visits or fewer", "على زيارتين فأقل"),
        Kind::Percent { decimals: 1 },
    ));
    let n = measured.first().map_or(0, |first| first.gain.n);
    let note = Phrase::new(
        format!(
            "n = {n} positions. gain: expected value of the target less that of the policy, win less loss; regret: value of the best action less that of the action played; 95% normal intervals over \
             positions. noise: nats that the root's noise alone makes; divergence: nats of the target from the policy."
        ),
        format!(
            "العدد {n} وضعية. المكسب: قيمة الهدف المتوقّعة ناقص قيمة السياسة؛ الندم: قيمة أفضل نقلة ناقص قيمة المختارة؛ فترات \u{2066}95%\u{2069} طبيعية على الوضعيات."
        ),
    );
    let mut table = Table::new("improvement", Phrase::new("Policy improvement", "تحسين السياسة"), note, columns);
    for (search, found) in searches.iter().zip(measured) {
        let mut row: Vec<Cell> = vec![search.to_string().into(), u64::from(found.settings.playouts).into()];
        for interval in [found.gain, found.over_first, found.regret] {
            row.extend([interval.estimate, interval.low, interval.high].map(Cell::from));
        }
        row.extend([found.noise, found.divergence, found.unvisited].map(|interval| Cell::from(interval.estimate)));
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_as_typed() {
        assert_eq!(plies("10..120"), Ok((10, 120)));
        for text in ["", "10", "20..10", "a..b", "1..1000000"] {
            assert!(plies(text).is_err(), "{text}");
        }
    }
}

//! `maydan validation`: networks held against positions that were searched deeply.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};

use super::{examples::examples, improvement::plies, players::ComputeOptions, results::table_text};
use crate::{
    console::{Progress, output},
    disk::{IoError, write_file},
    evaluate::{Contender, SetConfig, Validation, ValidationSet, make_set, match_search, validate, won_positions},
    export::{Alternatives, read_network},
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
    page::{Cell, Column, Kind, Phrase, Table},
};

/// Name of the set in its folder.
const POSITIONS: &str = "positions.jsonl";
/// Name of the list of positions in which White is ahead.
const WON: &str = "won.txt";

/// Hold networks against positions that were searched deeply, without playing games
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan validation make shatara-demo models/shatara-small --out validation",
    "maydan validation measure validation/positions.jsonl models/shatara-small models/shatara.maydan",
]))]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Make(Make),
    Measure(Measure),
}

/// Make a set from the games of a run: positions with the results of deep searches, and positions in which White is ahead
///
/// Each position is of another game. `positions.jsonl` holds the set, for `maydan validation measure`; `won.txt` has a
/// position a line, for `maydan match --positions`: a player shows with White how well it wins what is won.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan validation make shatara-demo models/shatara-small --out validation",
    "maydan validation make shatara-demo models/shatara-small --out validation --positions 200",
]))]
struct Make {
    /// The run whose games are used
    run: String,
    /// The network that searches: a bundle, or a checkpoint or a run by its folder or name
    network: PathBuf,
    /// Folder that the files are written to
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Positions
    #[arg(long, value_name = "N", default_value_t = 2000)]
    positions: usize,
    /// Plies of the games at which positions are taken
    #[arg(long, value_name = "FIRST..LAST", default_value = "10..300", value_parser = plies)]
    plies: (u32, u32),
    /// Playouts of a search
    #[arg(long, value_name = "N", default_value_t = 800)]
    playouts: u32,
    /// Actions at the root that share the playouts
    #[arg(long, value_name = "N", default_value_t = 32)]
    considered_actions: u32,
    /// Positions in which White is ahead
    #[arg(long, value_name = "N", default_value_t = 200)]
    won: usize,
    /// By how many centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 900)]
    ahead: i32,
    /// Keys every random number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder that holds `data/`
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    compute: ComputeOptions,
}

/// Say how near the policy and the value of networks are to what deep searches found
#[derive(Debug, Args)]
#[command(after_help = examples(&["maydan validation measure validation/positions.jsonl models/shatara-small models/shatara.maydan"]))]
struct Measure {
    /// The set, a file of `maydan validation make`
    set: PathBuf,
    /// Networks: folders of checkpoints, or bundles
    #[arg(required = true)]
    networks: Vec<PathBuf>,
    /// Write the table to this folder as CSV and Parquet too
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    compute: ComputeOptions,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        Command::Make(make) => make.run(),
        Command::Measure(measure) => measure.run(),
    }
}

impl Make {
    fn run(self) -> anyhow::Result<ExitCode> {
        let limits = [
            ("positions", self.positions as u64, 1_000_000),
            ("playouts", self.playouts.into(), 1_000_000),
            ("considered-actions", self.considered_actions.into(), 100_000),
        ];
        for (name, value, most) in limits {
            if !(1..=most).contains(&value) {
                bail!("--{name}: expected 1 to {most}, found {value}");
            }
        }
        if self.won > 1_000_000 {
            bail!("--won: expected at most 1000000, found {}", self.won);
        }
        let checkpoint = read_network(&self.network, Alternatives::default())?;
        let metadata = checkpoint.metadata().clone();
        let network = self.compute.network(checkpoint, match_search(1), 1)?;
        let making = Making { make: &self, network: &network, id: &metadata.id };
        registry::with_game(&metadata.ruleset.game, &metadata.ruleset.options, making)?
    }
}

struct Making<'a> {
    make: &'a Make,
    network: &'a Contender,
    id: &'a str,
}

impl GameVisitor for Making<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Make { run, out, positions, plies, playouts, considered_actions, won, ahead, seed, root, .. } = self.make;
        let games = root.join("data").join(run);
        if !games.is_dir() {
            bail!("{}: expected the games of a run, found no folder", games.display());
        }
        std::fs::create_dir_all(out).map_err(IoError::at(out))?;
        let config = SetConfig {
            positions: *positions,
            plies: plies.0..=plies.1,
            playouts: *playouts,
            considered_actions: *considered_actions,
            seed: *seed,
        };
        let progress = Progress::new("positions", *positions as u64);
        let done = |done: usize| progress.show(done as u64, String::new);
        let set = make_set(&game, &games, self.network, self.id, &config, done)??;
        drop(progress);
        let won = won_positions(&game, &games, *ahead, *won, *seed)?;
        set.write(&out.join(POSITIONS))?;
        write_file(&out.join(WON), |file| won.iter().try_for_each(|position| writeln!(file, "{position}")))?;
        let mut console = io::stdout().lock();
        writeln!(console, "{:>6} positions                 {}", set.questions.len(), out.join(POSITIONS).display())?;
        writeln!(console, "{:>6} positions with White ahead {}", won.len(), out.join(WON).display())?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Measure {
    fn run(self) -> anyhow::Result<ExitCode> {
        let set = ValidationSet::read(&self.set)?;
        let ruleset = set.header.ruleset.clone();
        let measuring = Measuring { measure: &self, set: &set };
        let table = registry::with_game(&ruleset.game, &ruleset.options, measuring)
            .with_context(|| self.set.display().to_string())??;
        let mut console = output();
        writeln!(console, "{ruleset}, {}\n{}", self.set.display(), table_text(&table, usize::MAX))?;
        if let Some(folder) = &self.out {
            table.write_csv(folder)?;
            table.write_parquet(folder, &[("maydan.ruleset".to_owned(), ruleset.hash.clone())])?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn network(&self, path: &Path, set: &ValidationSet) -> anyhow::Result<Contender> {
        let checkpoint = read_network(path, Alternatives::default())?;
        let (expected, found) = (&set.header.ruleset, &checkpoint.metadata().ruleset);
        if expected != found {
            bail!("{}: expected a network of {expected} as the set is, found {found}", path.display());
        }
        self.compute.network(checkpoint, match_search(1), 1)
    }
}

struct Measuring<'a> {
    measure: &'a Measure,
    set: &'a ValidationSet,
}

impl GameVisitor for Measuring<'_> {
    type Output = anyhow::Result<Table>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Measuring { measure, set } = self;
        if *game.ruleset() != set.header.ruleset {
            bail!("expected the ruleset {}, found {} in the set", game.ruleset(), set.header.ruleset);
        }
        let mut table = table(set);
        for path in &measure.networks {
            let network = measure.network(path, set)?;
            let found =
                validate(&game, &network, set).map_err(|reason| anyhow!("{}, {reason}", measure.set.display()))??;
            table.push(row(path, &found));
        }
        Ok(table)
    }
}

fn table(set: &ValidationSet) -> Table {
    let mut columns = vec![Column::new("network", Phrase::new("network", "الشبكة"), Kind::Text)];
    let number = |decimals| Kind::Number { decimals };
    for (name, title, kind) in [
        ("policy_kl", Phrase::new("policy KL", "تباعد KL للسياسة"), number(3)),
        ("agreement", Phrase::new("same action", "النقلة نفسها"), Kind::Percent { decimals: 1 }),
        ("value_error", Phrase::new("value error", "خطأ القيمة"), number(4)),
        ("value_r2", Phrase::new("value R2", "تفسير القيمة"), number(3)),
    ] {
        columns.push(Column::new(name, title, kind));
        columns.push(Column::new(format!("{name}_low"), Phrase::new("95% from", "95% من"), kind));
        columns.push(Column::new(format!("{name}_high"), Phrase::new("to", "إلى"), kind));
    }
    let (n, header) = (set.questions.len(), &set.header);
    let (network, playouts) = (&header.network, header.playouts);
    let note = Phrase::new(
        format!(
            "n = {n} positions, each of another game, searched by {network} with {playouts} playouts. policy_kl: nats of the search's target from the network's policy; agreement: the network's \
             likeliest action is the target's; value_error: mean square of value less the search's; value_r2: share of the variance of the searches' values that is explained. 95% intervals over positions."
        ),
        format!(
            "العدد {n} وضعية من مباريات مختلفة، بحثتها {} بعدد {playouts} من المحاكاة. فترات \u{2066}95%\u{2069} على الوضعيات.",
            Phrase::ltr(network)
        ),
    );
    Table::new("validation", Phrase::new("Networks against deep searches", "الشبكات أمام البحث العميق"), note, columns)
}

fn row(path: &Path, found: &Validation) -> Vec<Cell> {
    let mut row: Vec<Cell> = vec![path.display().to_string().into()];
    for interval in [Some(found.policy_kl), found.agreement, Some(found.value_error), Some(found.value_r2)] {
        match interval {
            Some(interval) => row.extend([interval.estimate, interval.low, interval.high].map(Cell::from)),
            None => row.extend([Cell::Empty, Cell::Empty, Cell::Empty]),
        }
    }
    row
}

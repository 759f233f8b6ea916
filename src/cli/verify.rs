//! `maydan verify`: files of games held against the rules and the network that is said to have played them.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{anyhow, bail};
use clap::Args;

use super::{
    examples::examples,
    players::{Sample, word},
};
use crate::{
    console::warn,
    data::inspect,
    disk::chunks,
    export::{Alternatives, read_network},
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
    model::{
        Backend, Checkpoint, Precision,
        backend::{self, BackendConfig},
    },
    selfplay::{BY_MATERIAL, VERIFY_TOLERANCE, verify},
};

/// Rows that the network is asked about at once.
const BATCH: usize = 64;

/// Hold files of games against the rules, and against the network that is said to have played them
///
/// Every game is played again through the rules, every row is encoded again, and the network is asked again what it
/// said of each position, in whatever arithmetic. Values of games that no network played ([selfplay.material]) are held
/// against the material. That its searches were made as they should shows with `--play-again` alone.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan verify run/data/gen-000012 --checkpoint run/models/gen-000012",
    "maydan verify run/data/gen-000012 --checkpoint run/models/gen-000012 --play-again",
]))]
pub(super) struct Arguments {
    /// Files of games, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The network: the folder of a checkpoint
    #[arg(long, value_name = "FOLDER")]
    checkpoint: PathBuf,
    /// Where it computes: `cpu`, `cuda` or `cuda:N`
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Numbers that it computes in: `f32`, `bf16`, `int8`, or `auto` for the fastest here
    #[arg(long, default_value = "f32", value_parser = word::<Precision>)]
    precision: Precision,
    /// Play the games again too, as the run did whose folder holds the checkpoint: they must be the same to the last bit,
    /// on a machine that computes as the one that played them
    #[arg(long)]
    play_again: bool,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let mut files = Vec::new();
    for named in &arguments.files {
        if !named.is_dir() {
            files.push(named.clone());
            continue;
        }
        let found = chunks(named)?;
        if found.is_empty() {
            bail!("{}: expected files of games (`0000.parquet`), found none", named.display());
        }
        files.extend(found);
    }
    let checkpoint = read_network(&arguments.checkpoint, Alternatives::default())?;
    let ruleset = checkpoint.metadata().ruleset.clone();
    registry::with_game(&ruleset.game, &ruleset.options, Verify { arguments: &arguments, files: &files, checkpoint })?
}

struct Verify<'a> {
    arguments: &'a Arguments,
    files: &'a [PathBuf],
    checkpoint: Checkpoint,
}

impl GameVisitor for Verify<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Verify { arguments, files, checkpoint } = self;
        let metadata = checkpoint.metadata();
        metadata.check_game(&game).map_err(|problem| anyhow!("{}: {problem}", arguments.checkpoint.display()))?;
        let (id, sample) =
            (metadata.id.clone(), registry::with_game(&metadata.ruleset.game, &metadata.ruleset.options, Sample)?);
        let config = BackendConfig {
            device: &arguments.device,
            precision: arguments.precision,
            backend: Backend::Eager,
            sample: Some(sample),
            ..BackendConfig::default()
        };
        let checkpoint = Arc::new(checkpoint);
        let mut evaluator = backend::open(checkpoint.clone(), config)?.evaluator(BATCH)?;
        let again = arguments.play_again.then(|| again::Again::of_run(arguments, &game, &checkpoint)).transpose()?;
        let (mut out, mut wrong) = (io::stdout().lock(), 0);
        for path in files {
            let verdict = verdict(&game, path, &id, evaluator.as_mut());
            let verdict = verdict.and_then(|line| match &again {
                Some(again) => again.holds(&game, path).map(|()| format!("{line}; the same when played again")),
                None => Ok(line),
            });
            match verdict {
                Ok(line) => writeln!(out, "{line}")?,
                Err(problem) => {
                    wrong += 1;
                    warn(&format!("wrong: {problem}"));
                }
            }
        }
        writeln!(out, "{} of {} files verified", files.len() - wrong, files.len())?;
        Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn verdict<R: Playable>(
    game: &Game<R>,
    path: &Path,
    id: &str,
    evaluator: &mut dyn crate::model::Evaluator,
) -> anyhow::Result<String> {
    let by_material = inspect(path)?.manifest.checkpoint == BY_MATERIAL;
    let (player, valued, by) =
        if by_material { (BY_MATERIAL, BY_MATERIAL, "the material") } else { (id, "network", id) };
    let verified = verify(game, path, player, evaluator)?;
    let found = format!("mean error {:.1e}, largest {:.1e}", verified.mean_error, verified.largest_error);
    if !verified.is_of_network() {
        bail!("{}: {valued}: expected values of {by} to {VERIFY_TOLERANCE} in the mean, found {found}", path.display());
    }
    let (games, rows, evaluated) = (verified.games, verified.rows, verified.evaluated);
    Ok(format!("{}: {games} games, {rows} rows; {valued}: {evaluated} rows, {found}", path.display()))
}

/// Games played again.
#[cfg(feature = "torch")]
mod again {
    use super::{Arc, Arguments, Backend, BackendConfig, Checkpoint, Game, Path, Playable, anyhow, backend, bail};
    use crate::{
        console::stop_flag,
        encode::sample,
        model::backend::OpenNetwork,
        pipeline::{
            Config,
            metrics::{Event, read_metrics},
        },
        selfplay::play_again,
    };
    use anyhow::Context as _;

    /// A run's settings, with its network as it computed then.
    pub(super) struct Again {
        config: Config,
        network: OpenNetwork,
    }

    impl Again {
        /// The run whose folder holds the checkpoint.
        ///
        /// # Errors
        /// When it is in no run's folder, or the network cannot compute here as it did.
        pub(super) fn of_run<R: Playable>(
            arguments: &Arguments,
            game: &Game<R>,
            checkpoint: &Arc<Checkpoint>,
        ) -> anyhow::Result<Self> {
            let folder = std::path::absolute(&arguments.checkpoint)?;
            let run = folder.parent().unwrap_or(&folder);
            let config = Config::load(&run.join("config.toml"), &[])?;
            let metrics = run.join("metrics.jsonl");
            let events = read_metrics(&metrics).with_context(|| metrics.display().to_string())?;
            let generation = checkpoint.metadata().generation;
            let settled = events.into_iter().rev().find_map(|metric| match metric.event {
                Event::Evaluator(event) if event.generation <= generation => Some(event.plan),
                _ => None,
            });
            let Some(plan) = settled else {
                bail!("{}: expected an event `evaluator`, which says how the network computed", metrics.display());
            };
            let (precision, how) = plan.settings();
            debug_assert!(how != Backend::Auto);
            let sample = Some(sample(game));
            let device = arguments.device.as_str();
            let open = BackendConfig { device, precision, backend: how, sample, ..BackendConfig::default() };
            Ok(Again { config, network: backend::open(checkpoint.clone(), open)? })
        }

        /// Whether the games of a file are what they are when they are played again.
        ///
        /// # Errors
        /// When they are not.
        pub(super) fn holds<R: Playable>(&self, game: &Game<R>, path: &Path) -> anyhow::Result<()> {
            let evaluators = |_| self.network.evaluator(self.config.run.batch_size);
            let same = play_again(game, path, &self.config.selfplay, &evaluators, &stop_flag())?;
            if same {
                Ok(())
            } else {
                Err(anyhow!("{}: games: expected those that are played here, found others", path.display()))
            }
        }
    }
}

/// Games played again, which needs libtorch.
#[cfg(not(feature = "torch"))]
mod again {
    use super::{Arc, Arguments, Checkpoint, Game, Path, Playable, bail};

    pub(super) enum Again {}

    impl Again {
        pub(super) fn of_run<R: Playable>(_: &Arguments, _: &Game<R>, _: &Arc<Checkpoint>) -> anyhow::Result<Self> {
            bail!("--play-again needs libtorch, and this program was built without it")
        }

        pub(super) fn holds<R: Playable>(&self, _: &Game<R>, _: &Path) -> anyhow::Result<()> {
            match *self {}
        }
    }
}

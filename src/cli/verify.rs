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
    selfplay::{VERIFY_TOLERANCE, verify},
};

/// Rows that the network is asked about at once.
const BATCH: usize = 64;

/// Hold files of games against the rules, and against the network that is said to have played them
///
/// Every game is played again through the rules, every row is encoded again, and the network is asked again what it
/// said of each position, in whatever arithmetic. That its searches were made as they should is not checked.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan verify run/data/gen-000012 --checkpoint run/models/gen-000012",
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
        let mut evaluator = backend::open(Arc::new(checkpoint), config)?.evaluator(BATCH)?;
        let (mut out, mut wrong) = (io::stdout().lock(), 0);
        for path in files {
            match verdict(&game, path, &id, evaluator.as_mut()) {
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
    let verified = verify(game, path, id, evaluator)?;
    let found = format!("mean error {:.1e}, largest {:.1e}", verified.mean_error, verified.largest_error);
    if !verified.is_of_network() {
        bail!("{}: network: expected values of {id} to {VERIFY_TOLERANCE} in the mean, found {found}", path.display());
    }
    let (games, rows, evaluated) = (verified.games, verified.rows, verified.evaluated);
    Ok(format!("{}: {games} games, {rows} rows; network: {evaluated} rows, {found}", path.display()))
}

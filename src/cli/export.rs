//! `maydan export`: a network as a bundle for other programs.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::examples::examples;
use crate::{
    export::{Alternatives, Bundle, Manifest, Rating, Suggestion, find_network, references, runtimes},
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
    model::Checkpoint,
    pipeline::metrics::read_rating,
};

/// Write a network as one file that other programs can play: ONNX, safetensors, a manifest in words, reference
/// positions
///
/// `maydan match` and `maydan play` take the file as a player; `maydan bot FILE verify` checks it.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan export models/shatara-small -o bot.maydan",
    "maydan export shatara-demo -o bot.maydan --playouts 400",
]))]
pub(super) struct Arguments {
    /// The folder of a checkpoint, or a run by its folder or name, for its newest
    checkpoint: PathBuf,
    /// Where the bundle goes, as in `bot.maydan`
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Playouts before each move that the manifest suggests
    #[arg(long, alias = "simulations", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    playouts: u32,
    /// Terms on which the network may be used, instead of the MIT license of this program
    #[arg(long, value_name = "FILE")]
    license: Option<PathBuf>,
}

const LICENSE: &str = include_str!("../../LICENSE-MIT");

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let folder = find_network(&arguments.checkpoint, Alternatives::default())?;
    if folder.is_file() {
        bail!("{}: expected a checkpoint or a run, found a file", folder.display());
    }
    let checkpoint = Checkpoint::load(&folder)?;
    let ruleset = checkpoint.metadata().ruleset.clone();
    let context = folder.display().to_string();
    let visitor = Export { arguments: &arguments, folder, checkpoint };
    registry::with_game(&ruleset.game, &ruleset.options, visitor).context(context)?
}

struct Export<'a> {
    arguments: &'a Arguments,
    /// Of the checkpoint.
    folder: PathBuf,
    checkpoint: Checkpoint,
}

impl GameVisitor for Export<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Arguments { output, playouts, license, .. } = self.arguments;
        let folder = &self.folder;
        self.checkpoint.metadata().check_game(&game).map_err(|problem| anyhow!("{}: {problem}", folder.display()))?;
        let license = match license {
            None => LICENSE.to_owned(),
            Some(path) => fs::read_to_string(path).map_err(|error| anyhow!("{}: {error}", path.display()))?,
        };
        let rated = read_rating(folder).with_context(|| folder.display().to_string())?;
        // A bundle has no words for a rating that is bounded on one side alone.
        let rating = rated.and_then(|player| {
            let (elo, low, high) = (player.elo?, player.low?, player.high?);
            Some(Rating { zero: "random".to_owned(), elo, low, high })
        });
        let manifest = Manifest::new(&game, &self.checkpoint, Suggestion { playouts: *playouts }, rating)
            .map_err(|problem| anyhow!("{}: {problem}", folder.display()))?;
        let mut runtimes = runtimes(&self.checkpoint)?;
        let runtime = runtimes.first_mut().context("export needs the feature `torch` or `engine` in this program")?;
        let references = references(&game, runtime.evaluator.as_mut())?;
        let bundle = Bundle::new(manifest, self.checkpoint, references, license);
        bundle.write(output)?;
        let bytes = fs::metadata(output)?.len();
        let positions = bundle.references().len();
        writeln!(
            io::stdout(),
            "{}: {}, network {}, {bytes} bytes, {positions} reference positions",
            output.display(),
            bundle.manifest().ruleset,
            bundle.manifest().network.id,
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

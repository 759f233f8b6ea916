//! `maydan bot`: shows and verifies a bundle.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};

use super::examples::examples;
use crate::{
    export::{Bundle, Check, Manifest, runtimes, verify},
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
};

/// Look into a bundle (`*.maydan`), or check it
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan bot models/shatara.maydan show",
    "maydan bot models/shatara.maydan verify",
]))]
pub(super) struct Arguments {
    /// The bundle
    bundle: PathBuf,
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Copy, Debug, Subcommand)]
enum Action {
    /// Print the game, the network, what goes in and comes out, and the files
    #[command(after_help = examples(&["maydan bot models/shatara.maydan show"]))]
    Show,
    /// Check every file's hash, the graph against the weights, and the reference positions with each runtime of this
    /// program
    #[command(after_help = examples(&["maydan bot models/shatara.maydan verify"]))]
    Verify,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let bundle = Bundle::read(&arguments.bundle)?;
    let ruleset = bundle.manifest().ruleset.clone();
    registry::with_game(&ruleset.game, &ruleset.options, Look { arguments: &arguments, bundle: &bundle })
        .with_context(|| format!("{}: manifest.json: ruleset", arguments.bundle.display()))??;
    Ok(ExitCode::SUCCESS)
}

struct Look<'a> {
    arguments: &'a Arguments,
    bundle: &'a Bundle,
}

impl GameVisitor for Look<'_> {
    type Output = anyhow::Result<()>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let mut out = io::stdout().lock();
        match self.arguments.action {
            Action::Show => show(&mut out, self.bundle.manifest())?,
            Action::Verify => {
                let mut runtimes = runtimes(self.bundle.checkpoint())?;
                ensure!(!runtimes.is_empty(), "verify needs the feature `torch` or `engine` in this program");
                let checks = verify(&game, self.bundle, &mut runtimes, &self.arguments.bundle)?;
                tell(&mut out, self.bundle.manifest(), &checks)?;
            }
        }
        Ok(())
    }
}

fn show(out: &mut impl Write, manifest: &Manifest) -> io::Result<()> {
    let Manifest { network, input, actions, .. } = manifest;
    let counters = &network.counters;
    writeln!(out, "{}", manifest.ruleset)?;
    writeln!(
        out,
        "network   {}, generation {}, {} blocks of {} channels",
        network.id, network.generation, network.model.blocks, network.model.channels
    )?;
    writeln!(out, "made by   {} games of {} plies in all, {} steps", counters.games, counters.plies, counters.steps)?;
    writeln!(
        out,
        "input     planes [B, {}, {}, {}], encoding {}",
        input.planes.len(),
        input.height,
        input.width,
        input.encoding
    )?;
    writeln!(out, "outputs   policy [B, {}], value [B, 3], moves_left [B]", actions.size)?;
    writeln!(out, "plays at  {} playouts a move", manifest.play.playouts)?;
    if let Some(rating) = &manifest.rating {
        let (elo, low, high, zero) = (rating.elo, rating.low, rating.high, rating.zero.escape_debug());
        writeln!(out, "Elo       {elo:.0} [{low:.0}, {high:.0}] (95%) over {zero}")?;
    }
    writeln!(out, "written   by {}", manifest.producer.escape_debug())?;
    for (name, file) in &manifest.files {
        writeln!(out, "  {name:<18}{:>9} bytes  sha256 {}", file.size, file.sha256.escape_debug())?;
    }
    Ok(())
}

fn tell(out: &mut impl Write, manifest: &Manifest, checks: &[Check]) -> io::Result<()> {
    writeln!(out, "{}, network {}", manifest.ruleset, manifest.network.id)?;
    writeln!(out, "files      {}, each of its size and hash", manifest.files.len())?;
    writeln!(out, "words      planes and actions are those of this program")?;
    writeln!(out, "graph      model.onnx is that of model.safetensors")?;
    for Check { runtime, positions, agreement } in checks {
        writeln!(
            out,
            "{runtime:<11}{positions} positions: policy within {:.1e}, value {:.1e}, moves left {:.1e} plies",
            agreement.policy, agreement.value, agreement.moves_left
        )?;
    }
    Ok(())
}

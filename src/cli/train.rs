//! `maydan train`, `maydan selfplay` and `maydan learn`: the loop, and each half of it alone.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use clap::Args;

use super::examples::examples;
#[cfg(feature = "fleet")]
use crate::fleet::{Coordinator, Mirror, Site};
use crate::{
    console::{Ending, INTERRUPTED, say, stop_flag},
    disk::{ConfigChange, DirectoryError},
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
    pipeline::{Budget, Config, Length, Run, RunError},
    selfplay::Part,
};
#[cfg(feature = "fleet")]
use std::sync::Arc;

/// Which run, and under which configuration.
#[derive(Debug, Args)]
pub(super) struct RunOptions {
    /// The configuration, a TOML file
    config: PathBuf,
    /// Name of the run, which is continued where it exists; the file's name if not given
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Set a key of the configuration; may be repeated
    #[arg(long = "set", value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Go on with an existing run under a changed configuration
    #[arg(long)]
    allow_config_change: bool,
    /// Folder that holds `models/` and `data/`
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

/// Train a network by self-play: games, training, matches, generation after generation
///
/// Runs until the configuration's last generation, or until stopped: Ctrl-C stops after the current step, and the same
/// command goes on from there.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan train configs/shatara-demo.toml",
    "maydan train configs/shatara.toml --minutes 60",
    "maydan train configs/shatara.toml --run consume --set rules.promotion_stock=consume",
]))]
pub(super) struct TrainArguments {
    #[command(flatten)]
    options: RunOptions,
    /// Length of the run in minutes, all of its sessions together. The learning rate and the measurements follow it.
    /// More minutes go on with a run that is over
    #[arg(long)]
    minutes: Option<f64>,
    /// Go on with an existing run; this is what happens anyway
    #[arg(long)]
    resume: bool,
    /// Have workers on other machines play the games, through this server (`nats://HOST:PORT`); without one a server is
    /// started here
    #[arg(long, value_name = "URL", num_args = 0..=1)]
    fleet: Option<Option<String>>,
    /// A file with the coordinator's key on that server
    #[arg(long, value_name = "FILE", requires = "fleet")]
    fleet_key: Option<PathBuf>,
    /// A file with the certificates that the server's must come from (PEM), beside those that the system trusts
    #[arg(long, value_name = "FILE", requires = "fleet")]
    fleet_certificate: Option<PathBuf>,
}

/// Play the games of the newest generation, as far as they are not there
///
/// With `--part` several processes, on one machine or on many that share a folder, play a generation together: each
/// file of games appears once, with the same bytes as if one process had played them all.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan selfplay configs/shatara-demo.toml --run shatara-demo",
    "maydan selfplay configs/shatara-demo.toml --run shatara-demo --part 3/16",
    "maydan selfplay configs/shatara.toml --part 3/16 --store s3://bucket/maydan",
]))]
pub(super) struct SelfplayArguments {
    #[command(flatten)]
    options: RunOptions,
    /// Play this part of the files alone, and let others work on the run meanwhile; it is not reported in metrics.jsonl
    #[arg(long, value_name = "NUMBER/PARTS")]
    part: Option<Part>,
    #[command(flatten)]
    store: StoreOption,
}

/// What takes the place of a common folder.
#[derive(Debug, Args)]
struct StoreOption {
    /// Share the newest checkpoint and its games with other machines through a store: `s3://BUCKET/FOLDER`,
    /// `gs://BUCKET/FOLDER`, `az://CONTAINER/FOLDER` or `file:///FOLDER`. Needs the feature `cloud`
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Train the newest checkpoint on its games, which makes the next checkpoint
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan learn configs/shatara-demo.toml --run shatara-demo",
    "maydan learn configs/shatara.toml --store s3://bucket/maydan",
]))]
pub(super) struct LearnArguments {
    #[command(flatten)]
    options: RunOptions,
    #[command(flatten)]
    store: StoreOption,
}

/// How long a part waits for the others to begin, each of which may measure what is fastest.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is to be done with the run.
#[derive(Clone)]
enum Work {
    Train(Option<Length>),
    #[cfg(feature = "fleet")]
    Fleet(Option<Length>, Site),
    Play(Option<Part>),
    #[cfg(feature = "fleet")]
    PlayThrough(String, Option<Part>),
    Learn,
    #[cfg(feature = "fleet")]
    LearnThrough(String),
}

impl Work {
    /// Whether others are at work on the run meanwhile.
    fn is_part(&self) -> bool {
        match self {
            Work::Play(part) => part.is_some(),
            #[cfg(feature = "fleet")]
            Work::PlayThrough(_, part) => part.is_some(),
            _ => false,
        }
    }
}

pub(super) fn train(arguments: TrainArguments) -> anyhow::Result<ExitCode> {
    let length = match arguments.minutes {
        None => None,
        Some(minutes) if minutes >= 0.0 && minutes.is_finite() => Some(Budget::Seconds(minutes * 60.0).into()),
        Some(minutes) => bail!("--minutes: expected 0 or more, found {minutes}"),
    };
    if arguments.resume {
        arguments.options.must_exist()?;
    }
    let Some(url) = arguments.fleet else { return arguments.options.work(Work::Train(length)) };
    #[cfg(not(feature = "fleet"))]
    {
        let _ = (url, arguments.fleet_key, arguments.fleet_certificate);
        super::unbuilt::without("maydan train --fleet", "fleet")
    }
    #[cfg(feature = "fleet")]
    {
        let site = Site { url, key: arguments.fleet_key, certificate: arguments.fleet_certificate };
        arguments.options.work(Work::Fleet(length, site))
    }
}

pub(super) fn selfplay(arguments: SelfplayArguments) -> anyhow::Result<ExitCode> {
    let SelfplayArguments { options, part, store: StoreOption { store } } = arguments;
    match store {
        None => options.work(Work::Play(part)),
        #[cfg(not(feature = "fleet"))]
        Some(_) => super::unbuilt::without("maydan selfplay --store", "cloud"),
        #[cfg(feature = "fleet")]
        Some(url) => options.work(Work::PlayThrough(url, part)),
    }
}

pub(super) fn learn(arguments: LearnArguments) -> anyhow::Result<ExitCode> {
    let LearnArguments { options, store: StoreOption { store } } = arguments;
    match store {
        None => options.work(Work::Learn),
        #[cfg(not(feature = "fleet"))]
        Some(_) => super::unbuilt::without("maydan learn --store", "cloud"),
        #[cfg(feature = "fleet")]
        Some(url) => options.work(Work::LearnThrough(url)),
    }
}

impl RunOptions {
    fn work(&self, work: Work) -> anyhow::Result<ExitCode> {
        let config = Config::load(&self.config, &self.set)?;
        let (game, rules) = (config.game.clone(), config.rules.clone());
        let visitor = Session { options: self, config, work };
        registry::with_game(&game, &rules, visitor).with_context(|| self.config.display().to_string())?
    }

    /// The run's name.
    fn name(&self) -> anyhow::Result<&str> {
        match &self.run {
            Some(name) => Ok(name),
            None => (self.config.file_stem().and_then(|stem| stem.to_str()))
                .with_context(|| format!("{}: no name for a run in it, give --run", self.config.display())),
        }
    }

    fn must_exist(&self) -> anyhow::Result<()> {
        let folder = self.root.join("models").join(self.name()?);
        if !folder.join("config.toml").exists() {
            bail!("--resume: no run in {}", folder.display());
        }
        Ok(())
    }
}

struct Session<'a> {
    options: &'a RunOptions,
    config: Config,
    work: Work,
}

impl GameVisitor for Session<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let change = if self.options.allow_config_change { ConfigChange::Allow } else { ConfigChange::Refuse };
        let (root, name) = (&self.options.root, self.options.name()?);
        let open = || Run::open(game.clone(), self.config.clone(), root, name, change, stop_flag());
        let run = if self.work.is_part() { when_free(open) } else { open() };
        let mut run = run.inspect_err(show_diff)?;
        let directory = run.directory();
        let [models, data] = [directory.models(), directory.data()].map(Path::to_owned);
        let ending = match self.work {
            Work::Train(length) => {
                say(&run.sizes().to_string());
                run.train(length)?
            }
            #[cfg(feature = "fleet")]
            Work::Fleet(length, site) => {
                say(&run.sizes().to_string());
                let coordinator = Coordinator::start(&models, name, run.config().fleet.clone(), &site, &stop_flag())?;
                let coordinator = Arc::new(coordinator);
                run = run.played_by(coordinator.clone());
                let ending = run.train(length)?;
                if ending == Ending::Done {
                    coordinator.finish();
                }
                ending
            }
            Work::Play(None) => run.play_newest()?,
            Work::Play(Some(part)) => run.play_part(part)?,
            Work::Learn => run.learn_newest()?,
            #[cfg(feature = "fleet")]
            Work::PlayThrough(url, part) => {
                let mirror = Mirror::open(&url, name, &run)?;
                let generation = mirror.share_checkpoints(&run)?;
                mirror.agree(&run.games(generation)?)?;
                mirror.fetch_games(generation, part.unwrap_or(Part::WHOLE))?;
                mirror.put_games_while(generation, || match part {
                    None => run.play_newest(),
                    Some(part) => run.play_part(part),
                })?
            }
            #[cfg(feature = "fleet")]
            Work::LearnThrough(url) => {
                let mirror = Mirror::open(&url, name, &run)?;
                mirror.fetch_games(mirror.share_checkpoints(&run)?, Part::WHOLE)?;
                let ending = run.learn_newest()?;
                mirror.share_checkpoints(&run)?;
                ending
            }
        };
        let mut out = io::stdout();
        writeln!(out, "run    {}", models.display())?;
        writeln!(out, "games  {}", data.display())?;
        let curves = models.join("curves.svg");
        if curves.exists() {
            writeln!(out, "curves {}", curves.display())?;
        }
        ended(ending)
    }
}

fn ended(ending: Ending) -> anyhow::Result<ExitCode> {
    Ok(match ending {
        Ending::Done => ExitCode::SUCCESS,
        Ending::Stopped => {
            writeln!(io::stdout(), "stopped; the same command goes on from here")?;
            ExitCode::from(INTERRUPTED)
        }
    })
}

/// Opens a run that the processes of other parts hold for as long as they need to begin.
fn when_free<R: Playable>(open: impl Fn() -> Result<Run<R>, RunError>) -> Result<Run<R>, RunError> {
    let since = Instant::now();
    loop {
        match open() {
            Err(RunError::Directory(DirectoryError::Locked { .. })) if since.elapsed() < PATIENCE => {
                thread::sleep(PATIENCE / 300);
            }
            opened => return opened,
        }
    }
}

/// Shows, above the one line of the error, which lines of a configuration changed.
fn show_diff(error: &RunError) {
    if let RunError::Directory(DirectoryError::ConfigChanged { diff, .. }) = error {
        // Nothing can be reported when standard error is closed.
        let _ = write!(io::stderr(), "{diff}");
    }
}

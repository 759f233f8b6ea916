//! `maydan worker`: plays the games of a run on another machine.

use std::{
    fs,
    path::PathBuf,
    process::{self, ExitCode},
    str::FromStr,
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::{examples::examples, players::word};
use crate::{
    console::{Ending, note, say, stop_flag},
    fleet::{Address, Join, Key, WorkerConfig, check_worker, host_name, play_file, work},
    model::{Backend, Precision, device, gpus},
};

/// Where a fleet's server is, and as whom it is asked.
#[derive(Debug, Args)]
pub(super) struct ServerOptions {
    /// The server: `nats://HOST:PORT`, or `tls://HOST:PORT`
    #[arg(required_unless_present = "join", conflicts_with = "join")]
    url: Option<String>,
    /// The file that the run's coordinator wrote, in place of the server, its run and key; waited for where it is not there
    #[arg(long, value_name = "FILE")]
    join: Option<PathBuf>,
    /// A file with the key that the server knows
    #[arg(long, value_name = "FILE", conflicts_with = "join")]
    key: Option<PathBuf>,
    /// A file with the certificates that the server's must come from (PEM), beside those that the system trusts
    #[arg(long, value_name = "FILE", conflicts_with = "join")]
    certificate: Option<PathBuf>,
    /// The run, where the server has several
    #[arg(long, value_name = "NAME", conflicts_with = "join")]
    run: Option<String>,
}

impl ServerOptions {
    /// The server, and the run if one is named.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(super) fn address(&self) -> anyhow::Result<(Address, Option<String>)> {
        let Some(file) = &self.join else {
            let key = self.key.as_deref().map(Key::read).transpose()?;
            let url = self.url.clone().context("expected a server or --join")?;
            let read = |file: &PathBuf| fs::read_to_string(file).with_context(|| file.display().to_string());
            let roots = self.certificate.as_ref().map(read).transpose()?;
            return Ok((Address { url, key, roots }, self.run.clone()));
        };
        let join = Join::read(file)?;
        let key = Key::parse(&join.key).map_err(|problem| anyhow!("{}: key: {problem}", file.display()))?;
        Ok((Address { url: join.url, key: Some(key), roots: join.certificate }, Some(join.run)))
    }
}

/// Play the games of a run that another machine trains
///
/// The rules, the network and how it computes come from the run. Ctrl-C ends the worker; games that are not over are
/// played by others.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan worker nats://pc0:4222 --key worker.nk",
    "maydan worker --join /scratch/models/shatara/fleet/join.toml --name node-3",
]))]
pub(super) struct Arguments {
    #[command(flatten)]
    server: ServerOptions,
    /// What the worker is called: letters, digits, `-` and `_`; the machine's name and a number if not given
    #[arg(long)]
    name: Option<String>,
    /// Where networks are computed: `cpu`, `cuda:0,cuda:1`, or `all` GPUs
    #[arg(long, value_name = "DEVICE,...", default_value = "cpu", value_delimiter = ',')]
    devices: Vec<String>,
    /// Numbers that networks compute in, if not the run's, which it must allow: `f32`, `bf16` or `int8`
    #[arg(long, default_value = "auto", value_parser = word::<Precision>)]
    precision: Precision,
    /// How networks compute, if not as the run's, which it must allow: `eager` or `fused`
    #[arg(long, default_value = "auto", value_parser = word::<Backend>)]
    backend: Backend,
    /// Threads that play; 0 for one a core
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=4096))]
    shards: u16,
    /// Games that each of them plays at once; 0 for as many as the run says
    #[arg(long, default_value_t = 0)]
    slots: u16,
    /// Folder in which networks are kept; a temporary one if not given
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Minutes for which a server or a run that is not there is waited for
    #[arg(long, value_name = "MINUTES", default_value_t = 10.0)]
    wait: f64,
    /// Play this file alone, which nobody else plays
    #[arg(long, value_name = "GENERATION:FILE", hide = true)]
    file: Option<FileNumber>,
}

/// A file of a generation.
#[derive(Clone, Copy, Debug)]
struct FileNumber(u64, u64);

impl FromStr for FileNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected GENERATION:FILE, found `{text}`");
        let (generation, file) = text.split_once(':').ok_or_else(expected)?;
        Ok(FileNumber(generation.parse().map_err(|_| expected())?, file.parse().map_err(|_| expected())?))
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    if !(0.0..=1e6).contains(&arguments.wait) {
        bail!("--wait: expected 0 to 1000000, found {}", arguments.wait);
    }
    let patience = Duration::from_secs_f64(arguments.wait * 60.0);
    let stop = stop_flag();
    let temporary;
    let cache = match arguments.cache {
        Some(cache) => cache,
        None => {
            temporary = tempfile::tempdir().context("a temporary folder")?;
            temporary.path().to_owned()
        }
    };
    let name = arguments.name.unwrap_or_else(own_name);
    check_worker(&name).map_err(|problem| anyhow!("--name: {problem}"))?;
    await_file(&arguments.server, patience)?;
    let (address, run) = arguments.server.address()?;
    let config = WorkerConfig {
        address,
        run,
        name,
        devices: devices(&arguments.devices)?,
        precision: arguments.precision,
        backend: arguments.backend,
        shards: arguments.shards.into(),
        slots: arguments.slots.into(),
        cache,
        patience,
    };
    let ending = match arguments.file {
        None => work(&config, &stop)?,
        Some(FileNumber(generation, file)) => play_file(&config, &stop, generation, file)?,
    };
    say(match ending {
        Ending::Done => "the run is over",
        Ending::Stopped => "stopped; others play on",
    });
    Ok(ExitCode::SUCCESS)
}

/// Waits for the file to join by, which the coordinator may be about to write.
fn await_file(server: &ServerOptions, patience: Duration) -> anyhow::Result<()> {
    let Some(file) = server.join.as_ref().filter(|file| !file.exists()) else { return Ok(()) };
    note(&format!("waiting for {}", file.display()));
    let since = Instant::now();
    while !file.exists() {
        if since.elapsed() > patience || stop_flag().load(Ordering::Relaxed) {
            bail!("{}: expected the file that a run's coordinator writes, found none", file.display());
        }
        thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}

fn devices(names: &[String]) -> anyhow::Result<Vec<String>> {
    if names == ["all"] {
        let all: Vec<String> = (0..gpus()).map(|index| format!("cuda:{index}")).collect();
        return if all.is_empty() { Err(anyhow!("--devices: expected a GPU, found none")) } else { Ok(all) };
    }
    for name in names {
        device(name).map_err(|problem| anyhow!("--devices: {problem}"))?;
    }
    Ok(names.to_vec())
}

/// The machine's name and this process's number, in the letters that a name may have.
fn own_name() -> String {
    let host = host_name().unwrap_or_default();
    let host: String = host.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    format!("{}-{}", if host.is_empty() { "worker" } else { &host }, process::id())
}

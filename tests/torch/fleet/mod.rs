//! Runs whose games are played by workers through a server, on this machine alone.

mod chaos;
mod faults;
mod refusals;
#[cfg(feature = "cloud")]
mod stores;
mod together;

use crate::run::{CONFIG, Place, complaint};

use std::{
    env, fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long a fleet may take for anything.
const PATIENCE: Duration = Duration::from_secs(120);

/// The server that `make setup` fetched.
fn server_program() -> PathBuf {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join(".nats-server/bin/nats-server");
    let program = env::var_os("MAYDAN_NATS_SERVER").map_or(fetched, PathBuf::from);
    assert!(program.exists(), "{}: no server; `make setup` fetches it", program.display());
    program
}

/// A port of this machine that nobody listens at.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Processes that end with the test.
#[derive(Default)]
struct Processes(Vec<(String, Child)>);

impl Drop for Processes {
    fn drop(&mut self) {
        for (_, child) in &mut self.0 {
            // Those that were stopped are let go on to their end.
            signal(child.id(), "CONT");
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        // The coordinator first: it would start the server again.
        drop(std::mem::take(&mut self.processes));
        if let Some(server) = self.server() {
            signal(server, "CONT");
            signal(server, "KILL");
        }
    }
}

/// A run with a fleet.
struct Fleet {
    place: Place,
    port: u16,
    /// What workers connect to, if not the server itself.
    through: Option<u16>,
    settings: Vec<String>,
    /// Of its processes, beside this one's.
    environment: Vec<(String, String)>,
    processes: Processes,
}

impl Fleet {
    fn new(settings: &[&str]) -> Fleet {
        Fleet {
            place: Place::new(),
            port: free_port(),
            through: None,
            settings: settings.iter().map(|&setting| setting.to_owned()).collect(),
            environment: Vec::new(),
            processes: Processes::default(),
        }
    }

    /// What `train` is told.
    fn arguments(&self) -> Vec<String> {
        let listen = format!("fleet.listen=127.0.0.1:{}", self.port);
        let settings = self.settings.iter().flat_map(|setting| ["--set".to_owned(), setting.clone()]);
        ["--set".to_owned(), listen].into_iter().chain(settings).chain(["--fleet".to_owned()]).collect()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        command.args(arguments).current_dir(self.place.folder.path()).env("MAYDAN_NATS_SERVER", server_program());
        command
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The coordinator, which writes into a file of that name.
    fn coordinator(&self, log: &str) -> Child {
        let arguments = self.arguments();
        let arguments = ["train", "tiny.toml"].into_iter().chain(arguments.iter().map(String::as_str));
        self.logged(self.command(&arguments.collect::<Vec<_>>()), log)
    }

    fn logged(&self, mut command: Command, log: &str) -> Child {
        let log = fs::File::options().create(true).append(true).open(self.place.folder.path().join(log)).unwrap();
        command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.place.folder.path().join(name)).unwrap_or_default()
    }

    fn key(&self, name: &str) -> PathBuf {
        self.place.model(&format!("fleet/{name}.nk"))
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.through.unwrap_or(self.port))
    }

    /// A worker of one thread.
    fn worker_command(&self, name: &str, more: &[&str]) -> Command {
        let (url, key) = (self.url(), self.key("worker"));
        let fixed = ["worker", &url, "--run", "tiny", "--key", key.to_str().unwrap(), "--name", name, "--shards", "1"];
        self.command(&[&fixed, more].concat())
    }

    fn worker(&self, name: &str) -> Child {
        self.logged(self.worker_command(name, &[]), &format!("{name}.log"))
    }

    /// Starts the coordinator and so many workers.
    fn start(&mut self, workers: usize) {
        self.start_coordinator();
        for number in 1..=workers {
            let name = format!("w{number}");
            let child = self.worker(&name);
            self.processes.0.push((name, child));
        }
    }

    fn start_coordinator(&mut self) {
        let child = self.coordinator("coordinator.log");
        self.processes.0.push(("coordinator".to_owned(), child));
        self.until("the keys are there", || self.place.model("fleet/join.toml").exists());
    }

    fn process(&mut self, name: &str) -> &mut Child {
        &mut self.processes.0.iter_mut().find(|(of, _)| of == name).unwrap().1
    }

    /// Waits for something.
    fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let since = Instant::now();
        while !is_so() {
            assert!(since.elapsed() < PATIENCE, "{what}: not in time\n{}", self.logs());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end of a process that must be well.
    fn ends_well(&mut self, name: &str) {
        let since = Instant::now();
        let status = loop {
            if let Some(status) = self.process(name).try_wait().unwrap() {
                break status;
            }
            assert!(since.elapsed() < PATIENCE, "{name} goes on for ever\n{}", self.logs());
            thread::sleep(Duration::from_millis(20));
        };
        assert!(status.success(), "{name}: {status}\n{}", self.logs());
    }

    fn logs(&self) -> String {
        let mut files: Vec<_> =
            fs::read_dir(self.place.folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "log"));
        files.push(self.place.model("fleet/nats-server.log"));
        let tail = |path: &PathBuf| {
            let text = fs::read_to_string(path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            format!("-- {}\n{}\n", path.display(), lines[lines.len().saturating_sub(15)..].join("\n"))
        };
        files.iter().map(tail).collect()
    }

    /// The process of the server, if it is there: its number may have gone to another.
    fn server(&self) -> Option<u32> {
        let id: u32 = fs::read_to_string(self.place.model("fleet/nats-server.pid")).ok()?.trim().parse().ok()?;
        let folder = fs::read_link(format!("/proc/{id}/cwd")).ok()?;
        (folder == self.place.folder.path().canonicalize().ok()?).then_some(id)
    }

    /// The last event of a kind.
    fn event(&self, kind: &str) -> serde_json::Value {
        let events = self.place.events();
        events
            .into_iter()
            .rev()
            .find(|event| event["event"] == kind)
            .unwrap_or_else(|| panic!("no `{kind}`\n{}", self.logs()))
    }
}

/// Sends a signal by its name; to a process that is gone it does nothing.
fn signal(process: u32, name: &str) {
    let _ = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).stderr(Stdio::null()).status();
}

/// What such a run is without a fleet.
fn alone(settings: &[&str]) -> Place {
    let place = Place::new();
    let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    place.done("train", &settings);
    place
}

/// The complaint of a command that must end with status 2, soon.
fn refused(mut command: Command) -> String {
    let since = Instant::now();
    let output: Output = command.output().unwrap();
    let complaint = complaint(&output);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(since.elapsed() < Duration::from_secs(30), "refused only after {:?}", since.elapsed());
    let errors: Vec<&str> = complaint.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{complaint}");
    errors[0].to_owned()
}

/// The configuration with which all of them play.
fn configuration() -> toml::Table {
    CONFIG.parse().unwrap()
}

//! What the threads of a coordinator share: the connection, the server, and the books of workers and networks.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    FleetError,
    keys::Key,
    link::{Address, Link, QueueConfig},
    messages::{Joining, State, WorkerState, from_json, to_json},
    names::{COLLECTOR, Names, WORKERS},
    place::{self, RENEW},
    roster::Known,
    server::Server,
    store::Store,
};
use crate::{console::warn, disk::IoError, pipeline::FleetConfig};

/// How often it is looked after the server.
pub(super) const LOOK: Duration = Duration::from_millis(500);

/// Bytes of results that wait; beyond them workers wait.
const RESULTS: i64 = 1 << 30;

/// Where a fleet's server is.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The server; none for one of our own.
    pub url: Option<String>,
    /// The coordinator's key there, if it asks for one.
    pub key: Option<PathBuf>,
    /// Certificates that the server's must come from, beside those that the system trusts.
    pub certificate: Option<PathBuf>,
}

impl Site {
    /// The server at `url`, as it is reached with these.
    pub(super) fn address(&self, url: &str) -> Result<Address, FleetError> {
        let key = self.key.as_deref().map(Key::read).transpose()?;
        let read = |file: &PathBuf| fs::read_to_string(file).map_err(IoError::at(file));
        let roots = self.certificate.as_ref().map(read).transpose()?;
        Ok(Address { url: url.to_owned(), key, roots })
    }
}

/// What the coordinator's threads share.
pub(super) struct Shared {
    pub link: Link,
    pub names: Names,
    pub run: String,
    pub config: FleetConfig,
    /// Where files go, if not through the server.
    pub store: Option<Store>,
    /// The file by which a process of this machine can join, where the server is our own.
    pub local_join: Option<PathBuf>,
    /// The key and the certificate by which it can otherwise.
    pub site: Site,
    /// What nobody else knows, from which it follows which files are checked.
    pub secret: String,
    pub server: Mutex<Option<Server>>,
    /// Another coordinator, by which this one was told to stop.
    pub fenced: Mutex<Option<String>>,
    pub over: AtomicBool,
    pub books: Mutex<Books>,
}

/// What is known from generation to generation.
#[derive(Default)]
pub(super) struct Books {
    /// What those get who join.
    pub joining: Option<Joining>,
    /// Networks on the server, the newest last.
    pub networks: Vec<String>,
    /// Workers, by name.
    pub workers: BTreeMap<String, Known>,
    /// Workers of which nothing is taken, and why.
    pub refused: BTreeMap<String, String>,
    /// What is played.
    pub state: State,
    /// Whether the user was told that generations are small for so many workers.
    pub warned_of_places: bool,
}

impl Shared {
    pub fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails when there is another coordinator.
    pub fn check_place(&self) -> Result<(), FleetError> {
        match self.fenced.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            Some(other) => Err(FleetError::Fenced(other)),
            None => Ok(()),
        }
    }

    /// Tries again what a server that is away leaves undone, until `stop` is set.
    pub fn patiently<T>(
        &self,
        stop: &AtomicBool,
        mut work: impl FnMut() -> Result<T, FleetError>,
    ) -> Result<Option<T>, FleetError> {
        let mut told = false;
        loop {
            self.check_place()?;
            match work() {
                Err(problem) if problem.may_pass() => {
                    if !told {
                        told = true;
                        warn(&format!("the server or the store is waited for: {problem}"));
                    }
                    // Its store may be a new one.
                    let _ = self.prepare();
                }
                done => return done.map(Some),
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            thread::sleep(LOOK);
        }
    }

    /// Makes all streams and queues, as far as they are not there. What an earlier coordinator was handed is handed out
    /// anew.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn prepare(&self) -> Result<(), FleetError> {
        let (link, names) = (&self.link, &self.names);
        link.make_shelf(
            names.orders_stream(),
            vec![names.all_orders(), names.all_networks(), names.run()],
            Duration::ZERO,
        )?;
        link.make_queue(&QueueConfig {
            stream: names.work_stream(),
            subjects: names.all_work(),
            consumer: WORKERS,
            ack_wait: Duration::from_secs(self.config.lease),
            max_bytes: -1,
            one_a_subject: true,
        })?;
        link.drop_consumer(&names.results_stream(), COLLECTOR);
        link.make_queue(&QueueConfig {
            stream: names.results_stream(),
            subjects: names.all_results(),
            consumer: COLLECTOR,
            ack_wait: Duration::from_secs(60),
            max_bytes: RESULTS,
            one_a_subject: false,
        })
    }

    /// Keeps the server up and this coordinator's place, hears who is there, and says how things are, until the end.
    pub fn keep(&self, mut place: u64) {
        let mut renewed = Instant::now();
        // Before anybody can join.
        let mut here = self.link.listen(self.names.all_here()).ok();
        while !self.over.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
            let ensured = self.server.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(Server::ensure);
            if let Some(Err(problem)) = ensured {
                tracing::warn!("{problem}");
            }
            here = here.or_else(|| self.link.listen(self.names.all_here()).ok());
            here.iter_mut().for_each(|here| self.books().hear(here.all()));
            if renewed.elapsed() < RENEW || !self.link.is_up() {
                continue;
            }
            renewed = Instant::now();
            let state = to_json(&self.books().told_state());
            self.link.say(self.names.state(), state);
            match place::renew(&self.link, &self.names, place) {
                Ok(Some(number)) => place = number,
                Ok(None) => {}
                Err(other) => {
                    let told = format!("run {}: {other} has become its coordinator", self.run);
                    *self.fenced.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
                    return;
                }
            }
        }
    }
}

impl Books {
    /// Of a run that has no worker yet.
    pub fn of(run: &str) -> Self {
        Books { state: State { run: run.to_owned(), ..State::default() }, ..Books::default() }
    }

    /// Takes down what workers said.
    pub fn hear(&mut self, messages: Vec<Vec<u8>>) {
        for presence in messages.iter().filter_map(|bytes| from_json(bytes)) {
            Known::hear(&mut self.workers, presence);
        }
    }

    /// Workers that are there.
    pub fn present(&self) -> usize {
        self.workers.values().filter(|known| known.is_present()).count()
    }

    /// Games that the workers who are there have room for at once.
    pub fn places(&self) -> u64 {
        let present = self.workers.values().filter(|known| known.is_present());
        present.fold(0, |sum, known| sum.saturating_add(known.places()))
    }

    fn told_state(&self) -> State {
        let of_worker = |known: &Known| WorkerState {
            refused: self.refused.get(&known.introduction.name).cloned().unwrap_or_default(),
            ..known.state()
        };
        let workers = self.workers.values().filter(|known| known.is_present()).map(of_worker).collect();
        State { workers, ..self.state.clone() }
    }
}

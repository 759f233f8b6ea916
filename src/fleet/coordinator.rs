//! Has a run's games played by workers: puts its files among the work, takes what comes, and keeps the server and its own
//! place as the only coordinator.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{
    FleetError,
    collector::Collector,
    keys::{FleetFolder, Join, Key},
    link::{Address, Link, QueueConfig},
    messages::{Joining, Order, State, WorkerState, from_json, to_json},
    names::{COLLECTOR, Names, STORED_NETWORKS, WORKERS},
    place::{self, AGE, RENEW},
    roster::Known,
    server::Server,
    store::Store,
};
use crate::{
    console::{StopFlag, say, warn},
    disk::IoError,
    game::Playable,
    pipeline::{FleetConfig, Games, GamesPlayed, Players, RunError},
    selfplay::Statistics,
};

/// How often it is looked after the server.
const LOOK: Duration = Duration::from_millis(500);

/// Bytes of results that wait; beyond them workers wait.
const RESULTS: i64 = 1 << 30;

/// How long a server of our own that ends again and again is tried at the start.
const START: Duration = Duration::from_secs(30);

/// How long the end of a run waits for its workers to hear of it.
const FAREWELL: Duration = Duration::from_secs(5);

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
    fn address(&self, url: &str) -> Result<Address, FleetError> {
        let key = self.key.as_deref().map(Key::read).transpose()?;
        let read = |file: &PathBuf| fs::read_to_string(file).map_err(IoError::at(file));
        let roots = self.certificate.as_ref().map(read).transpose()?;
        Ok(Address { url: url.to_owned(), key, roots })
    }
}

/// A run's fleet, as long as the value lives.
pub struct Coordinator {
    pub(super) shared: Arc<Shared>,
    keeper: Option<JoinHandle<()>>,
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
    server: Mutex<Option<Server>>,
    /// Another coordinator, by which this one was told to stop.
    fenced: Mutex<Option<String>>,
    over: AtomicBool,
    books: Mutex<Books>,
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

impl Coordinator {
    /// Brings up the server, where it is our own, and becomes the run's coordinator. `models` is the run's folder.
    ///
    /// # Errors
    /// When there is no server or it refuses, or there is another coordinator.
    pub fn start(
        models: &Path,
        run: &str,
        config: FleetConfig,
        site: &Site,
        stop: &StopFlag,
    ) -> Result<Self, FleetError> {
        let folder = FleetFolder::new(models);
        let store = config.store().map(|url| Store::open(url, run)).transpose()?;
        store.as_ref().map(Store::probe).transpose()?;
        let own = Key::of_run(&folder.coordinator_key())?;
        let (address, mut server, join) = match &site.url {
            Some(url) => (site.address(url)?, None, format!("maydan worker {url} --run {run} --key FILE")),
            None => {
                let (server, join) = own_server(&folder, run, &config, &own)?;
                (server.address(&own), Some(server), join)
            }
        };
        let local_join = server.as_ref().map(|_| folder.local_join());
        let name = format!("coordinator of {run}");
        let patience = if server.is_some() { RENEW } else { AGE };
        let link = with_server(&mut server, || Link::connect(&address, &name, patience, stop))?;
        let names = Names::new(run);
        let place = with_server(&mut server, || place::take(&link, &names, run))?;
        let shared = Shared {
            link,
            names,
            run: run.to_owned(),
            config,
            store,
            local_join,
            site: site.clone(),
            secret: own.seed(),
            server: Mutex::new(server),
            fenced: Mutex::new(None),
            over: AtomicBool::new(false),
            books: Mutex::new(Books { state: State { run: run.to_owned(), ..State::default() }, ..Books::default() }),
        };
        match shared.prepare() {
            // It has ended since: who plays first prepares it again.
            Err(problem @ FleetError::Server { .. }) if site.url.is_none() => tracing::info!("{problem}"),
            prepared => prepared?,
        }
        say(&format!("fleet: others join by `{join}`"));
        let shared = Arc::new(shared);
        let keeper = thread::spawn({
            let shared = shared.clone();
            move || shared.keep(place)
        });
        Ok(Coordinator { shared, keeper: Some(keeper) })
    }

    /// The run is over, which its workers are told.
    pub fn finish(&self) {
        let shared = &self.shared;
        let Some(joining) = shared.books().joining.clone() else { return };
        let over = to_json(&Joining { over: true, ..joining });
        // Without a server there is nobody to be told.
        let _ = shared.link.publish(shared.names.run(), None, over, None);
        let since = Instant::now();
        while shared.books().present() > 0 && since.elapsed() < FAREWELL {
            thread::sleep(LOOK / 5);
        }
        if let Some(Err(problem)) = shared.store.as_ref().map(|store| store.clear(STORED_NETWORKS)) {
            tracing::info!("{problem}");
        }
    }
}

/// Brings up a server of the run's own, and gives it with the line by which others join.
fn own_server(
    folder: &FleetFolder,
    run: &str,
    config: &FleetConfig,
    own: &Key,
) -> Result<(Server, String), FleetError> {
    let worker = Key::of_run(&folder.worker_key())?;
    let mut server = Server::prepare(folder.clone(), run, config, own, &worker)?;
    server.ensure()?;
    let join = Join { url: server.url(), run: run.to_owned(), key: worker.seed(), certificate: server.roots() };
    join.write(&folder.join())?;
    let line = match &join.certificate {
        Some(_) => format!("maydan worker --join {}", folder.join().display()),
        None => format!("maydan worker {} --key {}", join.url, folder.worker_key().display()),
    };
    // This machine need not know the server's name.
    Join { url: server.address(&worker).url, ..join }.write(&folder.local_join())?;
    Ok((server, line))
}

/// Does what needs the server; one of our own is started again where it ends meanwhile.
fn with_server<T>(
    server: &mut Option<Server>,
    mut work: impl FnMut() -> Result<T, FleetError>,
) -> Result<T, FleetError> {
    let since = Instant::now();
    loop {
        match (work(), server.as_mut()) {
            (Err(FleetError::Unreachable { .. } | FleetError::Server { .. }), Some(server))
                if since.elapsed() < START =>
            {
                server.ensure()?;
                thread::sleep(LOOK);
            }
            (done, _) => return done,
        }
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let shared = &self.shared;
        shared.over.store(true, Ordering::Relaxed);
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
        // The next coordinator need not wait until this one is forgotten.
        shared.link.purge(&shared.names.coordinator_stream(), shared.names.coordinator());
        if let Some(mut server) = shared.server.lock().unwrap_or_else(PoisonError::into_inner).take() {
            server.stop();
        }
    }
}

impl<R: Playable> Players<R> for Coordinator {
    fn play(
        &self,
        games: &Games<R>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics, Option<usize>),
    ) -> Result<GamesPlayed, RunError> {
        self.play_whole(games, stop, progress).map_err(|problem| match problem {
            FleetError::Run(problem) => problem,
            problem => RunError::Fleet(problem.to_string()),
        })
    }
}

impl Coordinator {
    fn play_whole<R: Playable>(
        &self,
        games: &Games<R>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics, Option<usize>),
    ) -> Result<GamesPlayed, FleetError> {
        let shared = &self.shared;
        let order = Order::new(games);
        // A server that is away is waited for.
        let announced = shared.patiently(stop, || shared.announce(games, &order))?;
        let mut collector = Collector::new(shared, games, order)?;
        if announced.is_some() {
            collector.run(stop, progress)?;
        }
        Ok(collector.played())
    }
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
    fn patiently<T>(
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
    fn keep(&self, mut place: u64) {
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

//! Has a run's games played by workers: puts its files among the work, takes what comes, and keeps the server and its own
//! place as the only coordinator.

use std::{
    collections::BTreeMap,
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
    link::{Address, Link, QueueConfig, Unpublished},
    messages::{Joining, NetworkFiles, Order, State, WorkerState, from_json, to_json},
    names::{COLLECTOR, Names, WORKERS},
    place::{self, AGE, RENEW},
    roster::Known,
    server::Server,
    signature::signature,
};
use crate::{
    console::{StopFlag, say, warn},
    disk::IoError,
    game::Playable,
    model::Checkpoint,
    pipeline::{FleetConfig, Games, GamesPlayed, Players, RunError},
    selfplay::Statistics,
};

/// How often it is looked after the server.
const LOOK: Duration = Duration::from_millis(500);

/// Bytes of a network in a message.
const PART: usize = 4 << 20;

/// Bytes of results that wait; beyond them workers wait.
const RESULTS: i64 = 1 << 30;

/// Networks that stay on the server beside those that are asked for.
const NETWORKS: usize = 3;

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
    joining: Option<Joining>,
    /// Networks on the server, the newest last.
    networks: Vec<String>,
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
        let (address, server, local_join, join) = match &site.url {
            Some(url) => {
                let key = site.key.as_deref().map(Key::read).transpose()?;
                let read = |file: &PathBuf| std::fs::read_to_string(file).map_err(IoError::at(file));
                let roots = site.certificate.as_ref().map(read).transpose()?;
                let address = Address { url: url.clone(), key, roots };
                (address, None, None, format!("maydan worker {url} --run {run} --key FILE"))
            }
            None => {
                let (own, worker) = (Key::of_run(&folder.coordinator_key())?, Key::of_run(&folder.worker_key())?);
                let mut server = Server::prepare(folder.clone(), run, &config, &own, &worker)?;
                server.ensure()?;
                let (url, certificate) = (server.url(), server.roots());
                let join = if certificate.is_some() {
                    format!("maydan worker --join {}", folder.join().display())
                } else {
                    format!("maydan worker {url} --key {}", folder.worker_key().display())
                };
                Join { url, run: run.to_owned(), key: worker.seed(), certificate }.write(&folder.join())?;
                // Of this machine too: it need not know the server's name.
                let local = Join { url: server.address(&worker).url, ..Join::read(&folder.join())? };
                local.write(&folder.local_join())?;
                (server.address(&own), Some(server), Some(folder.local_join()), join)
            }
        };
        let secret = address.key.as_ref().map(Key::seed).unwrap_or_default();
        let name = format!("coordinator of {run}");
        let mut server = server;
        let patience = if server.is_some() { RENEW } else { AGE };
        let link = with_server(&mut server, || Link::connect(&address, &name, patience, stop))?;
        let names = Names::new(run);
        let place = with_server(&mut server, || place::take(&link, &names, run))?;
        let shared = Shared {
            link,
            names,
            run: run.to_owned(),
            config,
            local_join,
            site: site.clone(),
            secret,
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
        let (since, mut heard) = (Instant::now(), shared.link.listen(shared.names.all_here()).ok());
        while since.elapsed() < FAREWELL {
            heard.iter_mut().for_each(|heard| shared.books().hear(heard.all()));
            if shared.books().present() == 0 {
                break;
            }
            thread::sleep(LOOK / 5);
        }
    }
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
                Err(problem @ FleetError::Server { .. }) => {
                    if !told {
                        told = true;
                        warn(&format!("the server is waited for: {problem}"));
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

    /// Keeps the server up and this coordinator's place, and says how things are, until the end.
    fn keep(&self, mut place: u64) {
        let mut renewed = Instant::now();
        while !self.over.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
            let ensured = self.server.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(Server::ensure);
            if let Some(Err(problem)) = ensured {
                tracing::warn!("{problem}");
            }
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

    /// Puts on the server what workers need for a generation, as far as it is not there.
    ///
    /// # Errors
    /// When the server refuses, or another coordinator has said otherwise.
    pub fn announce<R: Playable>(&self, games: &Games<R>, order: &Order) -> Result<(), FleetError> {
        self.publish_network(&games.checkpoint, &games.checkpoint_folder)?;
        self.publish_order(order)?;
        self.publish_joining(games, order)
    }

    /// Puts the files of a network on the server, unless they are there.
    fn publish_network(&self, checkpoint: &Checkpoint, folder: &Path) -> Result<(), FleetError> {
        let (link, names, id) = (&self.link, &self.names, &checkpoint.metadata().id);
        if link.newest(&names.orders_stream(), names.network(id, 0))?.is_none() {
            let mut described = NetworkFiles { files: Vec::new(), parts: 0 };
            let mut bytes = Vec::new();
            for name in ["checkpoint.toml", checkpoint.content().file_name()] {
                let path = folder.join(name);
                let content = std::fs::read(&path).map_err(IoError::at(&path))?;
                described.files.push((name.to_owned(), content.len() as u64));
                bytes.extend(content);
            }
            let publish = |part: u64, content: Vec<u8>| {
                let published = link.publish(names.network(id, part), None, content, None);
                published.map_err(|problem| link.error("network", problem))
            };
            for part in bytes.chunks(PART) {
                described.parts += 1;
                publish(described.parts, part.to_vec())?;
            }
            // Who finds this finds all.
            publish(0, to_json(&described))?;
        }
        let mut books = self.books();
        books.networks.retain(|known| known != id);
        books.networks.push(id.clone());
        while books.networks.len() > NETWORKS {
            let old = books.networks.remove(0);
            let is_asked_for = books.joining.as_ref().is_some_and(|joining| joining.order.checkpoint == old);
            if !is_asked_for {
                link.purge(&names.orders_stream(), names.whole_network(&old));
            }
        }
        Ok(())
    }

    /// Says how a generation is to be played: once and for all by which network.
    fn publish_order(&self, order: &Order) -> Result<(), FleetError> {
        let (link, names) = (&self.link, &self.names);
        let publish = |expected| link.publish(names.order(order.generation), None, to_json(order), expected);
        let published = match publish(Some(0)) {
            Err(Unpublished::Taken) => {
                let newest = link.newest(&names.orders_stream(), names.order(order.generation))?;
                let known = newest.and_then(|(_, bytes)| from_json::<Order>(&bytes));
                match known {
                    Some(known) if known.checkpoint != order.checkpoint => {
                        let (run, generation) = (&self.run, order.generation);
                        return Err(FleetError::Fenced(format!(
                            "run {run}: generation {generation} is played by network {} as another coordinator said, \
                             here by {}; give one of the two another name (--run)",
                            known.checkpoint, order.checkpoint
                        )));
                    }
                    Some(known) if known == *order => return Ok(()),
                    // With other settings of self-play, or as an older version said it.
                    Some(_) | None => publish(None),
                }
            }
            published => published,
        };
        published.map(drop).map_err(|problem| link.error("order", problem))
    }

    /// Says what those need to know who join, unless it is said.
    fn publish_joining<R: Playable>(&self, games: &Games<R>, order: &Order) -> Result<(), FleetError> {
        let known = self.books().joining.clone();
        let joining = match known {
            Some(joining) if joining.order.checkpoint == order.checkpoint || self.has_network(&joining)? => joining,
            known => {
                let networks = games.open()?;
                let evaluators = |_| networks[0].evaluator(games.batch_size);
                let FleetConfig { arithmetic, lease, tries, .. } = self.config;
                if known.is_some() {
                    tracing::info!("the network that workers joined by is no more on the server");
                }
                Joining {
                    order: order.clone(),
                    signature: signature(&games.game, order, &evaluators).map_err(RunError::from)?,
                    arithmetic,
                    lease,
                    tries,
                    over: false,
                }
            }
        };
        let said = to_json(&joining);
        let newest = self.link.newest(&self.names.orders_stream(), self.names.run())?;
        if newest.is_none_or(|(_, bytes)| bytes != said) {
            let published = self.link.publish(self.names.run(), None, said, None);
            published.map_err(|problem| self.link.error("run", problem))?;
        }
        self.books().joining = Some(joining);
        Ok(())
    }

    fn has_network(&self, joining: &Joining) -> Result<bool, FleetError> {
        let described = self.names.network(&joining.order.checkpoint, 0);
        Ok(self.link.newest(&self.names.orders_stream(), described)?.is_some())
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

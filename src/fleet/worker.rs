//! Plays for a coordinator: joins, takes files of games as it has room for them, and sends them when they are over.

use std::{
    collections::VecDeque,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    FleetError,
    leases::{Finished, Lease, Leases},
    link::{Address, Link, Queue, Taken, Unpublished},
    messages::{Begun, Head, Introduction, Item, Joining, NetworkFiles, Order, Presence, from_json, to_json},
    names::{Names, WORKERS},
    signature::signature,
};
use crate::{
    console::{Ending, StopFlag, note, say, warn},
    data::{GameRecord, Manifest, encode_games},
    disk::{IoError, write_folder},
    encode::sample,
    game::{
        Game, Playable, Ruleset,
        registry::{self, GameVisitor},
    },
    model::{
        Backend, Checkpoint, Plan, Precision,
        backend::{self, BackendConfig, OpenNetwork},
        choose, device, is_possible,
    },
    pipeline::{Arithmetic, RunError},
    selfplay::{SelfPlayConfig, SelfPlayError, Shards, Statistics},
};

/// How a worker works.
#[derive(Clone)]
pub struct WorkerConfig {
    /// The server, and as whom.
    pub address: Address,
    /// The run; none for the only one on the server.
    pub run: Option<String>,
    /// What it is called.
    pub name: String,
    /// Where networks are computed; threads share them out.
    pub devices: Vec<String>,
    /// Numbers and way to compute, where they are not those of the run.
    pub precision: Precision,
    pub backend: Backend,
    /// Threads, 0 for one a core, and games that each plays at once, 0 for as many as the run's configuration says.
    pub shards: usize,
    pub slots: usize,
    /// Where networks are kept.
    pub cache: PathBuf,
    /// How long a server, or a run on it, is waited for.
    pub patience: Duration,
}

/// Time between signs of life, and the longest that a request for work waits.
const SIGN: Duration = Duration::from_secs(2);
const LONG_POLL: Duration = Duration::from_secs(1);

/// Time between looks at what threads have done, and whether there is room for more.
const LOOK: Duration = Duration::from_millis(5);

/// Time after which what the server had no room for is sent again.
const AGAIN: Duration = Duration::from_millis(500);

/// Files that wait to be sent, beyond which no other is begun.
const MOST_WAITING: usize = 64;

/// Files of a checkpoint, and the most bytes of them all.
const NETWORK_FILES: [&str; 4] = ["checkpoint.toml", "weights.safetensors", "module.pt", "module.onnx"];
const NETWORK_LIMIT: u64 = 1 << 30;

/// Plays until the run is over or `stop` is set.
///
/// # Errors
/// When the server refuses or is gone for too long, or this machine may not play the run.
pub fn work(config: &WorkerConfig, stop: &StopFlag) -> Result<Ending, FleetError> {
    with_run(config, stop, None)
}

/// Plays one file alone, which nobody else takes, and sends it.
///
/// # Errors
/// As [`work`].
pub fn play_file(config: &WorkerConfig, stop: &StopFlag, generation: u64, file: u64) -> Result<Ending, FleetError> {
    with_run(config, stop, Some((generation, file)))
}

fn with_run(config: &WorkerConfig, stop: &StopFlag, one: Option<(u64, u64)>) -> Result<Ending, FleetError> {
    let link = Link::connect(&config.address, &config.name, config.patience, stop)?;
    loop {
        let Some((run, joining)) = find_run(&link, config, stop)? else { return Ok(Ending::Stopped) };
        let Ruleset { game, options, .. } = joining.order.ruleset.clone();
        let (link, names) = (&link, Names::new(&run));
        let worker = Joined { link, names, run: run.clone(), config, stop, joining, one };
        let unfit = |problem: String| FleetError::Unfit { run, problem };
        let worked = registry::with_game(&game, &options, worker).map_err(|problem| unfit(problem.to_string()))?;
        if let Some(ending) = worked? {
            return Ok(ending);
        }
    }
}

/// The run to play for, and what it says to those who join; waits for it.
fn find_run(link: &Link, config: &WorkerConfig, stop: &StopFlag) -> Result<Option<(String, Joining)>, FleetError> {
    let since = Instant::now();
    let mut told = false;
    loop {
        let run = match &config.run {
            Some(run) => Some(run.clone()),
            None => only_run(link)?,
        };
        if let Some(run) = run {
            let names = Names::new(&run);
            match link.newest(&names.orders_stream(), names.run()) {
                Ok(Some((_, bytes))) => match from_json::<Joining>(&bytes) {
                    Some(joining) if is_open(link, &names, &joining) => return Ok(Some((run, joining))),
                    Some(_) => {}
                    None => {
                        return Err(FleetError::Unfit { run, problem: "expected a run of this version".to_owned() });
                    }
                },
                Err(problem) if link.is_denied() => return Err(problem),
                Ok(None) | Err(_) => {}
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if since.elapsed() > config.patience {
            let run = config.run.as_ref().map_or("a run".to_owned(), |run| format!("run {run}"));
            return Err(FleetError::NoRun(format!("{}: expected {run} with work, found none", link.url())));
        }
        if !told {
            note("waiting for a run to join");
            told = true;
        }
        thread::sleep(AGAIN);
    }
}

/// Whether a run can be joined: it is not over, and the server has its network.
fn is_open(link: &Link, names: &Names, joining: &Joining) -> bool {
    let described = names.network(&joining.order.checkpoint, 0);
    !joining.over && matches!(link.newest(&names.orders_stream(), described), Ok(Some(_)))
}

/// The only run that a server has; none where it has none.
///
/// # Errors
/// When it has several.
pub fn only_run(link: &Link) -> Result<Option<String>, FleetError> {
    let mut runs: Vec<String> = link.streams()?.iter().filter_map(|stream| Names::of_work_stream(stream)).collect();
    match runs.len() {
        0 | 1 => Ok(runs.pop()),
        _ => {
            runs.sort_unstable();
            Err(FleetError::NoRun(format!("{}: expected --run, one of {}", link.url(), runs.join(", "))))
        }
    }
}

/// A worker that knows its run.
struct Joined<'a> {
    link: &'a Link,
    names: Names,
    run: String,
    config: &'a WorkerConfig,
    stop: &'a StopFlag,
    joining: Joining,
    one: Option<(u64, u64)>,
}

impl GameVisitor for Joined<'_> {
    /// None where the network by which to join is no more on the server.
    type Output = Result<Option<Ending>, FleetError>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Some(mut worker) = self.join(game)? else { return Ok(None) };
        let ending = match self.one {
            Some((generation, file)) => worker.play_one(generation, file),
            None => worker.play(),
        };
        ending.map(Some)
    }
}

impl<'a> Joined<'a> {
    /// Sees whether this machine may play, by playing what all play.
    fn join<R: Playable>(&'a self, game: Game<R>) -> Result<Option<Worker<'a, R>>, FleetError> {
        let Joined { link, names, run, config, stop, joining, .. } = self;
        joining.order.check(&game).map_err(|problem| self.unfit(problem))?;
        let mut worker = Worker {
            link,
            names,
            run,
            config,
            stop,
            joining,
            game,
            introduction: Introduction { name: config.name.clone(), ..Introduction::default() },
            network: None,
            silent_since: None,
        };
        let order = &joining.order;
        let Some(network) = worker.network(&order.checkpoint)? else { return Ok(None) };
        let plan = worker.plan(&network, order)?;
        let networks = worker.open(&network, plan)?;
        let evaluators = |shard: usize| networks[shard % networks.len()].evaluator(order.batch_size);
        let found = signature(&worker.game, order, &evaluators).map_err(RunError::from)?;
        worker.introduction.plan = format!("{} on {}", plan.name(), config.devices.join(" "));
        worker.introduction.signature.clone_from(&found);
        if found != joining.signature {
            if joining.arithmetic == Arithmetic::One {
                return Err(self.unfit(format!(
                    "signature: expected {}, as the coordinator computes, found {found} ({}); [fleet] arithmetic = \
                     \"any\" lets machines play that compute otherwise",
                    joining.signature, worker.introduction.plan
                )));
            }
            say(&format!("signature {found}, another than the coordinator's {}", joining.signature));
        }
        let (name, plan) = (&config.name, &worker.introduction.plan);
        say(&format!("{name} plays for run {run} at {}: {}, {plan}", link.url(), order.ruleset));
        Ok(Some(worker))
    }

    fn unfit(&self, problem: String) -> FleetError {
        FleetError::Unfit { run: self.run.clone(), problem }
    }
}

struct Worker<'a, R: Playable> {
    link: &'a Link,
    names: &'a Names,
    run: &'a str,
    config: &'a WorkerConfig,
    stop: &'a StopFlag,
    joining: &'a Joining,
    game: Game<R>,
    introduction: Introduction,
    /// The network that was used last.
    network: Option<Arc<Checkpoint>>,
    /// Since when the server has not answered.
    silent_since: Option<Instant>,
}

/// How the files of an order ended.
enum After {
    /// There is work of another order.
    Other(Lease),
    /// There is none yet.
    Nothing,
    Stopped,
    /// The run is over.
    Over,
}

impl<R: Playable> Worker<'_, R> {
    /// Plays whatever there is, order after order.
    fn play(&mut self) -> Result<Ending, FleetError> {
        let mut next = None;
        loop {
            let lease = match next.take() {
                Some(lease) => lease,
                None => match self.first_lease()? {
                    After::Other(lease) => lease,
                    After::Nothing => continue,
                    After::Stopped => return Ok(Ending::Stopped),
                    After::Over => return Ok(Ending::Done),
                },
            };
            let Some(order) = self.order_of(&lease)? else {
                if self.stop.load(Ordering::Relaxed) {
                    lease.taken.iter().for_each(|taken| taken.give_back(self.link));
                } else {
                    // Of a configuration or a network that is no more.
                    lease.taken.iter().for_each(|taken| taken.end(self.link));
                }
                continue;
            };
            match self.play_order(&order, lease)? {
                After::Other(lease) => next = Some(lease),
                After::Nothing => {}
                After::Stopped => return Ok(Ending::Stopped),
                After::Over => return Ok(Ending::Done),
            }
        }
    }

    /// Plays a file that nobody leases.
    fn play_one(&mut self, generation: u64, file: u64) -> Result<Ending, FleetError> {
        let order = self.newest_order(generation)?;
        let order = order.ok_or_else(|| FleetError::NoRun(format!("run {}: no generation {generation}", self.run)))?;
        let item = Item { generation, file, order: order.hash(), checkpoint: order.checkpoint.clone(), epoch: 0 };
        match self.play_order(&order, Lease { item, taken: None, delivery: 1 })? {
            After::Stopped => Ok(Ending::Stopped),
            After::Over | After::Nothing | After::Other(_) => Ok(Ending::Done),
        }
    }

    /// Waits for work.
    fn first_lease(&mut self) -> Result<After, FleetError> {
        let mut signed: Option<Instant> = None;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                self.sign(&[], 0.0, 0.0, true);
                return Ok(After::Stopped);
            }
            if signed.is_none_or(|at| at.elapsed() >= SIGN) {
                signed = Some(Instant::now());
                self.sign(&[], 0.0, 0.0, false);
                if self.is_over() {
                    return Ok(After::Over);
                }
            }
            let queue = self.link.queue(&self.names.work_stream(), WORKERS);
            match queue.and_then(|queue| queue.take(1, LONG_POLL)) {
                Ok(mut taken) => {
                    self.silent_since = None;
                    if let Some(lease) = taken.pop().and_then(|taken| self.lease(taken)) {
                        return Ok(After::Other(lease));
                    }
                }
                Err(problem) => self.bear(problem)?,
            }
        }
    }

    /// A taken message as a lease; none where it is no work or ended too many workers, which it then is said of.
    fn lease(&self, taken: Taken) -> Option<Lease> {
        let Some(item) = from_json::<Item>(taken.payload()) else {
            taken.end(self.link);
            return None;
        };
        let delivery = taken.delivery();
        if delivery <= self.joining.tries {
            let begun = Begun { item: item.clone(), worker: self.config.name.clone() };
            self.link.say(self.names.begun(), to_json(&begun));
            return Some(Lease { item, taken: Some(taken), delivery });
        }
        let head = Head {
            item: item.clone(),
            worker: self.introduction.clone(),
            delivery,
            failed: true,
            statistics: Statistics::default(),
        };
        let subject = self.names.result(item.generation, item.file);
        // Where that is not kept, another will take the item and find the same.
        if self.link.publish(subject, Some(to_json(&head)), Vec::new(), None).is_ok() {
            taken.end(self.link);
        }
        None
    }

    fn newest_order(&self, generation: u64) -> Result<Option<Order>, FleetError> {
        let found = self.link.newest(&self.names.orders_stream(), self.names.order(generation))?;
        Ok(found.and_then(|(_, bytes)| from_json(&bytes)))
    }

    /// How an item is to be played; none where nobody knows any more.
    fn order_of(&mut self, lease: &Lease) -> Result<Option<Order>, FleetError> {
        while !self.stop.load(Ordering::Relaxed) {
            match self.newest_order(lease.item.generation) {
                Ok(order) => {
                    self.silent_since = None;
                    let of_item = |order: &Order| order.hash() == lease.item.order;
                    return Ok(order.filter(of_item));
                }
                Err(problem) => self.bear(problem)?,
            }
        }
        Ok(None)
    }

    /// Whether the coordinator has said that the run is over.
    fn is_over(&self) -> bool {
        let newest = self.link.newest(&self.names.orders_stream(), self.names.run());
        let joining = newest.ok().flatten().and_then(|(_, bytes)| from_json::<Joining>(&bytes));
        joining.is_some_and(|joining| joining.over)
    }

    /// Takes an error as a server that is away, until that has lasted too long.
    fn bear(&mut self, problem: FleetError) -> Result<(), FleetError> {
        let since = *self.silent_since.get_or_insert_with(Instant::now);
        let refused = matches!(problem, FleetError::Refused { .. });
        if refused || since.elapsed() > self.config.patience {
            return Err(problem);
        }
        tracing::info!("{problem}");
        if !self.stop.load(Ordering::Relaxed) {
            thread::sleep(AGAIN);
        }
        Ok(())
    }

    /// Games that it has room for at once, where those of a run have these settings.
    fn places(&self, config: &SelfPlayConfig) -> u64 {
        let config = self.settings(config);
        (config.threads() * config.slots) as u64
    }

    /// The settings of a run with this machine's own threads and places.
    fn settings(&self, of_run: &SelfPlayConfig) -> SelfPlayConfig {
        let slots = if self.config.slots > 0 { self.config.slots } else { of_run.slots };
        SelfPlayConfig { shards: self.config.shards, slots, ..of_run.clone() }
    }

    /// Says that this worker is there.
    fn sign(&self, files: &[(u64, u64)], plies_per_second: f64, evaluations_per_second: f64, leaves: bool) {
        let presence = Presence {
            worker: self.introduction.clone(),
            places: self.places(&self.joining.order.selfplay),
            files: files.to_vec(),
            plies_per_second,
            evaluations_per_second,
            leaves,
        };
        self.link.say(self.names.here(&self.config.name), to_json(&presence));
    }

    /// A network by its id: as it was used last, as it is kept here, or from the server; none where that has lost it, or
    /// this worker is to stop.
    fn network(&mut self, id: &str) -> Result<Option<Arc<Checkpoint>>, FleetError> {
        if let Some(network) = self.network.as_ref().filter(|network| network.metadata().id == id) {
            return Ok(Some(network.clone()));
        }
        let known = id.len() <= 64 && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !known {
            return Err(self.unfit(format!("expected the id of a network, found `{id}`")));
        }
        let folder = self.config.cache.join(id);
        let network = match Checkpoint::load_for(&folder, &self.game) {
            Ok(network) => network,
            Err(_) => {
                if !self.fetch(id, &folder)? {
                    return Ok(None);
                }
                Checkpoint::load_for(&folder, &self.game).map_err(RunError::from)?
            }
        };
        if network.metadata().id != id {
            return Err(self.unfit(format!("expected network {id}, found {}", network.metadata().id)));
        }
        if let Some(old) = self.network.take() {
            // The network before: no generation to come is played by it.
            let old = self.config.cache.join(&old.metadata().id);
            fs::remove_dir_all(&old).or_else(|problem| match problem.kind() {
                std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(IoError::at(&old)(problem)),
            })?;
        }
        Ok(Some(self.network.insert(Arc::new(network)).clone()))
    }

    /// Gets the files of a network, if they are there.
    fn fetch(&mut self, id: &str, folder: &Path) -> Result<bool, FleetError> {
        let damaged = |worker: &Self| worker.unfit(format!("network {id} is damaged on the server"));
        let Some(described) = self.part(id, 0)? else { return Ok(false) };
        let described: NetworkFiles = from_json(&described).ok_or_else(|| damaged(self))?;
        let length = described.files.iter().fold(0u64, |sum, (_, length)| sum.saturating_add(*length));
        if length > NETWORK_LIMIT || described.files.iter().any(|(name, _)| !NETWORK_FILES.contains(&name.as_str())) {
            return Err(damaged(self));
        }
        let mut bytes = Vec::new();
        for number in 1..=described.parts {
            let Some(part) = self.part(id, number)? else { return Ok(false) };
            bytes.extend(part);
            if bytes.len() as u64 > length {
                return Err(damaged(self));
            }
        }
        if bytes.len() as u64 != length {
            return Err(damaged(self));
        }
        let (mut files, mut rest) = (Vec::new(), bytes.as_slice());
        for (name, length) in &described.files {
            let (content, others) = rest.split_at(*length as usize);
            files.push((name.as_str(), content));
            rest = others;
        }
        fs::create_dir_all(&self.config.cache).map_err(IoError::at(&self.config.cache))?;
        write_folder(folder, &files)?;
        Ok(true)
    }

    /// A part of a network; none where it is not there.
    fn part(&mut self, id: &str, part: u64) -> Result<Option<Vec<u8>>, FleetError> {
        while !self.stop.load(Ordering::Relaxed) {
            match self.link.newest(&self.names.orders_stream(), self.names.network(id, part)) {
                Ok(found) => {
                    self.silent_since = None;
                    return Ok(found.map(|(_, bytes)| bytes));
                }
                Err(problem) => self.bear(problem)?,
            }
        }
        Ok(None)
    }

    /// How this machine computes a network.
    fn plan(&self, network: &Checkpoint, order: &Order) -> Result<Plan, FleetError> {
        let WorkerConfig { precision, backend, ref devices, .. } = *self.config;
        let on = device(&devices[0]).map_err(|problem| self.unfit(problem.to_string()))?;
        let is_free = (precision, backend) == (Precision::Auto, Backend::Auto);
        if is_free && is_possible(order.plan, network.content(), on, precision, backend) {
            return Ok(order.plan);
        }
        if is_free && self.joining.arithmetic == Arithmetic::One {
            let problem = format!(
                "plan: expected {} as the coordinator computes, which this processor cannot",
                order.plan.name()
            );
            return Err(self.unfit(problem));
        }
        let choice = choose(network.content(), &sample(&self.game), on, precision, backend, order.batch_size);
        Ok(choice.map_err(RunError::from)?.plan)
    }

    fn open(&self, network: &Arc<Checkpoint>, plan: Plan) -> Result<Vec<OpenNetwork>, FleetError> {
        let (precision, backend) = plan.settings();
        let open = |device: &String| {
            let sample = Some(sample(&self.game));
            let config = BackendConfig { device, precision, backend, sample, ..BackendConfig::default() };
            backend::open(network.clone(), config)
        };
        Ok(self.config.devices.iter().map(open).collect::<Result<_, _>>().map_err(RunError::from)?)
    }

    fn unfit(&self, problem: String) -> FleetError {
        FleetError::Unfit { run: self.run.to_owned(), problem }
    }

    /// Plays files of an order, beginning with this one, until there is work of another.
    fn play_order(&mut self, order: &Order, first: Lease) -> Result<After, FleetError> {
        order.check(&self.game).map_err(|problem| self.unfit(problem))?;
        let Some(network) = self.network(&order.checkpoint)? else {
            // The coordinator puts there again what the server has lost.
            first.taken.iter().for_each(|taken| taken.give_back(self.link));
            thread::sleep(AGAIN);
            return Ok(After::Nothing);
        };
        let networks = self.open(&network, self.plan(&network, order)?)?;
        let config = self.settings(&order.selfplay);
        let games = config.games_of_file(first.item.file);
        if games.is_empty() {
            first.taken.iter().for_each(|taken| taken.end(self.link));
            return Ok(After::Over);
        }
        let (leases, alone) = (Leases::default(), first.taken.is_none());
        leases.add(first, games);
        if alone {
            leases.close();
        }
        let session = Session { worker: self, order, config: &config, leases: &leases, halt: AtomicBool::new(false) };
        session.run(&networks)
    }
}

/// The files of one order on their way through this process.
struct Session<'a, 'b, R: Playable> {
    worker: &'a Worker<'b, R>,
    order: &'a Order,
    config: &'a SelfPlayConfig,
    leases: &'a Leases,
    /// Whether the threads are to end, with games that are not over lost.
    halt: AtomicBool,
}

/// A file that is to be sent.
struct Parcel {
    lease: Lease,
    head: Vec<u8>,
    file: Vec<u8>,
}

impl<R: Playable> Session<'_, '_, R> {
    fn run(&self, networks: &[OpenNetwork]) -> Result<After, FleetError> {
        let (parcels, outgoing) = channel();
        thread::scope(|scope| {
            let player = scope.spawn(move || self.play(networks, |parcel| parcels.send(parcel).is_ok()));
            let taker = scope.spawn(|| self.take());
            let sent = self.send(&outgoing);
            self.leases.close();
            if sent.is_err() || self.worker.stop.load(Ordering::Relaxed) {
                self.halt.store(true, Ordering::Relaxed);
            }
            let played = player.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let other = taker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let link = self.worker.link;
            for lease in self.leases.abandon() {
                lease.taken.iter().for_each(|taken| taken.give_back(link));
            }
            played.map_err(RunError::from)?;
            sent?;
            if self.worker.stop.load(Ordering::Relaxed) {
                other.iter().filter_map(|lease| lease.taken.as_ref()).for_each(|taken| taken.give_back(link));
                self.worker.sign(&[], 0.0, 0.0, true);
                return Ok(After::Stopped);
            }
            Ok(other.map_or(After::Over, After::Other))
        })
    }

    /// Plays what is leased, and hands on whole files.
    fn play(&self, networks: &[OpenNetwork], mut send: impl FnMut(Parcel) -> bool) -> Result<(), SelfPlayError> {
        let Session { worker, order, config, leases, .. } = self;
        let evaluators = |shard: usize| networks[shard % networks.len()].evaluator(order.batch_size);
        let shards = Shards { game: &worker.game, config, seed: order.seed, generation: order.generation };
        let manifest = Manifest::new(&worker.game, order.seed, order.generation, &order.checkpoint);
        let mut reported = Statistics::default();
        let mut collect = |record: GameRecord, of_game: &Statistics, all: &mut Statistics| {
            let file = record.index / config.games_per_file;
            if let Some(Finished { lease, games, mut statistics }) = leases.put(file, record, of_game) {
                statistics.add(&all.work_since(&reported));
                reported = all.clone();
                let head = Head {
                    item: lease.item.clone(),
                    worker: worker.introduction.clone(),
                    delivery: lease.delivery,
                    failed: false,
                    statistics,
                };
                let parcel = Parcel { lease, head: to_json(&head), file: encode_games(&manifest, &games) };
                if !send(parcel) {
                    self.halt.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        };
        let mut progress = |statistics: &Statistics| {
            leases.note(statistics.plies_decided, statistics.evaluations);
            if worker.stop.load(Ordering::Relaxed) {
                self.halt.store(true, Ordering::Relaxed);
            }
        };
        shards.play(config.threads(), *leases, &evaluators, &self.halt, &mut collect, &mut progress).map(drop)
    }

    /// Takes files while there is room for their games, until there is one of another order, which is given.
    fn take(&self) -> Option<Lease> {
        let Session { worker, config, leases, .. } = self;
        let places = worker.places(config);
        let mut queue: Option<Queue<'_>> = None;
        while !leases.is_closed() {
            if !leases.is_hungry(places) || leases.waiting_files() >= MOST_WAITING {
                thread::sleep(LOOK);
                continue;
            }
            let open = match queue.take() {
                Some(queue) => Ok(queue),
                None => worker.link.queue(&worker.names.work_stream(), WORKERS),
            };
            let taken = open.and_then(|open| {
                let taken = open.take(1, LONG_POLL)?;
                queue = Some(open);
                Ok(taken)
            });
            let Ok(mut taken) = taken else {
                thread::sleep(AGAIN);
                continue;
            };
            let Some(lease) = taken.pop().and_then(|taken| worker.lease(taken)) else { continue };
            let games = config.games_of_file(lease.item.file);
            let is_ours = lease.item.order == self.order.hash();
            if !is_ours || games.is_empty() || leases.is_closed() {
                leases.close();
                return Some(lease);
            }
            if leases.has(lease.item.file) {
                // It was given to another worker meanwhile, and came back: whoever is first.
                continue;
            }
            leases.add(lease, games);
        }
        None
    }

    /// Sends files as they come, keeps leases while plies are played, and says that this worker is there. Ends when the
    /// threads have.
    fn send(&self, outgoing: &Receiver<Parcel>) -> Result<(), FleetError> {
        let Session { worker, leases, .. } = self;
        let beat_every = Duration::from_secs(worker.joining.lease).div_f64(4.0);
        let mut waiting: VecDeque<Parcel> = VecDeque::new();
        let mut retry: Option<Instant> = None;
        let (mut signed, mut beaten) = (Signed::new(), (Instant::now(), 0));
        let mut complained = false;
        loop {
            let ended = match outgoing.recv_timeout(if waiting.is_empty() { SIGN / 4 } else { LOOK }) {
                Ok(parcel) => {
                    waiting.push_back(parcel);
                    false
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
            while let Some(parcel) = waiting.front().filter(|_| retry.is_none_or(|at| at.elapsed() >= AGAIN)) {
                retry = None;
                let Item { generation, file, .. } = parcel.lease.item;
                let subject = worker.names.result(generation, file);
                match worker.link.publish(subject, Some(parcel.head.clone()), parcel.file.clone(), None) {
                    Ok(_) => {
                        parcel.lease.taken.iter().for_each(|taken| taken.done(worker.link));
                        waiting.pop_front();
                        complained = false;
                    }
                    Err(Unpublished::TooLarge) => {
                        return Err(worker.unfit(format!(
                            "a file of {} games has {} bytes, more than a message of {} may have: lower \
                             selfplay.games_per_file, or raise max_payload",
                            self.config.games_per_file,
                            parcel.file.len(),
                            worker.link.url()
                        )));
                    }
                    Err(problem) => {
                        retry = Some(Instant::now());
                        if !complained {
                            complained = true;
                            warn(&format!("files wait to be sent: {problem}"));
                        }
                    }
                }
            }
            leases.note_waiting(waiting.len());
            if ended && waiting.is_empty() {
                return Ok(());
            }
            if worker.stop.load(Ordering::Relaxed) {
                // What cannot be sent now is played again by others.
                return Ok(());
            }
            if beaten.0.elapsed() >= beat_every {
                let plies = leases.plies();
                if plies > beaten.1 || !waiting.is_empty() {
                    leases.for_each(|lease| lease.taken.iter().for_each(|taken| taken.beat(worker.link)));
                    waiting.iter().filter_map(|of| of.lease.taken.as_ref()).for_each(|taken| taken.beat(worker.link));
                }
                beaten = (Instant::now(), plies);
            }
            if signed.is_due() {
                let files: Vec<_> = leases.files().into_iter().map(|file| (self.order.generation, file)).collect();
                let (plies, evaluations) = signed.rates(leases.plies(), leases.evaluations());
                worker.sign(&files, plies, evaluations, false);
                if files.is_empty() && worker.is_over() {
                    leases.close();
                }
            }
        }
    }
}

/// When a sign of life was last given, and how far things were.
struct Signed {
    at: Instant,
    plies: u64,
    evaluations: u64,
}

impl Signed {
    fn new() -> Self {
        Signed { at: Instant::now(), plies: 0, evaluations: 0 }
    }

    fn is_due(&self) -> bool {
        self.at.elapsed() >= SIGN
    }

    /// Plies and evaluations a second since the last sign.
    fn rates(&mut self, plies: u64, evaluations: u64) -> (f64, f64) {
        let seconds = self.at.elapsed().as_secs_f64().max(1e-9);
        let rate = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
        let rates = (rate(plies, self.plies), rate(evaluations, self.evaluations));
        *self = Signed { at: Instant::now(), plies, evaluations };
        rates
    }
}

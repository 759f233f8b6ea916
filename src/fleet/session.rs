//! The files of one order on their way through a worker: leased, played, sent.

use std::{
    collections::VecDeque,
    panic::resume_unwind,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    FleetError,
    leases::{Finished, Lease, Leases},
    link::Unpublished,
    member::{AGAIN, After, LONG_POLL, Member, SIGN},
    messages::{Head, Item, LARGEST_FILE, Order, to_json},
    names::{WORKERS, stored_games},
    queue::Queue,
    silence::Silence,
};
use crate::{
    console::warn,
    data::{GameRecord, Manifest, encode_games},
    game::Playable,
    model::{backend::OpenNetwork, identity},
    pipeline::RunError,
    selfplay::{SelfPlayConfig, SelfPlayError, Shards, Statistics},
};

/// Time between looks at what threads have done, and whether there is room for more.
const LOOK: Duration = Duration::from_millis(5);

/// Files that wait to be sent, beyond which no other is begun.
const MOST_WAITING: usize = 64;

/// The files of one order on their way through this process.
pub struct Session<'a, 'b, R: Playable> {
    member: &'a Member<'b, R>,
    order: &'a Order,
    config: &'a SelfPlayConfig,
    leases: &'a Leases,
    /// Whether the threads are to end, with games that are not over lost.
    halt: AtomicBool,
}

impl<'a, 'b, R: Playable> Session<'a, 'b, R> {
    pub fn new(member: &'a Member<'b, R>, order: &'a Order, config: &'a SelfPlayConfig, leases: &'a Leases) -> Self {
        Session { member, order, config, leases, halt: AtomicBool::new(false) }
    }
}

/// A file that is to be sent.
struct Parcel {
    lease: Lease,
    head: Vec<u8>,
    file: Vec<u8>,
    /// Where it goes in the store, if not through the server.
    stored: Option<String>,
}

impl<R: Playable> Session<'_, '_, R> {
    /// Plays on until there is work of another order, the run is over, or the worker is to stop.
    ///
    /// # Errors
    /// When an evaluator fails, or the server is away for too long.
    pub fn run(&self, networks: &[OpenNetwork]) -> Result<After, FleetError> {
        let (parcels, outgoing) = channel();
        thread::scope(|scope| {
            let player = scope.spawn(move || self.play(networks, |parcel| parcels.send(parcel).is_ok()));
            let taker = scope.spawn(|| self.take());
            let sent = self.send(&outgoing);
            self.leases.close();
            if sent.is_err() || self.member.stop.load(Ordering::Relaxed) {
                self.halt.store(true, Ordering::Relaxed);
            }
            let played = player.join().unwrap_or_else(|panic| resume_unwind(panic));
            taker.join().unwrap_or_else(|panic| resume_unwind(panic));
            let next = self.leases.take_next();
            let stopped = self.member.stop.load(Ordering::Relaxed);
            let (kept, back) = if stopped || sent.is_err() || played.is_err() { (None, next) } else { (next, None) };
            let unsent = outgoing.try_iter().map(|parcel| parcel.lease);
            let back = self.leases.abandon().into_iter().chain(back).chain(unsent);
            back.filter_map(|lease| lease.taken).for_each(|taken| taken.give_back(self.member.link));
            played.map_err(RunError::from)?;
            sent?;
            if stopped {
                return Ok(After::Stopped);
            }
            Ok(kept.map_or(After::Over, |lease| After::Other(Box::new(lease))))
        })
    }

    /// Plays what is leased, and hands on whole files.
    fn play(&self, networks: &[OpenNetwork], mut send: impl FnMut(Parcel) -> bool) -> Result<(), SelfPlayError> {
        let Session { member, order, config, leases, .. } = self;
        let evaluators = |shard: usize| networks[shard % networks.len()].evaluator(order.batch_size);
        let shards = Shards { game: &member.game, config, seed: order.seed, generation: order.generation };
        let manifest = Manifest::new(&member.game, order.seed, order.generation, order.player());
        let mut reported = Statistics::default();
        let mut collect = |record: GameRecord, of_game: &Statistics, all: &mut Statistics| {
            let file = record.index / config.games_per_file;
            if let Some(Finished { lease, games, mut statistics }) = leases.put(file, record, of_game) {
                statistics.add(&all.work_since(&reported));
                reported = all.clone();
                let file = encode_games(&manifest, &games);
                let content = member.store.map(|_| identity(&file));
                let Item { generation, file: number, .. } = lease.item;
                let name = |content: &String| stored_games(&member.config.name, generation, number, content);
                let stored = content.as_ref().map(name);
                let head = Head {
                    item: lease.item.clone(),
                    worker: member.introduction.clone(),
                    delivery: lease.delivery,
                    failed: false,
                    statistics,
                    stored: content,
                };
                let parcel = Parcel { lease, head: to_json(&head), file, stored };
                if !send(parcel) {
                    self.halt.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        };
        let mut progress = |statistics: &Statistics| {
            leases.note(statistics.plies_decided, statistics.evaluations);
            if member.stop.load(Ordering::Relaxed) {
                self.halt.store(true, Ordering::Relaxed);
            }
        };
        shards.play(config.threads(), *leases, &evaluators, &self.halt, &mut collect, &mut progress).map(drop)
    }

    /// Takes files while there is room for their games, until there is one of another order, which is kept.
    fn take(&self) {
        let Session { member, config, leases, .. } = self;
        let places = member.places(config);
        let mut queue: Option<Queue<'_>> = None;
        while !leases.is_closed() {
            if !leases.is_hungry(places) || leases.waiting_files() >= MOST_WAITING {
                thread::sleep(LOOK);
                continue;
            }
            let open = match queue.take() {
                Some(queue) => Ok(queue),
                None => member.link.queue(&member.names.work_stream(), WORKERS),
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
            let Some(lease) = taken.pop().and_then(|taken| member.lease(taken)) else { continue };
            let games = config.games_of_file(lease.item.file);
            let is_ours = lease.item.order == self.order.hash();
            if !is_ours || games.is_empty() || leases.is_closed() {
                leases.close_with(lease);
                return;
            }
            if leases.has(lease.item.file) {
                // It was given to another worker meanwhile, and came back: whoever is first.
                continue;
            }
            leases.add(lease, games);
        }
    }

    /// Sends a file, or puts it into the store and says so.
    fn dispatch(&self, parcel: &Parcel) -> Result<(), Unpublished> {
        let Session { member, .. } = self;
        let Item { generation, file, .. } = parcel.lease.item;
        let payload = match (member.store, &parcel.stored) {
            (Some(_), Some(_)) if parcel.file.len() as u64 > LARGEST_FILE => return Err(Unpublished::TooLarge),
            (Some(store), Some(name)) => {
                let created = store.create(name, parcel.file.clone());
                created.map_err(|problem| Unpublished::Other(problem.to_string()))?;
                Vec::new()
            }
            _ => parcel.file.clone(),
        };
        member.link.publish(member.names.result(generation, file), Some(parcel.head.clone()), payload, None).map(drop)
    }

    /// Sends files as they come, keeps leases while plies are played, and says that this worker is there. Ends when the
    /// threads have.
    fn send(&self, outgoing: &Receiver<Parcel>) -> Result<(), FleetError> {
        let Session { member, leases, .. } = self;
        let beat_every = Duration::from_secs(member.joining.lease).div_f64(4.0);
        let mut waiting: VecDeque<Parcel> = VecDeque::new();
        let mut retry: Option<Instant> = None;
        let (mut signed, mut beaten) = (Signed::new(), (Instant::now(), 0));
        let mut complained = false;
        let mut silence = Silence::new(member.config.patience);
        let mut said = member.link.listen(member.names.state())?;
        loop {
            if member.link.is_up() {
                silence.broken();
            } else {
                silence.bear(member.link.error("connection", "lost"))?;
            }
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
                match self.dispatch(parcel) {
                    Ok(()) => {
                        parcel.lease.taken.iter().for_each(|taken| taken.done(member.link));
                        waiting.pop_front();
                        complained = false;
                    }
                    Err(Unpublished::TooLarge) => {
                        return Err(member.unfit(format!(
                            "a file of {} games has {} bytes, more than a message of {} may have: lower \
                             selfplay.games_per_file, raise max_payload, or let files go through a store ([fleet] store)",
                            self.config.games_per_file,
                            parcel.file.len(),
                            member.link.url()
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
            if member.stop.load(Ordering::Relaxed) {
                // What cannot be sent now is played again by others.
                waiting.iter().filter_map(|of| of.lease.taken.as_ref()).for_each(|taken| taken.give_back(member.link));
                return Ok(());
            }
            if beaten.0.elapsed() >= beat_every {
                let plies = leases.plies();
                if plies > beaten.1 || !waiting.is_empty() {
                    leases.for_each(|lease| lease.taken.iter().for_each(|taken| taken.beat(member.link)));
                    waiting.iter().filter_map(|of| of.lease.taken.as_ref()).for_each(|taken| taken.beat(member.link));
                }
                beaten = (Instant::now(), plies);
            }
            if signed.is_due() {
                let files: Vec<_> = leases.files().into_iter().map(|file| (self.order.generation, file)).collect();
                let (plies, evaluations) = signed.rates(leases.plies(), leases.evaluations());
                member.sign(&files, plies, evaluations, false);
                member.check_standing(&mut said)?;
                if files.is_empty() && member.is_over() {
                    leases.close();
                }
            }
        }
    }
}

/// When a sign of life was last given, and how far things were.
struct Signed {
    /// None before the first.
    at: Option<Instant>,
    plies: u64,
    evaluations: u64,
}

impl Signed {
    fn new() -> Self {
        Signed { at: None, plies: 0, evaluations: 0 }
    }

    fn is_due(&self) -> bool {
        self.at.is_none_or(|at| at.elapsed() >= SIGN)
    }

    /// Plies and evaluations a second since the last sign.
    fn rates(&mut self, plies: u64, evaluations: u64) -> (f64, f64) {
        let seconds = self.at.map(|at| at.elapsed().as_secs_f64().max(1e-9));
        let rate = |now: u64, before: u64| seconds.map_or(0.0, |seconds| now.saturating_sub(before) as f64 / seconds);
        let rates = (rate(plies, self.plies), rate(evaluations, self.evaluations));
        *self = Signed { at: Some(Instant::now()), plies, evaluations };
        rates
    }
}

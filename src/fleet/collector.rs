//! The files of a generation as they come in: what is to be thought of each, and what follows for the others.

use std::{
    fs, io,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use sha2::{Digest as _, Sha256};

use super::{
    FleetError,
    ledger::{Event, Ledger, Task},
    link::{Heard, Unpublished},
    messages::{Begun, Head, Introduction, Item, LARGEST_FILE, Order, from_json, to_json},
    names::{COLLECTOR, STORED_GAMES, check_worker, stored_games},
    processes::Processes,
    queue::{Queue, Taken},
    roster::Known,
    shared::Shared,
    store::Store,
};
use crate::{
    console::warn,
    data::{DataError, Manifest, replay},
    disk::{IoError, NewFile, chunk_of, chunk_path, chunks, generation_dir},
    game::Playable,
    model::{
        Evaluator,
        backend::{self, BackendConfig},
        identity,
    },
    pipeline::{Games, GamesPlayed, RunError, metrics::WorkerEvent},
    selfplay::{Played, Statistics, VERIFY_TOLERANCE, VerifyError, holds, verify},
};

/// How long results are waited for at once, and how many are taken.
const LONG_POLL: Duration = Duration::from_millis(250);
const AT_ONCE: usize = 16;

/// Time between looks at whether work was lost, and between tries on a full disk.
const LOOK: Duration = Duration::from_secs(2);
const AGAIN: Duration = Duration::from_secs(1);

/// Games of a generation for each that is played at once, below which workers wait for the last ones too long.
const GAMES_A_PLACE: u64 = 4;

/// Rows that the network is asked about at once where a file is checked.
const BATCH: usize = 64;

/// A generation's files on their way in.
pub struct Collector<'a, R: Playable> {
    shared: &'a Shared,
    games: &'a Games<R>,
    order: Order,
    hash: String,
    manifest: Manifest,
    folder: PathBuf,
    ledger: Ledger,
    /// What could not be published yet.
    unpublished: Vec<(u64, u64)>,
    /// The file that came last, until it is shelved.
    incoming: Option<NewFile>,
    /// Processes of this machine that play a file.
    here: Processes,
    resumed_games: u64,
    statistics: Statistics,
    began: Instant,
    /// The network, once a file was drawn to be checked.
    evaluator: Option<Box<dyn Evaluator>>,
    /// Whether the user was told why files wait.
    warned: bool,
}

/// What is to be done with a result.
enum Verdict {
    /// It was dealt with.
    Done,
    /// There is no room for it, or it is not to be had now: it is to be looked at again.
    Later,
}

impl<'a, R: Playable> Collector<'a, R> {
    /// Looks at which files are there; damaged ones are removed.
    pub fn new(shared: &'a Shared, games: &'a Games<R>, order: Order) -> Result<Self, FleetError> {
        let folder = generation_dir(&games.folder, games.number);
        let manifest = Manifest::new(&games.game, games.seed, games.number, order.player());
        let (mut there, mut resumed_games) = (Vec::new(), 0);
        for path in chunks(&folder)? {
            let Some(file) = chunk_of(&path) else { continue };
            let expected = games.config.games_of_file(file);
            if holds(&path, &manifest, &expected).map_err(RunError::from)? {
                there.push(file);
                resumed_games += expected.end - expected.start;
            } else {
                fs::remove_file(&path).map_err(IoError::at(&path))?;
            }
        }
        let mut books = shared.books();
        for known in books.workers.values_mut() {
            known.part = WorkerEvent::default();
        }
        books.state.generation = games.number;
        books.state.of_games = games.config.games;
        let ledger = Ledger::new(games.config.files(), there, books.refused.clone());
        Ok(Collector {
            shared,
            games,
            hash: order.hash(),
            order,
            manifest,
            folder,
            ledger,
            unpublished: Vec::new(),
            incoming: None,
            here: Processes::default(),
            resumed_games,
            statistics: Statistics { action_kinds: vec![0; R::ACTION_KINDS.len()], ..Statistics::default() },
            began: Instant::now(),
            evaluator: None,
            warned: false,
        })
    }

    /// Collects until every file is there or `stop` is set.
    ///
    /// # Errors
    /// When there is another coordinator, a file cannot be played, or the disk refuses.
    pub fn run(
        &mut self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics, Option<usize>),
    ) -> Result<(), FleetError> {
        let shared = self.shared;
        let mut queue: Option<Queue<'a>> = None;
        let mut begun: Option<Heard<'a>> = None;
        let mut looked = Instant::now();
        self.carry_out(Event::QueueLost)?;
        while !self.ledger.is_complete() && !stop.load(Ordering::Relaxed) {
            shared.check_place()?;
            self.publish();
            self.here.ended().into_iter().try_for_each(|event| self.carry_out(event))?;
            begun = begun.or_else(|| shared.link.listen(shared.names.begun()).ok());
            for message in begun.iter_mut().flat_map(Heard::all) {
                self.note_begun(&message)?;
            }
            let open = match queue.take() {
                Some(queue) => Ok(queue),
                None => shared.link.queue(&shared.names.results_stream(), COLLECTOR),
            };
            let results = open.and_then(|open| {
                let results = open.take(AT_ONCE, LONG_POLL)?;
                queue = Some(open);
                Ok(results)
            });
            match results {
                Ok(results) => self.take_in(&results, stop)?,
                Err(problem) => {
                    tracing::info!("{problem}");
                    thread::sleep(AGAIN / 4);
                    if shared.link.is_up() {
                        // Its store may be a new one.
                        let _ = shared.prepare();
                    }
                }
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                self.look_for_lost_work()?;
            }
            self.statistics.seconds = self.began.elapsed().as_secs_f64();
            let workers = self.tell();
            progress(&self.statistics, Some(workers));
        }
        if let (true, Some(store)) = (self.ledger.is_complete(), &shared.store) {
            // What workers left there that came to an end before they could say so.
            if let Err(problem) = store.clear(STORED_GAMES) {
                tracing::info!("{problem}");
            }
        }
        Ok(())
    }

    /// How far the generation came.
    pub fn played(mut self) -> GamesPlayed {
        self.statistics.seconds = self.began.elapsed().as_secs_f64();
        let books = self.shared.books();
        let had_part = |known: &&Known| known.part != WorkerEvent::default() || known.is_present();
        let of_worker = |known: &Known| {
            let Introduction { name, plan, signature } = known.introduction.clone();
            let refused = self.ledger.refused().get(&name).cloned().unwrap_or_default();
            WorkerEvent { name, plan, signature, refused, ..known.part.clone() }
        };
        let workers = books.workers.values().filter(had_part).map(of_worker).collect();
        let played = Played {
            complete: self.ledger.is_complete(),
            resumed_games: self.resumed_games,
            statistics: self.statistics,
        };
        GamesPlayed { played, workers }
    }

    /// Writes down how things are, for whoever asks, and gives the number of workers.
    fn tell(&self) -> usize {
        let mut books = self.shared.books();
        books.state.games = self.resumed_games + self.statistics.games;
        let seconds = self.statistics.seconds.max(1e-9);
        books.state.evaluations_per_second = self.statistics.evaluations as f64 / seconds;
        let places = books.places();
        if !books.warned_of_places && self.games.config.games < GAMES_A_PLACE.saturating_mul(places) {
            books.warned_of_places = true;
            warn(&format!(
                "workers have room for {places} games at once, and a generation has {}: raise selfplay.games to {} at \
                 least, or much of the fleet waits for the last games of each",
                self.games.config.games,
                GAMES_A_PLACE * places
            ));
        }
        books.present()
    }

    /// Deals with results, of which those that have no room on the disk wait.
    fn take_in(&mut self, results: &[Taken], stop: &AtomicBool) -> Result<(), FleetError> {
        for result in results {
            while let Verdict::Later = self.deal_with(result)? {
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                result.beat(&self.shared.link);
                thread::sleep(AGAIN);
            }
            result.done(&self.shared.link);
        }
        Ok(())
    }

    fn deal_with(&mut self, result: &Taken) -> Result<Verdict, FleetError> {
        let head = result.head().and_then(from_json::<Head>).filter(|head| head.worker.is_fit());
        let Some(head) = head else { return Ok(Verdict::Done) };
        let verdict = self.judge(&head, result.payload())?;
        if let (Verdict::Done, Some((store, name))) = (&verdict, self.place_in_store(&head)) {
            // What stays is removed with the generation's last file.
            let _ = store.remove(&name);
        }
        Ok(verdict)
    }

    /// Where a file is, if not in its message.
    fn place_in_store(&self, head: &Head) -> Option<(&'a Store, String)> {
        let Head { item, worker, stored, .. } = head;
        let content =
            stored.as_ref().filter(|id| id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        Some((self.shared.store.as_ref()?, stored_games(&worker.name, item.generation, item.file, content?)))
    }

    fn judge(&mut self, head: &Head, payload: &[u8]) -> Result<Verdict, FleetError> {
        let Head { item, worker, .. } = head;
        let file = item.file;
        if item.generation != self.order.generation {
            return Ok(Verdict::Done);
        }
        if head.failed {
            self.carry_out(Event::Failed { file, epoch: item.epoch })?;
            return Ok(Verdict::Done);
        }
        if item.order != self.hash {
            self.carry_out(Event::Useless { file })?;
            return Ok(Verdict::Done);
        }
        if !self.ledger.expects(file, &worker.name) {
            // Whoever was faster sent the same. One of which nothing is taken has taken work from others.
            self.carry_out(Event::Useless { file })?;
            return Ok(Verdict::Done);
        }
        let stored = match self.place_in_store(head).map(|(store, name)| store.read(&name, LARGEST_FILE)).transpose() {
            Ok(stored) => stored,
            Err(problem) => {
                self.warn_once(&format!("{problem}: files wait until they are to be had"));
                return Ok(Verdict::Later);
            }
        };
        let content = match (&head.stored, &stored) {
            (None, _) => payload,
            (Some(id), Some(Some(content))) if identity(content) == *id => content,
            // It was lost there, or is another's.
            _ => {
                self.carry_out(Event::Useless { file })?;
                return Ok(Verdict::Done);
            }
        };
        let path = chunk_path(&self.folder, file);
        let new = match NewFile::create(&path, content) {
            Ok(new) => new,
            Err(problem) if is_full(&problem) => {
                self.warn_once(&format!("{problem}: files wait until there is room"));
                return Ok(Verdict::Later);
            }
            Err(problem) => return Err(problem.into()),
        };
        if let Some(why) = self.fault(&new, file)? {
            self.wrong(file, &worker.name, why)?;
            return Ok(Verdict::Done);
        }
        self.incoming = Some(new);
        self.carry_out(Event::Came { file, worker: worker.name.clone() })?;
        self.warned = false;
        self.statistics.add(&head.statistics);
        self.note_part(head);
        if self.is_drawn(file) {
            self.check(file, worker)?;
        }
        Ok(Verdict::Done)
    }

    /// Says why files wait, until one was taken.
    fn warn_once(&mut self, problem: &str) {
        if !self.warned {
            self.warned = true;
            warn(problem);
        }
    }

    /// What is wrong with a file's shape, origin or games.
    fn fault(&self, new: &NewFile, file: u64) -> Result<Option<String>, FleetError> {
        let expected = self.games.config.games_of_file(file);
        let others = || format!("expected games {} to {}, found others", expected.start, expected.end - 1);
        let held = holds(new.partial(), &self.manifest, &expected);
        let held = held.and_then(|holds| replay(&self.games.game, new.partial()).map(|_| holds));
        match held {
            Ok(holds) => Ok((!holds).then(others)),
            // That is our disk's.
            Err(DataError::Io(problem)) => Err(problem.into()),
            Err(problem) => Ok(Some(problem.to_string().replace(&new.partial().display().to_string(), "its file"))),
        }
    }

    /// Whether a file is one of those that are held against the network, which no worker can know.
    fn is_drawn(&self, file: u64) -> bool {
        let text = format!("{} {} {file}", self.shared.secret, self.order.generation);
        let digest = Sha256::digest(text.as_bytes());
        let drawn = u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]);
        f64::from(drawn) < self.shared.config.check * (f64::from(u32::MAX) + 1.0)
    }

    /// Holds a file against the network.
    fn check(&mut self, file: u64, worker: &Introduction) -> Result<(), FleetError> {
        let evaluator = match &mut self.evaluator {
            Some(evaluator) => evaluator,
            empty => {
                let open = backend::open(self.games.checkpoint.clone(), BackendConfig::default());
                let evaluator = open.map_err(RunError::from)?.evaluator(BATCH).map_err(RunError::from)?;
                empty.insert(evaluator)
            }
        };
        let path = chunk_path(&self.folder, file);
        let checked = verify(&self.games.game, &path, self.order.player(), evaluator.as_mut());
        let why = match checked {
            Ok(verified) if verified.is_of_network() => None,
            Ok(verified) => Some(format!(
                "expected what the network says to {VERIFY_TOLERANCE} in the mean, found {:.1e} beside it",
                verified.mean_error
            )),
            Err(VerifyError::Evaluator(problem)) => return Err(RunError::from(problem).into()),
            Err(problem) => Some(problem.to_string()),
        };
        let mut books = self.shared.books();
        if let Some(known) = books.workers.get_mut(&worker.name) {
            known.part.checked += 1;
        }
        drop(books);
        match why {
            None => self.carry_out(Event::Checked { file }),
            Some(why) => self.wrong(file, &worker.name, why),
        }
    }

    /// A worker sent what is not so.
    fn wrong(&mut self, file: u64, worker: &str, why: String) -> Result<(), FleetError> {
        let said = format!("file {file} of generation {}: {why}", self.order.generation);
        warn(&format!("nothing is taken from worker {worker} any more: {said}"));
        self.shared.books().refused.insert(worker.to_owned(), said.clone());
        self.carry_out(Event::Wrong { file, worker: worker.to_owned(), why: said })
    }

    fn note_part(&self, head: &Head) {
        let mut books = self.shared.books();
        let Some(known) = Known::of(&mut books.workers, &head.worker) else { return };
        let part = &mut known.part;
        part.files += 1;
        part.games += head.statistics.games;
        part.plies += head.statistics.plies;
        part.evaluations += head.statistics.evaluations;
        part.redelivered += u64::from(head.delivery > 1);
    }

    fn note_begun(&mut self, message: &[u8]) -> Result<(), FleetError> {
        match from_json::<Begun>(message) {
            Some(Begun { item, worker }) if item.order == self.hash && check_worker(&worker).is_ok() => {
                self.carry_out(Event::Begun { file: item.file, worker })
            }
            _ => Ok(()),
        }
    }

    /// Takes down what happened, and does what follows.
    fn carry_out(&mut self, event: Event) -> Result<(), FleetError> {
        for task in self.ledger.hear(event) {
            match task {
                Task::Publish { file, epoch } => self.unpublished.push((file, epoch)),
                Task::Shelve { .. } => {
                    // Where there is one already it has the same games.
                    self.incoming.take().map(NewFile::finish).transpose()?;
                }
                Task::Remove { file } => {
                    let path = chunk_path(&self.folder, file);
                    match fs::remove_file(&path) {
                        Err(problem) if problem.kind() != io::ErrorKind::NotFound => {
                            return Err(IoError::at(&path)(problem).into());
                        }
                        _ => {}
                    }
                }
                Task::PlayHere { file, .. } => {
                    let generation = self.order.generation;
                    warn(&format!("file {file} of generation {generation} ended its workers and is played here"));
                    self.here.play(self.shared, &self.games.devices, generation, file)?;
                }
                Task::GiveUp { file, workers } => {
                    let (generation, workers) = (self.order.generation, workers.join(", "));
                    return Err(FleetError::Poison { generation, file, workers });
                }
            }
        }
        Ok(())
    }

    /// Puts among the work what is to go there, as far as the server takes it.
    fn publish(&mut self) {
        let (link, names) = (&self.shared.link, &self.shared.names);
        while let Some(&(file, epoch)) = self.unpublished.last() {
            let item = Item {
                generation: self.order.generation,
                file,
                order: self.hash.clone(),
                checkpoint: self.order.checkpoint.clone(),
                epoch,
            };
            let subject = names.work(item.generation, &self.hash, file);
            match link.publish(subject, None, to_json(&item), None) {
                // It is there, and perhaps somebody is at it.
                Ok(_) | Err(Unpublished::Taken) => {
                    self.unpublished.pop();
                }
                Err(problem) => {
                    tracing::info!("{item}: {problem}");
                    return;
                }
            }
        }
    }

    /// Publishes anew what is missing where the server has nothing more of it: its store was lost, or a worker ended an
    /// item that it did not understand.
    fn look_for_lost_work(&mut self) -> Result<(), FleetError> {
        match self.shared.announce(self.games, &self.order) {
            Ok(()) if self.unpublished.is_empty() => {}
            Err(problem) if problem.may_pass() => {
                tracing::info!("{problem}");
                return Ok(());
            }
            otherwise => return otherwise,
        }
        let (link, names) = (&self.shared.link, &self.shared.names);
        // A worker answers for an item when its result is kept, so that one of the two is always there.
        let depth = |stream: String| link.depth(&stream).map(|depth| depth.messages);
        let [work, results] = [depth(names.work_stream()), depth(names.results_stream())];
        if matches!((work, results), (Ok(0), Ok(0))) {
            self.carry_out(Event::QueueLost)?;
        }
        Ok(())
    }
}

fn is_full(problem: &IoError) -> bool {
    problem.source.kind() == io::ErrorKind::StorageFull
}

//! The files that a worker plays: leased one at a time, their games handed out to its threads, and given back as files.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

use super::{messages::Item, queue::Taken};
use crate::{
    data::GameRecord,
    selfplay::{Feed, Next, Statistics},
};

/// A file that was taken to be played.
pub struct Lease {
    pub item: Item,
    /// None for a file that is played without: nobody else would take it.
    pub taken: Option<Taken>,
    /// Which delivery it was, from 1.
    pub delivery: u64,
}

/// A file whose games are all over, and wait to be written down.
pub struct Finished {
    pub lease: Lease,
    pub games: Vec<GameRecord>,
    pub statistics: Statistics,
}

/// A file whose games are being played.
struct Open {
    lease: Lease,
    games: u64,
    finished: Vec<GameRecord>,
    statistics: Statistics,
}

#[derive(Default)]
struct Books {
    /// Games that are not begun.
    waiting: VecDeque<u64>,
    /// By number.
    open: BTreeMap<u64, Open>,
    /// A file of another order, which is to be played next.
    next: Option<Lease>,
}

/// All files of one order that a worker plays.
#[derive(Default)]
pub struct Leases {
    books: Mutex<Books>,
    /// Whether no more files come.
    over: AtomicBool,
    /// Plies decided and positions evaluated so far.
    plies: AtomicU64,
    evaluations: AtomicU64,
    /// Files that wait to be sent.
    unsent: AtomicUsize,
}

impl Leases {
    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a file in.
    pub fn add(&self, lease: Lease, games: Range<u64>) {
        let (mut books, file, count) = (self.books(), lease.item.file, games.end - games.start);
        books.waiting.extend(games);
        books.open.insert(file, Open { lease, games: count, finished: Vec::new(), statistics: Statistics::default() });
    }

    /// Whether a file is among them.
    pub fn has(&self, file: u64) -> bool {
        self.books().open.contains_key(&file)
    }

    /// Whether the threads have room for more games than there are.
    pub fn is_hungry(&self, places: u64) -> bool {
        let books = self.books();
        let playing: u64 = books.open.values().map(|open| open.games - open.finished.len() as u64).sum();
        books.waiting.is_empty() && playing < places
    }

    /// Puts a game to the others of its file, and gives the file when that was the last.
    pub fn put(&self, file: u64, record: GameRecord, of_game: &Statistics) -> Option<Finished> {
        let mut books = self.books();
        let open = books.open.get_mut(&file)?;
        open.finished.push(record);
        open.statistics.add(of_game);
        if (open.finished.len() as u64) < open.games {
            return None;
        }
        let Open { lease, finished: mut games, statistics, .. } = books.open.remove(&file)?;
        games.sort_unstable_by_key(|game| game.index);
        Some(Finished { lease, games, statistics })
    }

    /// No more files come.
    pub fn close(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Keeps a file of another order for later: no more files of this one come.
    pub fn close_with(&self, next: Lease) {
        self.books().next = Some(next);
        self.close();
    }

    /// The file that was kept for later.
    pub fn take_next(&self) -> Option<Lease> {
        self.books().next.take()
    }

    /// Whether no more files come.
    pub fn is_closed(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Notes how many plies were decided, and positions evaluated.
    pub fn note(&self, plies: u64, evaluations: u64) {
        self.plies.store(plies, Ordering::Relaxed);
        self.evaluations.store(evaluations, Ordering::Relaxed);
    }

    pub fn plies(&self) -> u64 {
        self.plies.load(Ordering::Relaxed)
    }

    pub fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Notes how many files wait to be sent.
    pub fn note_waiting(&self, files: usize) {
        self.unsent.store(files, Ordering::Relaxed);
    }

    pub fn waiting_files(&self) -> usize {
        self.unsent.load(Ordering::Relaxed)
    }

    /// The files that are played.
    pub fn files(&self) -> Vec<u64> {
        self.books().open.keys().copied().collect()
    }

    /// Does something with every lease.
    pub fn for_each(&self, mut with: impl FnMut(&Lease)) {
        let books = self.books();
        books.open.values().map(|open| &open.lease).chain(&books.next).for_each(&mut with);
    }

    /// All leases, of files that will not be finished.
    pub fn abandon(&self) -> Vec<Lease> {
        let mut books = self.books();
        books.waiting.clear();
        std::mem::take(&mut books.open).into_values().map(|open| open.lease).collect()
    }
}

impl Feed for Leases {
    fn next(&self) -> Next {
        match self.books().waiting.pop_front() {
            Some(game) => Next::Game(game),
            None if self.over.load(Ordering::Relaxed) => Next::Over,
            None => Next::Wait,
        }
    }
}

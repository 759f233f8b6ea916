//! A cache of evaluations by position.

use crate::{
    game::{Encode, Game, Rules, Wdl},
    model::Logits,
};

/// Ways of a set: how many positions with the same low bits of the key are kept side by side.
const WAYS: usize = 4;

/// What an evaluator says of one position, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<'a> {
    /// Policy logits of the legal actions, in their order, `[legal actions]`; see [`gather_logits`].
    pub logits: &'a [f32],
    /// Probability of win, draw and loss.
    pub wdl: Wdl,
    /// Expected plies until the game's end.
    pub moves_left: f32,
}

/// Replaces the content of `out` by the logits of the legal actions, taken from row `row` of a batch.
pub fn gather_logits<R: Encode>(
    game: &Game<R>,
    position: &R::Position,
    legal: &[R::Action],
    logits: &Logits,
    row: usize,
    out: &mut Vec<f32>,
) {
    out.clear();
    out.extend(legal.iter().map(|&action| logits.get(row, game.rules().action_index(position, action))));
}

#[derive(Clone, Debug)]
struct Entry<P> {
    position: P,
    repetitions: u32,
    wdl: Wdl,
    moves_left: f32,
    /// When the entry was last written or found.
    used: u64,
    logits: Vec<f32>,
}

/// Evaluations by position and repetitions, in bounded memory.
///
/// Entries compare the whole position, not its hash alone, so an answer is never another position's. The key picks a
/// set of four; when the set is full, the least recently used goes. What is kept depends only on the sequence of calls,
/// and since an evaluator's answer depends on the position alone, no game depends on what is kept.
#[derive(Clone, Debug)]
pub struct Cache<R: Rules> {
    /// `[sets * WAYS]`; the entries of a set stand together.
    entries: Vec<Option<Entry<R::Position>>>,
    clock: u64,
    hits: u64,
    misses: u64,
}

/// Places of a cache of at least `capacity` positions.
fn places(capacity: usize) -> usize {
    if capacity == 0 { 0 } else { capacity.div_ceil(WAYS).next_power_of_two() * WAYS }
}

impl<R: Rules> Cache<R> {
    /// A cache of at least `capacity` positions; 0 keeps nothing. Memory beyond a slot each is taken as positions come.
    pub fn new(capacity: usize) -> Self {
        Cache { entries: vec![None; places(capacity)], clock: 0, hits: 0, misses: 0 }
    }

    /// Memory of such a cache that is full of positions with so many legal actions, in bytes.
    pub fn full_bytes(capacity: usize, actions: usize) -> usize {
        places(capacity) * (size_of::<Option<Entry<R::Position>>>() + actions * size_of::<f32>())
    }

    /// Look-ups that found their position.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Look-ups that did not.
    pub fn misses(&self) -> u64 {
        self.misses
    }

    /// Forgets every position, as must be done when the network changes. The counts of hits and misses stay.
    pub fn clear(&mut self) {
        self.entries.fill(None);
    }

    /// What was said of `position` when it had occurred `repetitions` times before.
    pub fn get(&mut self, game: &Game<R>, position: &R::Position, repetitions: u32) -> Option<Evaluation<'_>> {
        self.clock += 1;
        let clock = self.clock;
        let set = self.set(game, position, repetitions);
        let found =
            self.entries[set].iter_mut().flatten().find(|e| e.repetitions == repetitions && e.position == *position);
        match found {
            None => {
                self.misses += 1;
                None
            }
            Some(entry) => {
                self.hits += 1;
                entry.used = clock;
                Some(Evaluation { logits: &entry.logits, wdl: entry.wdl, moves_left: entry.moves_left })
            }
        }
    }

    /// Remembers what was said of a position.
    pub fn insert(&mut self, game: &Game<R>, position: &R::Position, repetitions: u32, evaluation: Evaluation<'_>) {
        self.clock += 1;
        let clock = self.clock;
        let set = self.set(game, position, repetitions);
        let entries = &mut self.entries[set];
        let same = |e: &Option<Entry<R::Position>>| {
            e.as_ref().is_some_and(|e| e.repetitions == repetitions && e.position == *position)
        };
        let way = entries
            .iter()
            .position(same)
            .or_else(|| (0..entries.len()).min_by_key(|&way| entries[way].as_ref().map_or(0, |e| e.used)));
        let Some(way) = way else { return };
        let mut logits = entries[way].take().map_or_else(Vec::new, |e| e.logits);
        logits.clear();
        logits.extend_from_slice(evaluation.logits);
        let (wdl, moves_left) = (evaluation.wdl, evaluation.moves_left);
        entries[way] = Some(Entry { position: *position, repetitions, wdl, moves_left, used: clock, logits });
    }

    /// The places where a position may stand; empty in a cache of no capacity.
    fn set(&self, game: &Game<R>, position: &R::Position, repetitions: u32) -> std::ops::Range<usize> {
        if self.entries.is_empty() {
            return 0..0;
        }
        let sets = self.entries.len() / WAYS;
        let key = (game.counters(position).key() ^ u64::from(repetitions)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let first = (key >> 32) as usize & (sets - 1);
        first * WAYS..(first + 1) * WAYS
    }
}

//! One thread's share of the games: many slots in lockstep, one evaluator, one cache.

use std::{
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::Sender,
    },
    time::Instant,
};

use super::{
    SelfPlayConfig,
    slot::{Advance, Finished, Slot},
    statistics::Round,
};
use crate::{
    encode::Rows,
    game::Encode,
    model::{Evaluations, Evaluator, EvaluatorError},
    search::Cache,
};

/// How often a shard tells of its work: often enough for an eye, seldom enough to cost nothing.
const REPORT_SECONDS: f64 = 0.05;

/// What a shard tells the thread that collects.
#[derive(Debug)]
pub enum Message {
    Game(Box<Finished>),
    Round(Round),
    Failed(EvaluatorError),
}

/// The games still to be handed out, and the word to stop; what all shards share.
#[derive(Debug)]
pub struct Work<'a> {
    pub seed: u64,
    pub generation: u64,
    /// Indices of the games to play.
    pub games: &'a [u64],
    /// How many of them are handed out.
    pub handed_out: AtomicUsize,
    pub stop: &'a AtomicBool,
}

impl Work<'_> {
    /// The next game to play.
    fn next(&self) -> Option<u64> {
        // The list is short beside `usize::MAX`, so the counter cannot come round.
        self.games.get(self.handed_out.fetch_add(1, Ordering::Relaxed)).copied()
    }
}

/// A thread's slots and what they share.
pub struct Shard<'a, G: Encode> {
    game: &'a G,
    config: &'a SelfPlayConfig,
    work: &'a Work<'a>,
    evaluator: Box<dyn Evaluator>,
    cache: Cache<G>,
    slots: Vec<Slot<G>>,
    /// The slot whose turn it is: more slots than a batch holds take turns, so that batches are full as long as there are games.
    turn: usize,
    rows: Rows,
    evaluations: Evaluations,
    /// Slots whose positions are in `rows`, in that order.
    waiting: Vec<usize>,
    /// Work done that the collector has not heard of.
    unreported: Round,
}

impl<'a, G: Encode> Shard<'a, G> {
    pub fn new(game: &'a G, config: &'a SelfPlayConfig, work: &'a Work<'a>, evaluator: Box<dyn Evaluator>) -> Self {
        Shard {
            game,
            config,
            work,
            evaluator,
            cache: Cache::new(config.cache_positions),
            slots: (0..config.slots).map(|_| Slot::new()).collect(),
            turn: 0,
            rows: Rows::new(game.layout()),
            evaluations: Evaluations::default(),
            waiting: Vec::new(),
            unreported: Round::default(),
        }
    }

    /// Plays until there are no more games, the word to stop comes, or nobody listens any more.
    pub fn run(mut self, messages: &Sender<Message>) {
        let batch = self.evaluator.batch_size().max(1);
        loop {
            let idle = match self.round(batch, messages) {
                Ok(evaluated) => !evaluated,
                Err(Halt::Stopped) => return,
                Err(Halt::Failed(error)) => {
                    let _ = messages.send(Message::Failed(error));
                    return;
                }
            };
            if idle || self.unreported.seconds >= REPORT_SECONDS {
                let round = std::mem::take(&mut self.unreported);
                if messages.send(Message::Round(round)).is_err() || idle {
                    return;
                }
            }
        }
    }

    /// Plays slots on, one after another from where the last round left off, until a batch of them needs evaluations or all had their turn, and evaluates
    /// those. Says whether there were any.
    fn round(&mut self, batch: usize, messages: &Sender<Message>) -> Result<bool, Halt> {
        if self.work.stop.load(Ordering::Relaxed) {
            return Err(Halt::Stopped);
        }
        let start = Instant::now();
        let (hits, misses) = (self.cache.hits(), self.cache.misses());
        self.rows.clear();
        self.waiting.clear();
        for _ in 0..self.slots.len() {
            if self.waiting.len() == batch {
                break;
            }
            let slot = self.turn;
            self.turn = (slot + 1) % self.slots.len();
            if self.advance(slot, messages)? {
                self.slots[slot].push_row(self.game, &mut self.rows);
                self.waiting.push(slot);
            }
        }
        let evaluations = self.waiting.len();
        let round = &mut self.unreported;
        round.evaluations += evaluations as u64;
        if evaluations > 0 {
            let asked = Instant::now();
            self.evaluator.evaluate(&self.rows, &mut self.evaluations).map_err(Halt::Failed)?;
            round.evaluation_seconds += asked.elapsed().as_secs_f64();
            round.batch_rows += batch as u64;
            for (row, &slot) in self.waiting.iter().enumerate() {
                self.slots[slot].supply(self.game, &mut self.cache, &self.evaluations, row);
            }
        }
        round.cache_hits += self.cache.hits() - hits;
        round.cache_misses += self.cache.misses() - misses;
        round.seconds += start.elapsed().as_secs_f64();
        Ok(evaluations > 0)
    }

    /// Plays a slot on, game after game, until it needs an evaluation; `false` when there are no more games.
    fn advance(&mut self, slot: usize, messages: &Sender<Message>) -> Result<bool, Halt> {
        loop {
            match self.slots[slot].advance(self.game, self.config, &mut self.cache) {
                Advance::Evaluate => return Ok(true),
                Advance::Finished(finished) => {
                    messages.send(Message::Game(Box::new(finished))).map_err(|_| Halt::Stopped)?;
                    if self.work.stop.load(Ordering::Relaxed) {
                        return Err(Halt::Stopped);
                    }
                }
                Advance::Idle => match self.work.next() {
                    None => return Ok(false),
                    Some(index) => {
                        self.slots[slot].start(self.game, self.config, self.work.seed, self.work.generation, index);
                    }
                },
            }
        }
    }
}

/// Why a shard ends before its games do.
enum Halt {
    Stopped,
    Failed(EvaluatorError),
}

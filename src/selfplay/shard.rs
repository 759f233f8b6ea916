//! One thread's share of the games: many slots in lockstep, one evaluator, one cache.

use std::{
    mem::swap,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    SelfPlayConfig,
    feed::{Feed, Next},
    slot::{Advance, Finished, Slot},
    statistics::Round,
};
use crate::{
    encode::Rows,
    game::{Encode, Facts, Game, Layout, Material},
    model::{Evaluations, Evaluator, EvaluatorError},
    search::Cache,
};

/// How often a shard reports its work: often enough to be watched, rarely enough to cost nothing.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// How long a shard sleeps that has no game and may get one.
const WAIT: Duration = Duration::from_millis(2);

/// A report of a shard to the collecting thread.
#[derive(Debug)]
pub enum Message {
    Game(Box<Finished>),
    Round(Round),
    Failed(EvaluatorError),
}

/// The games still to be handed out, and the word to stop; what all shards share.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    pub seed: u64,
    pub generation: u64,
    /// Hands out the games.
    pub games: &'a dyn Feed,
    pub stop: &'a AtomicBool,
}

/// A thread's slots and what they share.
///
/// Where the evaluator works in the background, a batch is gathered while the one before it is evaluated: the slots
/// split into two halves by themselves.
pub struct Shard<'a, R: Encode + Facts + Material> {
    game: &'a Game<R>,
    config: &'a SelfPlayConfig,
    work: Work<'a>,
    evaluator: Box<dyn Evaluator>,
    cache: Cache<R>,
    slots: Vec<Slot<R>>,
    /// Which slots wait for answers.
    away: Vec<bool>,
    /// Whether there may be games soon, though there was none when they were last asked for.
    waits: bool,
    /// The slot whose turn it is: more slots than a batch holds take turns, so that batches are full as long as there
    /// are games.
    turn: usize,
    /// The batch that is being gathered.
    gathering: Batch,
    /// The batch that is evaluated meanwhile; empty when none is.
    under_way: Batch,
    /// The batch whose answers are in `evaluations`.
    answered: Batch,
    evaluations: Evaluations,
    /// Work done that is not yet reported to the collector.
    unreported: Round,
}

/// Rows on their way through the evaluator.
struct Batch {
    rows: Rows,
    /// Slots whose positions the rows are, in that order.
    slots: Vec<usize>,
}

impl Batch {
    fn new(layout: &'static Layout) -> Self {
        Batch { rows: Rows::new(layout), slots: Vec::new() }
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.slots.clear();
    }
}

impl<'a, R: Encode + Facts + Material> Shard<'a, R> {
    pub fn new(game: &'a Game<R>, config: &'a SelfPlayConfig, work: Work<'a>, evaluator: Box<dyn Evaluator>) -> Self {
        Shard {
            game,
            config,
            work,
            evaluator,
            cache: Cache::new(config.cache_positions),
            slots: (0..config.slots).map(|_| Slot::new()).collect(),
            away: vec![false; config.slots],
            waits: false,
            turn: 0,
            gathering: Batch::new(game.layout()),
            under_way: Batch::new(game.layout()),
            answered: Batch::new(game.layout()),
            evaluations: Evaluations::default(),
            unreported: Round::default(),
        }
    }

    /// Plays until there are no more games, the word to stop comes, or the receiver is gone.
    pub fn run(mut self, messages: &Sender<Message>) {
        let batch = self.evaluator.batch_size().max(1);
        let mut reported = Instant::now();
        loop {
            let idle = match self.round(batch, messages) {
                Ok(evaluated) => !evaluated,
                Err(Halt::Stopped) => return,
                Err(Halt::Failed(error)) => {
                    let _ = messages.send(Message::Failed(error));
                    return;
                }
            };
            let over = idle && !self.waits;
            if over || reported.elapsed() >= REPORT_EVERY {
                reported = Instant::now();
                let round = std::mem::take(&mut self.unreported);
                if messages.send(Message::Round(round)).is_err() || over {
                    return;
                }
            }
            if idle {
                thread::sleep(WAIT);
            }
        }
    }

    /// Gathers a batch and has it evaluated, or the one before it, which was under way meanwhile. Says whether there
    /// was any.
    fn round(&mut self, batch: usize, messages: &Sender<Message>) -> Result<bool, Halt> {
        if self.work.stop.load(Ordering::Relaxed) {
            return Err(Halt::Stopped);
        }
        let start = Instant::now();
        let (hits, misses) = (self.cache.hits(), self.cache.misses());
        self.gather(batch, messages)?;
        let gathered = self.gathering.slots.len();
        let asked = Instant::now();
        self.evaluate().map_err(Halt::Failed)?;
        self.unreported.evaluation_seconds += asked.elapsed().as_secs_f64();
        for (row, &slot) in self.answered.slots.iter().enumerate() {
            self.slots[slot].supply(self.game, &mut self.cache, &self.evaluations, row);
            self.away[slot] = false;
        }
        let busy = gathered > 0 || !self.answered.slots.is_empty();
        self.answered.clear();
        if gathered > 0 {
            self.unreported.evaluations += gathered as u64;
            self.unreported.batch_rows += batch as u64;
        }
        let round = &mut self.unreported;
        round.cache_hits += self.cache.hits() - hits;
        round.cache_misses += self.cache.misses() - misses;
        round.seconds += start.elapsed().as_secs_f64();
        Ok(busy)
    }

    /// Plays slots on, one after another from where the last round left off, until a batch of them needs evaluations or
    /// all had their turn.
    fn gather(&mut self, batch: usize, messages: &Sender<Message>) -> Result<(), Halt> {
        for _ in 0..self.slots.len() {
            if self.gathering.slots.len() == batch {
                break;
            }
            let slot = self.turn;
            self.turn = (slot + 1) % self.slots.len();
            if self.away[slot] {
                continue;
            }
            let waits = self.advance(slot, messages)?;
            let effort = self.slots[slot].take_effort();
            self.unreported.plies += effort.plies;
            self.unreported.playouts += effort.playouts;
            if waits {
                self.slots[slot].push_row(self.game, &mut self.gathering.rows);
                self.gathering.slots.push(slot);
                self.away[slot] = true;
            }
        }
        Ok(())
    }

    /// Answers the batch that was gathered; or, in the background, sets it going and answers the one before it.
    fn evaluate(&mut self) -> Result<(), EvaluatorError> {
        match self.evaluator.background() {
            None => {
                if !self.gathering.slots.is_empty() {
                    self.evaluator.evaluate(&self.gathering.rows, &mut self.evaluations)?;
                }
                swap(&mut self.gathering, &mut self.answered);
            }
            Some(background) => {
                if !self.under_way.slots.is_empty() {
                    background.finish(&mut self.evaluations)?;
                }
                if !self.gathering.slots.is_empty() {
                    background.start(&self.gathering.rows)?;
                }
                swap(&mut self.under_way, &mut self.answered);
                swap(&mut self.gathering, &mut self.under_way);
            }
        }
        Ok(())
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
                Advance::Idle => match self.work.games.next() {
                    nothing @ (Next::Wait | Next::Over) => {
                        self.waits = nothing == Next::Wait;
                        return Ok(false);
                    }
                    Next::Game(index) => {
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

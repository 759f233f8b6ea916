//! Many games side by side.

use std::{fmt, sync::Arc};

use maydan::{
    encode::Rows,
    game::{
        Game, Layout, Outcome, Playable, Side,
        random::{Rng, stream},
    },
};
use rand::Rng as _;
use rayon::prelude::*;

use crate::line::{AnyLine, Line};

/// Games that one thread takes at a time at least: fewer cost less than handing them over.
const CHUNK: usize = 32;

/// An action that cannot be played.
#[derive(Debug)]
pub struct IllegalAction {
    pub game: usize,
    pub index: i64,
    pub position: String,
}

/// Games side by side whose type is known only at run time. Slices that it reads or writes have an entry a game.
pub trait AnyPositions: Send + Sync + fmt::Debug {
    /// Number of games.
    fn len(&self) -> usize;
    /// The shape of a row.
    fn layout(&self) -> &'static Layout;
    /// One of the games; its history begins where the game did or was begun anew.
    ///
    /// # Panics
    /// When there is no such game.
    fn line(&self, game: usize) -> Box<dyn AnyLine>;
    /// Where the legal actions are, `[N, A]`, all 0 before. Games that are over have none.
    fn legal_mask(&self, out: &mut [bool]);
    /// A legal action of each game, drawn evenly; -1 where it is over.
    fn random_actions(&mut self) -> Vec<i64>;
    /// Plays an action in each game that is not over; those that are stay as they are.
    ///
    /// # Errors
    /// When an action is not legal: nothing is played then.
    fn step(&mut self, actions: &[i64]) -> Result<(), IllegalAction>;
    /// The positions as the network sees them, `[N, C, H, W]`.
    fn planes(&self, out: &mut [f32]);
    /// How each game ended, if it did.
    fn outcomes(&self) -> Vec<Option<Outcome>>;
    /// Whose turn it is in each game.
    fn sides(&self) -> Vec<Side>;
    /// Plies of each game, by its position's own counters.
    fn plies(&self) -> Vec<u32>;
    /// Begins games anew.
    fn reset(&mut self, which: &[bool]);
    /// The same games once more, which go their own way.
    fn copy(&self) -> Box<dyn AnyPositions>;
}

/// [`AnyPositions`] of a known game.
#[derive(Clone, Debug)]
pub struct Positions<R: Playable> {
    game: Arc<Game<R>>,
    slots: Vec<Slot<R>>,
}

#[derive(Clone, Debug)]
struct Slot<R: Playable> {
    line: Line<R>,
    rng: Rng,
    /// Place of the action that was drawn last, which is likely the one that comes.
    drawn: usize,
}

impl<R: Playable> Slot<R> {
    /// Place of a legal action by its index.
    fn place(&self, index: u32) -> Option<usize> {
        let drawn = self.line.legal_actions().get(self.drawn);
        let is_drawn = drawn.is_some_and(|&action| self.line.index(action) == index);
        if is_drawn { Some(self.drawn) } else { self.line.by_index(index) }
    }
}

impl<R: Playable> Positions<R> {
    /// So many games at their start. Game `i` draws from a stream keyed by (`seed`, `i`).
    pub fn new(game: Arc<Game<R>>, games: usize, seed: u64) -> Self {
        let start = Line::new(game.clone(), game.start());
        let slot = |i| Slot { line: start.clone(), rng: stream("python", seed, 0, i as u64), drawn: 0 };
        Positions { game, slots: (0..games).map(slot).collect() }
    }

    /// Places of the actions among the legal ones; `None` for a game that is over.
    fn places(&self, actions: &[i64]) -> Result<Vec<Option<usize>>, IllegalAction> {
        let place = |(game, (slot, &index)): (usize, (&Slot<R>, &i64))| {
            if slot.line.outcome().is_some() {
                return Ok(None);
            }
            let place = u32::try_from(index).ok().and_then(|index| slot.place(index));
            place.map(Some).ok_or_else(|| IllegalAction { game, index, position: slot.line.position() })
        };
        // The error of the first game, whichever thread meets one first.
        let places: Vec<_> = self.slots.par_iter().zip(actions).enumerate().with_min_len(CHUNK).map(place).collect();
        places.into_iter().collect()
    }
}

impl<R: Playable> AnyPositions for Positions<R> {
    fn len(&self) -> usize {
        self.slots.len()
    }

    fn layout(&self) -> &'static Layout {
        self.game.layout()
    }

    fn line(&self, game: usize) -> Box<dyn AnyLine> {
        Box::new(self.slots[game].line.clone())
    }

    fn legal_mask(&self, out: &mut [bool]) {
        let actions = self.layout().actions();
        self.slots.par_iter().zip(out.par_chunks_exact_mut(actions)).with_min_len(CHUNK).for_each(|(slot, mask)| {
            if slot.line.outcome().is_none() {
                slot.line.legal_actions().iter().for_each(|&action| mask[slot.line.index(action) as usize] = true);
            }
        });
    }

    fn random_actions(&mut self) -> Vec<i64> {
        let draw = |slot: &mut Slot<R>| {
            if slot.line.outcome().is_some() {
                return -1;
            }
            let legal = slot.line.legal_actions();
            slot.drawn = slot.rng.random_range(0..legal.len());
            i64::from(slot.line.index(legal[slot.drawn]))
        };
        self.slots.par_iter_mut().with_min_len(CHUNK).map(draw).collect()
    }

    fn step(&mut self, actions: &[i64]) -> Result<(), IllegalAction> {
        let places = self.places(actions)?;
        self.slots.par_iter_mut().zip(places).with_min_len(CHUNK).for_each(|(slot, place)| {
            if let Some(place) = place {
                slot.line.play(place);
            }
        });
        Ok(())
    }

    fn planes(&self, out: &mut [f32]) {
        let layout = self.layout();
        let row = layout.channels() * layout.squares();
        let rows = self.slots.par_iter().zip(out.par_chunks_exact_mut(row)).with_min_len(CHUNK);
        rows.for_each_init(
            || Rows::new(layout),
            |rows, (slot, out)| {
                rows.clear();
                rows.push(&self.game, slot.line.now(), slot.line.repetitions());
                rows.unpack(0, out);
            },
        );
    }

    fn outcomes(&self) -> Vec<Option<Outcome>> {
        self.slots.iter().map(|slot| slot.line.outcome()).collect()
    }

    fn sides(&self) -> Vec<Side> {
        self.slots.iter().map(|slot| slot.line.side()).collect()
    }

    fn plies(&self) -> Vec<u32> {
        self.slots.iter().map(|slot| slot.line.ply()).collect()
    }

    fn reset(&mut self, which: &[bool]) {
        let start = Line::new(self.game.clone(), self.game.start());
        for (slot, _) in self.slots.iter_mut().zip(which).filter(|(_, begins)| **begins) {
            slot.line = start.clone();
        }
    }

    fn copy(&self) -> Box<dyn AnyPositions> {
        Box::new(self.clone())
    }
}

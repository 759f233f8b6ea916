//! One game with its pieces and events, as every measure sees it, and how results are grouped.

use std::sync::Arc;

use super::{
    event::{Event, ReserveKinds},
    pieces::Lives,
};
use crate::{
    estimate::Weights,
    game::{Side, TextGame},
    stats::{Bands, GameColumns},
};

/// All generations together; band `b` is group `b + 1`.
pub const ALL: usize = 0;

/// One game as the measures see it.
pub struct Observed<'a> {
    pub game: &'a GameColumns,
    pub lives: &'a Lives,
    pub events: &'a [Event],
    pub weights: &'a Weights,
    /// The groups that the game counts in.
    pub groups: &'a [usize],
}

impl Observed<'_> {
    /// The events of one kind of one side, in their order.
    pub fn events_of(&self, side: Side, kind: u8) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.side == side && event.kind == kind)
    }
}

/// Both sides.
pub const SIDES: [Side; 2] = [Side::White, Side::Black];

/// What the games have in common.
pub struct Scope {
    pub rules: Arc<dyn TextGame>,
    pub kinds: ReserveKinds,
    pub bands: Bands,
    pub zone_kinds: String,
    /// Names of the runs.
    pub runs: Vec<Arc<str>>,
}

impl Scope {
    /// The groups of a generation.
    pub fn groups_of(&self, generation: u64) -> Vec<usize> {
        if self.bands.len() == 1 { vec![ALL] } else { vec![ALL, 1 + self.bands.of(generation)] }
    }

    /// Every group.
    pub fn groups(&self) -> std::ops::Range<usize> {
        if self.bands.len() == 1 { ALL..1 } else { ALL..1 + self.bands.len() }
    }

    /// `all`, or the generations of the band.
    pub fn group_name(&self, group: usize) -> String {
        if group == ALL { "all".to_owned() } else { self.bands.name(group - 1) }
    }

    /// The name of a kind of action.
    pub fn kind(&self, kind: u8) -> &'static str {
        self.rules.action_kinds()[usize::from(kind)]
    }
}

/// Counts over games.
pub trait Measure {
    /// Counts a game.
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope);
}

//! What every question about reserves is asked of: one game with its men and events, and how the answers are grouped.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    event::{Event, ReserveKinds},
    men::Lives,
};
use crate::{
    estimate::Weights,
    game::{Side, Spoken},
    page::{Block, Cell, Phrase},
    stats::{Bands, GameColumns, words::kind_name},
};

/// All generations together; band `b` is group `b + 1`.
pub const ALL: usize = 0;

/// One game as the questions see it.
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
    pub rules: Arc<dyn Spoken>,
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

    /// The group as a table has it.
    pub fn group_cell(&self, group: usize) -> Cell {
        let name = self.group_name(group);
        if group == ALL { Cell::Words(Phrase::new(name, "الكل")) } else { Cell::Text(name) }
    }

    /// The name of a kind of action as a table has it.
    pub fn kind_cell(&self, kind: u8) -> Cell {
        Cell::Words(kind_name(self.kind(kind)))
    }

    /// The group as a legend has it.
    pub fn group_phrase(&self, group: usize) -> Phrase {
        let name = self.group_name(group);
        match group {
            ALL => Phrase::new("all generations", "كل الأجيال"),
            _ => Phrase::new(format!("generations {name}"), format!("الأجيال {name}")),
        }
    }

    /// The name of a kind of action.
    pub fn kind(&self, kind: u8) -> &'static str {
        self.rules.action_kinds()[usize::from(kind)]
    }

    /// Which games were looked at, to end a caption with.
    pub fn filter(&self) -> Phrase {
        let (first, last) = (self.bands.range(0), self.bands.range(self.bands.len() - 1));
        let runs: BTreeSet<&str> = self.runs.iter().map(|run| &**run).collect();
        let runs = runs.into_iter().collect::<Vec<_>>().join(", ");
        Phrase::new(
            format!("Games of {runs}, generations {} to {}.", first.start(), last.end()),
            format!("مباريات {runs}، الأجيال من {} إلى {}.", first.start(), last.end()),
        )
    }
}

/// A question: hears every game, then answers.
pub trait Question {
    fn hear(&mut self, game: &Observed<'_>, scope: &Scope);
    /// Tables and figures, the heading first.
    fn answer(&self, scope: &Scope) -> Vec<Block>;
}

/// One phrase after another.
pub fn sentence(parts: &[&Phrase]) -> Phrase {
    let join = |pick: fn(&Phrase) -> &str| parts.iter().map(|part| pick(part)).collect::<Vec<_>>().join(" ");
    Phrase::new(join(|part| &part.en), join(|part| &part.ar))
}

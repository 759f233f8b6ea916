//! Events by file and time, and by square, seen by the side whose event it is.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    estimate::Interval,
    game::Side,
    stats::reserves::observed::{ALL, Measure, Observed, SIDES, Scope},
};

/// Plies of one column of the map by time.
pub const PLIES: usize = 10;
/// Columns of the map by time; the last holds all later plies.
pub const TIMES: usize = 20;

/// Sides and events by place.
#[derive(Default)]
pub struct Places {
    /// Sides of games by group: two a game.
    sides: BTreeMap<usize, u64>,
    /// By group, kind, column, ply / [`PLIES`].
    files: BTreeMap<(usize, u8, usize, usize), Count>,
    /// By group, kind, row, column.
    squares: BTreeMap<(usize, u8, usize, usize), Count>,
}

/// Events, and sides with at least one.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub events: u64,
    pub sides: u64,
}

/// Events at one place with the share of a group's sides that had one there.
#[derive(Clone, Copy)]
pub struct Place {
    pub group: usize,
    /// Column and ply / [`PLIES`], or column and row.
    pub at: (usize, usize),
    pub count: Count,
    pub share: Interval,
}

impl Places {
    /// Sides of all games.
    pub fn sides(&self) -> u64 {
        self.sides.get(&ALL).copied().unwrap_or(0)
    }

    /// Whether there was any event of a kind.
    pub fn came(&self, kind: u8) -> bool {
        self.files.keys().any(|key| key.1 == kind)
    }

    /// Events of a kind by column and ply / [`PLIES`], in the order of group, column, ply.
    pub fn by_file(&self, kind: u8) -> Vec<Place> {
        let files = self.files.iter().filter(|(key, _)| key.1 == kind);
        files.map(|(&(group, _, column, time), count)| self.place(group, (column, time), count)).collect()
    }

    /// Events of a kind by column and row, in the order of group, row, column.
    pub fn by_square(&self, kind: u8) -> Vec<Place> {
        let squares = self.squares.iter().filter(|(key, _)| key.1 == kind);
        squares.map(|(&(group, _, row, column), count)| self.place(group, (column, row), count)).collect()
    }

    fn place(&self, group: usize, at: (usize, usize), count: &Count) -> Place {
        let share = Interval::share(count.sides, self.sides[&group]).expect("a group has games");
        Place { group, at, count: *count, share }
    }
}

impl Measure for Places {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let (rows, columns) = scope.rules.grid();
        for &group in observed.groups {
            *self.sides.entry(group).or_default() += 2;
            for side in SIDES {
                let (mut files, mut squares) = (BTreeSet::new(), BTreeSet::new());
                for event in observed.events.iter().filter(|event| event.side == side) {
                    let (row, column) = (event.square / columns, event.square % columns);
                    let row = if side == Side::White { row } else { rows - 1 - row };
                    let file = (group, event.kind, column, (event.ply / PLIES).min(TIMES - 1));
                    let square = (group, event.kind, row, column);
                    let count = self.files.entry(file).or_default();
                    count.events += 1;
                    count.sides += u64::from(files.insert(file));
                    let count = self.squares.entry(square).or_default();
                    count.events += 1;
                    count.sides += u64::from(squares.insert(square));
                }
            }
        }
    }
}

//! Events by file and time, and by square, seen by the side whose event it is.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    estimate::{Interval, Ratio},
    game::Side,
    stats::reserves::observed::{Measure, Observed, SIDES, Scope},
};

/// Plies of one column of the map by time.
pub const PLIES: usize = 10;
/// Columns of the map by time; the last holds all later plies.
pub const TIMES: usize = 20;

/// Sides and events by place.
#[derive(Default)]
pub struct Places {
    /// Sides of games by group: two a game.
    sides: BTreeMap<usize, Ratio>,
    /// By group, kind, column, ply / [`PLIES`].
    files: BTreeMap<(usize, u8, usize, usize), Count>,
    /// By group, kind, row, column.
    squares: BTreeMap<(usize, u8, usize, usize), Count>,
    games: u64,
}

/// Events, and sides with at least one.
#[derive(Default)]
struct Count {
    events: u64,
    sides: u64,
    /// Sides of each game that has any.
    games: Ratio,
}

/// Events at one place with the share of a group's sides that had one there.
#[derive(Clone, Copy)]
pub struct Place {
    pub group: usize,
    /// Column and ply / [`PLIES`], or column and row.
    pub at: (usize, usize),
    pub events: u64,
    /// Sides with at least one.
    pub sides: u64,
    /// Share of the sides; `n` counts games.
    pub share: Interval,
}

impl Places {
    /// Sides of all games.
    pub fn sides(&self) -> u64 {
        2 * self.games
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
        let share = count.games.part_of(&self.sides[&group]).expect("a group has games");
        Place { group, at, events: count.events, sides: count.sides, share }
    }
}

impl Measure for Places {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let (rows, columns) = scope.rules.grid();
        let (mut files, mut squares) = (BTreeMap::new(), BTreeMap::new());
        for side in SIDES {
            let (mut own_files, mut own_squares) = (BTreeSet::new(), BTreeSet::new());
            for event in observed.events.iter().filter(|event| event.side == side) {
                let (row, column) = (event.square / columns, event.square % columns);
                let row = if side == Side::White { row } else { rows - 1 - row };
                let file = (event.kind, column, (event.ply / PLIES).min(TIMES - 1));
                let square = (event.kind, row, column);
                let count: &mut (u64, u64) = files.entry(file).or_default();
                *count = (count.0 + 1, count.1 + u64::from(own_files.insert(file)));
                let count: &mut (u64, u64) = squares.entry(square).or_default();
                *count = (count.0 + 1, count.1 + u64::from(own_squares.insert(square)));
            }
        }
        self.games += 1;
        for &group in observed.groups {
            self.sides.entry(group).or_default().add(observed.weights, 2.0, 1.0);
            for (places, found) in [(&mut self.files, &files), (&mut self.squares, &squares)] {
                for (&(kind, a, b), &(events, sides)) in found {
                    let count = places.entry((group, kind, a, b)).or_default();
                    count.events += events;
                    count.sides += sides;
                    count.games.add(observed.weights, sides as f64, 1.0);
                }
            }
        }
    }
}

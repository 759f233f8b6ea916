//! Where on the board reserves are used: by file and time, and by square. Seen by the side whose event it is, its own first row below.

use std::collections::{BTreeMap, BTreeSet};

use super::observed::{ALL, Observed, Question, SIDES, Scope, sentence};
use crate::{
    estimate::Interval,
    game::Side,
    page::{Block, Cell, Column, Figure, Heat, Kind, Phrase, Plot, Scale, Table},
    stats::words::{band_column, count_column, interval_cells, interval_columns, kind_name},
};

/// Plies of one column of the map by time.
const PLIES: usize = 10;
/// Columns of the map by time; the last holds all later plies.
const TIMES: usize = 20;

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
struct Count {
    events: u64,
    sides: u64,
}

impl Question for Places {
    fn hear(&mut self, observed: &Observed<'_>, scope: &Scope) {
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

    fn answer(&self, scope: &Scope) -> Vec<Block> {
        let mut blocks = Vec::new();
        for kind in scope.kinds.iter().filter(|kind| self.files.keys().any(|key| key.1 == *kind)) {
            blocks.push(Block::Figure(self.by_file(scope, kind)));
            blocks.push(Block::Figure(self.by_square(scope, kind)));
        }
        blocks
    }
}

impl Places {
    fn by_file(&self, scope: &Scope, kind: u8) -> Figure {
        let name = kind_name(scope.kind(kind));
        let title = Phrase::new(format!("{}: file and time", name.en), format!("{}: العمود والوقت", name.ar));
        let mut data = table(
            format!("files_{}", scope.kind(kind)),
            title.clone(),
            [
                Column::new("file", Phrase::new("file", "العمود"), Kind::Text),
                count_column("from_ply", Phrase::new("from ply", "من نصف النقلة")),
            ],
        );
        let columns = scope.rules.grid().1;
        let times = self.files.keys().filter(|key| key.1 == kind).map(|key| key.3).max().unwrap_or(0) + 1;
        let mut values = vec![vec![None; times]; columns];
        for (&(group, _, column, time), count) in self.files.iter().filter(|(key, _)| key.1 == kind) {
            let share = self.share(group, count);
            let place = [file_name(column).into(), Cell::Count((time * PLIES) as u64)];
            data.push(self.row(scope, group, place, count, &share));
            if group == ALL {
                values[column][time] = Some(share.estimate);
            }
        }
        let plot = Plot::Heat(Heat {
            x: Phrase::new("ply", "نصف النقلة"),
            y: Phrase::new("file", "العمود"),
            columns: (0..times).map(time_name).collect(),
            rows: (0..columns).map(file_name).collect(),
            values,
            unit: Phrase::new("share of sides", "نسبة الأطراف"),
            scale: Scale::Percent,
        });
        Figure { title, caption: self.caption(scope), plot, data }
    }

    fn by_square(&self, scope: &Scope, kind: u8) -> Figure {
        let name = kind_name(scope.kind(kind));
        let title = Phrase::new(format!("{}: squares", name.en), format!("{}: المربعات", name.ar));
        let mut data = table(
            format!("squares_{}", scope.kind(kind)),
            title.clone(),
            [
                Column::new("file", Phrase::new("file", "العمود"), Kind::Text),
                count_column("row", Phrase::new("row, own first", "الصف من جهة الطرف")),
            ],
        );
        let (rows, columns) = scope.rules.grid();
        let mut values = vec![vec![None; columns]; rows];
        for (&(group, _, row, column), count) in self.squares.iter().filter(|(key, _)| key.1 == kind) {
            let share = self.share(group, count);
            let place = [file_name(column).into(), Cell::Count(row as u64 + 1)];
            data.push(self.row(scope, group, place, count, &share));
            if group == ALL {
                values[row][column] = Some(share.estimate);
            }
        }
        let plot = Plot::Heat(Heat {
            x: Phrase::new("file", "العمود"),
            y: Phrase::new("row, the side's own first", "الصف، من جهة الطرف"),
            columns: (0..columns).map(file_name).collect(),
            rows: (1..=rows).map(|row| row.to_string()).collect(),
            values,
            unit: Phrase::new("share of sides", "نسبة الأطراف"),
            scale: Scale::Percent,
        });
        Figure { title, caption: self.caption(scope), plot, data }
    }

    fn share(&self, group: usize, count: &Count) -> Interval {
        Interval::share(count.sides, self.sides[&group]).expect("a group has games")
    }

    fn row(&self, scope: &Scope, group: usize, place: [Cell; 2], count: &Count, share: &Interval) -> Vec<Cell> {
        let mut row = vec![scope.group_cell(group)];
        row.extend(place);
        row.extend([Cell::Count(count.events), Cell::Count(count.sides), Cell::Count(share.n)]);
        row.extend(interval_cells(Some(share)));
        row
    }

    fn caption(&self, scope: &Scope) -> Phrase {
        let n = self.sides.get(&ALL).copied().unwrap_or(0);
        sentence(&[
            &Phrase::new(
                format!(
                    "Share of sides with at least one such event there, seen by that side. n = {n} sides; 95% by Wilson and each generation band in the table."
                ),
                format!(
                    "نسبة الأطراف التي وقع لها حدث واحد على الأقل هناك، من جهة ذلك الطرف. n = {n} طرفًا؛ 95% بطريقة ويلسون ولكل مجموعة أجيال في الجدول."
                ),
            ),
            &scope.filter(),
        ])
    }
}

fn table(name: String, title: Phrase, place: [Column; 2]) -> Table {
    let mut columns = vec![band_column()];
    columns.extend(place);
    columns.push(count_column("events", Phrase::new("events", "أحداث")));
    columns.push(count_column("sides", Phrase::new("sides with one", "أطراف لها حدث")));
    columns.push(count_column("all_sides", Phrase::new("sides (n)", "أطراف (n)")));
    columns.extend(interval_columns(
        "share",
        Phrase::new("share of sides", "نسبة الأطراف"),
        Kind::Percent { decimals: 2 },
    ));
    Table::new(name, title, Phrase::default(), columns)
}

/// Letters count the columns of every board from the left.
fn file_name(column: usize) -> String {
    char::from(b'a' + (column % 26) as u8).to_string()
}

/// The first ply of a column of the map by time.
fn time_name(time: usize) -> String {
    if time == TIMES - 1 { format!("{}+", time * PLIES) } else { (time * PLIES).to_string() }
}

//! Events by place as maps.

use super::measure::{PLIES, Place, Places, TIMES};
use crate::{
    page::{Block, Cell, Column, Figure, Heat, Kind, Phrase, Plot, Scale, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns},
    },
};

impl Question for Places {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        let mut blocks = Vec::new();
        for kind in scope.kinds.iter().filter(|kind| self.came(*kind)) {
            blocks.push(Block::Figure(self.file_figure(scope, kind)));
            blocks.push(Block::Figure(self.square_figure(scope, kind)));
        }
        blocks
    }
}

impl Places {
    fn file_figure(&self, scope: &Scope, kind: u8) -> Figure {
        let name = scope.kind_name(kind);
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
        let places = self.by_file(kind);
        let times = places.iter().map(|place| place.at.1).max().unwrap_or(0) + 1;
        let mut values = vec![vec![None; times]; columns];
        for place in places {
            let (column, time) = place.at;
            data.push(row(scope, &place, [file_name(column).into(), Cell::Count((time * PLIES) as u64)]));
            if place.group == ALL {
                values[column][time] = Some(place.share.estimate);
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
        let last = Phrase::new(
            format!("The last column holds all plies from {} on.", (TIMES - 1) * PLIES),
            format!("والعمود الأخير لكل أنصاف النقلات من {} فصاعدًا.", (TIMES - 1) * PLIES),
        );
        Figure { title, caption: sentence(&[&self.caption(scope), &last]), plot, data }
    }

    fn square_figure(&self, scope: &Scope, kind: u8) -> Figure {
        let name = scope.kind_name(kind);
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
        for place in self.by_square(kind) {
            let (column, rank) = place.at;
            data.push(row(scope, &place, [file_name(column).into(), Cell::Count(rank as u64 + 1)]));
            if place.group == ALL {
                values[rank][column] = Some(place.share.estimate);
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

    fn caption(&self, scope: &Scope) -> Phrase {
        let n = self.sides();
        sentence(&[
            &Phrase::new(
                format!(
                    "Share of sides with at least one such event there, seen by that side. n = {n} sides; 95% by bootstrap over games and each generation band in the table."
                ),
                format!(
                    "نسبة الأطراف التي وقع لها حدث واحد على الأقل هناك، من جهة ذلك الطرف. n = {n} طرفًا؛ 95% بإعادة المعاينة على المباريات، ولكل مجموعة أجيال في الجدول."
                ),
            ),
            &scope.filter(),
        ])
    }
}

fn row(scope: &Scope, place: &Place, names: [Cell; 2]) -> Vec<Cell> {
    let mut row = vec![scope.group_cell(place.group)];
    row.extend(names);
    row.extend([place.events, place.sides, 2 * place.share.n].map(Cell::Count));
    row.extend(interval_cells(Some(&place.share)));
    row
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

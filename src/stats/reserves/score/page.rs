//! Scores by time of the first use as a table and figures.

use std::collections::BTreeMap;

use super::measure::{Key, PLIES, Results, Score};
use crate::{
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, kind_column, point},
    },
};

const VALUE_NAMES: [&str; 5] = ["below -0.5", "-0.5 to -0.15", "-0.15 to 0.15", "0.15 to 0.5", "above 0.5"];
const VALUE_NAMES_AR: [&str; 5] =
    ["أقل من -0.5", "من -0.5 إلى -0.15", "من -0.15 إلى 0.15", "من 0.15 إلى 0.5", "أكثر من 0.5"];

impl Question for Score {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        let mut blocks = vec![Block::Table(self.table(scope))];
        for kind in scope.kinds.iter() {
            if self.came(kind) {
                blocks.push(Block::Figure(self.figure(scope, kind)));
            }
        }
        blocks
    }
}

impl Score {
    fn warning(&self) -> Phrase {
        let [ended, cut] = self.games();
        Phrase::new(
            format!(
                "A losing side may reinforce more: the raw score says who uses the reserve when, not what the use is worth; compare within bins of the root value at the first use. n = {ended} games with a result; {cut} cut off by self-play's own limit left out. 95%: score interval (Wilson's, with draws)."
            ),
            format!(
                "قد يُكثر الطرف الخاسر من التعزيز: فالنتيجة الخام تدلّ على من يستعمل الاحتياطي ومتى، لا على قيمة الاستعمال؛ قارن داخل فئات قيمة الجذر عند أول استعمال. n = {ended} مباراة لها نتيجة؛ واستُبعدت {cut} مقطوعة بحدّ اللعب الذاتي. 95%: فترة ويلسون للنتيجة مع التعادلات."
            ),
        )
    }

    fn table(&self, scope: &Scope) -> Table {
        let title = Phrase::new("Score by time of first use", "النتيجة بحسب وقت أول استعمال");
        let note = sentence(&[&self.warning(), &scope.filter()]);
        let mut table = Table::new("score_by_first_use", title, note, columns());
        for (key, results) in self.results() {
            table.push(row(scope, &key, &results));
        }
        table
    }

    fn figure(&self, scope: &Scope, kind: u8) -> Figure {
        let name = scope.kind_name(kind);
        let title =
            Phrase::new(format!("Score by time of first {}", name.en), format!("النتيجة بحسب وقت أول {}", name.ar));
        let mut data =
            Table::new(format!("score_by_first_{}", scope.kind(kind)), title.clone(), Phrase::default(), columns());
        let mut series: BTreeMap<Option<usize>, Series> = BTreeMap::new();
        for (key, results) in self.results().filter(|(key, _)| (key.0, key.1) == (ALL, kind)) {
            data.push(row(scope, &key, &results));
            let (Some(time), Some(score)) = (key.2, results.score()) else { continue };
            let line = series.entry(key.3).or_insert_with(|| Series {
                name: match key.3 {
                    None => Phrase::new("all (raw)", "الكل (خام)"),
                    Some(value) => value_name(value),
                },
                style: if key.3.is_none() { Style::Line } else { Style::Dots },
                points: Vec::new(),
            });
            // Bins of values stand side by side, so that their bars do not hide each other.
            let shift = key.3.map_or(0.0, |value| (value as f64 - 2.0) * PLIES as f64 / 12.0);
            line.points.push(point(time as f64 * PLIES as f64 + PLIES as f64 / 2.0 + shift, &score));
        }
        let plot = Plot::Lines(Lines {
            x: Phrase::new("ply of first use", "نصف نقلة أول استعمال"),
            y: Phrase::new("score of the side", "نتيجة الطرف"),
            x_range: None,
            y_range: Some((0.0, 1.0)),
            series: series.into_values().collect(),
            scale: Scale::Percent,
        });
        Figure { title, caption: sentence(&[&self.warning(), &scope.filter()]), plot, data }
    }
}

/// The name of a bin of root values.
fn value_name(bin: usize) -> Phrase {
    Phrase::new(VALUE_NAMES[bin], VALUE_NAMES_AR[bin])
}

fn columns() -> Vec<Column> {
    let mut columns = vec![band_column(), kind_column()];
    columns.push(Column::new(
        "first_use_from_ply",
        Phrase::new("first use from ply", "أول استعمال من نصف النقلة"),
        Kind::Text,
    ));
    columns.push(Column::new("root_value", Phrase::new("root value", "قيمة الجذر"), Kind::Text));
    columns.push(count_column("sides", Phrase::new("sides (n)", "أطراف (n)")));
    columns.push(count_column("wins", Phrase::new("wins", "فوز")));
    columns.push(count_column("draws", Phrase::new("draws", "تعادل")));
    columns.push(count_column("losses", Phrase::new("losses", "خسارة")));
    columns.extend(interval_columns("score", Phrase::new("score", "النتيجة"), Kind::Percent { decimals: 1 }));
    columns
}

fn row(scope: &Scope, key: &Key, results: &Results) -> Vec<Cell> {
    let &(group, kind, time, value) = key;
    let time = time
        .map_or_else(|| Cell::Words(Phrase::new("never", "لم يُستعمل")), |time| Cell::Text((time * PLIES).to_string()));
    let value = value.map_or(Phrase::new("all", "الكل"), value_name);
    let mut row = vec![scope.group_cell(group), scope.kind_cell(kind), time, Cell::Words(value)];
    row.push(results.sides().into());
    row.extend([results.wins, results.draws, results.losses].map(Cell::Count));
    row.extend(interval_cells(results.score().as_ref()));
    row
}

//! Scores at landmarks as a table and figures.

use std::collections::BTreeMap;

use super::measure::{Comparison, Key, LANDMARKS, Score};
use crate::{
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{FEW, Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, kind_column, point},
    },
};

const VALUE_NAMES: [&str; 5] = ["below -0.5", "-0.5 to -0.15", "-0.15 to 0.15", "0.15 to 0.5", "above 0.5"];
const VALUE_NAMES_AR: [&str; 5] =
    ["أقل من -0.5", "من -0.5 إلى -0.15", "من -0.15 إلى 0.15", "من 0.15 إلى 0.5", "أكثر من 0.5"];

impl Question for Score {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        if self.comparisons().next().is_none() {
            return Vec::new();
        }
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
                "At a ply, of the games that still go on there: the score of sides that have used it by then, less that of sides to which it was legal by then and that have not. Nothing after the ply decides who is compared, but this is no effect of the use: sides that use it may be better or worse for other reasons. \
                 Within bins of the root value (the side's first search within 4 plies from there on) the same among sides that the search holds for equal. n = {ended} games with a result; {cut} cut off by self-play's own limit left out. \
                 95% by bootstrap over games; no difference with fewer than {FEW} sides in one of the two."
            ),
            format!(
                "عند نصف نقلة ما، من المباريات المستمرة حينها: نتيجة الأطراف التي استعملته قبلها، ناقص نتيجة الأطراف التي كان قانونيًا لها قبلها ولم تستعمله. لا شيء بعد نصف النقلة يحدّد من يُقارن، لكنه ليس أثرًا للاستعمال: فقد يكون المستعمِل أفضل أو أسوأ لأسباب أخرى. \
                 وداخل فئات قيمة الجذر (أول بحث للطرف خلال 4 أنصاف نقلات من هناك) الأمر نفسه بين أطراف يراها البحث متكافئة. n = {ended} مباراة لها نتيجة؛ واستُبعدت {cut} مقطوعة بحدّ اللعب الذاتي. \
                 95% بإعادة المعاينة على المباريات؛ ولا فرق يُعطى إن قلّت الأطراف في إحدى الجهتين عن {FEW}."
            ),
        )
    }

    fn table(&self, scope: &Scope) -> Table {
        let title = Phrase::new("Score with and without a use, at landmarks", "النتيجة مع الاستعمال ودونه عند معالم");
        let note = sentence(&[&self.warning(), &scope.filter()]);
        let mut table = Table::new("score_at_landmarks", title, note, columns());
        for (key, comparison) in self.comparisons() {
            table.push(row(scope, key, comparison));
        }
        table
    }

    fn figure(&self, scope: &Scope, kind: u8) -> Figure {
        let name = scope.kind_name(kind);
        let title = Phrase::new(
            format!("Score with less without {}, at landmarks", name.en),
            format!("النتيجة مع {} ناقص دونه، عند معالم", name.ar),
        );
        let table = format!("score_at_landmarks_{}", scope.kind(kind));
        let mut data = Table::new(table, title.clone(), Phrase::default(), columns());
        let mut series: BTreeMap<Option<usize>, Series> = BTreeMap::new();
        for (key, comparison) in self.comparisons().filter(|(key, _)| (key.0, key.1) == (ALL, kind)) {
            data.push(row(scope, key, comparison));
            let &(_, _, place, value) = key;
            let Some(difference) = comparison.difference() else { continue };
            let line = series.entry(value).or_insert_with(|| Series {
                name: value_name(value),
                style: Style::Dots,
                points: Vec::new(),
            });
            // Bins of values stand side by side, so that their bars do not hide each other.
            let shift = value.map_or(-3.0, |value| value as f64 - 2.0) * 1.5;
            line.points.push(point(LANDMARKS[place] as f64 + shift, &difference));
        }
        let plot = Plot::Lines(Lines {
            x: Phrase::new("ply of the landmark", "نصف نقلة المَعلم"),
            y: Phrase::new("difference of scores", "فرق النتيجتين"),
            x_range: None,
            y_range: None,
            series: series.into_values().collect(),
            scale: Scale::Percent,
        });
        Figure { title, caption: sentence(&[&self.warning(), &scope.filter()]), plot, data }
    }
}

/// The name of a bin of root values.
fn value_name(bin: Option<usize>) -> Phrase {
    match bin {
        None => Phrase::new("all", "الكل"),
        Some(bin) => Phrase::new(VALUE_NAMES[bin], VALUE_NAMES_AR[bin]),
    }
}

fn columns() -> Vec<Column> {
    let share = Kind::Percent { decimals: 1 };
    let mut columns = vec![band_column(), kind_column()];
    columns.push(count_column("landmark", Phrase::new("ply", "نصف النقلة")));
    columns.push(Column::new("root_value", Phrase::new("root value", "قيمة الجذر"), Kind::Text));
    columns.push(count_column("used", Phrase::new("sides that used it (n)", "أطراف استعملته (n)")));
    columns.push(Column::new("score_used", Phrase::new("their score", "نتيجتها"), share));
    columns.push(count_column("unused", Phrase::new("sides that have not (n)", "أطراف لم تستعمله (n)")));
    columns.push(Column::new("score_unused", Phrase::new("their score", "نتيجتها"), share));
    columns.extend(interval_columns("difference", Phrase::new("difference", "الفرق"), share));
    columns
}

fn row(scope: &Scope, key: &Key, comparison: &Comparison) -> Vec<Cell> {
    let &(group, kind, place, value) = key;
    let mut row = vec![scope.group_cell(group), scope.kind_cell(kind), LANDMARKS[place].into()];
    row.push(Cell::Words(value_name(value)));
    for (sides, score) in comparison.sides().into_iter().zip(comparison.scores()) {
        row.extend([sides.into(), score.into()]);
    }
    row.extend(interval_cells(comparison.difference().as_ref()));
    row
}

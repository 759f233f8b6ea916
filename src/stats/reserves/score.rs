//! How sides fare by when they first use the reserve, raw and among positions that the search judged alike.

use std::collections::BTreeMap;

use super::observed::{ALL, Observed, Question, SIDES, Scope, sentence};
use crate::{
    estimate::Interval,
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::words::{band_column, count_column, interval_cells, interval_columns, kind_column, kind_name, point},
};

/// Plies of one bin of the first use.
const PLIES: usize = 20;
/// Where bins of the root value end, the last at 1.
const VALUES: [f64; 5] = [-0.5, -0.15, 0.15, 0.5, f64::INFINITY];
const VALUE_NAMES: [&str; 5] = ["below -0.5", "-0.5 to -0.15", "-0.15 to 0.15", "0.15 to 0.5", "above 0.5"];
const VALUE_NAMES_AR: [&str; 5] =
    ["أقل من -0.5", "من -0.5 إلى -0.15", "من -0.15 إلى 0.15", "من 0.15 إلى 0.5", "أكثر من 0.5"];

/// Results by group, kind, bin of the first use (none: never), bin of the root value (none: all).
#[derive(Default)]
pub struct Score {
    results: BTreeMap<(usize, u8, Option<usize>, Option<usize>), Results>,
    /// Games that ended by themselves, and those cut off, which have no result.
    games: [u64; 2],
}

#[derive(Clone, Copy, Default)]
struct Results {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Results {
    fn score(&self) -> Option<Interval> {
        Interval::score(self.wins, self.draws, self.losses)
    }
}

impl Question for Score {
    fn hear(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let game = observed.game;
        self.games[usize::from(!game.was_ended())] += 1;
        if !game.was_ended() {
            return;
        }
        for side in SIDES {
            for kind in scope.kinds.iter() {
                let first = observed.events_of(side, kind).next();
                let time = first.map(|event| event.ply / PLIES);
                let value = first.and_then(|event| event.root_value);
                let value = value.map(|value| VALUES.iter().position(|end| value < *end).unwrap_or(VALUES.len() - 1));
                for &group in observed.groups {
                    for bin in [None, value].into_iter().take(1 + usize::from(value.is_some())) {
                        let results = self.results.entry((group, kind, time, bin)).or_default();
                        match game.score(side) {
                            1.0 => results.wins += 1,
                            0.0 => results.losses += 1,
                            _ => results.draws += 1,
                        }
                    }
                }
            }
        }
    }

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
    /// Whether anybody used it at all.
    fn came(&self, kind: u8) -> bool {
        self.results.keys().any(|key| key.1 == kind && key.2.is_some())
    }

    fn warning(&self) -> Phrase {
        let [ended, cut] = self.games;
        Phrase::new(
            format!(
                "A losing side may reinforce more: the raw score says who uses the reserve when, not what the use is worth; compare within bins of the root value at the first use. n = {ended} games with a result; {cut} cut off by self-play's own limit left out. 95%: score interval (Wilson's, with draws)."
            ),
            format!(
                "قد يُكثر الطرف الخاسر من التعزيز: فالنتيجة الخام تدلّ على من يستعمل الاحتياطي ومتى، لا على قيمة الاستعمال؛ قارن داخل فئات قيمة الجذر عند أول استعمال. n = {ended} مباراة لها نتيجة؛ واستُبعدت {cut} مقطوعة بحدّ اللعب الذاتي. 95%: فترة ويلسون للنتيجة مع التعادلات."
            ),
        )
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

    fn row(scope: &Scope, key: &(usize, u8, Option<usize>, Option<usize>), results: &Results) -> Vec<Cell> {
        let &(group, kind, time, value) = key;
        let time = time.map_or_else(
            || Cell::Words(Phrase::new("never", "لم يُستعمل")),
            |time| Cell::Text((time * PLIES).to_string()),
        );
        let value = value.map_or(Phrase::new("all", "الكل"), value_name);
        let mut row = vec![scope.group_cell(group), scope.kind_cell(kind), time, Cell::Words(value)];
        row.push((results.wins + results.draws + results.losses).into());
        row.extend([results.wins, results.draws, results.losses].map(Cell::Count));
        row.extend(interval_cells(results.score().as_ref()));
        row
    }

    fn table(&self, scope: &Scope) -> Table {
        let title = Phrase::new("Score by time of first use", "النتيجة بحسب وقت أول استعمال");
        let note = sentence(&[&self.warning(), &scope.filter()]);
        let mut table = Table::new("score_by_first_use", title, note, Self::columns());
        for (key, results) in self.results.iter().filter(|(key, _)| self.came(key.1)) {
            table.push(Self::row(scope, key, results));
        }
        table
    }

    fn figure(&self, scope: &Scope, kind: u8) -> Figure {
        let name = kind_name(scope.kind(kind));
        let title =
            Phrase::new(format!("Score by time of first {}", name.en), format!("النتيجة بحسب وقت أول {}", name.ar));
        let mut data = Table::new(
            format!("score_by_first_{}", scope.kind(kind)),
            title.clone(),
            Phrase::default(),
            Self::columns(),
        );
        let mut series: BTreeMap<Option<usize>, Series> = BTreeMap::new();
        for (key, results) in self.results.iter().filter(|(key, _)| (key.0, key.1) == (ALL, kind)) {
            data.push(Self::row(scope, key, results));
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

//! What is left in reserve when the game ends.

use std::collections::BTreeMap;

use super::observed::{ALL, Observed, Question, SIDES, Scope, sentence};
use crate::{
    estimate::Ratio,
    page::{Bars, Block, Cell, Column, Figure, Kind, Phrase, Plot, Scale, Series, Style, Table},
    stats::words::{band_column, interval_cells, interval_columns, point, result_name},
};

/// How a side fared, in the order of tables.
const RESULTS: [&str; 4] = ["win", "draw", "loss", "cut off"];

/// Men left, by group, place in [`RESULTS`], and what is counted: 0 all that wait, then the kinds of the zone.
#[derive(Default)]
pub struct Leftover {
    left: BTreeMap<(usize, usize, usize), Ratio>,
    /// Sides by group and result.
    sides: BTreeMap<(usize, usize), u64>,
}

impl Question for Leftover {
    fn hear(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let game = observed.game;
        let waiting = scope.rules.reserve(game.position(game.plies())).unwrap_or_default();
        let mut sums: BTreeMap<usize, (f64, Vec<f64>)> = BTreeMap::new();
        for side in SIDES {
            let result = match (game.was_ended(), game.winner) {
                (false, _) => 3,
                (true, None) => 1,
                (true, Some(winner)) => {
                    if winner == side {
                        0
                    } else {
                        2
                    }
                }
            };
            let zone = observed.lives.end.zone(side, &scope.zone_kinds);
            let (sides, men) = sums.entry(result).or_insert_with(|| (0.0, vec![0.0; 1 + zone.len()]));
            *sides += 1.0;
            men[0] += f64::from(waiting[side.index()]);
            men[1..].iter_mut().zip(zone).for_each(|(sum, men)| *sum += f64::from(men));
        }
        for (result, (sides, men)) in sums {
            for &group in observed.groups {
                *self.sides.entry((group, result)).or_default() += sides as u64;
                for (what, &men) in men.iter().enumerate() {
                    self.left.entry((group, result, what)).or_default().add(observed.weights, men, sides);
                }
            }
        }
    }

    fn answer(&self, scope: &Scope) -> Vec<Block> {
        if self.left.values().all(|left| left.interval().is_none_or(|left| left.estimate == 0.0)) {
            return Vec::new();
        }
        let mut columns = vec![
            band_column(),
            Column::new("result", Phrase::new("result of the side", "نتيجة الطرف"), Kind::Text),
            Column::new("men", Phrase::new("men", "القطع"), Kind::Text),
            Column::new("sides", Phrase::new("sides (n)", "أطراف (n)"), Kind::Count),
        ];
        columns.extend(interval_columns(
            "left",
            Phrase::new("left, mean", "الباقي، المتوسط"),
            Kind::Number { decimals: 2 },
        ));
        let title = Phrase::new("Left in reserve at the end", "الباقي في الاحتياطي عند النهاية");
        let mut data = Table::new("left_at_end", title.clone(), Phrase::default(), columns);
        for (&(group, result, what), left) in &self.left {
            let left = left.interval();
            let mut row: Vec<Cell> = vec![
                scope.group_cell(group),
                Cell::Words(result_name(RESULTS[result])),
                Cell::Words(self.counted(scope, what)),
                self.sides[&(group, result)].into(),
            ];
            row.extend(interval_cells(left.as_ref()));
            data.push(row);
        }
        let results: Vec<usize> = self.sides.keys().filter(|key| key.0 == ALL).map(|key| key.1).collect();
        let series = (0..=scope.zone_kinds.chars().count())
            .map(|what| {
                let interval = |result: usize| self.left.get(&(ALL, result, what)).and_then(Ratio::interval);
                let points = results.iter().enumerate();
                let points = points.filter_map(|(x, &result)| Some(point(x as f64, &interval(result)?)));
                Series { name: self.counted(scope, what), style: Style::Dots, points: points.collect() }
            })
            .collect();
        let n: Vec<(usize, u64)> = results.iter().map(|&result| (result, self.sides[&(ALL, result)])).collect();
        let words = |pick: fn(&Phrase) -> &str, comma: &str| {
            n.iter()
                .map(|&(result, n)| format!("{} {n}", pick(&result_name(RESULTS[result]))))
                .collect::<Vec<_>>()
                .join(comma)
        };
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Mean number of men that still wait when the game ends, and of each kind in the zone, by how the side fared; games cut off by self-play's own limit apart. n (sides): {}; 95% by bootstrap over games.",
                    words(|phrase| &phrase.en, ", ")
                ),
                format!(
                    "متوسط عدد القطع المنتظرة عند انتهاء المباراة، ومن كل نوع في منطقة الدعم، بحسب نتيجة الطرف؛ والمباريات المقطوعة بحدّ اللعب الذاتي على حدة. n (أطراف): {}؛ 95% بإعادة المعاينة على المباريات.",
                    words(|phrase| &phrase.ar, "، ")
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Bars(Bars {
            x: Phrase::new("result of the side", "نتيجة الطرف"),
            y: Phrase::new("men left", "القطع الباقية"),
            labels: results.iter().map(|&result| result_name(RESULTS[result])).collect(),
            series,
            scale: Scale::Number,
        });
        vec![Block::Figure(Figure { title, caption, plot, data })]
    }
}

impl Leftover {
    fn counted(&self, scope: &Scope, what: usize) -> Phrase {
        match what.checked_sub(1).and_then(|kind| scope.zone_kinds.chars().nth(kind)) {
            None => Phrase::new("waiting", "المنتظرة"),
            Some(letter) => Phrase::new(format!("zone {letter}"), format!("المنطقة {letter}")),
        }
    }
}

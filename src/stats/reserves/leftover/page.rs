//! Pieces left in reserve as a figure.

use super::measure::{Left, Leftover, RESULTS};
use crate::{
    page::{Bars, Block, Cell, Column, Figure, Kind, Phrase, Plot, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::Scope,
            page::{Question, sentence},
        },
        words::{band_column, interval_cells, interval_columns, point, result_name},
    },
};

impl Question for Leftover {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        if self.is_nothing() {
            return Vec::new();
        }
        let mut columns = vec![
            band_column(),
            Column::new("result", Phrase::new("result of the side", "نتيجة الطرف"), Kind::Text),
            Column::new("pieces", Phrase::new("pieces", "القطع"), Kind::Text),
            Column::new("sides", Phrase::new("sides (n)", "أطراف (n)"), Kind::Count),
        ];
        columns.extend(interval_columns(
            "left",
            Phrase::new("left, mean", "الباقي، المتوسط"),
            Kind::Number { decimals: 2 },
        ));
        let title = Phrase::new("Left in reserve at the end", "الباقي في الاحتياطي عند النهاية");
        let mut data = Table::new("left_at_end", title.clone(), Phrase::default(), columns);
        for Left { group, result, what, sides, mean } in self.left() {
            let mut row: Vec<Cell> = vec![
                scope.group_cell(group),
                Cell::Words(result_name(RESULTS[result])),
                Cell::Words(counted(scope, what)),
                sides.into(),
            ];
            row.extend(interval_cells(mean.as_ref()));
            data.push(row);
        }
        let n = self.sides();
        let series = (0..=scope.zone_kinds.chars().count())
            .map(|what| {
                let points = n.iter().enumerate();
                let points = points.filter_map(|(x, &(result, _))| Some(point(x as f64, &self.mean(result, what)?)));
                Series { name: counted(scope, what), style: Style::Dots, points: points.collect() }
            })
            .collect();
        let words = |pick: fn(&Phrase) -> &str, comma: &str| {
            n.iter()
                .map(|&(result, n)| format!("{} {n}", pick(&result_name(RESULTS[result]))))
                .collect::<Vec<_>>()
                .join(comma)
        };
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Mean number of pieces that still wait when the game ends, and of each kind in the zone, by how the side fared; games cut off by self-play's own limit apart. n (sides): {}; 95% by bootstrap over games.",
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
            y: Phrase::new("pieces left", "القطع الباقية"),
            labels: n.iter().map(|&(result, _)| result_name(RESULTS[result])).collect(),
            series,
            scale: Scale::Number,
        });
        vec![Block::Figure(Figure { title, caption, plot, data })]
    }
}

/// The name of what is counted.
fn counted(scope: &Scope, what: usize) -> Phrase {
    match what.checked_sub(1).and_then(|kind| scope.zone_kinds.chars().nth(kind)) {
        None => Phrase::new("waiting", "المنتظرة"),
        Some(letter) => Phrase::new(format!("zone {letter}"), format!("المنطقة {letter}")),
    }
}

//! Mean gains as a table and a figure.

use std::collections::BTreeMap;

use super::measure::{Gain, PLIES, Price};
use crate::{
    page::{Block, Cell, Figure, Kind, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, kind_column, point},
    },
};

impl Question for Price {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        if self.gains().next().is_none() {
            return Vec::new();
        }
        let title = Phrase::new("What a use gains: delta_q", "ما يكسبه الاستعمال: delta_q");
        let columns = |ply: bool| {
            let mut columns = vec![band_column(), kind_column()];
            if ply {
                columns.push(count_column("from_ply", Phrase::new("from ply", "من نصف النقلة")));
            }
            columns.push(count_column("events", Phrase::new("events (n)", "أحداث (n)")));
            columns.extend(interval_columns("delta_q", Phrase::same("delta_q"), Kind::Number { decimals: 4 }));
            columns
        };
        let note = sentence(&[
            &Phrase::new(
                "delta_q: the search's value of the action less the best value among visited actions of no reserve kind, both for the mover, -1 to 1. Full searches that visited one of each. Self-play draws its actions with noise, and the best of many noisy values is too high by chance: the mean is on the low side. Compare kinds, plies and generations rather than hold it against 0. 95% by bootstrap over games.",
                "delta_q: قيمة النقلة في البحث ناقص أفضل قيمة بين النقلات المزورة التي لا تمسّ الاحتياطي، لصاحب الدور، من -1 إلى 1. الأبحاث الكاملة التي زارت واحدة من كل نوع. اللعب الذاتي يسحب نقلاته بتشويش، وأفضل قيمة بين قيم مشوّشة عالية بالصدفة: فالمتوسط يميل إلى الانخفاض. قارن بين الأنواع وأنصاف النقلات والأجيال ولا تقسه بالصفر. 95% بإعادة المعاينة على المباريات.",
            ),
            &scope.filter(),
        ]);
        let mut summary = Table::new("delta_q", title.clone(), note.clone(), columns(false));
        let mut data = Table::new("delta_q_by_ply", title.clone(), Phrase::default(), columns(true));
        let mut series: BTreeMap<u8, Series> = BTreeMap::new();
        for Gain { group, kind, bin, events, mean } in self.gains() {
            let mut row: Vec<Cell> = vec![scope.group_cell(group), scope.kind_cell(kind)];
            row.extend(bin.map(|bin| Cell::Count((bin * PLIES) as u64)));
            row.push(events.into());
            row.extend(interval_cells(mean.as_ref()));
            if bin.is_some() {
                data.push(row)
            } else {
                summary.push(row)
            }
            if let (ALL, Some(bin), Some(mean)) = (group, bin, mean) {
                let line = series.entry(kind).or_insert_with(|| Series {
                    name: scope.kind_name(kind),
                    style: Style::Line,
                    points: Vec::new(),
                });
                line.points.push(point(bin as f64 * PLIES as f64 + (PLIES - 1) as f64 / 2.0, &mean));
            }
        }
        let words = |pick: fn(&Phrase) -> &str, comma: &str| {
            series
                .iter()
                .map(|(kind, line)| format!("{} {}", pick(&line.name), self.events(*kind)))
                .collect::<Vec<_>>()
                .join(comma)
        };
        let caption = Phrase::new(
            format!("Mean in bins of {PLIES} plies. n (events): {}. {}", words(|name| &name.en, ", "), note.en),
            format!("المتوسط لكل {PLIES} نصف نقلة. n (أحداث): {}. {}", words(|name| &name.ar, "، "), note.ar),
        );
        let plot = Plot::Lines(Lines {
            x: Phrase::new("ply", "نصف النقلة"),
            y: Phrase::same("delta_q"),
            x_range: None,
            y_range: None,
            series: series.into_values().collect(),
            scale: Scale::Number,
        });
        vec![Block::Table(summary), Block::Figure(Figure { title, caption, plot, data })]
    }
}

//! Medians of life as a table, survival as a figure a rank.

use super::measure::{Origin, Standing, Survival};
use crate::{
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, point, rank_name},
    },
};

impl Question for Standing {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        let ranks: Vec<u8> = self.ranks();
        if ranks.is_empty() {
            return Vec::new();
        }
        let mut blocks = vec![Block::Table(self.medians(scope, &ranks))];
        blocks.extend(ranks.into_iter().map(|rank| Block::Figure(self.curves(scope, rank))));
        blocks
    }
}

impl Standing {
    fn medians(&self, scope: &Scope, ranks: &[u8]) -> Table {
        let mut columns = vec![
            band_column(),
            Column::new("rank", Phrase::new("rank", "الرتبة"), Kind::Text),
            Column::new("pieces", Phrase::new("pieces", "القطع"), Kind::Text),
            count_column("n", Phrase::same("n")),
        ];
        let fifty = Phrase::new("alive after 50 plies", "باقية بعد 50 نصف نقلة");
        columns.extend(interval_columns("alive_after_50", fifty, Kind::Percent { decimals: 1 }));
        columns.push(count_column("median", Phrase::new("median life, plies", "وسيط العمر بأنصاف النقلات")));
        columns.push(count_column("median_low", Phrase::new("95% from", "95% من")));
        columns.push(count_column("median_high", Phrase::new("to", "إلى")));
        let note = sentence(&[
            &Phrase::new(
                "Kaplan-Meier: a life ends with capture; another rank or the game's end censors it. Ordinary pieces stand at the start and have met no event; those beside an event stood on the same side with the same rank when it came, and are followed from it on. \
                 95% by bootstrap over games; the median's are the ages at which the ends of the band reach one half (Brookmeyer and Crowley 1982). An empty one lies beyond what was seen.",
                "كابلان-ماير: ينتهي العمر بالأسر، والرتبة الجديدة أو نهاية المباراة بتر. القطع العادية قائمة منذ البداية ولم يقع لها حدث؛ والتي إلى جانب حدثٍ كانت للطرف نفسه وبالرتبة نفسها حين وقوعه وتُتابع منه. \
                 95% بإعادة المعاينة على المباريات؛ وحدّا الوسيط هما العمران اللذان يبلغ عندهما طرفا الشريط النصف (بروكماير وكراولي 1982). والخالي أبعد مما شوهد.",
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("How long pieces live", "كم تعيش القطع");
        let mut table = Table::new("survival", title, note, columns);
        for (group, rank, origin, survival) in self.survival(|_, rank| ranks.contains(&rank)) {
            let mut row: Vec<Cell> = vec![
                scope.group_cell(group),
                rank_name(rank).into(),
                Cell::Words(name(scope, origin)),
                survival.pieces.into(),
            ];
            row.extend(interval_cells(survival.after_50().as_ref()));
            row.extend(survival.median().map(Cell::from));
            table.push(row);
        }
        table
    }

    fn curves(&self, scope: &Scope, rank: u8) -> Figure {
        let letter = rank_name(rank);
        let title = Phrase::new(format!("Survival of {letter}"), format!("بقاء {letter}"));
        let mut columns = vec![Column::new("pieces", Phrase::new("pieces", "القطع"), Kind::Text)];
        columns.push(count_column("age", Phrase::new("age, plies", "العمر بأنصاف النقلات")));
        columns.push(count_column("at_risk", Phrase::new("at risk", "معرّضة")));
        columns.push(count_column("captured", Phrase::new("captured", "أُسرت")));
        columns.push(count_column("censored", Phrase::new("censored", "بُترت")));
        columns.extend(interval_columns("survival", Phrase::new("alive", "باقية"), Kind::Percent { decimals: 2 }));
        let mut data = Table::new(format!("survival_{letter}"), title.clone(), Phrase::default(), columns);
        let (mut series, mut n) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for (_, _, origin, Survival { pieces, steps }) in self.survival(|group, other| (group, other) == (ALL, rank)) {
            let name = name(scope, origin);
            let mut points = vec![Point::new(0.0, 1.0)];
            for step in steps {
                let alive = step.survival();
                let mut row: Vec<Cell> = vec![Cell::Words(name.clone())];
                row.extend([u64::from(step.time), step.at_risk, step.events, step.censored].map(Cell::Count));
                row.extend(interval_cells(Some(&alive)));
                data.push(row);
                points.push(point(f64::from(step.time), &alive));
            }
            n[0].push(format!("{} {}", name.en, pieces));
            n[1].push(format!("{} {}", name.ar, pieces));
            let style = if matches!(origin, Origin::Event(_)) { Style::Step } else { Style::DashedStep };
            series[usize::from(style == Style::DashedStep)].push(Series { name, style, points });
        }
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Share of pieces still on the board by age, from the event on or from the start (Kaplan-Meier, 95% bands by bootstrap over games). n: {}.",
                    n[0].join(", ")
                ),
                format!(
                    "نسبة القطع الباقية على الرقعة بحسب العمر، من الحدث أو من البداية (كابلان-ماير، أشرطة 95% بإعادة المعاينة على المباريات). n: {}.",
                    n[1].join("، ")
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Lines(Lines {
            x: Phrase::new("age, plies", "العمر بأنصاف النقلات"),
            y: Phrase::new("still on the board", "باقية على الرقعة"),
            x_range: None,
            y_range: Some((0.0, 1.0)),
            series: series.into_iter().flatten().collect(),
            scale: Scale::Percent,
        });
        Figure { title, caption, plot, data }
    }
}

/// What a legend calls pieces of an origin.
fn name(scope: &Scope, origin: Origin) -> Phrase {
    match origin {
        Origin::Start => Phrase::new("ordinary, from the start", "عادية منذ البداية"),
        Origin::Event(kind) => {
            let name = scope.kind_name(kind);
            Phrase::new(format!("after {}", name.en), format!("بعد {}", name.ar))
        }
        Origin::Beside(kind) => {
            let name = scope.kind_name(kind);
            Phrase::new(format!("ordinary beside {}", name.en), format!("عادية إلى جانب {}", name.ar))
        }
    }
}

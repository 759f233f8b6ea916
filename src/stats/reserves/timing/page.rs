//! First, second, third uses as a table, their incidence and hazard as figures.

use super::measure::{Timing, USES, smoothed};
use crate::{
    estimate::Waits,
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, kind_column, point},
    },
};

impl Question for Timing {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        let mut blocks = vec![Block::Table(self.summary(scope))];
        for kind in scope.kinds.iter() {
            if self.came(kind) {
                blocks.push(Block::Figure(self.uses(scope, kind)));
                if scope.groups().len() > 1 {
                    blocks.push(Block::Figure(self.first_use_by_band(scope, kind)));
                }
                blocks.push(Block::Figure(self.hazard_figure(scope, kind)));
            }
        }
        blocks
    }
}

impl Timing {
    fn summary(&self, scope: &Scope) -> Table {
        let mut columns = vec![
            band_column(),
            kind_column(),
            count_column("use", Phrase::new("use", "الاستعمال رقم")),
            count_column("sides", Phrase::new("sides (n)", "أطراف (n)")),
            count_column("used", Phrase::new("used it", "استعملته")),
        ];
        let title = Phrase::new("used before the end", "استُعمل قبل النهاية");
        columns.extend(interval_columns("incidence", title, Kind::Percent { decimals: 1 }));
        columns.push(count_column("half_by_ply", Phrase::new("half have by ply", "نصفها عند نصف النقلة")));
        let note = sentence(&[
            &Phrase::new(
                "A side of a game waits for its k-th use. Cumulative incidence (Aalen-Johansen): a game's end without it is a competing event, a game cut off by self-play's own limit of plies is censored; \
                 the interval is taken on the scale of log(-log). Without games cut off it is the share of sides.",
                "كل طرف في المباراة ينتظر استعماله رقم k. الوقوع التراكمي (آلن-يوهانسن): انتهاء المباراة دونه حدث منافس، والمباراة المقطوعة بحدّ أنصاف النقلات في اللعب الذاتي مبتورة؛ وفترة الثقة على مقياس log(-log).",
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("When reserves are used", "متى يُستعمل الاحتياطي");
        let mut table = Table::new("first_uses", title, note, columns);
        for ((group, kind, k), summary) in self.summaries() {
            let mut row: Vec<Cell> = vec![
                scope.group_cell(group),
                scope.kind_cell(kind),
                (k as u64 + 1).into(),
                summary.sides.into(),
                summary.used.into(),
            ];
            row.extend(interval_cells(summary.incidence.as_ref()));
            row.push(summary.half_by_ply.into());
            table.push(row);
        }
        table
    }

    fn uses(&self, scope: &Scope, kind: u8) -> Figure {
        let ordinals = [("first", "الأول"), ("second", "الثاني"), ("third", "الثالث")];
        let curves = (0..USES).filter_map(|k| {
            let (en, ar) = ordinals[k];
            Some((Phrase::new(en, ar), self.waits(ALL, kind, k)?))
        });
        let name = format!("incidence_{}", scope.kind(kind));
        incidence_figure(
            scope,
            kind,
            name,
            Phrase::new("first, second, third use", "الاستعمال الأول والثاني والثالث"),
            curves.collect(),
        )
    }

    fn first_use_by_band(&self, scope: &Scope, kind: u8) -> Figure {
        let curves =
            scope.groups().skip(1).filter_map(|group| Some((scope.group_phrase(group), self.waits(group, kind, 0)?)));
        let name = format!("incidence_{}_by_generation", scope.kind(kind));
        incidence_figure(
            scope,
            kind,
            name,
            Phrase::new("first use by generation", "الاستعمال الأول بحسب الجيل"),
            curves.collect(),
        )
    }

    fn hazard_figure(&self, scope: &Scope, kind: u8) -> Figure {
        let mut columns = vec![band_column(), count_column("ply", Phrase::new("ply", "نصف النقلة"))];
        columns.push(count_column("possible", Phrase::new("legal and unused (n)", "ممكن ولم يُستعمل (n)")));
        columns.extend(interval_columns("hazard", Phrase::new("hazard", "معدّل الخطر"), Kind::Percent { decimals: 2 }));
        let name = scope.kind_name(kind);
        let title = Phrase::new(format!("Hazard of the first {}", name.en), format!("خطر أول {}", name.ar));
        let mut data = Table::new(format!("hazard_{}", scope.kind(kind)), title.clone(), Phrase::default(), columns);
        let mut series = Vec::new();
        let last = scope.groups().end - 1;
        for group in scope.groups() {
            let Some(steps) = self.hazard(group, kind) else { continue };
            for (ply, share) in &steps {
                let mut row: Vec<Cell> = vec![scope.group_cell(group), u64::from(*ply).into(), share.n.into()];
                row.extend(interval_cells(Some(share)));
                data.push(row);
            }
            if group == ALL || group == last || group == 1 {
                let points = smoothed(&steps).iter().map(|(ply, share)| point(*ply, share)).collect();
                series.push(Series { name: scope.group_phrase(group), style: Style::Line, points });
            }
        }
        let possible: u64 = self.hazard(ALL, kind).unwrap_or_default().iter().map(|(_, share)| share.n).sum();
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Share of decisions at a ply at which {} was legal, the side had not used it yet, and did. n = {possible} decisions; 95% by Wilson; drawn in groups of plies, the table has each ply.",
                    name.en
                ),
                format!(
                    "نسبة القرارات عند نصف نقلة ما التي كان فيها الاستعمال ({}) ممكنًا ولم يسبق للطرف، فاستعمله. n = {possible} قرارًا؛ 95% بطريقة ويلسون؛ الرسم بمجموعات من أنصاف النقلات وفي الجدول كل نصف نقلة.",
                    name.ar
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Lines(Lines {
            x: Phrase::new("ply", "نصف النقلة"),
            y: Phrase::new("hazard a ply", "الخطر لكل نصف نقلة"),
            x_range: None,
            y_range: None,
            series,
            scale: Scale::Percent,
        });
        Figure { title, caption, plot, data }
    }
}

fn incidence_figure(scope: &Scope, kind: u8, table: String, what: Phrase, curves: Vec<(Phrase, &Waits)>) -> Figure {
    let name = scope.kind_name(kind);
    let title = Phrase::new(format!("{}: {}", name.en, what.en), format!("{}: {}", name.ar, what.ar));
    let mut columns = vec![Column::new("curve", Phrase::new("curve", "المنحنى"), Kind::Text)];
    columns.push(count_column("ply", Phrase::new("ply", "نصف النقلة")));
    columns.push(count_column("waiting", Phrase::new("waiting", "ينتظر")));
    columns.push(count_column("used", Phrase::new("used", "استعمل")));
    columns.push(count_column("ended", Phrase::new("game ended", "انتهت المباراة")));
    columns.push(count_column("cut_off", Phrase::new("cut off", "قُطعت")));
    columns.extend(interval_columns("incidence", Phrase::new("incidence", "الوقوع"), Kind::Percent { decimals: 2 }));
    let mut data = Table::new(table, title.clone(), Phrase::default(), columns);
    let mut series = Vec::new();
    for (curve, waits) in &curves {
        let mut points = vec![Point::new(0.0, 0.0)];
        for step in waits.incidence() {
            let counts = [u64::from(step.ply), step.at_risk, step.events, step.competing, step.censored];
            let mut row: Vec<Cell> = vec![Cell::Words(curve.clone())];
            row.extend(counts.map(Cell::Count));
            row.extend(interval_cells(Some(&step.incidence)));
            data.push(row);
            points.push(point(f64::from(step.ply), &step.incidence));
        }
        series.push(Series { name: curve.clone(), style: Style::Step, points });
    }
    let mut n: Vec<String> = curves.iter().map(|(_, waits)| waits.n().to_string()).collect();
    n.dedup();
    let n = n.join(", ");
    extend_to_the_last(&mut series);
    let caption = sentence(&[
        &Phrase::new(
            format!(
                "Share of sides that have used it by a ply; the game's end is a competing event. n = {n} sides; 95% bands (Aalen-Johansen, delta method)."
            ),
            format!(
                "نسبة الأطراف التي استعملته حتى نصف نقلة ما؛ ونهاية المباراة حدث منافس. n = {n} طرفًا؛ أشرطة 95% (آلن-يوهانسن)."
            ),
        ),
        &scope.filter(),
    ]);
    let plot = Plot::Lines(Lines {
        x: Phrase::new("ply", "نصف النقلة"),
        y: Phrase::new("share of sides", "نسبة الأطراف"),
        x_range: None,
        y_range: Some((0.0, 1.0)),
        series,
        scale: Scale::Percent,
    });
    Figure { title, caption, plot, data }
}

/// A curve that has come to its end stays where it is.
fn extend_to_the_last(series: &mut [Series]) {
    let last = |series: &Series| series.points.last().map_or(0.0, |point| point.x);
    let end = series.iter().map(last).fold(0.0, f64::max);
    for series in series {
        let point = series.points.last().copied();
        series.points.extend(point.filter(|point| point.x < end).map(|point| Point { x: end, ..point }));
    }
}

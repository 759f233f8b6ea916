//! The hazard of the first use as a figure, and how it stands to a random choice as a table.

use super::measure::Timing;
use crate::{
    page::{Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{FEW, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, kind_column, point},
    },
};

/// Plies of one point of the figure.
const PLIES: u32 = 10;

impl Timing {
    /// First uses by as many as a random choice would have made.
    pub(super) fn preferences(&self, scope: &Scope) -> Table {
        let mut columns = vec![
            band_column(),
            kind_column(),
            count_column("possible", Phrase::new("legal and unused (n)", "ممكن ولم يُستعمل (n)")),
            count_column("came", Phrase::new("first uses", "الاستعمالات الأولى")),
            Column::new("by_chance", Phrase::new("by a random choice", "باختيار عشوائي"), Kind::Number { decimals: 1 }),
        ];
        let ratio = Phrase::new("times as many", "نسبتها إليها");
        columns.extend(interval_columns("preference", ratio, Kind::Number { decimals: 2 }));
        let note = sentence(&[
            &Phrase::new(
                "Decisions at which the use was legal and the side had not made one before; first uses at them; and as many as a uniformly random choice among the legal actions of the same decisions would have made. \
                 Above 1: the side preferred the use to other actions; opportunity is the same on both sides. 95% by bootstrap over games.",
                "القرارات التي كان الاستعمال فيها قانونيًا ولم يسبق للطرف استعمال؛ والاستعمالات الأولى فيها؛ وما كان اختيار عشوائي منتظم بين النقلات القانونية في القرارات نفسها ليستعمله. \
                 فوق 1: فضّل الطرف الاستعمال على سائر النقلات؛ والفرصة واحدة في الجهتين. 95% بإعادة المعاينة على المباريات.",
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("First uses beside a random choice", "الاستعمالات الأولى إلى جانب اختيار عشوائي");
        let mut table = Table::new("first_use_preference", title, note, columns);
        for group in scope.groups() {
            for kind in scope.kinds.iter().filter(|&kind| self.came(kind)) {
                let Some(hazard) = self.hazard(group, kind) else { continue };
                let steps = hazard.steps(u32::MAX);
                let Some(all) = steps.first() else { continue };
                let came = all.hazard.estimate * all.hazard.n as f64;
                let mut row: Vec<Cell> = vec![scope.group_cell(group), scope.kind_cell(kind), all.hazard.n.into()];
                row.extend([Cell::Count(came.round() as u64), (all.chance * all.hazard.n as f64).into()]);
                row.extend(interval_cells(self.preference(group, kind).as_ref()));
                table.push(row);
            }
        }
        table
    }

    pub(super) fn hazard_figure(&self, scope: &Scope, kind: u8) -> Figure {
        let mut columns = vec![band_column(), count_column("ply", Phrase::new("ply", "نصف النقلة"))];
        columns.push(count_column("possible", Phrase::new("legal and unused (n)", "ممكن ولم يُستعمل (n)")));
        columns.extend(interval_columns("hazard", Phrase::new("hazard", "معدّل الخطر"), Kind::Percent { decimals: 2 }));
        let chance = Phrase::new("a random choice", "اختيار عشوائي");
        columns.push(Column::new("chance", chance.clone(), Kind::Percent { decimals: 2 }));
        let name = scope.kind_name(kind);
        let title = Phrase::new(format!("Hazard of the first {}", name.en), format!("معدّل الخطر لأول {}", name.ar));
        let mut data = Table::new(format!("hazard_{}", scope.kind(kind)), title.clone(), Phrase::default(), columns);
        let (mut series, mut possible) = (Vec::new(), 0);
        let last = scope.groups().end - 1;
        for group in scope.groups() {
            let Some(hazard) = self.hazard(group, kind) else { continue };
            for step in hazard.steps(1) {
                let mut row: Vec<Cell> =
                    vec![scope.group_cell(group), u64::from(step.first_ply).into(), step.hazard.n.into()];
                row.extend(interval_cells(Some(&step.hazard)));
                row.push(step.chance.into());
                data.push(row);
            }
            let steps = hazard.steps(PLIES);
            let drawn = || steps.iter().filter(|step| step.hazard.n >= FEW);
            let middle = |first_ply: u32| f64::from(first_ply) + f64::from(PLIES - 1) / 2.0;
            if group == ALL || group == last || group == 1 {
                let points = drawn().map(|step| point(middle(step.first_ply), &step.hazard)).collect();
                series.push(Series { name: scope.group_phrase(group), style: Style::Line, points });
            }
            if group == ALL {
                let points = drawn().map(|step| Point::new(middle(step.first_ply), step.chance)).collect();
                series.push(Series { name: chance.clone(), style: Style::Dashed, points });
                possible = steps.iter().map(|step| step.hazard.n).sum();
            }
        }
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Share of decisions at a ply at which {} was legal, the side had not used it yet, and did; dashed: the share of the kind among the legal actions there, which is what a uniformly random choice would do. n = {possible} decisions; 95% by Wilson; drawn in groups of {PLIES} plies with at least {FEW} decisions, the table has each ply.",
                    name.en
                ),
                format!(
                    "نسبة القرارات عند نصف نقلة ما التي كان فيها الاستعمال ({}) قانونيًا ولم يسبق للطرف، فاستعمله؛ والمتقطّع: حصة النوع من النقلات القانونية هناك، وهو ما يفعله اختيار عشوائي منتظم. n = {possible} قرارًا؛ 95% بطريقة ويلسون؛ الرسم بمجموعات من {PLIES} أنصاف نقلات فيها {FEW} قرارًا على الأقل، وفي الجدول كل نصف نقلة.",
                    name.ar
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Lines(Lines {
            x: Phrase::new("ply", "نصف النقلة"),
            y: Phrase::new("hazard at a ply", "معدّل الخطر عند نصف النقلة"),
            x_range: None,
            y_range: None,
            series,
            scale: Scale::Percent,
        });
        Figure { title, caption, plot, data }
    }
}

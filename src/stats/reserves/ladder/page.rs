//! Transitions of the ladder as a table, the waits as a figure.

use super::measure::{Ladder, Transition};
use crate::{
    estimate::Curve,
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, point, rank_name},
    },
};

impl Question for Ladder {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        if self.transitions().next().is_none() {
            return Vec::new();
        }
        vec![Block::Table(self.table(scope)), Block::Figure(self.figure(scope))]
    }
}

impl Ladder {
    fn table(&self, scope: &Scope) -> Table {
        let mut columns = vec![
            band_column(),
            Column::new("from_rank", Phrase::new("from", "من"), Kind::Text),
            Column::new("to_rank", Phrase::new("to", "إلى"), Kind::Text),
            count_column("held", Phrase::new("pieces of the rank (n)", "قطع بهذه الرتبة (n)")),
            count_column("promoted", Phrase::new("promoted", "رُقّيت")),
        ];
        columns.extend(interval_columns("share", Phrase::new("share", "النسبة"), Kind::Percent { decimals: 2 }));
        let wait = Phrase::new("mean wait, plies", "متوسط الانتظار بأنصاف النقلات");
        columns.extend(interval_columns("wait", wait, Kind::Number { decimals: 1 }));
        let note = sentence(&[
            &Phrase::new(
                "A piece counts once for each rank it held. Share: of these, promoted to that rank. Wait: plies from gaining the rank to the next one, of those promoted. 95% by bootstrap over games.",
                "تُحسب القطعة مرة لكل رتبة حملتها. النسبة: ما رُقّي منها إلى تلك الرتبة. الانتظار: أنصاف النقلات من نيل الرتبة إلى التالية لمن رُقّي. 95% بإعادة المعاينة على المباريات.",
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("Transitions of the ladder", "انتقالات سلّم الرتب");
        let mut table = Table::new("ladder", title, note, columns);
        for Transition { group, rank, next, held, promoted, share, wait } in self.transitions() {
            let mut row: Vec<Cell> = vec![
                scope.group_cell(group),
                rank_name(rank).into(),
                rank_name(next).into(),
                held.into(),
                promoted.into(),
            ];
            row.extend(interval_cells(share.as_ref()));
            row.extend(interval_cells(wait.as_ref()));
            table.push(row);
        }
        table
    }

    fn figure(&self, scope: &Scope) -> Figure {
        let title = Phrase::new("How long a rank is held before the next", "كم تدوم الرتبة قبل التالية");
        let mut columns = vec![band_column(), Column::new("rank", Phrase::new("rank", "الرتبة"), Kind::Text)];
        columns.push(count_column("age", Phrase::new("plies", "أنصاف نقلات")));
        columns.push(count_column("promoted", Phrase::new("promoted", "رُقّيت")));
        columns.push(count_column("captured", Phrase::new("captured", "أُسرت")));
        columns.extend(interval_columns(
            "incidence",
            Phrase::new("promoted by then", "رُقّيت حتى ذلك"),
            Kind::Percent { decimals: 2 },
        ));
        let mut data = Table::new("ladder_waits", title.clone(), Phrase::default(), columns);
        let (mut series, mut n) = (Vec::new(), Vec::new());
        for (group, rank, waits) in self.waits() {
            let mut points = vec![Point::new(0.0, 0.0)];
            for step in waits.steps() {
                let incidence = step.incidence(Curve::Event);
                let mut row: Vec<Cell> = vec![scope.group_cell(group), rank_name(rank).into()];
                row.extend([u64::from(step.time), step.events, step.competing].map(Cell::Count));
                row.extend(interval_cells(Some(&incidence)));
                data.push(row);
                points.push(point(f64::from(step.time), &incidence));
            }
            if group == ALL {
                n.push(format!("{} {}", rank_name(rank), waits.n()));
                series.push(Series { name: Phrase::same(rank_name(rank)), style: Style::Step, points });
            }
        }
        let n = n.join(", ");
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Share of pieces promoted within so many plies of gaining their rank (cumulative incidence); capture competes, the game's end censors. n: {n} pieces; 95% bands by bootstrap over games."
                ),
                format!(
                    "نسبة القطع التي رُقّيت خلال هذا العدد من أنصاف النقلات بعد نيل رتبتها (وقوع تراكمي)؛ الأسر حدث منافس ونهاية المباراة بتر. n: {n} قطعة؛ أشرطة 95% بإعادة المعاينة على المباريات."
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Lines(Lines {
            x: Phrase::new("plies since the rank", "أنصاف نقلات منذ الرتبة"),
            y: Phrase::new("promoted", "رُقّيت"),
            x_range: None,
            y_range: None,
            series,
            scale: Scale::Percent,
        });
        Figure { title, caption, plot, data }
    }
}

//! How the arms use the reserve, by both sides together and by each.

use super::{
    Role, Tally,
    results::Counted,
    words::{arm_column, bootstrap, difference_title, games_column, newcombe, sentences},
};
use crate::{
    estimate::Interval,
    page::{Cell, Column, Figure, Kind, Phrase, Scale, Series, Style, Table},
    stats::words::{interval_cells, interval_columns, kind_name, point},
};

const SHARE: Kind = Kind::Percent { decimals: 1 };

impl Counted<'_> {
    /// How the reserve is used; nothing in a game without one.
    pub fn reserve(self) -> Option<Figure> {
        let kinds: Vec<&str> = self.tallies.first()?.uses[0].iter().map(|usage| usage.kind).collect();
        if kinds.is_empty() {
            return None;
        }
        let mut columns =
            vec![arm_column(), Column::new("kind", Phrase::new("kind", "النوع"), Kind::Text), games_column()];
        columns.extend(interval_columns("games_share", Phrase::new("games with it", "المباريات التي وقع فيها"), SHARE));
        columns.extend(interval_columns("difference", difference_title(), SHARE));
        let of_plies = Phrase::new("of all plies", "من كل أنصاف النقلات");
        columns.extend(interval_columns("plies_share", of_plies, Kind::Percent { decimals: 2 }));
        let first = Phrase::new("ply of the first", "نصف النقلة الأولى له");
        columns.extend(interval_columns("first_ply", first, Kind::Number { decimals: 1 }));
        let note = sentences(&[
            Phrase::new(
                "Games in which either side uses the reserve so, share of all plies that do, and the mean ply of the first use, over games in which there is \
                 one.",
                "المباريات التي استعمل فيها أيّ من الطرفين الاحتياطي على هذا النحو، ونسبة ذلك من كل أنصاف النقلات، ومتوسّط موضع أول استعمال في المباريات التي وقع فيها.",
            ),
            Phrase::new("Of games", "لنسب المباريات:"),
            newcombe(),
            Phrase::new("Of plies", "ولأنصاف النقلات:"),
            bootstrap(),
        ]);
        let title = Phrase::new("Use of the reserve", "استعمال الاحتياطي");
        let mut table = Table::new("reserve", title.clone(), note.clone(), columns);
        let words = self.study.arms()[0].rules.words();
        let mut series: Vec<Series> = kinds
            .iter()
            .map(|kind| Series { name: kind_name(words, kind), style: Style::Dots, points: vec![] })
            .collect();
        for (x, (arm, tally)) in self.arms().enumerate() {
            let base = self.base_of(arm);
            for ((usage, in_base), series) in tally.uses[0].iter().zip(&base.uses[0]).zip(&mut series) {
                let share = Interval::share(usage.games, tally.games());
                let difference = share
                    .zip(Interval::share(in_base.games, base.games()))
                    .filter(|_| arm.arm.role != Role::Base)
                    .map(|(one, other)| one.minus(&other));
                let mut row: Vec<Cell> =
                    vec![arm.arm.name.as_str().into(), kind_name(words, usage.kind).into(), tally.games().into()];
                for interval in [share, difference, usage.share.share(), usage.first.interval()] {
                    row.extend(interval_cells(interval.as_ref()));
                }
                table.push(row);
                series.points.extend(share.map(|share| point(x as f64, &share)));
            }
        }
        let y = Phrase::new("games with it", "المباريات التي وقع فيها");
        Some(self.bars(title, note, y, Scale::Percent, series, table))
    }

    /// How each side of the arms with a restriction uses its reserve; nothing in a study without any, or in a game
    /// without a reserve.
    pub fn reserve_by_side(self) -> Option<Table> {
        self.tallies.first().filter(|tally| !tally.uses[0].is_empty())?;
        let mut columns = vec![
            arm_column(),
            Column::new("side", Phrase::new("side", "الطرف"), Kind::Text),
            Column::new("kind", Phrase::new("kind", "النوع"), Kind::Text),
            games_column(),
        ];
        columns.extend(interval_columns("games_share", Phrase::new("games with it", "المباريات التي وقع فيها"), SHARE));
        let difference = difference_title();
        columns.extend(interval_columns("difference", difference, SHARE));
        let of_plies = Phrase::new("of its plies", "من أنصاف نقلاته");
        columns.extend(interval_columns("plies_share", of_plies, Kind::Percent { decimals: 2 }));
        let first = Phrase::new("ply of its first", "نصف النقلة الأولى له");
        columns.extend(interval_columns("first_ply", first, Kind::Number { decimals: 1 }));
        let note = Phrase::new(
            "Games in which that side uses the reserve so, less those of the same colour in the base; share of its plies that do; mean ply of its first use, over games in which there is \
             one. 95% as in the table of both sides.",
            "المباريات التي استعمل فيها ذلك الطرف الاحتياطي على هذا النحو، والفرق عن اللون نفسه في الأساس؛ ونسبة ذلك من أنصاف نقلاته؛ ومتوسّط موضع أول استعمال له في المباريات التي وقع فيها. \
             فترة الثقة \u{2066}95%\u{2069} كما في جدول الطرفين معًا.",
        );
        let title = Phrase::new("Use of the reserve by each side", "استعمال كل طرف للاحتياطي");
        let mut table = Table::new("reserve_by_side", title, note, columns);
        for (arm, tally) in self.arms() {
            let Some(restriction) = arm.arm.restriction() else { continue };
            let sides = [("restricted", "المقيَّد", restriction.side), ("other", "الآخر", !restriction.side)];
            for (en, ar, side) in sides {
                let of_side = |tally: &'_ Tally, i: usize| {
                    let usage = &tally.uses[1 + side.index()][i];
                    Interval::share(usage.games, tally.games())
                };
                for (i, usage) in tally.uses[1 + side.index()].iter().enumerate() {
                    let share = of_side(tally, i);
                    let base = of_side(self.base_of(arm), i);
                    let difference = share.zip(base).map(|(one, other)| one.minus(&other));
                    let mut row: Vec<Cell> = vec![
                        arm.arm.name.as_str().into(),
                        Cell::Words(Phrase::new(en, ar)),
                        kind_name(arm.rules.words(), usage.kind).into(),
                        tally.games().into(),
                    ];
                    for interval in [share, difference, usage.share.share(), usage.first.interval()] {
                        row.extend(interval_cells(interval.as_ref()));
                    }
                    table.push(row);
                }
            }
        }
        (!table.rows.is_empty()).then_some(table)
    }
}

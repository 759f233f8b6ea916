//! Uses by generation, as a figure.

use std::collections::BTreeMap;

use super::measure::Rate;
use crate::{
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::Scope,
            page::{Question, sentence},
        },
        words::{count_column, interval_cells, interval_columns, kind_column, point},
    },
};

impl Question for Rate {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        let mut columns = vec![
            Column::new("generation", Phrase::new("generation", "الجيل"), Kind::Count),
            kind_column(),
            count_column("games", Phrase::new("games (n)", "مباريات (n)")),
            count_column("events", Phrase::new("events", "أحداث")),
        ];
        let a_game = Phrase::new("events a game", "أحداث في المباراة");
        columns.extend(interval_columns("events_a_game", a_game.clone(), Kind::Number { decimals: 2 }));
        let sides = Phrase::new("sides that used it", "أطراف استعملته");
        columns.extend(interval_columns("sides_share", sides, Kind::Percent { decimals: 1 }));
        let title = Phrase::new("Uses of the reserve by generation", "استعمال الاحتياطي بحسب الجيل");
        let mut data = Table::new("uses_by_generation", title.clone(), Phrase::default(), columns);
        let mut series: BTreeMap<u8, Series> = BTreeMap::new();
        for (generation, kind, uses) in self.uses() {
            let a_game = uses.a_game();
            let counts = [Cell::Count(uses.games), Cell::Count(uses.events)];
            let mut row = vec![Cell::Count(generation), scope.kind_cell(kind)];
            row.extend(counts);
            row.extend(interval_cells(a_game.as_ref()));
            row.extend(interval_cells(uses.sides_share().as_ref()));
            data.push(row);
            let line = series.entry(kind).or_insert_with(|| Series {
                name: scope.kind_name(kind),
                style: Style::Line,
                points: Vec::new(),
            });
            line.points.extend(a_game.map(|interval| point(generation as f64, &interval)));
        }
        let games = scope.kinds.iter().next().map_or(0, |kind| self.games(kind));
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Events a game, both sides together. n = {games} games in all (each generation's in the table); 95% bands by bootstrap over games."
                ),
                format!(
                    "عدد الأحداث في المباراة للطرفين معًا. n = {games} مباراة إجمالًا (ولكل جيل عدده في الجدول)؛ أشرطة 95% بإعادة المعاينة على المباريات."
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Lines(Lines {
            x: Phrase::new("generation", "الجيل"),
            y: a_game,
            x_range: None,
            y_range: None,
            series: series.into_values().collect(),
            scale: Scale::Number,
        });
        vec![Block::Figure(Figure { title, caption, plot, data })]
    }
}

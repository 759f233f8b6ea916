//! What restrictions cost, as a table and a figure.

use super::{arm::Role, price::Price, results::Counted, words::restriction_column};
use crate::{
    page::{Bars, Cell, Column, Figure, Kind, Phrase, Plot, Scale, Series, Style, Table},
    stats::words::{interval_cells, interval_columns, point},
};

const SHARE: Kind = Kind::Percent { decimals: 1 };
const ELO: Kind = Kind::Number { decimals: 0 };

impl Counted<'_> {
    /// What restrictions cost, one after another for each budget; nothing in a study without any.
    pub fn prices(self) -> Option<Figure> {
        let config = self.study.config();
        if config.restriction.is_empty() {
            return None;
        }
        let count = |name: &str, title: Phrase| Column::new(name, title, Kind::Count);
        let mut columns = vec![
            restriction_column(),
            Column::new("player", Phrase::new("player", "اللاعب"), Kind::Text),
            count("playouts", Phrase::new("playouts", "المحاكاة لكل نقلة")),
            count("max_plies", Phrase::new("limit, plies", "حدّ أنصاف النقلات")),
            count("pairs", Phrase::new("pairs", "الأزواج")),
            count("cut_off", Phrase::new("pairs cut off", "أزواج مقطوعة")),
        ];
        let score = Phrase::new("score of the restricted side", "نقاط الطرف المقيَّد");
        columns.extend(interval_columns("score", score, SHARE));
        columns.extend(interval_columns("elo_lost", Phrase::new("Elo lost", "إيلو المفقود"), ELO));
        columns.extend(interval_columns("as_white", Phrase::new("score as White", "نقاطه بالأبيض"), SHARE));
        columns.extend(interval_columns("as_black", Phrase::new("score as Black", "نقاطه بالأسود"), SHARE));
        let note = note();
        let title = Phrase::new("The price of a restriction", "ثمن القيد");
        let mut table = Table::new("restrictions", title.clone(), note.clone(), columns);
        let (mut points, mut labels) = (Vec::new(), Vec::new());
        let restricted: Vec<_> =
            self.arms().filter(|(arm, _)| matches!(arm.arm.role, Role::Restriction { .. })).collect();
        // White's arm and Black's arm of one restriction and budget follow each other.
        for halves in restricted.chunks_exact(2) {
            let [(white, tally), (black, tally_of_black)] = halves else { continue };
            let Role::Restriction { of, .. } = white.arm.role else { continue };
            let name = config.restriction[of].name.as_str();
            let price = Price::of(tally, tally_of_black);
            let mut players = vec![white.player.as_str(), black.player.as_str()];
            players.dedup();
            let mut row: Vec<Cell> = vec![
                name.into(),
                players.join(", ").into(),
                white.arm.playouts.into(),
                config.play.max_plies.into(),
                price.pairs.pairs().into(),
                price.cut_off.into(),
            ];
            let found = price.pairs.pairs() > 0;
            let lost = found.then(|| price.elo_lost());
            for interval in [found.then(|| price.score()), lost, price.sides[0], price.sides[1]] {
                row.extend(interval_cells(interval.as_ref()));
            }
            table.push(row);
            points.extend(lost.map(|lost| point(labels.len() as f64, &lost)));
            let budgets = config.play.budgets.len();
            labels.push(Phrase::same(if budgets > 1 { format!("{name}-{}", white.arm.playouts) } else { name.into() }));
        }
        let name = Phrase::new("Elo lost", "إيلو المفقود");
        let plot = Bars {
            x: Phrase::new("restriction", "القيد"),
            y: name.clone(),
            labels,
            series: vec![Series { name, style: Style::Dots, points }],
            scale: Scale::Number,
        };
        Some(Figure { title, caption: note, plot: Plot::Bars(plot), data: table })
    }
}

fn note() -> Phrase {
    Phrase::new(
        "Points a game of the side that is restricted, against the same player without the restriction; both know of it. The price is that of this player with this budget and this \
         limit of plies, not of the game. A pair is one game in which White is restricted and one in which Black is, with the same random numbers; a pair with a game that was cut off \
         has no result and is left out. 95%: by pairs, Wilson's interval with the variance of pairs; of one colour, Tango's.",
        "نقاط المباراة للطرف المقيَّد أمام اللاعب نفسه بلا قيد، وكلاهما يعلم بالقيد. والثمن ثمنه لهذا اللاعب بهذه الميزانية وهذا الحدّ لا ثمنه في اللعبة. الزوج مباراتان قُيّد الأبيض في إحداهما والأسود في الأخرى \
         بالأعداد العشوائية نفسها؛ والزوج الذي قُطعت إحدى مباراتيه لا نتيجة له فيُستبعد. فترة الثقة \u{2066}95%\u{2069}: على مستوى الأزواج بفترة ويلسون مع تباين الأزواج، ولكل لون بفترة تانغو.",
    )
}

//! Hill numbers of openings as a table and a figure.

use crate::{
    estimate::Hill,
    page::{Cell, Figure, Kind, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::{
        openings::{Openings, figures::generation, groups::By, notes::join, tables::row},
        words::{count_column, interval_cells, interval_columns, point},
    },
};

/// How many openings there are in effect, by generation.
pub fn table(openings: &Openings) -> Table {
    let title = Phrase::new("Effective number of openings", "العدد الفعّال للافتتاحات");
    let number = Kind::Number { decimals: 1 };
    let mut columns = vec![
        By::Generation.column(),
        count_column("plies", Phrase::new("plies", "أنصاف النقلات")),
        count_column("games", Phrase::new("games", "المباريات")),
        count_column("order_0", Phrase::new("order 0: openings seen", "الرتبة 0: افتتاحات ظهرت")),
    ];
    columns.extend(interval_columns("order_1", Phrase::new("order 1", "الرتبة 1"), number));
    columns.extend(interval_columns("order_2", Phrase::new("order 2", "الرتبة 2"), number));
    let mut table = Table::new("diversity", title, note(openings), columns);
    for census in &openings.censuses {
        for (generation, hill) in census.hill() {
            let names = [generation.into(), census.plies().into(), hill.shannon.n.into(), Cell::Count(hill.kinds)];
            let numbers = [interval_cells(Some(&hill.shannon)), interval_cells(Some(&hill.simpson))].concat();
            table.push(row(names, numbers));
        }
    }
    table
}

/// Hill numbers of orders 1 and 2.
pub fn figure(openings: &Openings) -> Figure {
    let mut series = Vec::new();
    for census in &openings.censuses {
        let (plies, hill) = (census.plies(), census.hill());
        for order in [1, 2] {
            let at = |(generation, hill): &(u64, Hill)| {
                point(*generation as f64, if order == 1 { &hill.shannon } else { &hill.simpson })
            };
            let name = Phrase::new(format!("{plies} plies, order {order}"), format!("الطول {plies}، الرتبة {order}"));
            series.push(Series { name, style: Style::Line, points: hill.iter().map(at).collect() });
        }
    }
    Figure {
        title: Phrase::new("Effective number of openings", "العدد الفعّال للافتتاحات"),
        caption: note(openings),
        plot: Plot::Lines(Lines {
            x: generation(),
            y: Phrase::new("openings", "افتتاحات"),
            x_range: None,
            y_range: None,
            series,
            scale: Scale::Number,
        }),
        data: table(openings),
    }
}

/// The note on numbers of openings.
fn note(openings: &Openings) -> Phrase {
    let mut note = openings.note(&Phrase::new(
        "Hill numbers of the positions after so many plies, as observed: they grow with the number of games. Intervals are large-sample 95% intervals.",
        "أعداد هيل للوضعيات بعد هذا العدد من أنصاف النقلات كما شوهدت: تكبر بعدد المباريات. الفترات فترات ثقة 95% للعيّنات الكبيرة.",
    ));
    for census in openings.censuses.iter().filter(|census| census.gave_up()) {
        let plies = census.plies();
        note = join(
            &note,
            &Phrase::new(
                format!("Openings of {plies} plies are more than `--max-positions` and left out."),
                format!("الافتتاحات بطول {plies} من أنصاف النقلات أكثر من `--max-positions` فحُذفت."),
            ),
        );
    }
    note
}

//! Hill numbers of openings as a table and a figure.

use crate::{
    estimate::Hill,
    page::{Column, Figure, Kind, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::{
        openings::{
            Openings,
            figures::generation,
            groups::By,
            notes::join,
            tables::{PERCENT, row},
        },
        words::{count_column, hill_cells, hill_columns, point},
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
        count_column("seen", Phrase::new("openings seen", "افتتاحات ظهرت")),
        Column::new("coverage", Phrase::new("coverage", "التغطية"), PERCENT),
    ];
    columns.extend(hill_columns(number));
    let mut table = Table::new("diversity", title, note(openings), columns);
    for census in &openings.censuses {
        for (generation, hill) in census.hill(census.common_size()) {
            let names =
                [generation.into(), census.plies().into(), hill.n.into(), hill.kinds.into(), hill.coverage.into()];
            table.push(row(names, hill_cells(&hill)));
        }
    }
    table
}

/// Orders 1 and 2 of samples of one size.
pub fn figure(openings: &Openings) -> Figure {
    let mut series = Vec::new();
    for census in &openings.censuses {
        let (plies, hill) = (census.plies(), census.hill(census.common_size()));
        for order in [1, 2] {
            let at = |(generation, hill): &(u64, Hill)| point(*generation as f64, &hill.rarefied[order]);
            let name = Phrase::new(format!("{plies} plies, order {order}"), format!("الطول {plies}، الرتبة {order}"));
            series.push(Series { name, style: Style::Line, points: hill.iter().map(at).collect() });
        }
    }
    Figure {
        title: Phrase::new("Effective number of openings", "العدد الفعّال للافتتاحات"),
        caption: note(openings),
        plot: Plot::Lines(Lines {
            x: generation(),
            y: Phrase::new("openings, in samples of one size", "افتتاحات، في عيّنات من حجم واحد"),
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
        "Hill numbers of the positions after so many plies, of all games, drawn moves included: they say how varied the games are, not what the network would choose. Orders 0, 1 and 2 are \
         estimates for the games that could have been played, order 0 a lower bound; coverage is the share of those whose opening was seen. Compare generations by the columns of samples of \
         one size, the smallest generation's number of games. 95% intervals; the one of order 1 is too narrow where coverage is low.",
        "أعداد هيل للوضعيات بعد هذا العدد من أنصاف النقلات، لكل المباريات وفيها النقلات المسحوبة: تقول كم تتنوّع المباريات، لا ما كانت الشبكة ستختار. الرتب 0 و1 و2 تقديرات للمباريات التي كان يمكن \
         أن تُلعب، والرتبة 0 حدّ أدنى؛ والتغطية نسبة ما ظهر افتتاحه منها. تُقارن الأجيال بأعمدة العيّنات ذات الحجم الواحد، وهو عدد مباريات أصغر جيل. فترات ثقة 95%؛ وفترة الرتبة 1 أضيق مما \
         ينبغي حيث تقلّ التغطية.",
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

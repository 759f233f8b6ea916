//! Length of games as a table and a figure.

use crate::{
    page::{Figure, Kind, Lines, Phrase, Plot, Scale, Table},
    stats::{
        openings::{
            Openings,
            figures::{generation, series},
            groups::{By, Group},
            tables::row,
        },
        words::{count_column, interval_cells, interval_columns},
    },
};

/// How lengths are printed.
const PLIES: Kind = Kind::Number { decimals: 1 };

/// Length of games by group.
pub fn table(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("Length of games in plies", "طول المباريات بأنصاف النقلات"));
    let mut columns = vec![
        by.column(),
        count_column("games", Phrase::new("games", "المباريات")),
        count_column("cut_off", Phrase::new("cut off", "مقطوعة")),
    ];
    columns.extend(interval_columns("mean", Phrase::new("mean", "المتوسّط"), PLIES));
    let ended = Phrase::new("mean of those with a result", "متوسّط ذات النتيجة");
    columns.extend(interval_columns("mean_of_ended", ended, PLIES));
    columns.extend(interval_columns("tenth", Phrase::new("shortest tenth up to", "أقصر عُشر حتى"), PLIES));
    columns.extend(interval_columns("median", Phrase::new("median", "الوسيط"), PLIES));
    columns.extend(interval_columns("nine_tenths", Phrase::new("nine tenths up to", "تسعة أعشار حتى"), PLIES));
    let note = openings.note(&Phrase::new(
        "A game that was cut off would have been longer: means of all games and quantiles at the limit are too low. Means with bootstrap intervals over games, \
         quantiles with intervals by order statistics.",
        "المباراة المقطوعة كانت ستطول: فالمتوسّط على جميع المباريات والمئينات عند الحدّ أدنى من الحقيقة. فترات المتوسّطات بإعادة المعاينة (bootstrap) على المباريات، \
         وفترات المئينات بالإحصاءات الترتيبية.",
    ));
    let mut table = Table::new(by.name("lengths"), title, note, columns);
    for Group { name, tally, .. } in openings.groups.by(by) {
        let means = [tally.lengths.plies.interval(), tally.lengths.plies_of_ended.interval()];
        let quantiles = [0.1, 0.5, 0.9].map(|share| tally.lengths.quantile(share));
        let cells = means.iter().chain(&quantiles).flat_map(|interval| interval_cells(interval.as_ref()));
        let names = [name.cell(), tally.games().into(), tally.ends.all.cut_off.into()];
        table.push(row(names, cells));
    }
    table
}

/// How long games are.
pub fn figure(openings: &Openings) -> Figure {
    let series = vec![
        series(openings, Phrase::new("mean", "المتوسّط"), |group| group.tally.lengths.plies.interval()),
        series(openings, Phrase::new("mean of those with a result", "متوسّط ذات النتيجة"), |group| {
            group.tally.lengths.plies_of_ended.interval()
        }),
        series(openings, Phrase::new("median", "الوسيط"), |group| group.tally.lengths.quantile(0.5)),
    ];
    Figure {
        title: Phrase::new("Length of games", "طول المباريات"),
        caption: openings.note(&Phrase::new(
            "A point takes neighbouring generations together, as far as the data allow. Bands are 95% intervals. Games that were cut off would have been longer.",
            "كل نقطة تجمع أجيالًا متجاورة كما في البيانات. الأشرطة فترات ثقة 95%. المباريات المقطوعة كانت ستطول.",
        )),
        plot: Plot::Lines(Lines {
            x: generation(),
            y: Phrase::new("plies", "أنصاف النقلات"),
            x_range: None,
            y_range: None,
            series,
            scale: Scale::Number,
        }),
        data: table(openings, By::Step),
    }
}

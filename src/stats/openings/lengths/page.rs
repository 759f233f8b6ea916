//! Length of games as a table and a figure.

use crate::{
    estimate::Interval,
    page::{Cell, Figure, Kind, Lines, Phrase, Plot, Scale, Table},
    stats::{
        openings::{
            Openings,
            figures::{generation, series},
            groups::{By, Group},
            tables::{change_name, row},
        },
        words::{count_column, interval_cells, interval_columns},
    },
};

/// How lengths are printed.
const PLIES: Kind = Kind::Number { decimals: 1 };

/// Length of games by group, and how it changed.
pub fn table(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("Length of games in plies", "طول المباريات بأنصاف النقلات"));
    let limit = limit(openings);
    let mut columns = vec![
        by.column(),
        count_column("games", Phrase::new("games", "المباريات")),
        count_column("cut_off", Phrase::new("cut off", "مقطوعة")),
        count_column("limit", Phrase::new("limit", "الحدّ")),
    ];
    let restricted = Phrase::new("mean up to the limit", "المتوسّط حتى الحدّ");
    columns.extend(interval_columns("restricted_mean", restricted, PLIES));
    columns.extend(interval_columns("tenth", Phrase::new("shortest tenth up to", "أقصر عُشر حتى"), PLIES));
    columns.extend(interval_columns("median", Phrase::new("median", "الوسيط"), PLIES));
    columns.extend(interval_columns("nine_tenths", Phrase::new("nine tenths up to", "تسعة أعشار حتى"), PLIES));
    let ended = Phrase::new("mean of ended games only", "متوسّط المباريات المنتهية وحدها");
    columns.extend(interval_columns("mean_of_ended", ended, PLIES));
    let note = openings.note(&Phrase::new(
        format!(
            "A game that was cut off would have been longer: its length is censored. The mean counts at most {limit} plies of each game, the least length at which one was cut off. \
             Quantiles are Kaplan and Meier's; one that lies at or beyond the last length known is at least that. The mean of ended games leaves out the long ones."
        ),
        format!(
            "المباراة المقطوعة كانت ستطول: فطولها مبتور. المتوسّط يعدّ من كل مباراة {limit} من أنصاف النقلات على الأكثر، وهو أقصر طول قُطعت عنده مباراة. المئينات بطريقة كابلان وماير؛ \
             وما وقع منها عند آخر طول معروف أو بعده فهو ذلك الطول على الأقل. ومتوسّط المباريات المنتهية يُسقط الطويلة منها."
        ),
    ));
    let mut table = Table::new(by.name("lengths"), title, note, columns);
    for group in openings.groups.by(by) {
        let lengths = &group.tally.lengths;
        let mut cells = interval_cells(mean(openings, &group).as_ref()).to_vec();
        let last = lengths.plies.longest().unwrap_or_default() as f64;
        cells.extend([0.1, 0.5, 0.9].iter().flat_map(|&share| at_least(lengths.plies.quantile(share), last)));
        cells.extend(interval_cells(lengths.plies_of_ended.interval().as_ref()));
        let names = [group.name.cell(), lengths.plies.n().into(), group.tally.ends.all.cut_off.into(), limit.into()];
        table.push(row(names, cells));
    }
    if by == By::Band {
        let quantile =
            |share| openings.groups.change(|group| group.tally.lengths.plies.quantile(share).filter(is_known));
        let changes = [
            openings.groups.change(|group| mean(openings, group)),
            quantile(0.1),
            quantile(0.5),
            quantile(0.9),
            openings.groups.change(|group| group.tally.lengths.plies_of_ended.interval()),
        ];
        if changes[0].is_some() {
            let cells = changes.iter().flat_map(|change| interval_cells(change.as_ref()));
            table.push(row([change_name().into(), Cell::Empty, Cell::Empty, limit.into()], cells));
        }
    }
    table
}

/// The least length at which a game was cut off; the greatest of all where none was.
fn limit(openings: &Openings) -> u64 {
    openings.groups.all.lengths.plies.known_up_to().unwrap_or_default()
}

fn mean(openings: &Openings, group: &Group<'_>) -> Option<Interval> {
    group.tally.lengths.plies.restricted_mean(limit(openings))
}

/// Whether a difference of quantiles can be told.
fn is_known(quantile: &Interval) -> bool {
    quantile.high.is_finite()
}

/// A quantile, of which what is not known is at least the last length.
fn at_least(quantile: Option<Interval>, last: f64) -> [Cell; 3] {
    let Some(Interval { estimate, low, high, .. }) = quantile else { return [Cell::Empty, Cell::Empty, Cell::Empty] };
    [estimate, low, high].map(|end| if end.is_finite() { Cell::Number(end) } else { Cell::AtLeast(last) })
}

/// How long games are.
pub fn figure(openings: &Openings) -> Figure {
    let limit = limit(openings);
    let series = vec![
        series(openings, Phrase::new("mean up to the limit", "المتوسّط حتى الحدّ"), |group| {
            mean(openings, group)
        }),
        series(openings, Phrase::new("median", "الوسيط"), |group| {
            group.tally.lengths.plies.quantile(0.5).filter(|median| median.estimate.is_finite()).map(|median| {
                let last = group.tally.lengths.plies.longest().unwrap_or_default() as f64;
                Interval { high: median.high.min(last), ..median }
            })
        }),
    ];
    Figure {
        title: Phrase::new("Length of games", "طول المباريات"),
        caption: openings.note(&Phrase::new(
            format!(
                "A point takes neighbouring generations together, as far as the data allow. Bands are 95% intervals. The mean counts at most {limit} plies of each game; no median is drawn \
                 where half of the games were not over at the last length known."
            ),
            format!(
                "كل نقطة تجمع أجيالًا متجاورة كما في البيانات. الأشرطة فترات ثقة 95%. المتوسّط يعدّ من كل مباراة {limit} من أنصاف النقلات على الأكثر؛ ولا يُرسم وسيط حيث لم ينته نصف المباريات \
                 عند آخر طول معروف."
            ),
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

//! How well each network knew games that were held out of its training: losses, the worth of its values, calibration.

use super::{Record, selfplay::over_generations};
use crate::{
    page::{Block, Cell, Column, Figure, Kind, Phrase, Point, Scale, Section, Series, Style, Table},
    pipeline::metrics::HoldoutEvent,
};

/// The section; none for a run that held nothing out.
pub fn section(record: &Record) -> Option<Section> {
    let events: Vec<&HoldoutEvent> = record.holdout.values().collect();
    let newest = events.last()?;
    let blocks = vec![
        Block::Figure(losses(&events)),
        Block::Figure(worth(&events)),
        Block::Table(by_ply(newest)),
        Block::Table(calibration(newest)),
    ];
    Some(Section {
        id: "holdout".to_owned(),
        title: Phrase::new("Games held out of training", "مباريات لم يُدرَّب عليها"),
        blocks,
    })
}

fn caption(events: &[&HoldoutEvent]) -> Phrase {
    let rows = || events.iter().map(|event| event.rows);
    let (least, most) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
    Phrase::new(
        format!(
            "n = {least}-{most} rows a network, the newest of the files that were held out. Rows of one game depend on \
             each other, and neighbouring networks are judged by many of the same rows: there is no interval."
        ),
        format!(
            "العدد {least}-{most} صفًّا لكل شبكة، أحدث صفوف الملفات المستبعدة. صفوف المباراة الواحدة غير مستقلة، والشبكات المتجاورة تشترك في كثير من الصفوف: لا فترة ثقة."
        ),
    )
}

fn curve(name: Phrase, events: &[&HoldoutEvent], pick: impl Fn(&HoldoutEvent) -> Option<f64>) -> Series {
    let points = events.iter().filter_map(|event| Some(Point::new(event.generation as f64, pick(event)?)));
    Series { name, style: Style::Line, points: points.filter(|point| point.y.is_finite()).collect() }
}

fn losses(events: &[&HoldoutEvent]) -> Figure {
    let series = vec![
        curve(Phrase::new("policy KL", "تباعد KL للسياسة"), events, |event| {
            event.losses.get("policy_kl").copied()
        }),
        curve(Phrase::new("value", "القيمة"), events, |event| event.losses.get("value").copied()),
    ];
    let lines = over_generations(Phrase::new("nats", "بالنات"), Scale::Number, series);
    let title = Phrase::new("Losses on games held out", "الخسائر على مباريات لم يُدرَّب عليها");
    Figure::of_lines("holdout_losses", title, caption(events), lines)
}

fn worth(events: &[&HoldoutEvent]) -> Figure {
    let series = vec![
        curve(Phrase::new("share of variance explained", "نسبة التباين المفسَّر"), events, |event| {
            event.value_r2
        }),
        curve(Phrase::new("slope of results over values", "ميل النتائج على القيم"), events, |event| {
            event.value_slope
        }),
    ];
    let lines = over_generations(Phrase::default(), Scale::Number, series);
    let cut_off = || events.iter().map(|event| cut_off(event));
    let (least, most) = (cut_off().min().unwrap_or(0), cut_off().max().unwrap_or(0));
    let more = Phrase::new(
        format!(
            "Without the rows of games that were cut off, which have no result: {least}-{most} a network. A slope of 1 is calibrated; above 1 values are timid."
        ),
        format!(
            "من دون صفوف المباريات المقطوعة، إذ لا نتيجة لها: {least}-{most} لكل شبكة. الميل 1 معايَرة تامّة، وما فوقه قيم متحفّظة."
        ),
    );
    let note = caption(events).with(&more);
    Figure::of_lines("holdout_value", Phrase::new("What values are worth", "ما تساويه القيم"), note, lines)
}

/// Rows of games that were cut off: they have no result that a value could be held against.
fn cut_off(event: &HoldoutEvent) -> u64 {
    event.rows.saturating_sub(event.calibration.iter().map(|bin| bin.rows).sum())
}

fn of_newest(event: &HoldoutEvent) -> Phrase {
    let HoldoutEvent { generation, rows, .. } = event;
    let cut_off = cut_off(event);
    let ended = rows - cut_off;
    Phrase::new(
        format!(
            "The network of generation {generation}; n = {ended} rows of games that came to a result. {cut_off} of the {rows} rows judged are of games that were cut off and have none: they are left out."
        ),
        format!(
            "شبكة الجيل {generation}؛ العدد {ended} صفًّا من مباريات انتهت إلى نتيجة. ومن الصفوف المقيَّمة وعددها {rows} تُركت {cut_off} من مباريات مقطوعة لا نتيجة لها."
        ),
    )
}

fn by_ply(event: &HoldoutEvent) -> Table {
    let columns = vec![
        Column::new("from_ply", Phrase::new("from ply", "من نصف النقلة"), Kind::Count),
        Column::new("rows", Phrase::new("rows (n)", "صفوف (العدد)"), Kind::Count),
        Column::new("r2", Phrase::new("variance explained", "التباين المفسَّر"), Kind::Number { decimals: 2 }),
    ];
    let title = Phrase::new("What values are worth, by plies of a game", "ما تساويه القيم بحسب أنصاف النقلات");
    let mut table = Table::new("holdout_plies", title, of_newest(event), columns);
    for band in &event.plies {
        table.push(vec![u64::from(band.from).into(), band.rows.into(), band.r2.map_or(Cell::Empty, Cell::from)]);
    }
    table
}

fn calibration(event: &HoldoutEvent) -> Table {
    let number = Kind::Number { decimals: 2 };
    let columns = vec![
        Column::new("predicted", Phrase::new("mean value", "متوسّط القيمة"), number),
        Column::new("result", Phrase::new("mean result", "متوسّط النتيجة"), number),
        Column::new("rows", Phrase::new("rows (n)", "صفوف (العدد)"), Kind::Count),
    ];
    let title = Phrase::new("Calibration: results by value", "المعايرة: النتائج بحسب القيمة");
    let mut table = Table::new("holdout_calibration", title, of_newest(event), columns);
    for bin in &event.calibration {
        table.push(vec![bin.predicted.into(), bin.result.into(), bin.rows.into()]);
    }
    table
}

//! Strength, losses and decided games of several runs over what each run spent: games, evaluations, minutes.

use super::seeds::{Curve, Values, curves};
use crate::{
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Section, Series, Style, Table},
    pipeline::metrics::HoldoutEvent,
    report::{Record, cost::Axis},
};

fn axes() -> [Axis; 3] {
    [Axis::games(), Axis::evaluations(), Axis::minutes()]
}

/// What is drawn of each network.
struct Quantity {
    id: &'static str,
    title: Phrase,
    y: Phrase,
    note: Phrase,
    decimals: usize,
    /// By generation, with an interval where there is one.
    values: Values,
}

/// Elo of the networks, where a run was measured.
pub fn elo(records: &[Record]) -> Option<Figure> {
    let quantity = Quantity {
        id: "elo",
        title: Phrase::new("Elo over games, evaluations and time", "نقاط إيلو مقابل المباريات والتقييمات والزمن"),
        y: Phrase::new("Elo", "نقاط إيلو"),
        note: Phrase::new(
            "By the matches that each run played, and the baselines they share. The bands of single runs are 95% intervals by the model of Bradley and Terry, relative to `random` at 0.",
            "بمواجهات كل تجربة واللاعبين المرجعيين المشتركين. نطاقات التجارب المفردة فترات 95% بنموذج برادلي وتيري نسبةً إلى `random` عند 0.",
        ),
        decimals: 0,
        values: ratings,
    };
    is_reported(&quantity, records).then(|| figure(records, &quantity))
}

fn quantities() -> [Quantity; 3] {
    let holdout = Phrase::new(
        "The newest rows of the files that each run held out of its own training: the sets differ between runs, and the rows of one game depend on each other, so there is no interval.",
        "أحدث صفوف الملفات التي استبعدتها كل تجربة من تدريبها: تختلف المجموعات بين التجارب، وصفوف المباراة الواحدة غير مستقلة، فلا فترة ثقة.",
    );
    [
        Quantity {
            id: "policy_kl",
            title: Phrase::new("Policy on games held out", "السياسة على مباريات لم يُدرَّب عليها"),
            y: Phrase::new("policy KL, nats", "تباعد KL للسياسة، بالنات"),
            note: holdout.clone(),
            decimals: 3,
            values: |record| held_out(record, |event| event.losses.get("policy_kl").copied()),
        },
        Quantity {
            id: "value_r2",
            title: Phrase::new("Value on games held out", "القيمة على مباريات لم يُدرَّب عليها"),
            y: Phrase::new("share of variance explained", "نسبة التباين المفسَّر"),
            note: holdout,
            decimals: 3,
            values: |record| held_out(record, |event| event.value_r2),
        },
        Quantity {
            id: "decided",
            title: Phrase::new("Decided games", "المباريات المحسومة"),
            y: Phrase::new("decided games in 1,000 plies", "مباريات محسومة في كل 1,000 نصف نقلة"),
            note: Phrase::new(
                "Games of self-play that one side won, by the network that played them.",
                "مباريات لعب ذاتي فاز بها أحد الطرفين، بحسب الشبكة التي لعبتها.",
            ),
            decimals: 2,
            values: |record| {
                let played = record.selfplay.iter();
                played.map(|(&generation, event)| (generation, Point::new(0.0, event.decided_per_1000_plies))).collect()
            },
        },
    ]
}

fn ratings(record: &Record) -> Vec<(u64, Point)> {
    let players = record.ratings.iter().flat_map(|ratings| &ratings.players);
    let mut points: Vec<(u64, Point)> = players
        .filter_map(|player| {
            let point = Point { low: player.low, high: player.high, ..Point::new(0.0, player.elo?) };
            Some((player.generation?, point))
        })
        .collect();
    points.sort_by_key(|&(generation, _)| generation);
    points
}

fn held_out(record: &Record, pick: fn(&HoldoutEvent) -> Option<f64>) -> Vec<(u64, Point)> {
    let events = record.holdout.iter();
    events.filter_map(|(&generation, event)| Some((generation, Point::new(0.0, pick(event)?)))).collect()
}

fn is_reported(quantity: &Quantity, records: &[Record]) -> bool {
    records.iter().any(|record| !(quantity.values)(record).is_empty())
}

/// A section for each other quantity that a run reported.
pub fn sections(records: &[Record]) -> Vec<Section> {
    let drawn = quantities().into_iter().filter(|quantity| is_reported(quantity, records));
    drawn
        .map(|quantity| Section {
            id: quantity.id.to_owned(),
            title: quantity.title.clone(),
            blocks: vec![Block::Figure(figure(records, &quantity))],
        })
        .collect()
}

/// A quantity over each axis, a panel each.
fn figure(records: &[Record], quantity: &Quantity) -> Figure {
    let curves = curves(records, quantity.values);
    let panels = axes().map(|axis| {
        let series = curves.iter().map(|curve| {
            let points = curve.points.iter().map(|(_, cost, value)| Point { x: (axis.place)(cost), ..*value });
            Series { name: curve.name.clone(), style: Style::Line, points: points.collect() }
        });
        Plot::Lines(Lines {
            x: axis.title.clone(),
            y: quantity.y.clone(),
            x_range: axis.range(curves.iter().flat_map(|curve| &curve.points).map(|(_, cost, _)| cost)),
            y_range: None,
            series: series.collect(),
            scale: Scale::Number,
        })
    });
    let mut caption = quantity.note.clone();
    if curves.iter().any(|curve| curve.runs > 1) {
        caption = caption.with(&Phrase::new(
            "Runs that differ in `run.seed` alone are one line, their mean, in a band from the least to the greatest of them, which is no interval; games, evaluations and time are their means too. Where one of them was not measured, its value is on the straight line between two measurements.",
            "التجارب التي لا تختلف إلا في `run.seed` خط واحد هو متوسّطها، في نطاق من أصغرها إلى أكبرها، وليس فترة ثقة؛ والمباريات والتقييمات والزمن متوسّطاتها أيضًا. وحيث لم تُقس إحداها فقيمتها على الخط المستقيم بين قياسين.",
        ));
    }
    let data = data(quantity, &curves);
    Figure { title: quantity.title.clone(), caption, plot: Plot::Panels(panels.into()), data }
}

/// A row for each point of a curve.
fn data(quantity: &Quantity, curves: &[Curve]) -> Table {
    let kind = Kind::Number { decimals: quantity.decimals };
    let mut columns = vec![
        Column::new("runs", Phrase::new("run", "التجربة"), Kind::Text),
        Column::new("n", Phrase::new("runs (n)", "التجارب (العدد)"), Kind::Count),
        Column::new("generation", Phrase::new("generation", "الجيل"), Kind::Count),
    ];
    columns.extend(axes().iter().map(Axis::column));
    columns.extend([
        Column::new(quantity.id, quantity.y.clone(), kind),
        Column::new("low", Phrase::new("from", "من"), kind),
        Column::new("high", Phrase::new("to", "إلى"), kind),
    ]);
    let mut table = Table::new(quantity.id, quantity.title.clone(), Phrase::default(), columns);
    for curve in curves {
        for (generation, cost, value) in &curve.points {
            let mut row = vec![curve.name.clone().into(), curve.runs.into(), (*generation).into()];
            row.extend(axes().iter().map(|axis| Cell::from((axis.place)(cost))));
            row.extend([Cell::from(value.y), value.low.into(), value.high.into()]);
            table.push(row);
        }
    }
    table
}

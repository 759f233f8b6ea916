//! Strength, losses and decided games of several runs over what each run spent: games, evaluations, minutes.

use super::cost::{Cost, costs};
use crate::{
    page::{Block, Figure, Lines, Phrase, Point, Scale, Section, Series, Style},
    pipeline::metrics::HoldoutEvent,
    report::Record,
};

/// What a curve is drawn over.
struct Axis {
    id: &'static str,
    title: Phrase,
    /// Behind "over".
    of: Phrase,
    place: fn(&Cost) -> f64,
}

fn axes() -> [Axis; 3] {
    [
        Axis {
            id: "games",
            title: Phrase::new("games of self-play", "مباريات اللعب الذاتي"),
            of: Phrase::new("games", "المباريات"),
            place: |cost| cost.games as f64,
        },
        Axis {
            id: "evaluations",
            title: Phrase::new("evaluations of self-play, millions", "تقييمات اللعب الذاتي، بالملايين"),
            of: Phrase::new("evaluations", "التقييمات"),
            place: |cost| cost.evaluations / 1e6,
        },
        Axis {
            id: "minutes",
            title: Phrase::new("minutes of self-play and training", "دقائق اللعب الذاتي والتدريب"),
            of: Phrase::new("time", "الزمن"),
            place: |cost| cost.seconds / 60.0,
        },
    ]
}

/// What is drawn of each network.
struct Quantity {
    id: &'static str,
    title: Phrase,
    y: Phrase,
    note: Phrase,
    /// By generation, with an interval where there is one.
    values: fn(&Record) -> Vec<(u64, Point)>,
}

fn quantities() -> [Quantity; 4] {
    let holdout = Phrase::new(
        "The newest rows of the files that each run held out of its own training: the sets differ between runs, and the rows of one game depend on each other, so there is no interval.",
        "أحدث صفوف الملفات التي استبعدتها كل تجربة من تدريبها: تختلف المجموعات بين التجارب، وصفوف المباراة الواحدة غير مستقلة، فلا فترة ثقة.",
    );
    [
        Quantity {
            id: "elo",
            title: Phrase::new("Elo", "نقاط إيلو"),
            y: Phrase::new("Elo", "نقاط إيلو"),
            note: Phrase::new(
                "By the matches that each run played, and the baselines they share. 95% intervals by the model of Bradley and Terry, relative to `random` at 0.",
                "بمواجهات كل تجربة واللاعبين المرجعيين المشتركين. فترات 95% بنموذج برادلي وتيري نسبةً إلى `random` عند 0.",
            ),
            values: elo,
        },
        Quantity {
            id: "policy_kl",
            title: Phrase::new("Policy on games held out", "السياسة على مباريات لم يُدرَّب عليها"),
            y: Phrase::new("policy KL, nats", "تباعد KL للسياسة، بالنات"),
            note: holdout.clone(),
            values: |record| held_out(record, |event| event.losses.get("policy_kl").copied()),
        },
        Quantity {
            id: "value_r2",
            title: Phrase::new("Value on games held out", "القيمة على مباريات لم يُدرَّب عليها"),
            y: Phrase::new("share of variance explained", "نسبة التباين المفسَّر"),
            note: holdout,
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
            values: |record| {
                let played = record.selfplay.iter();
                played.map(|(&generation, event)| (generation, Point::new(0.0, event.decided_per_1000_plies))).collect()
            },
        },
    ]
}

fn elo(record: &Record) -> Vec<(u64, Point)> {
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

/// A section for each quantity that a run reported, with a figure for each axis.
pub fn sections(records: &[Record]) -> Vec<Section> {
    let reported = |quantity: &Quantity| records.iter().any(|record| !(quantity.values)(record).is_empty());
    let drawn = quantities().into_iter().filter(reported);
    drawn
        .map(|quantity| Section {
            id: quantity.id.to_owned(),
            title: quantity.title.clone(),
            blocks: axes().iter().map(|axis| Block::Figure(figure(records, &quantity, axis))).collect(),
        })
        .collect()
}

fn figure(records: &[Record], quantity: &Quantity, axis: &Axis) -> Figure {
    let series = records.iter().map(|record| {
        let costs = costs(record);
        let place = |(generation, point): (u64, Point)| {
            let cost = costs.get(&generation)?;
            Some(Point { x: (axis.place)(cost), ..point })
        };
        let points = (quantity.values)(record).into_iter().filter_map(place).collect();
        Series { name: Phrase::same(&record.name), style: Style::Line, points }
    });
    let lines = Lines {
        x: axis.title.clone(),
        y: quantity.y.clone(),
        x_range: None,
        y_range: None,
        series: series.collect(),
        scale: Scale::Number,
    };
    let title = Phrase::new(
        format!("{} over {}", quantity.title.en, axis.of.en),
        format!("{} مقابل {}", quantity.title.ar, axis.of.ar),
    );
    Figure::of_lines(&format!("{}_over_{}", quantity.id, axis.id), title, quantity.note.clone(), lines)
}

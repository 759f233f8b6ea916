//! How fast a run ran, generation by generation.

use std::collections::BTreeMap;

use super::{
    Record, missing_events,
    selfplay::{games_note, over_generations},
};
use crate::{
    page::{Block, Figure, Lines, Phrase, Point, Scale, Section, Series, Style},
    pipeline::metrics::SelfplayEvent,
};

pub fn section(record: &Record) -> Section {
    let mut blocks = Vec::new();
    let played: Vec<&SelfplayEvent> = record.selfplay.values().collect();
    if played.is_empty() {
        blocks.push(missing_events(record, &Phrase::new("self-play", "اللعب الذاتي")));
    } else {
        blocks.extend(selfplay(&played));
    }
    if record.training.is_empty() {
        blocks.push(missing_events(record, &Phrase::new("training", "التدريب")));
    } else {
        blocks.push(training(record));
    }
    Section { id: "throughput".to_owned(), title: Phrase::new("Throughput", "سرعة العمل"), blocks }
}

/// A figure for each rate that the run reported.
fn selfplay(played: &[&SelfplayEvent]) -> Vec<Block> {
    let second = || Phrase::new("a second", "في الثانية");
    let note = games_note(played);
    let figure = |name: &str, title: Phrase, unit: Phrase, pick: fn(&SelfplayEvent) -> f64| {
        let points = played.iter().map(|event| Point::new(event.generation as f64, pick(event)));
        // 0 stands for what an older version did not tell.
        let points: Vec<Point> = points.filter(|point| point.y > 0.0).collect();
        let has_points = !points.is_empty();
        let series = vec![Series { name: title.clone(), style: Style::Line, points }];
        let lines = from_zero(over_generations(unit, Scale::Number, series));
        has_points.then(|| Block::Figure(Figure::of_lines(name, title, note.clone(), lines)))
    };
    let figures = [
        figure(
            "plies_per_second",
            Phrase::new("Plies played", "أنصاف النقلات الملعوبة"),
            second(),
            |event| event.plies_per_second,
        ),
        figure("evaluations_per_second", Phrase::new("Evaluations", "التقييمات"), second(), |event| {
            event.evaluations_per_second
        }),
        figure("playouts_per_second", Phrase::new("Playouts", "عمليات المحاكاة"), second(), |event| {
            event.playouts_per_second
        }),
        figure(
            "memory",
            Phrase::new("Memory of the process", "ذاكرة العملية"),
            Phrase::new("MiB", "ميبيبايت"),
            |event| event.memory_mib as f64,
        ),
    ];
    figures.into_iter().flatten().collect()
}

/// A rate is seen whole: half as much is half as high.
fn from_zero(lines: Lines) -> Lines {
    let points = lines.series.iter().flat_map(|series| &series.points);
    let most = points.map(|point| point.y).filter(|y| y.is_finite()).fold(0.0, f64::max);
    Lines { y_range: Some((0.0, 1.05 * most)), ..lines }
}

/// Rows learnt a second, the mean of a generation's training.
fn training(record: &Record) -> Block {
    let mut rates: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for event in record.training.iter().filter(|event| event.rows_per_second.is_finite()) {
        rates.entry(event.generation).or_default().push(event.rows_per_second);
    }
    let mean = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len() as f64;
    let points = rates.iter().map(|(&generation, rates)| Point::new(generation as f64, mean(rates))).collect();
    let series = vec![Series { name: Phrase::new("rows", "صفوف"), style: Style::Line, points }];
    let lines = from_zero(over_generations(Phrase::new("a second", "في الثانية"), Scale::Number, series));
    let (n, generations) = (record.training.len(), rates.len());
    let note = Phrase::new(
        format!("n = {n} measurements in {generations} generations; a point is the mean of a generation's."),
        format!("العدد {n} قياسًا في أجيال عددها {generations}؛ كل نقطة متوسّط قياسات جيل."),
    );
    let title = Phrase::new("Rows learnt", "الصفوف المتعلَّمة");
    Block::Figure(Figure::of_lines("rows_per_second", title, note, lines))
}

//! How fast a run ran, generation by generation.

use std::collections::BTreeMap;

use super::{
    Record, missing_events,
    selfplay::{games_note, over_generations},
};
use crate::{
    page::{Block, Figure, Phrase, Point, Scale, Section, Series, Style},
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

fn selfplay(played: &[&SelfplayEvent]) -> Vec<Block> {
    let series = |name: Phrase, pick: fn(&SelfplayEvent) -> f64| {
        let points = played.iter().map(|event| Point::new(event.generation as f64, pick(event)));
        // 0 stands for what an older version did not tell.
        let points: Vec<Point> = points.filter(|point| point.y > 0.0).collect();
        (!points.is_empty()).then_some(Series { name, style: Style::Line, points })
    };
    let note = games_note(played);
    let figure = |name: &str, title: Phrase, y: Phrase, series: Vec<Option<Series>>| {
        let series: Vec<Series> = series.into_iter().flatten().collect();
        let lines = over_generations(y, Scale::Number, series);
        (!lines.series.is_empty()).then(|| Block::Figure(Figure::of_lines(name, title, note.clone(), lines)))
    };
    let second = || Phrase::new("a second", "في الثانية");
    let figures = [
        figure(
            "plies_per_second",
            Phrase::new("Plies played a second", "النقلات الملعوبة في الثانية"),
            second(),
            vec![series(Phrase::new("plies", "نقلات"), |event| event.plies_per_second)],
        ),
        figure(
            "search_per_second",
            Phrase::new("Evaluations and playouts a second", "التقييمات والمحاكاات في الثانية"),
            second(),
            vec![
                series(Phrase::new("evaluations", "تقييمات"), |event| event.evaluations_per_second),
                series(Phrase::new("playouts", "محاكاات"), |event| event.playouts_per_second),
            ],
        ),
        figure(
            "memory",
            Phrase::new("Memory of the process", "ذاكرة العملية"),
            Phrase::new("MiB", "ميبيبايت"),
            vec![series(Phrase::new("memory", "الذاكرة"), |event| event.memory_mib as f64)],
        ),
    ];
    figures.into_iter().flatten().collect()
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
    let lines = over_generations(Phrase::new("a second", "في الثانية"), Scale::Number, series);
    let (n, generations) = (record.training.len(), rates.len());
    let note = Phrase::new(
        format!("n = {n} measurements in {generations} generations; a point is the mean of a generation's."),
        format!("العدد {n} قياسًا في أجيال عددها {generations}؛ كل نقطة متوسط قياسات جيل."),
    );
    let title = Phrase::new("Rows learnt a second", "الصفوف المتعلَّمة في الثانية");
    Block::Figure(Figure::of_lines("rows_per_second", title, note, lines))
}

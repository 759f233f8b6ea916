//! Which machines played a run, where it had a fleet.

use std::collections::BTreeMap;

use super::{Record, selfplay::over_generations};
use crate::{
    page::{Block, Cell, Column, Figure, Kind, Phrase, Point, Scale, Section, Series, Style, Table},
    pipeline::metrics::{PlayersEvent, WorkerEvent},
};

/// The section; none for a run that one process played.
pub fn section(record: &Record) -> Option<Section> {
    if record.fleet.is_empty() {
        return None;
    }
    let events: Vec<&PlayersEvent> = record.fleet.values().collect();
    let blocks = vec![Block::Figure(workers(&events)), Block::Table(parts(&events))];
    Some(Section { id: "fleet".to_owned(), title: Phrase::new("Fleet", "الأسطول"), blocks })
}

fn workers(events: &[&PlayersEvent]) -> Figure {
    let curve = |name: Phrase, pick: fn(&WorkerEvent) -> bool| {
        let count = |event: &PlayersEvent| event.workers.iter().filter(|worker| pick(worker)).count() as f64;
        let points = events.iter().map(|event| Point::new(event.generation as f64, count(event)));
        Series { name, style: Style::Line, points: points.collect() }
    };
    let series = vec![
        curve(Phrase::new("took part", "شاركت"), |worker| worker.files > 0),
        curve(Phrase::new("refused", "رُفضت"), |worker| !worker.refused.is_empty()),
    ];
    let lines = over_generations(Phrase::new("workers", "الأجهزة العاملة"), Scale::Number, series);
    let generations = events.len();
    let note = Phrase::new(
        format!("n = {generations} generations that a fleet played; every worker of which a file was taken."),
        format!("العدد {generations} جيلًا لعبها الأسطول؛ كل جهاز أُخذ منه ملف."),
    );
    Figure::of_lines("fleet_workers", Phrase::new("Workers", "الأجهزة العاملة"), note, lines)
}

/// What came from each worker in all generations together.
fn parts(events: &[&PlayersEvent]) -> Table {
    let mut sums: BTreeMap<&str, WorkerEvent> = BTreeMap::new();
    for worker in events.iter().flat_map(|event| &event.workers) {
        let sum = sums.entry(&worker.name).or_default();
        sum.files += worker.files;
        sum.games += worker.games;
        sum.plies += worker.plies;
        sum.evaluations += worker.evaluations;
        sum.redelivered += worker.redelivered;
        sum.checked += worker.checked;
        for (known, newest) in [
            (&mut sum.plan, &worker.plan),
            (&mut sum.signature, &worker.signature),
            (&mut sum.refused, &worker.refused),
        ] {
            if !newest.is_empty() {
                known.clone_from(newest);
            }
        }
    }
    let count = |id: &str, title: Phrase| Column::new(id, title, Kind::Count);
    let text = |id: &str, title: Phrase| Column::new(id, title, Kind::Text);
    let columns = vec![
        text("worker", Phrase::new("worker", "الجهاز")),
        count("files", Phrase::new("files", "الملفات")),
        count("games", Phrase::new("games", "المباريات")),
        count("plies", Phrase::new("plies", "أنصاف النقلات")),
        count("evaluations", Phrase::new("evaluations", "التقييمات")),
        count("redelivered", Phrase::new("leased before", "سبق إسنادها")),
        count("checked", Phrase::new("checked", "المفحوصة")),
        text("computes", Phrase::new("computes", "طريقة الحساب")),
        text("signature", Phrase::new("signature", "التوقيع")),
        text("refused", Phrase::new("refused because", "سبب الرفض")),
    ];
    let note = Phrase::new(
        format!(
            "Files that were taken from each of {} workers, in all generations. Leased before: another worker had begun \
             with the file. Checked: held against the network. Workers of one signature compute alike to the last bit.",
            sums.len()
        ),
        format!(
            "الملفات المأخوذة من كل جهاز، وعدد الأجهزة {}، في كل الأجيال. سبق إسنادها: بدأها جهاز آخر قبله. المفحوصة: قورنت بالشبكة. الأجهزة ذات التوقيع الواحد تحسب حسابًا واحدًا إلى آخر بت.",
            sums.len()
        ),
    );
    let mut table = Table::new("fleet_parts", Phrase::new("Who played", "من لعب"), note, columns);
    for (name, sum) in sums {
        let text = |text: String| if text.is_empty() { Cell::Empty } else { Cell::Text(text) };
        table.push(vec![
            Cell::Text(name.to_owned()),
            Cell::Count(sum.files),
            Cell::Count(sum.games),
            Cell::Count(sum.plies),
            Cell::Count(sum.evaluations),
            Cell::Count(sum.redelivered),
            Cell::Count(sum.checked),
            text(sum.plan),
            text(sum.signature),
            text(sum.refused),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_sums_and_the_newest_words() {
        let worker = |name: &str, files, plan: &str, refused: &str| WorkerEvent {
            name: name.to_owned(),
            files,
            plan: plan.to_owned(),
            refused: refused.to_owned(),
            ..WorkerEvent::default()
        };
        let first =
            PlayersEvent { generation: 0, workers: vec![worker("a", 2, "f32", ""), worker("b", 1, "f32", "x")] };
        let second = PlayersEvent { generation: 1, workers: vec![worker("a", 3, "bf16", "")] };
        let table = parts(&[&first, &second]);
        let cell = |row: usize, column: usize| table.rows[row][column].clone();
        assert_eq!((cell(0, 0), cell(0, 1), cell(0, 7)), (text("a"), Cell::Count(5), text("bf16")));
        assert_eq!((cell(1, 1), cell(1, 9), cell(0, 9)), (Cell::Count(1), text("x"), Cell::Empty));
        let figure = workers(&[&first, &second]);
        assert_eq!(figure.data.rows.len(), 2);
    }

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

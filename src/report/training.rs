//! Losses by head, learning rate, norm of the gradient, over training steps.

use super::{Record, missing_events};
use crate::{
    page::{Block, Figure, Lines, Phrase, Point, Scale, Section, Series, Style},
    pipeline::metrics::TrainEvent,
};

/// Points of a curve at most; more are averaged into this many.
const POINTS: usize = 200;

pub fn section(record: &Record) -> Section {
    let mut blocks = Vec::new();
    if record.training.is_empty() {
        blocks.push(missing_events(record, &Phrase::new("training", "التدريب")));
    } else {
        let caption = caption(&record.training);
        blocks.push(Block::Figure(losses(&record.training, &caption)));
        let rate = Phrase::new("learning rate", "معدّل التعلّم");
        blocks.push(figure(record, "training_learning_rate", rate, &caption, |event| {
            event.learning_rate.unwrap_or(f64::NAN)
        }));
        let norm = Phrase::new("norm of the gradient before clipping", "معيار التدرّج قبل القصّ");
        blocks.push(figure(record, "training_gradient_norm", norm, &caption, |event| {
            event.gradient_norm.unwrap_or(f64::NAN)
        }));
        let window = Phrase::new("rows in the replay window", "الصفوف في نافذة الإعادة");
        blocks.push(figure(record, "training_window", window, &caption, |event| event.window as f64));
    }
    Section { id: "training".to_owned(), title: Phrase::new("Training", "التدريب"), blocks }
}

fn caption(training: &[TrainEvent]) -> Phrase {
    let (lines, group) = (training.len(), group(training.len()));
    let steps = training.last().map_or(0, |event| event.step);
    let each = steps.div_ceil(lines.max(1) as u64);
    let one = Phrase::new(
        format!("n = {steps} steps, reported as {lines} means of {each} steps or so."),
        format!("العدد {steps} خطوة، أُخبر عنها بمتوسّطات عددها {lines}، كل منها على نحو {each} خطوة."),
    );
    let grouped = if group > 1 {
        Phrase::new(format!(" A point is the mean of {group} of them."), format!(" كل نقطة متوسّط {group} منها."))
    } else {
        Phrase::default()
    };
    let none =
        Phrase::new(" One run with one seed: there is no interval.", " تجربة واحدة ببذرة واحدة: لا فترة ثقة لها.");
    Phrase::new([one.en, grouped.en, none.en].concat(), [one.ar, grouped.ar, none.ar].concat())
}

fn losses(training: &[TrainEvent], caption: &Phrase) -> Figure {
    let mut heads: Vec<&String> = training.iter().flat_map(|event| event.losses.keys()).collect();
    heads.sort_unstable();
    heads.dedup();
    // The sum first, in the first colour.
    heads.sort_by_key(|head| *head != "total");
    let series = heads
        .into_iter()
        .map(|head| {
            let points = training.iter().filter_map(|event| Some((event.step as f64, *event.losses.get(head)?)));
            Series { name: head_name(head), style: Style::Line, points: thinned(points.collect()) }
        })
        .collect();
    let lines = Lines {
        y: Phrase::new("nats (moves left: its own unit)", "بالنات (وأنصاف النقلات الباقية بوحدتها)"),
        ..steps(series)
    };
    Figure::of_lines(
        "training_losses",
        Phrase::new("Training loss by head", "خسارة التدريب بحسب الرأس"),
        caption.clone(),
        lines,
    )
}

/// A head of the network, as its loss is called.
fn head_name(head: &str) -> Phrase {
    let arabic = match head {
        "total" => "المجموع",
        "policy" => "السياسة",
        "value" => "القيمة",
        "moves_left" => "أنصاف النقلات الباقية",
        "policy_kl" => "تباعد KL للسياسة",
        other => return Phrase::same(other),
    };
    Phrase::new(head.replace('_', " "), arabic)
}

fn figure(record: &Record, name: &str, title: Phrase, caption: &Phrase, pick: fn(&TrainEvent) -> f64) -> Block {
    let points = record.training.iter().map(|event| (event.step as f64, pick(event)));
    let points = thinned(points.filter(|point| point.1.is_finite()).collect());
    let series = vec![Series { name: title.clone(), style: Style::Line, points }];
    Block::Figure(Figure::of_lines(name, capital(&title), caption.clone(), steps(series)))
}

/// A figure's title out of what its curve shows.
pub fn capital(phrase: &Phrase) -> Phrase {
    let mut letters = phrase.en.chars();
    let english = letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect());
    Phrase::new(english, phrase.ar.clone())
}

fn steps(series: Vec<Series>) -> Lines {
    let x = Phrase::new("training step", "خطوة التدريب");
    Lines { x, y: Phrase::default(), x_range: None, y_range: None, series, scale: Scale::Number }
}

/// How many lines of the journal make a point.
fn group(lines: usize) -> usize {
    lines.div_ceil(POINTS).max(1)
}

/// At most [`POINTS`] points, each the mean of its neighbours at the step of the last.
fn thinned(points: Vec<(f64, f64)>) -> Vec<Point> {
    let mean = |part: &[(f64, f64)]| part.iter().map(|point| point.1).sum::<f64>() / part.len() as f64;
    points.chunks(group(points.len())).map(|part| Point::new(part[part.len() - 1].0, mean(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curves_are_averaged() {
        let points = thinned((1..=1000).map(|step| (f64::from(step), f64::from(step % 2))).collect());
        assert_eq!(points.len(), 200);
        assert_eq!((points[0].x, points[199].x), (5.0, 1000.0));
        assert_eq!(thinned(vec![(1.0, 2.0)]), [Point::new(1.0, 2.0)]);
        assert_eq!(thinned(Vec::new()), []);
    }
}

//! Series over names: a group of bars for each, upright, or lying where the names are long.

use super::{
    axis::span,
    canvas::{Anchor, Canvas, Drawing, INK, LINE, Spot, WIDTH, shortened, text_width},
    frame::Frame,
    lines::finite,
    paint,
};
use crate::page::{Bars, Phrase, Point, Scale};

/// Height of upright bars with their words.
const HEIGHT: i32 = 600;
/// Thickness of lying bars.
const THICKNESS: i32 = 26;
/// More groups than this never lie.
const MOST_LYING: usize = 32;
/// Share of a group's room that its bars fill.
const FILL: f64 = 0.76;
/// Room for a name at the left at most.
const LONGEST: i32 = WIDTH * 2 / 5;

/// How the bars stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Posture {
    /// Each `every`th name is written below.
    Upright { every: usize },
    /// Names at the left.
    Lying,
}

/// The bars with their names and axes; none if no bar has a value.
pub fn drawing(bars: &Bars) -> Option<Drawing<'_>> {
    let series: Vec<Vec<Point>> = (bars.series.iter())
        .map(|series| finite(&series.points).into_iter().filter(|point| group(bars, point).is_some()).collect())
        .collect();
    let ends = series.iter().flatten().flat_map(|point| [Some(point.y), point.low, point.high]).flatten();
    let (low, high) = span(ends)?;
    // A bar's length is its value only where the axis begins at zero.
    let values = ((low.min(0.0), high.max(0.0)), bars.scale);
    let widest = bars.labels.iter().flat_map(|label| [text_width(&label.en), text_width(&label.ar)]).max().unwrap_or(0);
    let groups = bars.labels.len() as f64;
    Some(match posture(bars.labels.len(), widest) {
        Posture::Upright { every } => {
            let names = ((-0.5, groups - 0.5), Scale::Number);
            let frame = Frame::new(HEIGHT, Frame::room(values.0, values.1), names, values);
            Drawing::new(HEIGHT, move |canvas| {
                frame.draw_y(canvas);
                let room = f64::from(frame.x.end() - frame.x.start()) / groups;
                let across = |place: f64| frame.x.at(place);
                draw(canvas, &series, room, across, |along, value| (along, frame.y.at(value)));
                for (at, label) in bars.labels.iter().enumerate().step_by(every) {
                    canvas.words(label, (across(at as f64), frame.y.start() + LINE / 2 + 4), Anchor::Centre);
                }
                canvas.line(&[(frame.x.start(), frame.y.at(0.0)), (frame.x.end(), frame.y.at(0.0))], INK, 2);
                frame.draw_edges(canvas, &bars.x, &bars.y);
            })
        }
        Posture::Lying => {
            let thickness = (THICKNESS * series.len() as i32 + THICKNESS / 2).max(LINE);
            let height = thickness * bars.labels.len() as i32 + 4 * LINE;
            let names = ((0.5 - groups, 0.5), Scale::Number);
            let frame = Frame::new(height, widest.min(LONGEST), values, names);
            Drawing::new(height, move |canvas| {
                frame.draw_x(canvas);
                let across = |place: f64| frame.y.at(-place);
                draw(canvas, &series, f64::from(thickness), across, |along, value| (frame.x.at(value), along));
                for (at, label) in bars.labels.iter().enumerate() {
                    let label = Phrase::new(shortened(&label.en, LONGEST), shortened(&label.ar, LONGEST));
                    canvas.words(&label, (frame.x.start() - 12, across(at as f64)), Anchor::Right);
                }
                canvas.line(&[(frame.x.at(0.0), frame.y.start()), (frame.x.at(0.0), frame.y.end())], INK, 2);
                frame.draw_edges(canvas, &bars.y, &bars.x);
            })
        }
    })
}

/// The label that a point stands over.
fn group(bars: &Bars, point: &Point) -> Option<usize> {
    (0..bars.labels.len()).find(|&at| at as f64 == point.x)
}

fn posture(groups: usize, widest: i32) -> Posture {
    let room = (WIDTH - 160) / groups.max(1) as i32;
    if widest + 12 <= room {
        Posture::Upright { every: 1 }
    } else if groups <= MOST_LYING {
        Posture::Lying
    } else {
        Posture::Upright { every: ((widest + 12) as usize).div_ceil(room.max(1) as usize) }
    }
}

/// Draws all bars: `room` for a group; `across` gives the middle of a group, `at` the place of a value on a line
/// through a bar.
fn draw(
    canvas: &Canvas<'_>,
    series: &[Vec<Point>],
    room: f64,
    across: impl Fn(f64) -> i32,
    at: impl Fn(i32, f64) -> Spot,
) {
    let width = FILL * room / series.len() as f64;
    for (number, points) in series.iter().enumerate() {
        for point in points {
            let start = f64::from(across(point.x)) - FILL * room / 2.0 + number as f64 * width;
            let (start, middle, end) = (start as i32, (start + width / 2.0) as i32, (start + width) as i32);
            canvas.rectangle([at(start, 0.0), at(end.max(start + 1), point.y)], paint(number));
            if let (Some(low), Some(high)) = (point.low, point.high) {
                canvas.whisker(at(middle, low), at(middle, high), INK);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Language, Plot, Series, Style, plot::svg};

    fn bars(labels: &[&str]) -> Bars {
        let points =
            (0..labels.len()).map(|at| Point { low: Some(0.1), high: Some(0.3), ..Point::new(at as f64, 0.2) });
        let series = vec![Series { name: Phrase::same("a"), style: Style::Dots, points: points.collect() }];
        let labels = labels.iter().copied().map(Phrase::same).collect();
        Bars { x: Phrase::same("reason"), y: Phrase::same("share"), labels, series, scale: Scale::Percent }
    }

    #[test]
    fn every_label_has_its_bar() {
        for labels in [vec!["a", "b"], vec!["a rather long name of a reason"; 9]] {
            let svg = svg(&Plot::Bars(bars(&labels)), Language::English);
            assert_eq!(svg.matches("<rect").count(), labels.len());
            assert!(svg.contains("reason") && svg.contains("20%"), "{svg}");
        }
        assert_eq!(posture(9, 400), Posture::Lying);
        assert_eq!(posture(200, 40), Posture::Upright { every: 13 });
    }

    #[test]
    fn points_without_a_label_are_left_out() {
        let mut bars = bars(&["a"]);
        bars.series[0].points = [-1.0, 0.5, 1.0, f64::NAN, 1e30].map(|x| Point::new(x, 1.0)).to_vec();
        assert!(svg(&Plot::Bars(bars.clone()), Language::English).contains("no data"));
        bars.labels.clear();
        assert!(svg(&Plot::Bars(bars.clone()), Language::English).contains("no data"));
    }
}

//! Series over a number.

use plotters::style::{Color, RGBAColor};

use super::{
    axis::{span, with_zero},
    canvas::{Canvas, Drawing, Spot},
    frame::Frame,
    paint,
};
use crate::page::{Lines, Point, Scale, Series, Style};

/// Height of the drawing.
const HEIGHT: i32 = 600;

/// The series with their axes; none if no series has a value.
pub fn drawing(lines: &Lines) -> Option<Drawing<'_>> {
    let points: Vec<Vec<Point>> = lines.series.iter().map(|series| finite(&series.points)).collect();
    let x = span(points.iter().flatten().map(|point| point.x))?;
    Some(Drawing::new(HEIGHT, move |canvas| draw(lines, &points, x, canvas)))
}

fn draw(lines: &Lines, points: &[Vec<Point>], x: (f64, f64), canvas: &Canvas<'_>) {
    let all = || points.iter().flatten();
    let x = lines.x_range.unwrap_or_else(|| with_margin(x, &lines.series));
    let ends = all().flat_map(|point| [Some(point.y), point.low, point.high]).flatten();
    let y = lines.y_range.unwrap_or_else(|| with_zero(span(ends).expect("a point has a y")));
    let frame = Frame::new(HEIGHT, Frame::room(y, lines.scale), (x, Scale::Number), (y, lines.scale));
    frame.draw_y(canvas);
    frame.draw_x(canvas);
    frame.draw_edges(canvas, &lines.x, &lines.y);
    let shown: Vec<Vec<Point>> =
        (points.iter()).map(|points| points.iter().copied().filter(|point| frame.x.shows(point.x)).collect()).collect();
    // Intervals first: no band hides a line.
    for (at, (series, points)) in lines.series.iter().zip(&shown).enumerate() {
        draw_intervals(canvas, &frame, series.style, points, paint(at));
    }
    for (at, (series, points)) in lines.series.iter().zip(&shown).enumerate() {
        draw_points(canvas, &frame, series.style, points, paint(at));
    }
}

/// The points whose numbers are finite; an interval with an end that is not is left out.
pub fn finite(points: &[Point]) -> Vec<Point> {
    let points = points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
    points
        .map(|point| match (point.low, point.high) {
            (Some(low), Some(high)) if low.is_finite() && high.is_finite() => *point,
            _ => Point::new(point.x, point.y),
        })
        .collect()
}

/// Dots are not cut in half by the edges.
fn with_margin((low, high): (f64, f64), series: &[Series]) -> (f64, f64) {
    let margin = if series.iter().any(|series| series.style == Style::Dots) { 0.03 * (high - low) } else { 0.0 };
    (low - margin, high + margin)
}

fn draw_intervals(canvas: &Canvas<'_>, frame: &Frame, style: Style, points: &[Point], colour: RGBAColor) {
    let interval = |point: &Point| Some((point.x, point.low?, point.high?));
    match style {
        Style::Line | Style::Step | Style::Dashed | Style::DashedStep => {
            for run in points.split(|point| interval(point).is_none()) {
                let ends: Vec<(f64, f64, f64)> = run.iter().filter_map(interval).collect();
                if let [(x, low, high)] = ends[..] {
                    // A lone interval has no band to be seen by.
                    canvas.whisker(frame.at(x, low), frame.at(x, high), colour);
                    continue;
                }
                let high = ends.iter().map(|&(x, _, high)| frame.at(x, high));
                let low = ends.iter().map(|&(x, low, _)| frame.at(x, low));
                let mut band = path(style, high);
                band.extend(path(style, low).into_iter().rev());
                canvas.polygon(band, colour.mix(0.18));
            }
        }
        Style::Dots => {
            for (x, low, high) in points.iter().filter_map(interval) {
                canvas.whisker(frame.at(x, low), frame.at(x, high), colour);
            }
        }
    }
}

fn draw_points(canvas: &Canvas<'_>, frame: &Frame, style: Style, points: &[Point], colour: RGBAColor) {
    let spots = points.iter().map(|point| frame.at(point.x, point.y));
    match style {
        Style::Dots => spots.for_each(|spot| canvas.dot(spot, 8, colour)),
        Style::Dashed | Style::DashedStep => canvas.dashed_line(path(style, spots).into_iter(), colour, 3),
        // A lone point has no line to be seen by.
        Style::Line | Style::Step if points.len() == 1 => spots.for_each(|spot| canvas.dot(spot, 8, colour)),
        Style::Line | Style::Step => canvas.line(&path(style, spots), colour, 4),
    }
}

/// The corners of a line through `spots`, in stairs where the style says so.
fn path(style: Style, spots: impl Iterator<Item = Spot>) -> Vec<Spot> {
    let mut corners: Vec<Spot> = Vec::new();
    for spot in spots {
        if let (Style::Step | Style::DashedStep, Some(&(_, before))) = (style, corners.last()) {
            corners.push((spot.0, before));
        }
        corners.push(spot);
    }
    // Curves with more points than a drawing has places come to one place again and again.
    corners.dedup();
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Language, Phrase, Plot, plot::svg};

    fn lines(style: Style, points: Vec<Point>) -> Plot {
        let series = vec![Series { name: Phrase::same("a"), style, points }];
        let (x, y) = (Phrase::new("ply", "النقلة"), Phrase::new("share <of> games", "النسبة"));
        Plot::Lines(Lines { x, y, x_range: None, y_range: None, series, scale: Scale::Percent })
    }

    #[test]
    fn words_are_escaped_and_of_one_language() {
        let plot = lines(Style::Line, vec![Point::new(0.0, 0.1), Point::new(9.0, 0.4)]);
        let english = svg(&plot, Language::English);
        assert!(english.contains("share &lt;of&gt; games") && !english.contains("النقلة"), "{english}");
        let arabic = svg(&plot, Language::Arabic);
        assert!(arabic.contains("\u{2067}النقلة\u{2069}") && !arabic.contains("ply"), "{arabic}");
    }

    #[test]
    fn points_that_are_no_numbers_are_left_out() {
        let odd = [Point::new(f64::NAN, 0.5), Point::new(1.0, f64::INFINITY)];
        for style in [Style::Line, Style::Step, Style::Dots, Style::Dashed, Style::DashedStep] {
            assert!(svg(&lines(style, odd.to_vec()), Language::English).contains("no data"));
            assert!(svg(&lines(style, Vec::new()), Language::Arabic).contains("لا بيانات"));
            let half = Point { low: Some(f64::NEG_INFINITY), high: Some(0.9), ..Point::new(2.0, 0.5) };
            let svg = svg(&lines(style, [odd.to_vec(), vec![half]].concat()), Language::English);
            assert!(svg.contains("ply") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn stairs_turn_at_the_next_point() {
        let spots = [(0, 0), (5, 2), (9, 1)];
        assert_eq!(path(Style::Step, spots.into_iter()), [(0, 0), (5, 0), (5, 2), (9, 2), (9, 1)]);
        assert_eq!(path(Style::Line, spots.into_iter()), spots);
    }
}

//! The curves of a run as an SVG: losses by head above, Elo over generations below.

use std::{collections::BTreeMap, error::Error, ops::Range};

use plotters::{
    coord::{Shift, types::RangedCoordf64},
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::metrics::{Event, Metric, RatedPlayer};

const SIZE: (u32, u32) = (960, 900);
const TITLE_HEIGHT: u32 = 48;
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(0x33, 0x33, 0x3B);
const GRID: RGBColor = RGBColor(0xE6, 0xE6, 0xEA);
const ELO: RGBColor = RGBColor(0x00, 0x72, 0xB2);
/// Okabe and Ito's colours, told apart by colour-blind readers too.
const HEADS: [RGBColor; 7] = [
    RGBColor(0x33, 0x33, 0x3B),
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
];
/// Points of a loss curve; more are averaged into this many.
const POINTS: usize = 400;

/// Where a panel's heading begins.
const HEADING_AT: (i32, i32) = (24, 8);
/// Pixels that a line of names takes.
const LABEL_HEIGHT: i32 = 15;

/// A part of the drawing.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn Error>>;

/// The curves of `metrics` as the text of an SVG, titled `title`. A panel without data says so.
pub fn curves_svg(title: &str, metrics: &[Metric]) -> String {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw(&root, title, metrics).expect("drawing into a string cannot fail");
        root.present().expect("drawing into a string cannot fail");
    }
    svg
}

fn draw(root: &Area<'_>, title: &str, metrics: &[Metric]) -> Drawn {
    root.fill(&WHITE)?;
    let style = (FONT, 24).into_font().style(FontStyle::Bold).color(&INK);
    root.draw_text(title, &style.pos(Pos::new(HPos::Left, VPos::Center)), (24, TITLE_HEIGHT as i32 / 2 + 4))?;
    let (_, panels) = root.split_vertically(TITLE_HEIGHT);
    let (losses, elo) = panels.split_vertically((SIZE.1 - TITLE_HEIGHT) / 2);
    draw_losses(&losses, &loss_series(metrics))?;
    let last = metrics.iter().rev().find_map(|metric| match &metric.event {
        Event::Ratings(ratings) => Some(ratings.players.as_slice()),
        _ => None,
    });
    draw_elo(&elo, last.unwrap_or_default())
}

/// Losses by head over steps, `total` first.
fn loss_series(metrics: &[Metric]) -> Vec<(String, Vec<(f64, f64)>)> {
    let mut series: BTreeMap<(bool, String), Vec<(f64, f64)>> = BTreeMap::new();
    for metric in metrics {
        let Event::Train(train) = &metric.event else { continue };
        for (head, &loss) in train.losses.iter().filter(|(_, loss)| loss.is_finite()) {
            let points = series.entry((head != "total", head.clone())).or_default();
            let step = train.step as f64;
            // A session that goes on from an earlier step than was told takes those steps again.
            points.truncate(points.partition_point(|&(known, _)| known < step));
            points.push((step, loss));
        }
    }
    series.into_iter().map(|((_, head), points)| (head, thinned(points))).collect()
}

/// At most [`POINTS`] points, each the mean of its neighbours.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let group = points.len().div_ceil(POINTS).max(1);
    let mean =
        |part: &[(f64, f64)], pick: fn(&(f64, f64)) -> f64| part.iter().map(pick).sum::<f64>() / part.len() as f64;
    points.chunks(group).map(|part| (mean(part, |point| point.0), mean(part, |point| point.1))).collect()
}

fn draw_losses(area: &Area<'_>, series: &[(String, Vec<(f64, f64)>)]) -> Drawn {
    let title = "Training loss by head";
    let points = || series.iter().flat_map(|(_, points)| points);
    if points().next().is_none() {
        return say(area, title, "no training yet");
    }
    let losses = points()
        .map(|point| point.1)
        .fold(0.0..1e-9, |span: Range<f64>, loss| span.start.min(loss)..span.end.max(loss));
    let steps = span(points().map(|point| point.0), 0.0);
    let mut chart = panel(
        area,
        title,
        ("training step", "loss"),
        steps.clone(),
        losses.start..losses.end * 1.05,
        usize::from(losses.end < 1.0) + 1,
    )?;
    let mut labels = Vec::new();
    for (i, (head, points)) in series.iter().enumerate() {
        let colour = HEADS[i % HEADS.len()];
        let dots = if points.len() == 1 { 3 } else { 0 };
        chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2).filled()).point_size(dots))?;
        labels.push((head.as_str(), colour, chart.backend_coord(&(steps.end, points[points.len() - 1].1))));
    }
    label_lines(area, labels)
}

fn draw_elo(area: &Area<'_>, players: &[RatedPlayer]) -> Drawn {
    let title = "Elo over generations, with 95% intervals";
    let finite = |player: &&RatedPlayer| [player.elo, player.low, player.high].iter().all(|elo| elo.is_finite());
    let mut networks: Vec<(f64, &RatedPlayer)> = players
        .iter()
        .filter(finite)
        .filter_map(|player| player.generation.map(|generation| (generation as f64, player)))
        .collect();
    networks.sort_by(|a, b| a.0.total_cmp(&b.0));
    if networks.is_empty() {
        return say(area, title, "no match yet");
    }
    let baselines: Vec<&RatedPlayer> =
        players.iter().filter(finite).filter(|player| player.generation.is_none()).collect();
    let generations = span(networks.iter().map(|network| network.0), 0.5);
    let ends = networks.iter().flat_map(|(_, player)| [player.low, player.high]);
    let elos = span(ends.chain(baselines.iter().map(|player| player.elo)), 50.0);
    let mut chart = panel(area, title, ("generation", "Elo"), generations.clone(), elos, 0)?;
    let mut labels = Vec::new();
    for player in baselines {
        let line = [(generations.start, player.elo), (generations.end, player.elo)];
        chart.draw_series(DashedLineSeries::new(line, 6, 4, INK.mix(0.6).stroke_width(1)))?;
        labels.push((player.player.as_str(), INK, chart.backend_coord(&line[1])));
    }
    let above = networks.iter().map(|(x, player)| (*x, player.high));
    let band: Vec<(f64, f64)> = above.chain(networks.iter().rev().map(|(x, player)| (*x, player.low))).collect();
    chart.draw_series([Polygon::new(band, ELO.mix(0.15))])?;
    chart.draw_series(networks.iter().map(|(x, p)| PathElement::new([(*x, p.low), (*x, p.high)], ELO.mix(0.6))))?;
    chart.draw_series(LineSeries::new(networks.iter().map(|(x, player)| (*x, player.elo)), ELO.stroke_width(2)))?;
    chart.draw_series(networks.iter().map(|(x, player)| Circle::new((*x, player.elo), 3, ELO.filled())))?;
    label_lines(area, labels)
}

/// An empty panel with title, axes and grid, and room for names at its right.
fn panel<'a>(
    area: &Area<'a>,
    title: &str,
    (x_name, y_name): (&str, &str),
    x: Range<f64>,
    y: Range<f64>,
    y_decimals: usize,
) -> Result<Chart<'a>, Box<dyn Error>> {
    area.draw_text(title, &heading(), HEADING_AT)?;
    let mut chart = ChartBuilder::on(area)
        .margin_top(36)
        .margin_left(8)
        .margin_right(118)
        .margin_bottom(8)
        .x_label_area_size(46)
        .y_label_area_size(60)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(label())
        .axis_desc_style(label())
        .x_desc(x_name)
        .y_desc(y_name)
        .x_label_formatter(&|x| thousands(*x))
        .y_label_formatter(&|y| format!("{y:.y_decimals$}"))
        .draw()?;
    Ok(chart)
}

/// Writes the names of lines beside their right ends, given in pixels of the whole drawing, moved apart where lines lie
/// close together.
fn label_lines(area: &Area<'_>, mut labels: Vec<(&str, RGBColor, (i32, i32))>) -> Drawn {
    let corner = area.get_base_pixel();
    labels.sort_by_key(|&(.., (_, y))| -y);
    let mut lowest = i32::MAX;
    for (name, colour, (x, y)) in labels {
        let y = y.min(lowest);
        lowest = y - LABEL_HEIGHT;
        let style = label().color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(name, &style, (x + 8 - corner.0, y - corner.1))?;
    }
    Ok(())
}

/// A panel that has nothing to show.
fn say(area: &Area<'_>, title: &str, text: &str) -> Drawn {
    let (width, height) = area.dim_in_pixel();
    area.draw_text(title, &heading(), HEADING_AT)?;
    area.draw_text(text, &label().pos(Pos::new(HPos::Center, VPos::Center)), (width as i32 / 2, height as i32 / 2))?;
    Ok(())
}

/// From the least to the greatest value, `margin` more on both sides, never empty.
fn span(values: impl Iterator<Item = f64>, margin: f64) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low < high { low - margin..high + margin } else { low - margin.max(1.0)..low + margin.max(1.0) }
}

fn heading() -> TextStyle<'static> {
    (FONT, 17).into_font().color(&INK)
}

fn label() -> TextStyle<'static> {
    (FONT, 13).into_font().color(&INK)
}

/// `12k` for 12,000; nothing between whole numbers, which steps and generations are.
fn thousands(number: f64) -> String {
    if number.fract().abs() > 1e-6 {
        String::new()
    } else if number.abs() >= 10_000.0 {
        format!("{}k", number / 1000.0)
    } else {
        format!("{number:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::metrics::{RatingsEvent, TrainEvent};

    fn run() -> Vec<Metric> {
        let metric = |event| Metric { time: 0.0, event };
        let mut metrics: Vec<Metric> = (1..=900)
            .map(|i| {
                let fall = (-(i as f64) / 250.0).exp() + 0.05 * ((i * 37 % 11) as f64 / 11.0);
                let losses =
                    [("policy", 1.6 + 1.9 * fall), ("value", 0.65 + 0.4 * fall), ("moves_left", 0.2 + 0.5 * fall)];
                let total = losses.iter().map(|(_, loss)| loss).sum();
                let losses =
                    losses.into_iter().chain([("total", total)]).map(|(head, loss)| (head.to_owned(), loss)).collect();
                metric(Event::Train(TrainEvent { step: i * 20, losses, ..TrainEvent::default() }))
            })
            .collect();
        let baselines = [("random", 0.0), ("greedy", 240.0), ("alphabeta:1", 420.0), ("alphabeta:2", 455.0)];
        let networks = (0..=14).map(|g| (format!("gen {g}"), Some(g), 900.0 * (1.0 - (-(g as f64) / 5.0).exp())));
        let players = baselines.iter().map(|&(name, elo)| (name.to_owned(), None, elo)).chain(networks);
        let players = players
            .map(|(player, generation, elo)| RatedPlayer { player, generation, elo, low: elo - 45.0, high: elo + 45.0 })
            .collect();
        metrics.push(metric(Event::Ratings(RatingsEvent { generation: 14, players })));
        metrics
    }

    #[test]
    fn every_head_and_player_is_in_the_drawing() {
        let svg = curves_svg("Run demo <1> & more", &run());
        for text in [
            "policy",
            "value",
            "moves_left",
            "total",
            "alphabeta:2",
            "random",
            "training step",
            "generation",
            "Elo",
            "95%",
        ] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.contains("Run demo &lt;1&gt; &amp; more"), "the title is escaped");
        assert!(svg.len() < 200_000, "{} bytes", svg.len());
    }

    #[test]
    fn a_young_run_and_odd_numbers_are_drawn_too() {
        assert!(curves_svg("empty", &[]).contains("no training yet"));
        let player = |elo| RatedPlayer { player: "x".into(), generation: Some(3), elo, low: elo, high: elo };
        let ratings = RatingsEvent { generation: 3, players: vec![player(f64::INFINITY), player(10.0)] };
        let losses = BTreeMap::from([("policy".to_owned(), f64::NAN), ("value".to_owned(), 0.0)]);
        let train = TrainEvent { step: 1, losses, ..TrainEvent::default() };
        let metrics = [Event::Train(train), Event::Ratings(ratings)].map(|event| Metric { time: 0.0, event });
        assert!(curves_svg("one point", &metrics).ends_with("</svg>\n"));
    }
}

//! The curves of a run as an SVG: losses by head above, Elo over generations below.

use std::collections::{BTreeMap, BTreeSet};

use super::metrics::{Event, Metric, RatedPlayer};
use crate::page::{Language, Lines, Panel, Phrase, Plot, Point, Scale, Series, Style, sheet};

/// Points of a loss curve; more are averaged into this many.
const POINTS: usize = 400;

/// The curves of `metrics` as the text of an SVG in English, titled `title`. A panel without data says so.
pub fn curves_svg(title: &str, metrics: &[Metric]) -> String {
    let last = metrics.iter().rev().find_map(|metric| match &metric.event {
        Event::Ratings(ratings) => Some(ratings.players.as_slice()),
        _ => None,
    });
    let opponents: BTreeSet<&str> = metrics
        .iter()
        .filter_map(|metric| match &metric.event {
            Event::Match(event) => Some(event.opponent.as_str()),
            _ => None,
        })
        .collect();
    let panels = [losses(loss_series(metrics)), elo(last.unwrap_or_default(), &opponents)];
    sheet(&Phrase::same(title), &panels, Language::English)
}

/// Losses by head over steps, `total` first.
fn loss_series(metrics: &[Metric]) -> Vec<(String, Vec<(f64, f64)>)> {
    let mut series: BTreeMap<(bool, String), Vec<(f64, f64)>> = BTreeMap::new();
    for metric in metrics {
        let Event::Train(train) = &metric.event else { continue };
        for (head, &loss) in train.losses.iter().filter(|(_, loss)| loss.is_finite()) {
            let points = series.entry((head != "total", head.clone())).or_default();
            let step = train.step as f64;
            // A session that goes on from an earlier step than was reported takes those steps again.
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

fn losses(series: Vec<(String, Vec<(f64, f64)>)>) -> Panel {
    let span = series.iter().flat_map(|(_, points)| points).map(|point| point.1).fold(None, |span, loss| {
        let (low, high) = span.unwrap_or((0.0_f64, 1e-9_f64));
        Some((low.min(loss), high.max(loss)))
    });
    let series = series.into_iter().map(|(head, points)| {
        let points = points.into_iter().map(|(step, loss)| Point::new(step, loss)).collect();
        Series { name: Phrase::same(head), style: Style::Line, points }
    });
    let plot = span.map(|(low, high)| Lines {
        x: Phrase::new("training step", "خطوة التدريب"),
        y: Phrase::new("loss", "الخسارة"),
        x_range: None,
        y_range: Some((low, 1.05 * high)),
        series: series.collect(),
        scale: Scale::Number,
    });
    Panel {
        title: Phrase::new("Training loss by head", "خسارة التدريب بحسب الرأس"),
        plot: plot.map(Plot::Lines).ok_or_else(|| Phrase::new("no training yet", "لا تدريب بعد")),
    }
}

/// The networks and those baselines that they met.
fn elo(players: &[RatedPlayer], opponents: &BTreeSet<&str>) -> Panel {
    let (networks, baselines): (Vec<&RatedPlayer>, Vec<&RatedPlayer>) =
        players.iter().partition(|player| player.generation.is_some());
    let finite = |elo: Option<f64>| elo.filter(|elo| elo.is_finite());
    let point = |player: &&RatedPlayer| {
        let (x, y) = (player.generation? as f64, finite(player.elo)?);
        Some(Point { x, y, low: finite(player.low), high: finite(player.high) })
    };
    let mut points: Vec<Point> = networks.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    let title = Phrase::new("Elo over generations, with 95% intervals", "نقاط إيلو عبر الأجيال، مع فترات 95%");
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Panel { title, plot: Err(Phrase::new("no match yet", "لا مواجهة بعد")) };
    };
    let x_range = (first.x - 0.5, last.x + 0.5);
    let met = baselines.into_iter().filter(|player| opponents.contains(player.player.as_str()));
    let baselines = met.filter_map(|player| {
        let elo = finite(player.elo)?;
        let points = [x_range.0, x_range.1].map(|x| Point::new(x, elo)).to_vec();
        Some(Series { name: Phrase::same(&player.player), style: Style::Dashed, points })
    });
    let network = Series { name: Phrase::new("network", "الشبكة"), style: Style::Line, points };
    let plot = Lines {
        x: Phrase::new("generation", "الجيل"),
        y: Phrase::new("Elo", "نقاط إيلو"),
        x_range: Some(x_range),
        y_range: None,
        series: std::iter::once(network).chain(baselines).collect(),
        scale: Scale::Number,
    };
    Panel { title, plot: Ok(Plot::Lines(plot)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::metrics::{MatchEvent, RatingsEvent, TrainEvent};

    fn rated(player: &str, generation: Option<u64>, elo: f64) -> RatedPlayer {
        let [elo, low, high] = [elo, elo - 45.0, elo + 45.0].map(Some);
        RatedPlayer { player: player.to_owned(), generation, elo, low, high, ..RatedPlayer::default() }
    }

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
        let players: Vec<RatedPlayer> =
            players.map(|(player, generation, elo)| rated(&player, generation, elo)).collect();
        for opponent in baselines.map(|(name, _)| name.to_owned()) {
            metrics.push(metric(Event::Match(MatchEvent { opponent, ..MatchEvent::default() })));
        }
        metrics.push(metric(Event::Ratings(RatingsEvent { generation: 14, players, fit: None })));
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
        let unbounded = RatedPlayer { elo: None, high: None, ..rated("y", Some(2), 9.0) };
        let players = vec![rated("x", Some(3), f64::INFINITY), rated("x", Some(3), 10.0), unbounded];
        let ratings = RatingsEvent { generation: 3, players, fit: None };
        let losses = BTreeMap::from([("policy".to_owned(), f64::NAN), ("value".to_owned(), 0.0)]);
        let train = TrainEvent { step: 1, losses, ..TrainEvent::default() };
        let metrics = [Event::Train(train), Event::Ratings(ratings)].map(|event| Metric { time: 0.0, event });
        assert!(curves_svg("one point", &metrics).ends_with("</svg>\n"));
    }
}

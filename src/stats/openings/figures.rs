//! The figures of openings: what changes while a run learns.

use super::{Openings, groups::By, groups::Group, tables};
use crate::{
    estimate::{Hill, Interval},
    page::{Figure, Lines, Phrase, Plot, Point, Scale, Series, Style, Table},
    stats::words,
};

/// Most lines of a figure.
const LINES: usize = 6;

/// Shares of the most frequent first moves.
pub fn first_moves(openings: &Openings) -> Figure {
    let series = openings.first_moves().into_iter().take(LINES).map(|action| {
        series(openings, Phrase::same(action), |group| {
            let games = group.tally.first.get(action).copied().unwrap_or_default();
            Interval::share(games, group.tally.games())
        })
    });
    let title = Phrase::new("First moves", "النقلات الأولى");
    shares(openings, title, share_of_games(), series.collect(), tables::first_moves(openings, By::Step))
}

/// Shares of the most frequent replies to the most frequent first move; none where no game has a second move.
pub fn second_moves(openings: &Openings) -> Option<Figure> {
    let first = openings.first_moves().into_iter().next()?;
    let replies: Vec<_> = openings.second_moves().into_iter().filter(|pair| *pair.0 == *first).collect();
    let series = replies.iter().take(LINES).map(|pair| {
        series(openings, Phrase::same(&*pair.1), |group| {
            let count = |games: Option<&u64>| games.copied().unwrap_or_default();
            Interval::share(count(group.tally.second.get(*pair)), count(group.tally.first.get(first)))
        })
    });
    let title = Phrase::new(format!("Replies to `{first}`"), format!("الردود على `{first}`"));
    let of = Phrase::new("share of its games", "النسبة من مبارياتها");
    let mut data = tables::second_moves(openings, By::Step);
    data.rows.retain(|row| row[1] == first.into());
    (!replies.is_empty()).then(|| shares(openings, title, of, series.collect(), data))
}

/// Hill numbers of orders 1 and 2.
pub fn diversity(openings: &Openings) -> Figure {
    let mut series = Vec::new();
    for census in &openings.censuses {
        let (plies, hill) = (census.plies(), census.hill());
        for order in [1, 2] {
            let point = |(generation, hill): &(u64, Hill)| {
                words::point(*generation as f64, if order == 1 { &hill.shannon } else { &hill.simpson })
            };
            let name = Phrase::new(format!("{plies} plies, order {order}"), format!("الطول {plies}، الرتبة {order}"));
            series.push(Series { name, style: Style::Line, points: hill.iter().map(point).collect() });
        }
    }
    Figure {
        title: Phrase::new("Effective number of openings", "العدد الفعّال للافتتاحات"),
        caption: openings.diversity_note(),
        plot: Plot::Lines(Lines {
            x: generation(),
            y: Phrase::new("openings", "افتتاحات"),
            x_range: None,
            y_range: None,
            series,
            scale: Scale::Number,
        }),
        data: tables::diversity(openings),
    }
}

/// White's score.
pub fn white_score(openings: &Openings) -> Figure {
    let results = |group: &Group<'_>| group.tally.results;
    let mut lines = vec![
        series(openings, Phrase::new("games with a result", "مباريات ذات نتيجة"), |group| {
            results(group).score()
        }),
        series(openings, Phrase::new("all, cut off as draws", "الكل، والمقطوعة تعادل"), |group| {
            results(group).score_of_all()
        }),
    ];
    let ends: Vec<f64> = lines[1].points.iter().map(|point| point.x).collect();
    if let (Some(&first), Some(&last)) = (ends.first(), ends.last()) {
        let points = vec![Point::new(first, 0.5), Point::new(last, 0.5)];
        lines.push(Series { name: Phrase::new("no advantage", "لا أفضلية"), style: Style::Dashed, points });
    }
    // An advantage is a few percent: the axis shows what there is, in steps of a tenth, rather than all from 0 to 1.
    let points = || lines.iter().flat_map(|line| &line.points);
    let low = points().filter_map(|point| point.low).fold(0.4, f64::min);
    let high = points().filter_map(|point| point.high).fold(0.6, f64::max);
    let range = ((10.0 * low).floor() / 10.0, (10.0 * high).ceil() / 10.0);
    let title = Phrase::new("First-move advantage", "أفضلية البدء");
    let y = Phrase::new("White's score", "معدّل نقاط الأبيض");
    let mut figure = shares(openings, title, y, lines, tables::white_score(openings, By::Step));
    if let Plot::Lines(lines) = &mut figure.plot {
        lines.y_range = Some(range);
    }
    figure
}

/// How long games are.
pub fn lengths(openings: &Openings) -> Figure {
    let series = vec![
        series(openings, Phrase::new("mean", "المتوسّط"), |group| group.tally.plies.interval()),
        series(openings, Phrase::new("mean of those with a result", "متوسّط ذات النتيجة"), |group| {
            group.tally.plies_of_ended.interval()
        }),
        series(openings, Phrase::new("median", "الوسيط"), |group| group.tally.length(0.5)),
    ];
    Figure {
        title: Phrase::new("Length of games", "طول المباريات"),
        caption: openings.note(&Phrase::new(
            "A point takes neighbouring generations together, as the data tell. Bands are 95% intervals. Games that were cut off would have been longer.",
            "كل نقطة تجمع أجيالًا متجاورة كما في البيانات. الأشرطة فترات ثقة 95%. المباريات المقطوعة كانت ستطول.",
        )),
        plot: Plot::Lines(Lines {
            x: generation(),
            y: Phrase::new("plies", "أنصاف النقلات"),
            x_range: None,
            y_range: None,
            series,
            scale: Scale::Number,
        }),
        data: tables::lengths(openings, By::Step),
    }
}

/// How games end.
pub fn results(openings: &Openings) -> Figure {
    let series = openings.reasons().into_iter().map(|reason| {
        series(openings, words::reason_name(reason), |group| {
            let games = group.tally.reasons.get(reason).map_or(0, |results| results.games());
            Interval::share(games, group.tally.games())
        })
    });
    let title = Phrase::new("How games end", "كيف تنتهي المباريات");
    shares(openings, title, share_of_games(), series.collect(), tables::results(openings, By::Step))
}

/// A line through the groups of a figure.
fn series(openings: &Openings, name: Phrase, value: impl Fn(&Group<'_>) -> Option<Interval>) -> Series {
    let groups = openings.groups.by(By::Step);
    let points = groups.iter().filter_map(|group| Some(words::point(group.x, &value(group)?))).collect();
    Series { name, style: Style::Line, points }
}

fn shares(openings: &Openings, title: Phrase, y: Phrase, series: Vec<Series>, data: Table) -> Figure {
    let caption = openings.note(&Phrase::new(
        "A point takes neighbouring generations together, as the data tell. Bands are 95% intervals.",
        "كل نقطة تجمع أجيالًا متجاورة كما في البيانات. الأشرطة فترات ثقة 95%.",
    ));
    let lines = Lines { x: generation(), y, x_range: None, y_range: None, series, scale: Scale::Percent };
    Figure { title, caption, plot: Plot::Lines(lines), data }
}

fn generation() -> Phrase {
    Phrase::new("generation", "الجيل")
}

fn share_of_games() -> Phrase {
    Phrase::new("share of games", "النسبة من المباريات")
}

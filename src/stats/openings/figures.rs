//! What the figures of openings share: lines over generations.

use super::{
    Openings,
    groups::{By, Group},
};
use crate::{
    estimate::Interval,
    page::{Figure, Lines, Phrase, Plot, Scale, Series, Style, Table},
    stats::words,
};

/// A line through the groups of a figure.
pub fn series(openings: &Openings, name: Phrase, value: impl Fn(&Group<'_>) -> Option<Interval>) -> Series {
    let groups = openings.groups.by(By::Step);
    let points = groups.iter().filter_map(|group| Some(words::point(group.x, &value(group)?))).collect();
    Series { name, style: Style::Line, points }
}

/// A figure of shares over generations.
pub fn shares(openings: &Openings, title: Phrase, y: Phrase, series: Vec<Series>, data: Table) -> Figure {
    let caption = openings.note(&Phrase::new(
        "A point takes neighbouring generations together, as far as the data allow. Bands are 95% intervals.",
        "كل نقطة تجمع أجيالًا متجاورة كما في البيانات. الأشرطة فترات ثقة 95%.",
    ));
    let lines = Lines { x: generation(), y, x_range: None, y_range: None, series, scale: Scale::Percent };
    Figure { title, caption, plot: Plot::Lines(lines), data }
}

/// The axis of generations.
pub fn generation() -> Phrase {
    Phrase::new("generation", "الجيل")
}

/// The axis of shares.
pub fn share_of_games() -> Phrase {
    Phrase::new("share of games", "النسبة من المباريات")
}

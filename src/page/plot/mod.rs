//! Plots drawn as SVG, once a language.
//!
//! Layout, lowest first:
//!
//! - `canvas`: strokes, areas and words on an SVG.
//! - `axis`: numbers to places, and the numbers written beside them.
//! - `frame`: both axes of a plot over numbers, with their words.
//! - `lines`, `bars`, `heat`: a kind of plot each.
//! - `sheet`: plots one below the other, as a file of its own ([`sheet()`]).

mod axis;
mod bars;
mod canvas;
mod frame;
mod heat;
mod lines;
mod sheet;

use plotters::style::{Color, RGBAColor, RGBColor};

use self::canvas::{Canvas, Drawing};
use super::{Language, Phrase, Plot, Series, Style};

pub use sheet::{Panel, sheet};

/// Colours of series: Okabe and Ito's, which colour-blind readers can distinguish, without the yellow that a white
/// ground swallows. They begin anew after the last. (M. Okabe, K. Ito: Color Universal Design, 2008.)
const COLOURS: [(u8, u8, u8); 7] = [
    (0x00, 0x72, 0xB2),
    (0xD5, 0x5E, 0x00),
    (0x00, 0x9E, 0x73),
    (0xCC, 0x79, 0xA7),
    (0xE6, 0x9F, 0x00),
    (0x56, 0xB4, 0xE9),
    (0x4B, 0x4B, 0x55),
];

/// The colour of series number `at`.
pub fn colour(at: usize) -> (u8, u8, u8) {
    COLOURS[at % COLOURS.len()]
}

fn paint(at: usize) -> RGBAColor {
    let (red, green, blue) = colour(at);
    RGBColor(red, green, blue).to_rgba()
}

/// The drawing as an SVG element, panels one below the other, with the words of one language.
pub fn svg(plot: &Plot, language: Language) -> String {
    let drawing = drawing(plot);
    Canvas::svg(drawing.height, language, |canvas| drawing.draw(canvas))
}

/// The drawing of a plot. One without a single value says so.
fn drawing(plot: &Plot) -> Drawing<'_> {
    let drawing = match plot {
        Plot::Lines(lines) => lines::drawing(lines),
        Plot::Bars(bars) => bars::drawing(bars),
        Plot::Heat(heat) => heat::drawing(heat),
        Plot::Panels(panels) => Drawing::stacked(panels.iter().map(drawing).collect()),
    };
    drawing.unwrap_or_else(|| Drawing::nothing(Phrase::new("no data", "لا بيانات")))
}

/// The series that a legend distinguishes, each with its style where it has one of its own.
pub fn legend(plot: &Plot) -> Vec<(&Series, Option<Style>)> {
    let series: Vec<(&Series, Option<Style>)> = match plot {
        Plot::Lines(lines) => lines.series.iter().map(|series| (series, Some(series.style))).collect(),
        Plot::Bars(bars) => bars.series.iter().map(|series| (series, None)).collect(),
        Plot::Heat(_) => Vec::new(),
        Plot::Panels(panels) => return panels.first().map(legend).unwrap_or_default(),
    };
    if series.len() > 1 { series } else { Vec::new() }
}

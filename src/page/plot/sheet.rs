//! Plots one below the other, with titles and legends: a drawing that stands alone.

use plotters::style::WHITE;

use super::{
    canvas::{Anchor, Canvas, Drawing, LINE, WIDTH, text_width},
    drawing, legend, paint,
};
use crate::page::{Language, Phrase, Plot, Series, Style};

/// Space at the edges.
const MARGIN: i32 = LINE / 2;
/// Length of the stroke beside the name of a series.
const SWATCH: i32 = 48;
/// Space between a stroke and its name, and between two names.
const GAP: i32 = 14;

/// A plot of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    pub title: Phrase,
    /// What is drawn, or why there is nothing to draw.
    pub plot: Result<Plot, Phrase>,
}

/// The panels one below the other under a title, as an SVG file in one language.
pub fn sheet(title: &Phrase, panels: &[Panel], language: Language) -> String {
    let drawings: Vec<Drawing<'_>> = (panels.iter())
        .map(|panel| match &panel.plot {
            Ok(plot) => drawing(plot),
            Err(reason) => Drawing::nothing(reason.clone()),
        })
        .collect();
    let legends: Vec<Vec<Entry>> = panels.iter().map(|panel| entries(panel, language)).collect();
    let below = |legend: &[Entry]| legend.last().map_or(0, |entry| entry.row + 1) * LINE + MARGIN;
    let parts = drawings.iter().zip(&legends).map(|(drawing, legend)| LINE + drawing.height + below(legend));
    let height = 2 * LINE + parts.sum::<i32>();
    Canvas::svg(height, language, |canvas| {
        canvas.rectangle([(0, 0), (WIDTH, height)], WHITE.into());
        canvas.words(title, (MARGIN, LINE), Anchor::Left);
        let mut top = 2 * LINE;
        for ((panel, drawing), legend) in panels.iter().zip(&drawings).zip(&legends) {
            canvas.words(&panel.title, (WIDTH / 2, top + LINE / 2), Anchor::Centre);
            drawing.draw(&canvas.part(top + LINE, drawing.height));
            top += LINE + drawing.height;
            draw_legend(&canvas.part(top, below(legend)), legend);
            top += below(legend);
        }
    })
}

/// The name of a series and where it stands in the legend.
struct Entry {
    name: Phrase,
    /// Of a series that is drawn as areas, none.
    style: Option<Style>,
    row: i32,
    x: i32,
}

/// The names of a panel's series in rows; none where there is one series.
fn entries(panel: &Panel, language: Language) -> Vec<Entry> {
    let (mut row, mut x) = (0, MARGIN);
    let place = |(series, style): (&Series, Option<Style>)| {
        let width = SWATCH + GAP + text_width(&series.name.shown(language));
        if x > MARGIN && x + width > WIDTH - MARGIN {
            (row, x) = (row + 1, MARGIN);
        }
        let entry = Entry { name: series.name.clone(), style, row, x };
        x += width + 2 * GAP;
        entry
    };
    panel.plot.as_ref().map(legend).unwrap_or_default().into_iter().map(place).collect()
}

fn draw_legend(canvas: &Canvas<'_>, legend: &[Entry]) {
    for (at, Entry { name, style, row, x }) in legend.iter().enumerate() {
        let y = row * LINE + LINE / 2;
        let stroke = [(*x, y), (x + SWATCH, y)];
        match style {
            Some(Style::Line | Style::Step) => canvas.line(&stroke, paint(at), 4),
            Some(Style::Dashed | Style::DashedStep) => canvas.dashed_line(stroke.into_iter(), paint(at), 3),
            Some(Style::Dots) => canvas.dot((x + SWATCH / 2, y), 8, paint(at)),
            None => canvas.rectangle([(x + SWATCH / 4, y - LINE / 4), (x + SWATCH, y + LINE / 4)], paint(at)),
        }
        canvas.words(name, (x + SWATCH + GAP, y), Anchor::Left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Lines, Point, Scale};

    fn panel(series: usize) -> Panel {
        let series = (0..series).map(|i| {
            let points = vec![Point::new(0.0, 1.0), Point::new(5.0, i as f64)];
            Series { name: Phrase::same(format!("series <{i}>")), style: Style::Line, points }
        });
        let plot = Lines {
            x: Phrase::new("step", "خطوة"),
            y: Phrase::same("loss"),
            x_range: None,
            y_range: None,
            series: series.collect(),
            scale: Scale::Number,
        };
        Panel { title: Phrase::same("Loss"), plot: Ok(Plot::Lines(plot)) }
    }

    #[test]
    fn long_legends_take_several_rows_within_the_drawing() {
        let legend = entries(&panel(9), Language::English);
        assert!(legend.last().unwrap().row > 0);
        let end = |entry: &Entry| entry.x + SWATCH + GAP + text_width(&entry.name.en);
        assert!(legend.iter().all(|entry| end(entry) <= WIDTH - MARGIN));
        assert!(entries(&panel(1), Language::English).is_empty());
    }

    #[test]
    fn titles_names_and_reasons_are_there() {
        let empty =
            Panel { title: Phrase::same("Elo"), plot: Err(Phrase::new("no match yet", "لا مواجهة بعد")) };
        let svg = sheet(&Phrase::same("Run <1> & 2"), &[panel(2), empty], Language::English);
        for text in ["Run &lt;1&gt; &amp; 2", "Loss", "series &lt;1&gt;", "step", "no match yet"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
    }
}

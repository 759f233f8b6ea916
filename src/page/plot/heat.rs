//! Values over two lists of names, as colours with a scale beside them, which has zero in it: a colour that stood for the
//! least value at hand would make a small difference look great.

use plotters::style::{
    Color, RGBAColor, WHITE,
    colors::colormaps::{ColorMap, ViridisRGB},
};

use super::{
    axis::{Axis, label, span},
    canvas::{Anchor, BLANK, Canvas, Drawing, INK, INK_ON_COLOUR, LETTER, LINE, WIDTH, shortened, text_width},
};
use crate::page::{Heat, Scale};

/// Height of all cells at most, and their room beside the names at least.
const MOST_HEIGHT: i32 = 840;
/// A cell's side at most.
const MOST_SIDE: i32 = 90;
/// Room for a name at the left at most.
const LONGEST: i32 = WIDTH / 4;
const GAP: i32 = 12;
/// Width of the scale, and steps of colour in it.
const SCALE_WIDTH: i32 = 30;
const SCALE_STEPS: i32 = 48;

/// The cells with their names and the scale; none if no cell has a value.
pub fn drawing(heat: &Heat) -> Option<Drawing<'_>> {
    let finite = heat.values.iter().flatten().flatten().copied();
    // From zero, so that a colour stands for the size of a number and not for its place among the others.
    let range = span(finite).map(|(low, high)| (low.min(0.0), high.max(0.0)));
    let range = range.filter(|_| !heat.columns.is_empty())?;
    let widest = |names: &[String]| names.iter().map(|name| text_width(name)).max().unwrap_or(0);
    let left = widest(&heat.rows).min(LONGEST) + 2 * GAP;
    let ticks = Axis::new(range, (0, 1), heat.scale).ticks(5);
    let right = ticks.iter().map(|(_, label)| text_width(label)).max().unwrap_or(0) + SCALE_WIDTH + 4 * GAP;
    let (columns, rows) = (heat.columns.len() as i32, heat.rows.len().max(1) as i32);
    let width = ((WIDTH - left - right) / columns).clamp(1, MOST_SIDE);
    let height = (MOST_HEIGHT / rows).clamp(1, width.clamp(LINE, MOST_SIDE));
    let (top, bottom) = (2 * LINE + GAP, 2 * LINE + GAP + height * rows);
    let step = (range.1 - range.0) / 50.0;
    let number = move |value: f64| label(value, step, heat.scale).trim_end_matches('%').to_owned();
    let written = heat.values.iter().flatten().flatten().map(|&value| text_width(&number(value))).max().unwrap_or(0);
    let numbers_fit = written + 4 <= width && LETTER + 4 <= height;

    Some(Drawing::new(bottom + 2 * LINE, move |canvas| {
        for row in 0..rows {
            let from = bottom - (row + 1) * height;
            for column in 0..columns {
                let corner = (left + column * width, from);
                // One unit of white between cells, where there is room for it.
                let rim = i32::from(width.min(height) > 24);
                let cell = [corner, (corner.0 + width - rim, corner.1 + height - rim)];
                let value = heat.values.get(row as usize).and_then(|row| *row.get(column as usize)?);
                let Some(value) = value.filter(|value| value.is_finite()) else {
                    canvas.rectangle(cell, BLANK);
                    continue;
                };
                let share = share(value, range);
                canvas.rectangle(cell, shade(share));
                if numbers_fit {
                    let ink = if share > 0.55 { INK_ON_COLOUR } else { WHITE.to_rgba() };
                    canvas.text(&number(value), (corner.0 + width / 2, corner.1 + height / 2), Anchor::Centre, ink);
                }
            }
        }
        let every = (widest(&heat.columns) + GAP + width - 1) / width;
        for (at, name) in heat.columns.iter().enumerate().step_by(every.max(1) as usize) {
            let x = left + at as i32 * width + width / 2;
            canvas.text(name, (x, bottom + LINE / 2 + 4), Anchor::Centre, INK);
        }
        let every = (LETTER + GAP + height - 1) / height;
        for (at, name) in heat.rows.iter().enumerate().step_by(every.max(1) as usize) {
            let y = bottom - at as i32 * height - height / 2;
            canvas.text(&shortened(name, LONGEST), (left - GAP, y), Anchor::Right, INK);
        }
        canvas.words(&heat.y, (GAP, LINE + LINE / 2), Anchor::Left);
        canvas.words(&heat.x, (left + columns * width / 2, bottom + LINE + LINE / 2), Anchor::Centre);
        canvas.words(&heat.unit, (WIDTH - GAP, LINE / 2), Anchor::Right);
        draw_scale(canvas, range, heat.scale, left + columns * width + 2 * GAP, (bottom, top));
    }))
}

/// The colours with their numbers, from `bottom` to `top` at `x`.
fn draw_scale(canvas: &Canvas<'_>, range: (f64, f64), scale: Scale, x: i32, (bottom, top): (i32, i32)) {
    let place = |step: i32| bottom + (top - bottom) * step / SCALE_STEPS;
    for step in 0..SCALE_STEPS {
        let colour = shade((f64::from(step) + 0.5) / f64::from(SCALE_STEPS));
        // Up to the top, so that no seam shows between two steps.
        canvas.rectangle([(x, place(step)), (x + SCALE_WIDTH, top)], colour);
    }
    let axis = Axis::new(range, (bottom, top), scale);
    let most = ((bottom - top) / LINE).clamp(1, 5) as usize;
    for (tick, label) in axis.ticks(most) {
        let y = axis.at(tick);
        canvas.line(&[(x + SCALE_WIDTH, y), (x + SCALE_WIDTH + GAP / 2, y)], INK, 2);
        canvas.text(&label, (x + SCALE_WIDTH + GAP, y), Anchor::Left, INK);
    }
}

/// Where a value lies in its range, 0 to 1.
fn share(value: f64, (low, high): (f64, f64)) -> f64 {
    if low < high { (value - low) / (high - low) } else { 0.5 }
}

fn shade(share: f64) -> RGBAColor {
    ViridisRGB.get_color(share as f32).to_rgba()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Language, Phrase, Plot, plot::svg};

    fn heat(columns: usize, values: Vec<Vec<Option<f64>>>) -> Heat {
        let names = |count: usize| (1..=count).map(|name| format!("<{name}>")).collect();
        let (x, y, unit) = (Phrase::same("file"), Phrase::same("rank"), Phrase::new("share", "النسبة"));
        Heat { x, y, columns: names(columns), rows: names(values.len()), values, unit, scale: Scale::Percent }
    }

    #[test]
    fn cells_carry_their_numbers_where_they_fit() {
        let board = heat(2, vec![vec![Some(0.25), None], vec![Some(f64::NAN), Some(0.125)]]);
        let drawing = svg(&Plot::Heat(board), Language::English);
        for part in ["25.0", "12.5", "&lt;1&gt;", "rank", "share", "20%"] {
            assert!(drawing.contains(part), "{part}: {drawing}");
        }
        let fine = heat(64, vec![vec![Some(0.25); 64]; 200]);
        assert!(!svg(&Plot::Heat(fine), Language::English).contains("25.0"));
    }

    #[test]
    fn the_scale_begins_at_zero() {
        let drawing = svg(&Plot::Heat(heat(2, vec![vec![Some(0.475), Some(0.5)]])), Language::English);
        assert!(drawing.contains(">0%<") || drawing.contains("\n0%\n"), "{drawing}");
    }

    #[test]
    fn no_values_and_missing_rows_are_drawn_too() {
        assert!(svg(&Plot::Heat(heat(3, vec![vec![None; 3]])), Language::English).contains("no data"));
        assert!(svg(&Plot::Heat(heat(0, Vec::new())), Language::Arabic).contains("لا بيانات"));
        let mut ragged = heat(3, vec![vec![Some(1.0)], Vec::new()]);
        ragged.rows.push("more".to_owned());
        assert!(svg(&Plot::Heat(ragged), Language::English).contains("more"));
    }
}

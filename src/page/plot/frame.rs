//! Both axes of a plot over numbers, with grid and words.

use super::{
    axis::Axis,
    canvas::{Anchor, Canvas, GRID, INK, LINE, Spot, WIDTH, text_width},
};
use crate::page::{Phrase, Scale};

/// Space between an axis and the numbers beside it.
const GAP: i32 = 12;
/// Numbers on an axis at most.
const TICKS: usize = 6;

/// The part of a drawing between its axes.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub x: Axis,
    pub y: Axis,
}

impl Frame {
    /// A frame in a drawing `height` high that leaves room for the words of both axes. `left` is what stands beside the
    /// axis at the left.
    pub fn new(height: i32, left: i32, (x, x_scale): ((f64, f64), Scale), (y, y_scale): ((f64, f64), Scale)) -> Self {
        let x = Axis::new(x, (left + 2 * GAP, WIDTH - LINE), x_scale);
        Frame { x, y: Axis::new(y, (height - 2 * LINE, LINE + 2 * GAP), y_scale) }
    }

    /// Room for the numbers of an axis at the left.
    pub fn room(range: (f64, f64), scale: Scale) -> i32 {
        let ticks = Axis::new(range, (0, 1), scale).ticks(TICKS);
        ticks.iter().map(|(_, label)| text_width(label)).max().unwrap_or(0)
    }

    /// The place of a point.
    pub fn at(&self, x: f64, y: f64) -> Spot {
        (self.x.at(x), self.y.at(y))
    }

    /// Lines across at the numbers of the axis at the left, with the numbers.
    pub fn draw_y(&self, canvas: &Canvas<'_>) {
        for (tick, label) in self.y.ticks(TICKS) {
            let at = self.y.at(tick);
            canvas.line(&[(self.x.start(), at), (self.x.end(), at)], GRID, 2);
            canvas.text(&label, (self.x.start() - GAP, at), Anchor::Right, INK);
        }
    }

    /// Lines up at the numbers of the axis below, with the numbers.
    pub fn draw_x(&self, canvas: &Canvas<'_>) {
        for (tick, label) in self.x.ticks(TICKS) {
            let at = self.x.at(tick);
            canvas.line(&[(at, self.y.start()), (at, self.y.end())], GRID, 2);
            canvas.text(&label, (at, self.y.start() + LINE / 2 + 4), Anchor::Centre, INK);
        }
    }

    /// The edge at the left and the one below, and what the axes stand for: above the one, below the other.
    pub fn draw_edges(&self, canvas: &Canvas<'_>, x: &Phrase, y: &Phrase) {
        let corner = (self.x.start(), self.y.start());
        canvas.line(&[(self.x.start(), self.y.end()), corner, (self.x.end(), self.y.start())], INK, 2);
        canvas.words(y, (GAP, LINE / 2), Anchor::Left);
        canvas.words(x, (self.x.middle(), self.y.start() + LINE + LINE / 2), Anchor::Centre);
    }
}

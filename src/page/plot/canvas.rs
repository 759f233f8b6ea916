//! Strokes, areas and words on an SVG.

use plotters::{
    coord::Shift,
    element::DashedPathElement,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use crate::page::{Language, Phrase};

/// Width of every drawing, in its own units. A page shows it about half as wide, for sharp edges.
pub const WIDTH: i32 = 960;
/// Height of letters. Shown 320 pixels wide, as on a phone, they are between 10 and 11 pixels high.
pub const LETTER: i32 = 32;
/// A line of words with the space around it.
pub const LINE: i32 = 46;
pub const INK: RGBAColor = RGBAColor(0x33, 0x33, 0x3B, 1.0);
/// Words on a bright ground of the drawing's own. `page.css` changes INK, GRID and BLANK where a page is dark, not this.
pub const INK_ON_COLOUR: RGBAColor = RGBAColor(0x22, 0x22, 0x2A, 1.0);
pub const GRID: RGBAColor = RGBAColor(0xE2, 0xE2, 0xE7, 1.0);
/// What lies under cells that have no value.
pub const BLANK: RGBAColor = RGBAColor(0xEE, 0xEE, 0xF1, 1.0);

/// Width of a letter as a share of its height, a little above the mean of a sans-serif face.
const LETTER_WIDTH: f64 = 0.58;
/// plotters writes the size of a font divided by this.
const FONT_SCALE: f64 = 1.24;
/// Half the width of an interval's end.
const CAP: i32 = 7;
const UNFAILING: &str = "drawing into a string cannot fail";

/// A place, from the upper left corner.
pub type Spot = (i32, i32);

/// What a word's place is the place of: an end or the middle of its middle line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Left,
    Centre,
    Right,
}

/// A drawing under way.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    language: Language,
}

/// A drawing that is yet to be made.
pub struct Drawing<'a> {
    pub height: i32,
    draw: Box<dyn Fn(&Canvas<'_>) + 'a>,
}

impl<'a> Drawing<'a> {
    /// What `draw` draws on a canvas `height` high.
    pub fn new(height: i32, draw: impl Fn(&Canvas<'_>) + 'a) -> Self {
        Drawing { height, draw: Box::new(draw) }
    }

    /// One that has nothing to show, for a reason.
    pub fn nothing(reason: Phrase) -> Self {
        Drawing::new(4 * LINE, move |canvas| canvas.words(&reason, (WIDTH / 2, 2 * LINE), Anchor::Centre))
    }

    /// Drawings one below the other; none of none.
    pub fn stacked(drawings: Vec<Drawing<'a>>) -> Option<Self> {
        let height = drawings.iter().map(|drawing| drawing.height).sum();
        let draw = move |canvas: &Canvas<'_>| {
            let mut top = 0;
            for drawing in &drawings {
                drawing.draw(&canvas.part(top, drawing.height));
                top += drawing.height;
            }
        };
        (height > 0).then(|| Drawing::new(height, draw))
    }

    /// Draws it on a canvas of its height.
    pub fn draw(&self, canvas: &Canvas<'_>) {
        (self.draw)(canvas);
    }
}

impl Canvas<'_> {
    /// What `draw` draws, on no ground, as an SVG element `height` high.
    pub fn svg(height: i32, language: Language, draw: impl FnOnce(&Canvas<'_>)) -> String {
        let mut svg = String::new();
        {
            let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let canvas = Canvas { area, language };
            draw(&canvas);
            canvas.area.present().expect(UNFAILING);
        }
        svg
    }

    /// The part of this drawing that begins `top` below its upper edge, as a canvas of its own `height` high.
    pub fn part(&self, top: i32, height: i32) -> Self {
        let area = self.area.clone().shrink((0, top), (WIDTH, height));
        Canvas { area, language: self.language }
    }

    /// Words in the language of the drawing.
    pub fn words(&self, phrase: &Phrase, at: Spot, anchor: Anchor) {
        // A drawing has no face for code.
        let text = phrase.shown(self.language).replace('`', "");
        self.text(&directed(&shortened(&text, WIDTH)), at, anchor, INK);
    }

    /// Text as it is.
    pub fn text(&self, text: &str, at: Spot, anchor: Anchor, colour: RGBAColor) {
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let style = ("sans-serif", f64::from(LETTER) * FONT_SCALE)
            .into_font()
            .color(&colour)
            .pos(Pos::new(horizontal, VPos::Center));
        self.area.draw_text(text, &style, at).expect(UNFAILING);
    }

    pub fn line(&self, spots: &[Spot], colour: RGBAColor, width: u32) {
        self.area.draw(&PathElement::new(spots, colour.stroke_width(width))).expect(UNFAILING);
    }

    pub fn dashed_line(&self, spots: impl Iterator<Item = Spot> + Clone, colour: RGBAColor, width: u32) {
        let line = DashedPathElement::new(spots, 12, 9, colour.stroke_width(width));
        self.area.draw(&line).expect(UNFAILING);
    }

    /// An interval as a line with ends, upright or lying.
    pub fn whisker(&self, from: Spot, to: Spot, colour: RGBAColor) {
        let (x, y) = if from.0 == to.0 { (CAP, 0) } else { (0, CAP) };
        self.line(&[from, to], colour, 3);
        for end in [from, to] {
            self.line(&[(end.0 - x, end.1 - y), (end.0 + x, end.1 + y)], colour, 3);
        }
    }

    pub fn polygon(&self, spots: Vec<Spot>, colour: RGBAColor) {
        self.area.draw(&Polygon::new(spots, colour)).expect(UNFAILING);
    }

    /// The rectangle between two corners, in any order.
    pub fn rectangle(&self, [a, b]: [Spot; 2], colour: RGBAColor) {
        let corners = [(a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1))];
        self.area.draw(&Rectangle::new(corners, colour.filled())).expect(UNFAILING);
    }

    pub fn dot(&self, at: Spot, radius: i32, colour: RGBAColor) {
        self.area.draw(&Circle::new(at, radius, colour.filled())).expect(UNFAILING);
    }
}

/// How wide text is, about.
pub fn text_width(text: &str) -> i32 {
    (text.chars().count() as f64 * LETTER_WIDTH * f64::from(LETTER)).ceil() as i32
}

/// As much of a text as is no wider than `width`, about.
pub fn shortened(text: &str, width: i32) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let letters = (f64::from(width) / (LETTER_WIDTH * f64::from(LETTER))) as usize;
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// Text that is read from right to left wherever it has Arabic letters, in a drawing that is laid out from left to
/// right: an isolate (Unicode Standard Annex 9).
fn directed(text: &str) -> String {
    let is_arabic = |c: char| ('\u{600}'..'\u{700}').contains(&c);
    if text.chars().any(is_arabic) { format!("\u{2067}{text}\u{2069}") } else { text.to_owned() }
}

//! A position as a picture: an SVG document of its board, its pieces with their marks, and its zones, White below. The
//! page to play on draws the same pieces.

use std::fmt::Write;

use super::{
    Mark, PositionError, Side, TextGame,
    shapes::{FIELD, Shape, shape},
};

/// Room left of the board and below it, for labels.
const MARGIN: f64 = 20.0;
/// Width of the zones beside it.
const RAIL: f64 = 64.0;
/// Room above the board and right of it.
const EDGE: f64 = 3.0;

/// A line that crosses the board above so many rows.
const DITCHES: &[(&str, usize)] = &[("shatra", 7)];

/// Colours and strokes. A picture carries its own, since many may stand on one page.
const STYLE: &str = "\
.maydan .frame{fill:#7c6646}.maydan .light{fill:#f1e7d3}.maydan .dark{fill:#c6ac86}.maydan .home.light{fill:#e3e3d3}\
.maydan .home.dark{fill:#a9b295}.maydan .ditch{stroke:#4f8a99;stroke-width:5}\
.maydan text{font:600 10.5px system-ui,sans-serif;text-anchor:middle;fill:#7a6f60}.maydan .count{font-size:14px}\
.maydan .body{stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}\
.maydan .line{fill:none;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}\
.maydan .white .body{fill:#fffdf7;stroke:#2b2620}.maydan .white .line{stroke:#2b2620}\
.maydan .white .dot,.maydan .white text{fill:#2b2620}\
.maydan .black .body{fill:#38322d;stroke:#14110f}.maydan .black .line{stroke:#dccfb8}\
.maydan .black .dot,.maydan .black text{fill:#dccfb8}.maydan .piece text{font:700 20px system-ui,sans-serif}\
.maydan .faded{opacity:.45}.maydan .none{opacity:.35}\
.maydan .mark{fill:none;stroke:#17726b;stroke-width:2.4;stroke-linecap:round}.maydan .spot{fill:#17726b}\
.maydan .likeness{fill:#f1e7d3;stroke:#17726b}";

/// The picture of a position of `game`.
///
/// # Errors
/// When the text is no position.
pub fn picture(game: &dyn TextGame, position: &str) -> Result<String, PositionError> {
    let scene = game.scene(position)?;
    let id = game.ruleset().game.as_str();
    let grid = Grid::new(game);
    let mut body = grid.board(id);
    for piece in &scene.pieces {
        let (x, y) = grid.place(&piece.square);
        let marks = scene.marks.iter().filter(|(square, _)| *square == piece.square).map(|(_, mark)| mark);
        let is_jumped = marks.clone().any(|mark| *mark == Mark::Jumped);
        let transform = format!("translate({x} {y})");
        body.push_str(&draw_piece(id, piece.kind, piece.side, if is_jumped { " faded" } else { "" }, &transform));
        marks.for_each(|&mark| body.push_str(&draw_mark(id, mark, piece.side, x, y)));
    }
    // Also where all of them are used up.
    let is_filled = |zones: &[Vec<u8>; 2]| zones.iter().flatten().any(|&count| count > 0);
    let has_zones = is_filled(&scene.zones) || is_filled(&game.scene(&game.start())?.zones);
    if has_zones {
        body.push_str(&grid.zones(id, game.zone_kinds(), &scene.zones));
    }
    let width = MARGIN + grid.width() + EDGE + if has_zones { RAIL } else { 0.0 };
    let height = EDGE + grid.height() + MARGIN;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"maydan\" viewBox=\"{} {} {width} {height}\" width=\"{width}\" \
         height=\"{height}\"><title>{}</title><style>{STYLE}</style>{body}</svg>",
        -MARGIN,
        -EDGE,
        escaped(position)
    ))
}

/// Where the squares of a board are.
struct Grid {
    rows: usize,
    columns: usize,
    squares: Vec<Placed>,
}

struct Placed {
    name: String,
    row: usize,
    column: usize,
    is_home: bool,
}

impl Grid {
    fn new(game: &dyn TextGame) -> Self {
        let (rows, columns) = game.grid();
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let placed = |(row, column)| {
            let info = game.square(row, column)?;
            Some(Placed { name: info.name, row, column, is_home: info.home.is_some() })
        };
        Grid { rows, columns, squares: places.filter_map(placed).collect() }
    }

    fn width(&self) -> f64 {
        self.columns as f64 * FIELD
    }

    fn height(&self) -> f64 {
        self.rows as f64 * FIELD
    }

    fn corner(&self, square: &Placed) -> (f64, f64) {
        (square.column as f64 * FIELD, (self.rows - 1 - square.row) as f64 * FIELD)
    }

    /// The upper left corner of a square.
    fn place(&self, name: &str) -> (f64, f64) {
        let square = self.squares.iter().find(|square| square.name == name);
        self.corner(square.expect("pieces stand on squares"))
    }

    fn board(&self, game: &str) -> String {
        let mut body = String::new();
        for square in &self.squares {
            let (x, y) = self.corner(square);
            let side = FIELD + 4.0;
            let _ = write!(
                body,
                "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\"/>",
                x - 2.0,
                y - 2.0
            );
        }
        for square in &self.squares {
            let (x, y) = self.corner(square);
            let shade = if (square.row + square.column).is_multiple_of(2) { "dark" } else { "light" };
            let home = if square.is_home { " home" } else { "" };
            let _ = write!(
                body,
                "<rect class=\"{shade}{home}\" x=\"{x}\" y=\"{y}\" width=\"{FIELD}\" height=\"{FIELD}\"/>"
            );
        }
        for (_, below) in DITCHES.iter().filter(|(of, _)| *of == game) {
            let (y, width) = ((self.rows - below) as f64 * FIELD, self.width());
            let _ = write!(body, "<line class=\"ditch\" x1=\"0\" x2=\"{width}\" y1=\"{y}\" y2=\"{y}\"/>");
        }
        self.labels(&mut body);
        body
    }

    /// Ranks left of the first square of their row, files below the last of their column. A square whose name does not
    /// follow rows and columns has its name beside it.
    fn labels(&self, body: &mut String) {
        let is_stray = |square: &Placed| {
            let file = split(&square.name).map_or(square.name.as_str(), |(file, _)| file);
            self.squares.iter().any(|other| {
                split(&other.name).is_some_and(|(letters, _)| letters == file) && other.column != square.column
            })
        };
        let regular: Vec<&Placed> = self.squares.iter().filter(|square| !is_stray(square)).collect();
        let mut write = |text: &str, x: f64, y: f64| {
            let _ = write!(body, "<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(text));
        };
        for row in 0..self.rows {
            if let Some(first) = regular.iter().filter(|square| square.row == row).min_by_key(|square| square.column)
                && let Some((_, rank)) = split(&first.name)
            {
                let (x, y) = self.corner(first);
                write(rank, x - 10.0, y + FIELD / 2.0 + 4.5);
            }
        }
        for column in 0..self.columns {
            if let Some(last) = regular.iter().filter(|square| square.column == column).min_by_key(|square| square.row)
                && let Some((file, _)) = split(&last.name)
            {
                let (x, y) = self.corner(last);
                write(file, x + FIELD / 2.0, y + FIELD + 14.5);
            }
        }
        for stray in self.squares.iter().filter(|square| is_stray(square)) {
            let (x, y) = self.corner(stray);
            let x = if stray.column == 0 { x + FIELD + 13.0 } else { x - 13.0 };
            write(&stray.name, x, y + FIELD / 2.0 + 4.5);
        }
    }

    /// Black's zone above, White's below, beside the board: each kind with how many of it wait.
    fn zones(&self, game: &str, kinds: &str, zones: &[Vec<u8>; 2]) -> String {
        const CHIP: f64 = 32.0;
        let mut body = String::new();
        for (side, zone) in [Side::White, Side::Black].into_iter().zip(zones) {
            let height = CHIP * zone.len() as f64;
            let top = if side == Side::Black { 0.0 } else { self.height() - height };
            for (at, (kind, count)) in kinds.chars().rev().zip(zone.iter().rev()).enumerate() {
                let (x, y) = (self.width() + 8.0, top + CHIP * at as f64);
                let none = if *count == 0 { " none" } else { "" };
                let transform = format!("translate({x} {y}) scale({})", CHIP / FIELD);
                body.push_str(&draw_piece(game, kind, side, none, &transform));
                let _ = write!(body, "<text class=\"count\" x=\"{}\" y=\"{}\">{count}</text>", x + 43.0, y + 21.0);
            }
        }
        body
    }
}

/// File and rank of a square's name that has both.
fn split(name: &str) -> Option<(&str, &str)> {
    let digits = name.find(|c: char| c.is_ascii_digit()).filter(|&at| at > 0)?;
    let (file, rank) = name.split_at(digits);
    rank.bytes().all(|byte| byte.is_ascii_digit()).then_some((file, rank))
}

fn draw_piece(game: &str, kind: char, side: Side, classes: &str, transform: &str) -> String {
    let mut group = format!("<g class=\"piece {side}{classes}\" transform=\"{transform}\">");
    match shape(game, kind) {
        Some(Shape { body, lines, dots, stars }) => {
            for (class, paths) in [("body", body), ("line", lines), ("dot", stars)] {
                paths.iter().for_each(|path| {
                    let _ = write!(group, "<path class=\"{class}\" d=\"{path}\"/>");
                });
            }
            for [x, y, radius] in dots {
                let _ = write!(group, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
            }
        }
        None => {
            let letter = escaped(&kind.to_string());
            let _ = write!(
                group,
                "<circle class=\"body\" cx=\"24\" cy=\"25\" r=\"17\"/><text x=\"24\" y=\"32\">{letter}</text>"
            );
        }
    }
    group + "</g>"
}

fn draw_mark(game: &str, mark: Mark, side: Side, x: f64, y: f64) -> String {
    let circle = |class: &str, cx: f64, cy: f64, r: f64| {
        format!("<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{r}\"/>", x + cx, y + cy)
    };
    match mark {
        Mark::Climber => format!("<path class=\"mark\" d=\"M{} {} l4 -4.5 l4 4.5\"/>", x + 37.5, y + 8.5),
        Mark::Reserve => circle("spot", 42.5, 6.0, 2.6),
        Mark::Unmoved => circle("spot", 42.5, 6.0, 2.0),
        Mark::Jumped => format!("<path class=\"mark\" d=\"M{} {} l30 30 m0 -30 l-30 30\"/>", x + 9.0, y + 9.0),
        Mark::Jumper => {
            let size = FIELD - 4.0;
            let (x, y) = (x + 2.0, y + 2.0);
            format!("<rect class=\"mark\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"3\"/>")
        }
        Mark::Like(kind) => {
            let transform = format!("translate({} {}) scale(0.36)", x + 28.6, y + 28.0);
            circle("likeness", 37.2, 37.0, 10.0) + &draw_piece(game, kind, side, "", &transform)
        }
    }
}

/// Text that may stand in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{registry, text_game};

    #[test]
    fn every_piece_is_drawn_on_its_square() {
        let game = text_game("shatara", &toml::Table::new()).unwrap();
        let svg = picture(&*game, "6k1/5ppp/8/8/8/8/8/4RK2[PPn] w - - - 0 1").unwrap();
        // Six on the board; of two zones five kinds each.
        assert_eq!(svg.matches("<g class=\"piece ").count(), 6 + 10);
        assert_eq!(svg.matches("class=\"piece white none\"").count(), 4);
        // White's rook on e1 and king on f1, the lowest row.
        assert!(svg.contains("class=\"piece white\" transform=\"translate(192 336)\""), "{svg}");
        assert!(svg.contains("class=\"piece white\" transform=\"translate(240 336)\""), "{svg}");
        assert!(picture(&*game, "nowhere").is_err());
    }

    #[test]
    fn every_game_has_pictures() {
        for id in registry::IDS {
            let game = text_game(id, &toml::Table::new()).unwrap();
            let squares = Grid::new(&*game).squares.len();
            let mut position = game.start();
            for _ in 0..40 {
                let svg = picture(&*game, &position).unwrap();
                assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"), "{svg}");
                assert_eq!(svg.matches("class=\"frame\"").count(), squares, "{id}");
                assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
                let Some(action) = game.legal(&position).unwrap().pop() else { break };
                position = game.after(&position, &action.action).unwrap();
            }
        }
    }
}

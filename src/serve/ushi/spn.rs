//! Positions as Shatrabase writes them: SPN.
//!
//! Rows from Black's home down, `/` between them (the fortresses are one row of nine, the gates rows of one); `K Q R B`
//! and `S` for the pawn, lower case for Black; digits for runs of empty squares; `q r b s` jumped in the series under
//! way are `y u i p`; `!` before a piece is a mark of Shatrabase's own. Then side, temdeks (`T`, `t`: that side has
//! pieces of its initial reserve), the square of the piece in a series, the en passant square, plies since progress,
//! number of the move; `-` for none. What SPN leaves out follows: the pieces of an initial reserve are those at home, a
//! stock is what is missing on the board.

use std::{fmt, str::FromStr};

use crate::game::{Part, PositionError, Side, parts};

/// Squares of each row.
const ROWS: [usize; 10] = [9, 1, 7, 7, 7, 7, 7, 7, 1, 9];
/// Squares of the board.
const SQUARES: usize = 62;
/// How many of each kind a side begins with that come back: letters of the rules.
const COMPLEMENT: [(char, usize); 3] = [('Q', 1), ('R', 2), ('B', 2)];

/// A square by Shatrabase's number less one: from c14 (1) row by row to e1 (62), files from a to g.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(usize);

impl Place {
    /// The square with that number.
    pub fn numbered(number: usize) -> Option<Self> {
        (1..=SQUARES).contains(&number).then(|| Place(number - 1))
    }

    /// The square in column 0 to 6 (files a to g) and row 1 to 14 (the ranks), if there is one.
    pub fn at(column: i32, row: i32) -> Option<Self> {
        (0..SQUARES).map(Place).find(|place| place.spot() == (column, row))
    }

    /// `c14` and the like.
    pub fn named(name: &str) -> Option<Self> {
        (0..SQUARES).map(Place).find(|place| place.name() == name)
    }

    pub fn number(self) -> usize {
        self.0 + 1
    }

    pub fn name(self) -> String {
        let (column, row) = self.spot();
        format!("{}{row}", (b'a' + column as u8) as char)
    }

    /// Column and row, as [`at`](Place::at) takes them.
    pub fn spot(self) -> (i32, i32) {
        let at = self.0 as i32;
        match at {
            0..=8 => (2 + at % 3, 14 - at / 3),
            9 => (3, 11),
            10..=51 => ((at - 10) % 7, 10 - (at - 10) / 7),
            52 => (3, 4),
            _ => (2 + (at - 53) % 3, 3 - (at - 53) / 3),
        }
    }

    /// Whether it is a square of the side's fortress.
    pub fn is_fortress(self, side: Side) -> bool {
        match side {
            Side::White => self.0 > 52,
            Side::Black => self.0 < 9,
        }
    }

    /// Whether it is the side's gate.
    pub fn is_gate(self, side: Side) -> bool {
        self.0 == if side == Side::White { 52 } else { 9 }
    }

    /// Whether it belongs to the side's fortress or gate.
    pub fn is_home(self, side: Side) -> bool {
        self.is_fortress(side) || self.is_gate(side)
    }

    /// Whether it is of the rank where the side's pawns become other pieces.
    fn is_last(self, side: Side) -> bool {
        self.spot().1 == if side == Side::White { 14 } else { 1 }
    }
}

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub side: Side,
    /// Letter of the rules, upper case: `KQRBP`.
    pub kind: char,
    /// Jumped in the series under way.
    pub is_jumped: bool,
    /// Shatrabase's mark: to be placed before anything else, where there is nothing to capture.
    pub is_marked: bool,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spn {
    pieces: [Option<Piece>; SQUARES],
    pub side: Side,
    /// Whether White and Black have an initial reserve.
    temdeks: [bool; 2],
    /// The piece in a series.
    pub jumper: Option<Place>,
    /// The square that a pawn just passed over.
    pub passed: Option<Place>,
    clock: u32,
    number: u32,
}

impl Spn {
    pub fn piece(&self, place: Place) -> Option<Piece> {
        self.pieces[place.0]
    }

    /// All pieces with their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Place, Piece)> {
        self.pieces.iter().enumerate().filter_map(|(at, piece)| piece.map(|piece| (Place(at), piece)))
    }

    pub fn has_temdek(&self, side: Side) -> bool {
        self.temdeks[side.index()]
    }

    /// The same position where no pawn passed over a square.
    pub fn without_passed(self) -> Self {
        Spn { passed: None, ..self }
    }

    /// Reads a position string of the rules; `None` when it is none. Its stocks are left out, and so is which pieces at
    /// home are of the initial reserve.
    pub fn of_position(text: &str) -> Option<Self> {
        let [placement, side, reserve, passed, series, clock, number] =
            text.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let (placement, _) = placement.split_once('[')?;
        let side = read_side(side)?;
        let (jumper, jumped) = match series.split_once(':') {
            Some((jumper, jumped)) => (Some(Place::named(jumper)?), names(jumped)?),
            None => (None, Vec::new()),
        };
        let mut pieces = [None; SQUARES];
        let mut at = 0;
        for part in placement.split('/').flat_map(parts) {
            let letter = match part {
                Part::Run(digits) => {
                    at += digits.parse::<usize>().ok().filter(|&run| run <= SQUARES)?;
                    continue;
                }
                Part::Place('*') => continue,
                Part::Place(letter) => letter,
            };
            let owner = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
            let kind = letter.to_ascii_uppercase();
            let is_jumped = jumped.contains(&Place(at));
            *pieces.get_mut(at)? = Some(Piece { side: owner, kind, is_jumped, is_marked: false });
            at += 1;
        }
        let reserve = if reserve == "-" { Vec::new() } else { names(reserve)? };
        let temdeks = [Side::White, Side::Black].map(|side| reserve.iter().any(|place| place.is_home(side)));
        let (clock, number) = (clock.parse().ok()?, number.parse().ok()?);
        Some(Spn { pieces, side, temdeks, jumper, passed: Place::named(passed), clock, number })
    }

    /// The position string of the rules, which need not be legal.
    pub fn position(&self) -> String {
        let mut text = String::new();
        let mut at = 0;
        for size in [3, 3, 3, 1, 7, 7, 7, 7, 7, 7, 1, 3, 3, 3] {
            let holes = "*".repeat((7 - size) / 2);
            let letter =
                |piece: Piece| if piece.side == Side::White { piece.kind } else { piece.kind.to_ascii_lowercase() };
            text += if at > 0 { "/" } else { "" };
            text += &holes;
            text += &runs(self.pieces[at..at + size].iter().map(|piece| piece.map(|piece| letter(piece).to_string())));
            text += &holes;
            at += size;
        }
        let reserve: String = self
            .pieces()
            .filter(|(place, piece)| self.in_reserve(*place, *piece))
            .map(|(place, _)| place.name())
            .collect();
        let jumped: String =
            self.pieces().filter(|(_, piece)| piece.is_jumped).map(|(place, _)| place.name()).collect();
        format!(
            "{text}[{}{}] {} {} {} {} {} {}",
            self.stock(Side::White),
            self.stock(Side::Black).to_ascii_lowercase(),
            side_letter(self.side),
            if reserve.is_empty() { "-" } else { &reserve },
            self.passed.map_or("-".to_owned(), Place::name),
            self.jumper.map_or("-".to_owned(), |jumper| format!("{}:{jumped}", jumper.name())),
            self.clock,
            self.number
        )
    }

    fn in_reserve(&self, place: Place, piece: Piece) -> bool {
        self.has_temdek(piece.side) && place.is_home(piece.side)
    }

    /// Pieces that the side lost and can get back. A pawn waits for one on its last rank only where there is none.
    fn stock(&self, side: Side) -> String {
        let own = || self.pieces().filter(|(_, piece)| piece.side == side);
        if own().any(|(place, piece)| piece.kind == 'P' && !piece.is_jumped && place.is_last(side)) {
            return String::new();
        }
        let missing = |(kind, all): (char, usize)| {
            kind.to_string().repeat(all.saturating_sub(own().filter(|(_, piece)| piece.kind == kind).count()))
        };
        COMPLEMENT.into_iter().map(missing).collect()
    }
}

impl FromStr for Spn {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [placement, side, rest @ ..] = &fields[..] else {
            return Err(PositionError::new("placement", "expected rows, side to move and what is under way"));
        };
        if rest.len() > 5 {
            return Err(PositionError::new("number", "expected to be the last field"));
        }
        let rest = |at: usize| rest.get(at).copied().unwrap_or("-");
        let side = read_side(side).ok_or_else(|| PositionError::new("side", "expected `w` or `b`"))?;
        let pieces = read_pieces(placement, side)?;
        let temdeks = match rest(0) {
            "-" => [false; 2],
            "T" => [true, false],
            "t" => [false, true],
            "Tt" | "tT" => [true; 2],
            _ => return Err(PositionError::new("temdek", "expected `T`, `t`, `Tt` or `-`")),
        };
        let jumper = read_place("series", rest(1))?;
        let is_jumped = pieces.iter().flatten().any(|piece| piece.is_jumped);
        if jumper.is_some() != is_jumped {
            let reason = "expected the square of the piece that jumped the captured pieces, or `-` where there is none";
            return Err(PositionError::new("series", reason));
        }
        Ok(Spn {
            pieces,
            side,
            temdeks,
            jumper,
            passed: read_place("en passant", rest(2))?,
            clock: read_counter("clock", rest(3), 0)?,
            number: read_counter("number", rest(4), 1)?,
        })
    }
}

/// As Shatrabase writes it.
impl fmt::Display for Spn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut at = 0;
        for size in ROWS {
            f.write_str(if at > 0 { "/" } else { "" })?;
            f.write_str(&runs(self.pieces[at..at + size].iter().map(|piece| piece.map(letter))))?;
            at += size;
        }
        let temdeks = match self.temdeks {
            [true, true] => "Tt",
            [true, false] => "T",
            [false, true] => "t",
            [false, false] => "-",
        };
        let number = |place: Option<Place>| place.map_or("-".to_owned(), |place| place.number().to_string());
        let clock = if self.clock == 0 { "-".to_owned() } else { self.clock.to_string() };
        write!(f, " {} {temdeks} {} {}", side_letter(self.side), number(self.jumper), number(self.passed))?;
        write!(f, " {clock} {}", self.number)
    }
}

/// A piece in SPN.
fn letter(piece: Piece) -> String {
    let letter = match piece.kind {
        'P' => 'S',
        kind => kind,
    };
    let letter = match (piece.is_jumped, letter) {
        (true, 'Q') => 'y',
        (true, 'R') => 'u',
        (true, 'B') => 'i',
        (true, _) => 'p',
        (false, letter) if piece.side == Side::White => letter,
        (false, letter) => letter.to_ascii_lowercase(),
    };
    format!("{}{letter}", if piece.is_marked { "!" } else { "" })
}

/// Squares of a row, a number for a run of empty ones.
fn runs(squares: impl Iterator<Item = Option<String>>) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for square in squares.map(Some).chain([None]) {
        match square {
            Some(None) => empty += 1,
            _ if empty > 0 => text += &std::mem::take(&mut empty).to_string(),
            _ => {}
        }
        text += square.flatten().unwrap_or_default().as_str();
    }
    text
}

fn read_pieces(text: &str, mover: Side) -> Result<[Option<Piece>; SQUARES], PositionError> {
    let error = |reason: String| PositionError::new("placement", reason);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ROWS.len() {
        return Err(error(format!("expected {} rows, found {}", ROWS.len(), rows.len())));
    }
    let mut pieces = Vec::with_capacity(SQUARES);
    for (number, (row, size)) in (1..).zip(rows.into_iter().zip(ROWS)) {
        let end = pieces.len() + size;
        let mut letters = row.chars();
        while let Some(first) = letters.next() {
            let is_marked = first == '!';
            let letter = if is_marked { letters.next().unwrap_or('!') } else { first };
            match letter.to_digit(10) {
                Some(run @ 1..) if !is_marked => pieces.extend((0..run).map(|_| None)),
                _ => pieces.push(Some(read_piece(letter, mover, is_marked).ok_or_else(|| {
                    error(format!("row {number}: expected letters of KQRBSkqrbsyuip, `!` and numbers of empty squares"))
                })?)),
            }
            if pieces.len() > end {
                break;
            }
        }
        if pieces.len() != end {
            return Err(error(format!("row {number}: expected {size} squares")));
        }
    }
    let kings = |side| pieces.iter().flatten().filter(|piece: &&Piece| piece.side == side && piece.kind == 'K').count();
    if [Side::White, Side::Black].map(kings) != [1, 1] {
        return Err(error("expected one king a side".to_owned()));
    }
    pieces.try_into().map_err(|_| error(format!("expected {SQUARES} squares")))
}

fn read_piece(letter: char, mover: Side, is_marked: bool) -> Option<Piece> {
    let (kind, is_jumped) = match letter {
        'y' => ('Q', true),
        'u' => ('R', true),
        'i' => ('B', true),
        'p' => ('P', true),
        's' | 'S' => ('P', false),
        'k' | 'K' | 'q' | 'Q' | 'r' | 'R' | 'b' | 'B' => (letter.to_ascii_uppercase(), false),
        _ => return None,
    };
    let side = match letter.is_ascii_uppercase() {
        _ if is_jumped => !mover,
        true => Side::White,
        false => Side::Black,
    };
    Some(Piece { side, kind, is_jumped, is_marked })
}

fn read_side(text: &str) -> Option<Side> {
    match text {
        "w" => Some(Side::White),
        "b" => Some(Side::Black),
        _ => None,
    }
}

fn side_letter(side: Side) -> char {
    if side == Side::White { 'w' } else { 'b' }
}

fn read_place(field: &'static str, text: &str) -> Result<Option<Place>, PositionError> {
    let error = || PositionError::new(field, format!("expected a square's number, 1 to {SQUARES}, or `-`"));
    match text {
        "-" => Ok(None),
        _ => text.parse().ok().and_then(Place::numbered).map(Some).ok_or_else(error),
    }
}

fn read_counter(field: &'static str, text: &str, least: u32) -> Result<u32, PositionError> {
    let number = if text == "-" { Some(least) } else { text.parse().ok() };
    number.filter(|number| *number >= least).ok_or_else(|| PositionError::new(field, "expected a number or `-`"))
}

/// Names of squares that stand one after the other: a letter, then digits.
fn names(text: &str) -> Option<Vec<Place>> {
    let mut places = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let (name, after) = rest.split_at_checked(1 + digits)?;
        places.push(Place::named(name)?);
        rest = after;
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::Rng as _;

    use super::*;
    use crate::game::{Game, random, shatra::Shatra};

    fn shatra() -> Game<Shatra> {
        Shatra::game(&toml::Table::new()).unwrap()
    }

    #[test]
    fn the_start() {
        let start = shatra().start();
        let spn = Spn::of_position(&start.to_string()).unwrap();
        assert_eq!(spn.to_string(), "sqssrsbrb/k/sssssss/7/7/7/7/SSSSSSS/K/BRBSRSSQS w Tt - - - 1");
        assert_eq!(spn.to_string().parse(), Ok(spn.clone()));
        assert_eq!(shatra().parse_position(&spn.position()).unwrap(), start);
    }

    #[test]
    fn squares_are_numbered_from_the_top() {
        for (number, name) in [(1, "c14"), (9, "e12"), (10, "d11"), (11, "a10"), (52, "g5"), (53, "d4"), (62, "e1")] {
            let place = Place::numbered(number).unwrap();
            assert_eq!((place.name().as_str(), Place::named(name)), (name, Some(place)));
            let (column, row) = place.spot();
            assert_eq!(Place::at(column, row), Some(place));
        }
        assert_eq!((Place::numbered(0), Place::numbered(63), Place::named("a1")), (None, None, None));
    }

    #[test]
    fn mistakes_are_named() {
        let start = "sqssrsbrb/k/sssssss/7/7/7/7/SSSSSSS/K/BRBSRSSQS w Tt - - - 1";
        for (from, to, field) in [
            ("/7/7/7/7/", "/7/7/7/", "placement"),
            ("7/7/7/7", "8/6/7/7", "placement"),
            ("/k/", "/x/", "placement"),
            ("/k/", "/K/", "placement"),
            ("/k/", "/!/", "placement"),
            ("/k/", "/999999999999/", "placement"),
            (" w ", " x ", "side"),
            (" Tt ", " TT ", "temdek"),
            ("Tt - -", "Tt 5 -", "series"),
            ("/7/7/7/7/", "/7/3p3/7/7/", "series"),
            ("Tt - -", "Tt - 63", "en passant"),
            ("- - 1", "- x 1", "clock"),
            ("- - 1", "- - 0", "number"),
            ("- - 1", "- - 1 1", "number"),
        ] {
            let error = start.replace(from, to).parse::<Spn>().unwrap_err();
            assert_eq!(error.field, field, "{from} {to}: {error}");
        }
        assert_eq!("".parse::<Spn>().unwrap_err().field, "placement");
        assert_eq!(start.replace(" - - - 1", "").parse::<Spn>(), start.parse());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        /// Positions of random games are the same after a way through SPN, but for the order of what was jumped and a
        /// king that captured back into its home, which is taken for one of the initial reserve; and SPN is the same
        /// after a way through the rules.
        #[test]
        fn random_games_go_there_and_back(seed in any::<u64>()) {
            let game = shatra();
            let mut rng = random::stream("spn", seed, 0, 0);
            let (mut position, mut legal) = (game.start(), Vec::new());
            for _ in 0..300 {
                game.legal_actions(&position, &mut legal);
                if legal.is_empty() {
                    break;
                }
                let text = position.to_string();
                let spn = Spn::of_position(&text).unwrap();
                prop_assert_eq!(spn.to_string().parse::<Spn>(), Ok(spn.clone()));
                let back = game.parse_position(&spn.position());
                prop_assert!(back.is_ok(), "{} {:?}", text, back);
                let back = Spn::of_position(&back.unwrap().to_string()).unwrap();
                prop_assert_eq!(&back, &spn);
                let king = |position: &str| position.split(' ').nth(2).unwrap().len();
                if position.series().is_none() && king(&back.position()) == king(&text) {
                    prop_assert_eq!(back.position(), Spn::of_position(&text).unwrap().position());
                    prop_assert_eq!(game.parse_position(&back.position()).unwrap(), position);
                }
                game.apply(&mut position, legal[rng.random_range(0..legal.len())]);
            }
        }

        /// Whatever comes is a position or a mistake.
        #[test]
        fn no_text_upsets_it(text in "[KQRBSkqrbsyuip!1-9/ wTt-]{0,80}|\\PC{0,80}") {
            if let Ok(spn) = text.parse::<Spn>() {
                let _ = shatra().parse_position(&spn.position());
                prop_assert_eq!(spn.to_string().parse::<Spn>(), Ok(spn));
            }
        }
    }
}

//! Omega Chess played slowly from the text of its rules: pieces on places of the 12x12 grid, every move made and then
//! asked whether the king stands attacked.

use std::collections::{BTreeMap, BTreeSet};

use super::{GREATEST, swap_case};
use crate::support::suite::witness::{Symmetry, Witness};

pub const WITNESS: Witness = Witness {
    successors: |_, text| Reference::read(text).successors().into_iter().map(|(a, next)| (a, next.write())).collect(),
    mirror: Symmetry { position: mirror_position, action: |text| map_squares(text, |(c, r)| (11 - c, r)) },
    swap: Symmetry { position: swap_colours, action: |text| map_squares(text, |(c, r)| (c, 11 - r)) },
    colours: &["black"],
    options: &["repetition = 2\nno_progress_plies = 30\nmax_plies = 120"],
    seeds: &[
        // Castling both ways, through attacks and past pieces that look on from behind the rook.
        "w**********w/*1r3k2r1*/*pppppppppp*/*10*/*10*/*10*/*10*/*10*/*10*/*PPPPPPPPPP*/*1R3K2R1*/W**********W w KQkq - 0 1",
        "1**********1/*1r3k2r1*/*10*/*4B5*/*10*/*6R3*/*10*/*10*/*3q6*/*10*/*rR3K2Rr*/1**********1 w KQkq - 0 20",
        "1**********1/*1r3k2r1*/*10*/*2W2C4*/*10*/*10*/*4c5*/*10*/*10*/*10*/*1R3K2R1*/1**********1 b KQkq - 0 20",
        // En passant after double and triple steps, on either square passed, and by pinned pawns.
        "1**********1/*5k4*/*10*/*10*/*10*/*10*/*3pPp4*/*10*/*10*/*10*/*5K4*/1**********1 b - e2e3 0 9",
        "1**********1/*5k4*/*10*/*10*/*10*/*10*/*10*/*3p1p4*/*10*/*4P5*/*5K4*/1**********1 w - - 0 9",
        "1**********1/*5k4*/*10*/*10*/*10*/*10*/*10*/*10*/*3p1p4*/*4P5*/*5K4*/1**********1 w - - 0 9",
        "1**********1/*10*/*4p1p3*/*5P4*/*5P4*/*3P1P1K2*/*10*/*b9*/*10*/*10*/*k4r4*/1**********1 b - - 0 9",
        "1**********1/*5k4*/*3p6*/*4P5*/*10*/*r2pP4K*/*10*/*10*/*10*/*3P6*/*10*/1**********1 b - - 0 9",
        // Promotions, on the far rank and beside the corners.
        "w**********1/*1n1n1k4*/*P1P5PP*/*10*/*10*/*10*/*10*/*10*/*10*/*p2p4p1*/*2N1N3K1*/1**********W w - - 0 40",
        "1**********1/*9n*/*2k6P*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/*2K7*/1**********1 w - - 0 40",
        // Kings on corners, checks from afar, champions that check from two squares away.
        "1**********1/*10*/*10*/*3c6*/*10*/*10*/*5k4*/*3b6*/*10*/*1Q8*/*10*/K**********1 w - - 0 50",
        "k**********1/*10*/*10*/*2Q7*/*10*/*3R6*/*10*/*10*/*10*/*10*/*5K4*/1**********1 b - - 0 50",
        "1**********1/*10*/*2k7*/*10*/*3C6*/*10*/*3W6*/*5c4*/*10*/*3K4w1*/*3R2r3*/1**********1 w - - 4 50",
        // Mates are near.
        "1**********1/*9k*/*6Q3*/*7K2*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/1**********1 w - - 0 60",
        "1**********1/*7k2*/*R9*/*10*/*10*/*10*/*10*/*10*/*1R8*/*10*/*5K4*/1**********1 w - - 0 60",
        "1**********k/*10*/*7C2*/*7K2*/*10*/*10*/*10*/*10*/*W9*/*10*/*10*/1**********1 w - - 0 60",
        // Counters at their limits.
        "1**********1/*5k4*/*p9*/*10*/*10*/*10*/*10*/*10*/*10*/*9P*/*5K4*/W**********1 b - - 9999999 9999999",
    ],
};

/// Column and row of the grid.
pub(super) type Place = (i32, i32);

#[derive(Clone)]
struct Reference {
    pieces: BTreeMap<Place, char>,
    white: bool,
    castling: BTreeSet<char>,
    /// Squares passed over by the last move's pawn, and that pawn's.
    passed: Vec<Place>,
    stepped: Option<Place>,
    clock: u32,
    fullmove: u32,
}

pub(super) const CORNERS: [Place; 4] = [(0, 0), (11, 0), (11, 11), (0, 11)];
pub(super) const STRAIGHT: [Place; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub(super) const DIAGONAL: [Place; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

pub(super) fn on_board((column, row): Place) -> bool {
    CORNERS.contains(&(column, row)) || (1..=10).contains(&column) && (1..=10).contains(&row)
}

pub(super) fn name((column, row): Place) -> String {
    match CORNERS.iter().position(|corner| *corner == (column, row)) {
        Some(corner) => format!("w{}", corner + 1),
        None => format!("{}{}", (b'a' + column as u8 - 1) as char, row - 1),
    }
}

pub(super) fn place(text: &str) -> Place {
    let [first, second] = [0, 1].map(|i| text.as_bytes()[i]);
    match first {
        b'w' => CORNERS[usize::from(second - b'1')],
        _ => (i32::from(first - b'a') + 1, i32::from(second - b'0') + 1),
    }
}

/// All ways to go `a` one way and `b` the other.
pub(super) fn leaps(a: i32, b: i32) -> Vec<Place> {
    let signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    let all: BTreeSet<Place> = signs.iter().flat_map(|(x, y)| [(a * x, b * y), (b * x, a * y)]).collect();
    all.into_iter().collect()
}

impl Reference {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut pieces = BTreeMap::new();
        for (line, row) in fields[0].split('/').zip((0..12).rev()) {
            let mut column = 0;
            for mark in line.replace("10", "..........").chars() {
                match mark.to_digit(10) {
                    Some(run) => column += run as i32,
                    None => {
                        if mark.is_alphabetic() {
                            pieces.insert((column, row), mark);
                        }
                        column += 1;
                    }
                }
            }
        }
        let white = fields[1] == "w";
        let squares = fields[3].trim_matches('-').as_bytes().chunks(2);
        let passed: Vec<Place> = squares.map(|pair| place(str::from_utf8(pair).unwrap())).collect();
        let up = if white { -1 } else { 1 };
        let stepped = passed.first().map(|&(column, row)| {
            (1..4).map(|i| (column, row + i * up)).find(|at| pieces.contains_key(at)).expect("a pawn beyond")
        });
        Reference {
            pieces,
            white,
            castling: fields[2].chars().filter(|c| *c != '-').collect(),
            passed,
            stepped,
            clock: fields[4].parse().unwrap(),
            fullmove: fields[5].parse().unwrap(),
        }
    }

    fn write(&self) -> String {
        let line = |row| {
            let mut marks = String::new();
            for column in 0..12 {
                marks.push(match self.pieces.get(&(column, row)) {
                    Some(&piece) => piece,
                    None if on_board((column, row)) => '.',
                    None => '*',
                });
            }
            (1..=10).rev().fold(marks, |marks, run| marks.replace(&".".repeat(run), &run.to_string()))
        };
        let lines: Vec<String> = (0..12).rev().map(line).collect();
        let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        format!(
            "{} {} {} {} {} {}",
            lines.join("/"),
            if self.white { "w" } else { "b" },
            or_dash("KQkq".chars().filter(|right| self.castling.contains(right)).collect()),
            or_dash(self.passed.iter().map(|&at| name(at)).collect()),
            self.clock,
            self.fullmove
        )
    }

    fn own(&self, at: Place) -> bool {
        self.pieces.get(&at).is_some_and(|piece| piece.is_uppercase() == self.white)
    }

    fn enemy(&self, at: Place) -> bool {
        self.pieces.get(&at).is_some_and(|piece| piece.is_uppercase() != self.white)
    }

    /// Squares that a piece other than a pawn sees.
    fn seen(&self, (column, row): Place, piece: char) -> Vec<Place> {
        let (ways, reach) = match piece.to_ascii_uppercase() {
            'K' => ([STRAIGHT, DIAGONAL].concat(), 1),
            'Q' => ([STRAIGHT, DIAGONAL].concat(), 12),
            'R' => (STRAIGHT.to_vec(), 12),
            'B' => (DIAGONAL.to_vec(), 12),
            'N' => (leaps(1, 2), 1),
            'C' => ([STRAIGHT.to_vec(), leaps(0, 2), leaps(2, 2)].concat(), 1),
            'W' => ([DIAGONAL.to_vec(), leaps(1, 3)].concat(), 1),
            _ => panic!("{piece}"),
        };
        let mut seen = Vec::new();
        for (east, north) in ways {
            for distance in 1..=reach {
                let to = (column + distance * east, row + distance * north);
                if !on_board(to) {
                    break;
                }
                seen.push(to);
                if self.pieces.contains_key(&to) {
                    break;
                }
            }
        }
        seen
    }

    fn attacked(&self, at: Place, by_white: bool) -> bool {
        self.pieces.iter().filter(|(_, piece)| piece.is_uppercase() == by_white).any(|(&from, &piece)| match piece {
            'P' => [(from.0 - 1, from.1 + 1), (from.0 + 1, from.1 + 1)].contains(&at),
            'p' => [(from.0 - 1, from.1 - 1), (from.0 + 1, from.1 - 1)].contains(&at),
            _ => self.seen(from, piece).contains(&at),
        })
    }

    fn in_check(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let at = self.pieces.iter().find(|(_, piece)| **piece == king).unwrap().0;
        self.attacked(*at, !white)
    }

    /// Moves with what they lead to, the king's safety and the next side's en passant unasked.
    fn moves(&self) -> Vec<(String, Reference)> {
        let mut found = Vec::new();
        for (&from, &piece) in self.pieces.iter().filter(|(_, piece)| piece.is_uppercase() == self.white) {
            if piece.eq_ignore_ascii_case(&'P') {
                found.extend(self.pawn_moves(from));
                continue;
            }
            for to in self.seen(from, piece).into_iter().filter(|&to| !self.own(to)) {
                found.push((name(from) + &name(to), self.moved(from, to, piece)));
            }
        }
        found.extend(self.castlings());
        found
    }

    fn pawn_moves(&self, (column, row): Place) -> Vec<(String, Reference)> {
        let piece = self.pieces[&(column, row)];
        let (up, start, far) = if self.white { (1, 2, 10) } else { (-1, 9, 1) };
        let mut found = Vec::new();
        let mut add = |to: Place, next: &dyn Fn(char) -> Reference| {
            let text = name((column, row)) + &name(to);
            if to.1 == far && !CORNERS.contains(&to) {
                for kind in "qrbncw".chars() {
                    let becomes = if self.white { kind.to_ascii_uppercase() } else { kind };
                    found.push((format!("{text}{kind}"), next(becomes)));
                }
            } else {
                found.push((text, next(piece)));
            }
        };
        for distance in 1..=if row == start { 3 } else { 1 } {
            let to = (column, row + distance * up);
            if !on_board(to) || self.pieces.contains_key(&to) {
                break;
            }
            add(to, &|becomes| {
                let mut next = self.moved((column, row), to, becomes);
                next.passed = (1..distance).map(|i| (column, row + i * up)).collect();
                next.stepped = Some(to);
                next
            });
        }
        for to in [(column - 1, row + up), (column + 1, row + up)] {
            if self.enemy(to) {
                add(to, &|becomes| self.moved((column, row), to, becomes));
            } else if self.passed.contains(&to) {
                add(to, &|becomes| {
                    let mut next = self.moved((column, row), to, becomes);
                    next.pieces.remove(&self.stepped.unwrap());
                    next
                });
            }
        }
        found
    }

    fn castlings(&self) -> Vec<(String, Reference)> {
        let row = if self.white { 1 } else { 10 };
        let at = |file: char| (file as i32 - 'a' as i32 + 1, row);
        let mut found = Vec::new();
        for (right, empty, safe, [rook, king_to, rook_to]) in
            [('K', "gh", "fgh", ['i', 'h', 'g']), ('Q', "cde", "fed", ['b', 'd', 'e'])]
        {
            let right = if self.white { right } else { right.to_ascii_lowercase() };
            if self.castling.contains(&right)
                && empty.chars().all(|file| !self.pieces.contains_key(&at(file)))
                && safe.chars().all(|file| !self.attacked(at(file), !self.white))
            {
                let mut next = self.moved(at('f'), at(king_to), self.pieces[&at('f')]);
                let piece = next.pieces.remove(&at(rook)).unwrap();
                next.pieces.insert(at(rook_to), piece);
                found.push((name(at('f')) + &name(at(king_to)), next));
            }
        }
        found
    }

    fn moved(&self, from: Place, to: Place, becomes: char) -> Reference {
        let mut next = self.clone();
        let piece = next.pieces.remove(&from).unwrap();
        let captured = next.pieces.insert(to, becomes);
        for (right, king, rook) in
            [('K', (6, 1), (9, 1)), ('Q', (6, 1), (2, 1)), ('k', (6, 10), (9, 10)), ('q', (6, 10), (2, 10))]
        {
            if [from, to].iter().any(|touched| [king, rook].contains(touched)) {
                next.castling.remove(&right);
            }
        }
        let progress = captured.is_some() || piece.eq_ignore_ascii_case(&'P');
        next.passed.clear();
        next.stepped = None;
        next.clock = if progress { 0 } else { (self.clock + 1).min(GREATEST) };
        next.fullmove = (self.fullmove + u32::from(!self.white)).min(GREATEST);
        next.white = !self.white;
        next
    }

    fn successors(&self) -> BTreeMap<String, Reference> {
        let mut found = BTreeMap::new();
        for (action, mut next) in self.moves().into_iter().filter(|(_, next)| !next.in_check(self.white)) {
            // A square passed over is written only where a capture is legal.
            let answers = next.moves();
            let captures: BTreeSet<Place> = (answers.iter())
                .filter(|(_, after)| !after.in_check(next.white))
                .filter(|(text, _)| next.pieces[&place(text)].eq_ignore_ascii_case(&'P') && text[..1] != text[2..3])
                .map(|(text, _)| place(&text[2..]))
                .collect();
            next.passed.retain(|at| captures.contains(at));
            assert!(found.insert(action, next).is_none(), "one string, one action");
        }
        found
    }
}

/// The string of an action, or of the squares of a field, with each square elsewhere.
pub(super) fn map_squares(text: &str, map: fn(Place) -> Place) -> String {
    let pairs = text.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).unwrap());
    pairs.map(|pair| if pair.len() == 2 { name(map(place(pair))) } else { pair.to_owned() }).collect()
}

fn map_position(text: &str, placement: impl Fn(&str) -> String, state: impl Fn(&[&str]) -> String) -> String {
    let (board, rest) = text.split_once(' ').unwrap();
    let fields: Vec<&str> = rest.split(' ').collect();
    format!("{} {}", placement(board), state(&fields))
}

fn swap_colours(text: &str) -> String {
    map_position(
        text,
        |board| {
            let lines: Vec<String> = board.split('/').rev().map(|line| line.chars().map(swap_case).collect()).collect();
            lines.join("/")
        },
        |fields| {
            let side = if fields[0] == "w" { "b" } else { "w" };
            let swapped: String = fields[1].chars().map(swap_case).collect();
            let castling: String = "KQkq-".chars().filter(|&right| swapped.contains(right)).collect();
            let passed = match fields[2] {
                "-" => "-".to_owned(),
                squares => map_squares(squares, |(c, r)| (c, 11 - r)),
            };
            format!("{side} {castling} {passed} {} {}", fields[3], fields[4])
        },
    )
}

fn mirror_position(text: &str) -> String {
    map_position(
        text,
        |board| {
            let line = |line: &str| -> String {
                let turned: String = line.replace("10", "t").chars().rev().collect();
                turned.replace('t', "10")
            };
            board.split('/').map(line).collect::<Vec<_>>().join("/")
        },
        |fields| {
            let passed = match fields[2] {
                "-" => "-".to_owned(),
                squares => map_squares(squares, |(c, r)| (11 - c, r)),
            };
            format!("{} {} {passed} {} {}", fields[0], fields[1], fields[3], fields[4])
        },
    )
}

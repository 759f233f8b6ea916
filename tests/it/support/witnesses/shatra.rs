//! Altai Shatra played slowly from the text of its rules: pieces on places of the 7x14 grid, every way walked step by
//! step, every jump made on a copy.

use std::collections::{BTreeMap, BTreeSet};

use super::{GREATEST, swap_case};
use crate::support::suite::witness::{Symmetry, Witness};

pub const WITNESS: Witness = Witness {
    successors: |options, text| {
        let refusal_by_king = options["king_refusal"].as_str() == Some("king");
        Reference::read(text).successors(refusal_by_king).into_iter().map(|(a, next)| (a, next.write())).collect()
    },
    mirror: Symmetry {
        position: |text| turn_position(text, mirror, Colours::Kept),
        action: |text| map_squares(text, mirror),
    },
    swap: Symmetry {
        position: |text| turn_position(text, flip, Colours::Swapped),
        action: |text| map_squares(text, flip),
    },
    colours: &["black"],
    options: &["king_refusal = 'any'", "repetition = 2\nno_progress_plies = 20\nmax_plies = 60"],
    seeds: &[
        // A slide must land where the capture goes on; the king and a pawn in the enemy's home may stop.
        "**1k1**/**3**/**Pp1**/***1***/7/2p4/7/p6/7/R3p2/***K***/**3**/**3**/**3**[] w - - - 0 1",
        "**3**/**1k1**/**3**/***1***/7/1p3p1/4b2/3p3/2B4/3Q3/***K***/**3**/**3**/**3**[] w - - - 0 1",
        "**3**/**3**/**3**/***1***/4kB1/7/1r1P3/7/1P3P1/7/***1***/**3**/**1K1**/**3**[] b - - - 0 1",
        // Kings that can capture and need not.
        "**3**/**1k1**/**3**/***1***/6p/7/b6/4p2/P2K3/6R/***1***/**3**/**3**/**3**[] w - - - 0 1",
        "**3**/**3**/**3**/***1***/6r/7/3k3/2pP3/2K4/R5b/***1***/**3**/**3**/**3**[] b - - - 0 1",
        "**3**/**3**/**b2**/***k***/3P3/7/7/7/7/3p3/***K***/**2B**/**3**/**3**[] b d4e3d11c12 - - 0 1",
        // Pieces of the initial reserve capture out of their home and into it.
        "**3**/**3**/**br1**/***k***/3P3/2P4/7/7/4p2/1p1p3/***K***/**BR1**/**3**/**1Q1**[] w d1c3d3d4d11c12d12 - - 0 1",
        "**1q1**/**3**/**3**/***k***/7/7/P6/7/2P4/3p3/***K***/**1bB**/**3**/**2P**[] w e1d4d11d14 - - 0 1",
        // A home whose initial reserve is used up, and pieces that are placed from there.
        "**3**/**3**/**b2**/***k***/7/7/7/7/7/K3p2/***B***/**3**/**1R1**/**P2**[] w c12d11 - - 0 1",
        "**3**/**2R**/**Q2**/***P***/6p/k6/7/7/7/7/***K***/**3**/**1b1**/**r2**[] w - - - 0 1",
        "**3**/**2R**/**Q2**/***P***/6p/k6/7/7/7/7/***K***/**3**/**1b1**/**r2**[] b - - - 0 1",
        // En passant over either side's double step, with a capture that goes on.
        "**1k1**/**3**/**3**/***1***/7/7/7/3pP2/7/7/***1***/**3**/**3**/**1K1**[] b - e6 - 0 1",
        "**1k1**/**3**/**3**/***1***/1p5/2P4/3pP2/7/7/R6/***1***/**3**/**3**/**1K1**[] w - d9 - 0 1",
        "**1k1**/**3**/**3**/***1***/7/7/7/3p1p1/1p5/2P1P2/***1***/**3**/**3**/**1K1**[] w - - - 0 1",
        // Pawns that become pieces of the stock, and go on as these.
        "**3**/**Pp1**/**1PP**/***1***/k6/2b4/1p5/7/7/7/***K***/**3**/**3**/**3**[QRBqb] w - - - 0 1",
        "**3**/**pp1**/**P1p**/***1***/k6/7/r6/7/7/7/***K***/**3**/**3**/**3**[QB] w - - - 0 1",
        "**3**/**3**/**3**/***1***/k5K/7/7/7/7/B6/***1***/**p2**/**1pP**/**1P1**[Qrr] b - - - 0 1",
        // Pawns that wait, and sideways jumps on the last rank.
        "**P1P**/**3**/**3**/***1***/k6/7/6p/3r3/7/1B1R3/***K***/**3**/**3**/**3**[] b - - - 0 1",
        "**Pp1**/**3**/**3**/***1***/k6/1R5/7/7/7/7/***K***/**3**/**3**/**pPp**[] w - - - 0 1",
        "**PPP**/**3**/**3**/***1***/r5k/q6/7/7/R1B4/Q5K/***1***/**3**/**3**/**3**[] b - - - 0 1",
        // A king that hangs, one that is gone, and captures under way.
        "**3**/**3**/**3**/***1***/6p/7/7/7/3k3/P2K3/***1***/**3**/**3**/**3**[] w - - - 0 1",
        "**3**/**3**/**3**/***1***/6p/7/7/7/2r4/P2K3/***1***/**3**/**3**/**3**[] w - - - 0 1",
        "**3**/**3**/**1k1**/***1***/7/1b5/2R1p1p/7/2p3p/7/***K***/**3**/**3**/**3**[] w - - c8:c6 0 1",
        "**3**/**3**/**3**/***1***/r6/7/2P3P/4P2/4Pk1/4P2/***K***/**3**/**3**/**3**[] b - - f6:e7e5 0 1",
        "**k2**/**1Pp**/**ppp**/***1***/7/7/7/7/7/B6/***K***/**3**/**3**/**3**[] w - - d13:e13c12 0 1",
        // Counters at their limits.
        "**3**/**3**/**3**/***k***/r6/3p3/7/7/3P3/R6/***K***/**3**/**3**/**3**[] b - - - 9999999 9999999",
    ],
};

/// File and rank, both from 1.
type Place = (i32, i32);

#[derive(Clone)]
struct Reference {
    pieces: BTreeMap<Place, char>,
    stock: BTreeMap<char, usize>,
    white: bool,
    reserve: BTreeSet<(i32, i32)>,
    passed: Option<Place>,
    /// The piece that jumps and the pieces it has jumped.
    series: Option<(Place, Vec<Place>)>,
    clock: u32,
    fullmove: u32,
}

fn on_board((file, rank): Place) -> bool {
    match rank {
        1..=3 | 12..=14 => (3..=5).contains(&file),
        4 | 11 => file == 4,
        5..=10 => (1..=7).contains(&file),
        _ => false,
    }
}

fn name((file, rank): Place) -> String {
    format!("{}{rank}", (b'a' + file as u8 - 1) as char)
}

/// The squares that stand one after the other in a text.
fn places(text: &str) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    for c in text.chars().filter(|c| c.is_ascii_alphanumeric()) {
        match c.to_digit(10) {
            Some(digit) => {
                let (_, rank) = found.last_mut().unwrap();
                *rank = 10 * *rank + digit as i32;
            }
            None => found.push((c as i32 - 'a' as i32 + 1, 0)),
        }
    }
    found
}

fn home(white: bool, (_, rank): Place) -> bool {
    if white { rank <= 4 } else { rank >= 11 }
}

/// A side's half of the field.
fn half(white: bool, (_, rank): Place) -> bool {
    if white { (5..=7).contains(&rank) } else { (8..=10).contains(&rank) }
}

fn last_rank(white: bool) -> i32 {
    if white { 14 } else { 1 }
}

const STRAIGHT: [Place; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Place; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

impl Reference {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let (placement, stock) = fields[0].trim_end_matches(']').split_once('[').unwrap();
        let mut pieces = BTreeMap::new();
        for (line, rank) in placement.split('/').zip((1..=14).rev()) {
            let mut file = 1;
            for mark in line.chars() {
                match mark.to_digit(10) {
                    Some(run) => file += run as i32,
                    None => {
                        if mark != '*' {
                            pieces.insert((file, rank), mark);
                        }
                        file += 1;
                    }
                }
            }
        }
        let mut counts = BTreeMap::new();
        stock.chars().for_each(|piece| *counts.entry(piece).or_insert(0) += 1);
        Reference {
            pieces,
            stock: counts,
            white: fields[1] == "w",
            reserve: places(fields[2]).into_iter().collect(),
            passed: places(fields[3]).first().copied(),
            series: fields[4].split_once(':').map(|(at, jumped)| (places(at)[0], places(jumped))),
            clock: fields[5].parse().unwrap(),
            fullmove: fields[6].parse().unwrap(),
        }
    }

    fn write(&self) -> String {
        let line = |rank| {
            let mark = |file| match self.pieces.get(&(file, rank)) {
                Some(&piece) => piece,
                None if on_board((file, rank)) => '.',
                None => '*',
            };
            let marks: String = (1..=7).map(mark).collect();
            (1..=7).rev().fold(marks, |marks, run| marks.replace(&".".repeat(run), &run.to_string()))
        };
        let lines: Vec<String> = (1..=14).rev().map(line).collect();
        let stock: String = "QRBqrb".chars().map(|piece| piece.to_string().repeat(self.stocked(piece))).collect();
        let mut reserve: Vec<Place> = self.reserve.iter().copied().collect();
        reserve.sort_by_key(|&(file, rank)| (rank, file));
        let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let join = |places: &[Place]| places.iter().map(|&at| name(at)).collect::<String>();
        format!(
            "{}[{stock}] {} {} {} {} {} {}",
            lines.join("/"),
            if self.white { "w" } else { "b" },
            or_dash(join(&reserve)),
            self.passed.map_or("-".to_owned(), name),
            self.series.as_ref().map_or("-".to_owned(), |(at, jumped)| name(*at) + ":" + &join(jumped)),
            self.clock,
            self.fullmove
        )
    }

    fn stocked(&self, piece: char) -> usize {
        self.stock.get(&piece).copied().unwrap_or(0)
    }

    fn own(&self, kind: char) -> char {
        if self.white { kind } else { kind.to_ascii_lowercase() }
    }

    fn is_own(&self, at: Place) -> bool {
        self.pieces.get(&at).is_some_and(|piece| piece.is_uppercase() == self.white)
    }

    fn empty(&self, at: Place) -> bool {
        on_board(at) && !self.pieces.contains_key(&at)
    }

    fn own_pieces(&self) -> Vec<Place> {
        self.pieces.keys().copied().filter(|&at| self.is_own(at)).collect()
    }

    fn kind(&self, at: Place) -> char {
        self.pieces[&at].to_ascii_uppercase()
    }

    /// Ranks towards the enemy.
    fn up(&self) -> i32 {
        if self.white { 1 } else { -1 }
    }

    /// Whether the side to move has pieces of its initial reserve.
    fn has_reserve(&self) -> bool {
        self.reserve.iter().any(|&at| self.is_own(at))
    }

    /// §3: whether the piece on `from` may end a jump on `to`.
    fn may_land(&self, from: Place, to: Place) -> bool {
        !home(self.white, to) || !self.has_reserve() || self.reserve.contains(&from) || self.kind(from) == 'K'
    }

    fn ways(&self, at: Place) -> Vec<Place> {
        match self.kind(at) {
            'B' => DIAGONAL.to_vec(),
            'R' => STRAIGHT.to_vec(),
            'P' if at.1 == last_rank(self.white) => vec![(1, 0), (-1, 0)],
            _ => [STRAIGHT, DIAGONAL].concat(),
        }
    }

    /// Jumps of one piece: the piece jumped, where it stands, and the landing.
    fn jumps(&self, from: Place) -> Vec<(Place, Place)> {
        let jumped = self.series.as_ref().map_or(&[][..], |(_, jumped)| jumped);
        let far = "QRB".contains(self.kind(from));
        let mut found = Vec::new();
        for (east, north) in self.ways(from) {
            let next = |(file, rank): Place| (file + east, rank + north);
            let mut over = next(from);
            while far && self.empty(over) {
                over = next(over);
            }
            let mut landing = next(over);
            let passed = self.kind(from) == 'P' && self.passed == Some(over);
            let victim = if passed { (over.0, over.1 - self.up()) } else { over };
            let enemy = self.pieces.contains_key(&victim) && !self.is_own(victim) && on_board(over);
            while enemy && !jumped.contains(&victim) && self.empty(landing) {
                if self.may_land(from, landing) {
                    found.push((victim, landing));
                }
                if !far {
                    break;
                }
                landing = next(landing);
            }
        }
        found
    }

    /// The position after a jump, its piece become another or not, the series not yet ended.
    fn jumped(&self, from: Place, victim: Place, to: Place, becomes: Option<char>) -> Reference {
        let mut next = self.clone();
        let piece = next.pieces.remove(&from).unwrap();
        next.pieces.insert(to, becomes.map_or(piece, |kind| self.own(kind)));
        if next.reserve.remove(&from) && home(self.white, to) {
            next.reserve.insert(to);
        }
        if let Some(kind) = becomes {
            *next.stock.get_mut(&self.own(kind)).unwrap() -= 1;
        }
        let mut jumped = self.series.as_ref().map_or(Vec::new(), |(_, jumped)| jumped.clone());
        jumped.push(victim);
        next.series = Some((to, jumped));
        next.passed = None;
        next.clock = 0;
        next
    }

    /// What a piece becomes that goes from one square to another.
    fn becomes(&self, from: Place, to: Place) -> Vec<Option<char>> {
        if self.kind(from) != 'P' || to.1 != last_rank(self.white) {
            return vec![None];
        }
        let found: Vec<Option<char>> = "QRB".chars().filter(|&k| self.stocked(self.own(k)) > 0).map(Some).collect();
        if found.is_empty() { vec![None] } else { found }
    }

    /// Captures of one piece with what they lead to.
    fn captures(&self, from: Place) -> Vec<(String, Reference)> {
        let jumps = self.jumps(from);
        let goes_on = |&(victim, to): &(Place, Place)| {
            let next = self.jumped(from, victim, to, None);
            !next.jumps(to).is_empty()
        };
        let mut found = Vec::new();
        for &(victim, to) in &jumps {
            let takes_king = self.kind(victim) == 'K';
            let others = jumps.iter().filter(|(other, _)| *other == victim);
            // Of the landings beyond one piece those from which the series goes on, if there are any.
            let barred = "QRB".contains(self.kind(from))
                && !takes_king
                && !goes_on(&(victim, to))
                && others.into_iter().any(&goes_on);
            if barred {
                continue;
            }
            for becomes in self.becomes(from, to) {
                let mut next = self.jumped(from, victim, to, becomes);
                if takes_king || next.jumps(to).is_empty() {
                    next.end_series();
                }
                let letter = becomes.map_or(String::new(), |kind| kind.to_lowercase().to_string());
                found.push((name(from) + &name(to) + &letter, next));
            }
        }
        found
    }

    fn end_series(&mut self) {
        let (_, jumped) = self.series.take().unwrap();
        for at in jumped {
            let piece = self.pieces.remove(&at).unwrap();
            self.reserve.remove(&at);
            if "QRB".contains(piece.to_ascii_uppercase()) {
                *self.stock.entry(piece).or_insert(0) += 1;
            }
        }
        self.end_turn();
        // Those that lost pieces are now to move.
        for file in 3..=5 {
            let at = (file, last_rank(self.white));
            if self.pieces.get(&at) == Some(&self.own('P'))
                && let Some(kind) = "QRB".chars().find(|&kind| self.stocked(self.own(kind)) > 0)
            {
                self.pieces.insert(at, self.own(kind));
                *self.stock.get_mut(&self.own(kind)).unwrap() -= 1;
            }
        }
    }

    fn end_turn(&mut self) {
        self.fullmove = (self.fullmove + u32::from(!self.white)).min(GREATEST);
        self.white = !self.white;
    }

    /// Where one piece may step or slide.
    fn quiet(&self, from: Place) -> Vec<Place> {
        if self.reserve.contains(&from) {
            return Vec::new();
        }
        let (file, rank) = from;
        let up = self.up();
        // Ranks counted from the own side.
        let height = if self.white { rank } else { 15 - rank };
        let mut targets = Vec::new();
        match self.kind(from) {
            'P' => {
                let ahead = (file, rank + up);
                let diagonals = [(file - 1, rank + up), (file + 1, rank + up)];
                let sides = [(file - 1, rank), (file + 1, rank)];
                if height < 14 {
                    targets.push(ahead);
                }
                if height == 5 && self.empty(ahead) {
                    targets.push((file, rank + 2 * up));
                }
                if (7..14).contains(&height) {
                    targets.extend(diagonals);
                }
                if height > 7 {
                    targets.extend(sides);
                }
            }
            kind => {
                for (east, north) in self.ways(from) {
                    for distance in 1..=if kind == 'K' { 1 } else { 14 } {
                        let to = (file + distance * east, rank + distance * north);
                        if !self.empty(to) {
                            break;
                        }
                        targets.push(to);
                    }
                }
            }
        }
        targets.retain(|&to| self.empty(to) && !(self.has_reserve() && home(self.white, to)));
        targets
    }

    /// Quiet moves and placings of one piece with what they lead to.
    fn refusals(&self, from: Place) -> Vec<(String, Reference)> {
        let mut found = Vec::new();
        let pawn = self.kind(from) == 'P';
        for to in self.quiet(from) {
            for becomes in self.becomes(from, to) {
                let nearer = (to.1 - from.1) * self.up() > 0;
                let mut next = self.jumped(from, from, to, becomes);
                next.series = None;
                next.clock = if pawn && nearer { 0 } else { (self.clock + 1).min(GREATEST) };
                next.end_turn();
                if pawn && (to.1 - from.1).abs() == 2 {
                    next.passed = Some((from.0, (from.1 + to.1) / 2));
                    let legal = next.own_pieces().into_iter().any(|at| {
                        next.jumps(at).iter().any(|(victim, landing)| {
                            // En passant alone captures a piece that is not between.
                            *victim == to && next.kind(at) == 'P' && !between(at, *landing, to)
                        })
                    });
                    next.passed = next.passed.filter(|_| legal);
                }
                let letter = becomes.map_or(String::new(), |kind| kind.to_lowercase().to_string());
                found.push((name(from) + &name(to) + &letter, next));
            }
        }
        let onto = |at: &Place| {
            home(self.white, from) && half(self.white, *at)
                || home(!self.white, from) && !pawn && half(!self.white, *at)
        };
        let squares = (1..=7).flat_map(|file| (5..=10).map(move |rank| (file, rank)));
        for to in squares.filter(|&at| self.empty(at)).filter(onto) {
            let initial = self.reserve.contains(&from);
            let mut next = self.jumped(from, from, to, None);
            next.series = None;
            next.clock = if initial { 0 } else { (self.clock + 1).min(GREATEST) };
            next.end_turn();
            found.push((format!("{}@{}", name(from), name(to)), next));
        }
        found
    }

    fn successors(&self, refusal_by_king: bool) -> BTreeMap<String, Reference> {
        let mut found: Vec<(String, Reference)> = Vec::new();
        let kings = ['K', 'k'].map(|king| self.pieces.values().any(|&piece| piece == king));
        if kings != [true, true] {
            return BTreeMap::new();
        }
        if let Some((at, _)) = self.series {
            found = self.captures(at);
            let free = self.kind(at) == 'K' || self.kind(at) == 'P' && home(!self.white, at);
            if !found.is_empty() && free {
                let mut next = self.clone();
                next.clock = (self.clock + 1).min(GREATEST);
                next.end_series();
                found.push(("0000".to_owned(), next));
            }
        } else {
            let mut bound = false;
            let mut king = false;
            for from in self.own_pieces() {
                let captures = self.captures(from);
                let exempt = self.kind(from) == 'K' || self.kind(from) == 'P' && home(!self.white, from);
                bound |= !captures.is_empty() && !exempt;
                king |= !captures.is_empty() && self.kind(from) == 'K';
                found.extend(captures);
            }
            if !bound {
                let movers = self.own_pieces().into_iter();
                let movers = movers.filter(|&at| !(king && refusal_by_king) || self.kind(at) == 'K');
                found.extend(movers.flat_map(|at| self.refusals(at)));
            }
        }
        let count = found.len();
        let all: BTreeMap<String, Reference> = found.into_iter().collect();
        assert_eq!(all.len(), count, "one string, one action");
        all
    }
}

/// Whether a square lies right in the middle of two others.
fn between(a: Place, b: Place, middle: Place) -> bool {
    (a.0 + b.0, a.1 + b.1) == (2 * middle.0, 2 * middle.1)
}

fn mirror((file, rank): Place) -> Place {
    (8 - file, rank)
}

fn flip((file, rank): Place) -> Place {
    (file, 15 - rank)
}

#[derive(PartialEq)]
enum Colours {
    Kept,
    Swapped,
}

/// Every square of an action elsewhere; `@`, what a pawn becomes and the stop stay.
fn map_squares(text: &str, map: fn(Place) -> Place) -> String {
    if text == "0000" {
        return text.to_owned();
    }
    let promotion = text.chars().last().filter(char::is_ascii_lowercase);
    let squares = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let placing = if text.contains('@') { "@" } else { "" };
    let names: Vec<String> = places(squares).into_iter().map(|at| name(map(at))).collect();
    names.join(placing) + &promotion.map_or(String::new(), String::from)
}

fn turn_position(text: &str, map: fn(Place) -> Place, colours: Colours) -> String {
    let mut position = Reference::read(text);
    let swapped = colours == Colours::Swapped;
    let piece = |piece: char| if swapped { swap_case(piece) } else { piece };
    position.pieces = position.pieces.into_iter().map(|(at, kind)| (map(at), piece(kind))).collect();
    position.stock = position.stock.into_iter().map(|(kind, count)| (piece(kind), count)).collect();
    position.white ^= swapped;
    position.reserve = position.reserve.into_iter().map(map).collect();
    position.passed = position.passed.map(map);
    position.series = position.series.map(|(at, jumped)| (map(at), jumped.into_iter().map(map).collect()));
    position.write()
}

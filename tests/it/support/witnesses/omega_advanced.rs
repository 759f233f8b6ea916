//! Omega Chess Advanced played slowly from the text of its rules: every action made, the enemy's fools turned into what
//! it was, and then asked whether the king stands attacked. The board and its squares are those of `omega.rs`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    GREATEST,
    omega::{CORNERS, DIAGONAL, Place, STRAIGHT, leaps, map_squares, name, on_board, place},
    swap_case,
};
use crate::support::suite::witness::{Symmetry, Witness};

pub const WITNESS: Witness = Witness {
    successors: |options, text| {
        let all = Reference::read(options, text).successors();
        all.into_iter().map(|(action, next)| (action, next.write())).collect()
    },
    mirror: Symmetry { position: mirror_position, action: |text| map_squares(text, |(c, r)| (11 - c, r)) },
    swap: Symmetry { position: swap_colours, action: |text| map_squares(text, |(c, r)| (c, 11 - r)) },
    colours: &["black"],
    options: &[
        "fool_immobilises = true",
        "templar = true\nfool_immobilises = true\nrepetition = 2\nno_progress_plies = 30\nmax_plies = 120",
    ],
    seeds: &[
        // Castling and guarding both ways, with and without a fool, in check and out of it.
        "w**********w/*1r2qk2r1*/*pppppppppp*/*10*/*10*/*10*/*10*/*10*/*10*/*PPPPPPPPPP*/*1R2QK2R1*/W**********W[Ff] w b0e0f0i0b9e9f9i9w1w2w3w4 - -- 0 5",
        "1**********1/*1r2q3r1*/*5k4*/*10*/*10*/*2f7*/*10*/*10*/*10*/*5K4*/*1R2Q3R1*/1**********1[Ff] w b0e0i0b9e9i9 - NN 3 19",
        "1**********1/*1r2q3r1*/*5k4*/*10*/*10*/*10*/*10*/*10*/*3f6*/*4K5*/*1R2Q3R1*/1**********1[F] w b0e0i0 - PB 3 12",
        "1**********1/*1r3k2r1*/*10*/*4f5*/*10*/*6R3*/*10*/*10*/*3q1F4*/*10*/*rR3K2Rr*/1**********1[Ff] w b0f0i0b9f9i9 - KW 0 20",
        "1**********1/*1r3k2r1*/*5F4*/*10*/*10*/*10*/*10*/*3fF1f3*/*10*/*10*/*rR3K2Rr*/1**********1[F] w b0f0i0b9f9i9 - WB 0 20",
        // Fools of every kind near kings: the kind of the piece that moves decides what they are.
        "1**********1/*10*/*2k1q5*/*10*/*2n1F1f3*/*4P5*/*3f1C4*/*6N3*/*2R1K5*/*1B1W2F3*/*10*/1**********1[] w - - QR 4 33",
        "f**********F/*10*/*2k1r5*/*10*/*2c1F1f3*/*4p5*/*3f1B4*/*6W3*/*2Q1K5*/*1N1C2F3*/*10*/F**********f[] w - - BN 4 33",
        "F**********f/*4k5*/*10*/*2F7*/*3q6*/*10*/*3f6*/*5N4*/*10*/*2f7*/*4K5*/f**********F[] b - - -- 4 33",
        "F**********1/*4k5*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/*4K5*/1**********f[] w - - -- 4 33",
        "F**********f/*f3k4F*/*F8f*/*10*/*10*/*10*/*10*/*10*/*10*/*f8F*/*F3K4f*/f**********F[] w - - PP 4 33",
        "1**********1/*4k5*/*10*/*3p1p4*/*4F5*/*10*/*10*/*4f5*/*3P1P4*/*10*/*4K5*/1**********1[] w - - PP 4 33",
        // Promotions that turn the enemy's fool into a piece that gives check, or into one that does not.
        "w**********1/*1n1n1k4*/*P1P5PP*/*10*/*10*/*2f5F1*/*10*/*10*/*10*/*p2p4p1*/*2N1N3K1*/1**********W[] w - - RB 0 40",
        "1**********1/*10*/*P6k2*/*10*/*10*/*10*/*3K2f3*/*10*/*2F7*/*7p2*/*10*/1**********1[] w - - NB 0 40",
        // En passant past fools, by pinned pawns, by pawns beside fools.
        "1**********1/*5k4*/*10*/*10*/*10*/*10*/*3pPp4*/*2F2f4*/*10*/*10*/*5K4*/1**********1[] b - e3 PP 0 9",
        "1**********1/*5k4*/*10*/*10*/*10*/*10*/*2Fp1p4*/*10*/*10*/*4P5*/*5K4*/1**********1[] w - - NB 0 9",
        "1**********1/*10*/*4p1p3*/*5P4*/*5P4*/*3P1P1K2*/*10*/*f9*/*10*/*10*/*k4r4*/1**********1[] b - - RB 0 9",
        // Entering at the last moment, and too late.
        "w**********w/*crnbqkbnrc*/*pppppppppp*/*10*/*10*/*10*/*10*/*10*/*10*/*PPPPPPPPPP*/*CRNBQKBNRC*/W**********W[Ff] w a0b0c0d0e0f0g0h0i0j0a9b9c9d9e9f9g9h9i9j9w1w2w3w4 - NC 0 20",
        "1**********w/*5k4*/*10*/*10*/*10*/*3B6*/*10*/*10*/*10*/*10*/*2N2K4*/W**********1[Ff] b c0w1w3 - NW 0 20",
        // A fool that closes a line behind a piece, and behind the king.
        "1**********1/*2r2k2c1*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/*4b5*/*2N2K2r1*/W**********1[Ff] w c0f0f9w1 - BN 2 6",
        // Kings on corners, mates are near.
        "1**********1/*9k*/*6Q3*/*7K2*/*10*/*10*/*10*/*3F6*/*10*/*10*/*10*/1**********1[] w - - QK 0 60",
        "k**********1/*10*/*10*/*2Q7*/*10*/*3f6*/*10*/*10*/*10*/*10*/*5K4*/1**********1[] b - - QK 0 50",
        // Counters at their limits.
        "1**********1/*5k4*/*p9*/*10*/*3F6*/*10*/*10*/*10*/*10*/*9P*/*5K4*/W**********1[] b - - BN 9999999 9999999",
    ],
};

#[derive(Clone)]
struct Reference {
    fool_immobilises: bool,
    templar: bool,
    pieces: BTreeMap<Place, char>,
    white: bool,
    /// `F` and `f` for a fool in hand.
    hand: BTreeSet<char>,
    unmoved: BTreeSet<Place>,
    /// Squares passed over by the last move's pawn, and that pawn's.
    passed: Vec<Place>,
    stepped: Option<Place>,
    /// The kind that White's last action was, and that Black's was.
    last: [Option<char>; 2],
    clock: u32,
    fullmove: u32,
}

/// A move under way: the position after it, where the kind of the mover's action is not yet set.
struct Move {
    text: String,
    next: Reference,
    /// The kind used.
    kind: Option<char>,
}

/// The squares of pieces that can be unmoved, in the order of the position string.
fn homes() -> Vec<Place> {
    let ranks = [1, 10].into_iter().flat_map(|row| (1..=10).map(move |column| (column, row)));
    ranks.chain(CORNERS).collect()
}

fn white_home(at: Place) -> bool {
    at.1 < 6
}

impl Reference {
    fn read(options: &toml::Table, text: &str) -> Self {
        let on = |option: &str| options.get(option).and_then(|value| value.as_bool()).unwrap_or_default();
        let fields: Vec<&str> = text.split(' ').collect();
        let (board, hand) = fields[0].trim_end_matches(']').split_once('[').unwrap();
        let mut pieces = BTreeMap::new();
        for (line, row) in board.split('/').zip((0..12).rev()) {
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
        let squares = |field: &str| -> Vec<Place> {
            let pairs = field.trim_matches('-').as_bytes().chunks(2);
            pairs.map(|pair| place(str::from_utf8(pair).unwrap())).collect()
        };
        let passed = squares(fields[3]);
        let up = if white { -1 } else { 1 };
        let stepped = passed.first().map(|&(column, row)| {
            (1..4).map(|i| (column, row + i * up)).find(|at| pieces.contains_key(at)).expect("a pawn beyond")
        });
        let last = [0, 1].map(|i| fields[4].chars().nth(i).filter(|kind| *kind != '-'));
        Reference {
            fool_immobilises: on("fool_immobilises"),
            templar: on("templar"),
            pieces,
            white,
            hand: hand.chars().collect(),
            unmoved: squares(fields[2]).into_iter().collect(),
            passed,
            stepped,
            last,
            clock: fields[5].parse().unwrap(),
            fullmove: fields[6].parse().unwrap(),
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
            "{}[{}] {} {} {} {} {} {}",
            lines.join("/"),
            "Ff".chars().filter(|&fool| self.may_enter(fool.is_uppercase())).collect::<String>(),
            if self.white { "w" } else { "b" },
            or_dash(homes().into_iter().filter(|at| self.unmoved.contains(at)).map(name).collect()),
            or_dash(self.passed.iter().map(|&at| name(at)).collect()),
            self.last.map(|kind| kind.unwrap_or('-')).iter().collect::<String>(),
            self.clock,
            self.fullmove
        )
    }

    /// Whether a side's fool in hand can still come on.
    fn may_enter(&self, white: bool) -> bool {
        self.hand.contains(if white { &'F' } else { &'f' })
            && self.fullmove <= 20
            && self.unmoved.iter().any(|&at| white_home(at) == white)
    }

    fn own(&self, at: Place) -> bool {
        self.pieces.get(&at).is_some_and(|piece| piece.is_uppercase() == self.white)
    }

    fn enemy(&self, at: Place) -> bool {
        self.pieces.get(&at).is_some_and(|piece| piece.is_uppercase() != self.white)
    }

    /// What a piece is now, a fool after the other side's last action.
    fn kind(&self, piece: char) -> Option<char> {
        match piece {
            'F' => self.last[1],
            'f' => self.last[0],
            _ => Some(piece.to_ascii_uppercase()),
        }
    }

    /// Squares that a piece which is now of kind `kind` sees and could capture on.
    fn seen(&self, (column, row): Place, kind: char, white: bool) -> Vec<Place> {
        let up = if white { 1 } else { -1 };
        let (ways, reach) = match kind {
            'P' => (vec![(-1, up), (1, up)], 1),
            'K' => ([STRAIGHT, DIAGONAL].concat(), 1),
            'Q' => ([STRAIGHT, DIAGONAL].concat(), 12),
            'R' => (STRAIGHT.to_vec(), 12),
            'B' => (DIAGONAL.to_vec(), 12),
            'N' => (leaps(1, 2), 1),
            'C' => ([STRAIGHT.to_vec(), leaps(0, 2), leaps(2, 2)].concat(), 1),
            'W' => ([DIAGONAL.to_vec(), leaps(1, 3)].concat(), 1),
            _ => panic!("{kind}"),
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
        let pieces = self.pieces.iter().filter(|(_, piece)| piece.is_uppercase() == by_white);
        pieces
            .into_iter()
            .any(|(&from, &piece)| self.kind(piece).is_some_and(|kind| self.seen(from, kind, by_white).contains(&at)))
    }

    fn in_check(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let at = self.pieces.iter().find(|(_, piece)| **piece == king).unwrap().0;
        self.attacked(*at, !white)
    }

    fn may_move(&self, at: Place) -> bool {
        let beside = |white: bool| {
            let fool = if white { 'F' } else { 'f' };
            STRAIGHT.iter().any(|way| self.pieces.get(&(at.0 + way.0, at.1 + way.1)) == Some(&fool))
        };
        !self.fool_immobilises || !beside(!self.white) || beside(self.white)
    }

    /// Moves, the king's safety and the next side's en passant unasked.
    fn moves(&self) -> Vec<Move> {
        let mut found = Vec::new();
        for (&from, &piece) in self.pieces.iter().filter(|(_, piece)| piece.is_uppercase() == self.white) {
            if !self.may_move(from) {
                continue;
            }
            match piece {
                'P' | 'p' => found.extend(self.pawn_moves(from)),
                'F' | 'f' => found.extend(self.fool_moves(from, piece)),
                _ => {
                    let kind = piece.to_ascii_uppercase();
                    for to in self.targets(from, kind) {
                        let text = name(from) + &name(to);
                        found.extend(self.with_fool(&text, self.moved(from, to, piece), kind, from, None));
                    }
                }
            }
        }
        found.extend(self.castlings());
        found.extend(self.guardings());
        found
    }

    /// Squares that a piece other than a pawn may go to.
    fn targets(&self, from: Place, kind: char) -> Vec<Place> {
        let mut targets = self.seen(from, kind, self.white);
        targets.retain(|&to| !self.own(to));
        if kind == 'N' && self.templar {
            let jumps = leaps(2, 3).into_iter().map(|way| (from.0 + way.0, from.1 + way.1));
            targets.extend(jumps.filter(|to| on_board(*to) && !self.pieces.contains_key(to)));
        }
        targets
    }

    fn fool_moves(&self, from: Place, piece: char) -> Vec<Move> {
        let kind = self.kind(piece);
        let mut targets: BTreeSet<Place> = match kind {
            None => BTreeSet::new(),
            Some('P') => {
                let ahead = (from.0, from.1 + if self.white { 1 } else { -1 });
                let mut targets = self.seen(from, 'P', self.white);
                targets.retain(|&to| self.enemy(to));
                if on_board(ahead) && !self.pieces.contains_key(&ahead) {
                    targets.push(ahead);
                }
                targets.into_iter().collect()
            }
            Some(kind) => self.targets(from, kind).into_iter().collect(),
        };
        if CORNERS.contains(&from) {
            targets.extend(CORNERS.iter().filter(|corner| !self.pieces.contains_key(corner)));
        }
        let one = |to: Place| Move { text: name(from) + &name(to), next: self.moved(from, to, piece), kind };
        targets.into_iter().map(one).collect()
    }

    fn pawn_moves(&self, (column, row): Place) -> Vec<Move> {
        let piece = self.pieces[&(column, row)];
        let (up, start, far) = if self.white { (1, 2, 10) } else { (-1, 9, 1) };
        let mut found = Vec::new();
        let mut add = |to: Place, next: &dyn Fn(char) -> Reference| {
            let text = name((column, row)) + &name(to);
            if to.1 == far {
                for kind in "qrbncwf".chars() {
                    let becomes = if self.white { kind.to_ascii_uppercase() } else { kind };
                    let used = if kind == 'f' { 'P' } else { kind.to_ascii_uppercase() };
                    found.push(Move { text: format!("{text}{kind}"), next: next(becomes), kind: Some(used) });
                }
            } else {
                found.push(Move { text, next: next(piece), kind: Some('P') });
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

    /// The move, and the same with the fool entering on a square that it left: `piece` by the moving piece, `rook` by
    /// the other one.
    fn with_fool(&self, text: &str, next: Reference, kind: char, piece: Place, rook: Option<Place>) -> Vec<Move> {
        let mut found = vec![Move { text: text.to_owned(), next: next.clone(), kind: Some(kind) }];
        if self.unmoved.contains(&piece) && self.may_enter(self.white) {
            let fool = if self.white { 'F' } else { 'f' };
            for (at, letter) in [(Some(piece), 'f'), (rook, 'r')] {
                let Some(at) = at else { continue };
                let mut next = next.clone();
                assert!(next.pieces.insert(at, fool).is_none());
                next.hand.remove(&fool);
                next.clock = 0;
                found.push(Move { text: format!("{text}{letter}"), next, kind: Some(kind) });
            }
        }
        found
    }

    fn castlings(&self) -> Vec<Move> {
        let mut found = Vec::new();
        for (empty, safe, [rook, king_to, rook_to]) in [("gh", "fgh", ['i', 'h', 'g']), ("cde", "fed", ['b', 'd', 'e'])]
        {
            let [king, rook, king_to, rook_to] = ['f', rook, king_to, rook_to].map(|file| self.home(file));
            if [king, rook].iter().all(|at| self.unmoved.contains(at) && self.may_move(*at))
                && empty.chars().all(|file| !self.pieces.contains_key(&self.home(file)))
                && safe.chars().all(|file| !self.attacked(self.home(file), !self.white))
            {
                let next = self.moved_both((king, king_to), (rook, rook_to));
                found.extend(self.with_fool(&(name(king) + &name(king_to)), next, 'K', king, Some(rook)));
            }
        }
        found
    }

    fn guardings(&self) -> Vec<Move> {
        let mut found = Vec::new();
        for (empty, [rook, queen_to, rook_to]) in [("cd", ['b', 'c', 'd']), ("fgh", ['i', 'g', 'f'])] {
            let [queen, rook, queen_to, rook_to] = ['e', rook, queen_to, rook_to].map(|file| self.home(file));
            if [queen, rook].iter().all(|at| self.unmoved.contains(at) && self.may_move(*at))
                && empty.chars().all(|file| !self.pieces.contains_key(&self.home(file)))
            {
                let next = self.moved_both((queen, queen_to), (rook, rook_to));
                found.extend(self.with_fool(&(name(queen) + &name(rook)), next, 'Q', queen, Some(rook)));
            }
        }
        found
    }

    /// A square of the own first rank.
    fn home(&self, file: char) -> Place {
        (file as i32 - 'a' as i32 + 1, if self.white { 1 } else { 10 })
    }

    /// Two own pieces gone to empty squares.
    fn moved_both(&self, first: (Place, Place), second: (Place, Place)) -> Reference {
        let mut next = self.moved(first.0, first.1, self.pieces[&first.0]);
        let piece = next.pieces.remove(&second.0).unwrap();
        next.pieces.insert(second.1, piece);
        next.unmoved.remove(&second.0);
        next
    }

    fn moved(&self, from: Place, to: Place, becomes: char) -> Reference {
        let mut next = self.clone();
        let piece = next.pieces.remove(&from).unwrap();
        let captured = next.pieces.insert(to, becomes);
        next.unmoved.remove(&from);
        next.unmoved.remove(&to);
        let progress = captured.is_some() || piece.eq_ignore_ascii_case(&'P');
        next.passed.clear();
        next.stepped = None;
        next.clock = if progress { 0 } else { (self.clock + 1).min(GREATEST) };
        next.fullmove = (self.fullmove + u32::from(!self.white)).min(GREATEST);
        next.white = !self.white;
        next
    }

    /// The moves that leave the own king safe from the enemy's pieces, its fools being what the move makes them.
    fn safe_moves(&self) -> Vec<(String, Reference)> {
        let set = self.moves().into_iter().map(|Move { text, mut next, kind }| {
            next.last[usize::from(!self.white)] = kind;
            (text, next)
        });
        set.filter(|(_, next)| !next.in_check(self.white)).collect()
    }

    fn successors(&self) -> BTreeMap<String, Reference> {
        let mut found = BTreeMap::new();
        for (action, mut next) in self.safe_moves() {
            if !next.passed.is_empty() {
                // A square passed over is written only where a capture is legal.
                let answers = next.safe_moves();
                let captures: BTreeSet<Place> = (answers.iter())
                    .filter(|(text, _)| next.pieces[&place(text)].eq_ignore_ascii_case(&'P') && text[..1] != text[2..3])
                    .map(|(text, _)| place(&text[2..4]))
                    .collect();
                next.passed.retain(|at| captures.contains(at));
            }
            assert!(found.insert(action, next).is_none(), "one string, one action");
        }
        found
    }
}

/// A position with its squares mapped, and what else it says, `[placement, hands, side, last]`, turned.
fn map_position(text: &str, map: fn(Place) -> Place, turn: impl Fn([&str; 4]) -> [String; 4]) -> String {
    let fields: Vec<&str> = text.split(' ').collect();
    let (board, hands) = fields[0].trim_end_matches(']').split_once('[').unwrap();
    let [board, hands, side, last] = turn([board, hands, fields[1], fields[4]]);
    let squares = |field: &str| if field == "-" { "-".to_owned() } else { map_squares(field, map) };
    let turned = squares(fields[2]);
    let unmoved = |home: &String| turned.as_bytes().chunks(2).any(|at| at == home.as_bytes());
    let homes: String = homes().into_iter().map(name).filter(unmoved).collect();
    let unmoved = if homes.is_empty() { "-" } else { &homes };
    format!("{board}[{hands}] {side} {unmoved} {} {last} {} {}", squares(fields[3]), fields[5], fields[6])
}

fn swap_colours(text: &str) -> String {
    map_position(
        text,
        |(c, r)| (c, 11 - r),
        |[board, hands, side, last]| {
            let lines: Vec<String> = board.split('/').rev().map(|line| line.chars().map(swap_case).collect()).collect();
            let side = if side == "w" { "b" } else { "w" };
            // White's fool is written first.
            let hands = hands.chars().rev().map(swap_case).collect();
            [lines.join("/"), hands, side.to_owned(), last.chars().rev().collect()]
        },
    )
}

fn mirror_position(text: &str) -> String {
    map_position(
        text,
        |(c, r)| (11 - c, r),
        |[board, hands, side, last]| {
            let line = |line: &str| -> String {
                let turned: String = line.replace("10", "t").chars().rev().collect();
                turned.replace('t', "10")
            };
            let board = board.split('/').map(line).collect::<Vec<_>>().join("/");
            [board, hands.to_owned(), side.to_owned(), last.to_owned()]
        },
    )
}

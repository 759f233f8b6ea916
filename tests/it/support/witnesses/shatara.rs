//! Shatara Arena played slowly from the text of its rules: a mailbox, every action made and then asked whether it was
//! allowed. Shares nothing with the program but the options and the position string, which it reads and writes by
//! itself.

use std::collections::{BTreeMap, BTreeSet};

use maydan::game::shatara::{Options, PromotionAfter, PromotionStock};

use super::{GREATEST, flip_rank, swap_case};
use crate::support::suite::witness::{Symmetry, Witness};

pub const WITNESS: Witness = Witness {
    successors,
    mirror: Symmetry { position: mirror_position, action: mirror_action },
    swap: Symmetry { position: swap_colours, action: flip_ranks },
    colours: &["black"],
    options: &[
        "promotion_after = 'move_ever'",
        "promotion_after = 'move_ever'\npromotion_stock = 'unlimited'\nmax_arena_pieces = 32",
        "promotion_stock = 'consume'\nreserve = 'PPNBRQ'",
        "promotion_stock = 'unlimited'\nreserve = 'PP'",
        "support_actions_may_check = true",
        "support_actions_may_check = true\npromotion_after = 'move_ever'\npromotion_stock = 'consume'",
        "max_arena_pieces = 14\nmax_arena_pawns = 5",
        "max_arena_pieces = 20\nmax_arena_pawns = 10\nreserve = 'PPPPPPPPPPPPPPPPNNNNBBBBRRRRQQ'",
        "ladder = false",
        "reinforcement = false\npawn_moves_are_progress = true",
        "reserve = ''\nmax_plies = 60\nno_progress_plies = 20\nrepetition = 2",
    ],
    seeds: &[
        // Castling, en passant, pins and checks are near.
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[PPNBRppnbrq] w KQkq - a6b6g6f6d5e5e4b4c3h3 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8[PPNpn] w - - b5d6f4h5b4 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1[NBRQnbrq] w kq - a7b6f6g6h6a5b5a4b4c4e4f3b2f1 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N[PNBRQpnbrq] b - - a7b7c7f2g2h2 0 1",
        "8/8/8/1k6/2pP4/8/8/B2K4[PNBRQpnbrq] b - d3 c4d4a1 0 1",
        // Rooks that are listed as moved though their rights stand: contradictory, but no field is refused for it.
        "r3k2r/8/8/8/8/8/8/R3K2R[PQQpqq] w Kk - a1a8 0 1",
        "4k3/8/2n1b3/1P1r1P2/8/3R4/3P4/3K4[PPPNNBBRRQppqq] w - - b5f5c6e6d5d3 5 20",
        "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R[PNBRQpnbrq] b KQkq - b6f6e5 3 2",
        "r3k2r/8/8/8/8/8/8/R3K2R[PPp] b Kq - - 0 1",
        "n1n1k3/PPP5/8/8/8/8/ppp5/N1N1K3[] w - - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3[] w - d6 e5 0 9",
        "4k3/8/8/8/3Pp3/8/8/4K3[Pp] b - d3 d4e4 0 9",
        // Mates are near.
        "6k1/5ppp/8/8/8/8/5PPP/R5K1[] w - - - 0 30",
        "k7/2K5/8/1R6/8/8/8/8[Qq] w - - b5 0 30",
        // Every rank of the ladder, and counters at their limits.
        "6k1/2pp4/8/4R3/1N6/2B5/3P4/4K3[PPNBRQpnbrq] w - - b4c3e5 99 250",
        "4k3/2p5/8/4r3/1n6/2b5/3P4/6K1[PNBRQppnbrq] b - - b4c3 9999999 9999999",
        "4k3/8/8/8/8/8/8/4K3[] b - - - 9999999 9999999",
    ],
};

/// The preset without the actions of the support zone.
pub const CHESS: Witness = Witness {
    options: &[],
    seeds: &[
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8[] w - - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1[] w kq - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N[] b - - - 0 1",
        "8/8/8/1k6/2pP4/8/8/B2K4[] b - d3 - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3[] w - d6 - 0 9",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1[] w - - - 0 30",
        "4k3/8/8/8/8/8/8/4K3[] b - - - 9999999 9999999",
    ],
    ..WITNESS
};

fn successors(options: &toml::Table, text: &str) -> BTreeMap<String, String> {
    let rules: Options = options.clone().try_into().unwrap();
    Reference::read(&rules, text).actions().into_iter().map(|(action, next)| (action, next.write())).collect()
}

/// Upper case for White, lower case for Black, as in the position string.
type Piece = char;

#[derive(Clone)]
struct Reference {
    rules: Options,
    board: BTreeMap<(i32, i32), Piece>,
    zones: BTreeMap<Piece, u32>,
    white: bool,
    castling: BTreeSet<char>,
    passed: Option<(i32, i32)>,
    moved: BTreeSet<(i32, i32)>,
    clock: u32,
    fullmove: u32,
}

const LADDER: &str = "PNBRQ";
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn name((file, rank): (i32, i32)) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn square(text: &str) -> (i32, i32) {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

fn on_board((file, rank): (i32, i32)) -> bool {
    (0..8).contains(&file) && (0..8).contains(&rank)
}

impl Reference {
    /// Reads a good position string.
    fn read(rules: &Options, text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let (placement, zones) = fields[0].trim_end_matches(']').split_once('[').unwrap();
        let mut board = BTreeMap::new();
        for (row, rank) in placement.split('/').zip((0..8).rev()) {
            let mut file = 0;
            for mark in row.chars() {
                match mark.to_digit(10) {
                    Some(run) => file += run as i32,
                    None => {
                        board.insert((file, rank), mark);
                        file += 1;
                    }
                }
            }
        }
        let mut stock = BTreeMap::new();
        for piece in zones.chars() {
            *stock.entry(piece).or_insert(0) += 1;
        }
        Reference {
            rules: rules.clone(),
            board,
            zones: stock,
            white: fields[1] == "w",
            castling: fields[2].chars().filter(|c| *c != '-').collect(),
            passed: (fields[3] != "-").then(|| square(fields[3])),
            moved: fields[4].as_bytes().chunks_exact(2).map(|pair| square(str::from_utf8(pair).unwrap())).collect(),
            clock: fields[5].parse().unwrap(),
            fullmove: fields[6].parse().unwrap(),
        }
    }

    /// The position string.
    fn write(&self) -> String {
        let row = |rank| {
            let mut marks: String = (0..8).map(|file| self.board.get(&(file, rank)).copied().unwrap_or('.')).collect();
            for run in (1..=8).rev() {
                marks = marks.replace(&".".repeat(run), &run.to_string());
            }
            marks
        };
        let rows: Vec<String> = (0..8).rev().map(row).collect();
        let stock = |white: bool| -> String {
            LADDER
                .chars()
                .map(|kind| of(kind, white))
                .map(|piece| piece.to_string().repeat(self.stock(piece) as usize))
                .collect()
        };
        let mut moved: Vec<(i32, i32)> = self.moved.iter().copied().collect();
        moved.sort_by_key(|&(file, rank)| (rank, file));
        let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        format!(
            "{}[{}{}] {} {} {} {} {} {}",
            rows.join("/"),
            stock(true),
            stock(false),
            if self.white { "w" } else { "b" },
            or_dash("KQkq".chars().filter(|right| self.castling.contains(right)).collect()),
            or_dash(self.passed.map(name).unwrap_or_default()),
            or_dash(moved.into_iter().map(name).collect()),
            self.clock,
            self.fullmove
        )
    }

    /// Every legal action's string with the position it leads to.
    fn actions(&self) -> BTreeMap<String, Reference> {
        let mut all = BTreeMap::new();
        let mut keep = |action: String, mut next: Reference| {
            next.finish(self.white);
            assert!(all.insert(action, next).is_none(), "one string, one action");
        };
        for (action, next) in self.moves() {
            if !next.attacked(next.king(self.white), !self.white) {
                keep(action, next);
            }
        }
        for (action, next) in self.support_actions() {
            let exposes = next.attacked(next.king(self.white), !self.white);
            let checks = next.attacked(next.king(!self.white), self.white);
            if !exposes && (!checks || self.rules.support_actions_may_check) {
                keep(action, next);
            }
        }
        all
    }

    /// Turns the board over to the other side; an en passant square stays only when a capture there is legal.
    fn finish(&mut self, was_white: bool) {
        self.white = !was_white;
        self.fullmove = (self.fullmove + u32::from(!was_white)).min(GREATEST);
        if self.passed.is_some() {
            let captures = self.moves().into_iter().any(|(action, next)| {
                let (from, to) = (square(&action[..2]), square(&action[2..4]));
                Some(to) == self.passed
                    && self.board[&from].eq_ignore_ascii_case(&'p')
                    && from.0 != to.0
                    && !next.attacked(next.king(self.white), was_white)
            });
            if !captures {
                self.passed = None;
            }
        }
    }

    /// Moves of chess, the king's safety unasked.
    fn moves(&self) -> Vec<(String, Reference)> {
        let mut found = Vec::new();
        for (&from, &piece) in self.board.iter().filter(|(_, piece)| piece.is_uppercase() == self.white) {
            for to in self.targets(from, piece) {
                let text = name(from) + &name(to);
                let last = if self.white { 7 } else { 0 };
                if piece.eq_ignore_ascii_case(&'P') && to.1 == last {
                    for kind in "nbrq".chars() {
                        found.push((format!("{text}{kind}"), self.moved_to(from, to, Some(kind))));
                    }
                } else {
                    found.push((text, self.moved_to(from, to, None)));
                }
            }
        }
        found.extend(self.castlings());
        found
    }

    fn targets(&self, from: (i32, i32), piece: Piece) -> Vec<(i32, i32)> {
        let step = |(file, rank): (i32, i32)| (from.0 + file, from.1 + rank);
        let enemy = |at: &(i32, i32)| self.board.get(at).is_some_and(|other| other.is_uppercase() != self.white);
        if piece.eq_ignore_ascii_case(&'P') {
            let (up, home) = if self.white { (1, 1) } else { (-1, 6) };
            let mut targets = Vec::new();
            if !self.board.contains_key(&step((0, up))) {
                targets.push(step((0, up)));
                if from.1 == home && !self.board.contains_key(&step((0, 2 * up))) {
                    targets.push(step((0, 2 * up)));
                }
            }
            targets
                .extend([step((-1, up)), step((1, up))].into_iter().filter(|to| enemy(to) || self.passed == Some(*to)));
            return targets;
        }
        self.seen(from, piece).into_iter().filter(|to| enemy(to) || !self.board.contains_key(to)).collect()
    }

    /// Squares that a piece other than a pawn sees, the first piece on each line included.
    fn seen(&self, from: (i32, i32), piece: Piece) -> Vec<(i32, i32)> {
        let (directions, reach) = match piece.to_ascii_uppercase() {
            'N' => (JUMPS.to_vec(), 1),
            'B' => (DIAGONAL.to_vec(), 7),
            'R' => (STRAIGHT.to_vec(), 7),
            'Q' => ([STRAIGHT, DIAGONAL].concat(), 7),
            'K' => ([STRAIGHT, DIAGONAL].concat(), 1),
            _ => unreachable!("pawns see by their own rule"),
        };
        let mut seen = Vec::new();
        for (file, rank) in directions {
            for distance in 1..=reach {
                let to = (from.0 + file * distance, from.1 + rank * distance);
                if !on_board(to) {
                    break;
                }
                seen.push(to);
                if self.board.contains_key(&to) {
                    break;
                }
            }
        }
        seen
    }

    fn attacked(&self, at: (i32, i32), by_white: bool) -> bool {
        self.board.iter().filter(|(_, piece)| piece.is_uppercase() == by_white).any(|(&from, &piece)| {
            if piece.eq_ignore_ascii_case(&'P') {
                (at.0 - from.0).abs() == 1 && at.1 - from.1 == if by_white { 1 } else { -1 }
            } else {
                self.seen(from, piece).contains(&at)
            }
        })
    }

    fn king(&self, white: bool) -> (i32, i32) {
        *self.board.iter().find(|(_, piece)| **piece == of('K', white)).unwrap().0
    }

    fn castlings(&self) -> Vec<(String, Reference)> {
        let rank = if self.white { 0 } else { 7 };
        let free = |files: &[i32]| files.iter().all(|&file| !self.board.contains_key(&(file, rank)));
        let safe = |files: &[i32]| files.iter().all(|&file| !self.attacked((file, rank), !self.white));
        let mut found = Vec::new();
        for (right, empty, passed, rook) in
            [('K', &[5, 6][..], [4, 5, 6], (7, 5)), ('Q', &[1, 2, 3][..], [4, 3, 2], (0, 3))]
        {
            if self.castling.contains(&of(right, self.white)) && free(empty) && safe(&passed) {
                let mut next = self.moved_to((4, rank), (passed[2], rank), None);
                let piece = next.board.remove(&(rook.0, rank)).unwrap();
                next.moved.remove(&(rook.0, rank));
                next.board.insert((rook.1, rank), piece);
                next.set_moved((rook.1, rank));
                found.push((name((4, rank)) + &name((passed[2], rank)), next));
            }
        }
        found
    }

    fn moved_to(&self, from: (i32, i32), to: (i32, i32), becomes: Option<char>) -> Reference {
        let mut next = self.clone();
        let piece = next.board.remove(&from).unwrap();
        next.moved.remove(&from);
        next.moved.remove(&to);
        let mut progress = next.board.insert(to, piece).is_some() || becomes.is_some();
        next.passed = None;
        if piece.eq_ignore_ascii_case(&'P') {
            progress |= self.rules.pawn_moves_are_progress;
            if self.passed == Some(to) && from.0 != to.0 {
                next.board.remove(&(to.0, from.1)).unwrap();
                next.moved.remove(&(to.0, from.1));
                progress = true;
            }
            if (to.1 - from.1).abs() == 2 {
                next.passed = Some((from.0, (from.1 + to.1) / 2));
            }
        }
        match becomes {
            Some(kind) => {
                next.board.insert(to, of(kind, self.white));
            }
            None if "PNBR".contains(piece.to_ascii_uppercase()) => next.set_moved(to),
            None => {}
        }
        next.lose_rights(from);
        next.lose_rights(to);
        next.clock = if progress { 0 } else { (self.clock + 1).min(GREATEST) };
        next
    }

    /// Ladder promotions and reinforcements, checks unasked.
    fn support_actions(&self) -> Vec<(String, Reference)> {
        let mut found = Vec::new();
        let mut base = self.clone();
        base.passed = None;
        base.clock = 0;
        for (&at, &piece) in self.board.iter().filter(|(_, piece)| piece.is_uppercase() == self.white) {
            let Some(rank) = LADDER[..4].find(piece.to_ascii_uppercase()) else { continue };
            let becomes = of(LADDER.as_bytes()[rank + 1].into(), self.white);
            let stock = self.rules.promotion_stock;
            let in_stock = stock == PromotionStock::Unlimited || self.stock(becomes) > 0;
            if !self.rules.ladder || !self.moved.contains(&at) || !in_stock {
                continue;
            }
            let mut next = base.clone();
            next.board.insert(at, becomes);
            next.lose_rights(at);
            if self.rules.promotion_after == PromotionAfter::MoveSinceRank || becomes.eq_ignore_ascii_case(&'Q') {
                next.moved.remove(&at);
            }
            if stock != PromotionStock::Unlimited {
                *next.zones.get_mut(&becomes).unwrap() -= 1;
            }
            if stock == PromotionStock::Exchange {
                *next.zones.entry(piece).or_insert(0) += 1;
            }
            found.push((name(at) + &name(at) + &becomes.to_lowercase().to_string(), next));
        }
        let pawn = of('P', self.white);
        let count = |wanted: &dyn Fn(Piece) -> bool| self.board.values().filter(|piece| wanted(**piece)).count() as u32;
        let home = if self.white { 1 } else { 6 };
        if self.rules.reinforcement
            && self.stock(pawn) > 0
            && count(&|piece| piece == pawn) < self.rules.max_arena_pawns
            && count(&|piece| piece.is_uppercase() == self.white) < self.rules.max_arena_pieces
        {
            for at in (0..8).map(|file| (file, home)).filter(|at| !self.board.contains_key(at)) {
                let mut next = base.clone();
                next.board.insert(at, pawn);
                *next.zones.get_mut(&pawn).unwrap() -= 1;
                found.push((format!("P@{}", name(at)), next));
            }
        }
        found
    }

    fn stock(&self, piece: Piece) -> u32 {
        self.zones.get(&piece).copied().unwrap_or(0)
    }

    fn set_moved(&mut self, at: (i32, i32)) {
        if self.rules.ladder {
            self.moved.insert(at);
        }
    }

    fn lose_rights(&mut self, at: (i32, i32)) {
        let lost = match at {
            (0, 0) => "Q",
            (4, 0) => "KQ",
            (7, 0) => "K",
            (0, 7) => "q",
            (4, 7) => "kq",
            (7, 7) => "k",
            _ => "",
        };
        self.castling.retain(|right| !lost.contains(*right));
    }
}

/// The piece of a kind and side.
fn of(kind: char, white: bool) -> Piece {
    if white { kind.to_ascii_uppercase() } else { kind.to_ascii_lowercase() }
}

/// The position with the board turned and the colours swapped.
fn swap_colours(text: &str) -> String {
    let swapped: String = text.chars().map(swap_case).collect();
    let (board, state) = swapped.split_once('[').unwrap();
    let (zones, state) = state.split_once("] ").unwrap();
    let fields: Vec<&str> = state.split(' ').collect();
    let [_, castling, ep, moved, clock, fullmove] = fields[..] else { panic!("{text}") };
    let board: Vec<&str> = board.split('/').rev().collect();
    // White's pieces are listed first.
    let zones = zones.chars().filter(char::is_ascii_uppercase).chain(zones.chars().filter(char::is_ascii_lowercase));
    let side = if text.contains("] w ") { 'b' } else { 'w' };
    let castling: String = "KQkq-".chars().filter(|&right| castling.contains(right)).collect();
    let (ep, moved) = (flip_ranks(&ep.to_lowercase()), flip_ranks(&moved.to_lowercase()));
    format!("{}[{}] {side} {castling} {ep} {moved} {clock} {fullmove}", board.join("/"), zones.collect::<String>())
}

/// Squares, as they stand in an action or a field, seen from the other side of the board.
fn flip_ranks(text: &str) -> String {
    text.chars().map(flip_rank).collect()
}

/// The position with its files turned round.
fn mirror_position(text: &str) -> String {
    let (board, state) = text.split_once('[').unwrap();
    let (zones, state) = state.split_once("] ").unwrap();
    let fields: Vec<&str> = state.split(' ').collect();
    let [side, castling, ep, moved, clock, fullmove] = fields[..] else { panic!("{text}") };
    let board: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let (ep, moved) = (mirror_files(ep), mirror_files(moved));
    format!("{}[{zones}] {side} {castling} {ep} {moved} {clock} {fullmove}", board.join("/"))
}

/// The action with its files turned round; the fifth letter is a rank of the ladder, not a file.
fn mirror_action(text: &str) -> String {
    format!("{}{}", mirror_files(&text[..4]), &text[4..])
}

fn mirror_files(text: &str) -> String {
    let mirror = |c| if let 'a'..='h' = c { (b'a' + b'h' - c as u8) as char } else { c };
    text.chars().map(mirror).collect()
}

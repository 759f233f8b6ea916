//! Shatar played slowly from the text of its rules: a mailbox, every move made and then asked whether the khan stands
//! attacked.

use std::collections::BTreeMap;

use super::{GREATEST, flip_rank, swap_case};
use crate::support::suite::witness::{Symmetry, Witness};

pub const WITNESS: Witness = Witness {
    successors: |_, text| Reference::read(text).successors(),
    mirror: Symmetry { position: mirror_files, action: |text| text.chars().map(turn).collect() },
    swap: Symmetry { position: swap_colours, action: |text| text.chars().map(flip_rank).collect() },
    colours: &["black"],
    options: &["repetition = 2\nno_progress_plies = 30\nmax_plies = 90"],
    seeds: &[
        // Checks, pins and stuck qayins are near.
        "r3k2r/p1p2p2/4P3/1b1q4/4n3/2N5/PPP1QP2/R3K2R w - 3 9",
        "P3k1P1/8/8/2b3n1/8/4R3/3r1p2/4K2p b - 7 30",
        "3qk3/8/3p4/3P4/7b/8/5N2/R3K2r w - 0 1",
        // Mates are near.
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - 0 30",
        "k7/2K5/8/1Q6/8/8/8/8 w - 0 30",
        // Counters at their limits.
        "4k3/4p3/8/8/1b5q/2N3P1/3PP3/4K3 w - 9999999 9999999",
    ],
};

struct Reference {
    board: BTreeMap<(i32, i32), char>,
    white: bool,
    clock: u32,
    fullmove: u32,
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Reference {
    fn read(text: &str) -> Self {
        let mut board = BTreeMap::new();
        for (row, rank) in text.split(' ').next().unwrap().split('/').zip((0..8).rev()) {
            let mut file = 0;
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(run) => file += run as i32,
                    None => {
                        board.insert((file, rank), c);
                        file += 1;
                    }
                }
            }
        }
        let fields: Vec<&str> = text.split(' ').collect();
        let [clock, fullmove] = [3, 4].map(|i| fields[i].parse().unwrap());
        Reference { board, white: fields[1] == "w", clock, fullmove }
    }

    /// Where the piece on a square may go or capture, the khan's safety aside.
    fn targets(&self, (file, rank): (i32, i32)) -> Vec<(i32, i32)> {
        let piece = self.board[&(file, rank)];
        let all: Vec<(i32, i32)> = STRAIGHT.into_iter().chain(DIAGONAL).collect();
        let (ways, steps) = match piece.to_ascii_uppercase() {
            'K' => (all, 1),
            'Q' => (all, 7),
            'R' => (STRAIGHT.to_vec(), 7),
            'B' => (DIAGONAL.to_vec(), 7),
            'N' => (JUMPS.to_vec(), 1),
            'P' => (vec![(0, if piece == 'P' { 1 } else { -1 })], 1),
            _ => panic!("{piece}"),
        };
        let mut found = Vec::new();
        for (east, north) in ways {
            for step in 1..=steps {
                let to = (file + step * east, rank + step * north);
                if !(0..8).contains(&to.0) || !(0..8).contains(&to.1) {
                    break;
                }
                match self.board.get(&to) {
                    None => found.push(to),
                    Some(other) if other.is_uppercase() == piece.is_uppercase() => break,
                    Some(_) => {
                        found.push(to);
                        break;
                    }
                }
            }
        }
        found
    }

    fn attacked(&self, white: bool) -> bool {
        let khan = if white { 'K' } else { 'k' };
        let pieces = self.board.iter().filter(|(_, piece)| piece.is_uppercase() != white);
        pieces.flat_map(|(&from, _)| self.targets(from)).any(|to| self.board.get(&to) == Some(&khan))
    }

    fn successors(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let name = |(file, rank): (i32, i32)| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
        for (&from, &piece) in self.board.iter().filter(|(_, piece)| piece.is_uppercase() == self.white) {
            for to in self.targets(from) {
                let mut board = self.board.clone();
                board.remove(&from);
                let captured = board.insert(to, piece);
                let progress = captured.is_some() || piece.eq_ignore_ascii_case(&'P');
                let next = Reference {
                    board,
                    white: !self.white,
                    clock: if progress { 0 } else { (self.clock + 1).min(GREATEST) },
                    fullmove: (self.fullmove + u32::from(!self.white)).min(GREATEST),
                };
                if !next.attacked(self.white) {
                    found.insert(name(from) + &name(to), next.write());
                }
            }
        }
        found
    }

    fn write(&self) -> String {
        let row = |rank| {
            let mut marks: String = (0..8).map(|file| self.board.get(&(file, rank)).copied().unwrap_or('.')).collect();
            for run in (1..=8).rev() {
                marks = marks.replace(&".".repeat(run), &run.to_string());
            }
            marks
        };
        let rows: Vec<String> = (0..8).rev().map(row).collect();
        format!("{} {} - {} {}", rows.join("/"), if self.white { "w" } else { "b" }, self.clock, self.fullmove)
    }
}

fn swap_colours(text: &str) -> String {
    let (board, rest) = text.split_once(' ').unwrap();
    let rows: Vec<String> = board.split('/').rev().map(|row| row.chars().map(swap_case).collect()).collect();
    let side = if rest.starts_with('w') { 'b' } else { 'w' };
    format!("{} {side}{}", rows.join("/"), &rest[1..])
}

fn mirror_files(text: &str) -> String {
    let (board, rest) = text.split_once(' ').unwrap();
    let rows: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {rest}", rows.join("/"))
}

fn turn(file: char) -> char {
    if let 'a'..='h' = file { (b'a' + b'h' - file as u8) as char } else { file }
}

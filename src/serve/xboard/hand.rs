//! The piece that a user has picked up, and where it may go: XBoard reports each click, and marks the squares that it
//! gets.

use std::collections::BTreeMap;

use super::{
    super::Bot,
    board,
    legs::{Behind, LONGEST, Path},
};

/// Kinds that a user wants first where there is a choice.
const WANTED: &str = "QRBN";

/// Squares that were clicked one after the other for one move.
#[derive(Debug, Default)]
pub(super) struct Hand {
    squares: Vec<String>,
    /// Whether the piece was put down on the last of them.
    is_down: bool,
    /// Whether a piece was taken up from a zone right before, to come on behind this one.
    behind: Behind,
}

/// What a click on a square would do.
#[derive(Debug, Default)]
struct Target {
    /// The move needs another square.
    goes_on: bool,
    /// The move ends there, without a letter.
    ends: bool,
    /// What the piece can become there, or what can come on behind it, each a letter.
    becomes: Vec<char>,
}

impl Hand {
    /// A piece is picked up, or goes on from where it was put down.
    pub(super) fn lift(&mut self, square: &str, bot: &dyn Bot) {
        let is_of_zone = self.squares.first().is_some_and(|first| board::is_beside(first, bot));
        let goes_on = self.is_down
            && !is_of_zone
            && self.squares.len() < LONGEST
            && self.squares.last().is_some_and(|last| last == square);
        if !goes_on {
            self.squares = vec![square.to_owned()];
            self.behind = if is_of_zone { Behind::Piece } else { Behind::Nothing };
        }
        self.is_down = false;
    }

    /// What comes on behind the pieces that move. Where no piece has been picked up, another bot moves, which brings
    /// on what it may.
    pub(super) fn behind(&self) -> Behind {
        if self.squares.is_empty() { Behind::Piece } else { self.behind }
    }

    /// The piece is put down; XBoard says so twice where it asks what it becomes.
    pub(super) fn put(&mut self, square: &str) {
        if !self.is_down {
            self.squares.push(square.to_owned());
        }
        self.is_down = true;
    }

    /// The squares to mark, in the shape of a placement: Y and R for a move, R for one onto a piece, C for a first leg,
    /// M and B for a promotion with and without a choice, B for a piece that comes on behind.
    pub(super) fn marks(&self, bot: &dyn Bot) -> String {
        let targets = self.targets(bot);
        let rows = board::rows(&bot.position());
        let ranks = (1..=rows.len()).rev();
        let mark = |rank: usize, file: usize, piece: Option<char>| {
            let name = format!("{}{rank}", char::from(b'a' + file as u8));
            targets.get(&name).map(|target| match target.becomes.len() {
                _ if target.goes_on => 'C',
                0 if piece.is_some() => 'R',
                0 => 'Y',
                1 => 'B',
                _ => 'M',
            })
        };
        let row = |(rank, row): (usize, &Vec<Option<char>>)| {
            written(row.iter().enumerate().map(|(file, &piece)| mark(rank, file, piece)))
        };
        ranks.zip(&rows).map(row).collect::<Vec<_>>().join("/")
    }

    /// What the piece can become where it was put down, the best first; nothing where it is not promoted.
    pub(super) fn choice(&self, bot: &dyn Bot) -> String {
        let Some((last, before)) = self.squares.split_last() else { return String::new() };
        let hand = Hand { squares: before.to_vec(), is_down: false, behind: self.behind };
        let mut kinds = hand.targets(bot).remove(last).map(|target| target.becomes).unwrap_or_default();
        kinds.sort_by_key(|&kind| WANTED.find(kind).unwrap_or(WANTED.len()));
        kinds.into_iter().collect()
    }

    /// Squares that the moves beginning with those clicked go to next.
    fn targets(&self, bot: &dyn Bot) -> BTreeMap<String, Target> {
        let mut targets: BTreeMap<String, Target> = BTreeMap::new();
        for (_, shown) in bot.on_grid() {
            let Some(path) = Path::read(&shown) else { continue };
            let Some([next, rest @ ..]) = path.squares.strip_prefix(self.squares.as_slice()) else { continue };
            let target = targets.entry(next.clone()).or_default();
            if rest.is_empty() {
                target.ends |= path.becomes.is_empty();
                target.becomes.extend(path.becomes.chars().map(|kind| kind.to_ascii_uppercase()));
            } else {
                target.goes_on = true;
            }
        }
        if self.behind == Behind::Nothing {
            targets.values_mut().filter(|target| target.ends).for_each(|target| target.becomes.clear());
        }
        targets
    }
}

/// A row with numbers for runs of unmarked squares.
fn written(marks: impl Iterator<Item = Option<char>>) -> String {
    let mut text = String::new();
    let mut run = 0;
    for mark in marks {
        match mark {
            None => run += 1,
            Some(mark) => {
                if run > 0 {
                    text += &run.to_string();
                }
                run = 0;
                text.push(mark);
            }
        }
    }
    if run > 0 { text + &run.to_string() } else { text }
}

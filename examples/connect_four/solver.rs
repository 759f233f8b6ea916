//! Connect Four solved: whether a position is won, drawn or lost under best play.
//!
//! Allen and Allis solved the game in 1988, independently of each other: the first player wins (Allis, "A
//! knowledge-based approach of Connect-Four", 1988). Here positions are solved by search alone, as by Tromp's solver
//! (the benchmark Fhourstones): depth first over bitboards, with a table of transpositions. None of Allis's rules is
//! used, so that all that is trusted is the rules of the game.

use std::cmp::Reverse;

use super::board::{Board, COLUMNS, STRIDE, completions, free, has_four, key, landings};

/// Columns from the middle outwards, as masks: where nothing else tells moves apart, the middle is best.
const FROM_THE_MIDDLE: [u64; COLUMNS] = {
    let column = 0x0101_0101_0101;
    [column << 3, column << 2, column << 4, column << 1, column << 5, column, column << 6]
};

/// What the side to move wants at least. The other side stops a win by a draw, and a draw by a win.
#[derive(Clone, Copy)]
enum Goal {
    Draw,
    Win,
}

impl Goal {
    /// What the other side must reach to stop it.
    fn counter(self) -> Goal {
        match self {
            Goal::Draw => Goal::Win,
            Goal::Win => Goal::Draw,
        }
    }
}

/// What is known of a position for the side to move, a bit each.
mod answer {
    pub const WINS: u64 = 1;
    pub const NO_WIN: u64 = 2;
    pub const HOLDS: u64 = 4;
    pub const LOSES: u64 = 8;
    /// Number of bits.
    pub const BITS: u32 = 4;
}

/// Values of positions. It remembers what it has found, so that a position near one that it knows is cheap.
pub struct Solver {
    /// A slot is a position's key, then the bits of the answers; 0 if empty.
    table: Vec<u64>,
}

impl Solver {
    /// A solver that remembers `2^size` positions, in 8 bytes each.
    pub fn new(size: u32) -> Solver {
        Solver { table: vec![0; 1 << size] }
    }

    /// The value of each legal action for the side to move, in the order of the rules: 1, 0 or -1. None where the game
    /// is over.
    pub fn values(&mut self, board: &Board) -> Vec<i32> {
        let columns = (0..COLUMNS as u8).filter(|&column| !board.is_won() && board.landing(column) != 0);
        columns
            .map(|column| {
                let mut next = *board;
                next.drop_stone(column);
                -self.value(&next)
            })
            .collect()
    }

    /// The value of a position for the side to move: 1, 0 or -1.
    pub fn value(&mut self, board: &Board) -> i32 {
        let (own, other) = (board.own(), board.other());
        if board.is_won() {
            -1
        } else if completions(own) & board.landings() != 0 || self.reaches(Goal::Win, own, other) {
            1
        } else if self.reaches(Goal::Draw, own, other) {
            0
        } else {
            -1
        }
    }

    /// Whether the side with the stones `own`, which is to move and cannot win at once, reaches its goal.
    fn reaches(&mut self, goal: Goal, own: u64, other: u64) -> bool {
        let occupied = own | other;
        let (landings, free) = (landings(occupied), free(occupied));
        let threats = completions(other) & free;
        // A stone below a threat lets the other side carry the threat out.
        let safe = landings & !(threats >> STRIDE);
        let moves = match (landings & threats).count_ones() {
            0 => safe,
            1 => safe & threats,
            _ => 0,
        };
        if moves == 0 {
            return landings == 0 && matches!(goal, Goal::Draw);
        }
        match goal {
            Goal::Win if !has_four(own | free) => return false,
            Goal::Draw if !has_four(other | free) => return true,
            _ => {}
        }
        let position = key(own, occupied);
        if let Some(known) = self.recall(position, goal) {
            return known;
        }
        // The more threats a stone makes, the earlier it is tried.
        let mut ordered = FROM_THE_MIDDLE.map(|column| {
            let square = moves & column;
            (square, (completions(own | square) & free).count_ones())
        });
        ordered.sort_by_key(|&(_, threats)| Reverse(threats));
        let tried = || ordered.into_iter().map(|(square, _)| square).filter(|&square| square != 0);
        let counter = goal.counter();
        // What is known already may save the search.
        let reached = tried().any(|square| self.recall(key(other, occupied | square), counter) == Some(false))
            || tried().any(|square| !self.reaches(counter, other, own | square));
        self.remember(position, goal, reached);
        reached
    }

    fn recall(&self, position: u64, goal: Goal) -> Option<bool> {
        let slot = self.table[self.slot(position)];
        let (yes, no) = match goal {
            Goal::Win => (answer::WINS, answer::NO_WIN),
            Goal::Draw => (answer::HOLDS, answer::LOSES),
        };
        let known = slot >> answer::BITS == position && slot & (yes | no) != 0;
        known.then_some(slot & yes != 0)
    }

    /// The newest position takes its slot.
    fn remember(&mut self, position: u64, goal: Goal, reached: bool) {
        let index = self.slot(position);
        let slot = &mut self.table[index];
        if *slot >> answer::BITS != position {
            *slot = position << answer::BITS;
        }
        *slot |= match (goal, reached) {
            (Goal::Win, true) => answer::WINS | answer::HOLDS,
            (Goal::Win, false) => answer::NO_WIN,
            (Goal::Draw, true) => answer::HOLDS,
            (Goal::Draw, false) => answer::NO_WIN | answer::LOSES,
        };
    }

    fn slot(&self, position: u64) -> usize {
        (position.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - self.table.len().ilog2())) as usize
    }
}

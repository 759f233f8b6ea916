//! Exact values: what the ends of the game prove about the positions above them.
//!
//! Ends by repetition or by the ply limit depend on the path to a position, not on the position alone. Proofs from them
//! are sound here because the search keeps a tree: each node has one path from the root, and the root has one history.
//! They would not be in a table shared between paths, so the [`Cache`](super::Cache) holds evaluations only, never
//! proofs.

use crate::game::{Outcome, Side, Wdl};

/// What is known for certain of a position or an action, from the point of view of the side to move, with the plies to
/// the game's end along the best line found: the shortest of those examined for a win, the longest for a loss. A line
/// not examined may be better, never the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Proof {
    #[default]
    Unknown,
    Win(u16),
    Draw(u16),
    Loss(u16),
}

impl Proof {
    /// The proof at a position where the game ended, seen by `side`.
    pub fn of_outcome(outcome: Outcome, side: Side) -> Self {
        match outcome.winner {
            None => Proof::Draw(0),
            Some(winner) if winner == side => Proof::Win(0),
            Some(_) => Proof::Loss(0),
        }
    }

    pub fn is_known(self) -> bool {
        self != Proof::Unknown
    }

    pub fn is_win(self) -> bool {
        matches!(self, Proof::Win(_))
    }

    pub fn is_draw(self) -> bool {
        matches!(self, Proof::Draw(_))
    }

    pub fn is_loss(self) -> bool {
        matches!(self, Proof::Loss(_))
    }

    /// Plies to the end, when known.
    pub fn plies(self) -> Option<u16> {
        match self {
            Proof::Unknown => None,
            Proof::Win(plies) | Proof::Draw(plies) | Proof::Loss(plies) => Some(plies),
        }
    }

    /// Probability of win, draw and loss, when known.
    pub fn wdl(self) -> Option<Wdl> {
        match self {
            Proof::Unknown => None,
            Proof::Win(_) => Some(Wdl::WIN),
            Proof::Draw(_) => Some(Wdl::DRAW),
            Proof::Loss(_) => Some(Wdl::LOSS),
        }
    }

    /// 1, 0 or -1, when known.
    pub fn value(self) -> Option<f32> {
        self.wdl().map(Wdl::value)
    }

    /// The same seen by the other side.
    pub fn flipped(self) -> Self {
        match self {
            Proof::Win(plies) => Proof::Loss(plies),
            Proof::Loss(plies) => Proof::Win(plies),
            same => same,
        }
    }

    /// The same seen one ply earlier.
    pub fn one_ply_earlier(self) -> Self {
        match self {
            Proof::Unknown => Proof::Unknown,
            Proof::Win(plies) => Proof::Win(plies.saturating_add(1)),
            Proof::Draw(plies) => Proof::Draw(plies.saturating_add(1)),
            Proof::Loss(plies) => Proof::Loss(plies.saturating_add(1)),
        }
    }
}

/// What the proofs of all legal actions (seen by the side that has them) prove of the position: a win when one wins;
/// otherwise, when all are known, the best of them. Among equals the quickest win and the slowest loss or draw.
pub(super) fn combine(actions: impl Iterator<Item = Proof>) -> Proof {
    let mut open = false;
    let mut best = None;
    for proof in actions {
        let rank = match proof {
            Proof::Unknown => {
                open = true;
                continue;
            }
            Proof::Loss(plies) => (0, i32::from(plies)),
            Proof::Draw(plies) => (1, i32::from(plies)),
            Proof::Win(plies) => (2, -i32::from(plies)),
        };
        if best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, proof));
        }
    }
    match best {
        Some((_, proof)) if proof.is_win() || !open => proof,
        _ => Proof::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_needs_one_action_and_a_loss_needs_all() {
        use Proof::*;
        assert_eq!(combine([Unknown, Win(5), Win(3), Loss(2)].into_iter()), Win(3));
        assert_eq!(combine([Unknown, Draw(2), Loss(2)].into_iter()), Unknown);
        assert_eq!(combine([Loss(4), Draw(2), Draw(6)].into_iter()), Draw(6));
        assert_eq!(combine([Loss(4), Loss(8)].into_iter()), Loss(8));
        assert_eq!(combine([].into_iter()), Unknown);
    }
}

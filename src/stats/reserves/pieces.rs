//! The life of every piece of a game, followed from position to position: what vanished from one square and appeared on
//! another is one piece.

use crate::{
    game::{
        Side,
        placement::{Placement, side_of},
    },
    stats::{GameColumns, game::Fault},
};

/// One piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub side: Side,
    /// The number of the first position that shows it: 0 at the start, else one more than the ply that brought it.
    pub since: usize,
    /// Its ranks (letters of kinds, upper case), each with the number of the first position that shows it.
    pub ranks: Vec<(usize, u8)>,
    /// The ply that captured it; none while it stands.
    pub captured: Option<usize>,
}

impl Piece {
    /// Its rank at the end of its life or of the game.
    pub fn final_rank(&self) -> u8 {
        self.ranks[self.ranks.len() - 1].1
    }

    /// Whether it came from outside the board.
    pub fn entered(&self) -> bool {
        self.since > 0
    }

    /// The number of the first position that does not show it, or of the last one of a game of so many plies: its age
    /// at the end is this less `since`.
    pub fn until(&self, plies: usize) -> usize {
        self.captured.map_or(plies, |ply| ply + 1)
    }

    /// Each of its ranks in a game of so many plies: which, from which position to which, and the next one.
    pub fn spells(&self, plies: usize) -> impl Iterator<Item = (u8, usize, usize, Option<u8>)> + '_ {
        let next = move |i: usize| self.ranks.get(i + 1);
        self.ranks.iter().enumerate().map(move |(i, &(since, rank))| {
            (rank, since, next(i).map_or(self.until(plies), |next| next.0), next(i).map(|next| next.1))
        })
    }
}

/// What an action did to one piece. Squares are `row * columns + column` from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub ply: usize,
    /// An index of [`Lives::pieces`].
    pub piece: usize,
    /// None for a piece that came from outside the board.
    pub from: Option<usize>,
    pub to: usize,
    /// Rank before the step, and after it.
    pub ranks: [u8; 2],
}

impl Step {
    /// Whether the piece has another rank afterwards.
    pub fn is_promotion(&self) -> bool {
        self.ranks[0] != self.ranks[1]
    }
}

/// Every piece of a game and all their steps.
#[derive(Clone, Debug)]
pub struct Lives {
    pub pieces: Vec<Piece>,
    /// By ply.
    pub steps: Vec<Step>,
    /// The last position.
    pub end: Placement,
}

impl Lives {
    /// Follows the pieces of a game on a grid of (rows, columns).
    pub fn of(game: &GameColumns, grid: (usize, usize)) -> Result<Lives, Fault> {
        let board = |number: usize| {
            Placement::read(game.position(number), grid)
                .ok_or_else(|| ("position", format!("no board at ply {number}")))
        };
        let mut end = board(0)?;
        let mut pieces = Vec::new();
        let mut here: Vec<Option<usize>> = vec![None; end.pieces().len()];
        for (square, &letter) in end.pieces().iter().enumerate().filter(|&(_, &letter)| letter > 0) {
            here[square] = Some(pieces.len());
            pieces.push(piece(letter, 0));
        }
        let mut steps = Vec::new();
        for ply in 0..game.plies() {
            let next = board(ply + 1)?;
            let changes = Changes::between(end.pieces(), next.pieces());
            let standing: Vec<(usize, usize)> = changes
                .gone
                .iter()
                .filter_map(|&(square, _)| here[square].take().map(|piece| (square, piece)))
                .collect();
            for (from, to) in changes.pairs() {
                let letter = next.pieces()[to];
                let known = from.and_then(|from| standing.iter().find(|(square, _)| *square == from));
                let index = known.map_or(pieces.len(), |&(_, piece)| piece);
                if known.is_none() {
                    pieces.push(piece(letter, ply + 1));
                }
                let rank = letter.to_ascii_uppercase();
                let before = pieces[index].final_rank();
                if before != rank {
                    pieces[index].ranks.push((ply + 1, rank));
                }
                here[to] = Some(index);
                steps.push(Step {
                    ply,
                    piece: index,
                    from: known.map(|&(square, _)| square),
                    to,
                    ranks: [before, rank],
                });
            }
            for (_, piece) in standing.into_iter().filter(|(_, piece)| !here.contains(&Some(*piece))) {
                pieces[piece].captured = Some(ply);
            }
            end = next;
        }
        Ok(Lives { pieces, steps, end })
    }

    /// The steps of one ply.
    pub fn steps_at(&self, ply: usize) -> &[Step] {
        let start = self.steps.partition_point(|step| step.ply < ply);
        let end = self.steps.partition_point(|step| step.ply <= ply);
        &self.steps[start..end]
    }
}

fn piece(letter: u8, since: usize) -> Piece {
    Piece { side: side_of(letter), since, ranks: vec![(since, letter.to_ascii_uppercase())], captured: None }
}

/// Squares on which two positions differ.
struct Changes {
    /// Pieces of the first position.
    gone: Vec<Placed>,
    /// Pieces of the second.
    come: Vec<Placed>,
}

/// A square and the letter of the piece on it.
type Placed = (usize, u8);

impl Changes {
    fn between(before: &[u8], after: &[u8]) -> Changes {
        let differing = |from: &[u8], to: &[u8]| -> Vec<Placed> {
            let squares = from.iter().zip(to).enumerate();
            squares
                .filter(|&(_, (&piece, &other))| piece > 0 && piece != other)
                .map(|(square, (&piece, _))| (square, piece))
                .collect()
        };
        Changes { gone: differing(before, after), come: differing(after, before) }
    }

    /// Where each piece that came has been: on the same square with another rank, unless every piece that went with the
    /// rank of the one there came elsewhere; else elsewhere with the same rank, else elsewhere with another one, else
    /// outside the board.
    fn pairs(&self) -> Vec<(Option<usize>, usize)> {
        let mut taken = vec![false; self.gone.len()];
        let mut origin: Vec<Option<usize>> = vec![None; self.come.len()];
        let count = |placed: &[Placed], piece: u8| placed.iter().filter(|(_, other)| *other == piece).count();
        let fewer_came = |piece: u8| count(&self.come, piece) < count(&self.gone, piece);
        let same_side = |from: Placed, to: Placed| side_of(from.1) == side_of(to.1);
        let same_square = |from: Placed, to: Placed| from.0 == to.0 && same_side(from, to) && fewer_came(from.1);
        let same_piece = |from: Placed, to: Placed| from.1 == to.1;
        let rules: [&dyn Fn(Placed, Placed) -> bool; 3] = [&same_square, &same_piece, &same_side];
        for rule in rules {
            for (&to, from) in self.come.iter().zip(&mut origin).filter(|(_, from)| from.is_none()) {
                let found = (0..self.gone.len()).find(|&i| !taken[i] && rule(self.gone[i], to));
                if let Some(i) = found {
                    taken[i] = true;
                    *from = Some(self.gone[i].0);
                }
            }
        }
        origin.into_iter().zip(&self.come).map(|(from, &(to, _))| (from, to)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_captured_by_the_next_ply_was_there_for_one() {
        let mut pawn = piece(b'P', 8);
        assert_eq!(pawn.until(40) - pawn.since, 32);
        pawn.captured = Some(8);
        assert_eq!(pawn.until(40) - pawn.since, 1);
    }

    /// White castles; then a pawn captures and becomes a queen, while a black rook goes.
    #[test]
    fn pieces_are_told_apart_by_square_then_rank_then_side() {
        let pairs = |before: &str, after: &str| {
            let pieces = |text: &str| Placement::read(text, (2, 8)).unwrap();
            Changes::between(pieces(before).pieces(), pieces(after).pieces()).pairs()
        };
        assert_eq!(pairs("8/4K2R", "8/5RK1"), [(Some(7), 5), (Some(4), 6)]);
        assert_eq!(pairs("r7/1P6", "Q7/8"), [(Some(1), 8)]);
        assert_eq!(pairs("8/N7", "8/B7"), [(Some(0), 0)]);
        assert_eq!(pairs("8/7N", "P7/7N"), [(None, 8)]);
        // A piece from outside the board takes the place of one that goes, that captures, of one of two that castle.
        assert_eq!(pairs("8/N7", "2N5/F7"), [(None, 0), (Some(0), 10)]);
        assert_eq!(pairs("2n5/N7", "2N5/F7"), [(None, 0), (Some(0), 10)]);
        assert_eq!(pairs("8/4K2R", "8/4FRK1"), [(None, 4), (Some(7), 5), (Some(4), 6)]);
        // One of two alike changes its rank while the other goes.
        assert_eq!(pairs("8/PP6", "1P6/N7"), [(Some(0), 0), (Some(1), 9)]);
    }
}

//! Squares that the pieces of a side attack, as planes: otherwise a network has to find them with its convolutions.

use super::{PieceKind, Pieces, PlaneInfo, Side};
use crate::board::SquareSet;

/// Squares that the pieces of one side attack, occupied ones too.
pub(super) struct Attacked<S, const KINDS: usize> {
    /// Those that pieces of each kind attack.
    by_kind: [S; KINDS],
    all: S,
    /// Those that two pieces or more attack.
    twice: S,
}

impl<S: SquareSet + IntoIterator<Item = S::Square>, const KINDS: usize> Attacked<S, KINDS> {
    /// Those that the pieces of `owner` attack; `attack` gives the squares of one piece. There may be more planes than
    /// kinds, for pieces that are [added](Attacked::add).
    #[inline]
    pub fn of<K: PieceKind, const N: usize>(
        pieces: &Pieces<S, K, N>,
        owner: Side,
        attack: impl Fn(K, S::Square) -> S,
    ) -> Self {
        let mut attacked = Attacked { by_kind: [S::EMPTY; KINDS], all: S::EMPTY, twice: S::EMPTY };
        for &kind in K::KINDS {
            for from in pieces.of(owner, kind) {
                attacked.add(kind.index(), attack(kind, from));
            }
        }
        attacked
    }

    /// Adds the squares that one piece attacks, `kind` being the place of its kind among the planes.
    #[inline]
    pub fn add(&mut self, kind: usize, squares: S) {
        self.twice |= self.all & squares;
        self.all |= squares;
        self.by_kind[kind] |= squares;
    }

    /// The planes: by kind, then what is attacked twice.
    #[inline]
    pub fn planes(self) -> impl Iterator<Item = S> {
        self.by_kind.into_iter().chain([self.twice])
    }
}

/// Descriptions of [`Attacked::planes`] of the own side, then of the enemy's; `kinds` are the kinds in the plural.
pub(super) fn attack_planes(kinds: &[impl AsRef<str>]) -> Vec<PlaneInfo> {
    let mut planes = Vec::new();
    for owner in ["own", "enemy"] {
        planes.extend(kinds.iter().map(|kind| {
            let name = format!("{owner}_{}_attack", kind.as_ref());
            PlaneInfo::new(name, format!("squares that {owner} pieces of this kind attack"), "attacked")
        }));
        let meaning = format!("squares that two {owner} pieces or more attack");
        planes.push(PlaneInfo::new(format!("{owner}_attack_twice"), meaning, "attacked"));
    }
    planes
}

//! The legal actions (§4). An action of one kind turns the enemy's fools into pieces of that kind: so the actions are
//! generated kind by kind, each with the fools seen as they will be, from omega's masks of checks and pins.
//!
//! Their order: king, queens, rooks, wizards, champions, bishops, knights, pawns; of each kind the pieces and then the
//! fools that are of it, from the lowest square up; last the fools of no kind.

use super::{Bitboard, Kind, Options, Piece, Pieces, Position, Square, Suffix, pair::Pair, reach};
use crate::game::{
    Side,
    omega::{
        attacks, movegen as omega,
        safety::{Restraint, attackers, survives_en_passant, unattacked},
    },
};

/// The pieces as they stand after an action of one kind, the action's own pieces aside, and what this allows it.
struct Outlook {
    pieces: Pieces,
    restraint: Restraint,
}

impl Outlook {
    #[inline]
    fn after(position: &Position, kind: Option<Kind>) -> Outlook {
        let (side, king) = (position.side_to_move(), position.pieces().king(position.side_to_move()));
        let pieces = position.seeing_fools(!side, kind);
        Outlook { restraint: Restraint::of(&pieces, side, king), pieces }
    }
}

/// Kinds in the order of their actions.
const ORDER: [Kind; 8] = {
    let [queen, rook, wizard, champion, bishop, knight] = omega::PIECES;
    [Kind::King, queen, rook, wizard, champion, bishop, knight, Kind::Pawn]
};

/// Calls `sink` with each piece that has a legal move, all squares that its string names second, and the suffix that
/// goes with them.
pub(super) fn generate(position: &Position, options: &Options, mut sink: impl FnMut(Square, Bitboard, Suffix)) {
    let (side, pieces) = (position.side_to_move(), position.pieces());
    let (king, occupied) = (pieces.king(side), pieces.occupied());
    let mobile = position.mobile(options);
    let entering = if position.has_fool_in_hand(side) { position.unmoved() & mobile } else { Bitboard::EMPTY };
    let (fools, fools_are) = (position.fools(side) & mobile, position.fools_are(side));
    let changing = position.fools(!side).any();
    let unchanged = Outlook::after(position, None);
    let mut give = |from, targets: Bitboard, suffix| {
        if targets.any() {
            sink(from, targets, suffix);
        }
    };
    for kind in ORDER {
        let movers = pieces.of(side, kind) & mobile;
        let fools = if fools_are == Some(kind) { fools } else { Bitboard::EMPTY };
        if (movers | fools).is_empty() {
            continue;
        }
        let changed;
        let outlook = if changing {
            changed = Outlook::after(position, Some(kind));
            &changed
        } else {
            &unchanged
        };
        let restraint = &outlook.restraint;
        match kind {
            Kind::King if movers.any() => {
                let targets = attacks::reach(Kind::King, king, occupied) & !pieces.side(side);
                // The king does not hide the squares behind it from a slider that attacks it. A fool on its square
                // does.
                let without_king = occupied ^ Bitboard::of(king);
                give(king, unattacked(&outlook.pieces, targets, !side, without_king), Suffix::None);
                if entering.has(king) {
                    give(king, unattacked(&outlook.pieces, targets, !side, occupied), Suffix::Enters);
                }
            }
            Kind::King => {}
            Kind::Pawn => {
                for from in movers {
                    let targets = omega::pawn_moves(pieces, side, from);
                    let promoting = targets & omega::far_rank(side);
                    let captures = en_passant(position, &outlook.pieces, from);
                    give(from, targets & !promoting & restraint.targets(from) | captures, Suffix::None);
                    if promoting.any() {
                        for piece in Piece::PROMOTIONS {
                            let outlook = Outlook::after(position, Some(piece.kind_of_promotion()));
                            give(from, promoting & outlook.restraint.targets(from), Suffix::Becomes(piece));
                        }
                    }
                }
            }
            _ => {
                for from in movers {
                    let targets = reach::piece(options, kind, from, pieces, side);
                    give(from, targets & restraint.targets(from), Suffix::None);
                    if entering.has(from) {
                        // The fool closes the line that the piece leaves.
                        give(from, targets & restraint.allowed, Suffix::Enters);
                    }
                }
            }
        }
        if matches!(kind, Kind::King | Kind::Queen) && (movers & position.unmoved()).any() {
            pairs(position, &outlook.pieces, kind, mobile, &mut give);
        }
        for from in fools {
            let targets = reach::fool(options, Some(kind), from, pieces, side);
            give(from, targets & restraint.targets(from), Suffix::None);
        }
    }
    if fools_are.is_none() {
        for from in fools {
            let targets = reach::fool(options, None, from, pieces, side);
            give(from, targets & unchanged.restraint.targets(from), Suffix::None);
        }
    }
}

/// Castling or guarding (§1, §4), the fools being seen in `pieces` as they are afterwards.
fn pairs(
    position: &Position,
    pieces: &Pieces,
    kind: Kind,
    mobile: Bitboard,
    give: &mut impl FnMut(Square, Bitboard, Suffix),
) {
    let (side, occupied) = (position.side_to_move(), pieces.occupied());
    let ready = position.unmoved() & mobile;
    for pair in Pair::of(side, kind) {
        if (pair.left() & !ready).any() || (attacks::between(pair.from, pair.rook) & occupied).any() {
            continue;
        }
        let castles = kind == Kind::King;
        if castles && !path_is_safe(position, pair) {
            continue;
        }
        let king = if castles { pair.to } else { position.pieces().king(side) };
        let mut give_if_safe = |entered: Bitboard, suffix| {
            if attackers(pieces, king, !side, pair.after(occupied) | entered).is_empty() {
                give(pair.from, Bitboard::of(pair.named), suffix);
            }
        };
        give_if_safe(Bitboard::EMPTY, Suffix::None);
        if position.has_fool_in_hand(side) {
            give_if_safe(Bitboard::of(pair.from), Suffix::Enters);
            give_if_safe(Bitboard::of(pair.rook), Suffix::EntersForRook);
        }
    }
}

/// Whether the squares that a castling king leaves, passes and reaches are not attacked as things stand.
fn path_is_safe(position: &Position, castling: &Pair) -> bool {
    let enemy = !position.side_to_move();
    let pieces = position.seeing_fools(enemy, position.fools_are(enemy));
    let path = Bitboard::of(castling.from).with(castling.rook_to).with(castling.to);
    unattacked(&pieces, path, enemy, pieces.occupied()) == path
}

/// Whether `side`'s king is attacked as things stand.
pub(super) fn in_check(position: &Position, side: Side) -> bool {
    let pieces = position.seeing_fools(!side, position.fools_are(!side));
    attackers(&pieces, position.pieces().king(side), !side, pieces.occupied()).any()
}

/// Squares on which one pawn may capture en passant, the fools being seen in `pieces` as pawns.
#[inline]
fn en_passant(position: &Position, pieces: &Pieces, from: Square) -> Bitboard {
    if position.passed().is_empty() {
        return Bitboard::EMPTY;
    }
    let side = position.side_to_move();
    let king = position.pieces().king(side);
    let targets = attacks::pawn(side, from) & position.passed();
    targets.into_iter().filter(|&to| survives_en_passant(pieces, side, king, from, to)).collect()
}

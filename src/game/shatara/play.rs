//! Playing a legal action: the new position with its key, kept up to date fact by fact.

use super::{
    Action, ActionKind, Kind, Options, Position, PromotionAfter, PromotionStock, check, keys, position::Castling,
};
use crate::{
    board::{Bitboard, Square},
    game::{Side, text::MAX_COUNTER},
};

/// Plays a legal action.
#[inline]
pub(super) fn apply(options: &Options, position: &mut Position, action: Action) {
    let side = position.side;
    if let Some(passed) = position.en_passant.take() {
        position.key ^= keys::en_passant(passed);
    }
    let progress = if action.kind() == ActionKind::Move {
        move_piece(options, position, action.from(), action.to())
    } else {
        act(options, position, action)
    };
    position.clock = if progress { 0 } else { (position.clock + 1).min(MAX_COUNTER) };
    position.fullmove = (position.fullmove + side.index() as u32).min(MAX_COUNTER);
    position.side = !side;
    position.key ^= keys::BLACK;
}

/// A piece goes from square to square; returns whether that is progress.
#[inline]
fn move_piece(options: &Options, position: &mut Position, from: Square, to: Square) -> bool {
    let side = position.side;
    let kind = position.kind_on(from);
    let captures = position.pieces().side(!side).has(to);
    if captures {
        position.capture(options, to);
    }
    position.shift(side, kind, from, to);
    if options.ladder {
        position.unmark(from);
        if kind < Kind::Queen {
            position.mark(options, to);
        }
    }
    if (Castling::SQUARES & (Bitboard::of(from) | Bitboard::of(to))).any() {
        position.drop_rights(Castling(Castling::lost_at(from).0 | Castling::lost_at(to).0));
    }
    if kind != Kind::Pawn {
        return captures;
    }
    if from.index().abs_diff(to.index()) == 16 {
        let passed = Square::new((from.index() + to.index()) / 2);
        if check::en_passant_is_legal(position, !side, passed) {
            position.en_passant = Some(passed);
            position.key ^= keys::en_passant(passed);
        }
    }
    captures || options.pawn_moves_are_progress
}

/// Every action but a plain move; returns whether that is progress. Apart from [`move_piece`], so that the many plain
/// moves do not save the registers that only these need.
#[inline(never)]
fn act(options: &Options, position: &mut Position, action: Action) -> bool {
    let (side, from, to) = (position.side, action.from(), action.to());
    match action.kind() {
        ActionKind::Move => unreachable!("plain moves are played by `move_piece`"),
        ActionKind::Castling => {
            let (rook_from, rook_to) =
                if to.file() == 6 { (to.shift(1), to.shift(-1)) } else { (to.shift(-2), to.shift(1)) };
            position.shift(side, Kind::King, from, to);
            position.unmark(rook_from);
            position.shift(side, Kind::Rook, rook_from, rook_to);
            position.mark(options, rook_to);
            position.drop_rights(Castling::lost_at(from));
            return false;
        }
        ActionKind::EnPassant => {
            position.capture(options, to.shift(if side == Side::White { -8 } else { 8 }));
            position.unmark(from);
            position.shift(side, Kind::Pawn, from, to);
            position.mark(options, to);
        }
        ActionKind::Promotion(becomes) => {
            if position.pieces().side(!side).has(to) {
                position.capture(options, to);
                position.drop_rights(Castling::lost_at(to));
            }
            position.unmark(from);
            position.toggle(side, Kind::Pawn, from);
            position.toggle(side, becomes, to);
        }
        ActionKind::Ladder(becomes) => climb(options, position, to, becomes),
        ActionKind::Reinforcement => {
            position.toggle(side, Kind::Pawn, to);
            position.set_zone(side, Kind::Pawn, position.zone(side, Kind::Pawn) - 1);
        }
    }
    true
}

/// A piece becomes the next rank of the ladder where it stands (§3).
fn climb(options: &Options, position: &mut Position, square: Square, becomes: Kind) {
    let side = position.side;
    let was = position.kind_on(square);
    position.toggle(side, was, square);
    position.toggle(side, becomes, square);
    if options.promotion_after == PromotionAfter::MoveSinceRank || becomes == Kind::Queen {
        position.unmark(square);
    }
    if options.promotion_stock != PromotionStock::Unlimited {
        position.set_zone(side, becomes, position.zone(side, becomes) - 1);
    }
    if options.promotion_stock == PromotionStock::Exchange {
        position.set_zone(side, was, position.zone(side, was) + 1);
    }
    position.drop_rights(Castling::lost_at(square));
}

impl Position {
    /// The kind of the piece on an occupied square; a pawn for an empty one. Reads the bits of its number instead of
    /// asking kind after kind, which no branch predictor can foresee.
    #[inline]
    fn kind_on(&self, square: Square) -> Kind {
        /// Kinds by number; nothing has the last two.
        const BY_NUMBER: [Kind; 8] = {
            let [pawn, knight, bishop, rook, queen, king] = Kind::ALL;
            [pawn, knight, bishop, rook, queen, king, king, king]
        };
        let [_, knights, bishops, rooks, queens, kings] = self.pieces.by_kind();
        let bit = |set: Bitboard| usize::from(set.has(square));
        BY_NUMBER[bit(knights | rooks | kings) | bit(bishops | rooks) << 1 | bit(queens | kings) << 2]
    }

    /// Puts a piece on a square or takes it away.
    #[inline]
    fn toggle(&mut self, side: Side, kind: Kind, square: Square) {
        self.pieces.toggle(side, kind, square);
        self.key ^= keys::piece(side, kind, square);
    }

    /// Moves a piece to an empty square.
    #[inline]
    fn shift(&mut self, side: Side, kind: Kind, from: Square, to: Square) {
        self.pieces.toggle_all(side, kind, Bitboard::of(from) | Bitboard::of(to));
        self.key ^= keys::piece(side, kind, from) ^ keys::piece(side, kind, to);
    }

    /// Takes an enemy piece off the board.
    #[inline]
    fn capture(&mut self, options: &Options, square: Square) {
        self.toggle(!self.side, self.kind_on(square), square);
        if options.ladder {
            self.unmark(square);
        }
    }

    /// Lists an unlisted square as moved, if the ruleset keeps account of it.
    #[inline]
    fn mark(&mut self, options: &Options, square: Square) {
        if options.ladder {
            self.moved |= Bitboard::of(square);
            self.key ^= keys::moved(square);
        }
    }

    /// Takes a square out of those listed as moved.
    #[inline]
    fn unmark(&mut self, square: Square) {
        let listed = self.moved.0 >> square.index() & 1;
        self.moved &= !Bitboard::of(square);
        self.key ^= keys::moved(square) & listed.wrapping_neg();
    }

    #[inline]
    fn drop_rights(&mut self, rights: Castling) {
        self.key ^= keys::castling(self.castling);
        self.castling.0 &= !rights.0;
        self.key ^= keys::castling(self.castling);
    }

    #[inline]
    fn set_zone(&mut self, side: Side, kind: Kind, count: u8) {
        self.key ^= keys::zone(side, kind, self.zone(side, kind)) ^ keys::zone(side, kind, count);
        self.zones[side.index()][kind.index()] = count;
    }
}

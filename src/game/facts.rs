//! What a record says of actions and positions.

use super::{Rules, Side};

/// What a row of the record says of a decision: what self-play writes, statistics count and a
/// [`Restriction`](super::Restriction) names.
pub trait Facts: Rules {
    /// Names of the kinds of action, in the order of the numbers that [`action_kind`](Facts::action_kind) gives.
    const ACTION_KINDS: &'static [&'static str];
    /// Letters of the kinds of pieces that a zone (reserve, stock, hand) can hold, in the order of
    /// [`zone`](Facts::zone); empty when the game has none.
    const ZONE_KINDS: &'static str = "";
    /// Kinds of action that use the reserve or give a piece another rank, a part of
    /// [`ACTION_KINDS`](Facts::ACTION_KINDS): what statistics of reserve timing count as events.
    const RESERVE_KINDS: &'static [&'static str] = &[];

    /// Kind of an action, an index of [`ACTION_KINDS`](Facts::ACTION_KINDS).
    fn action_kind(&self, position: &Self::Position, action: Self::Action) -> usize;
    /// Pieces of one side's zone by kind, as many numbers as [`ZONE_KINDS`](Facts::ZONE_KINDS) has letters.
    fn zone(&self, _position: &Self::Position, _side: Side) -> Vec<u8> {
        Vec::new()
    }
    /// Pieces of one side that wait to be brought on, wherever they wait: in its zone, or on the board in a game whose
    /// reserve stands there.
    fn reserve(&self, _position: &Self::Position, _side: Side) -> u32 {
        0
    }
}

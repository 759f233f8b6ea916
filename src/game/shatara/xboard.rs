//! What XBoard must be taught of the game.

use super::{Action, ActionKind, Position, Preset, Shatara};
use crate::{
    board::Square,
    game::{Rules, XBoard},
};

impl XBoard for Shatara {
    /// The position from which every game starts, with the zones as holdings; nothing for chess, which XBoard knows.
    fn variant_setup(&self) -> String {
        if self.preset == Preset::Chess {
            return String::new();
        }
        let start = self.start.to_string();
        let placement = start.split(' ').next().unwrap_or_default();
        format!("setup (PNBRQ................Kpnbrq................k) 8x8+5_bughouse {placement} w KQkq - 0 1\n")
    }

    /// A ladder promotion goes to an empty square and back, a neighbour to which the piece could not move if there is
    /// one: XBoard knows no move that stays.
    fn grid_string(&self, position: &Position, action: Action) -> String {
        let ActionKind::Ladder(kind) = action.kind() else { return action.to_string() };
        let at = action.from();
        let mut legal = Vec::new();
        self.legal_actions(position, &mut legal);
        let is_near = |to: Square| at.file().abs_diff(to.file()).max(at.rank().abs_diff(to.rank())) == 1;
        let is_move = |to: Square| legal.iter().any(|action| (action.from(), action.to()) == (at, to));
        let by = (!position.pieces().occupied()).into_iter().min_by_key(|&to| (!is_near(to), is_move(to), to.index()));
        let by = by.unwrap_or(at);
        format!("{at}{by},{by}{at}{}", kind.letter().to_ascii_lowercase())
    }
}

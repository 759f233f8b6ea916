//! Check, told from the strings of the rules.

use crate::game::{TextGame, text_game::Scene};

/// Name of the square where the king of the side to move is in check; `None` where it is not, and in games without
/// check. `scene` is what there is to see of `position`.
///
/// Games with check refuse a position in which the side that waits is in check, and name the field `side`. So the same
/// position is asked about with the other side to move.
pub(super) fn checked_king(rules: &dyn TextGame, position: &str, scene: &Scene) -> Option<String> {
    let mut fields: Vec<&str> = position.split(' ').collect();
    let side = fields.get_mut(1)?;
    *side = if *side == "w" { "b" } else { "w" };
    let refusal = rules.normal(&fields.join(" ")).err()?;
    let king = scene.pieces.iter().find(|piece| piece.kind == 'K' && piece.side == scene.side)?;
    (refusal.field == "side").then(|| king.square.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::text_game::text_game;

    #[test]
    fn a_king_in_check_is_named() {
        let checked = |game: &str, position: &str| {
            let rules = text_game(game, &toml::Table::new()).unwrap();
            let scene = rules.scene(position).unwrap();
            checked_king(rules.as_ref(), position, &scene)
        };
        let chess = |rest: &str| checked("chess", &format!("{rest} 0 1"));
        assert_eq!(chess("4k3/8/8/8/8/8/8/4R1K1 b - -").as_deref(), Some("e8"));
        assert_eq!(chess("4k3/8/8/8/8/8/4P3/4R1K1 b - -"), None, "a pawn stands between");
        // A double step that uncovers a check: the passed square goes with it.
        assert_eq!(chess("8/8/8/8/k2pP2Q/8/8/6K1 b - e3").as_deref(), None, "both pawns stand between");
        assert_eq!(chess("8/8/8/5k2/3pP3/8/8/6K1 b - e3").as_deref(), Some("f5"));
        assert_eq!(checked("shatar", "4k3/4P3/8/8/8/8/8/4K3 b - 0 1").as_deref(), Some("e8"), "straight ahead");
        let start = text_game("omega", &toml::Table::new()).unwrap().start();
        assert_eq!(checked("omega", &start), None);
        // A king that can be jumped is not in check: the rules know none.
        let jumped = "**3**/**3**/**3**/***1***/7/7/3k3/3K3/7/7/***1***/**3**/**3**/**3**[] w - - - 0 1";
        assert_eq!(checked("shatra", jumped), None);
    }
}

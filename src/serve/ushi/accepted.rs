//! Which actions Shatrabase refuses though these rules allow them, as read in its public source (`sboard.cpp`, its
//! "Extended" rules):
//!
//! - no pawn stops a series;
//! - where anything but the king can capture, nothing but a capture is played, a pawn in the enemy's home included;
//! - of the squares beyond one piece from which a series goes on, the nearest alone;
//! - while there is an initial reserve, no king lands in its fortress by a jump from outside;
//! - no piece is placed from a gate, save a king of the initial reserve from its own;
//! - where there is nothing to capture, a piece marked by Shatrabase is placed before anything else is done.

use super::{
    notation::ParsedAction,
    spn::{Place, Spn},
};

/// Those of the legal actions that Shatrabase takes. `goes_on` says whether the same side is to move after an action.
pub(super) fn accepted(board: &Spn, legal: &[String], goes_on: impl Fn(&str) -> bool) -> Vec<String> {
    let all: Vec<(&String, ParsedAction)> =
        legal.iter().filter_map(|action| ParsedAction::read(action).map(|parsed| (action, parsed))).collect();
    let kind = |place: Place| board.piece(place).map(|piece| piece.kind);
    let captures = |parsed: &ParsedAction| parsed.victim(board).is_some();
    let is_bound = all.iter().any(|(_, parsed)| match parsed {
        ParsedAction::Move { from, .. } => captures(parsed) && kind(*from) != Some('K'),
        ParsedAction::Stop => false,
    });
    let captures_nothing = !all.iter().any(|(_, parsed)| captures(parsed));
    let must_place = |(place, piece): (Place, super::spn::Piece)| {
        piece.side == board.side && piece.is_marked && place.is_fortress(piece.side)
    };
    let marked: Vec<Place> = board
        .pieces()
        .filter(|_| captures_nothing)
        .filter(|&piece| must_place(piece))
        .map(|(place, _)| place)
        .collect();
    let is_due = |from: Place, is_placing: bool| marked.is_empty() || is_placing && marked.contains(&from);
    let takes = |(action, parsed): &&(&String, ParsedAction)| {
        let ParsedAction::Move { from, to, is_placing, .. } = *parsed else {
            return board.jumper.and_then(kind) == Some('K');
        };
        if !is_due(from, is_placing) {
            return false;
        }
        if is_placing {
            let is_king_at_home = kind(from) == Some('K') && from.is_gate(board.side) && board.has_temdek(board.side);
            return !is_bound && (is_king_at_home || !(from.is_gate(board.side) || from.is_gate(!board.side)));
        }
        let Some(victim) = parsed.victim(board) else { return !is_bound };
        let enters = kind(from) == Some('K') && to.is_fortress(board.side) && !from.is_fortress(board.side);
        let nearer = all.iter().any(|(other, nearer)| match *nearer {
            ParsedAction::Move { from: start, to: end, .. } => {
                start == from
                    && nearer.victim(board) == Some(victim)
                    && distance(end, from) < distance(to, from)
                    && goes_on(other)
            }
            ParsedAction::Stop => false,
        });
        !(enters && board.has_temdek(board.side) || nearer && goes_on(action))
    };
    all.iter().filter(takes).map(|(action, _)| (*action).clone()).collect()
}

fn distance(a: Place, b: Place) -> i32 {
    let ((column, row), (other_column, other_row)) = (a.spot(), b.spot());
    (column - other_column).abs().max((row - other_row).abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::text_game::text_game;

    /// Legal actions of a position that Shatrabase refuses.
    fn refused(spn: &str) -> Vec<String> {
        let rules = text_game("shatra", &toml::Table::new()).unwrap();
        let board: Spn = spn.parse().unwrap();
        let position = rules.normal(&board.position()).unwrap();
        let legal: Vec<String> = rules.legal(&position).unwrap().into_iter().map(|legal| legal.action).collect();
        let side = |position: &str| position.split(' ').nth(1).map(str::to_owned);
        let taken =
            accepted(&board, &legal, |action| side(&rules.after(&position, action).unwrap()) == side(&position));
        legal.into_iter().filter(|action| !taken.contains(action)).collect()
    }

    #[test]
    fn what_shatrabase_refuses() {
        assert_eq!(refused("sqssrsbrb/k/sssssss/7/7/7/7/SSSSSSS/K/BRBSRSSQS w Tt - - - 1"), [""; 0]);
        // A rook on its own gate.
        let at_the_gate = refused("k8/1/7/7/7/7/7/K6/R/9 w - - - - 1");
        assert!(at_the_gate.iter().all(|action| action.starts_with("d4@")), "{at_the_gate:?}");
        assert_eq!(at_the_gate.len(), 20);
        // A marked piece goes first.
        let marked = refused("9/k/7/7/7/7/7/SSSSSSS/K/!B8 w T - - - 1");
        assert!(!marked.is_empty() && marked.iter().all(|action| !action.starts_with("c3@")), "{marked:?}");
        // A pawn in the enemy's home that can capture, and need not by these rules.
        let free = refused("4r2S1/1/7/3k3/7/7/K6/7/1/9 w - - - - 1");
        assert!(free.iter().any(|action| action.starts_with("a6")), "{free:?}");
        // Two squares beyond one piece from which a rook goes on.
        assert_eq!(refused("k8/1/7/7/5s1/5s1/3s3/K2R3/1/9 w - - - - 1"), ["d5d8"]);
        // A pawn that may stop in a series.
        assert_eq!(refused("4r3S/1/5p1/3k3/7/7/K6/7/1/9 w - 9 - - 1"), ["0000"]);
    }
}

//! What proofs mean for the choice of an action: which actions are still worth a visit, and which may be played.

use super::{Proof, SearchConfig, tree::Edge};

/// Whether an action of a position that is not solved should still be visited: not when it is known to lose.
pub(super) fn worth_playing<A>(config: &SearchConfig, edge: &Edge<A>) -> bool {
    !(config.solver && edge.proof.is_loss())
}

/// Whether an action may be played in a position of which `position` is known: it must keep a proven value, and not
/// lose without need.
pub(super) fn keeps_value<A>(config: &SearchConfig, position: Proof, edge: &Edge<A>) -> bool {
    match position {
        Proof::Win(_) => edge.proof.is_win(),
        Proof::Draw(_) => edge.proof.is_draw(),
        Proof::Loss(_) => true,
        Proof::Unknown => worth_playing(config, edge),
    }
}

/// In a position known to be won or lost, the action that wins soonest or loses latest.
pub(super) fn fastest<A>(position: Proof, edges: &[Edge<A>]) -> Option<u32> {
    let plies = |edge: &Edge<A>| match (position, edge.proof) {
        (Proof::Win(_), Proof::Win(plies)) => Some(i32::from(plies)),
        (Proof::Loss(_), Proof::Loss(plies)) => Some(-i32::from(plies)),
        _ => None,
    };
    let ends = edges.iter().enumerate().filter_map(|(i, edge)| Some((i as u32, plies(edge)?)));
    ends.min_by_key(|&(_, plies)| plies).map(|(i, _)| i)
}

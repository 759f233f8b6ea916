//! A game to be stepped through on a page: every position as it looks, and what the search found there.

use serde::Serialize;

use super::GameColumns;
use crate::game::{Outcome, Side, TextGame, text_game::TextGameError};

/// Actions that are shown of a search, the one that was played besides.
const SHOWN: usize = 8;

/// A game that was read with its [searches](super::Runs::with_searches).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    pub run: String,
    pub generation: u64,
    /// Index within the generation.
    pub index: u64,
    /// `white`, `black` or `draw`.
    pub result: &'static str,
    pub reason: String,
    /// One for each action, and a last one without.
    pub plies: Vec<Ply>,
}

/// A position of a game, and what was done in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ply {
    pub position: String,
    pub side: Side,
    /// A letter for each place of the grid, row by row from White's side: upper case for White's pieces, a full stop where
    /// none stands.
    pub placement: String,
    /// White's zone and Black's by kind.
    pub zones: [Vec<u8>; 2],
    pub marks: Vec<Marked>,
    /// None at the end of the game.
    pub decision: Option<Decision>,
}

/// What a game shows of a piece beside its kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Marked {
    pub square: String,
    /// The word for it.
    pub mark: String,
}

/// An action and the search that it comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decision {
    pub action: String,
    /// One of the game's kinds of action.
    pub kind: String,
    /// `full`, `cheap`, `opening` or `forced`.
    pub decision: String,
    /// Win less loss for White, -1 to 1, by the search; none without one.
    pub value: Option<f64>,
    /// The network's probability of the action.
    pub prior: Option<f64>,
    /// The actions that were searched most, and the one that was played.
    pub candidates: Vec<Candidate>,
    /// Visits of all actions.
    pub visits: u32,
}

/// An action as a search saw it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    pub action: String,
    pub visits: u32,
    /// Win less loss for the side to move; none where it was not visited.
    pub q: Option<f32>,
    /// Probability that the search gives the action, the target of the policy.
    pub policy: f32,
}

impl Replay {
    /// The game as `rules` show it.
    ///
    /// # Errors
    /// When a position is none of these rules.
    ///
    /// # Panics
    /// When the game was read without its searches.
    pub fn new(game: &GameColumns, rules: &dyn TextGame) -> Result<Replay, TextGameError> {
        let plies = (0..=game.plies()).map(|ply| Ply::new(game, rules, ply));
        Ok(Replay {
            run: game.run.to_string(),
            generation: game.generation,
            index: game.index,
            result: Outcome::name_of(game.winner),
            reason: game.reason.clone(),
            plies: plies.collect::<Result<_, _>>()?,
        })
    }
}

impl Ply {
    fn new(game: &GameColumns, rules: &dyn TextGame, ply: usize) -> Result<Ply, TextGameError> {
        let position = game.position(ply);
        let scene = rules.scene(position)?;
        let (rows, columns) = rules.grid();
        let mut placement = String::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let name = rules.square(row, column).map(|square| square.name);
                let piece = scene.pieces.iter().find(|piece| Some(&piece.square) == name.as_ref());
                placement.push(match piece {
                    Some(piece) if piece.side == Side::White => piece.kind,
                    Some(piece) => piece.kind.to_ascii_lowercase(),
                    None => '.',
                });
            }
        }
        let decision = (ply < game.plies()).then(|| {
            let legal: Vec<&str> = scene.legal.iter().map(|legal| legal.action.as_str()).collect();
            Decision::new(game, rules, ply, &legal)
        });
        Ok(Ply {
            position: position.to_owned(),
            side: scene.side,
            placement,
            zones: scene.zones,
            marks: scene.marks.into_iter().map(|(square, mark)| Marked { square, mark: mark.to_string() }).collect(),
            decision,
        })
    }
}

impl Decision {
    fn new(game: &GameColumns, rules: &dyn TextGame, ply: usize, legal: &[&str]) -> Decision {
        let (visits, q, policy) = (game.visits(ply), game.q(ply), game.policy(ply));
        let mut order: Vec<usize> = (0..visits.len().min(legal.len())).collect();
        order.sort_by(|&a, &b| visits[b].cmp(&visits[a]).then(policy[b].total_cmp(&policy[a])));
        let chosen = game.chosen(ply);
        let shown = order.iter().enumerate().filter(|&(place, &action)| place < SHOWN || action == chosen);
        let candidates = shown.map(|(_, &action)| Candidate {
            action: legal[action].to_owned(),
            visits: visits[action],
            q: q[action],
            policy: policy[action],
        });
        let towards = |side| if side == Side::White { 1.0 } else { -1.0 };
        Decision {
            action: game.action(ply).to_owned(),
            kind: rules.action_kinds()[usize::from(game.kind(ply))].to_owned(),
            decision: game.decision(ply).to_owned(),
            value: game.root_value(ply).map(|value| value * towards(game.side(ply))),
            prior: game.prior(ply),
            candidates: candidates.collect(),
            visits: visits.iter().copied().fold(0, u32::saturating_add),
        }
    }
}

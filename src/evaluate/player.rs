//! The trait of a player, and how a user names one.

use std::{fmt, path::PathBuf, str::FromStr};

use thiserror::Error;

use super::{Batcher, EngineSpec, EngineSpecError};
use crate::game::{Encode, Game, History, Wdl, random::Rng};

/// The position to act in, and how it came about.
#[derive(Debug)]
pub struct Turn<'a, R: Encode> {
    pub game: &'a Game<R>,
    pub position: &'a R::Position,
    /// Ends with `position`.
    pub history: &'a History,
    /// Never empty.
    pub legal: &'a [R::Action],
}

/// What a player thinks of one action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<A> {
    pub action: A,
    /// Playouts through the action.
    pub visits: u32,
    /// Prior probability.
    pub prior: f32,
    /// Value for the side to move, -1 to 1.
    pub value: f32,
}

/// The action a player chose, and what it is willing to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<A> {
    pub action: A,
    /// Probability of win, draw and loss for the side to move; `None` of players without a notion of it.
    pub wdl: Option<Wdl>,
    /// Best first; empty of players that do not compare actions.
    pub candidates: Vec<Candidate<A>>,
}

impl<A> Choice<A> {
    /// A choice without reasons.
    pub fn bare(action: A) -> Self {
        Choice { action, wdl: None, candidates: Vec::new() }
    }
}

/// How far a player has got.
#[derive(Clone, Debug, PartialEq)]
pub enum Thought<A> {
    Chosen(Choice<A>),
    /// The player cannot go on, for this reason, and loses the game.
    Forfeit(String),
    /// The player added rows to its batcher's batch and goes on after [`Player::receive`].
    Waiting,
}

/// A player on one side of one game; it may remember things from turn to turn.
///
/// Thinking is resumable, so that one thread plays many games at once and evaluates the positions they ask about in one
/// batch: the owner of the player calls [`think`](Player::think) when the batcher has room, and while that answers
/// [`Thought::Waiting`] evaluates the rows it added, calls [`receive`](Player::receive) and then `think` again with the
/// same turn.
pub trait Player<R: Encode>: Send {
    /// Goes on thinking about `turn`. Adds rows to the batcher's batch exactly when it answers [`Thought::Waiting`], as
    /// many as [`Batcher::leaves`] at most.
    fn think(&mut self, turn: &Turn<'_, R>, rng: &mut Rng, batcher: &mut Batcher<R>) -> Thought<R::Action>;

    /// The evaluations of the rows added last begin at row `first` of the batcher's.
    fn receive(&mut self, _game: &Game<R>, _batcher: &mut Batcher<R>, _first: usize) {}

    /// Either side played `action` in the game.
    fn observe(&mut self, _action: R::Action) {}
}

/// How a user names a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// `random`: every legal action alike.
    Random,
    /// `greedy`: the best material after its own action.
    Greedy,
    /// `alphabeta:DEPTH`: material and mobility at a fixed depth in plies. `alphabeta:DEPTH@PERCENT%`: the same, but
    /// with that chance at each of its turns any legal action.
    AlphaBeta {
        depth: u32,
        /// Percent, 0 to 99.
        random: u32,
    },
    /// `uci:COMMAND` or `xboard:COMMAND`: another program.
    Engine(EngineSpec),
    /// Anything else: the folder of a checkpoint, or a bundle (`*.maydan`).
    Checkpoint(PathBuf),
}

/// The deepest `alphabeta` that can be asked for.
pub const MAX_DEPTH: u32 = 20;

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerSpecError {
    #[error("player `alphabeta`: expected a depth, as in `alphabeta:2`")]
    NoDepth,
    #[error("player `{player}`: expected a depth of 1 to {MAX_DEPTH}, found `{found}`")]
    Depth { player: String, found: String },
    #[error("player `{player}`: expected 1% to 99% of random actions, as in `alphabeta:2@20%`, found `{found}`")]
    Percent { player: String, found: String },
    #[error(
        "player: expected a checkpoint or bundle, `random`, `greedy`, `alphabeta:DEPTH` or `uci:COMMAND`, found nothing"
    )]
    Nothing,
    #[error(transparent)]
    Engine(#[from] EngineSpecError),
}

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(text: &str) -> Result<Self, PlayerSpecError> {
        if let Some(engine) = EngineSpec::of(text) {
            return Ok(PlayerSpec::Engine(engine?));
        }
        match text.split_once(':') {
            None if text == "random" => Ok(PlayerSpec::Random),
            None if text == "greedy" => Ok(PlayerSpec::Greedy),
            None if text == "alphabeta" => Err(PlayerSpecError::NoDepth),
            Some(("alphabeta", rest)) => {
                let (depth, percent) = rest.split_once('@').map_or((rest, None), |(depth, rest)| (depth, Some(rest)));
                let Ok(depth @ 1..=MAX_DEPTH) = depth.parse() else {
                    return Err(PlayerSpecError::Depth { player: text.to_owned(), found: depth.to_owned() });
                };
                let random = match percent.map(|percent| (percent, percent.strip_suffix('%').map(str::parse))) {
                    None => 0,
                    Some((_, Some(Ok(random @ 1..=99)))) => random,
                    Some((found, _)) => {
                        return Err(PlayerSpecError::Percent { player: text.to_owned(), found: found.to_owned() });
                    }
                };
                Ok(PlayerSpec::AlphaBeta { depth, random })
            }
            _ if text.is_empty() => Err(PlayerSpecError::Nothing),
            _ => Ok(PlayerSpec::Checkpoint(PathBuf::from(text))),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => f.write_str("random"),
            PlayerSpec::Greedy => f.write_str("greedy"),
            PlayerSpec::AlphaBeta { depth, random: 0 } => write!(f, "alphabeta:{depth}"),
            PlayerSpec::AlphaBeta { depth, random } => write!(f, "alphabeta:{depth}@{random}%"),
            PlayerSpec::Engine(engine) => write!(f, "{engine}"),
            PlayerSpec::Checkpoint(path) => write!(f, "{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_players() {
        for name in [
            "random",
            "greedy",
            "alphabeta:1",
            "alphabeta:20",
            "alphabeta:2@20%",
            "uci:stockfish?Hash=16",
            "models/run/gen-000042",
            "C:/models/x",
        ] {
            assert_eq!(name.parse::<PlayerSpec>().unwrap().to_string(), name);
        }
        for (name, part) in [
            ("alphabeta:0", "`0`"),
            ("alphabeta:", "``"),
            ("alphabeta:x", "`x`"),
            ("alphabeta:2@", "``"),
            ("alphabeta:2@20", "`20`"),
            ("alphabeta:2@0%", "`0%`"),
            ("alphabeta:2@100%", "`100%`"),
            ("alphabeta:x@5%", "depth"),
            ("alphabeta", "depth"),
            ("", "nothing"),
        ] {
            let error = name.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}

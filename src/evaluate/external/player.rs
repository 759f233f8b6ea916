//! An engine on one side of one game.

use std::time::Duration;

use super::{
    EngineLimits, EngineSpec, Speech,
    dialect::{Dialect, GameText},
    process::EngineFault,
};
use crate::{
    evaluate::{Batcher, Choice, Player, Thought, Turn},
    game::{ActionError, Encode, Game, XBoard, random::Rng},
};

/// An engine that is started for one game. While it thinks, its thread waits.
pub struct External<R: Encode + XBoard> {
    spec: EngineSpec,
    limits: EngineLimits,
    dialect: Option<Dialect>,
    actions: Vec<R::Action>,
}

impl EngineSpec {
    /// Starts the engine and lets it think about the start of a game of its own, so that a match does not begin against
    /// a program that is not there or never answers.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn try_out(&self, limits: EngineLimits) -> Result<(), EngineFault> {
        // A time beside the nodes bounds how long is waited for an answer.
        let time = Some(limits.time.unwrap_or(Duration::from_millis(100)));
        let limits = EngineLimits { nodes: limits.nodes, time, clock: None };
        Dialect::start(self, limits)?.ask(&GameText { start: None, moves: &[] }).map(drop)
    }
}

impl<R: Encode + XBoard> External<R> {
    pub fn new(spec: EngineSpec, limits: EngineLimits) -> Self {
        External { spec, limits, dialect: None, actions: Vec::new() }
    }

    /// The engine's move, held against the rules.
    fn choose(&mut self, turn: &Turn<'_, R>) -> Result<R::Action, EngineFault> {
        let (moves, start) = self.retell(turn);
        let dialect = match &mut self.dialect {
            Some(dialect) => dialect,
            none => none.insert(Dialect::start(&self.spec, self.limits)?),
        };
        let text = dialect.ask(&GameText { start: start.as_deref(), moves: &moves })?;
        let find = |&&action: &&R::Action| self.written(turn.game, turn.position, action) == text;
        let action = turn.legal.iter().find(find).copied();
        action.ok_or_else(|| ActionError::new(text, turn.position.to_string()).into())
    }

    /// The game in strings: from the start of every game where that leads here, else from the position itself.
    fn retell(&self, turn: &Turn<'_, R>) -> (Vec<String>, Option<String>) {
        let mut position = turn.game.start();
        let (mut moves, mut legal) = (Vec::new(), Vec::new());
        for &action in &self.actions {
            turn.game.legal_actions(&position, &mut legal);
            if !legal.contains(&action) {
                break;
            }
            let side = turn.game.side_to_move(&position);
            moves.push(self.written(turn.game, &position, action));
            turn.game.apply(&mut position, action);
            if self.spec.speech == Speech::Xboard && turn.game.side_to_move(&position) == side {
                // The protocol knows two moves of one side in a row only with none of the other's in between.
                moves.push("@@@@".to_owned());
            }
        }
        if position == *turn.position { (moves, None) } else { (Vec::new(), Some(turn.position.to_string())) }
    }

    /// An action as the engine writes it: in XBoard's protocol boards of any shape are grids.
    fn written(&self, game: &Game<R>, position: &R::Position, action: R::Action) -> String {
        match self.spec.speech {
            Speech::Uci => action.to_string(),
            Speech::Xboard => game.rules().grid_string(position, action),
        }
    }
}

impl<R: Encode + XBoard> Player<R> for External<R> {
    fn think(&mut self, turn: &Turn<'_, R>, _: &mut Rng, _: &mut Batcher<R>) -> Thought<R::Action> {
        match self.choose(turn) {
            Ok(action) => Thought::Chosen(Choice::bare(action)),
            Err(fault) => Thought::Forfeit(fault.to_string()),
        }
    }

    fn observe(&mut self, action: R::Action) {
        self.actions.push(action);
    }
}

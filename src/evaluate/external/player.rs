//! An engine in one seat of one game.

use super::{
    EngineLimits, EngineSpec, Speech,
    dialect::{Dialect, Told},
    process::EngineFault,
};
use crate::{
    evaluate::{Choice, Desk, Player, Thought, Turn},
    game::{ActionError, Encode, random::Rng},
};

/// An engine that is started for one game. While it thinks, its thread waits.
pub struct External<G: Encode> {
    spec: EngineSpec,
    limits: EngineLimits,
    dialect: Option<Dialect>,
    actions: Vec<G::Action>,
}

impl<G: Encode> External<G> {
    pub fn new(spec: EngineSpec, limits: EngineLimits) -> Self {
        External { spec, limits, dialect: None, actions: Vec::new() }
    }

    /// The engine's move, held against the rules.
    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<G::Action, EngineFault> {
        let (moves, start) = self.retell(turn);
        let dialect = match &mut self.dialect {
            Some(dialect) => dialect,
            none => none.insert(Dialect::start(&self.spec, self.limits)?),
        };
        let text = dialect.ask(&Told { start: start.as_deref(), moves: &moves })?;
        let find = |&&action: &&G::Action| self.spoken(turn.game, turn.position, action) == text;
        let action = turn.legal.iter().find(find).copied();
        action.ok_or_else(|| ActionError::new(text, turn.game.position_string(turn.position)).into())
    }

    /// The game in strings: from the start of every game where that leads here, else from the position itself.
    fn retell(&self, turn: &Turn<'_, G>) -> (Vec<String>, Option<String>) {
        let mut position = turn.game.start();
        let (mut moves, mut legal) = (Vec::new(), Vec::new());
        for &action in &self.actions {
            turn.game.legal_actions(&position, &mut legal);
            if !legal.contains(&action) {
                break;
            }
            let side = turn.game.side_to_move(&position);
            moves.push(self.spoken(turn.game, &position, action));
            turn.game.apply(&mut position, action);
            if self.spec.speech == Speech::Xboard && turn.game.side_to_move(&position) == side {
                // The protocol knows two moves of one side in a row only with none of the other's in between.
                moves.push("@@@@".to_owned());
            }
        }
        if position == *turn.position {
            (moves, None)
        } else {
            (Vec::new(), Some(turn.game.position_string(turn.position)))
        }
    }

    /// An action as the engine writes it: in XBoard's protocol boards of any shape are grids.
    fn spoken(&self, game: &G, position: &G::Position, action: G::Action) -> String {
        match self.spec.speech {
            Speech::Uci => game.action_string(position, action),
            Speech::Xboard => game.grid_string(position, action),
        }
    }
}

impl<G: Encode> Player<G> for External<G> {
    fn think(&mut self, turn: &Turn<'_, G>, _: &mut Rng, _: &mut Desk<G>) -> Thought<G::Action> {
        match self.choose(turn) {
            Ok(action) => Thought::Chosen(Choice::bare(action)),
            Err(fault) => Thought::Forfeit(fault.to_string()),
        }
    }

    fn observe(&mut self, action: G::Action) {
        self.actions.push(action);
    }
}

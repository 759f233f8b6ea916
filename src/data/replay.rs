//! A game rebuilt from its rows, through the rules.

use std::path::Path;

use arrow_array::{StringArray, UInt32Array};

use super::{DataError, check_identity, column::array, read_columns};
use crate::game::{Encode, Game, History, NameError, Notation, Outcome, Reason, Rules};

/// A game as it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedGame<R: Rules> {
    pub generation: u64,
    /// Index within the generation.
    pub index: u64,
    pub start: R::Position,
    pub actions: Vec<R::Action>,
    /// The position after the last action.
    pub end: R::Position,
    pub outcome: Outcome,
}

/// Rebuilds every game of a file and holds each row against the rules: positions, sides, actions, and the end.
///
/// # Errors
/// When the file cannot be read, is damaged, foreign or of another ruleset, or a row contradicts the rules.
pub fn replay<R: Encode + Notation>(game: &Game<R>, path: &Path) -> Result<Vec<ReplayedGame<R>>, DataError> {
    const COLUMNS: [&str; 7] = ["game_index", "ply", "side", "position", "action", "result", "reason"];
    let (info, batches) = read_columns(path, &COLUMNS)?;
    check_identity(&info, game.ruleset(), game.layout().version)?;
    let mut games: Vec<ReplayedGame<R>> = Vec::new();
    let mut current: Option<Player<'_, R>> = None;
    let mut row = 0;
    for batch in &batches {
        let [indices, plies]: [&UInt32Array; 2] = ["game_index", "ply"].map(|name| array(batch, name));
        let [sides, positions, actions, results, reasons]: [&StringArray; 5] =
            ["side", "position", "action", "result", "reason"].map(|name| array(batch, name));
        for i in 0..batch.num_rows() {
            let fault = |(field, reason): Fault| DataError::row(path, row, field, reason);
            if plies.value(i) == 0 {
                if let Some(player) = current.take() {
                    games.push(player.finish().map_err(fault)?);
                }
                let outcome = Outcome::from_names(results.value(i), reasons.value(i));
                let outcome = outcome.map_err(|error: NameError| fault((error.field, error.to_string())))?;
                let index = u64::from(indices.value(i));
                current = Some(
                    Player::new(game, info.manifest.generation, index, positions.value(i), outcome).map_err(fault)?,
                );
            }
            let player = current.as_mut().ok_or_else(|| fault(("ply", "the first row of a game is missing".into())))?;
            player.expect_row(u64::from(indices.value(i)), plies.value(i)).map_err(fault)?;
            player.play(sides.value(i), positions.value(i), actions.value(i)).map_err(fault)?;
            row += 1;
        }
    }
    if let Some(player) = current {
        let last = row.saturating_sub(1);
        games.push(player.finish().map_err(|(field, reason)| DataError::row(path, last, field, reason))?);
    }
    if games.len() as u64 != info.manifest.games {
        let found = format!("{}", games.len());
        return Err(DataError::foreign(path, "games", info.manifest.games, found));
    }
    Ok(games)
}

/// A column and what is wrong with it.
type Fault = (&'static str, String);

/// A game half rebuilt.
struct Player<'a, R: Encode + Notation> {
    game: &'a Game<R>,
    history: History,
    legal: Vec<R::Action>,
    replayed: ReplayedGame<R>,
}

impl<'a, R: Encode + Notation> Player<'a, R> {
    fn new(game: &'a Game<R>, generation: u64, index: u64, start: &str, outcome: Outcome) -> Result<Self, Fault> {
        let start = game.parse_position(start).map_err(|e| ("position", e.to_string()))?;
        let replayed = ReplayedGame { generation, index, start, actions: Vec::new(), end: start, outcome };
        Ok(Player { game, history: History::new(game, &start), legal: Vec::new(), replayed })
    }

    fn expect_row(&self, index: u64, ply: u32) -> Result<(), Fault> {
        if index != self.replayed.index {
            return Err(("game_index", format!("expected {}, found {index}", self.replayed.index)));
        }
        if ply as usize != self.replayed.actions.len() {
            return Err(("ply", format!("expected {}, found {ply}", self.replayed.actions.len())));
        }
        Ok(())
    }

    fn play(&mut self, side: &str, position: &str, action: &str) -> Result<(), Fault> {
        let (game, end) = (self.game, &mut self.replayed.end);
        let expected = end.to_string();
        if position != expected {
            return Err(("position", format!("expected `{expected}`, found `{position}`")));
        }
        let mover = game.side_to_move(end).to_string();
        if side != mover {
            return Err(("side", format!("expected {mover}, found {side}")));
        }
        game.legal_actions(end, &mut self.legal);
        if let Some(outcome) = self.history.outcome(game, end, &self.legal) {
            return Err(("position", format!("the game had ended before it: {outcome}")));
        }
        let action = game.parse_action(end, action).map_err(|e| ("action", e.to_string()))?;
        game.apply(end, action);
        self.history.push(game, end);
        self.replayed.actions.push(action);
        Ok(())
    }

    /// Holds the end of the game against the rules, which know nothing of resignation, agreement or a cap on the plies.
    fn finish(mut self) -> Result<ReplayedGame<R>, Fault> {
        let end = &self.replayed.end;
        self.game.legal_actions(end, &mut self.legal);
        let stated = self.replayed.outcome;
        let agrees = match self.history.outcome(self.game, end, &self.legal) {
            Some(outcome) => outcome == stated,
            None => match stated.reason {
                Reason::Resignation => stated.winner.is_some(),
                Reason::Agreement | Reason::MaxPlies | Reason::CutOff => stated.winner.is_none(),
                _ => false,
            },
        };
        if agrees { Ok(self.replayed) } else { Err(("result", format!("the rules do not end the game in {stated}"))) }
    }
}

//! Analysis: what a bot expects of a position, and what each move of a game gave away.

use std::sync::{Arc, mpsc};

use serde::Serialize;
use thiserror::Error;

use super::{Bot, Limits, Options, Report, Thought, Turn, bot::GameBot};
use crate::{
    game::{Game, Outcome, Playable, Side, Wdl, random::Rng, text_game::TextGameError},
    model::{EvaluatorError, MakeEvaluator},
};

/// Expected points (win 1, draw 1/2) that a move gives away before it is called so.
const INACCURACY: f32 = 0.1;
const MISTAKE: f32 = 0.2;
const BLUNDER: f32 = 0.3;

/// An analysis that cannot go on. Each prints as one line.
#[derive(Debug, Error)]
pub enum AnalysisError {
    #[error(transparent)]
    Text(#[from] TextGameError),
    #[error("move {number}, `{action}`: {source}")]
    Move { number: usize, action: String, source: TextGameError },
    #[error("{0}")]
    Evaluator(String),
}

/// A position with what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The position as a string.
    pub position: String,
    pub side: Side,
    /// What the search found; none where the game is over.
    pub report: Option<Report>,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
}

impl Analysis {
    /// The chances of the side to move, by the search or by the rules.
    pub fn wdl(&self) -> Wdl {
        match (&self.report, self.outcome) {
            (Some(report), _) => report.wdl,
            (None, Some(outcome)) => match outcome.winner {
                Some(winner) if winner == self.side => Wdl::WIN,
                Some(_) => Wdl::LOSS,
                None => Wdl::DRAW,
            },
            (None, None) => Wdl::DRAW,
        }
    }
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Fault {
    /// What a move that gives away so many points is.
    pub fn of(lost: f32) -> Option<Fault> {
        match lost {
            lost if lost >= BLUNDER => Some(Fault::Blunder),
            lost if lost >= MISTAKE => Some(Fault::Mistake),
            lost if lost >= INACCURACY => Some(Fault::Inaccuracy),
            _ => None,
        }
    }
}

/// A move of a game, with the chances of the side that made it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgedMove {
    pub action: String,
    pub side: Side,
    /// By the search of the position before the move.
    pub before: Wdl,
    /// By the search of the position after it.
    pub after: Wdl,
    /// What the search would have played.
    pub best: String,
    /// Expected points given away, 0 to 1: 0 where the move is the best one.
    pub lost: f32,
    pub fault: Option<Fault>,
}

/// A bot that analyses: one search after the other, each with the same limits.
pub struct Analyst {
    bot: Box<dyn Bot>,
    thoughts: mpsc::Receiver<Thought>,
    options: Options,
    limits: Limits,
}

impl Analyst {
    /// # Errors
    /// When there is no evaluator of `network`.
    pub fn new<R: Playable>(
        game: Game<R>,
        network: Arc<MakeEvaluator>,
        rng: Rng,
        options: Options,
        limits: Limits,
    ) -> Result<Self, EvaluatorError> {
        let (sender, thoughts) = mpsc::channel();
        let bot = GameBot::new(game, network, rng, move |thought| sender.send(thought).is_ok())?;
        Ok(Analyst { bot: Box::new(bot), thoughts, options, limits })
    }

    /// The position for a person.
    pub fn draw(&self) -> String {
        self.bot.draw()
    }

    /// Analyses a position, or where every game starts, after these actions.
    ///
    /// # Errors
    /// When the text is no position, an action is not legal, or the evaluator fails.
    pub fn position(&mut self, position: Option<&str>, actions: &[&str]) -> Result<Analysis, AnalysisError> {
        self.bot.set_up(position, actions)?;
        self.think()
    }

    /// Analyses the position before each action of a game that began at `start`, and the last one; `each` is called
    /// with every move as soon as it is judged.
    ///
    /// # Errors
    /// When `start` is no position, an action is not legal, or the evaluator fails.
    pub fn game(
        &mut self,
        start: &str,
        actions: &[&str],
        each: &mut dyn FnMut(&JudgedMove),
    ) -> Result<Vec<JudgedMove>, AnalysisError> {
        let mut before = self.position(Some(start), &[])?;
        let mut judged = Vec::new();
        for (number, action) in (1..).zip(actions) {
            let played = self.bot.play(action);
            played.map_err(|source| AnalysisError::Move { number, action: (*action).to_owned(), source })?;
            let after = self.think()?;
            judged.push(judge(action, &before, &after));
            each(&judged[judged.len() - 1]);
            before = after;
        }
        Ok(judged)
    }

    fn think(&mut self) -> Result<Analysis, AnalysisError> {
        let (position, side, outcome) = (self.bot.position(), self.bot.side(), self.bot.outcome());
        if outcome.is_some() {
            return Ok(Analysis { position, side, report: None, outcome });
        }
        self.bot.think(&self.options, self.limits, Turn::Own);
        let mut last = None;
        for thought in &self.thoughts {
            match thought {
                Thought::Report(report) => last = Some(report),
                Thought::Chosen(_) => break,
                Thought::Failed(error) => return Err(AnalysisError::Evaluator(error)),
                Thought::Counted(_) => {}
            }
        }
        Ok(Analysis { position, side, report: last, outcome: None })
    }
}

fn judge(action: &str, before: &Analysis, after: &Analysis) -> JudgedMove {
    let expected = before.wdl();
    let came = if after.side == before.side { after.wdl() } else { after.wdl().flipped() };
    let best = before.report.as_ref().and_then(|report| report.variations.first()?.actions.first().cloned());
    let best = best.unwrap_or_else(|| action.to_owned());
    let points = |wdl: Wdl| wdl.win + wdl.draw / 2.0;
    // The best move gives nothing away: what the next search finds more of is news, not a fault of the move.
    let lost = if best == action { 0.0 } else { (points(expected) - points(came)).max(0.0) };
    JudgedMove {
        action: action.to_owned(),
        side: before.side,
        before: expected,
        after: came,
        best,
        lost,
        fault: Fault::of(lost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{random::stream, shatara::Shatara},
        model::Uniform,
    };

    fn analyst(playouts: u32) -> Analyst {
        let game = Shatara::game(&toml::Table::new()).unwrap();
        let limits = Limits { nodes: Some(playouts), ..Limits::default() };
        Analyst::new(game, Uniform::make(), stream("analysis", 1, 0, 0), Options::default(), limits).unwrap()
    }

    /// White mates with e1e8.
    const MATE: &str = "6k1/5ppp/8/8/8/8/8/4RK2[] w - - - 0 1";

    #[test]
    fn a_mate_is_found_and_its_loss_is_a_blunder() {
        let mut analyst = analyst(300);
        let analysis = analyst.position(Some(MATE), &[]).unwrap();
        let report = analysis.report.as_ref().unwrap();
        assert_eq!((report.variations[0].actions[0].as_str(), analysis.wdl()), ("e1e8", Wdl::WIN));
        assert!(report.variations[0].prior > 0.0);

        let mut seen = 0;
        let judged = analyst.game(MATE, &["e1e8"], &mut |_| seen += 1).unwrap();
        assert_eq!((judged.len(), seen, judged[0].lost, judged[0].fault), (1, 1, 0.0, None));
        assert_eq!(judged[0].after, Wdl::WIN);
        let judged = analyst.game(MATE, &["f1f2", "h7h6"], &mut |_| {}).unwrap();
        assert_eq!((judged[0].best.as_str(), judged[0].fault), ("e1e8", Some(Fault::Blunder)));
        assert_eq!((judged[1].side, judged[1].fault), (Side::Black, None));
        assert_eq!(judged[0].after.flipped(), judged[1].before);
    }

    #[test]
    fn a_game_that_is_over_needs_no_search() {
        let mut analyst = analyst(50);
        let analysis = analyst.position(Some(MATE), &["e1e8"]).unwrap();
        assert_eq!((analysis.report.as_ref(), analysis.wdl()), (None, Wdl::LOSS));
        assert!(analysis.outcome.is_some_and(|outcome| outcome.winner == Some(Side::White)));
    }

    #[test]
    fn a_wrong_move_is_named() {
        let error = analyst(10).game(MATE, &["f1f2", "a7a6"], &mut |_| {}).unwrap_err().to_string();
        assert!(error.starts_with("move 2, `a7a6`: "), "{error}");
        assert!(analyst(10).position(Some("nowhere"), &[]).is_err());
    }
}

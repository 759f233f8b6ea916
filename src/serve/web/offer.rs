//! A bot that the server offers to its clients.

use std::sync::Arc;

use super::{messages::BotInfo, spare::sparing};
use crate::{
    game::{Game, Playable, TextGame, random::Rng, text_game::AsText},
    model::{EvaluatorError, MakeEvaluator},
    serve::{Bot, Thought, bot::GameBot},
};

/// Passes a report on; false when the receiver is gone.
type ThoughtSink = Box<dyn FnMut(Thought) -> bool + Send>;
/// Makes a bot at the start of a game.
type MakeBot = dyn Fn(Rng, ThoughtSink) -> Result<Box<dyn Bot + Send>, EvaluatorError> + Send + Sync;

/// What the page's modules must know of a game to draw it, as JSON: board, pieces, words.
///
/// # Errors
/// Never for the games that are known.
pub fn game_info(rules: &dyn TextGame) -> serde_json::Result<serde_json::Value> {
    serde_json::to_value(BotInfo::new(&rules.ruleset().game, rules, 0, None))
}

/// A bot, its rules, and how to start an instance of it for each session.
pub struct Offer {
    name: String,
    rules: Box<dyn TextGame>,
    playouts: u32,
    elo: Option<f64>,
    bot: Box<MakeBot>,
}

impl Offer {
    /// A bot called `name` that plays `game` with evaluators that `network` makes, and at `playouts` playouts a
    /// move where the client asks for no other number.
    pub fn new<R: Playable>(name: &str, game: Game<R>, network: Arc<MakeEvaluator>, playouts: u32) -> Self {
        let (rules, network) = (Box::new(AsText::new(game.clone())), sparing(network));
        let bot = move |rng: Rng, report: ThoughtSink| -> Result<Box<dyn Bot + Send>, EvaluatorError> {
            Ok(Box::new(GameBot::new(game.clone(), Arc::clone(&network), rng, report)?))
        };
        Offer { name: name.to_owned(), rules, playouts, elo: None, bot: Box::new(bot) }
    }

    /// The same bot, with how strong it is.
    pub fn rated(self, elo: Option<f64>) -> Self {
        Offer { elo, ..self }
    }

    /// The id of its game.
    pub fn game(&self) -> &str {
        &self.rules.ruleset().game
    }

    pub(super) fn rules(&self) -> &dyn TextGame {
        self.rules.as_ref()
    }

    pub(super) fn playouts(&self) -> u32 {
        self.playouts
    }

    pub(super) fn info(&self) -> BotInfo {
        BotInfo::new(&self.name, self.rules(), self.playouts, self.elo)
    }

    /// A bot at the start of a game, on a thread of its own.
    ///
    /// # Errors
    /// When there is no evaluator for it.
    pub(super) fn bot(
        &self,
        rng: Rng,
        report: impl FnMut(Thought) -> bool + Send + 'static,
    ) -> Result<Box<dyn Bot + Send>, EvaluatorError> {
        (self.bot)(rng, Box::new(report))
    }
}

//! All threads of self-play of a process: they play what a feed hands out, and one thread collects.

use std::{
    sync::{atomic::AtomicBool, mpsc::channel},
    thread,
    time::Instant,
};

use super::{
    SelfPlayConfig, SelfPlayError, Statistics,
    feed::Feed,
    shard::{Message, Shard, Work},
};
use crate::{
    data::GameRecord,
    game::{Encode, Facts, Game, Material},
    model::{Evaluator, EvaluatorError},
};

/// Makes the evaluator of a shard, given its number, on the shard's thread.
pub type EvaluatorFactory<'a> = dyn Fn(usize) -> Result<Box<dyn Evaluator>, EvaluatorError> + Sync + 'a;

/// Takes a finished game with its own statistics, and may add to those of all, which count it already.
pub type Collect<'a> = dyn FnMut(GameRecord, &Statistics, &mut Statistics) -> Result<(), SelfPlayError> + 'a;

/// The games of a generation, whoever keeps them.
#[derive(Clone, Copy, Debug)]
pub struct Shards<'a, R: Encode + Facts + Material> {
    pub game: &'a Game<R>,
    pub config: &'a SelfPlayConfig,
    /// Seed of the run.
    pub seed: u64,
    pub generation: u64,
}

impl<R: Encode + Facts + Material> Shards<'_, R> {
    /// Plays on so many threads until `games` has no more, or soon after `stop` is set. Each game is collected when it is
    /// over, in whichever order; `progress` is called with the counts several times a second and after every game.
    ///
    /// # Errors
    /// When an evaluator or the collector fails.
    pub fn play(
        &self,
        threads: usize,
        games: &dyn Feed,
        evaluators: &EvaluatorFactory<'_>,
        stop: &AtomicBool,
        collect: &mut Collect<'_>,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Result<Statistics, SelfPlayError> {
        let mut statistics = Statistics { action_kinds: vec![0; R::ACTION_KINDS.len()], ..Statistics::default() };
        let start = Instant::now();
        let work = Work { seed: self.seed, generation: self.generation, games, stop };
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            // Dropped on the way out, early or not, so that shards whose messages have no reader come to an end.
            let receiver = receiver;
            for number in 0..threads {
                let messages = sender.clone();
                scope.spawn(move || match evaluators(number) {
                    Ok(evaluator) => Shard::new(self.game, self.config, work, evaluator).run(&messages),
                    Err(error) => {
                        let _ = messages.send(Message::Failed(error));
                    }
                });
            }
            drop(sender);
            for message in &receiver {
                statistics.seconds = start.elapsed().as_secs_f64();
                match message {
                    Message::Round(round) => statistics.add_round(round),
                    Message::Game(finished) => {
                        let of_game = Statistics::of_game(&finished);
                        statistics.add(&of_game);
                        collect(finished.record, &of_game, &mut statistics)?;
                    }
                    Message::Failed(error) => return Err(SelfPlayError::Evaluator(error)),
                }
                progress(&statistics);
            }
            Ok(())
        })?;
        statistics.seconds = start.elapsed().as_secs_f64();
        Ok(statistics)
    }

    /// As many threads as the configuration asks for, but none without a game.
    pub(super) fn threads(&self, games: u64) -> usize {
        self.config.threads().min(usize::try_from(games).unwrap_or(usize::MAX))
    }
}

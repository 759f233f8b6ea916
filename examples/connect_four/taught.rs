//! A network taught by the solver in place of self-play: what a network of this size, trained in this way, can know of
//! the yardstick's positions. Self-play's networks see other positions, and targets that are less true.

use std::ops::RangeInclusive;

use anyhow::Result;
use maydan::{
    data::TrainingBatch,
    game::{Encode as _, Game, random},
    model::{Architecture, Weights, device},
    pipeline::Config,
    train::{Decay, TrainConfig, Trainer},
};
use rand::{Rng as _, seq::IndexedRandom as _};
use rayon::prelude::*;

use super::{
    game::ConnectFour,
    solver::Solver,
    yardstick::{Question, questions},
};

/// Questions that are drawn and solved together.
const LESSON: usize = 500;
/// The solver of one lesson remembers `2^SOLVER_SIZE` positions.
const SOLVER_SIZE: u32 = 22;

/// At least so many positions to learn from, of the kind of the yardstick's but drawn with other seeds: those from
/// `seed` on.
pub fn lessons(count: usize, stones: RangeInclusive<u32>, seed: u64) -> Vec<Question> {
    (0..count.div_ceil(LESSON) as u64)
        .into_par_iter()
        .flat_map_iter(|lesson| questions(LESSON, stones.clone(), seed + lesson, &mut Solver::new(SOLVER_SIZE)))
        .collect()
}

/// Training on solved positions, a network from random weights on.
pub struct Pupil<'a> {
    game: &'a Game<ConnectFour>,
    lessons: &'a [Question],
    seed: u64,
    batch_size: usize,
    mirror: bool,
    steps: u64,
    trainer: Trainer,
}

impl<'a> Pupil<'a> {
    /// The network and the training of a configuration: each position is learnt from `sampler.passes` times, over which
    /// the learning rate falls.
    ///
    /// # Errors
    /// When the configuration is out of range, or libtorch fails; likewise below.
    pub fn new(game: &'a Game<ConnectFour>, config: &Config, lessons: &'a [Question]) -> Result<Self> {
        let batch_size = config.train.batch_size;
        let steps = config.sampler.steps(lessons.len(), batch_size).max(1);
        let train =
            TrainConfig { decay: Decay::Cosine, decay_samples: steps * batch_size as u64, ..config.train.clone() };
        let architecture = Architecture::of(config.model.clone(), game.layout())?;
        let weights = Weights::random(architecture.into(), config.run.seed);
        let trainer = Trainer::new(train, &weights, device("cpu")?)?;
        let (seed, mirror) = (config.run.seed, config.sampler.mirror);
        Ok(Pupil { game, lessons, seed, batch_size, mirror, steps, trainer })
    }

    /// Rows learnt from, repeats counted.
    pub fn rows(&self) -> u64 {
        self.trainer.samples()
    }

    /// Learns until a share of all steps is taken, 0 to 1, and gives the weights that play.
    pub fn learn(&mut self, until: f64) -> Result<Weights> {
        while self.trainer.steps() < (self.steps as f64 * until) as u64 {
            let batch = self.batch(self.trainer.steps());
            self.trainer.step(&batch)?;
        }
        Ok(self.trainer.playing_weights()?)
    }

    /// The batch of a step: positions drawn with repeats, half of them mirrored if rows are.
    fn batch(&self, step: u64) -> TrainingBatch {
        let mut rng = random::stream("lessons", self.seed, step, 0);
        let rules = self.game.rules();
        let mut batch = TrainingBatch::new(self.game.layout());
        for row in 0..self.batch_size {
            let question = self.lessons.choose(&mut rng).expect("lessons are not empty");
            self.add(&mut batch, question);
            if self.mirror && rng.random_bool(0.5) {
                batch.rows.mirror(row);
                for index in &mut batch.legal[batch.offsets[row]..] {
                    *index = rules.mirror_action(*index as usize) as u32;
                }
            }
        }
        batch
    }

    /// A row whose policy target is spread evenly over the actions that keep the value, and whose value is the true one.
    fn add(&self, batch: &mut TrainingBatch, question: &Question) {
        let (Question { board, values, .. }, rules) = (question, self.game.rules());
        let mut legal = Vec::new();
        self.game.legal_actions(board, &mut legal);
        let kept: Vec<bool> = (0..legal.len()).map(|action| question.is_kept_by(action)).collect();
        let share = 1.0 / kept.iter().filter(|&&kept| kept).count() as f32;
        let mut wdl = [0.0; 3];
        wdl[(1 - values.iter().max().expect("a legal action")) as usize] = 1.0;

        batch.rows.push(self.game, board, 0);
        batch.legal.extend(legal.iter().map(|&column| rules.action_index(board, column) as u32));
        batch.policy.extend(kept.iter().map(|&kept| if kept { share } else { 0.0 }));
        batch.offsets.push(batch.legal.len());
        batch.wdl.push(wdl.into());
        batch.search_wdl.push(wdl.into());
        batch.moves_left.push(1.0);
        batch.moves_left_mask.push(0.0);
        batch.policy_mask.push(1.0);
        batch.has_result.push(true);
        batch.plies.push(board.occupied().count_ones());
    }
}

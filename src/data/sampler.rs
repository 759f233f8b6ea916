//! Batches drawn from the replay window.

use std::{ops::Range, sync::Arc};

use rand::{Rng, seq::SliceRandom};
use serde::{Deserialize, Serialize};

use super::{ReplayBuffer, Samples, TrainingBatch};
use crate::{
    encode::mirror_actions,
    game::{Encode, FieldError, Game, Layout, random},
};

/// How rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SamplerConfig {
    /// How often a row is trained on while it is in the window, on average: a generation draws this many rows for each
    /// row that it played. Above 0, at most 100.
    pub passes: f64,
    /// Whether half of the rows are seen in a mirror where the rules are symmetric.
    pub mirror: bool,
    /// Batches made ready ahead of the training step, 1 to 1000; each costs the memory of its unpacked planes.
    pub prefetch: usize,
}

impl Default for SamplerConfig {
    fn default() -> Self {
        SamplerConfig { passes: 4.0, mirror: true, prefetch: 8 }
    }
}

impl SamplerConfig {
    /// # Errors
    /// `field: expected X, found Y` for the first field that is out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        if !(self.passes > 0.0 && self.passes <= 100.0) {
            return Err(FieldError::new("passes", "above 0 to 100", self.passes));
        }
        if !(1..=1000).contains(&self.prefetch) {
            return Err(FieldError::new("prefetch", "1 to 1000", self.prefetch));
        }
        Ok(())
    }

    /// Training steps of a generation that played `new_rows` rows: `passes * new_rows / batch_size`, rounded up.
    pub fn steps(&self, new_rows: usize, batch_size: usize) -> u64 {
        (self.passes * new_rows as f64 / batch_size as f64).ceil() as u64
    }
}

/// Draws batches from a window as it stood when the sampler was made. Batch `step` is a function of the window, the
/// seed, the generation and the step alone, so training may stop at any step and go on from there.
///
/// Rows come shuffled without replacement: each pass over the window takes every row once, and a batch may reach from
/// one pass into the next.
#[derive(Debug)]
pub struct Sampler {
    layout: &'static Layout,
    config: SamplerConfig,
    batch_size: usize,
    seed: u64,
    generation: u64,
    samples: Vec<Arc<Samples>>,
    /// `[parts + 1]`: number of the first row of each part.
    starts: Vec<usize>,
    mirror_actions: Vec<u32>,
}

impl Sampler {
    /// A sampler of the rows in `buffer` for the training of `generation`, `batch_size` at a time; `None` when there is
    /// no row.
    pub fn new<R: Encode>(
        game: &Game<R>,
        buffer: &ReplayBuffer,
        config: SamplerConfig,
        batch_size: usize,
        seed: u64,
        generation: u64,
    ) -> Option<Sampler> {
        let samples = buffer.samples();
        let mut starts = vec![0];
        for part in &samples {
            starts.push(starts[starts.len() - 1] + part.len());
        }
        let rows = starts[starts.len() - 1];
        let mirror_actions = mirror_actions(game);
        let sampler =
            Sampler { layout: buffer.layout(), config, batch_size, seed, generation, samples, starts, mirror_actions };
        (rows > 0).then_some(sampler)
    }

    /// Number of rows N in a pass, at least 1.
    pub fn rows(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The batches of some steps, one after the other; [`Prefetch`](super::Prefetch) makes them ready ahead.
    pub fn batches(self: &Arc<Self>, steps: Range<u64>) -> Batches {
        Batches { sampler: self.clone(), steps, order: PassOrder::default() }
    }

    /// Batch number `step`.
    pub fn batch(&self, step: u64) -> TrainingBatch {
        self.draw(step, &mut PassOrder::default())
    }

    fn draw(&self, step: u64, order: &mut PassOrder) -> TrainingBatch {
        let mut batch = TrainingBatch::new(self.layout);
        let mut mirrors = random::stream("mirror", self.seed, self.generation, step);
        let size = self.batch_size as u64;
        let rows = self.rows() as u64;
        for draw in step * size..(step + 1) * size {
            let row = order.row(self, draw / rows, (draw % rows) as usize);
            let part = self.starts.partition_point(|&start| start <= row) - 1;
            let (samples, i) = (&self.samples[part], row - self.starts[part]);
            let turned = self.config.mirror && mirrors.random::<bool>() && samples.mirror_applies(i);
            samples.add_to(&mut batch, i, turned.then_some(&self.mirror_actions));
        }
        batch
    }
}

/// The order of the rows in the present pass, kept from batch to batch.
#[derive(Debug, Default)]
struct PassOrder {
    pass: u64,
    /// `[N]`, empty before the first use.
    order: Vec<u32>,
}

impl PassOrder {
    fn row(&mut self, sampler: &Sampler, pass: u64, place: usize) -> usize {
        if self.order.is_empty() || self.pass != pass {
            self.pass = pass;
            self.order.clear();
            self.order.extend(0..sampler.rows() as u32);
            self.order.shuffle(&mut random::stream("sample", sampler.seed, sampler.generation, pass));
        }
        self.order[place] as usize
    }
}

/// The batches of some steps, in order.
#[derive(Debug)]
pub struct Batches {
    sampler: Arc<Sampler>,
    steps: Range<u64>,
    order: PassOrder,
}

impl Iterator for Batches {
    type Item = TrainingBatch;

    fn next(&mut self) -> Option<TrainingBatch> {
        self.steps.next().map(|step| self.sampler.draw(step, &mut self.order))
    }
}

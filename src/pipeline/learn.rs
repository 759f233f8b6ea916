//! The second phase of a generation: training on the replay window, which ends with the next checkpoint.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    time::Instant,
};

use super::{
    ahead::Ahead,
    budget::{Budget, Outlook, costs},
    holdout,
    metrics::{Event, HoldoutEvent, TrainEvent},
    outside::{self, Ended, Order, Said},
    run::{Run, RunError, open_module, read_module},
    summary::Summary,
};
use crate::{
    console::{Ending, Progress, say},
    data::{Prefetch, Sampler, TrainingBatch},
    disk::{IoError, generation_dir, generation_name},
    game::Playable,
    model::{Checkpoint, Content, Counters, Weights, device, read_weights},
    train::{Decay, HeldOut, StepLosses, TrainConfig, Trainer},
};

/// Steps between two lines of losses in the journal.
const STEPS_PER_EVENT: u64 = 50;

impl<R: Playable> Run<R> {
    /// Trains `checkpoint` on the window that ends with its games. A training that was interrupted goes on where it
    /// stopped. `ahead` is what is played meanwhile.
    pub(super) fn learn(
        &mut self,
        checkpoint: &Checkpoint,
        whole: Option<Budget>,
        ahead: Option<&Ahead>,
    ) -> Result<Ending, RunError> {
        let generation = checkpoint.metadata().generation;
        let before = checkpoint.metadata().counters;
        for complaint in self.buffer.refresh(self.directory.data(), generation)? {
            tracing::warn!("left out: {complaint}");
        }
        let (seed, batch_size) = (self.config.run.seed, self.config.train.batch_size);
        let sampler = Sampler::new(&self.game, &self.buffer, self.config.sampler, batch_size, seed, generation)
            .ok_or_else(|| RunError::NoRows { generation, games: self.directory.games(generation) })?;
        let steps = self.config.sampler.steps(self.buffer.rows_of(generation), batch_size).max(1);

        // By the generations before, which the journal has whole: a training that is resumed goes on at the same rate.
        let progress = whole.map(|whole| whole.progress(&costs(self.journal.events()), generation));
        if !self.config.train.command.is_empty() {
            return self.learn_outside(checkpoint, whole, steps, progress);
        }
        let weights = checkpoint.weights().expect("a configuration without a program is of a network of ours");
        let mut trainer = self.trainer(checkpoint, weights)?.at(progress);
        let first = trainer.steps().checked_sub(before.steps).ok_or_else(|| RunError::Trainer {
            folder: self.directory.training(),
            expected: before.steps,
            found: trainer.steps(),
        })?;
        let bar = Progress::new(format!("gen {generation} training"), steps);
        let mut means = Means::default();
        // Drawn, mirrored, unpacked and turned into tensors while the steps before are taken.
        let mut preparation = trainer.preparation();
        let batches = Arc::new(sampler).batches(first..steps).map(move |batch| preparation.prepare(&batch));
        for (step, batch) in (first..steps).zip(Prefetch::new(self.config.sampler.prefetch, batches)) {
            let batch = batch?;
            let losses = trainer.learn(&batch)?;
            means.add(&losses, batch.rows());
            bar.show(step + 1, || {
                let played = ahead.map(Ahead::words).unwrap_or_default();
                format!("policy {:.3} value {:.3}{played}", losses.losses.policy, losses.losses.value)
            });
            if (step + 1) % STEPS_PER_EVENT == 0 || step + 1 == steps {
                let event = means.event(generation, trainer.steps(), self.buffer.rows());
                self.journal.write(Event::Train(event)).map_err(|source| self.io_error(source))?;
                means = Means::default();
            }
            if self.stopping() && step + 1 < steps {
                trainer.save(&self.interrupted_trainer(generation), self.game.ruleset())?;
                return Ok(Ending::Stopped);
            }
        }
        drop(bar);
        self.judge(generation + 1, |_, batches| Ok(trainer.held_out(batches)?))?;
        self.warn_of_limits(before.samples, trainer.samples(), progress);
        // The checkpoint comes last: once it is there, the generation is over.
        trainer.save(&self.trainer_folder(generation + 1), self.game.ruleset())?;
        self.end_generation(checkpoint, trainer.playing_weights()?.into(), (trainer.steps(), trainer.samples()), whole)
    }

    /// The same by a program of the user's, of so many steps as our own training would take.
    fn learn_outside(
        &mut self,
        checkpoint: &Checkpoint,
        whole: Option<Budget>,
        steps: u64,
        progress: Option<f64>,
    ) -> Result<Ending, RunError> {
        let generation = checkpoint.metadata().generation;
        let before = checkpoint.metadata().counters;
        let folder = self.directory.training();
        fs::create_dir_all(&folder).map_err(IoError::at(&folder))?;
        let absolute = |path: &Path| std::path::absolute(path).map_err(IoError::at(path));
        let (run, data) = (absolute(self.directory.models())?, absolute(self.directory.data())?);
        let folder = absolute(&folder)?;
        let order = Order {
            format: Order::FORMAT,
            generation,
            weights: generation_dir(&run, generation).join(checkpoint.content().file_name()),
            output: folder.join(match checkpoint.content() {
                Content::Weights(_) => "command.safetensors".to_owned(),
                Content::Module(module) => format!("command.{}", module.format().extension()),
            }),
            state: folder.join("command"),
            steps,
            steps_before: before.steps,
            batch_size: self.config.train.batch_size,
            seed: self.config.run.seed,
            progress,
            run,
            data,
        };
        let bar = Progress::new(format!("gen {generation} training"), steps);
        let (mut taken, mut rows, mut since) = (0, 0, Instant::now());
        let mut journal_error = None;
        let (journal, window) = (&mut self.journal, self.buffer.rows() as u64);
        let hear = |said: Said| {
            let seen = said.rows.unwrap_or(said.step.saturating_mul(order.batch_size as u64));
            let seconds = since.elapsed().as_secs_f64();
            let event = TrainEvent {
                generation,
                step: before.steps.saturating_add(said.step),
                losses: said.losses,
                learning_rate: said.learning_rate,
                gradient_norm: said.gradient_norm,
                rows_per_second: seen.saturating_sub(rows) as f64 / seconds.max(1e-9),
                seconds,
                window,
            };
            (taken, rows, since) = (said.step, seen, Instant::now());
            journal_error = journal_error.take().or(journal.write(Event::Train(event)).err());
        };
        let stop = self.stop.clone();
        let stopping = || stop.load(Ordering::Relaxed);
        let ended = outside::run(&self.config.train.command, &order, &folder.join("order.json"), stopping, &bar, hear)?;
        drop(bar);
        if let Some(error) = journal_error {
            return Err(self.io_error(error));
        }
        if ended == Ended::Stopped {
            return Ok(Ending::Stopped);
        }
        let content: Content = match checkpoint.content() {
            Content::Weights(weights) => read_weights(&order.output, weights.architecture())?.0.into(),
            Content::Module(_) => read_module(&order.output, &self.game, &self.config)?.into(),
        };
        self.judge(generation + 1, |run, batches| match &content {
            Content::Weights(weights) => {
                let device = device(&run.config.run.device).map_err(RunError::Device)?;
                Ok(Trainer::new(run.config.train.clone(), weights, device)?.held_out(batches)?)
            }
            Content::Module(module) => {
                let network = open_module(module, &run.game, &run.config)?;
                let mut evaluator = network.evaluator(run.config.train.batch_size)?;
                Ok(HeldOut::of(&run.config.train, *module.shape(), evaluator.as_mut(), batches)?)
            }
        })?;
        self.end_generation(
            checkpoint,
            content,
            (before.steps.saturating_add(taken), before.samples.saturating_add(rows)),
            whole,
        )
    }

    /// Makes the next checkpoint of `content`, which was trained for so many steps and rows in all.
    fn end_generation(
        &mut self,
        checkpoint: &Checkpoint,
        content: Content,
        (steps, samples): (u64, u64),
        whole: Option<Budget>,
    ) -> Result<Ending, RunError> {
        let generation = checkpoint.metadata().generation;
        let before = checkpoint.metadata().counters;
        let (games, plies) = self.games_on_disk(generation)?;
        let counters = Counters { games: before.games + games, plies: before.plies + plies, steps, samples };
        let next = Checkpoint::new(content, self.game.ruleset().clone(), generation + 1, counters);
        next.save(&self.directory.checkpoint(generation + 1))?;
        self.forget_trainers(generation + 1)?;
        self.summary(generation, games, plies, whole).iter().for_each(|line| say(line));
        Ok(Ending::Done)
    }

    /// Judges the network that generation `generation` will play with by the rows that are held out, if there are any.
    fn judge(
        &mut self,
        generation: u64,
        held_out: impl FnOnce(&Self, &[TrainingBatch]) -> Result<HeldOut, RunError>,
    ) -> Result<(), RunError> {
        let batches = self.buffer.held_out(holdout::ROWS, self.config.train.batch_size);
        if batches.is_empty() {
            return Ok(());
        }
        let rows = batches.iter().map(TrainingBatch::len).sum();
        let event = HoldoutEvent::new(generation, rows, &held_out(self, &batches)?);
        self.journal.write(Event::Holdout(event)).map_err(|source| self.io_error(source))
    }

    /// Warns of a limit of the configuration that a long run has reached unseen: of the floor once, of the window once a
    /// session.
    fn warn_of_limits(&mut self, before: u64, after: u64, progress: Option<f64>) {
        let TrainConfig { decay, decay_samples, .. } = self.config.train;
        if progress.is_none() && decay != Decay::Constant && (before..after).contains(&decay_samples) {
            tracing::warn!(
                "the learning rate has reached its floor: train.decay_samples = {decay_samples} rows are trained on, and \
                 no length of the run is given"
            );
        }
        if self.buffer.is_capped() && !std::mem::replace(&mut self.warned_of_window, true) {
            let most = self.config.window.maximum_rows;
            tracing::warn!("the replay window has reached window.maximum_rows = {most} rows and grows no more");
        }
    }

    /// The generation in words, from the disk and from the journal, which knows what earlier sessions did of it.
    fn summary(&self, generation: u64, games: u64, plies: u64, whole: Option<Budget>) -> Vec<String> {
        let played = |of: u64| {
            self.journal.events().rev().find_map(move |event| match event {
                Event::Selfplay(played) => (played.generation == of).then_some(played),
                _ => None,
            })
        };
        let trained = |of: u64| {
            self.journal.events().rev().find_map(move |event| match event {
                Event::Train(trained) => (trained.generation == of).then_some(trained),
                _ => None,
            })
        };
        let before = generation.checked_sub(1);
        let summary = Summary {
            generation,
            games,
            plies,
            played: played(generation),
            trained: trained(generation),
            played_before: before.and_then(played),
            trained_before: before.and_then(trained),
            outlook: Outlook::of(&costs(self.journal.events()), self.config.run.generations, whole, generation + 1),
        };
        summary.lines()
    }

    /// The trainer as it stands: interrupted in this generation, at its end of the last one, or fresh.
    fn trainer(&self, checkpoint: &Checkpoint, weights: &Weights) -> Result<Trainer, RunError> {
        let device = device(&self.config.run.device).map_err(RunError::Device)?;
        let generation = checkpoint.metadata().generation;
        let config = self.config.train.clone();
        let architecture = weights.architecture();
        for folder in [self.interrupted_trainer(generation), self.trainer_folder(generation)] {
            if folder.exists() {
                return Ok(Trainer::load(&folder, config, architecture, self.game.ruleset(), device)?);
            }
        }
        if generation > 0 {
            tracing::warn!("generation {generation}: no optimiser beside the checkpoint, its moments begin anew");
        }
        let Counters { steps, samples, .. } = checkpoint.metadata().counters;
        Ok(Trainer::new(config, weights, device)?.counting_from(steps, samples))
    }

    /// The optimiser and the weights in training at the beginning of a generation.
    fn trainer_folder(&self, generation: u64) -> PathBuf {
        generation_dir(&self.directory.training(), generation)
    }

    /// The same, part of the way through a generation.
    fn interrupted_trainer(&self, generation: u64) -> PathBuf {
        self.directory.training().join(format!("{}-interrupted", generation_name(generation)))
    }

    /// Removes what resuming at `generation` or a little before does not need.
    fn forget_trainers(&self, generation: u64) -> Result<(), RunError> {
        let oldest_kept = generation_name((generation + 1).saturating_sub(self.config.run.keep_optimisers.max(1)));
        let folder = self.directory.training();
        for entry in fs::read_dir(&folder).map_err(IoError::at(&folder))? {
            let entry = entry.map_err(IoError::at(&folder))?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| name.starts_with("gen-")) else { continue };
            if name < oldest_kept.as_str() || name.ends_with("-interrupted") {
                fs::remove_dir_all(entry.path()).map_err(IoError::at(&folder))?;
            }
        }
        Ok(())
    }
}

/// Mean losses of the steps since the last event.
struct Means {
    steps: f64,
    rows: usize,
    total: f64,
    policy: f64,
    policy_kl: f64,
    value: f64,
    moves_left: f64,
    gradient_norm: f64,
    learning_rate: f64,
    since: Instant,
}

impl Default for Means {
    fn default() -> Self {
        Means {
            steps: 0.0,
            rows: 0,
            total: 0.0,
            policy: 0.0,
            policy_kl: 0.0,
            value: 0.0,
            moves_left: 0.0,
            gradient_norm: 0.0,
            learning_rate: 0.0,
            since: Instant::now(),
        }
    }
}

impl Means {
    fn add(&mut self, step: &StepLosses, rows: usize) {
        let losses = &step.losses;
        self.steps += 1.0;
        self.rows += rows;
        self.total += losses.total;
        self.policy += losses.policy;
        self.policy_kl += losses.policy_kl;
        self.value += losses.value;
        self.moves_left += losses.moves_left;
        self.gradient_norm += step.gradient_norm;
        self.learning_rate = step.learning_rate;
    }

    fn event(&self, generation: u64, step: u64, window: usize) -> TrainEvent {
        let heads = [
            ("total", self.total),
            ("policy", self.policy),
            ("policy_kl", self.policy_kl),
            ("value", self.value),
            ("moves_left", self.moves_left),
        ];
        let seconds = self.since.elapsed().as_secs_f64();
        TrainEvent {
            generation,
            step,
            losses: heads.map(|(head, sum)| (head.to_owned(), sum / self.steps)).into(),
            learning_rate: Some(self.learning_rate),
            gradient_norm: Some(self.gradient_norm / self.steps),
            rows_per_second: self.rows as f64 / seconds.max(1e-9),
            seconds,
            window: window as u64,
        }
    }
}

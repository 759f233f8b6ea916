//! The first phase of a generation: its checkpoint plays against itself.

use std::{fs, sync::Arc};

use super::{
    config::RunConfig,
    metrics::{ChecksEvent, EvaluatorEvent, Event, SelfplayEvent},
    run::{Run, RunError},
};
use crate::{
    console::{Ending, Memory, Progress, say},
    data,
    disk::{IoError, chunk_of, chunks},
    encode::sample,
    game::{Facts, Outcome, Playable, Reason},
    model::{
        Checkpoint, Plan,
        backend::{self, BackendConfig},
        choose, device, is_possible,
    },
    selfplay::{Checks, Generation, Statistics},
};

impl<R: Playable> Run<R> {
    /// Plays the games of a checkpoint's generation that are not there yet.
    pub(super) fn play(&mut self, checkpoint: &Checkpoint) -> Result<Ending, RunError> {
        let number = checkpoint.metadata().generation;
        self.forget_surplus(number)?;
        let ((precision, backend), batch_size) = (self.plan(checkpoint)?.settings(), self.config.run.batch_size);
        let config = BackendConfig {
            device: &self.config.run.device,
            precision,
            backend,
            sample: Some(sample(&self.game)),
            ..BackendConfig::default()
        };
        let network = backend::open(Arc::new(checkpoint.clone()), config)?;
        let evaluator = |_shard| network.evaluator(batch_size);
        let generation = Generation {
            game: &self.game,
            config: &self.config.selfplay,
            seed: self.config.run.seed,
            number,
            checkpoint: &checkpoint.metadata().id,
            run_dir: self.directory.data(),
        };
        let progress = Progress::new(format!("gen {number} self-play"), self.config.selfplay.games);
        let played = generation.run(&evaluator, &self.stop, &mut |statistics| {
            progress.show(statistics.games, || {
                let per_second = statistics.evaluations as f64 / statistics.seconds.max(1e-9);
                format!("games, {per_second:.0} evaluations/s")
            });
        })?;
        drop(progress);
        if !played.complete {
            return Ok(Ending::Stopped);
        }
        if played.statistics.games > 0 {
            let event = selfplay_event::<R>(number, &played.statistics);
            self.journal.write(Event::Selfplay(event)).map_err(|source| self.io_error(source))?;
        }
        Ok(Ending::Done)
    }

    /// Removes files of games beyond those that the generation now has: with another `selfplay.games` they are no part
    /// of it, and every reader of the folder would count them. The same games are played again should they be wanted.
    fn forget_surplus(&self, generation: u64) -> Result<(), RunError> {
        let (folder, files) = (self.directory.games(generation), self.config.selfplay.files());
        let mut surplus = chunks(&folder)?;
        surplus.retain(|path| chunk_of(path).is_some_and(|chunk| chunk >= files));
        if !surplus.is_empty() {
            let (games, count) = (self.config.selfplay.games, surplus.len());
            tracing::warn!("{}: selfplay.games is now {games}; files beyond, removed: {count}", folder.display());
        }
        for path in surplus {
            fs::remove_file(&path).map_err(IoError::at(path))?;
        }
        Ok(())
    }

    /// How the network is run: as settled when the run began with this configuration, so that what was measured then
    /// does not make a resumed run another, or else settled now. A processor without the instructions for what was
    /// settled settles anew.
    pub(super) fn plan(&mut self, checkpoint: &Checkpoint) -> Result<Plan, RunError> {
        let RunConfig { device: device_name, precision, backend, batch_size, .. } = self.config.run.clone();
        let settled = self.journal.events().rev().find_map(|event| match event {
            Event::Evaluator(event) => Some(event),
            _ => None,
        });
        let asked = (&device_name, precision, backend, batch_size);
        let settled = settled
            .filter(|event| (&event.device, event.precision, event.backend, event.batch_size) == asked)
            .map(|event| event.plan);
        let on = device(&device_name).map_err(RunError::Device)?;
        let lost = match settled {
            Some(plan) if is_possible(plan, checkpoint.content(), on, precision, backend) => return Ok(plan),
            Some(plan) => format!("; {}, chosen before, is not to be had on this processor", plan.name()),
            None => String::new(),
        };
        let choice = choose(checkpoint.content(), &sample(&self.game), on, precision, backend, batch_size)?;
        say(&format!("evaluator: {choice}{lost}"));
        let event = EvaluatorEvent {
            generation: checkpoint.metadata().generation,
            device: device_name,
            precision,
            backend,
            batch_size,
            plan: choice.plan,
            positions_per_second: choice.measured.into_iter().collect(),
        };
        self.journal.write(Event::Evaluator(event)).map_err(|source| self.io_error(source))?;
        Ok(choice.plan)
    }

    /// Games and plies of a generation that are in whole files.
    pub(super) fn games_on_disk(&self, generation: u64) -> Result<(u64, u64), RunError> {
        let (ruleset, encoding) = (self.game.ruleset(), self.game.layout().version);
        let scan = data::scan(self.directory.data(), generation..generation + 1, ruleset, encoding)?;
        let games = scan.files.iter().map(|file| file.manifest.games).sum();
        Ok((games, scan.files.iter().map(|file| file.rows).sum()))
    }
}

/// What the journal keeps of a generation's games.
fn selfplay_event<R: Facts>(generation: u64, statistics: &Statistics) -> SelfplayEvent {
    let seconds = statistics.seconds.max(1e-9);
    let plies = statistics.plies.max(1) as f64;
    let kinds = || R::ACTION_KINDS.iter().zip(&statistics.action_kinds);
    let results = Outcome::RESULTS.map(Outcome::name_of).into_iter().zip(statistics.results);
    let policies = statistics.mean_policies();
    let checks = |checks: Checks| ChecksEvent { games: checks.games, wrong: checks.wrong };
    let reasons = Reason::ALL.iter().zip(statistics.reasons).filter(|&(_, count)| count > 0);
    SelfplayEvent {
        generation,
        games: statistics.games,
        plies: statistics.plies,
        seconds: statistics.seconds,
        plies_per_second: statistics.plies as f64 / seconds,
        evaluations_per_second: statistics.evaluations as f64 / seconds,
        playouts_per_second: statistics.playouts_run as f64 / seconds,
        memory_mib: Memory::now().resident.map_or(0, |bytes| bytes >> 20),
        cache_hits: statistics.cache_hit_share().unwrap_or(0.0),
        batch_fill: statistics.batch_fill().unwrap_or(0.0),
        evaluation_share: statistics.evaluation_seconds / statistics.shard_seconds.max(1e-9),
        game_length: statistics.mean_plies().unwrap_or(0.0),
        results: results.map(|(name, count)| (name.to_owned(), count)).collect(),
        decided_per_1000_plies: 1000.0 * statistics.decided_games() as f64 / plies,
        mass_on_few_visits: statistics.mass_on_few_visits().unwrap_or(0.0),
        full_searches: statistics.full_searches(),
        policy_kl: policies.map(|mean| mean.divergence),
        prior_entropy: policies.map(|mean| mean.prior_entropy),
        target_entropy: policies.map(|mean| mean.target_entropy),
        reasons: reasons.map(|(reason, count)| (reason.name().to_owned(), count)).collect(),
        actions: kinds().map(|(kind, &count)| ((*kind).to_owned(), count)).collect(),
        action_shares: kinds().map(|(kind, &count)| ((*kind).to_owned(), count as f64 / plies)).collect(),
        resignations: checks(statistics.resignations),
        agreements: checks(statistics.agreements),
    }
}

//! How fast self-play is on this machine, beside the most that its network allows: everything measured in one run.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    sync::{
        Arc, Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde::Serialize;
use thiserror::Error;

use super::{config::Config, run::RunError, sizes::Sizes};
use crate::{
    console::Memory,
    encode::{Rows, priors, sample},
    game::{
        Clocks, Encode, Facts, Game, Material, Ruleset,
        random::{self, Rng},
        random_game::random_game,
    },
    model::{
        Architecture, Choice, Evaluations, Evaluator, EvaluatorError, LibtorchEvaluator, Plan, Weights, choose, device,
    },
    selfplay::{Generation, MaterialConfig, SelfPlayConfig, SelfPlayError, Statistics},
};

/// Positions on which plans are compared.
const COMPARED: usize = 512;

/// Plies of the random games that those come from.
const RANDOM_PLIES: usize = 120;

/// Random games whose length stands for that of games not played to their end.
const RANDOM_GAMES: u64 = 64;

/// Share of the time of a measurement that passes before it counts: games spread out, and the cache fills.
const WARM_UP: f64 = 0.3;

/// A benchmark of one configuration.
pub struct Bench<'a, R: Encode + Facts + Material> {
    game: Game<R>,
    config: &'a Config,
    weights: Weights,
    /// What plans of 8 bits find out on how large values get.
    sample: Rows,
    /// Seconds of each measurement of self-play; a ceiling takes half of it.
    seconds: f64,
}

impl<'a, R: Encode + Facts + Material> Bench<'a, R> {
    /// # Errors
    /// When the configuration describes no network, or this machine's memory is too small for it.
    pub fn new(
        game: Game<R>,
        config: &'a Config,
        weights: Option<Weights>,
        seconds: f64,
    ) -> Result<Self, EvaluatorError> {
        if !config.model.module.is_empty() {
            let problem = "[model] module: expected none: a benchmark is of networks of ours";
            return Err(EvaluatorError::Refused(problem.to_owned()));
        }
        let sizes = Sizes::of(&game, config).and_then(|sizes| sizes.fit_this_machine());
        sizes.map_err(|error| EvaluatorError::Refused(error.to_string()))?;
        let weights = match weights {
            Some(weights) => weights,
            None => {
                let architecture = Architecture::of(config.model.clone(), game.layout())
                    .map_err(|error| EvaluatorError::Refused(error.to_string()))?;
                Weights::random(Arc::new(architecture), config.run.seed)
            }
        };
        let sample = sample(&game);
        Ok(Bench { game, config, weights, sample, seconds })
    }

    /// Measures everything, writes it as it comes, and gives it back.
    ///
    /// # Errors
    /// When an evaluator or self-play fails, or `out` does.
    pub fn run(&self, shards: &[usize], out: &mut dyn Write) -> Result<Measurements, BenchError> {
        let (run, selfplay) = (&self.config.run, &self.config.selfplay);
        let model = self.weights.architecture().config();
        writeln!(out, "game       {}", self.game.ruleset())?;
        writeln!(
            out,
            "network    {}x{}, {} values, batches of {}",
            model.blocks,
            model.channels,
            self.weights.values().len(),
            run.batch_size
        )?;
        let SelfPlayConfig { slots, cache_positions, search, .. } = selfplay;
        writeln!(
            out,
            "self-play  {} playouts, {slots} games and {cache_positions} cached positions a shard",
            search.playouts
        )?;
        let choice = self.choose()?;
        writeln!(out, "evaluator  {choice}\n")?;
        let errors = self.precision(&choice, out)?;
        let throughput = self.throughput(choice.plan, shards, out)?;
        let shares = self.shares(choice.plan, out)?;
        let memory = Memory::now();
        writeln!(out, "\nmemory     {memory}")?;
        Ok(Measurements {
            ruleset: self.game.ruleset().clone(),
            blocks: model.blocks,
            channels: model.channels,
            values: self.weights.values().len(),
            batch_size: run.batch_size,
            playouts: search.playouts,
            evaluator: choice.plan.name().to_owned(),
            positions_per_second: choice
                .measured
                .iter()
                .map(|(plan, speed)| (plan.name().to_owned(), *speed))
                .collect(),
            errors,
            throughput,
            shares,
            memory_mib: memory.resident.map(|bytes| bytes >> 20),
            memory_peak_mib: memory.peak.map(|bytes| bytes >> 20),
        })
    }

    fn choose(&self) -> Result<Choice, BenchError> {
        let run = &self.config.run;
        let device = device(&run.device).map_err(RunError::Device)?;
        Ok(choose(&self.weights.clone().into(), &self.sample, device, run.precision, run.backend, run.batch_size)?)
    }

    fn evaluator(&self, plan: Plan) -> Result<LibtorchEvaluator, EvaluatorError> {
        let run = &self.config.run;
        let device = device(&run.device).map_err(|error| EvaluatorError::Refused(error.to_string()))?;
        LibtorchEvaluator::with_sample(&self.weights, device, plan, run.batch_size, &self.sample)
    }

    /// What each plan says beside what 32 bits say, on positions of random games.
    fn precision(&self, choice: &Choice, out: &mut dyn Write) -> Result<Vec<PlanErrors>, BenchError> {
        let mut plans: Vec<Plan> =
            choice.measured.iter().map(|&(plan, _)| plan).filter(|&plan| plan != Plan::F32).collect();
        if plans.is_empty() && choice.plan != Plan::F32 {
            plans.push(choice.plan);
        }
        let mut measured = Vec::new();
        if plans.is_empty() {
            return Ok(measured);
        }
        let (rows, legal) = self.positions();
        let exact = self.answers(Plan::F32, &rows, &legal)?;
        writeln!(out, "error against f32 on {} positions of random games", legal.len())?;
        writeln!(
            out,
            "  {:<12} {:>12} {:>12} {:>12} {:>12}",
            "plan", "policy mean", "policy max", "value mean", "value max"
        )?;
        for plan in plans {
            let rough = self.answers(plan, &rows, &legal)?;
            let mut errors = [Spread::default(); 2];
            for (a, b) in exact.iter().zip(&rough) {
                a.priors.iter().zip(&b.priors).for_each(|(p, q)| errors[0].add(f64::from((p - q).abs())));
                errors[1].add(f64::from((a.value - b.value).abs()));
            }
            let [policy, value] = errors;
            measured.push(PlanErrors {
                plan: plan.name().to_owned(),
                policy_mean: policy.mean(),
                policy_max: policy.most,
                value_mean: value.mean(),
                value_max: value.most,
            });
            writeln!(
                out,
                "  {:<12} {:>12.6} {:>12.6} {:>12.6} {:>12.6}",
                plan.name(),
                policy.mean(),
                policy.most,
                value.mean(),
                value.most
            )?;
        }
        writeln!(out)?;
        Ok(measured)
    }

    /// Positions of random games, and the indices of their legal actions.
    fn positions(&self) -> (Vec<Rows>, Vec<Vec<u32>>) {
        let blank = || Rows::new(self.game.layout());
        let (mut rows, mut batch, mut indices) = (Vec::new(), blank(), Vec::new());
        for index in 0.. {
            random_game(&self.game, &mut self.random_stream(index), RANDOM_PLIES, |position, history, legal, _| {
                if indices.len() == COMPARED {
                    return;
                }
                batch.push(&self.game, position, history.repetitions(&self.game, position));
                indices.push(
                    legal.iter().map(|&action| self.game.rules().action_index(position, action) as u32).collect(),
                );
                if batch.len() == self.config.run.batch_size || indices.len() == COMPARED {
                    rows.push(std::mem::replace(&mut batch, blank()));
                }
            });
            if indices.len() == COMPARED {
                break;
            }
        }
        (rows, indices)
    }

    fn random_stream(&self, index: u64) -> Rng {
        random::stream("bench", self.config.run.seed, 0, index)
    }

    /// Mean plies of a game: of those played, or of random ones where only the shortest of those under way can have
    /// ended.
    fn mean_plies(&self, played: &Statistics, shards: usize) -> f64 {
        let slots = (shards * self.config.selfplay.slots) as u64;
        let random = || {
            let most = self.config.selfplay.max_plies as usize;
            let plies = |index| random_game(&self.game, &mut self.random_stream(index), most, |_, _, _, _| {});
            (0..RANDOM_GAMES).map(plies).sum::<usize>() as f64 / RANDOM_GAMES as f64
        };
        if played.games >= 2 * slots { played.mean_plies().unwrap_or_else(random) } else { random() }
    }

    fn answers(&self, plan: Plan, rows: &[Rows], legal: &[Vec<u32>]) -> Result<Vec<Answer>, BenchError> {
        let (mut evaluator, mut out, mut answers) = (self.evaluator(plan)?, Evaluations::default(), Vec::new());
        for batch in rows {
            evaluator.evaluate(batch, &mut out)?;
            for row in 0..batch.len() {
                let logits = legal[answers.len()].iter().map(|&index| out.logits.get(row, index as usize));
                answers.push(Answer { priors: softmax(logits.collect()), value: out.wdl[row].value() });
            }
        }
        Ok(answers)
    }

    /// Self-play beside the ceiling, for each number of shards.
    fn throughput(&self, plan: Plan, shards: &[usize], out: &mut dyn Write) -> Result<Vec<Throughput>, BenchError> {
        let mut measured = Vec::new();
        writeln!(
            out,
            "ceiling: bare forward passes of the same network and batch on as many threads; all numbers a second"
        )?;
        writeln!(
            out,
            "  {:>6} {:>10} {:>12} {:>6} {:>10} {:>8} {:>8} {:>10} {:>10}",
            "shards", "ceiling", "evaluations", "ratio", "playouts", "plies", "cached", "games/h", "(of plies)"
        )?;
        for &shards in shards {
            // The ceiling before and after, so that a machine that slows down slows both.
            let before = self.ceiling(plan, shards)?;
            let played = self.play(&self.game, plan, shards)?;
            let ceiling = (before + self.ceiling(plan, shards)?) / 2.0;
            let rate = |count: u64| count as f64 / played.seconds;
            let plies_per_game = self.mean_plies(&played, shards);
            let found = Throughput {
                shards,
                ceiling,
                evaluations: rate(played.evaluations),
                ratio: rate(played.evaluations) / ceiling,
                playouts: rate(played.playouts_run),
                plies: rate(played.plies_decided),
                cached: played.cache_hit_share().unwrap_or(0.0),
                games_per_hour: 3600.0 * rate(played.plies_decided) / plies_per_game,
                plies_per_game,
            };
            writeln!(
                out,
                "  {shards:>6} {ceiling:>10.0} {:>12.0} {:>5.0}% {:>10.0} {:>8.0} {:>7.0}% {:>10.0} {:>10.0}",
                found.evaluations,
                100.0 * found.ratio,
                found.playouts,
                found.plies,
                100.0 * found.cached,
                found.games_per_hour,
                found.plies_per_game,
            )?;
            out.flush()?;
            measured.push(found);
        }
        Ok(measured)
    }

    /// Positions a second of bare forward passes on `threads` threads at once.
    fn ceiling(&self, plan: Plan, threads: usize) -> Result<f64, BenchError> {
        let time = Duration::from_secs_f64(self.seconds / 2.0);
        let (start_line, batch_size) = (Barrier::new(threads), self.config.run.batch_size);
        let count = || -> Result<f64, EvaluatorError> {
            let evaluator = self.evaluator(plan);
            let bare = evaluator.as_ref().map_err(Clone::clone).and_then(|e| e.bare());
            // A thread that failed must not keep the others waiting.
            start_line.wait();
            let bare = bare?;
            let (start, mut calls) = (Instant::now(), 0);
            while start.elapsed() < time {
                bare()?;
                calls += 1;
            }
            Ok((calls * batch_size) as f64 / start.elapsed().as_secs_f64())
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
            let mut total = 0.0;
            for thread in threads {
                total += thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
            Ok(total)
        })
    }

    /// Plays for the time of a measurement and says what was done after its warm-up.
    fn play(&self, game: &Game<R>, plan: Plan, shards: usize) -> Result<Statistics, BenchError> {
        let folder = tempfile::tempdir()?;
        // More games than there is time for.
        let config = SelfPlayConfig {
            games: 1 << 20,
            games_per_file: 1 << 7,
            shards,
            material: MaterialConfig::default(),
            ..self.config.selfplay.clone()
        };
        let generation = Generation {
            game,
            config: &config,
            seed: self.config.run.seed,
            number: 0,
            checkpoint: "bench",
            run_dir: folder.path(),
        };
        let (stop, mut warm) = (AtomicBool::new(false), None);
        let evaluators = |_| Ok(Box::new(self.evaluator(plan)?) as Box<dyn Evaluator>);
        let mut last = None;
        let whole = generation.run(&evaluators, &stop, &mut |statistics| {
            if warm.is_none() && statistics.seconds >= WARM_UP * self.seconds {
                warm = Some(statistics.clone());
            }
            if statistics.seconds >= (1.0 + WARM_UP) * self.seconds && !stop.swap(true, Ordering::Relaxed) {
                last = Some(statistics.clone());
            }
        })?;
        Ok(last.unwrap_or(whole.statistics).since(&warm.unwrap_or_default()))
    }

    /// Where one shard spends its time.
    fn shares(&self, plan: Plan, out: &mut dyn Write) -> Result<Shares, BenchError> {
        let game = self.game.clone().timed();
        let played = self.play(&game, plan, 1)?;
        // The clocks ran during the warm-up too.
        let whole = played.shard_seconds * (1.0 + WARM_UP);
        let share =
            |time: fn(&Clocks) -> Duration| game.clocks().map_or(0.0, |clocks| time(clocks).as_secs_f64() / whole);
        let (rules, encode) = (share(Clocks::rules), share(Clocks::encode));
        let evaluate = played.evaluation_seconds / played.shard_seconds;
        let write = played.writing_seconds / played.seconds;
        let search = 1.0 - evaluate - rules - encode;
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        writeln!(
            out,
            "\none shard's time: evaluate {}, search {}, rules {}, encode {}; beside it, on another thread: write {}",
            percent(evaluate),
            percent(search),
            percent(rules),
            percent(encode),
            percent(write)
        )?;
        Ok(Shares { evaluate, search, rules, encode, write })
    }
}

/// What a benchmark found.
#[derive(Clone, Debug, Serialize)]
pub struct Measurements {
    pub ruleset: Ruleset,
    pub blocks: usize,
    pub channels: usize,
    /// Parameters of the network.
    pub values: usize,
    pub batch_size: usize,
    /// Of a full search.
    pub playouts: u32,
    /// The plan that was measured, by name.
    pub evaluator: String,
    /// Speed of each plan that was tried, on one thread.
    pub positions_per_second: BTreeMap<String, f64>,
    pub errors: Vec<PlanErrors>,
    pub throughput: Vec<Throughput>,
    pub shares: Shares,
    /// Now, and the most at once; none where the system does not tell.
    pub memory_mib: Option<u64>,
    pub memory_peak_mib: Option<u64>,
}

/// How far the answers of a plan are from those in 32 bits: probabilities of legal actions, and win less loss.
#[derive(Clone, Debug, Serialize)]
pub struct PlanErrors {
    pub plan: String,
    pub policy_mean: f64,
    pub policy_max: f64,
    pub value_mean: f64,
    pub value_max: f64,
}

/// Self-play on so many shards; numbers are a second.
#[derive(Clone, Debug, Serialize)]
pub struct Throughput {
    pub shards: usize,
    /// Positions of bare forward passes.
    pub ceiling: f64,
    pub evaluations: f64,
    /// Evaluations over ceiling.
    pub ratio: f64,
    pub playouts: f64,
    pub plies: f64,
    /// Share of look-ups that the cache answered.
    pub cached: f64,
    pub games_per_hour: f64,
    pub plies_per_game: f64,
}

/// Shares of one shard's time; `write` is beside it, on another thread.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Shares {
    pub evaluate: f64,
    pub search: f64,
    pub rules: f64,
    pub encode: f64,
    pub write: f64,
}

/// What a plan says of a position.
struct Answer {
    priors: Vec<f32>,
    value: f32,
}

fn softmax(logits: Vec<f32>) -> Vec<f32> {
    let (indices, mut out) = ((0..logits.len() as u32).collect::<Vec<_>>(), Vec::new());
    priors(&logits, &indices, &mut out);
    out
}

#[derive(Clone, Copy, Default)]
struct Spread {
    sum: f64,
    count: u64,
    most: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
        self.most = self.most.max(value);
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

/// A benchmark that could not go on.
#[derive(Debug, Error)]
pub enum BenchError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

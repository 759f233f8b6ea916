//! The files of a run, read for the report. Nothing is locked or changed: a run may be reported while it goes on.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

use thiserror::Error;

use crate::{
    data::{inspect, list_files},
    disk::{IoError, generation_dir, generations},
    evaluate::{Pool, PoolError},
    game::Ruleset,
    model::{Checkpoint, Metadata},
    pipeline::{
        metrics::{
            EvaluatorEvent, Event, HoldoutEvent, MatchEvent, PlayersEvent, RatingsEvent, SelfplayEvent, TrainEvent,
            read_metrics,
        },
        standings::Standings,
    },
};

/// A run that cannot be reported.
#[derive(Debug, Error)]
pub enum ReportError {
    #[error("{run}: no such run: expected the name of a folder in {} or in {}", models.display(), data.display())]
    NoRun { run: String, models: PathBuf, data: PathBuf },
    #[error(transparent)]
    Io(#[from] IoError),
    #[error(transparent)]
    Stats(#[from] crate::stats::StatsError),
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// A run, as far as it is there.
#[derive(Debug)]
pub struct Record {
    pub name: String,
    /// Folder that holds `models/` and `data/`.
    pub root: PathBuf,
    /// Folder of checkpoints, configuration and metrics.
    pub models: PathBuf,
    /// Folder of games.
    pub data: PathBuf,
    /// The resolved configuration, as written.
    pub config: Option<String>,
    /// The newest checkpoint.
    pub checkpoint: Option<Metadata>,
    /// Whole files of games.
    pub stock: Stock,
    /// Self-play by generation; what several sessions played of one is added up.
    pub selfplay: BTreeMap<u64, SelfplayEvent>,
    /// Losses in the order of steps, each step once.
    pub training: Vec<TrainEvent>,
    /// Networks judged by games held out of training, by their generation.
    pub holdout: BTreeMap<u64, HoldoutEvent>,
    pub matches: Vec<MatchEvent>,
    /// Ratings from all matches and the pool of baselines; none without a match.
    pub ratings: Option<RatingsEvent>,
    /// The workers of a fleet by generation; of one that was played in two sessions those of the second.
    pub fleet: BTreeMap<u64, PlayersEvent>,
    /// How self-play evaluates since last settled.
    pub evaluator: Option<EvaluatorEvent>,
    /// Seconds from the beginning of the first self-play reported to the last event.
    pub seconds: f64,
    /// The rules that the first file of games names.
    games_ruleset: Option<Ruleset>,
}

/// Whole files of games, by their footers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    pub files: u64,
    pub games: u64,
    /// Rows, which are plies.
    pub plies: u64,
    /// Files that are damaged or not ours.
    pub skipped: u64,
}

impl Record {
    /// Reads what is there of run `name` under `root`.
    ///
    /// # Errors
    /// When there is no such run, or the disk refuses.
    pub fn read(root: &Path, name: &str) -> Result<Record, ReportError> {
        let folders = [root.join("models"), root.join("data")];
        let [models, data] = folders.clone().map(|folder| folder.join(name));
        let is_name = matches!(Path::new(name).components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
        if !is_name || !(models.is_dir() || data.is_dir()) {
            let [models, data] = folders;
            return Err(ReportError::NoRun { run: name.to_owned(), models, data });
        }
        let config = optional(&models.join("config.toml"), |path| fs::read_to_string(path))?;
        let (stock, games_ruleset) = stock(&data)?;
        let mut record = Record {
            name: name.to_owned(),
            root: root.to_owned(),
            config,
            checkpoint: newest_checkpoint(&models)?,
            stock,
            selfplay: BTreeMap::new(),
            training: Vec::new(),
            holdout: BTreeMap::new(),
            matches: Vec::new(),
            ratings: None,
            fleet: BTreeMap::new(),
            evaluator: None,
            seconds: 0.0,
            games_ruleset,
            models,
            data,
        };
        record.read_metrics()?;
        record.rate()?;
        Ok(record)
    }

    /// The rules: the newest checkpoint's, or those of the games.
    pub fn ruleset(&self) -> Option<&Ruleset> {
        self.checkpoint.as_ref().map(|checkpoint| &checkpoint.ruleset).or(self.games_ruleset.as_ref())
    }

    /// The run's folder.
    pub fn metrics_path(&self) -> PathBuf {
        self.models.join("metrics.jsonl")
    }

    /// Rates the players by today's method, whatever the run reported.
    fn rate(&mut self) -> Result<(), ReportError> {
        let Some(generation) = self.matches.iter().map(|event| event.generation).max() else { return Ok(()) };
        let pool = self.ruleset().map(|ruleset| Pool::read(&Pool::path(&self.root, ruleset), ruleset)).transpose()?;
        self.ratings = Some(Standings::of_run(self.matches.iter(), pool.as_ref()).event(generation));
        Ok(())
    }

    fn read_metrics(&mut self) -> Result<(), ReportError> {
        let path = self.metrics_path();
        let metrics = read_metrics(&path).map_err(IoError::at(path))?;
        let began = metrics.first().map(|metric| match &metric.event {
            Event::Selfplay(played) => metric.time - played.seconds,
            _ => metric.time,
        });
        if let (Some(began), Some(last)) = (began, metrics.last()) {
            self.seconds = (last.time - began).max(0.0);
        }
        for metric in metrics {
            match metric.event {
                Event::Evaluator(event) => self.evaluator = Some(event),
                Event::Selfplay(event) => match self.selfplay.get_mut(&event.generation) {
                    Some(known) => *known = sum(known, &event),
                    None => {
                        self.selfplay.insert(event.generation, event);
                    }
                },
                Event::Players(event) => {
                    self.fleet.insert(event.generation, event);
                }
                Event::Train(event) => {
                    // A session that goes on from an earlier step than was reported takes those steps again.
                    self.training.truncate(self.training.partition_point(|known| known.step < event.step));
                    self.training.push(event);
                }
                Event::Holdout(event) => {
                    self.holdout.insert(event.generation, event);
                }
                Event::Match(event) => self.matches.push(event),
                Event::Ratings(_) | Event::Unknown => {}
            }
        }
        Ok(())
    }
}

/// Two sessions of one generation: counts are added, rates and shares weighed by time, lengths by games.
fn sum(a: &SelfplayEvent, b: &SelfplayEvent) -> SelfplayEvent {
    let weighed = |pick: fn(&SelfplayEvent) -> f64, weight: fn(&SelfplayEvent) -> f64| {
        (pick(a) * weight(a) + pick(b) * weight(b)) / (weight(a) + weight(b)).max(1e-9)
    };
    // An event of an older version says nothing of its policies, and neither does the sum with it.
    let by_searches = |pick: fn(&SelfplayEvent) -> Option<f64>| -> Option<f64> {
        let [(x, n), (y, m)] = [(pick(a)?, a.full_searches as f64), (pick(b)?, b.full_searches as f64)];
        Some((x * n + y * m) / (n + m).max(1e-9))
    };
    let by_time = |pick: fn(&SelfplayEvent) -> f64| weighed(pick, |event| event.seconds);
    let counts = |pick: fn(&SelfplayEvent) -> &BTreeMap<String, u64>| {
        let mut counts = pick(a).clone();
        for (name, count) in pick(b) {
            *counts.entry(name.clone()).or_default() += count;
        }
        counts
    };
    let (actions, plies) = (counts(|event| &event.actions), a.plies + b.plies);
    let mut sum = SelfplayEvent {
        games: a.games + b.games,
        plies,
        seconds: a.seconds + b.seconds,
        plies_per_second: by_time(|event| event.plies_per_second),
        evaluations_per_second: by_time(|event| event.evaluations_per_second),
        playouts_per_second: by_time(|event| event.playouts_per_second),
        cache_hits: by_time(|event| event.cache_hits),
        batch_fill: by_time(|event| event.batch_fill),
        evaluation_share: by_time(|event| event.evaluation_share),
        memory_mib: a.memory_mib.max(b.memory_mib),
        game_length: weighed(|event| event.game_length, |event| event.games as f64),
        decided_per_1000_plies: weighed(|event| event.decided_per_1000_plies, |event| event.plies as f64),
        mass_on_few_visits: weighed(|event| event.mass_on_few_visits, |event| event.plies as f64),
        full_searches: a.full_searches + b.full_searches,
        policy_kl: by_searches(|event| event.policy_kl),
        prior_entropy: by_searches(|event| event.prior_entropy),
        target_entropy: by_searches(|event| event.target_entropy),
        results: counts(|event| &event.results),
        reasons: counts(|event| &event.reasons),
        action_shares: actions.iter().map(|(name, &n)| (name.clone(), n as f64 / plies.max(1) as f64)).collect(),
        actions,
        ..b.clone()
    };
    sum.resignations.games += a.resignations.games;
    sum.resignations.wrong += a.resignations.wrong;
    sum.agreements.games += a.agreements.games;
    sum.agreements.wrong += a.agreements.wrong;
    sum
}

/// What the footers of a run's games promise, and the rules of the first.
fn stock(data: &Path) -> Result<(Stock, Option<Ruleset>), ReportError> {
    let (mut stock, mut ruleset) = (Stock::default(), None);
    for path in list_files(data, 0..u64::MAX).map_err(crate::stats::StatsError::from)? {
        match inspect(&path) {
            Ok(info) => {
                stock.files += 1;
                stock.games += info.manifest.games;
                stock.plies += info.rows;
                ruleset.get_or_insert(info.manifest.ruleset);
            }
            Err(_) => stock.skipped += 1,
        }
    }
    Ok((stock, ruleset))
}

/// The newest checkpoint that can be read.
fn newest_checkpoint(models: &Path) -> Result<Option<Metadata>, ReportError> {
    let load = |&generation: &u64| Checkpoint::load_metadata(&generation_dir(models, generation)).ok();
    Ok(generations(models)?.iter().rev().find_map(load))
}

/// What is read from a path; none where there is nothing at it.
fn optional<T>(path: &Path, read: impl FnOnce(&Path) -> io::Result<T>) -> Result<Option<T>, ReportError> {
    match read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(IoError { path: path.to_owned(), source }.into()),
    }
}

//! Everything that a run writes about itself, behind one call: `metrics.jsonl`, TensorBoard events, and the curves
//! drawn from them.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use super::{
    curves::curves_svg,
    metrics::{Event, Metric, MetricsWriter, TrainEvent, WorkerEvent, read_metrics},
    tensorboard::EventFile,
};
use crate::disk::{IoError, write_file};

/// The journal of a run, open for this session.
#[derive(Debug)]
pub struct Journal {
    title: String,
    folder: PathBuf,
    writer: MetricsWriter,
    /// Begun with the session's first event.
    tensorboard: Option<EventFile>,
    /// Everything written so far, earlier sessions included.
    metrics: Vec<Metric>,
}

impl Journal {
    /// Opens the journal in `folder`, going on after what is there. `title` heads the curves.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn open(folder: &Path, title: &str) -> io::Result<Self> {
        let path = folder.join("metrics.jsonl");
        let writer = MetricsWriter::open(&path)?;
        let metrics = read_metrics(&path)?;
        Ok(Journal { title: title.to_owned(), folder: folder.to_owned(), writer, tensorboard: None, metrics })
    }

    /// Writes an event down. Training steps that are taken again, after a session that ended between two checkpoints,
    /// are known from the first time and not written twice; nor is what held-out games say of the same network.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&mut self, event: Event) -> io::Result<()> {
        let is_known = match &event {
            Event::Train(train) => {
                self.events().rev().any(|known| matches!(known, Event::Train(known) if is_same(known, train)))
            }
            Event::Holdout(held_out) => self.events().rev().any(|known| {
                matches!(known, Event::Holdout(known)
                    if known.generation == held_out.generation && are_close(&known.losses, &held_out.losses))
            }),
            _ => false,
        };
        if is_known {
            return Ok(());
        }
        let metric = Metric { time: now(), event };
        self.writer.write(&metric)?;
        let (step, scalars) = scalars(&metric.event);
        if !scalars.is_empty() {
            let file = match &mut self.tensorboard {
                Some(file) => file,
                none => none.insert(EventFile::create(&self.folder, metric.time)?),
            };
            file.scalars(metric.time, step, scalars.iter().map(|(tag, value)| (tag.as_str(), *value)))?;
        }
        self.metrics.push(metric);
        Ok(())
    }

    /// Events so far, oldest first.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.metrics.iter().map(|metric| &metric.event)
    }

    /// Draws `curves.svg` anew and gives its path.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn draw(&self) -> Result<PathBuf, IoError> {
        let path = self.folder.join("curves.svg");
        write_file(&path, |file| file.write_all(curves_svg(&self.title, &self.metrics).as_bytes()))?;
        Ok(path)
    }
}

/// Whether two events are of the same steps. Losses are compared too: steps from a checkpoint whose successors a user
/// removed may differ. Numbers that were written and read may differ in their last digit.
fn is_same(known: &TrainEvent, train: &TrainEvent) -> bool {
    (known.generation, known.step) == (train.generation, train.step) && are_close(&known.losses, &train.losses)
}

fn are_close(known: &BTreeMap<String, f64>, found: &BTreeMap<String, f64>) -> bool {
    let close = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= 1e-9 * b.abs();
    known.keys().eq(found.keys()) && known.values().zip(found.values()).all(close)
}

/// The numbers of an event as TensorBoard shows them, at an optimiser step (losses) or a generation (everything else).
fn scalars(event: &Event) -> (u64, Vec<(String, f64)>) {
    match event {
        Event::Selfplay(played) => {
            let share = |count: u64| count as f64 / played.games.max(1) as f64;
            let mut scalars = vec![
                ("selfplay/games".to_owned(), played.games as f64),
                ("selfplay/plies_per_second".to_owned(), played.plies_per_second),
                ("selfplay/evaluations_per_second".to_owned(), played.evaluations_per_second),
                ("selfplay/playouts_per_second".to_owned(), played.playouts_per_second),
                ("selfplay/memory_mib".to_owned(), played.memory_mib as f64),
                ("selfplay/cache_hits".to_owned(), played.cache_hits),
                ("selfplay/batch_fill".to_owned(), played.batch_fill),
                ("selfplay/evaluation_share".to_owned(), played.evaluation_share),
                ("selfplay/game_length".to_owned(), played.game_length),
                ("selfplay/decided_per_1000_plies".to_owned(), played.decided_per_1000_plies),
                ("selfplay/mass_on_few_visits".to_owned(), played.mass_on_few_visits),
            ];
            let policies = [
                ("selfplay/policy_kl", played.policy_kl),
                ("selfplay/prior_entropy", played.prior_entropy),
                ("selfplay/target_entropy", played.target_entropy),
            ];
            scalars.extend(policies.into_iter().filter_map(|(tag, nats)| Some((tag.to_owned(), nats?))));
            scalars.extend(played.results.iter().map(|(name, &count)| (format!("results/{name}"), share(count))));
            scalars.extend(played.reasons.iter().map(|(name, &count)| (format!("reasons/{name}"), share(count))));
            for (name, checks) in [("resignations", played.resignations), ("agreements", played.agreements)] {
                if checks.games > 0 {
                    scalars.push((format!("wrong/{name}"), checks.wrong as f64 / checks.games as f64));
                }
            }
            scalars.extend(played.action_shares.iter().map(|(name, &share)| (format!("actions/{name}"), share)));
            (played.generation, scalars)
        }
        Event::Players(players) => {
            let sum = |pick: fn(&WorkerEvent) -> u64| players.workers.iter().map(pick).sum::<u64>() as f64;
            let scalars = vec![
                ("fleet/workers".to_owned(), players.workers.len() as f64),
                ("fleet/refused".to_owned(), sum(|worker| u64::from(!worker.refused.is_empty()))),
                ("fleet/redelivered_files".to_owned(), sum(|worker| worker.redelivered)),
                ("fleet/checked_files".to_owned(), sum(|worker| worker.checked)),
            ];
            (players.generation, scalars)
        }
        Event::Train(train) => {
            let mut scalars: Vec<_> = train.losses.iter().map(|(head, &loss)| (format!("loss/{head}"), loss)).collect();
            let told = [("train/learning_rate", train.learning_rate), ("train/gradient_norm", train.gradient_norm)];
            scalars.extend(told.into_iter().filter_map(|(tag, value)| Some((tag.to_owned(), value?))));
            scalars.push(("train/rows_per_second".to_owned(), train.rows_per_second));
            (train.step, scalars)
        }
        Event::Holdout(held_out) => {
            let losses = held_out.losses.iter().map(|(head, &loss)| (format!("holdout/{head}"), loss));
            let values = [("holdout/value_r2", held_out.value_r2), ("holdout/value_slope", held_out.value_slope)];
            let values = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
            (held_out.generation, losses.chain(values).collect())
        }
        Event::Ratings(ratings) => {
            let own = ratings.players.iter().filter(|player| player.generation == Some(ratings.generation));
            (ratings.generation, own.filter_map(|player| Some(("elo".to_owned(), player.elo?))).collect())
        }
        Event::Evaluator(_) | Event::Match(_) | Event::Unknown => (0, Vec::new()),
    }
}

/// Seconds since 1970. Only written down, never acted on.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |elapsed| elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::metrics::{HoldoutEvent, SelfplayEvent};

    #[test]
    fn what_was_not_measured_is_no_scalar() {
        let tags = |played: SelfplayEvent| -> Vec<String> {
            scalars(&Event::Selfplay(played)).1.into_iter().map(|(tag, _)| tag).collect()
        };
        let policies = ["selfplay/policy_kl", "selfplay/prior_entropy", "selfplay/target_entropy"];
        let nats = Some(0.5);
        let told =
            tags(SelfplayEvent { policy_kl: nats, prior_entropy: nats, target_entropy: nats, ..Default::default() });
        let untold = tags(SelfplayEvent::default());
        for tag in policies.map(str::to_owned) {
            assert!(told.contains(&tag) && !untold.contains(&tag), "{tag}: {told:?}, {untold:?}");
        }
    }

    #[test]
    fn steps_that_are_taken_again_are_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let train = |generation, step, loss: f64, seconds| {
            let losses = [("total".to_owned(), loss), ("value".to_owned(), loss / 3.0)].into();
            Event::Train(TrainEvent { generation, step, losses, seconds, ..TrainEvent::default() })
        };
        let write = |events: &[Event]| {
            let mut journal = Journal::open(folder.path(), "run").unwrap();
            events.iter().for_each(|event| journal.write(event.clone()).unwrap());
        };
        write(&[train(1, 50, 0.1, 3.0), train(1, 100, 0.7, 3.0)]);
        // The next session begins the training anew.
        write(&[train(1, 50, 0.1, 5.0), train(1, 100, 0.7, 4.0), train(1, 150, 0.7, 4.0)]);
        // Another training up to the same step, and other losses.
        write(&[train(2, 150, 0.7, 4.0), train(1, 150, 0.6, 4.0)]);
        let metrics = read_metrics(&folder.path().join("metrics.jsonl")).unwrap();
        let found: Vec<(u64, u64, f64)> = metrics
            .iter()
            .map(|metric| match &metric.event {
                Event::Train(train) => (train.generation, train.step, train.seconds),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found, [(1, 50, 3.0), (1, 100, 3.0), (1, 150, 4.0), (2, 150, 4.0), (1, 150, 4.0)]);
    }

    #[test]
    fn a_network_that_is_judged_again_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let judged = |generation, loss: f64| {
            let losses = [("total".to_owned(), loss)].into();
            Event::Holdout(HoldoutEvent { generation, losses, ..HoldoutEvent::default() })
        };
        for events in [vec![judged(1, 0.5)], vec![judged(1, 0.5), judged(1, 0.4), judged(2, 0.5)]] {
            let mut journal = Journal::open(folder.path(), "run").unwrap();
            events.into_iter().for_each(|event| journal.write(event).unwrap());
        }
        let metrics = read_metrics(&folder.path().join("metrics.jsonl")).unwrap();
        let found: Vec<Event> = metrics.into_iter().map(|metric| metric.event).collect();
        assert_eq!(found, [judged(1, 0.5), judged(1, 0.4), judged(2, 0.5)]);
    }
}

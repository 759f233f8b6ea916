//! What is known of the workers of a fleet.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::messages::{Introduction, Presence, WorkerState};
use crate::pipeline::metrics::WorkerEvent;

/// How long a worker is taken to be there that is not heard of.
const SILENCE: Duration = Duration::from_secs(10);

/// Most workers that are remembered.
const MOST_WORKERS: usize = 10_000;

/// What is known of a worker.
pub struct Known {
    pub introduction: Introduction,
    heard: Instant,
    presence: Option<Presence>,
    /// Its part in this generation.
    pub part: WorkerEvent,
}

impl Known {
    /// The worker of this name, which is heard of now; none where there are too many.
    pub fn of<'a>(workers: &'a mut BTreeMap<String, Known>, introduction: &Introduction) -> Option<&'a mut Known> {
        if workers.len() >= MOST_WORKERS && !workers.contains_key(&introduction.name) {
            return None;
        }
        let known = workers.entry(introduction.name.clone()).or_insert_with(|| Known {
            introduction: introduction.clone(),
            heard: Instant::now(),
            presence: None,
            part: WorkerEvent::default(),
        });
        known.introduction.clone_from(introduction);
        known.heard = Instant::now();
        Some(known)
    }

    /// Takes down that a worker is there.
    pub fn hear(workers: &mut BTreeMap<String, Known>, presence: Presence) {
        if !presence.worker.is_fit() {
            return;
        }
        if let Some(known) = Known::of(workers, &presence.worker) {
            known.presence = Some(presence);
        }
    }

    /// Games that it has room for at once.
    pub fn places(&self) -> u64 {
        self.presence.as_ref().map_or(0, |presence| presence.places)
    }

    /// Whether it was heard of lately, by a sign of life or a file, and has not left.
    pub fn is_present(&self) -> bool {
        self.heard.elapsed() < SILENCE && self.presence.as_ref().is_none_or(|presence| !presence.leaves)
    }

    /// As others are told of it.
    pub fn state(&self) -> WorkerState {
        let presence = self.presence.as_ref();
        WorkerState {
            worker: self.introduction.clone(),
            silent: self.heard.elapsed().as_secs_f64(),
            files: presence.map(|presence| presence.files.clone()).unwrap_or_default(),
            plies_per_second: presence.map_or(0.0, |presence| presence.plies_per_second),
            evaluations_per_second: presence.map_or(0.0, |presence| presence.evaluations_per_second),
            taken: self.part.files,
            refused: String::new(),
        }
    }
}

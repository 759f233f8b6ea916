//! A worker as one of a fleet: what it may play, how it computes, and what it says of itself.

use std::{path::PathBuf, sync::Arc, time::Duration};

use super::{
    FleetError,
    leases::Lease,
    link::{Address, Heard, Link},
    messages::{Begun, Head, Introduction, Item, Joining, Order, Presence, State, from_json, to_json},
    names::Names,
    queue::Taken,
    store::Store,
};
use crate::{
    console::StopFlag,
    encode::sample,
    game::{Game, Playable},
    model::{
        Backend, Checkpoint, Plan, Precision,
        backend::{self, BackendConfig, OpenNetwork},
        choose, device, is_possible,
    },
    pipeline::{Arithmetic, RunError},
    selfplay::{SelfPlayConfig, Statistics},
};

/// How a worker works.
#[derive(Clone)]
pub struct WorkerConfig {
    /// The server, and as whom.
    pub address: Address,
    /// The run; none for the only one on the server.
    pub run: Option<String>,
    /// What it is called.
    pub name: String,
    /// Where networks are computed; threads share them out.
    pub devices: Vec<String>,
    /// Numbers and way to compute, where they are not those of the run.
    pub precision: Precision,
    pub backend: Backend,
    /// Threads, 0 for one a core, and games that each plays at once, 0 for as many as the run's configuration says.
    pub shards: usize,
    pub slots: usize,
    /// Where networks are kept.
    pub cache: PathBuf,
    /// How long a server, or a run on it, is waited for.
    pub patience: Duration,
}

/// Time between signs of life, and the longest that a request for work waits.
pub const SIGN: Duration = Duration::from_secs(2);
pub const LONG_POLL: Duration = Duration::from_secs(1);

/// Time after which what the server had no room for is sent again.
pub const AGAIN: Duration = Duration::from_millis(500);

/// A worker that knows its run and its game.
pub struct Member<'a, R: Playable> {
    pub link: &'a Link,
    pub names: &'a Names,
    pub run: &'a str,
    pub config: &'a WorkerConfig,
    /// Where files go, if not through the server.
    pub store: Option<&'a Store>,
    pub stop: &'a StopFlag,
    pub joining: &'a Joining,
    pub game: Game<R>,
    pub introduction: Introduction,
}

/// How the files of an order ended.
pub enum After {
    /// There is work of another order.
    Other(Box<Lease>),
    /// There is none yet.
    Nothing,
    Stopped,
    /// The run is over.
    Over,
}

impl<R: Playable> Member<'_, R> {
    /// A taken message as a lease; none where it is no work or ended too many workers, which it then is said of.
    pub fn lease(&self, taken: Taken) -> Option<Lease> {
        let Some(item) = from_json::<Item>(taken.payload()) else {
            taken.end(self.link);
            return None;
        };
        let delivery = taken.delivery();
        tracing::info!("took {item}, delivery {delivery}");
        if delivery <= self.joining.tries {
            let begun = Begun { item: item.clone(), worker: self.config.name.clone() };
            self.link.say(self.names.begun(), to_json(&begun));
            return Some(Lease { item, taken: Some(taken), delivery });
        }
        let head = Head {
            item: item.clone(),
            worker: self.introduction.clone(),
            delivery,
            failed: true,
            statistics: Statistics::default(),
            stored: None,
        };
        let subject = self.names.result(item.generation, item.file);
        // Where that is not kept, another will take the item and find the same.
        if self.link.publish(subject, Some(to_json(&head)), Vec::new(), None).is_ok() {
            taken.end(self.link);
        }
        None
    }

    /// Whether the coordinator has said that the run is over.
    pub fn is_over(&self) -> bool {
        let newest = self.link.newest(&self.names.orders_stream(), self.names.run());
        let joining = newest.ok().flatten().and_then(|(_, bytes)| from_json::<Joining>(&bytes));
        joining.is_some_and(|joining| joining.over)
    }

    /// Fails when the coordinator has said that it takes nothing more from this worker.
    ///
    /// # Errors
    /// With the coordinator's reason.
    pub fn check_standing(&self, said: &mut Heard<'_>) -> Result<(), FleetError> {
        let states: Vec<State> = said.all().iter().filter_map(|bytes| from_json(bytes)).collect();
        let mut own = states.iter().flat_map(|state| &state.workers).filter(|of| of.worker.name == self.config.name);
        match own.next_back().filter(|of| !of.refused.is_empty()) {
            Some(of) => Err(self.unfit(format!("the coordinator takes nothing more from this worker: {}", of.refused))),
            None => Ok(()),
        }
    }

    /// Games that it has room for at once, where those of a run have these settings.
    pub fn places(&self, config: &SelfPlayConfig) -> u64 {
        let config = self.settings(config);
        (config.threads() * config.slots) as u64
    }

    /// The settings of a run with this machine's own threads and places.
    pub fn settings(&self, of_run: &SelfPlayConfig) -> SelfPlayConfig {
        let slots = if self.config.slots > 0 { self.config.slots } else { of_run.slots };
        SelfPlayConfig { shards: self.config.shards, slots, ..of_run.clone() }
    }

    /// Says that this worker is there.
    pub fn sign(&self, files: &[(u64, u64)], plies_per_second: f64, evaluations_per_second: f64, leaves: bool) {
        let presence = Presence {
            worker: self.introduction.clone(),
            places: self.places(&self.joining.order.selfplay),
            files: files.to_vec(),
            plies_per_second,
            evaluations_per_second,
            leaves,
        };
        self.link.say(self.names.here(&self.config.name), to_json(&presence));
    }

    /// How this machine computes a network.
    pub fn plan(&self, network: &Checkpoint, order: &Order) -> Result<Plan, FleetError> {
        let WorkerConfig { precision, backend, ref devices, .. } = *self.config;
        let on = device(&devices[0]).map_err(|problem| self.unfit(problem.to_string()))?;
        let is_free = (precision, backend) == (Precision::Auto, Backend::Auto);
        if is_free && is_possible(order.plan, network.content(), on, precision, backend) {
            return Ok(order.plan);
        }
        if is_free && self.joining.arithmetic == Arithmetic::One {
            let problem = format!(
                "plan: expected {} as the coordinator computes, which this processor cannot",
                order.plan.name()
            );
            return Err(self.unfit(problem));
        }
        let choice = choose(network.content(), &sample(&self.game), on, precision, backend, order.batch_size);
        Ok(choice.map_err(RunError::from)?.plan)
    }

    pub fn open(&self, network: &Arc<Checkpoint>, plan: Plan) -> Result<Vec<OpenNetwork>, FleetError> {
        let (precision, backend) = plan.settings();
        let open = |device: &String| {
            let sample = Some(sample(&self.game));
            let config = BackendConfig { device, precision, backend, sample, ..BackendConfig::default() };
            backend::open(network.clone(), config)
        };
        Ok(self.config.devices.iter().map(open).collect::<Result<_, _>>().map_err(RunError::from)?)
    }

    pub fn unfit(&self, problem: String) -> FleetError {
        FleetError::Unfit { run: self.run.to_owned(), problem }
    }
}

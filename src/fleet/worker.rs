//! Plays for a coordinator: joins, takes files of games as it has room for them, and sends them when they are over.

use std::{cell::Cell, sync::atomic::Ordering, thread, time::Instant};

use super::{
    FleetError,
    leases::{Lease, Leases},
    link::Link,
    member::{AGAIN, After, LONG_POLL, Member, SIGN, WorkerConfig},
    messages::{Introduction, Item, Joining, Order, from_json},
    names::{Names, WORKERS, of_worker},
    networks::Networks,
    session::Session,
    signature::signature,
    silence::Silence,
    store::Store,
};
use crate::{
    console::{Ending, StopFlag, note, say},
    game::{
        Game, Playable, Ruleset,
        registry::{self, GameVisitor},
    },
    pipeline::{Arithmetic, RunError},
};

/// Plays until the run is over or `stop` is set.
///
/// # Errors
/// When the server refuses or is gone for too long, or this machine may not play the run.
pub fn work(config: &WorkerConfig, stop: &StopFlag) -> Result<Ending, FleetError> {
    with_run(config, stop, None)
}

/// Plays one file alone, which nobody else takes, and sends it.
///
/// # Errors
/// As [`work`].
pub fn play_file(config: &WorkerConfig, stop: &StopFlag, generation: u64, file: u64) -> Result<Ending, FleetError> {
    with_run(config, stop, Some((generation, file)))
}

fn with_run(config: &WorkerConfig, stop: &StopFlag, one: Option<(u64, u64)>) -> Result<Ending, FleetError> {
    let link = Link::connect(&config.address, &config.name, config.patience, stop)?;
    let mut silence = Silence::new(config.patience);
    loop {
        let Some((run, joining)) = find_run(&link, config, stop)? else { return Ok(Ending::Stopped) };
        let Ruleset { game, options, .. } = joining.order.ruleset.clone();
        let (link, names) = (&link, Names::new(&run));
        let store = joining.store.as_deref().map(|url| Store::open(url, &run)).transpose()?;
        let has_joined = &Cell::new(false);
        let worker = Joined { link, names, run: run.clone(), config, store, stop, joining, one, has_joined };
        let unfit = |problem: String| FleetError::Unfit { run, problem };
        let worked = registry::with_game(&game, &options, worker).map_err(|problem| unfit(problem.to_string()))?;
        match worked {
            Ok(Some(ending)) => return Ok(ending),
            Ok(None) => {}
            Err(problem) if has_joined.get() => return Err(problem),
            Err(problem) => {
                silence.bear(problem)?;
                thread::sleep(AGAIN);
            }
        }
    }
}

/// The run to play for, and what it says to those who join; waits for it.
fn find_run(link: &Link, config: &WorkerConfig, stop: &StopFlag) -> Result<Option<(String, Joining)>, FleetError> {
    let since = Instant::now();
    let mut told = false;
    loop {
        let run = match &config.run {
            Some(run) => Some(run.clone()),
            None => match only_run(link) {
                Ok(run) => run,
                // It may be away for a while.
                Err(FleetError::Server { .. }) => None,
                Err(problem) => return Err(problem),
            },
        };
        if let Some(run) = run {
            let names = Names::new(&run);
            match link.newest(&names.orders_stream(), names.run()) {
                Ok(Some((_, bytes))) => match from_json::<Joining>(&bytes) {
                    Some(joining) if is_open(link, &names, &joining) => return Ok(Some((run, joining))),
                    Some(_) => {}
                    None => {
                        return Err(FleetError::Unfit { run, problem: "expected a run of this version".to_owned() });
                    }
                },
                Err(problem) if link.is_denied() => return Err(problem),
                Ok(None) | Err(_) => {}
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if since.elapsed() > config.patience {
            let run = config.run.as_ref().map_or("a run".to_owned(), |run| format!("run {run}"));
            return Err(FleetError::NoRun(format!("{}: expected {run} with work, found none", link.url())));
        }
        if !told {
            note("waiting for a run to join");
            told = true;
        }
        thread::sleep(AGAIN);
    }
}

/// Whether a run can be joined: it is not over, and the server has its network.
fn is_open(link: &Link, names: &Names, joining: &Joining) -> bool {
    let described = names.network(&joining.order.checkpoint, 0);
    !joining.over && matches!(link.newest(&names.orders_stream(), described), Ok(Some(_)))
}

/// The only run that a server has; none where it has none.
///
/// # Errors
/// When it has several.
pub fn only_run(link: &Link) -> Result<Option<String>, FleetError> {
    let mut runs: Vec<String> = link.streams()?.iter().filter_map(|stream| Names::of_work_stream(stream)).collect();
    match runs.len() {
        0 | 1 => Ok(runs.pop()),
        _ => {
            runs.sort_unstable();
            Err(FleetError::NoRun(format!("{}: expected --run, one of {}", link.url(), runs.join(", "))))
        }
    }
}

/// A worker that knows its run.
struct Joined<'a> {
    link: &'a Link,
    names: Names,
    run: String,
    config: &'a WorkerConfig,
    store: Option<Store>,
    stop: &'a StopFlag,
    joining: Joining,
    one: Option<(u64, u64)>,
    has_joined: &'a Cell<bool>,
}

impl GameVisitor for Joined<'_> {
    /// None where the network by which to join is no more on the server.
    type Output = Result<Option<Ending>, FleetError>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Some(mut worker) = self.join(game)? else { return Ok(None) };
        self.has_joined.set(true);
        let ending = match self.one {
            Some((generation, file)) => worker.play_one(generation, file),
            None => worker.play(),
        };
        worker.member.sign(&[], 0.0, 0.0, true);
        ending.map(Some)
    }
}

impl<'a> Joined<'a> {
    /// Sees whether this machine may play, by playing what all play.
    fn join<R: Playable>(&'a self, game: Game<R>) -> Result<Option<Worker<'a, R>>, FleetError> {
        let Joined { link, names, run, config, stop, joining, .. } = self;
        joining.order.check(&game).map_err(|problem| self.unfit(problem))?;
        let introduction = Introduction { name: config.name.clone(), ..Introduction::default() };
        let store = self.store.as_ref();
        if let Some(store) = store {
            // One that may not write there would keep files for itself.
            store.create(&of_worker(&config.name, "joined"), Vec::new())?;
        }
        let mut member = Member { link, names, run, config, store, stop, joining, game, introduction };
        let mut networks = Networks::new(link, names, store, config.cache.join(&config.name));
        let order = &joining.order;
        let Some(network) = networks.get(&order.checkpoint, &member.game)? else { return Ok(None) };
        let plan = member.plan(&network, order)?;
        let open = member.open(&network, plan)?;
        let evaluators = |shard: usize| open[shard % open.len()].evaluator(order.batch_size);
        let found = signature(&member.game, order, &evaluators).map_err(RunError::from)?;
        member.introduction.plan = format!("{} on {}", plan.name(), config.devices.join(" "));
        member.introduction.signature.clone_from(&found);
        if found != joining.signature {
            if joining.arithmetic == Arithmetic::One {
                return Err(self.unfit(format!(
                    "signature: expected {}, as the coordinator computes, found {found} ({}); [fleet] arithmetic = \
                     \"any\" lets machines play that compute otherwise",
                    joining.signature, member.introduction.plan
                )));
            }
            say(&format!("signature {found}, another than the coordinator's {}", joining.signature));
        }
        let (name, plan) = (&config.name, &member.introduction.plan);
        say(&format!("{name} plays for run {run} at {}: {}, {plan}", link.url(), order.ruleset));
        Ok(Some(Worker { member, networks, silence: Silence::new(config.patience) }))
    }

    fn unfit(&self, problem: String) -> FleetError {
        FleetError::Unfit { run: self.run.clone(), problem }
    }
}

/// A worker that has joined, at its work.
struct Worker<'a, R: Playable> {
    member: Member<'a, R>,
    networks: Networks<'a>,
    silence: Silence,
}

impl<R: Playable> Worker<'_, R> {
    /// Plays whatever there is, order after order.
    fn play(&mut self) -> Result<Ending, FleetError> {
        let mut next = None;
        loop {
            let lease = match next.take() {
                Some(lease) => lease,
                None => match self.first_lease()? {
                    After::Other(lease) => *lease,
                    After::Nothing => continue,
                    After::Stopped => return Ok(Ending::Stopped),
                    After::Over => return Ok(Ending::Done),
                },
            };
            let Some(order) = self.order_of(&lease)? else {
                if self.member.stop.load(Ordering::Relaxed) {
                    lease.taken.iter().for_each(|taken| taken.give_back(self.member.link));
                } else {
                    // Of a configuration or a network that is no more.
                    lease.taken.iter().for_each(|taken| taken.end(self.member.link));
                }
                continue;
            };
            match self.play_order(&order, lease)? {
                After::Other(lease) => next = Some(*lease),
                After::Nothing => {}
                After::Stopped => return Ok(Ending::Stopped),
                After::Over => return Ok(Ending::Done),
            }
        }
    }

    /// Plays a file that nobody leases.
    fn play_one(&mut self, generation: u64, file: u64) -> Result<Ending, FleetError> {
        while !self.member.stop.load(Ordering::Relaxed) {
            let order = match self.newest_order(generation) {
                Ok(Some(order)) => order,
                Ok(None) => return Err(self.member.unfit(format!("expected generation {generation}, found none"))),
                Err(problem) => {
                    self.bear(problem)?;
                    continue;
                }
            };
            let item = Item { generation, file, order: order.hash(), checkpoint: order.checkpoint.clone(), epoch: 0 };
            match self.play_order(&order, Lease { item, taken: None, delivery: 1 })? {
                After::Nothing => {}
                After::Stopped => break,
                After::Over | After::Other(_) => return Ok(Ending::Done),
            }
        }
        Ok(Ending::Stopped)
    }

    /// Bears a server that is away for a while, and waits a little.
    fn bear(&mut self, problem: FleetError) -> Result<(), FleetError> {
        self.silence.bear(problem)?;
        if !self.member.stop.load(Ordering::Relaxed) {
            thread::sleep(AGAIN);
        }
        Ok(())
    }

    /// Waits for work.
    fn first_lease(&mut self) -> Result<After, FleetError> {
        let mut signed: Option<Instant> = None;
        let mut said = self.member.link.listen(self.member.names.state())?;
        loop {
            if self.member.stop.load(Ordering::Relaxed) {
                return Ok(After::Stopped);
            }
            if signed.is_none_or(|at| at.elapsed() >= SIGN) {
                signed = Some(Instant::now());
                self.member.sign(&[], 0.0, 0.0, false);
                self.member.check_standing(&mut said)?;
                if self.member.is_over() {
                    return Ok(After::Over);
                }
            }
            let queue = self.member.link.queue(&self.member.names.work_stream(), WORKERS);
            match queue.and_then(|queue| queue.take(1, LONG_POLL)) {
                Ok(mut taken) => {
                    self.silence.broken();
                    if let Some(lease) = taken.pop().and_then(|taken| self.member.lease(taken)) {
                        return Ok(After::Other(Box::new(lease)));
                    }
                }
                Err(problem) => self.bear(problem)?,
            }
        }
    }

    fn newest_order(&self, generation: u64) -> Result<Option<Order>, FleetError> {
        let found = self.member.link.newest(&self.member.names.orders_stream(), self.member.names.order(generation))?;
        Ok(found.and_then(|(_, bytes)| from_json(&bytes)))
    }

    /// How an item is to be played; none where nobody knows any more.
    fn order_of(&mut self, lease: &Lease) -> Result<Option<Order>, FleetError> {
        while !self.member.stop.load(Ordering::Relaxed) {
            match self.newest_order(lease.item.generation) {
                Ok(order) => {
                    self.silence.broken();
                    let of_item = |order: &Order| order.hash() == lease.item.order;
                    return Ok(order.filter(of_item));
                }
                Err(problem) => self.bear(problem)?,
            }
        }
        Ok(None)
    }

    /// Plays files of an order, beginning with this one, until there is work of another.
    fn play_order(&mut self, order: &Order, first: Lease) -> Result<After, FleetError> {
        order.check(&self.member.game).map_err(|problem| self.member.unfit(problem))?;
        let network = match self.networks.get(&order.checkpoint, &self.member.game) {
            Ok(Some(network)) => network,
            // The coordinator puts there again what the server has lost.
            absent => {
                first.taken.iter().for_each(|taken| taken.give_back(self.member.link));
                self.bear(absent.err().unwrap_or_else(|| self.member.link.error("network", "it is not there")))?;
                return Ok(After::Nothing);
            }
        };
        self.silence.broken();
        let networks = self.member.open(&network, self.member.plan(&network, order)?)?;
        let config = self.member.settings(&order.selfplay);
        let games = config.games_of_file(first.item.file);
        if games.is_empty() {
            first.taken.iter().for_each(|taken| taken.end(self.member.link));
            return Ok(After::Nothing);
        }
        let (leases, alone) = (Leases::default(), first.taken.is_none());
        leases.add(first, games);
        if alone {
            leases.close();
        }
        Session::new(&self.member, order, &config, &leases).run(&networks)
    }
}

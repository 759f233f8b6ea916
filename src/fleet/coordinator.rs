//! Has a run's games played by workers: puts its files among the work, takes what comes, and keeps the server and its own
//! place as the only coordinator.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{
    FleetError,
    collector::Collector,
    keys::{FleetFolder, Join, Key},
    link::Link,
    messages::{Joining, Order, to_json},
    names::{Names, STORED_NETWORKS},
    place::{self, AGE, RENEW},
    server::Server,
    shared::{Books, LOOK, Shared, Site},
    store::Store,
};
use crate::{
    console::{StopFlag, say},
    game::Playable,
    pipeline::{FleetConfig, Games, GamesPlayed, Players, RunError},
    selfplay::Statistics,
};

/// How long a server of our own that ends again and again is tried at the start.
const START: Duration = Duration::from_secs(30);

/// How long the end of a run waits for its workers to hear of it.
const FAREWELL: Duration = Duration::from_secs(5);

/// A run's fleet, as long as the value lives.
pub struct Coordinator {
    pub(super) shared: Arc<Shared>,
    keeper: Option<JoinHandle<()>>,
}

impl Coordinator {
    /// Brings up the server, where it is our own, and becomes the run's coordinator. `models` is the run's folder.
    ///
    /// # Errors
    /// When there is no server or it refuses, or there is another coordinator.
    pub fn start(
        models: &Path,
        run: &str,
        config: FleetConfig,
        site: &Site,
        stop: &StopFlag,
    ) -> Result<Self, FleetError> {
        let folder = FleetFolder::new(models);
        let store = config.store().map(|url| Store::open(url, run)).transpose()?;
        store.as_ref().map(Store::probe).transpose()?;
        let own = Key::of_run(&folder.coordinator_key())?;
        let (address, mut server, join) = match &site.url {
            Some(url) => (site.address(url)?, None, format!("maydan worker {url} --run {run} --key FILE")),
            None => {
                let (server, join) = own_server(&folder, run, &config, &own)?;
                (server.address(&own), Some(server), join)
            }
        };
        let local_join = server.as_ref().map(|_| folder.local_join());
        let name = format!("coordinator of {run}");
        let patience = if server.is_some() { RENEW } else { AGE };
        let link = with_server(&mut server, || Link::connect(&address, &name, patience, stop))?;
        let names = Names::new(run);
        let place = with_server(&mut server, || place::take(&link, &names, run))?;
        let shared = Shared {
            link,
            names,
            run: run.to_owned(),
            config,
            store,
            local_join,
            site: site.clone(),
            secret: own.seed(),
            server: Mutex::new(server),
            fenced: Mutex::new(None),
            over: AtomicBool::new(false),
            books: Mutex::new(Books::of(run)),
        };
        match shared.prepare() {
            // It has ended since: who plays first prepares it again.
            Err(problem @ FleetError::Server { .. }) if site.url.is_none() => tracing::info!("{problem}"),
            prepared => prepared?,
        }
        say(&format!("fleet: others join by `{join}`"));
        let shared = Arc::new(shared);
        let keeper = thread::spawn({
            let shared = shared.clone();
            move || shared.keep(place)
        });
        Ok(Coordinator { shared, keeper: Some(keeper) })
    }

    /// The run is over, which its workers are told.
    pub fn finish(&self) {
        let shared = &self.shared;
        let Some(joining) = shared.books().joining.clone() else { return };
        let over = to_json(&Joining { over: true, ..joining });
        // Without a server there is nobody to be told.
        let _ = shared.link.publish(shared.names.run(), None, over, None);
        let since = Instant::now();
        while shared.books().present() > 0 && since.elapsed() < FAREWELL {
            thread::sleep(LOOK / 5);
        }
        if let Some(Err(problem)) = shared.store.as_ref().map(|store| store.clear(STORED_NETWORKS)) {
            tracing::info!("{problem}");
        }
    }
}

/// Brings up a server of the run's own, and gives it with the line by which others join.
fn own_server(
    folder: &FleetFolder,
    run: &str,
    config: &FleetConfig,
    own: &Key,
) -> Result<(Server, String), FleetError> {
    let worker = Key::of_run(&folder.worker_key())?;
    let mut server = Server::prepare(folder.clone(), run, config, own, &worker)?;
    server.ensure()?;
    let join = Join { url: server.url(), run: run.to_owned(), key: worker.seed(), certificate: server.roots() };
    join.write(&folder.join())?;
    let line = match &join.certificate {
        Some(_) => format!("maydan worker --join {}", folder.join().display()),
        None => format!("maydan worker {} --key {}", join.url, folder.worker_key().display()),
    };
    // This machine need not know the server's name.
    Join { url: server.address(&worker).url, ..join }.write(&folder.local_join())?;
    Ok((server, line))
}

/// Does what needs the server; one of our own is started again where it ends meanwhile.
fn with_server<T>(
    server: &mut Option<Server>,
    mut work: impl FnMut() -> Result<T, FleetError>,
) -> Result<T, FleetError> {
    let since = Instant::now();
    loop {
        match (work(), server.as_mut()) {
            (Err(FleetError::Unreachable { .. } | FleetError::Server { .. }), Some(server))
                if since.elapsed() < START =>
            {
                server.ensure()?;
                thread::sleep(LOOK);
            }
            (done, _) => return done,
        }
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let shared = &self.shared;
        shared.over.store(true, Ordering::Relaxed);
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
        // The next coordinator need not wait until this one is forgotten.
        shared.link.purge(&shared.names.coordinator_stream(), shared.names.coordinator());
        if let Some(mut server) = shared.server.lock().unwrap_or_else(PoisonError::into_inner).take() {
            server.stop();
        }
    }
}

impl<R: Playable> Players<R> for Coordinator {
    fn play(
        &self,
        games: &Games<R>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics, Option<usize>),
    ) -> Result<GamesPlayed, RunError> {
        self.play_whole(games, stop, progress).map_err(|problem| match problem {
            FleetError::Run(problem) => problem,
            problem => RunError::Fleet(problem.to_string()),
        })
    }
}

impl Coordinator {
    fn play_whole<R: Playable>(
        &self,
        games: &Games<R>,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Statistics, Option<usize>),
    ) -> Result<GamesPlayed, FleetError> {
        let shared = &self.shared;
        let order = Order::new(games);
        // A server that is away is waited for.
        let announced = shared.patiently(stop, || shared.announce(games, &order))?;
        let mut collector = Collector::new(shared, games, order)?;
        if announced.is_some() {
            collector.run(stop, progress)?;
        }
        Ok(collector.played())
    }
}

//! A fleet whose parts are killed, stopped, cut off and started again, in an order that a seed draws: it comes to its end,
//! and to the bytes of one process. `MAYDAN_CHAOS_SEEDS=0..200 cargo test --features fleet --test torch chaos` tries more.

use std::{
    env, fs,
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use maydan::game::random;
use rand::{Rng as _, seq::IndexedRandom as _};

use super::{Fleet, PATIENCE, alone, signal};
use crate::run::assert_same;

const SETTINGS: [&str; 3] = ["run.generations=3", "selfplay.games=40", "sampler.passes=8"];
const FLEET: [&str; 2] = ["fleet.lease=2", "fleet.tries=100"];

/// Seeds of the short form, and blows that a run gets at most in it and in the long one.
const SEEDS: u64 = 2;
const FEW_BLOWS: usize = 8;
const BLOWS: usize = 25;

/// Hands bytes on between workers and server, and cuts all connections when told to.
struct Forwarder {
    port: u16,
    open: Arc<Mutex<Vec<TcpStream>>>,
    over: Arc<AtomicBool>,
}

impl Forwarder {
    fn new(to: u16) -> Forwarder {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let forwarder = Forwarder { port, open: Arc::default(), over: Arc::default() };
        let (open, over) = (forwarder.open.clone(), forwarder.over.clone());
        thread::spawn(move || {
            for near in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (Ok(near), Ok(far)) = (near, TcpStream::connect(("127.0.0.1", to))) else { continue };
                let mut both = open.lock().unwrap();
                for (mut from, mut into) in
                    [(&near, &far), (&far, &near)].map(|(a, b)| (a.try_clone().unwrap(), b.try_clone().unwrap()))
                {
                    both.push(from.try_clone().unwrap());
                    thread::spawn(move || {
                        let mut bytes = [0; 1 << 14];
                        while let Ok(length @ 1..) = from.read(&mut bytes) {
                            if into.write_all(&bytes[..length]).is_err() {
                                break;
                            }
                        }
                        let _ = into.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        forwarder
    }

    fn cut(&self) {
        for connection in self.open.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Forwarder {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.cut();
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

#[derive(Clone, Copy, Debug)]
enum Blow {
    KillWorker,
    StopWorker,
    KillServer,
    KillCoordinator,
    FreezeServer,
    Cut,
    LoseStore,
}

impl Blow {
    const ALL: [Blow; 10] = [
        Blow::KillWorker,
        Blow::KillWorker,
        Blow::KillWorker,
        Blow::StopWorker,
        Blow::KillServer,
        Blow::KillCoordinator,
        Blow::KillCoordinator,
        Blow::FreezeServer,
        Blow::Cut,
        Blow::LoseStore,
    ];
}

/// Kills a process of ours, and starts it again.
fn again(fleet: &mut Fleet, name: &str) {
    let old = fleet.process(name);
    signal(old.id(), "CONT");
    let _ = old.kill();
    let _ = old.wait();
    let new = if name == "coordinator" { fleet.coordinator("coordinator.log") } else { fleet.worker(name) };
    *fleet.process(name) = new;
}

fn strike(fleet: &mut Fleet, forwarder: &Forwarder, blow: Blow, worker: &str) {
    match blow {
        Blow::KillWorker => again(fleet, worker),
        Blow::StopWorker => {
            let id = fleet.process(worker).id();
            signal(id, "STOP");
            thread::sleep(Duration::from_millis(2500));
            signal(id, "CONT");
        }
        Blow::KillServer => fleet.server().into_iter().for_each(|id| signal(id, "KILL")),
        Blow::FreezeServer => {
            if let Some(id) = fleet.server() {
                signal(id, "STOP");
                thread::sleep(Duration::from_millis(1500));
                signal(id, "CONT");
            }
        }
        Blow::KillCoordinator => again(fleet, "coordinator"),
        Blow::Cut => forwarder.cut(),
        Blow::LoseStore => {
            fleet.server().into_iter().for_each(|id| signal(id, "KILL"));
            let _ = fs::remove_dir_all(fleet.place.model("fleet/nats-server.store"));
        }
    }
}

fn survive(seed: u64, most: usize) -> (Fleet, Vec<Blow>) {
    let mut rng = random::stream("chaos", seed, 0, 0);
    let mut fleet = Fleet::new(&[&SETTINGS[..], &FLEET].concat());
    let forwarder = Forwarder::new(fleet.port);
    fleet.through = Some(forwarder.port);
    fleet.start(4);
    let (since, mut blows) = (Instant::now(), Vec::new());
    loop {
        if let Some(status) = fleet.process("coordinator").try_wait().unwrap() {
            assert!(status.success(), "seed {seed}, {blows:?}: {status}\n{}", fleet.logs());
            return (fleet, blows);
        }
        assert!(since.elapsed() < 2 * PATIENCE, "seed {seed}, {blows:?}: no end\n{}", fleet.logs());
        if blows.len() < most {
            let blow = *Blow::ALL.choose(&mut rng).unwrap();
            let worker = format!("w{}", rng.random_range(1..=4));
            strike(&mut fleet, &forwarder, blow, &worker);
            blows.push(blow);
        }
        for name in ["w1", "w2", "w3", "w4"] {
            // One that was killed in between by us is started by us; no worker ends by itself before the run does.
            if let Some(status) = fleet.process(name).try_wait().unwrap() {
                assert!(status.success(), "seed {seed}, {blows:?}: {name}: {status}\n{}", fleet.logs());
            }
        }
        thread::sleep(Duration::from_millis(rng.random_range(100..900)));
    }
}

#[test]
fn whatever_is_killed_the_run_is_the_same() {
    let long = env::var("MAYDAN_CHAOS_SEEDS").ok();
    let (seeds, blows) = long.map_or((0..SEEDS, FEW_BLOWS), |seeds| {
        let (first, end) = seeds.split_once("..").expect("MAYDAN_CHAOS_SEEDS: expected FIRST..END");
        (first.parse().unwrap()..end.parse().unwrap(), BLOWS)
    });
    let whole = alone(&SETTINGS).artefacts();
    for seed in seeds {
        let since = Instant::now();
        let (fleet, blows) = survive(seed, blows);
        println!("seed {seed}: {} blows, {:.0} s: {blows:?}", blows.len(), since.elapsed().as_secs_f64());
        assert_same(&fleet.place.artefacts(), &whole);
    }
}

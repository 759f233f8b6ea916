//! Workers that send what is not so, and files that end their workers.

use std::{
    fs,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use async_nats::{
    Client, ConnectOptions, HeaderMap,
    jetstream::{self, Context, Message, consumer::pull},
};
use futures_util::StreamExt as _;
use maydan::{
    data::{GameRecord, Manifest, encode_games},
    game::shatara::Shatara,
    model::{Evaluator, Uniform},
    pipeline::Config,
    selfplay::{Shards, Statistics},
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{Fleet, alone, refused, signal};
use crate::run::assert_same;

/// A worker of ours that does what it should not. It has the workers' key.
struct Impostor {
    runtime: Runtime,
    client: Client,
    context: Context,
}

impl Impostor {
    fn new(fleet: &Fleet) -> Impostor {
        Impostor::with_key(fleet, "worker")
    }

    fn with_key(fleet: &Fleet, name: &str) -> Impostor {
        let key = fs::read_to_string(fleet.key(name)).unwrap();
        let runtime = Runtime::new().unwrap();
        let client = runtime.block_on(ConnectOptions::with_nkey(key.trim().to_owned()).connect(fleet.url())).unwrap();
        let context = {
            let _entered = runtime.enter();
            jetstream::new(client.clone())
        };
        Impostor { runtime, client, context }
    }

    /// Takes so many items of work.
    fn take(&self, count: usize) -> Vec<(Value, Message)> {
        self.runtime.block_on(async {
            let consumer: jetstream::consumer::Consumer<pull::Config> = loop {
                match self.context.get_consumer_from_stream("workers", "maydan-tiny-work").await {
                    Ok(consumer) => break consumer,
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            };
            let mut taken = Vec::new();
            while taken.len() < count {
                let batch = consumer.fetch().max_messages(1).expires(Duration::from_secs(1)).messages().await;
                if let Some(Ok(message)) = batch.unwrap().next().await {
                    taken.push((serde_json::from_slice(&message.payload).unwrap(), message));
                }
            }
            taken
        })
    }

    /// Answers for an item with a file.
    fn send(&self, item: &Value, message: &Message, file: Vec<u8>) {
        let head = json!({
            "item": item,
            "worker": { "name": "liar", "plan": "f32 on cpu", "signature": "0" },
            "delivery": 1,
            "failed": false,
            "statistics": Statistics::default(),
        });
        let mut headers = HeaderMap::new();
        headers.insert("Maydan-Head", head.to_string().as_str());
        let subject = format!("maydan.tiny.result.{}.{}", item["generation"], item["file"]);
        self.runtime.block_on(async {
            self.context.publish_with_headers(subject, headers, file.into()).await.unwrap().await.unwrap();
            message.double_ack().await.unwrap();
        });
    }

    /// Whether the server lets this be published within its patience.
    fn may_publish(&self, subject: &'static str) -> bool {
        self.runtime.block_on(async { self.context.publish(subject, "".into()).await.unwrap().await.is_ok() })
    }

    /// Whether it answers this request.
    fn is_answered(&self, subject: &'static str) -> bool {
        self.runtime.block_on(async {
            let request = self.client.request(subject, "".into());
            matches!(tokio::time::timeout(Duration::from_secs(2), request).await, Ok(Ok(_)))
        })
    }
}

/// Games of a file of the first generation, played by a network that thinks everything alike.
fn played_by_another(fleet: &Fleet, file: u64) -> (Manifest, Vec<GameRecord>) {
    let config = Config::load(&fleet.place.model("config.toml"), &[]).unwrap();
    let checkpoint = fs::read_to_string(fleet.place.model("gen-000000/checkpoint.toml")).unwrap();
    let id = checkpoint.parse::<toml::Table>().unwrap()["id"].as_str().unwrap().to_owned();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let shards = Shards { game: &game, config: &config.selfplay, seed: config.run.seed, generation: 0 };
    let mut games = Vec::new();
    shards
        .play(
            1,
            &Mutex::new(config.selfplay.games_of_file(file)),
            &|_| Ok(Box::new(Uniform { batch_size: 8 }) as Box<dyn Evaluator>),
            &false.into(),
            &mut |record, _, _| {
                games.push(record);
                Ok(())
            },
            &mut |_| (),
        )
        .unwrap();
    games.sort_by_key(|game| game.index);
    (Manifest::new(&game, config.run.seed, 0, &id), games)
}

/// A run in which a worker sends such files until it is caught; then another worker comes.
fn caught(check: &str, settings: &[&str], lie: impl Fn(&Fleet, u64) -> Vec<u8>, said: &str) {
    let mut fleet = Fleet::new(&[&[check], settings].concat());
    fleet.start(0);
    let impostor = Impostor::new(&fleet);
    let is_caught = || fleet.log("coordinator.log").contains("nothing is taken from worker liar any more");
    while !is_caught() {
        let (item, message) = impostor.take(1).remove(0);
        impostor.send(&item, &message, lie(&fleet, item["file"].as_u64().unwrap()));
        let sent = Instant::now();
        while !is_caught() && sent.elapsed() < Duration::from_millis(500) {
            thread::sleep(Duration::from_millis(10));
        }
    }
    assert!(fleet.log("coordinator.log").contains(said), "{}", fleet.logs());
    // A worker of that name hears of it.
    let error = refused(fleet.worker_command("liar", &[]));
    assert!(error.contains("run tiny: the coordinator takes nothing more from this worker: file "), "{error}");
    assert!(error.contains(said), "{error}");
    // What it sends from now on comes to nothing, and is played by others.
    let (item, message) = impostor.take(1).remove(0);
    impostor.send(&item, &message, lie(&fleet, item["file"].as_u64().unwrap()));
    let child = fleet.worker("honest");
    fleet.processes.0.push(("honest".to_owned(), child));
    fleet.ends_well("coordinator");
    assert_same(&fleet.place.artefacts(), &alone(settings).artefacts());
    let events = fleet.place.events();
    let first = events.iter().find(|event| event["event"] == "players").unwrap();
    let liar = first["workers"].as_array().unwrap().iter().find(|worker| worker["name"] == "liar");
    if let Some(liar) = liar {
        assert!(liar["refused"].as_str().unwrap().contains(said), "{first}");
    }
}

#[test]
fn games_of_another_network_are_caught() {
    let lie = |fleet: &Fleet, file| {
        let (manifest, games) = played_by_another(fleet, file);
        encode_games(&manifest, &games)
    };
    caught("fleet.check=1.0", &[], lie, "expected what the network says");
    // Sixty files: that none of them is drawn has a chance of 1.5e-6.
    let settings = ["selfplay.games=120", "run.generations=1", "sampler.passes=1"];
    caught("fleet.check=0.2", &settings, lie, "expected what the network says");
}

#[test]
fn games_with_rows_left_out_are_caught() {
    let lie = |fleet: &Fleet, file| {
        let (manifest, mut games) = played_by_another(fleet, file);
        games[0].decisions.remove(3);
        encode_games(&manifest, &games)
    };
    caught("fleet.check=0.0", &[], lie, "of generation 0: ");
}

#[test]
fn games_of_another_file_are_caught() {
    let lie = |fleet: &Fleet, file: u64| {
        let (manifest, games) = played_by_another(fleet, if file == 0 { 1 } else { 0 });
        encode_games(&manifest, &games)
    };
    caught("fleet.check=0.0", &[], lie, "expected games ");
    caught("fleet.check=0.0", &[], |_: &Fleet, _| b"no games at all".to_vec(), "of generation 0: ");
}

#[test]
fn the_key_of_the_workers_is_good_for_nothing_else() {
    let mut fleet = Fleet::new(&[]);
    fleet.start(0);
    let impostor = Impostor::new(&fleet);
    drop(impostor.take(1));
    assert!(!impostor.may_publish("maydan.tiny.work.0.x.0"), "it makes no work");
    assert!(!impostor.may_publish("maydan.tiny.order.9"), "nor orders");
    for subject in [
        "$JS.API.STREAM.DELETE.maydan-tiny-work",
        "$JS.API.STREAM.PURGE.maydan-tiny-results",
        "$JS.API.DIRECT.GET.maydan-tiny-results.maydan.tiny.result.0.0",
        "$JS.API.CONSUMER.MSG.NEXT.maydan-tiny-results.collector",
    ] {
        assert!(!impostor.is_answered(subject), "{subject}");
    }
}

#[test]
fn workers_wait_while_the_server_is_full() {
    const ROOM: i64 = 40_000;
    let settings = ["selfplay.games=40", "run.generations=1", "sampler.passes=1"];
    let mut fleet = Fleet::new(&settings);
    fleet.start(1);
    fleet.until("the worker plays", || fleet.log("w1.log").contains("plays for run tiny"));
    let coordinator = fleet.process("coordinator").id();
    signal(coordinator, "STOP");
    let owner = Impostor::with_key(&fleet, "coordinator");
    let results = owner.runtime.block_on(owner.context.get_stream("maydan-tiny-results")).unwrap();
    let config = jetstream::stream::Config { max_bytes: ROOM, ..results.cached_info().config.clone() };
    owner.runtime.block_on(owner.context.update_stream(config)).unwrap();
    fleet.until("the worker waits", || fleet.log("w1.log").contains("files wait to be sent: the server has no room"));
    let held = owner.runtime.block_on(results.get_info()).unwrap().state.bytes;
    assert!(held <= ROOM as u64, "{held} bytes");
    signal(coordinator, "CONT");
    fleet.ends_well("coordinator");
    assert_same(&fleet.place.artefacts(), &alone(&settings).artefacts());
}

#[test]
fn a_file_that_ends_its_workers_is_played_by_the_coordinator() {
    let settings = ["fleet.tries=1", "fleet.lease=1"];
    let mut fleet = Fleet::new(&settings);
    fleet.start(0);
    // They are taken, and nothing is heard of them any more.
    drop(Impostor::new(&fleet).take(2));
    let child = fleet.worker("honest");
    fleet.processes.0.push(("honest".to_owned(), child));
    fleet.ends_well("coordinator");
    let log = fleet.log("coordinator.log");
    assert!(log.contains("of generation 0 ended its workers and is played here"), "{log}");
    assert_same(&fleet.place.artefacts(), &alone(&[]).artefacts());
}

#[test]
fn a_file_that_nobody_can_play_ends_the_run_and_is_named() {
    let mut fleet = Fleet::new(&["fleet.tries=1", "fleet.lease=1"]);
    fleet.start(0);
    drop(Impostor::new(&fleet).take(1));
    let child = fleet.worker("honest");
    fleet.until("it plays", || fleet.log("honest.log").contains("plays for run tiny"));
    fleet.processes.0.push(("honest".to_owned(), child));
    // Without a key the process of the coordinator cannot play either.
    fs::write(fleet.place.model("fleet/join-here.toml"), "").unwrap();
    let complaint = || {
        let log = fleet.log("coordinator.log");
        // The process says before why it could not.
        log.lines().find(|line| line.starts_with("error: ") && line.contains("generation")).map(str::to_owned)
    };
    fleet.until("the run ends", || complaint().is_some());
    let complaint = complaint().unwrap();
    assert!(complaint.contains("of generation 0 ended its workers ("), "{complaint}");
    assert!(complaint.ends_with("and the process that played it here"), "{complaint}");
}

#[test]
fn workers_whose_server_is_gone_for_good_end_by_themselves_and_at_a_word() {
    let mut fleet = Fleet::new(&["selfplay.games=100000"]);
    fleet.start_coordinator();
    for (name, wait) in [("short", "0.1"), ("long", "10")] {
        let child = fleet.logged(fleet.worker_command(name, &["--wait", wait]), &format!("{name}.log"));
        fleet.processes.0.push((name.to_owned(), child));
    }
    fleet.until("they play", || ["short.log", "long.log"].iter().all(|log| fleet.log(log).contains("plays for run")));
    let coordinator = fleet.process("coordinator");
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
    signal(fleet.server().unwrap(), "KILL");
    let since = Instant::now();
    while fleet.process("short").try_wait().unwrap().is_none() {
        assert!(since.elapsed() < Duration::from_secs(60), "{}", fleet.logs());
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fleet.process("short").wait().unwrap().code(), Some(2));
    assert!(fleet.log("short.log").contains("error: nats://127.0.0.1:"), "{}", fleet.logs());
    let long = fleet.process("long").id();
    signal(long, "TERM");
    fleet.ends_well("long");
}

#[test]
fn a_program_that_is_no_server_is_told() {
    let fleet = Fleet::new(&[]);
    let with = |program: &str| {
        let arguments = fleet.arguments();
        let mut command = fleet.command(
            &[&["train", "tiny.toml"], &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat(),
        );
        command.env("MAYDAN_NATS_SERVER", program);
        refused(command)
    };
    assert!(
        with("no-such-program").contains("nats-server: expected the program in PATH, or named by MAYDAN_NATS_SERVER")
    );
    assert!(with("false").contains("nats-server: it did not begin to listen"));
}

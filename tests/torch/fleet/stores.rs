//! Files through a store in place of the server or a common folder: a bucket of our own, which speaks as much of S3 as
//! is asked for.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use super::{Fleet, refused};
use crate::run::{Place, assert_same, complaint, unbroken};

#[derive(Default)]
struct Bucket {
    port: u16,
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    /// Whether it writes over what is there though it was asked not to, as some stores do.
    overwrites: bool,
    /// Requests to come that it answers with an error of its own.
    failing: AtomicUsize,
    over: AtomicBool,
}

/// A bucket as long as the value lives.
struct Served(Arc<Bucket>);

impl Drop for Served {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(("127.0.0.1", self.0.port));
    }
}

impl Served {
    fn new(overwrites: bool) -> Served {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let bucket = Arc::new(Bucket { port, overwrites, ..Bucket::default() });
        let served = Served(bucket.clone());
        thread::spawn(move || {
            for connection in listener.incoming() {
                if bucket.over.load(Ordering::Relaxed) {
                    return;
                }
                let (bucket, connection) = (bucket.clone(), connection.unwrap());
                thread::spawn(move || bucket.serve(&connection));
            }
        });
        served
    }

    /// What lets a process in, by the names of S3's own tools.
    fn environment(&self, user: &str) -> Vec<(String, String)> {
        let endpoint = format!("http://127.0.0.1:{}", self.0.port);
        let pairs = [
            ("AWS_ENDPOINT", endpoint.as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "here"),
            ("AWS_ACCESS_KEY_ID", user),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
    }

    fn names(&self) -> Vec<String> {
        self.0.objects.lock().unwrap().keys().cloned().collect()
    }
}

impl Bucket {
    fn serve(&self, connection: &TcpStream) -> Option<()> {
        let mut input = BufReader::new(connection);
        loop {
            let mut line = String::new();
            input.read_line(&mut line).ok()?;
            let mut words = line.split_whitespace().map(str::to_owned);
            let (method, target) = (words.next()?, words.next()?);
            let mut headers = BTreeMap::new();
            loop {
                let mut line = String::new();
                input.read_line(&mut line).ok()?;
                let Some((name, value)) = line.trim().split_once(": ") else { break };
                headers.insert(name.to_lowercase(), value.to_owned());
            }
            let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
            let mut body = vec![0; length];
            input.read_exact(&mut body).ok()?;
            let (status, content) = self.answer(&method, &target, &headers, body);
            let mut output = connection;
            write!(
                output,
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: \"e\"\r\nLast-Modified: Wed, 25 Nov 2026 20:00:00 GMT\r\n\r\n",
                content.len()
            )
            .ok()?;
            output.write_all(&content).ok()?;
        }
    }

    fn answer(
        &self,
        method: &str,
        target: &str,
        headers: &BTreeMap<String, String>,
        body: Vec<u8>,
    ) -> (&'static str, Vec<u8>) {
        if !headers["authorization"].contains("Credential=friend/") {
            return ("403 Forbidden", b"<Error><Code>AccessDenied</Code></Error>".to_vec());
        }
        let failing = self.failing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if failing.is_ok() {
            return ("503 Slow Down", Vec::new());
        }
        let mut objects = self.objects.lock().unwrap();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let name = path.strip_prefix("/bucket").unwrap().trim_start_matches('/').to_owned();
        match (method, name.as_str()) {
            ("GET", "") => {
                let prefix = query.split('&').find_map(|pair| pair.strip_prefix("prefix=")).unwrap_or_default();
                let prefix = prefix.replace("%2F", "/");
                let of = |(name, content): (&String, &Vec<u8>)| {
                    format!(
                        "<Contents><Key>{name}</Key><LastModified>2026-11-25T20:00:00.000Z</LastModified>\
                         <ETag>e</ETag><Size>{}</Size></Contents>",
                        content.len()
                    )
                };
                let listed: String = objects.iter().filter(|(name, _)| name.starts_with(&prefix)).map(of).collect();
                ("200 OK", format!("<ListBucketResult>{listed}</ListBucketResult>").into_bytes())
            }
            ("POST", "") => {
                let text = String::from_utf8(body).unwrap();
                let removed = text.split("<Key>").skip(1).map(|key| {
                    let name = key.split('<').next().unwrap();
                    objects.remove(name);
                    format!("<Deleted><Key>{name}</Key></Deleted>")
                });
                ("200 OK", format!("<DeleteResult>{}</DeleteResult>", removed.collect::<String>()).into_bytes())
            }
            ("GET", _) => match objects.get(&name) {
                Some(content) => ("200 OK", content.clone()),
                None => ("404 Not Found", b"<Error><Code>NoSuchKey</Code></Error>".to_vec()),
            },
            ("DELETE", _) => {
                objects.remove(&name);
                ("204 No Content", Vec::new())
            }
            ("PUT", _) => {
                let asked = headers.get("if-none-match").is_some_and(|value| value == "*");
                if asked && objects.contains_key(&name) && !self.overwrites {
                    return ("412 Precondition Failed", Vec::new());
                }
                objects.insert(name, body);
                ("200 OK", Vec::new())
            }
            _ => panic!("{method} {target}"),
        }
    }
}

const STORE: &str = "fleet.store=s3://bucket/some/folder";

#[test]
fn a_fleet_whose_files_go_through_a_bucket_makes_the_bytes_of_one_process() {
    let bucket = Served::new(false);
    let mut fleet = Fleet::new(&[STORE, "fleet.check=1.0"]);
    fleet.environment = bucket.environment("friend");
    fleet.start_coordinator();
    let stranger = bucket.environment("stranger");
    let mut command = fleet.worker_command("stranger", &[]);
    command.envs(stranger);
    let error = refused(command);
    assert!(error.contains("s3://bucket/some/folder: ") && error.contains("AccessDenied"), "{error}");
    for name in ["w1", "w2"] {
        let child = fleet.worker(name);
        fleet.processes.0.push((name.to_owned(), child));
    }
    let is_there = |file| fleet.place.data(&format!("gen-000000/{file:04}.parquet")).exists();
    fleet.until("a file is there", || (0..3).any(is_there));
    // More than the client tries by itself.
    bucket.0.failing.store(12, Ordering::Relaxed);
    for name in ["coordinator", "w1", "w2"] {
        fleet.ends_well(name);
    }
    assert_same(&fleet.place.artefacts(), unbroken());
    assert_eq!(bucket.0.failing.load(Ordering::Relaxed), 0);
    let left = bucket.names();
    assert!(!left.iter().any(|name| name.ends_with(".parquet") || name.contains("networks")), "{left:?}");
}

#[test]
fn a_store_that_writes_over_what_is_there_is_refused() {
    let bucket = Served::new(true);
    let mut fleet = Fleet::new(&[STORE]);
    fleet.environment = bucket.environment("friend");
    let arguments = fleet.arguments();
    let train: Vec<&str> = ["train", "tiny.toml"].into_iter().chain(arguments.iter().map(String::as_str)).collect();
    let error = refused(fleet.command(&train));
    assert!(error.contains("found one that writes over it"), "{error}");
    assert_eq!(bucket.names(), [""; 0]);
    for (store, expected) in
        [("s3", "store: expected `nats` or an address, found `s3`"), ("ftp://a", "ftp://a: expected")]
    {
        let fleet = Fleet::new(&[&format!("fleet.store={store}")]);
        let arguments = fleet.arguments();
        let train: Vec<&str> = ["train", "tiny.toml"].into_iter().chain(arguments.iter().map(String::as_str)).collect();
        let error = refused(fleet.command(&train));
        assert!(error.contains(expected), "{error}");
    }
}

/// One machine of several that have no folder in common.
struct Machine {
    place: Place,
    environment: Vec<(String, String)>,
}

impl Machine {
    fn new(bucket: &Served) -> Machine {
        Machine { place: Place::new(), environment: bucket.environment("friend") }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        let (name, rest) = arguments.split_first().unwrap();
        command.args([name, "tiny.toml", "--store", "s3://bucket"]).args(rest);
        command.current_dir(self.place.folder.path()).envs(self.environment.iter().cloned());
        command
    }

    fn done(&self, arguments: &[&str]) {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", complaint(&output));
    }
}

#[test]
fn parts_on_machines_without_a_common_folder_make_the_bytes_of_one_process() {
    let bucket = Served::new(false);
    let [first, second, trainer] = [(); 3].map(|()| Machine::new(&bucket));
    for _ in 0..2 {
        thread::scope(|scope| {
            scope.spawn(|| first.done(&["selfplay", "--part", "1/2"]));
            scope.spawn(|| second.done(&["selfplay", "--part", "2/2"]));
        });
        trainer.done(&["learn"]);
    }
    assert_same(&trainer.place.artefacts(), unbroken());
    // Two machines of three files: the second has one of each generation, and the network of both.
    let of_second: Vec<String> =
        second.place.artefacts().into_keys().filter(|name| name.starts_with("data/")).collect();
    assert_eq!(of_second, ["data/tiny/gen-000000/0001.parquet", "data/tiny/gen-000001/0001.parquet"]);
    // One that comes later begins with the newest network.
    let late = Machine::new(&bucket);
    let other = late.command(&["selfplay", "--part", "1/2", "--set", "run.seed=9"]);
    late.done(&["selfplay", "--part", "1/2"]);
    let begun = |name: &String| name.starts_with("models/tiny/gen-000002/");
    assert!(late.place.artefacts().keys().filter(|name| begun(name)).count() == 2);
    let error = refused(other);
    assert!(error.contains("config.toml"), "{error}");
    let other = Machine::new(&bucket);
    let error = refused(other.command(&["selfplay", "--part", "1/2", "--set", "run.seed=9"]));
    assert!(error.ends_with("generation 2: seed: expected 1 as others play it, found 9 here"), "{error}");
    // One that began before with another network.
    let other = Machine::new(&bucket);
    other.place.done("selfplay", &["--set", "run.seed=9"]);
    let error = refused(other.command(&["selfplay", "--set", "run.seed=9"]));
    assert!(error.contains("gen-000000, found another: is it of another run?"), "{error}");
}

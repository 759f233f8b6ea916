//! The page's server and visitors who ask for too much: each limit that docs/play.md names.

use crate::support::client;

use std::{
    io::{Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
    time::Duration,
};

use client::{Client, Running, bounds, every_game};
use maydan::serve::web::Bounds;
use serde_json::{Value, json};

const LONGEST_SEARCH: u32 = 10_000_000;

/// Whether a page of the server comes.
fn is_served(server: &Running) -> bool {
    let mut stream = TcpStream::connect(server.address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.starts_with("HTTP/1.1 200 OK")
}

/// Enters as soon as there is a seat.
fn enter_when_free(server: &Running) -> Client {
    loop {
        if let Ok(mut client) = Client::knock(server.address, &[])
            && client.hear()["type"] == "hello"
        {
            return client;
        }
    }
}

#[test]
fn the_longest_search_in_every_session_holds_no_message_up() {
    let long = Bounds { sessions: 4, playouts: LONGEST_SEARCH, thinking: Duration::from_secs(3600), ..bounds() };
    let server = Running::new(every_game(), long);
    let mut clients: Vec<Client> = (0..4).map(|_| Client::enter(server.address).0).collect();
    for (number, client) in clients.iter_mut().enumerate() {
        client.begin(number);
        client.say(json!({ "type": "analyse", "playouts": LONGEST_SEARCH }));
    }
    assert!(is_served(&server));
    assert_eq!(Client::knock(server.address, &[]).unwrap().hear()["id"], "full");
    for client in &mut clients {
        client.say(json!({ "type": "look", "after": 0 }));
        while client.hear()["type"] != "past" {}
    }
}

#[test]
fn a_search_ends_by_the_servers_time_and_memory_in_every_session() {
    let endless = Bounds { sessions: 4, playouts: LONGEST_SEARCH, thinking: Duration::from_secs(3600), ..bounds() };
    for short in [Bounds { thinking: Duration::from_millis(50), ..endless }, Bounds { memory: 1, ..endless }] {
        let server = Running::new(every_game(), short);
        let mut clients: Vec<Client> = (0..4).map(|_| Client::enter(server.address).0).collect();
        for client in &mut clients {
            client.begin(0);
            client.say(json!({ "type": "analyse", "playouts": LONGEST_SEARCH }));
        }
        clients.iter_mut().for_each(|client| drop(client.hear_of("idle")));
    }
}

#[test]
fn who_finds_no_seat_is_told_or_turned_away() {
    let server = Running::new(every_game(), Bounds { sessions: 1, ..bounds() });
    let (_first, _) = Client::enter(server.address);
    // So many are told, and hold their connections until they have answered.
    let told: Vec<Client> = (0..32).map(|_| Client::knock(server.address, &[]).unwrap()).collect();
    match Client::knock(server.address, &[]) {
        Err(tungstenite::Error::Http(response)) => assert_eq!(response.status().as_u16(), 503),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("another one is told"),
    }
    assert!(is_served(&server));
    drop(told);
}

#[test]
fn who_takes_no_messages_loses_the_seat() {
    let hasty = Bounds { sessions: 1, patience: Duration::from_millis(300), ..bounds() };
    let server = Running::new(every_game(), hasty);
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    client.give_up_after(Duration::from_millis(300));
    // Each is answered by a state, of which some megabytes wait for their reader.
    let undo = json!({ "type": "undo", "plies": 0 }).to_string();
    while client.try_to_say(undo.clone()) {}
    enter_when_free(&server).begin(0);
}

#[test]
fn a_message_of_a_megabyte_ends_the_session() {
    let server = Running::new(every_game(), Bounds { sessions: 1, ..bounds() });
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    client.try_to_say("x".repeat(1 << 20));
    let last = client.hear();
    assert!(last.is_null() || last["id"] == "message", "{last}");
    enter_when_free(&server).begin(0);
}

#[test]
fn ten_thousand_messages_at_once_wait_for_their_turn() {
    let server = Running::new(every_game(), Bounds { messages: 20, ..bounds() });
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    for _ in 0..10_000 {
        client.say(json!({ "type": "stop" }));
    }
    // Others are served meanwhile, and it may go.
    Client::enter(server.address).0.begin(1);
    drop(client);
    let quick = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(quick.address);
    client.begin(0);
    for _ in 0..10_000 {
        client.say(json!({ "type": "stop" }));
    }
    client.say(json!({ "type": "look", "after": 0 }));
    assert_eq!(client.hear()["type"], "past");
}

#[test]
fn slow_and_endless_requests_are_ended() {
    let hasty = Bounds { patience: Duration::from_millis(50), visit: Duration::from_millis(300), ..bounds() };
    let server = Running::new(every_game(), hasty);
    let mut half = TcpStream::connect(server.address).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap();
    // One that asks for page after page and reads none of them.
    let mut greedy = TcpStream::connect(server.address).unwrap();
    greedy.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
    while greedy.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").is_ok() {}
    for mut stream in [half, greedy] {
        // An end, whether it is orderly or not.
        let _ = stream.read_to_end(&mut Vec::new());
    }
    let mut long = TcpStream::connect(server.address).unwrap();
    let head = format!("GET / HTTP/1.1\r\nHost: localhost\r\nx: {}\r\n\r\n", "y".repeat(1 << 16));
    let _ = long.write_all(head.as_bytes());
    let mut answer = Vec::new();
    let _ = long.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 200"), "a head of 64 KiB is read");
    assert!(is_served(&server));
}

#[test]
fn connections_beyond_the_limit_wait() {
    let server = Running::new(every_game(), Bounds { connections: 3, patience: Duration::from_secs(60), ..bounds() });
    let (_client, _) = Client::enter(server.address);
    let silent: Vec<_> = (0..3).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    let mut fourth = TcpStream::connect(server.address).unwrap();
    write!(fourth, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    fourth.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    assert!(fourth.read(&mut [0]).is_err(), "an answer, or an end");
    drop(silent);
    fourth.set_read_timeout(None).unwrap();
    let mut answer = String::new();
    fourth.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

/// What a mistake quotes is short and shown as it is.
#[test]
fn rubbish_is_quoted_in_a_short_line() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    for rubbish in ["x".repeat(60_000), "\u{1b}[2J\u{7}\n".repeat(5000), "\u{202e}".repeat(9000)] {
        for message in [
            json!({ "type": rubbish }),
            json!({ "type": "play", "action": rubbish }),
            json!({ "type": "new", "bot": 0, "position": rubbish }),
            json!({ "type": "new", "bot": 0, "actions": [rubbish] }),
            json!({ "type": "load", "bot": 0, "record": rubbish }),
            json!({ "type": "load", "bot": 0, "record": format!("[maydan 1]\n[game {rubbish}]\n") }),
            json!({ "type": "new", "bot": 0, rubbish.clone(): 1 }),
            json!({ "type": "move", "variety": rubbish }),
        ] {
            if message.to_string().len() > 1 << 16 {
                continue;
            }
            client.say(message);
            let answer = client.hear();
            let text = answer["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
            assert!(text.chars().count() <= 210 && !text.contains(char::is_control), "{answer}");
        }
    }
    assert_eq!(client.play("e2e4")["ply"], 1);
}

/// The program opens itself to this machine alone, says so where it does not, and writes nothing.
#[test]
fn others_reach_it_only_where_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        command.args(["serve", "uniform:shatar", "--port", "0"]).args(arguments).current_dir(folder.path());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let shown = |arguments: &[&str], play: bool| {
        let mut child = serve(arguments);
        let mut address = String::new();
        let out = child.stdout.as_mut().unwrap();
        while !address.ends_with('\n') {
            let mut letter = [0];
            out.read_exact(&mut letter).unwrap();
            address.push(char::from(letter[0]));
        }
        if play {
            let host = address.trim().trim_start_matches("http://").trim_end_matches('/');
            let (mut client, _) = Client::enter(host.parse().unwrap());
            client.begin(0);
            client.say(json!({ "type": "move", "playouts": 5 }));
            client.hear_of("state");
        }
        child.kill().unwrap();
        let errors = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
        (address, errors)
    };
    let (address, errors) = shown(&[], true);
    assert!(address.starts_with("http://127.0.0.1:") && errors.is_empty(), "{address} {errors}");
    let (address, errors) = shown(&["--host", "0.0.0.0"], false);
    assert!(
        address.starts_with("http://0.0.0.0:") && errors.contains("everybody who reaches this machine"),
        "{errors}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is stored");
}

/// What the document says of limits is what the server does.
#[test]
fn the_document_has_the_limits() {
    let document = include_str!("../../../docs/play.md");
    let limits = Bounds::default();
    for sentence in [
        format!("{} sessions", limits.sessions),
        format!("{} MiB", limits.memory),
        format!("{} seconds to take a message", limits.patience.as_secs()),
        format!("{} seconds in all", limits.visit.as_secs()),
        format!("burst of {}", limits.messages),
        format!("{}, each", limits.connections),
        format!("{} minutes", limits.idle.as_secs() / 60),
        format!("{} KiB", limits.message_bytes >> 10),
        "4,096 actions".to_owned(),
    ] {
        assert!(document.contains(&sentence), "{sentence}");
    }
    assert_eq!(limits.actions, 4096);
    let hello = Client::enter(Running::new(every_game(), limits).address).1;
    assert_eq!(hello["limits"]["playouts"], Value::from(limits.playouts));
}

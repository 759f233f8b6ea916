//! The page's server, over the wire.

use crate::support::client;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Command, Stdio},
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};

use client::{Client, Running, bounds, every_game};
use maydan::{
    encode::Rows,
    game::{
        Game, History, Outcome, Playable,
        random::stream,
        registry::{GameVisitor, IDS, with_game},
        shatara::Shatara,
        text_game::text_game,
    },
    model::{Evaluations, Evaluator, EvaluatorError, Uniform},
    serve::web::{Bounds, Offer},
};
use rand::Rng as _;
use serde_json::{Value, json};

/// How a game ended, by the rules alone.
struct Replay<'a> {
    actions: &'a [&'a str],
}

impl GameVisitor for Replay<'_> {
    type Output = (String, Option<Outcome>);

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let mut position = game.start();
        let mut history = History::new(&game, &position);
        let mut legal = Vec::new();
        for action in self.actions {
            game.legal_actions(&position, &mut legal);
            assert_eq!(history.outcome(&game, &position, &legal), None);
            let action = game.parse_action(&position, action).unwrap();
            game.apply(&mut position, action);
            history.push(&game, &position);
        }
        game.legal_actions(&position, &mut legal);
        (position.to_string(), history.outcome(&game, &position, &legal))
    }
}

fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}

/// A game of random actions, the bot's among them, to its end: every state is that of the rules, and its record leads
/// there again.
fn play_to_the_end(client: &mut Client, bot: usize, game: &str) {
    let rules = text_game(game, &toml::Table::new()).unwrap();
    let mut rng = stream("serve-web", 0, 0, bot as u64);
    let mut state = client.begin(bot);
    let mut position = rules.start();
    while state["outcome"].is_null() {
        assert_eq!(state["position"], json!(position));
        let legal = texts(&state["legal"], "action");
        let expected: Vec<String> =
            rules.legal(&position).unwrap().into_iter().map(|text_game| text_game.action).collect();
        assert_eq!(legal, expected, "{game}: {position}");
        let number = state["moves"].as_array().unwrap().len();
        let next = if rng.random_range(0..10) == 0 {
            client.say(json!({ "type": "move", "playouts": 5 }));
            client.hear_of("state")
        } else {
            client.play(legal[rng.random_range(0..legal.len())])
        };
        assert_eq!(next["moves"].as_array().unwrap().len(), number + 1, "{game}: {next}");
        let played = &next["moves"][number];
        assert_eq!(played["side"], state["side"], "{game}: {position}");
        position = rules.after(&position, played["action"].as_str().unwrap()).unwrap();
        state = next;
    }
    let actions = texts(&state["moves"], "action");
    let (end, outcome) = with_game(game, &toml::Table::new(), Replay { actions: &actions }).unwrap();
    let outcome = outcome.expect("the game is over by the rules too");
    assert_eq!((state["position"].as_str(), state["legal"].as_array().map(Vec::len)), (Some(end.as_str()), Some(0)));
    assert_eq!(state["outcome"], json!({ "winner": outcome.winner, "reason": outcome.reason }), "{game}");
    client.say(json!({ "type": "load", "bot": bot, "record": state["record"] }));
    assert_eq!(client.hear(), state, "{game}");
    for request in [json!({ "type": "play", "action": actions[0] }), json!({ "type": "move" })] {
        client.say(request);
        assert_eq!(client.hear()["id"], "over");
    }
}

#[test]
fn a_game_of_every_game_to_its_end() {
    let server = Running::new(every_game(), bounds());
    let (mut client, hello) = Client::enter(server.address);
    for (bot, id) in IDS.iter().enumerate() {
        assert_eq!(hello["bots"][bot]["game"], *id);
        play_to_the_end(&mut client, bot, id);
    }
}

#[test]
fn what_is_said_first() {
    let server = Running::new(every_game(), bounds());
    let (_, hello) = Client::enter(server.address);
    assert_eq!(hello["version"], 4);
    let shatra = &hello["bots"][IDS.iter().position(|id| *id == "shatra").unwrap()];
    assert_eq!((&shatra["kinds"], &shatra["zone_kinds"]), (&json!("BKPQR"), &json!("QRB")));
    let squares = shatra["board"]["squares"].as_array().unwrap();
    assert_eq!((squares.len(), &squares[0]), (62, &json!({"name": "c1", "row": 0, "column": 2, "ground": "white"})));
    let ground = |name: &str| squares.iter().find(|square| square["name"] == name).unwrap()["ground"].clone();
    assert_eq!(["d4", "d5", "d11"].map(ground), ["white", "field", "black"].map(|ground| json!(ground)));
    assert!(shatra["rules"].as_str().unwrap().contains("Shatra"));
}

/// An evaluator that answers once its gate is open.
struct Gated {
    gate: Arc<Gate>,
    uniform: Uniform,
}

#[derive(Default)]
struct Gate {
    /// Whether someone waits, and whether it is open.
    state: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Gate {
    fn open(&self) {
        self.state.lock().unwrap().1 = true;
        self.changed.notify_all();
    }

    fn wait_for_someone(&self) {
        drop(self.changed.wait_while(self.state.lock().unwrap(), |(waits, _)| !*waits).unwrap());
    }

    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.0 = true;
        self.changed.notify_all();
        drop(self.changed.wait_while(state, |(_, open)| !*open).unwrap());
    }
}

impl Evaluator for Gated {
    fn batch_size(&self) -> usize {
        1
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        self.gate.pass();
        self.uniform.evaluate(rows, out)
    }
}

/// A bot whose evaluator waits at a gate.
fn gated(gate: &Arc<Gate>) -> Offer {
    let gate = Arc::clone(gate);
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let make = move |batch_size| -> Result<Box<dyn Evaluator>, EvaluatorError> {
        Ok(Box::new(Gated { gate: Arc::clone(&gate), uniform: Uniform { batch_size } }))
    };
    Offer::new("gated", game, Arc::new(make), 20)
}

#[test]
fn a_bot_that_thinks_holds_nobody_up() {
    let gate = Arc::default();
    let mut offers = vec![gated(&gate)];
    offers.extend(every_game());
    let server = Running::new(offers, bounds());
    let (mut first, _) = Client::enter(server.address);
    first.begin(0);
    first.say(json!({ "type": "move" }));
    gate.wait_for_someone();
    // Others come, play and have their bots think.
    let (mut second, _) = Client::enter(server.address);
    second.begin(1);
    second.play("e2e4");
    second.say(json!({ "type": "move" }));
    assert_eq!(second.hear_of("state")["moves"].as_array().unwrap().len(), 2);
    // Nor does it hold up who asked it: the game goes on without its move.
    assert_eq!(first.play("d2d4")["ply"], 1);
    first.say(json!({ "type": "undo", "plies": 5 }));
    assert_eq!(first.hear()["ply"], 0);
    first.say(json!({ "type": "move", "playouts": 3 }));
    gate.open();
    // Where the gate was open before that arrived, the search that is no longer wanted reports its end.
    assert_eq!(until(&mut first, "state").pop().unwrap()["ply"], 1);
}

/// Bounds under which no search ends by itself.
fn patient() -> Bounds {
    Bounds { thinking: Duration::from_secs(3600), playouts: 10_000_000, ..bounds() }
}

/// What comes until this message, itself the last.
fn until(client: &mut Client, kind: &str) -> Vec<Value> {
    let mut heard = vec![client.hear()];
    while heard[heard.len() - 1]["type"] != kind {
        assert!(!heard[heard.len() - 1].is_null(), "the server closed before {kind}: {heard:?}");
        heard.push(client.hear());
    }
    heard
}

#[test]
fn a_search_is_told() {
    let server = Running::new(every_game(), patient());
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    client.say(json!({ "type": "analyse", "playouts": 60, "candidates": 3 }));
    let heard = until(&mut client, "idle");
    let [.., last, _] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(last["playouts"], 60);
    let candidates = last["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3);
    for candidate in candidates {
        assert_eq!(candidate["action"], candidate["line"][0]);
        assert!(candidate["visits"].as_u64().unwrap() > 0 && candidate["proof"].is_null());
        let sum: f64 = candidate["wdl"].as_array().unwrap().iter().map(|chance| chance.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{candidate}");
    }
    // A mate is proven.
    client.say(json!({ "type": "new", "bot": 0, "position": "6k1/5ppp/8/8/8/8/8/R3K3[] w - - - 0 1" }));
    client.hear_of("state");
    client.say(json!({ "type": "analyse", "playouts": 500 }));
    let heard = until(&mut client, "idle");
    let best = &heard[heard.len() - 2]["candidates"][0];
    assert_eq!((&best["action"], &best["proof"], &best["plies"]), (&json!("a1a8"), &json!("win"), &json!(1)));
}

#[test]
fn a_search_ends_by_its_time_a_stop_or_another_game() {
    let brief = Running::new(every_game(), Bounds { thinking: Duration::from_millis(5), ..patient() });
    let (mut client, _) = Client::enter(brief.address);
    client.begin(0);
    client.say(json!({ "type": "analyse", "playouts": 10_000_000 }));
    client.hear_of("idle");
    client.say(json!({ "type": "move", "playouts": 10_000_000 }));
    assert_eq!(client.hear_of("state")["ply"], 1);
    let gate = Arc::default();
    let mut offers = every_game();
    offers.push(gated(&gate));
    let server = Running::new(offers, patient());
    let (mut client, _) = Client::enter(server.address);
    client.begin(IDS.len());
    client.say(json!({ "type": "move", "playouts": 10_000_000 }));
    gate.wait_for_someone();
    client.say(json!({ "type": "stop" }));
    refused(&mut client, json!({ "type": "play", "action": "none" }), "action", "`none`");
    gate.open();
    assert_eq!(client.hear(), json!({ "type": "idle" }));
    client.begin(0);
    client.say(json!({ "type": "analyse", "playouts": 10_000_000 }));
    client.say(json!({ "type": "new", "bot": 2 }));
    assert_eq!(until(&mut client, "state").pop().unwrap()["bot"], 2);
}

/// The answer to this message is a refusal, in a line with `part` in it.
fn refused(client: &mut Client, message: Value, id: &str, part: &str) {
    client.say(message.clone());
    let answer = client.hear();
    let message_text = answer["message"].as_str().unwrap_or_default();
    assert!(answer["id"] == id && message_text.contains(part) && !message_text.contains('\n'), "{message}: {answer}");
}

#[test]
fn mistakes_are_told_in_a_line_and_stop_nothing() {
    let server = Running::new(every_game(), Bounds { actions: 3, candidates: 5, ..bounds() });
    let (mut client, _) = Client::enter(server.address);
    refused(&mut client, json!({ "type": "play", "action": "e2e4" }), "game", "begun");
    refused(&mut client, json!({ "type": "undo" }), "game", "begun");
    refused(
        &mut client,
        json!({ "type": "new", "bot": 99 }),
        "bot",
        &format!("expected 0 to {}, found 99", IDS.len() - 1),
    );
    refused(&mut client, json!({ "type": "load", "bot": 99, "record": "" }), "bot", "found 99");
    refused(&mut client, json!({ "type": "new", "bot": 0, "position": "x" }), "position", "field `zones`: missing");
    refused(&mut client, json!({ "type": "new", "bot": 0, "actions": ["e2e4", "e2e4"] }), "action", "action 2: `e2e4`");
    refused(
        &mut client,
        json!({ "type": "new", "bot": 0, "actions": ["a", "b", "c", "d"] }),
        "limit",
        "at most 3, found 4",
    );
    refused(&mut client, json!({ "type": "load", "bot": 0, "record": "e2e4" }), "record", "[maydan 1]");
    refused(&mut client, json!({ "type": "dance" }), "message", "`dance`");
    refused(&mut client, json!({ "type": "new", "bot": 0, "colour": 1 }), "message", "`colour`");
    refused(&mut client, json!([]), "message", "");
    client.begin(0);
    refused(&mut client, json!({ "type": "play", "action": "e2e5\n" }), "action", "`e2e5?`");
    refused(&mut client, json!({ "type": "move", "playouts": 0 }), "limit", "expected 1 to 100000, found 0");
    refused(&mut client, json!({ "type": "analyse", "candidates": 6 }), "limit", "expected 1 to 5, found 6");
    for action in ["e2e4", "e7e5", "g1f3"] {
        client.play(action);
    }
    refused(&mut client, json!({ "type": "play", "action": "b8c6" }), "limit", "at most 3 actions");
    refused(&mut client, json!({ "type": "move" }), "limit", "at most 3 actions");
    client.say(json!({ "type": "undo", "plies": 2 }));
    assert_eq!(client.hear()["last"], json!(["e2", "e4"]));
}

#[test]
fn the_document_tells_the_wire() {
    let document = include_str!("../../../docs/play.md");
    let server = Running::new(every_game(), bounds());
    let (mut client, hello) = Client::enter(server.address);
    let state = client.begin(0);
    client.say(json!({ "type": "look", "after": 0 }));
    for message in [&hello, &hello["bots"][0], &hello["limits"], &state, &client.hear()] {
        for field in message.as_object().unwrap().keys().filter(|field| *field != "type") {
            let is_documented =
                [format!("`{field}`"), format!("\"{field}\"")].iter().any(|name| document.contains(name));
            assert!(is_documented, "{field}");
        }
    }
    let record = document.split_once("```text\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    client.say(json!({ "type": "load", "bot": IDS.iter().position(|id| *id == "shatra"), "record": record }));
    assert_eq!(client.hear()["record"], record);
    // As `maydan games` writes a game that the rules did not end.
    let resigned = record.replace("[result *]", "[result white resignation]").replace("d5d6", "d5d6 {+0.125}");
    client.say(json!({ "type": "load", "bot": IDS.iter().position(|id| *id == "shatra"), "record": resigned }));
    assert_eq!(client.hear()["record"], record);
    let mated = record.replace("[result *]", "[result white checkmate]");
    let bot = IDS.iter().position(|id| *id == "shatra");
    // A record of another game that is on offer is played on with its bot.
    client.say(json!({ "type": "load", "bot": 0, "record": record }));
    let state = client.hear();
    assert_eq!((&state["bot"], &state["record"]), (&json!(bot), &json!(record)));
    refused(&mut client, json!({ "type": "load", "bot": bot, "record": mated }), "record", "result");
    let rows = document.lines().filter_map(|line| line.strip_prefix("| `{")?.split_once("}` |"));
    let messages: Vec<String> = rows.map(|(message, _)| format!("{{{message}}}")).collect();
    assert_eq!(messages.len(), 8, "{messages:?}");
    for message in messages {
        client.say_text(message.clone());
        client.say(json!({ "type": "play", "action": "the end" }));
        loop {
            let answer = client.hear();
            assert_ne!(answer["id"], "message", "{message}: {answer}");
            if answer["id"] == "action" {
                break;
            }
        }
    }
}

#[test]
fn messages_beyond_the_pace_wait_for_their_turn() {
    let server = Running::new(every_game(), Bounds { messages: 50, ..bounds() });
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    for _ in 0..80 {
        client.say(json!({ "type": "undo", "plies": 0 }));
    }
    for _ in 0..80 {
        assert_eq!(client.hear()["type"], "state");
    }
}

#[test]
fn there_are_so_many_seats() {
    let server = Running::new(every_game(), Bounds { sessions: 1, ..bounds() });
    let (first, _) = Client::enter(server.address);
    let mut second = Client::knock(server.address, &[]).unwrap();
    let answer = second.hear();
    assert_eq!((&answer["id"], second.hear()), (&json!("full"), Value::Null));
    drop(first);
    // The seat is free once the server has seen it.
    while Client::knock(server.address, &[]).unwrap().hear()["type"] != "hello" {}
}

#[test]
fn long_messages_and_silence_end_a_conversation() {
    let server = Running::new(every_game(), Bounds { message_bytes: 1000, ..bounds() });
    let (mut client, _) = Client::enter(server.address);
    client.say_text("x".repeat(1000));
    assert_eq!(client.hear()["id"], "message");
    client.say_text("x".repeat(1001));
    assert_eq!(client.hear()["id"], "message");
    assert_eq!(client.hear(), Value::Null);
    let silent = Running::new(every_game(), Bounds { idle: Duration::from_millis(20), ..bounds() });
    let (mut client, _) = Client::enter(silent.address);
    assert_eq!((&client.hear()["id"], client.hear()), (&json!("idle"), Value::Null));
}

#[test]
fn a_server_that_ends_says_so() {
    let gate = Arc::default();
    let mut server = Running::new(vec![gated(&gate)], bounds());
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    client.say(json!({ "type": "move" }));
    gate.wait_for_someone();
    server.stopper.stop();
    assert_eq!((&client.hear()["id"], client.hear()), (&json!("closing"), Value::Null));
    gate.open();
    server.join();
    assert!(TcpStream::connect(server.address).is_err());
}

/// Status line and all of an answer to a request with this head.
fn ask(address: SocketAddr, path: &str, host: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    (answer.lines().next().unwrap_or_default().to_owned(), answer)
}

#[test]
fn the_page_and_nothing_else() {
    let server = Running::new(every_game(), bounds());
    let own = server.address.to_string();
    let (status, page) = ask(server.address, "/", &own);
    assert_eq!(status, "HTTP/1.1 200 OK");
    for part in ["<!doctype html>", "content-security-policy: default-src 'none';", "x-content-type-options: nosniff"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(ask(server.address, "/assets/index.html", &own).0, "HTTP/1.1 200 OK");
    // There are files of these types outside the page's folder.
    for path in ["/assets/..%2f..%2f..%2fpage%2fpage.css", "/assets/../../../page/page.js"] {
        assert_eq!(ask(server.address, path, &own).0, "HTTP/1.1 404 Not Found", "{path}");
    }
    for path in
        ["/assets/../mod.rs", "/assets/..%2fmod.rs", "/assets/%2e%2e/mod.rs", "/assets/", "/assets/none.js", "/x"]
    {
        assert_eq!(ask(server.address, path, &own).0, "HTTP/1.1 404 Not Found", "{path}");
    }
    for host in ["localhost", "localhost:1", "[::1]:80", "arena.example", "ARENA.example:8000"] {
        assert_eq!(ask(server.address, "/", host).0, "HTTP/1.1 200 OK", "{host}");
    }
    for host in ["", "evil.example", "evil.example:8000", "localhost.evil.example", "[::1", "127.0.0.1.evil.example"] {
        assert_eq!(ask(server.address, "/", host).0, "HTTP/1.1 421 Misdirected Request", "{host}");
    }
}

#[test]
fn other_sites_cannot_play() {
    let server = Running::new(every_game(), bounds());
    let own = server.address.to_string();
    let status = |headers: &[(&'static str, &str)]| match Client::knock(server.address, headers) {
        Ok(_) => 101,
        Err(tungstenite::Error::Http(response)) => response.status().as_u16(),
        Err(error) => panic!("{error}"),
    };
    assert_eq!(status(&[("origin", &format!("http://{own}"))]), 101);
    assert_eq!(status(&[("host", "arena.example"), ("origin", "https://arena.example")]), 101);
    for origin in ["null", "http://evil.example", "http://127.0.0.1", &own, "file://", ""] {
        assert_eq!(status(&[("origin", origin)]), 403, "{origin}");
    }
    assert_eq!(status(&[("host", "evil.example"), ("origin", "http://evil.example")]), 421);
}

#[test]
fn the_command() {
    let serve = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        command.arg("serve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let mut child = serve(&["uniform:shatar", "models/shatra.maydan", "--port", "0"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).unwrap();
    let (client, hello) = Client::enter(address.parse().unwrap());
    assert_eq!(texts(&hello["bots"], "name"), ["uniform", "shatra"]);
    drop(client);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
    for (arguments, part) in [
        (vec![], "<BOTS>..."),
        (vec!["uniform:go"], "unknown game `go`"),
        (vec!["no/such.maydan"], "no/such.maydan"),
        (vec!["uniform:shatar", "--port", "70000"], "70000"),
        (vec!["uniform:shatar", "--sessions", "0"], "--sessions"),
    ] {
        let output = serve(&arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(part) && error.lines().count() == 1, "{error}");
    }
}

//! The page's server, over the wire: how differently a bot plays, and looking back at what was played.

use crate::support::client;

use std::collections::BTreeSet;

use client::{Client, Running, bounds, every_game};
use maydan::game::{Reason, random::stream, registry::IDS, text_game::text_game};
use rand::Rng as _;
use serde_json::{Value, json};

/// The bot's first twelve moves for both sides.
fn game(client: &mut Client, variety: f32) -> Value {
    let mut state = client.begin(0);
    for _ in 0..12 {
        client.say(json!({ "type": "move", "playouts": 40, "variety": variety }));
        state = client.hear_of("state");
    }
    state["moves"].clone()
}

/// What the bot plays after these actions, asked so many times.
fn answers(client: &mut Client, position: Option<&str>, actions: &[&str], order: &Value) -> BTreeSet<String> {
    client.say(json!({ "type": "new", "bot": 0, "position": position, "actions": actions }));
    client.hear_of("state");
    let answer = |_| {
        client.say(order.clone());
        let state = client.hear_of("state");
        client.say(json!({ "type": "undo", "plies": 1 }));
        client.hear_of("state");
        state["moves"][actions.len()]["action"].as_str().unwrap().to_owned()
    };
    (0..8).map(answer).collect()
}

#[test]
fn games_differ_where_that_is_wanted() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    let (mut other, _) = Client::enter(server.address);
    let best = game(&mut client, 0.0);
    assert_eq!([game(&mut client, 0.0), game(&mut other, 0.0)], [best.clone(), best.clone()]);
    let varied = [game(&mut client, 0.5), game(&mut client, 0.5), game(&mut other, 0.5)];
    assert!(varied[0] != varied[1] && varied[0] != varied[2] && varied[1] != varied[2]);
    assert!(!varied.contains(&best));
    // A single playout looks at one move, and yet it is not always the same.
    let order = |variety: f32| json!({ "type": "move", "playouts": 1, "variety": variety });
    assert_eq!(answers(&mut client, None, &[], &order(0.0)).len(), 1);
    assert!(answers(&mut client, None, &[], &order(0.5)).len() > 1);
    // Another server with the same seed draws the same.
    let again = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(again.address);
    assert_eq!([0.0, 0.0, 0.5, 0.5].map(|variety| game(&mut client, variety))[2..], varied[..2]);
}

#[test]
fn only_the_opening_is_left_to_chance() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    let order = json!({ "type": "move", "playouts": 40, "variety": 10 });
    let shuffle = ["b1c3", "b8c6", "c3b1", "c6b8"].repeat(2);
    let opening = [&shuffle[..], &["g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8"]].concat();
    assert!(answers(&mut client, None, &opening[..15], &order).len() > 1);
    assert_eq!(answers(&mut client, None, &opening, &order).len(), 1);
}

#[test]
fn what_is_proven_is_not_left_to_chance() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    let order = json!({ "type": "move", "playouts": 3000, "variety": 10 });
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3[] w - - - 0 1";
    assert_eq!(answers(&mut client, Some(mate), &[], &order), BTreeSet::from(["a1a8".to_owned()]));
    // Once the rook leaves the last rank along its file, it is mate there.
    let guarded = "r5k1/5ppp/8/8/8/8/5PPP/4R1K1[] b - - - 0 1";
    let losing: BTreeSet<String> = (2..8).map(|rank| format!("a8a{rank}")).collect();
    let played = answers(&mut client, Some(guarded), &[], &order);
    assert!(played.len() > 1 && played.is_disjoint(&losing), "{played:?}");
}

#[test]
fn a_bot_moves_after_the_time_that_it_was_given() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    client.say(json!({ "type": "move", "seconds": 0.05 }));
    assert_eq!(client.hear_of("state")["moves"].as_array().unwrap().len(), 1);
    for seconds in [json!(0), json!(-1), json!(1e9), json!(1e300)] {
        client.say(json!({ "type": "move", "seconds": seconds }));
        let answer = client.hear();
        assert!(
            answer["id"] == "limit" && answer["message"].as_str().unwrap().contains("seconds: expected"),
            "{answer}"
        );
    }
}

#[test]
fn no_other_variety_is_known() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    client.begin(0);
    for (variety, id, part) in [
        (json!(-0.5), "limit", "variety: expected 0 to 10, found -0.5"),
        (json!(10.5), "limit", "expected 0 to 10"),
        (json!(1e300), "limit", "found inf"),
        (json!("much"), "message", "\"much\""),
        (json!(null), "message", "null"),
    ] {
        client.say(json!({ "type": "move", "variety": variety }));
        let answer = client.hear();
        assert!(answer["id"] == id && answer["message"].as_str().unwrap().contains(part), "{variety}: {answer}");
    }
}

#[test]
fn the_page_has_arabic_words_for_every_error() {
    let words = include_str!("../../../src/serve/web/page/words.js");
    let (_, table) = include_str!("../../../docs/play.md").split_once("| `id` | what happened |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let named: Vec<&str> = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect();
    assert!(named.contains(&"message") && named.contains(&"closing"), "{named:?}");
    for id in named {
        assert!(words.contains(&format!("\n  error_{id}: ")), "{id}");
    }
}

/// What a position after so many actions looked like when it was the game's own.
fn seen(state: &Value, after: usize) -> Value {
    let mut past = json!({ "type": "past", "after": after });
    for field in ["side", "position", "pieces", "zones", "marks", "last", "check"] {
        past[field] = state[field].clone();
    }
    past
}

fn look(client: &mut Client, after: usize) -> Value {
    client.say(json!({ "type": "look", "after": after }));
    client.hear_of("past")
}

#[test]
fn every_position_of_a_game_can_be_looked_at() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    for (bot, game) in IDS.iter().enumerate() {
        let mut rng = stream("look", 0, 0, bot as u64);
        let mut states = vec![client.begin(bot)];
        while states.len() <= 60 && states[states.len() - 1]["outcome"].is_null() {
            let legal = states[states.len() - 1]["legal"].as_array().unwrap();
            let action = legal[rng.random_range(0..legal.len())]["action"].as_str().unwrap().to_owned();
            states.push(client.play(&action));
        }
        let last = states[states.len() - 1].clone();
        let look_at_all = |client: &mut Client| {
            for (after, state) in states.iter().enumerate().rev() {
                assert_eq!(look(client, after), seen(state, after), "{game}");
            }
        };
        look_at_all(&mut client);
        // The game stays as it was, and may come from its record.
        client.say(json!({ "type": "undo", "plies": 0 }));
        assert_eq!(client.hear(), last);
        client.say(json!({ "type": "load", "bot": bot, "record": last["record"] }));
        assert_eq!(client.hear(), last);
        look_at_all(&mut client);
    }
}

#[test]
fn the_bot_thinks_on_while_somebody_looks_back() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    let start = client.begin(0);
    let played = client.play("e2e4");
    client.say(json!({ "type": "move", "playouts": 3000 }));
    assert_eq!(look(&mut client, 0), seen(&start, 0));
    assert_eq!(client.hear_of("state")["moves"].as_array().unwrap().len(), 2);
    assert_eq!(look(&mut client, 1), seen(&played, 1));
}

#[test]
fn a_game_is_taken_back_to_a_position() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    let start = client.begin(0);
    let first = client.play("e2e4");
    client.play("e7e5");
    client.play("g1f3");
    for (after, expected) in [(9, 3), (3, 3), (1, 1), (0, 0)] {
        client.say(json!({ "type": "undo", "after": after }));
        let state = client.hear();
        assert_eq!(state["moves"].as_array().unwrap().len(), expected);
        assert!(expected != 1 || state == first);
        assert!(expected != 0 || state == start);
    }
}

#[test]
fn there_is_no_position_beyond_the_game() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    let mut refused = |after: Value, id: &str, part: &str| {
        client.say(json!({ "type": "look", "after": after }));
        let answer = client.hear();
        assert!(answer["id"] == id && answer["message"].as_str().unwrap().contains(part), "{after}: {answer}");
        client.begin(0);
        client.play("e2e4");
    };
    refused(json!(0), "game", "begun");
    refused(json!(2), "limit", "after: expected 0 to 1, found 2");
    refused(json!(u64::MAX), "limit", "expected 0 to 1");
    refused(json!(-1), "message", "-1");
    refused(json!(null), "message", "null");
}

#[test]
fn moves_are_told_with_what_they_did() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    let mut play = |game: &str, position: &str, actions: &[&str]| {
        let bot = IDS.iter().position(|id| *id == game);
        client.say(json!({ "type": "new", "bot": bot, "position": position, "actions": actions }));
        client.hear_of("state")
    };
    let position = "rnbqk2r/ppppPppp/5n2/8/8/5N2/PPPP2PP/RNBQK2R[PPnn] b KQkq - f3f6 0 3";
    let state = play("shatara", &position.replace("PPnn", "PPbn"), &["d8e7", "e1f1", "f6f6b", "P@f2"]);
    let expected = json!([
        { "action": "d8e7", "side": "black", "kind": "capture", "piece": "Q", "capture": true, "check": true },
        { "action": "e1f1", "side": "white", "kind": "quiet", "piece": "K", "capture": false, "check": false },
        { "action": "f6f6b", "side": "black", "kind": "ladder", "piece": "N", "capture": false, "check": false },
        { "action": "P@f2", "side": "white", "kind": "reinforcement", "piece": "P", "capture": false, "check": false },
    ]);
    assert_eq!(state["moves"], expected);
    assert_eq!(state["check"], json!(null));

    // Each jump of a series takes one; the stop takes none, though the jumped leave the board with it.
    let position = "**3**/**3**/**3**/***1***/6k/7/3p3/7/3p3/3K3/***1***/**3**/**3**/**3**[] w - - - 0 1";
    let captures = |state: &Value| -> Vec<bool> {
        state["moves"].as_array().unwrap().iter().map(|told| told["capture"].as_bool().unwrap()).collect()
    };
    assert_eq!(captures(&play("shatra", position, &["d5d7", "d7d9"])), [true, true]);
    let stopped = play("shatra", position, &["d5d7", "0000"]);
    assert_eq!(captures(&stopped), [true, false]);
    assert_eq!(stopped["moves"][1]["piece"], json!(null));
}

#[test]
fn a_king_in_check_is_told() {
    let server = Running::new(every_game(), bounds());
    let (mut client, _) = Client::enter(server.address);
    let mut checks = 0;
    for (bot, game) in IDS.iter().enumerate() {
        let mut rng = stream("check", 0, 0, bot as u64);
        let mut state = client.begin(bot);
        for _ in 0..150 {
            let check = state["check"].as_str();
            let last = state["moves"].as_array().unwrap().last();
            assert_eq!(check.is_some(), last.is_some_and(|last| last["check"] == true), "{game}");
            if let Some(square) = check {
                let king = json!({ "square": square, "kind": "K", "side": state["side"] });
                assert!(state["pieces"].as_array().unwrap().contains(&king), "{game}: {state}");
                checks += 1;
            }
            assert!(state["outcome"]["reason"] != "checkmate" || check.is_some(), "{game}");
            if !state["outcome"].is_null() {
                break;
            }
            let legal = state["legal"].as_array().unwrap();
            let action = legal[rng.random_range(0..legal.len())]["action"].as_str().unwrap().to_owned();
            state = client.play(&action);
        }
        assert!(*game != "shatra" || state["moves"].as_array().unwrap().iter().all(|told| told["check"] == false));
    }
    assert!(checks > 3, "{checks}");
}

/// The ends of a game that the rules name in one language they name in the other.
#[test]
fn the_arabic_rules_name_what_the_english_ones_name() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/serve/web/page");
    for id in IDS.iter().filter(|id| **id != "chess") {
        let rules = text_game(id, &toml::Table::new()).unwrap();
        let arabic = std::fs::read_to_string(format!("{folder}/rules-{id}.ar.md")).unwrap();
        let rows = rules.text().lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
        let reasons = rows.map(|(name, _)| name).filter(|name| name.parse::<Reason>().is_ok());
        for name in reasons {
            assert!(arabic.contains(&format!("`{name}`")), "{id}: {name}");
        }
    }
}

//! The page's server, over the wire: how differently a bot plays.

mod visitor;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use visitor::{Running, Visitor, bounds, every_game};

/// The bot's first twelve moves for both sides.
fn game(visitor: &mut Visitor, variety: f32) -> Value {
    let mut state = visitor.begin(0);
    for _ in 0..12 {
        visitor.say(json!({ "type": "move", "simulations": 40, "variety": variety }));
        state = visitor.hear_of("state");
    }
    state["moves"].clone()
}

/// What the bot plays after these actions, asked so many times.
fn answers(visitor: &mut Visitor, position: Option<&str>, actions: &[&str], order: &Value) -> BTreeSet<String> {
    visitor.say(json!({ "type": "new", "bot": 0, "position": position, "actions": actions }));
    visitor.hear_of("state");
    let answer = |_| {
        visitor.say(order.clone());
        let state = visitor.hear_of("state");
        visitor.say(json!({ "type": "undo", "plies": 1 }));
        visitor.hear_of("state");
        state["moves"][actions.len()]["action"].as_str().unwrap().to_owned()
    };
    (0..8).map(answer).collect()
}

#[test]
fn games_differ_where_that_is_wanted() {
    let server = Running::new(every_game(), bounds());
    let (mut visitor, _) = Visitor::enter(server.address);
    let (mut other, _) = Visitor::enter(server.address);
    let best = game(&mut visitor, 0.0);
    assert_eq!([game(&mut visitor, 0.0), game(&mut other, 0.0)], [best.clone(), best.clone()]);
    let varied = [game(&mut visitor, 0.5), game(&mut visitor, 0.5), game(&mut other, 0.5)];
    assert!(varied[0] != varied[1] && varied[0] != varied[2] && varied[1] != varied[2]);
    assert!(!varied.contains(&best));
    // Another server with the same seed draws the same.
    let again = Running::new(every_game(), bounds());
    let (mut visitor, _) = Visitor::enter(again.address);
    assert_eq!([0.0, 0.0, 0.5, 0.5].map(|variety| game(&mut visitor, variety))[2..], varied[..2]);
}

#[test]
fn only_the_opening_is_left_to_chance() {
    let server = Running::new(every_game(), bounds());
    let (mut visitor, _) = Visitor::enter(server.address);
    let order = json!({ "type": "move", "simulations": 40, "variety": 10 });
    let shuffle = ["b1c3", "b8c6", "c3b1", "c6b8"].repeat(2);
    let opening = [&shuffle[..], &["g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8"]].concat();
    assert!(answers(&mut visitor, None, &opening[..15], &order).len() > 1);
    assert_eq!(answers(&mut visitor, None, &opening, &order).len(), 1);
}

#[test]
fn what_is_proven_is_not_left_to_chance() {
    let server = Running::new(every_game(), bounds());
    let (mut visitor, _) = Visitor::enter(server.address);
    let order = json!({ "type": "move", "simulations": 3000, "variety": 10 });
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3[] w - - - 0 1";
    assert_eq!(answers(&mut visitor, Some(mate), &[], &order), BTreeSet::from(["a1a8".to_owned()]));
    // Once the rook leaves the last rank along its file, it is mate there.
    let guarded = "r5k1/5ppp/8/8/8/8/5PPP/4R1K1[] b - - - 0 1";
    let losing: BTreeSet<String> = (2..8).map(|rank| format!("a8a{rank}")).collect();
    let played = answers(&mut visitor, Some(guarded), &[], &order);
    assert!(played.len() > 1 && played.is_disjoint(&losing), "{played:?}");
}

#[test]
fn no_other_variety_is_known() {
    let server = Running::new(every_game(), bounds());
    let (mut visitor, _) = Visitor::enter(server.address);
    visitor.begin(0);
    for (variety, id, part) in [
        (json!(-0.5), "limit", "variety: expected 0 to 10, found -0.5"),
        (json!(10.5), "limit", "expected 0 to 10"),
        (json!(1e300), "limit", "found inf"),
        (json!("much"), "message", "\"much\""),
        (json!(null), "message", "null"),
    ] {
        visitor.say(json!({ "type": "move", "variety": variety }));
        let answer = visitor.hear();
        assert!(answer["id"] == id && answer["message"].as_str().unwrap().contains(part), "{variety}: {answer}");
    }
}

//! The engine in XBoard's protocol: transcripts, and lines that no frontend should send.

use crate::support::transcript;

use maydan::serve::ProtocolName;
use proptest::prelude::*;
use transcript::{Engine, answers, hold};

#[test]
fn omega_in_xboard() {
    hold("xboard_omega.txt", "omega");
}

/// A user at the mouse, who brings the fool on, castles and guards, and a bot who hears of guarding.
#[test]
fn omega_advanced_in_xboard() {
    hold("xboard_omega_advanced.txt", "omega-advanced");
}

#[test]
fn shatar_in_xboard() {
    hold("xboard_shatar.txt", "shatar");
}

/// A game that XBoard 4.9.1 played with another bot, who was promoted in place as Black, and one with a user at the
/// mouse.
#[test]
fn shatara_in_xboard() {
    hold("xboard_shatara.txt", "shatara");
}

/// The same with series of jumps, in which the other side passes.
#[test]
fn shatra_in_xboard() {
    hold("xboard_shatra.txt", "shatra");
}

#[test]
fn what_is_not_wanted_any_more_is_not_played() {
    let mut engine = Engine::new("shatara");
    for command in ["xboard", "protover 2", "st 100000", "new", "usermove b1c3", "force", "ping 1"] {
        engine.say(command);
    }
    engine.hear_of("pong 1");
    for command in ["usermove a7a5", "option Playouts=16", "usermove c3c3b", "go"] {
        engine.say(command);
    }
    engine.hear_of("move ");
    for command in ["analyze", "usermove h2h4", "undo", "exit", "force", "ping 2"] {
        engine.say(command);
    }
    engine.hear_of("pong 2");
    assert!(engine.end().iter().all(|line| !line.starts_with("move ")));
}

#[test]
fn it_thinks_on_the_other_sides_time() {
    let mut engine = Engine::new("shatara");
    for command in ["xboard", "protover 2", "option Playouts=30", "new", "post", "hard", "usermove b1c3"] {
        engine.say(command);
    }
    engine.hear_of("move ");
    let thought = |line: String| line.split(' ').nth(3) == Some("30");
    while !thought(engine.hear()) {}
    engine.say("hint");
    engine.hear_of("Hint: ");
    engine.say("usermove h2h4");
    engine.hear_of("move ");
    engine.say("easy");
    engine.say("usermove a2a4");
    engine.hear_of("move ");
    engine.say("ping 1");
    engine.hear_of("pong 1");
    assert!(engine.end().is_empty());
}

/// Words of the protocol, in any order.
fn line() -> impl Strategy<Value = String> {
    const WORDS: [&str; 49] = [
        "xboard",
        "protover 2",
        "new",
        "variant",
        "force",
        "go",
        "playother",
        "analyze",
        "exit",
        "usermove",
        "e2e4",
        "P@e2",
        "undo",
        "remove",
        "?",
        "ping",
        "time",
        "otim",
        "level",
        "st",
        "sd",
        "0",
        "1",
        "40 5 0",
        "99999999999999",
        "-1",
        "setboard",
        "option",
        "Hash=1",
        "Playouts=9",
        "MultiPV=3",
        "post",
        "nopost",
        "result",
        "1-0",
        "hint",
        "hard",
        "easy",
        "memory 1",
        "cores",
        "lift",
        "put",
        "e3",
        "e2e2,e1d2",
        "f2d2,c2e2",
        "n6",
        "_7",
        "@@@@",
        "\u{7f}\u{0}",
    ];
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..5).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Whatever comes, the engine goes on to the end of its input and answers each `ping`.
    #[test]
    fn no_line_upsets_it(lines in prop::collection::vec(line(), 0..30), game in prop::sample::select(&["shatara", "shatra", "omega", "omega-advanced"][..])) {
        let text = answers(game, Some(ProtocolName::Xboard), lines.join("\n").into_bytes());
        let first = |line: &String| line.split_whitespace().next().map(str::to_owned);
        let asked = lines.iter().filter(|line| first(line).as_deref() == Some("ping")).count();
        prop_assert_eq!(text.lines().filter(|line| line.starts_with("pong")).count(), asked);
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }
}

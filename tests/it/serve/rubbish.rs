//! Lines that no frontend sends, in every protocol: what the engine gives back of them is short, and nothing that a
//! terminal obeys.

use maydan::{game::registry::IDS, serve::ProtocolName};

use crate::support::transcript::answers;

/// Commands whose mistakes quote their arguments, and one that is none.
const COMMANDS: [&str; 32] = [
    "",
    "uci",
    "setoption name",
    "setoption name Hash value",
    "setoption name UCI_Variant value",
    "position",
    "position fen",
    "position startpos moves",
    "go",
    "go nodes",
    "go perft",
    "go searchmoves",
    "perft",
    "ucinewgame",
    "debug",
    "protover",
    "variant",
    "setboard",
    "usermove",
    "level",
    "st",
    "sd",
    "time",
    "option",
    "ping",
    "result",
    "name",
    "memory",
    "cores",
    "accepted",
    "position spn",
    "isready",
];

/// Most letters of a line that quotes: 200, and what stands around them.
const LONGEST: usize = 400;

#[test]
fn what_is_given_back_is_short_and_plain() {
    let rubbish =
        ["x".repeat(60_000), "\u{1b}[2J\u{7}".repeat(5000), "\u{202e}é\u{0}".repeat(5000), "9".repeat(60_000)];
    let lines = COMMANDS.iter().flat_map(|command| rubbish.iter().map(move |words| format!("{command} {words}\n")));
    let lines: String = lines.chain(["y".repeat(200_000) + "\n"]).collect();
    for (protocol, first, games) in
        [(ProtocolName::Uci, "", IDS), (ProtocolName::Xboard, "xboard\n", IDS), (ProtocolName::Ushi, "", &["shatra"])]
    {
        for game in games {
            let input = format!("{first}{lines}quit\n").into_bytes();
            let answer = answers(game, Some(protocol), input);
            let quoting = answer.lines().filter(|line| !line.starts_with("feature") && !line.starts_with("option"));
            for line in quoting {
                assert!(!line.contains(char::is_control), "{protocol:?} {game}: {line:?}");
                assert!(line.chars().count() <= LONGEST, "{protocol:?} {game}: {} letters: {line:?}", line.len());
            }
            assert!(answer.lines().count() > 20, "{protocol:?} {game}: {answer}");
        }
    }
}

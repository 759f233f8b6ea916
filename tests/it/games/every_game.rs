//! The suite on every game of the registry, under every ruleset that its witness names: a new game is tested by being
//! listed there.

use crate::support::{suite, witnesses};

use std::{
    io::Write,
    process::{Command, Stdio},
};

use maydan::game::{
    Game, Playable,
    registry::{GameVisitor, IDS, with_game},
};
use suite::{encoding, games, matches, rules, search, witness::Witness};
use witnesses::witness;

macro_rules! test_every_game {
    ($($name:ident => $check:path,)+) => {
        $(
            #[test]
            fn $name() {
                struct Check(&'static Witness);

                impl GameVisitor for Check {
                    type Output = ();

                    fn visit<R: Playable>(self, game: Game<R>) {
                        println!("{} {:?}", game.ruleset(), game.ruleset().options);
                        $check(&game, self.0);
                    }
                }

                for id in IDS {
                    for options in [""].iter().chain(witness(id).options) {
                        with_game(id, &options.parse().unwrap(), Check(witness(id))).unwrap();
                    }
                }
            }
        )+
    };
}

suite::checks!(test_every_game);

#[test]
fn every_seed_is_a_position() {
    struct Seeds(&'static Witness);

    impl GameVisitor for Seeds {
        type Output = ();

        fn visit<R: Playable>(self, game: Game<R>) {
            for text in self.0.seeds {
                game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    for id in IDS {
        with_game(id, &toml::Table::new(), Seeds(witness(id))).unwrap();
    }
}

/// Each command that a person types for a game by its id.
#[test]
fn the_commands_know_every_game() {
    for id in IDS {
        let run = |arguments: &[&str], typed: &str| {
            let mut child = Command::new(env!("CARGO_BIN_EXE_maydan"))
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{arguments:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        let start = run(&["rules", id, "start"], "");
        let start = start.trim();
        assert!(run(&["rules", id, "text"], "").starts_with("# "));
        let moves = run(&["rules", id, "moves", start], "");
        let first = moves.lines().next().unwrap();
        assert!(moves.lines().is_sorted());
        assert_eq!(run(&["rules", id, "perft", start, "1"], "").trim(), moves.lines().count().to_string());
        assert_eq!(
            run(&["rules", id, "moves", "-"], start).trim(),
            format!("{start}\t{}", moves.lines().collect::<Vec<_>>().join(" "))
        );
        assert!(run(&["rules", id, "random", "1", "3"], "").trim_end().ends_with("\t-"));
        let played =
            run(&["play", "greedy", "--game", id, "--side", "both"], &format!("hint\n{first}\nposition\nquit\n"));
        let after = run(&["rules", id, "play", start, first], "");
        assert!(played.contains(after.trim()), "{played}");
    }
}

//! The suite on every game of the registry, under every ruleset that its witness names: a new game is tested by being
//! listed there.

use crate::support::{suite, witnesses};

use std::{
    collections::BTreeSet,
    io::Write,
    process::{Command, Stdio},
};

use maydan::game::{
    Game, Playable,
    registry::{GameVisitor, IDS, with_game},
    text_game,
};
use suite::{attacks, encoding, games, matches, rules, search, witness::Witness};
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

/// The game, its zones, its pieces and its kinds of action, and nothing else, are named in both languages.
#[test]
fn every_game_has_its_words() {
    for id in IDS {
        let rules = text_game(id, &toml::Table::new()).unwrap();
        let words = rules.words();
        let on_board = rules.scene(&rules.start()).unwrap().pieces.into_iter().map(|piece| piece.kind);
        let letters: BTreeSet<char> = on_board.chain(rules.zone_kinds().chars()).collect();
        let kinds: BTreeSet<&str> = rules.action_kinds().iter().copied().collect();
        assert_eq!(words.pieces.keys().copied().collect::<BTreeSet<_>>(), letters, "{id}");
        assert_eq!(words.kinds.keys().map(String::as_str).collect::<BTreeSet<_>>(), kinds, "{id}");
        assert_ne!(words.name.en, *id);
        assert!(letters.contains(&words.emblem), "{id}: {}", words.emblem);
        assert!(words.zone.is_some() || rules.zone_kinds().is_empty(), "{id}: its zones have no name");
        for (key, choice) in &words.choices {
            assert!(kinds.contains(key.split(' ').next().unwrap()), "{id}: {key}");
            assert!(choice.piece.is_none_or(|piece| letters.contains(&piece)), "{id}: {choice:?}");
        }
        let terms =
            [&words.name].into_iter().chain(&words.zone).chain(words.pieces.values()).chain(words.kinds.values());
        let terms = terms.map(|term| (&term.en, &term.ar));
        for (en, ar) in terms.chain(words.choices.values().map(|choice| (&choice.en, &choice.ar))) {
            assert!(en.is_ascii() && !en.is_empty(), "{id}: {en}");
            assert!(ar.chars().any(char::is_alphabetic) && !ar.is_ascii(), "{id}: {ar}");
        }
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

//! What commands say on standard error, in which colours, and what a user meets first.

use std::process::{Command, Output};

/// Runs the program with nothing of the caller's own wishes for colour.
fn maydan(arguments: &[&str], wishes: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_LOG", "CI"] {
        command.env_remove(variable);
    }
    command.args(arguments).envs(wishes.iter().copied()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const MATCH: [&str; 7] = ["match", "greedy", "random", "--game", "shatara", "--games", "10"];
const ESCAPE: char = '\x1b';

#[test]
fn colours_are_where_they_are_wanted() {
    let wished = [("CLICOLOR_FORCE", "1")];
    let refused = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
    let always = [&MATCH[..], &["--color", "always"]].concat();
    let never = [&MATCH[..], &["--color=never"]].concat();
    for (arguments, wishes, coloured) in [
        (&MATCH[..], &[][..], false),
        (&MATCH, &wished, true),
        (&MATCH, &refused, false),
        (&always, &[], true),
        (&always, &[("NO_COLOR", "1")], true),
        (&never, &wished, false),
    ] {
        let output = text(&maydan(arguments, wishes).stdout);
        assert_eq!(output.contains(ESCAPE), coloured, "{arguments:?} {wishes:?}: {output}");
        assert_eq!(output.contains("\x1b[1mElo of A over B: "), coloured, "{output}");
    }
    let json = [&always[..], &["--json"]].concat();
    assert!(!text(&maydan(&json, &wished).stdout).contains(ESCAPE));
}

#[test]
fn files_have_no_colours() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let arguments = [&MATCH[..], &["--color", "always", "--games-file", file.to_str().unwrap()]].concat();
    assert!(maydan(&arguments, &[]).status.success());
    assert!(!std::fs::read_to_string(file).unwrap().contains(ESCAPE));
}

#[test]
fn errors_and_help_are_coloured_likewise() {
    let mistakes: [&[&str]; 3] = [&["match", "randon", "greedy"], &["traim"], &["match", "--gams", "2"]];
    for mistake in mistakes {
        let plain = maydan(mistake, &[]);
        let error = text(&plain.stderr);
        assert!(error.starts_with("error: ") && error.lines().count() == 1, "{error}");
        assert_eq!(plain.status.code(), Some(2));
        for (more, wishes) in [(&["--color", "always"][..], &[][..]), (&[], &[("CLICOLOR_FORCE", "1")])] {
            let coloured = text(&maydan(&[mistake, more].concat(), wishes).stderr);
            assert_eq!(coloured.replace("\x1b[1m\x1b[31merror:\x1b[0m", "error:"), error);
            assert!(coloured.contains(ESCAPE), "{coloured}");
        }
    }
    for (arguments, coloured) in [(&["match", "--help"][..], false), (&["match", "--help", "--color=always"], true)] {
        let help = text(&maydan(arguments, &[]).stdout);
        assert_eq!((help.contains(ESCAPE), help.contains("Examples:")), (coloured, true), "{help}");
    }
}

#[test]
fn a_quiet_command_prints_its_results_alone() {
    let loud = maydan(&MATCH, &[]);
    assert!(text(&loud.stderr).contains("games: 10/10"), "{}", text(&loud.stderr));
    for quiet in ["-q", "--quiet"] {
        let output = maydan(&[&MATCH[..], &[quiet]].concat(), &[]);
        assert_eq!((text(&output.stdout), text(&output.stderr)), (text(&loud.stdout), String::new()));
    }
    // The option may stand before the command.
    assert!(maydan(&[&["-q"], &MATCH[..]].concat(), &[]).stderr.is_empty());
    let error = maydan(&["-q", "match", "random", "greedy"], &[]);
    assert!(text(&error.stderr).starts_with("error: --game: "), "{}", text(&error.stderr));
    let both = maydan(&[&MATCH[..], &["-q", "-v"]].concat(), &[]);
    assert!(both.status.code() == Some(2) && text(&both.stderr).contains("cannot be used with"));
}

#[test]
fn what_is_done_is_said_when_it_is_asked_for() {
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/models/shatara-small");
    let export = |more: &[&str], wishes: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bot.maydan");
        let output = maydan(&[&["export", network, "-o", file.to_str().unwrap()], more].concat(), wishes);
        text(&output.stderr)
    };
    assert_eq!(export(&[], &[]), "");
    for more in [&["-v"][..], &["-vv"], &["--verbose"]] {
        assert!(export(more, &[]).contains("INFO"), "{}", export(more, &[]));
    }
    assert_eq!(export(&["-v"], &[("RUST_LOG", "error")]), "", "RUST_LOG wins");
    assert!(export(&[], &[("RUST_LOG", "info")]).contains("INFO"));
}

#[test]
fn the_program_alone_prints_its_help() {
    let output = maydan(&[], &[]);
    let help = text(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(help.contains("Usage: maydan") && help.contains("Examples:\n  maydan "), "{help}");
    assert!(text(&maydan(&["traim"], &[]).stderr).contains("'train'"));
}

#[cfg(not(feature = "fleet"))]
#[test]
fn a_program_without_fleets_says_which_one_has_them() {
    for command in ["worker", "fleet"] {
        let output = maydan(&[command, "nats://127.0.0.1:1", "--key", "a.nk"], &[]);
        assert_eq!(output.status.code(), Some(2));
        let complaint = text(&output.stderr);
        assert!(complaint.starts_with(&format!("error: `maydan {command}` needs the feature `fleet`")), "{complaint}");
        assert!(complaint.contains("cargo build --release --features fleet") && complaint.lines().count() == 1);
    }
}

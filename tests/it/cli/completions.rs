//! `maydan completions` as a user runs it.

use std::process::{Command, Output};

fn maydan(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maydan")).args(arguments).output().unwrap()
}

/// The names of the commands, as the help lists them.
pub(super) fn commands(of: &[&str]) -> Vec<String> {
    let output = maydan(&[of, &["--help"]].concat());
    let help = String::from_utf8(output.stdout).unwrap();
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    // Lines that go on with a description are indented more.
    let names = lines.filter(|line| !line.starts_with("   ")).map(|line| line.split_whitespace().next().unwrap());
    names.filter(|&name| name != "help").map(str::to_owned).collect()
}

#[test]
fn every_shell_completes_every_command() {
    let commands = commands(&[]);
    assert!(commands.len() >= 20 && commands.iter().any(|name| name == "completions"), "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = maydan(&["completions", shell]);
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}");
        let script = String::from_utf8(output.stdout).unwrap();
        for name in &commands {
            let is_named = script.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == name);
            assert!(is_named, "{shell}: {name}");
        }
        assert!(script.contains("playouts"), "{shell}: options");
    }
}

/// Bash itself, with the script read, offers what begins as the word does.
#[test]
fn bash_completes_a_word() {
    let script = maydan(&["completions", "bash"]).stdout;
    let script = String::from_utf8(script).unwrap();
    let ask = "COMP_WORDS=(maydan st); COMP_CWORD=1; _maydan maydan st maydan; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", &format!("{script}\n{ask}")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "stats study");
}

#[test]
fn an_unknown_shell_is_named_with_those_that_are_known() {
    let output = maydan(&["completions", "csh"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.lines().count() == 1 && error.starts_with("error: "), "{error}");
    assert!(error.contains("'csh'") && error.contains("bash") && error.contains("zsh"), "{error}");
}

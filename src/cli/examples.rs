//! Examples at the end of each command's help.

use clap::builder::StyledStr;

use crate::console::{HEADING, styled};

/// Commands as they are typed, in the project's folder and after `make demo`.
pub(super) fn examples(commands: &[&str]) -> StyledStr {
    let lines = commands.iter().map(|command| format!("\n  {command}"));
    format!("{}{}", styled(HEADING, "Examples:"), lines.collect::<String>()).into()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::{Command, CommandFactory, error::ErrorKind};

    use super::super::CommandLine;

    /// A longer line is broken by clap.
    const LONGEST: usize = 98;

    /// What the examples may name of the project; other folders are those that commands write.
    const FOLDERS: [&str; 5] = ["configs/", "docs/", "models/", "src/", "tests/"];

    /// The commands below `command`, itself first, each with its name in full.
    fn tree(command: &Command, above: &str) -> Vec<(String, Command)> {
        let name = format!("{above}{}", command.get_name());
        let below = command.get_subcommands().flat_map(|command| tree(command, &format!("{name} ")));
        [(name.clone(), command.clone())].into_iter().chain(below).collect()
    }

    #[test]
    fn the_help_of_every_command_ends_with_examples_that_parse_and_name_files_that_exist() {
        let commands = tree(&CommandLine::command(), "");
        assert!(commands.iter().any(|(name, _)| name == "maydan bot verify"), "nested commands are in the tree");
        for (name, command) in commands {
            let help = command.get_after_help().unwrap_or_else(|| panic!("{name}: no examples")).to_string();
            let lines: Vec<&str> =
                help.strip_prefix("Examples:\n").unwrap_or_else(|| panic!("{name}: {help}")).lines().collect();
            assert!((1..=4).contains(&lines.len()), "{name}: {} examples", lines.len());
            for line in lines {
                assert!(line.starts_with("  maydan ") && line.len() <= LONGEST, "{name}: {line}");
                let words = shlex::split(line).unwrap_or_else(|| panic!("{name}: {line}"));
                if let Err(error) = CommandLine::command().try_get_matches_from(&words) {
                    let kinds = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
                    assert!(kinds.contains(&error.kind()), "{name}: {line}: {error}");
                }
                // A bundle or a position file may stand behind options: `--positions=FILE`, `key=value`.
                for file in words.iter().filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder))) {
                    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
                    assert!(path.exists(), "{name}: {line}: {file} is not in the project");
                }
                // Of a command that this build lacks, the example is how to see that.
                let is_lacking = cfg!(not(feature = "torch")) && words == ["maydan", "--version"];
                let is_named = name.split(' ').skip(1).all(|part| words.iter().any(|word| word == part));
                assert!(is_lacking || is_named, "{name}: {line}");
            }
        }
    }
}

//! `maydan manual`: the help of every command as pages for `man`.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::{CommandLine, examples::examples};
use crate::disk::{IoError, write_file};

/// Write the help of every command as pages for `man`
#[derive(Debug, Args)]
#[command(after_help = examples(&["maydan manual ~/.local/share/man/man1"]))]
pub(super) struct Arguments {
    /// Where the pages go, as in `man/man1`
    folder: PathBuf,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let mut command = CommandLine::command().disable_help_subcommand(true);
    // Gives each command its full name, as in `maydan-stats-openings`.
    command.build();
    let count = write_pages(&command, &arguments.folder)?;
    writeln!(io::stdout(), "{}: {count} pages", arguments.folder.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command and of all commands in it, and counts them.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<usize, IoError> {
    // The version tells of the commit, which is too long for the foot of a page.
    let page = Man::new(command.clone()).source(concat!("maydan ", env!("CARGO_PKG_VERSION")));
    write_file(&folder.join(page.get_filename()), |file| page.render(file))?;
    command.get_subcommands().try_fold(1, |count, command| Ok(count + write_pages(command, folder)?))
}

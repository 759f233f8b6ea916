//! Colours, where a terminal shows them: `NO_COLOR`, `CLICOLOR_FORCE` and the user's choice are kept to.
//!
//! What is styled must be written to [`output`] or [`errors`], which leave the styles out where there is no terminal.

use std::{
    fmt::Display,
    io::{StderrLock, StdoutLock},
};

use anstream::AutoStream;
pub use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};

/// Of the word `error:`.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Of a warning.
pub const WARNING: Style = AnsiColor::Yellow.on_default();
/// Of the head of a table, and of the line that a user looks for first.
pub const HEADING: Style = Style::new().bold();

/// Text in a style.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Text whose first line is its heading.
pub fn headed(text: &str) -> String {
    match text.split_once('\n') {
        Some((first, rest)) => format!("{}\n{rest}", styled(HEADING, first)),
        None => styled(HEADING, text),
    }
}

/// Standard output, without styles where it is no terminal.
pub fn output() -> AutoStream<StdoutLock<'static>> {
    anstream::stdout().lock()
}

/// Standard error, likewise.
pub fn errors() -> AutoStream<StderrLock<'static>> {
    anstream::stderr().lock()
}

/// Whether styles are shown on standard error.
pub fn errors_have_colour() -> bool {
    AutoStream::choice(&std::io::stderr()) != ColorChoice::Never
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_line_is_the_heading() {
        assert_eq!(headed("title\nrow\n"), "\x1b[1mtitle\x1b[0m\nrow\n");
        assert_eq!(headed("title"), "\x1b[1mtitle\x1b[0m");
    }
}

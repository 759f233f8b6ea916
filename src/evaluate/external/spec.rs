//! How a user names an engine, and how long it may think.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

use super::EngineClock;

/// The protocol of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    Uci,
    Xboard,
}

impl Speech {
    const ALL: [Speech; 2] = [Speech::Uci, Speech::Xboard];

    fn name(self) -> &'static str {
        match self {
            Speech::Uci => "uci",
            Speech::Xboard => "xboard",
        }
    }
}

/// `uci:COMMAND` or `xboard:COMMAND`, with options after `?` and between `&`: `uci:fairy-stockfish?Hash=16&Threads=1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    pub speech: Speech,
    pub program: String,
    pub arguments: Vec<String>,
    /// Names and values, in the order given.
    pub options: Vec<(String, String)>,
}

/// A text that names no engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineSpecError {
    #[error("expected `uci:COMMAND` or `xboard:COMMAND`, found `{0}`")]
    NoEngine(String),
    #[error("player `{player}`: {problem}")]
    Player { player: String, problem: EngineSpecProblem },
}

/// What is wrong behind the name of a protocol.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineSpecProblem {
    #[error("expected a command, found nothing")]
    NoCommand,
    #[error("expected options as NAME=VALUE, found `{0}`")]
    Option(String),
    #[error("expected one line")]
    Lines,
}

impl EngineSpec {
    /// The engine of that name; `None` where it names no engine.
    pub fn of(text: &str) -> Option<Result<Self, EngineSpecError>> {
        let (speech, rest) = text.split_once(':')?;
        let speech = Speech::ALL.into_iter().find(|known| known.name() == speech)?;
        Some(Self::read(speech, rest).map_err(|problem| EngineSpecError::Player { player: text.to_owned(), problem }))
    }

    fn read(speech: Speech, text: &str) -> Result<Self, EngineSpecProblem> {
        let (command, options) = text.split_once('?').unwrap_or((text, ""));
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next().ok_or(EngineSpecProblem::NoCommand)?;
        let option = |option: &str| match option.split_once('=') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(EngineSpecProblem::Option(option.to_owned())),
        };
        let options = options.split('&').filter(|option| !option.is_empty()).map(option);
        // A line of its own would be a command of its own.
        if text.chars().any(char::is_control) {
            return Err(EngineSpecProblem::Lines);
        }
        Ok(EngineSpec { speech, program, arguments: words.collect(), options: options.collect::<Result<_, _>>()? })
    }
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    fn from_str(text: &str) -> Result<Self, EngineSpecError> {
        Self::of(text).unwrap_or_else(|| Err(EngineSpecError::NoEngine(text.to_owned())))
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.speech.name(), self.program)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))?;
        let mark = |i| if i == 0 { '?' } else { '&' };
        self.options.iter().enumerate().try_for_each(|(i, (name, value))| write!(f, "{}{name}={value}", mark(i)))
    }
}

/// What an engine may use for a move, whichever it reaches first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineLimits {
    /// Nodes, as the engine counts them; engines in XBoard's protocol are given none.
    pub nodes: Option<u32>,
    pub time: Option<Duration>,
    /// A clock for the game, in UCI: who runs out of time loses. Engines in XBoard's protocol are given none.
    pub clock: Option<EngineClock>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_engines() {
        for name in ["uci:stockfish", "xboard:sjaakii -xboard", "uci:a/b load x.ini?Hash=16&Variant Path=x=y"] {
            assert_eq!(name.parse::<EngineSpec>().unwrap().to_string(), name);
        }
        assert_eq!("uci:x?A b=c=d".parse::<EngineSpec>().unwrap().options, [("A b".to_owned(), "c=d".to_owned())]);
        assert_eq!(EngineSpec::of("models/uci"), None);
        for (name, part) in [("uci:", "nothing"), ("uci:x?Hash", "`Hash`"), ("uci:x?A=b\nquit", "one line")] {
            let error = EngineSpec::of(name).unwrap().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}

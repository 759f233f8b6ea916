//! The trait of a protocol, and output that several protocols share.

use std::{
    fmt,
    io::{self, Write},
    str::FromStr,
};

use thiserror::Error;

use super::{Bot, Thought};
use crate::{
    game::{RulesError, Wdl},
    search::Proof,
};

/// How a user names a protocol: `uci`, `xboard` or `ushi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolName {
    /// The Universal Chess Interface.
    Uci,
    /// XBoard's protocol, version 2.
    Xboard,
    /// The protocol of Shatrabase, for Altai Shatra alone.
    Ushi,
}

/// A text that names no protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected `uci`, `xboard` or `ushi`")]
pub struct NoProtocol;

impl FromStr for ProtocolName {
    type Err = NoProtocol;

    fn from_str(text: &str) -> Result<Self, NoProtocol> {
        match text {
            "uci" => Ok(ProtocolName::Uci),
            "xboard" => Ok(ProtocolName::Xboard),
            "ushi" => Ok(ProtocolName::Ushi),
            _ => Err(NoProtocol),
        }
    }
}

impl ProtocolName {
    /// The protocol that a frontend opens with such a line.
    pub(super) fn guess(first: &str) -> Self {
        match first.split_whitespace().next() {
            Some("xboard" | "protover") => ProtocolName::Xboard,
            Some("ushi") => ProtocolName::Ushi,
            _ => ProtocolName::Uci,
        }
    }
}

/// A protocol that is not for the bot's game.
#[derive(Debug, Error)]
pub enum WrongGame {
    #[error("protocol `{protocol}`: expected a bot for {expected}, found one for {found}")]
    Game { protocol: &'static str, expected: &'static str, found: String },
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// Whether the frontend is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Quit,
}

/// One side of a conversation: what to do about each line, and how to say what the bot thinks.
pub(super) trait Protocol {
    /// Answers a line.
    ///
    /// # Errors
    /// When `out` is closed.
    fn line(&mut self, line: &str, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<Flow>;
    /// A line was too long to be read.
    ///
    /// # Errors
    /// When `out` is closed.
    fn too_long(&mut self, out: &mut dyn Write) -> io::Result<()>;
    /// Passes on what the bot thinks.
    ///
    /// # Errors
    /// When `out` is closed.
    fn thought(&mut self, thought: Thought, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()>;
    /// Whether the bot is at work.
    fn is_at_work(&self) -> bool;
    /// Whether the bot's work is to end now, and what comes meanwhile must wait for that.
    fn is_stopping(&self) -> bool {
        false
    }
}

/// Longest text that is given back to who wrote it, in characters.
const LONGEST_ECHO: usize = 200;

/// A text that came from outside, or quotes one, fit for one line.
pub(super) struct Plain<T>(pub(super) T);

impl<T: fmt::Display> fmt::Display for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let plain: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).take(LONGEST_ECHO).collect();
        f.write_str(&plain)?;
        if plain.len() < text.len() { f.write_str("...") } else { Ok(()) }
    }
}

/// Win less loss in centipawns, 111.7 tan(1.562 (win - loss)): the formula of Leela Chess Zero
/// (`--score-type=centipawn` of version 0.21 on).
pub(super) fn centipawns(wdl: Wdl) -> i32 {
    (111.714_64 * (1.562_068_8 * wdl.value().clamp(-1.0, 1.0)).tan()).round() as i32
}

/// Moves until the game is won (negative: lost) for certain, two plies a move.
pub(super) fn mate(proof: Proof) -> Option<i32> {
    match proof {
        Proof::Win(plies) => Some(i32::from(plies.div_ceil(2)).max(1)),
        Proof::Loss(plies) => Some(-i32::from(plies.div_ceil(2)).max(1)),
        Proof::Unknown | Proof::Draw(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_frontends() {
        assert_eq!(centipawns(Wdl::DRAW), 0);
        assert_eq!(centipawns([0.5, 0.5, 0.0].into()), -centipawns([0.0, 0.5, 0.5].into()));
        assert_eq!(centipawns(Wdl::WIN), 12800);
        assert_eq!(
            [Proof::Win(1), Proof::Win(3), Proof::Loss(2), Proof::Draw(2)].map(mate),
            [Some(1), Some(2), Some(-1), None]
        );
    }

    #[test]
    fn texts_from_outside_are_made_plain() {
        assert_eq!(Plain("a\u{1b}[2J\n").to_string(), "a?[2J?");
        assert_eq!(Plain("x".repeat(300)).to_string(), "x".repeat(200) + "...");
    }
}

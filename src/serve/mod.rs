//! Floor 7: a bot for other programs: the protocols that frontends speak with engines, and a page to play on.
//!
//! Layout, lowest first:
//!
//! - `options`: what a frontend can set.
//! - `clock`: how long a move may take.
//! - `thought`: what is asked of a bot, and what it says.
//! - `thinker`: the search on its thread.
//! - `bot`: a game under way and the bot that thinks about it, in strings.
//! - `protocol`: what every protocol is.
//! - `family`: what the protocols of UCI's family share.
//! - `uci`: the Universal Chess Interface.
//! - `xboard`: XBoard's protocol, version 2.
//! - `ushi`: the protocol of Shatrabase.
//! - `engine`: lines in, lines out.
//! - [`web`]: a page to play on, over HTTP and a WebSocket.

mod bot;
mod clock;
mod engine;
mod family;
mod options;
mod protocol;
mod thinker;
mod thought;
mod uci;
mod ushi;
pub mod web;
mod xboard;

pub use bot::{Bot, Turn};
pub use clock::{Clock, Timekeeper};
pub use engine::{EngineError, serve};
pub use options::{MOST_PLAYOUTS, OptionError, Options};
pub use protocol::{NoProtocol, ProtocolName, WrongGame};
pub use thought::{Decision, Limits, Report, Thought, Variation};

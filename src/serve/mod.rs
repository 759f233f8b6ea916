//! Floor 7: a bot for other programs and for people: engine protocols, and the server of a page to play on.
//!
//! Layout, lowest first:
//!
//! - `options`: options that a frontend can set.
//! - `clock`: time management: how long a move may take.
//! - `prospect`: whether more time may change a choice.
//! - `thought`: tasks of a bot's search, and its reports.
//! - `thinker`: the search thread.
//! - `bot`: a bot and its current position, behind an interface of strings.
//! - `analysis`: what a bot expects of a position, and of each move of a game.
//! - `annotated`: a game whose moves were judged, as a page.
//! - `protocol`: the trait of a protocol.
//! - `family`: commands that the protocols of UCI's family share.
//! - `uci`: the Universal Chess Interface.
//! - `xboard`: XBoard's protocol, version 2.
//! - `ushi`: the protocol of Shatrabase.
//! - `engine`: the loop over input lines and reports of the search.
//! - [`web`]: a page to play on, over HTTP and a WebSocket.

mod analysis;
mod annotated;
mod bot;
mod clock;
mod engine;
mod family;
mod options;
mod prospect;
mod protocol;
mod thinker;
mod thought;
mod uci;
mod ushi;
pub mod web;
mod xboard;

pub use analysis::{Analysis, AnalysisError, Analyst, Fault, JudgedMove};
pub use annotated::annotated;
pub use bot::{Bot, Turn};
pub use clock::{Budget, Clock, Timekeeper};
pub use engine::{EngineError, serve};
pub use options::{MOST_PLAYOUTS, OptionError, Options};
pub use protocol::{NoProtocol, ProtocolName, WrongGame};
pub use thought::{Decision, Limits, Report, Thought, Variation};

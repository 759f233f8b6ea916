//! A page to play on: bots behind HTTP and a WebSocket. `docs/play.md` describes the page protocol.
//!
//! Layout, lowest first:
//!
//! - `bounds`: limits of one client's requests.
//! - `check`: check, told from the strings of the rules.
//! - `messages`: the messages between page and server, as JSON.
//! - `spare`: evaluators that are kept for the next game.
//! - `offer`: a bot that the server offers to its clients.
//! - `config`: settings of the server: its bots and limits.
//! - `table`: the current game of a session, and its bot.
//! - `session`: the session of one client: a message in, messages out.
//! - `assets`: the page's files, in the program.
//! - `guard`: refusal of requests that other sites make through a browser.
//! - `connection`: a WebSocket, and the session behind it.
//! - `server`: HTTP connections and routes.

mod assets;
mod bounds;
mod check;
mod config;
mod connection;
mod guard;
mod messages;
mod offer;
mod server;
mod session;
mod spare;
mod table;

pub use assets::asset_text;
pub use bounds::Bounds;
pub use config::ServerConfig;
pub use offer::{Offer, game_info};
pub use server::{Server, Stopper};

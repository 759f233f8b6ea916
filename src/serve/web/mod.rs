//! A page to play on: bots behind HTTP and a WebSocket. The wire is described in `docs/play.md`.
//!
//! Layout, lowest first:
//!
//! - `bounds`: what one client may ask for.
//! - `messages`: what page and server say to each other, as JSON.
//! - `record`: a game as a text that people copy and paste.
//! - `offer`: a bot that clients can sit down with.
//! - `config`: what is offered, and on which terms.
//! - `table`: a game under way and the bot at it.
//! - `session`: one client's conversation: a message in, messages out.
//! - `assets`: the page's files, in the program.
//! - `guard`: requests that another site has a browser make.
//! - `connection`: a WebSocket, and the session behind it.
//! - `server`: connections, and what each asks for.

mod assets;
mod bounds;
mod config;
mod connection;
mod guard;
mod messages;
mod offer;
mod record;
mod server;
mod session;
mod table;

pub use bounds::Bounds;
pub use config::ServerConfig;
pub use offer::Offer;
pub use server::{Server, Stopper};

//! A page to play on: bots behind HTTP and a WebSocket. The wire is described in `docs/play.md`.
//!
//! Layout, lowest first:
//!
//! - `bounds`: what one visitor may ask for.
//! - `messages`: what page and server say to each other, as JSON.
//! - `record`: a game as a text that people copy and paste.
//! - `offer`: a bot that visitors can sit down with.
//! - `house`: what is offered, and on which terms.
//! - `table`: a game under way and the bot at it.
//! - `session`: one visitor's conversation: a message in, messages out.
//! - `assets`: the page's files, in the program.
//! - `guard`: requests that another site has a browser make.
//! - `visit`: a WebSocket, and the session behind it.
//! - `server`: connections, and what each asks for.

mod assets;
mod bounds;
mod guard;
mod house;
mod messages;
mod offer;
mod record;
mod server;
mod session;
mod table;
mod visit;

pub use bounds::Bounds;
pub use house::House;
pub use offer::Offer;
pub use server::{Server, Stopper};

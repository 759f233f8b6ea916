//! Floor 9: the games and the progress of runs in a browser. Reads files of runs only; a run may go on meanwhile.
//!
//! Layout, lowest first:
//!
//! - `entry`: a game in the list ([`Entry`]).
//! - `query`: which games are wanted ([`Query`]).
//! - `shelf`: the games of runs, found again when files are added ([`Shelf`]).
//! - `bundle`: the modules of a page as one script.
//! - `live`: the report of a run as it goes on.
//! - `routes`: what the server answers ([`routes()`]).
//! - `offline`: the newest games of a run as one file ([`write_games`]).
//! - `page/`: the pages.

mod bundle;
mod entry;
mod live;
mod offline;
mod query;
mod routes;
mod shelf;

pub use entry::Entry;
pub use offline::write_games;
pub use query::Query;
pub use routes::routes;
pub use shelf::{Shelf, ShelfError};

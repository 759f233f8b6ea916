//! First and second moves.

mod measure;
pub mod page;

pub use measure::{Moves, most_frequent};

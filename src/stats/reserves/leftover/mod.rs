//! What is left in reserve when the game ends.

mod measure;
mod page;

pub use measure::Leftover;

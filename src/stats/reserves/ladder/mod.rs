//! Who climbs to which rank, and how long it takes.

mod measure;
mod page;

pub use measure::Ladder;

//! Transitions between the ranks of the ladder, and the time between them.

mod measure;
mod page;

pub use measure::Ladder;

//! Score by time of the first use of the reserve, over all games and among positions with similar search values.

mod measure;
mod page;

pub use measure::Score;

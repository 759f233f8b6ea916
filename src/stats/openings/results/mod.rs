//! How games end, and White's score.

mod measure;
pub mod page;

pub use measure::Ends;

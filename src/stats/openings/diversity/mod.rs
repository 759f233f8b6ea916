//! How many openings there are in effect.

mod measure;
pub mod page;

pub use measure::Census;

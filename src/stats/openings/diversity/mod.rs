//! The effective number of openings (Hill numbers).

mod measure;
pub mod page;

pub use measure::Census;

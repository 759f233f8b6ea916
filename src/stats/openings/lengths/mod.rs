//! How long games are.

mod measure;
pub mod page;

pub use measure::Lengths;

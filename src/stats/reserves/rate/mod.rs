//! How often reserves are used, generation by generation.

mod measure;
mod page;

pub use measure::Rate;

//! What games chose in one position.

mod measure;
mod page;

pub use measure::Explore;

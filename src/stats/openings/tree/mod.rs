//! The tree of openings: positions, and the moves chosen there.

mod measure;
pub mod page;

pub use measure::{Edge, Graph};

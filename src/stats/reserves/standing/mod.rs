//! Survival of pieces from the reserve and of pieces with a new rank, compared with ordinary pieces.

mod measure;
mod page;

pub use measure::Standing;

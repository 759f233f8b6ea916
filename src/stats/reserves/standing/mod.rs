//! How long pieces from the reserve and pieces with a new rank live, beside ordinary ones.

mod measure;
mod page;

pub use measure::Standing;

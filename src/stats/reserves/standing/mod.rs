//! How long men from the reserve and men with a new rank live, beside ordinary ones.

mod measure;
mod page;

pub use measure::Standing;

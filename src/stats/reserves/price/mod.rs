//! What the search thought a use of the reserve gained or cost.

mod measure;
mod page;

pub use measure::Price;

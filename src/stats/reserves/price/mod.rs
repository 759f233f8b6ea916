//! The gain or cost of uses of the reserve (`delta_q`), by the search's values.

mod measure;
mod page;

pub use measure::Price;

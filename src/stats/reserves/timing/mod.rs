//! When a side uses its reserve for the first, second, third time, and how readily while it can.

mod measure;
mod page;

pub use measure::Timing;

//! When a side can use its reserve for the first time, when it does, and how readily while it can; beside random play.

mod hazard;
mod measure;
mod page;
mod random;

pub use measure::Timing;

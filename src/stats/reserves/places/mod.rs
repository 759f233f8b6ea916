//! Where on the board reserves are used: by file and time, and by square. Seen by the side whose event it is, its own
//! first row below.

mod measure;
mod page;

pub use measure::Places;

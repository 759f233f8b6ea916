//! How sides fare by when they first use the reserve, raw and among positions that the search judged alike.

mod measure;
mod page;

pub use measure::Score;

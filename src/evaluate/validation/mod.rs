//! Validation sets: positions of games with the results of deep searches, by which networks are compared without games.
//!
//! Layout, lowest first:
//!
//! - `set`: a set as a file ([`ValidationSet`]).
//! - `make`: a set from the games of a run ([`make_set`]), and positions in which White is ahead ([`won_positions`]).
//! - `measure`: a network held against a set ([`validate`]).

mod make;
mod measure;
mod set;

pub use make::{SetConfig, make_set, won_positions};
pub use measure::{Validation, validate};
pub use set::{Question, SetError, SetHeader, ValidationSet};

//! Players that are other programs: engines that speak a protocol for frontends.
//!
//! Layout, lowest first: `spec` (how a user names one), `process` (the program, its lines and our patience), `dialect`
//! (what is said to it), `player` (it on one side of one game).

mod dialect;
mod player;
mod process;
mod spec;

pub use player::External;
pub use spec::{EngineLimits, EngineSpec, EngineSpecError, EngineSpecProblem, Speech};

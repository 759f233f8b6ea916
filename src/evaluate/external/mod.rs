//! Players that are other programs: engines that speak a protocol for frontends.
//!
//! Layout, lowest first: `process` (the program, its lines and our patience), `clock` (its time in a game), `spec` (how a
//! user names one, and what it may use), `dialect` (what is said to it), `player` (it on one side of one game).

mod clock;
mod dialect;
mod player;
mod process;
mod spec;

pub use clock::EngineClock;
pub use player::External;
pub use process::EngineFault;
pub use spec::{EngineLimits, EngineSpec, EngineSpecError, EngineSpecProblem, Speech};

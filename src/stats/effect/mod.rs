//! What a kind of action changes in the result of a game, from the actions that self-play drew by chance: before the
//! temperature falls to 0 an action is drawn from the search's policy, which is recorded, so each such decision is a
//! small experiment with known probabilities.
//!
//! Layout, lowest first:
//!
//! - `measure`: the decisions that were drawn, and their results ([`Effects`]).
//! - `page`: tables and a figure.

mod measure;
mod page;

pub use measure::Effects;

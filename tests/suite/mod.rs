//! What must hold of every game, generic over the game. A test of one game calls these with its rulesets.
//!
//! Layout, lowest first:
//!
//! - `walk`: positions of random games.
//! - `encoding`: planes and action indices.

#![allow(dead_code)] // Each test binary takes the checks it needs.

pub mod encoding;
pub mod walk;

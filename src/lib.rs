//! Self-play reinforcement learning for Shatara Arena and its kin.
//!
//! # Layout
//! Each room uses only those above it in this list:
//!
//! - [`board`]: squares, bitboards, attack tables; knows no game.
//! - [`game`]: the trait [`Game`](game::Game), outcomes, repetition, perft, batched move generation; one folder a game.
//! - [`encode`]: planes of a position, index of an action, symmetries.
//! - [`model`]: the network, checkpoints, the [`Evaluator`](model::Evaluator) trait and its backends.
//! - [`search`]: the tree, PUCT, Gumbel root, exact solver, cache of evaluations.
//! - [`data`]: the Parquet schema, shard writer, replay window, batch reader.
//! - [`selfplay`], [`train`]: game slots and shards; losses, optimiser, schedules.
//! - [`evaluate`]: matches, Elo, SPRT, baselines.
//! - [`pipeline`]: the loop: phases, run directory, resume.
//! - [`cli`]: one file a subcommand.

pub mod board;
pub mod cli;
pub mod data;
pub mod encode;
pub mod evaluate;
pub mod game;
pub mod model;
pub mod pipeline;
pub mod search;
pub mod selfplay;
#[cfg(feature = "torch")]
pub mod train;

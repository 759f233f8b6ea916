//! What a search adds to the policy of its network, without any training: positions that the network's policy leads
//! to, the value of each of their actions by a deeper search of the same network, and the expected value of the training
//! target under those values less that of the policy itself.
//!
//! A search is a policy improvement operator (Danihelka, Guez, Schrittwieser, Silver: "Policy improvement by planning
//! with Gumbel", ICLR 2022): settings that gain more a playout teach more. The reference is the same network, so this
//! measures agreement with a deeper search, not truth.
//!
//! - `positions`: positions that the policy leads to.
//! - `values`: the value of every action by a deeper search.
//! - `measure`: settings held against these values ([`improvement`]).

mod measure;
mod positions;
mod values;

pub use measure::{Improvement, ImprovementConfig, improvement};

//! Floor 5: the tree: Gumbel root and PUCT, the exact solver, the cache of evaluations.
//!
//! Layout, lowest first:
//!
//! - `config`: how a search thinks ([`SearchConfig`]).
//! - `solver`: what ends of the game prove ([`Proof`]).
//! - `cache`: what evaluators said ([`Cache`], [`Evaluation`]).
//! - `tree`: nodes and edges ([`Tree`]).
//! - `gumbel`, `puct`: which action to visit, which to play, what to teach.
//! - `result`: what a search found ([`SearchResult`]).
//! - `machine`: the resumable search ([`Search`], [`Step`]).
//! - `searcher`: a search with an evaluator, one position at a time ([`Searcher`]).
//!
//! Every value is seen by the side to move at its position, and turned where the side changes, never by depth.

mod cache;
mod config;
mod gumbel;
mod machine;
mod puct;
mod result;
mod searcher;
mod solver;
mod tree;

pub use cache::{Cache, Evaluation, gather_logits};
pub use config::{Mode, SearchConfig};
pub use machine::{Pending, Search, Step};
pub use result::{RootAction, SearchResult, sample};
pub use searcher::Searcher;
pub use solver::Proof;
pub use tree::{Edge, Node, NodeIndex, ROOT, Tree};

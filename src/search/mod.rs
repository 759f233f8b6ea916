//! Floor 5: the tree: Gumbel root and PUCT, the exact solver, the cache of evaluations; alpha-beta by the material.
//!
//! Layout, lowest first:
//!
//! - `config`: settings of a search ([`SearchConfig`]).
//! - `proof`: what ends of the game prove ([`Proof`]).
//! - `cache`: a cache of evaluations ([`Cache`], [`Evaluation`]).
//! - `tree`: nodes and edges ([`Tree`]).
//! - `solver`: which actions proofs leave to choose from.
//! - `utility`: what outcomes are worth where actions are chosen.
//! - `rule`: what a rule of selection answers: which action to visit, which to play, what to teach.
//! - `gumbel`, `puct`: the two rules.
//! - `selection`: the rule that a configuration asks for.
//! - `result`: the result of a search ([`SearchResult`]).
//! - `analysis`: principal variations and the order of the actions.
//! - `flight`: playouts that wait for an evaluation ([`Leaves`], [`Pending`]).
//! - `machine`: the resumable search ([`Search`], [`Step`]).
//! - `answers`: how evaluations come back to it.
//! - `crew`: threads that search one tree together ([`Crew`]).
//! - `alphabeta`: fixed-depth alpha-beta by the material ([`AlphaBeta`]).
//! - `searcher`: a search with an evaluator ([`Searcher`]).
//!
//! Every value is seen by the side to move at its position, and turned where the side changes, never by depth.

mod alphabeta;
mod analysis;
mod answers;
mod cache;
mod config;
mod crew;
mod flight;
mod gumbel;
mod machine;
mod proof;
mod puct;
mod result;
mod rule;
mod searcher;
mod selection;
mod solver;
mod tree;
mod utility;

pub use alphabeta::{AlphaBeta, MATE};
pub use cache::{Cache, Evaluation, gather_logits};
pub use config::{Mode, SearchConfig, SettingError};
pub use crew::{Crew, leaves_after};
pub use flight::{Leaves, Pending};
pub use machine::{Search, Step};
pub use proof::Proof;
pub use result::{FEW_VISITS, RootAction, SearchResult, sample};
pub use searcher::Searcher;
pub use tree::{Edge, Node, NodeIndex, ROOT, Tree};

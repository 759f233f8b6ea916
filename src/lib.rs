//! Self-play reinforcement learning for Shatara Arena and its kin: rules, search, network, self-play, training and
//! matches, as a library and as the program `maydan`.
//!
//! # Examples
//! Counting the leaves of the tree of legal actions:
//!
//! ```
//! use maydan::game::{perft::perft, shatara::Shatara};
//!
//! let game = Shatara::game(&toml::Table::new())?;
//! assert_eq!(perft(&game, &game.start(), 3), 9302);
//! # Ok::<(), maydan::game::RulesError>(())
//! ```
//!
//! A random game, to its end:
//!
//! ```
//! use maydan::game::{History, random, shatara::Shatara};
//! use rand::seq::IndexedRandom;
//!
//! let game = Shatara::game(&toml::Table::new())?;
//! let mut rng = random::stream("example", 1, 0, 0);
//! let (mut position, mut actions) = (game.start(), Vec::new());
//! let mut history = History::new(&game, &position);
//! let outcome = loop {
//!     game.legal_actions(&position, &mut actions);
//!     if let Some(outcome) = history.outcome(&game, &position, &actions) {
//!         break outcome;
//!     }
//!     let action = *actions.choose(&mut rng).expect("a game without an outcome has legal actions");
//!     game.apply(&mut position, action);
//!     history.push(&game, &position);
//! };
//! println!("{} ({}) at ply {}", outcome.result_name(), outcome.reason, game.ply(&position));
//! # Ok::<(), maydan::game::RulesError>(())
//! ```
//!
//! A search without a network: every action alike, every position a draw. The solver proves the mate all the same:
//!
//! ```
//! use maydan::{
//!     game::{History, random, shatara::Shatara},
//!     model::Uniform,
//!     search::{SearchConfig, Searcher},
//! };
//!
//! let game = Shatara::game(&toml::Table::new())?;
//! let position = game.parse_position("6k1/5ppp/8/8/8/8/8/R3K3[] w - - - 0 1")?;
//! let history = History::new(&game, &position);
//! let mut searcher = Searcher::new(&game, SearchConfig { playouts: 200, ..SearchConfig::default() }, 1000);
//! let mut rng = random::stream("example", 1, 0, 0);
//! let result = searcher.search(&position, &history, &mut Uniform { batch_size: 1 }, &mut rng)?;
//! assert_eq!(result.best().action.to_string(), "a1a8");
//! assert!(result.proof.is_known() && result.value() == 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Whole programs are in `examples/`: a random game, a search with its principal variation, a run's files read, a game
//! of one's own trained, and one whose training a perfect solver scores.
//!
//! # Layout
//! Each room uses only those on floors below its own; `tests/it/floors.rs` checks this. The floors, lowest first:
//!
//! 0. [`disk`], [`console`], [`estimate`]: files that appear whole or not at all, locks, names of generations;
//!    progress, Ctrl-C, `--set`; intervals, bootstrap, incidence, Elo, SPRT, ratings. They know no game.
//! 1. [`board`], [`page`]: squares, bitboards, attack tables; tables, figures and pages of results in English and
//!    Arabic. They know no game.
//! 2. [`game`]: the trait [`Rules`](game::Rules) and its facets, [`Game`](game::Game), outcomes, repetition, perft,
//!    batched move generation; one folder a game.
//! 3. [`encode`]: planes of a position, index of an action, symmetries.
//! 4. [`data`], [`model`]: the Parquet schema, shard writer, replay window, batch reader; the network, checkpoints,
//!    the [`Evaluator`](model::Evaluator) trait and its backends.
//! 5. [`stats`], [`search`], [`export`], `train` (feature `torch`): statistics of games; the tree, PUCT, Gumbel root,
//!    exact solver, cache of evaluations, alpha-beta; bundles for other programs; losses, optimiser, schedules.
//! 6. [`selfplay`], [`evaluate`]: game slots and shards; matches, baselines, external programs.
//! 7. [`pipeline`], [`serve`]: the loop: phases, run directory, resume; a bot for other programs and for people:
//!    engine protocols, a page to play on.
//! 8. [`report`], [`study`], `trial` (feature `torch`), `fleet` (feature `fleet`): the report of a run, and of several;
//!    experiments on the worth of a rule, and of settings of training; runs whose games are played by many machines.
//! 9. [`browse`]: games and progress of runs in a browser.
//! 10. [`cli`]: one file for each subcommand.
//!
//! Everything but `train` and what stands on it builds without libtorch (`--no-default-features`).

pub mod board;
pub mod browse;
pub mod cli;
pub mod console;
pub mod data;
pub mod disk;
pub mod encode;
pub mod estimate;
pub mod evaluate;
pub mod export;
#[cfg(feature = "fleet")]
pub mod fleet;
pub mod game;
pub mod model;
pub mod page;
pub mod pipeline;
pub mod report;
pub mod search;
pub mod selfplay;
pub mod serve;
pub mod stats;
pub mod study;
#[cfg(feature = "torch")]
pub mod train;
#[cfg(feature = "torch")]
pub mod trial;

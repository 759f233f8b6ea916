//! Floor 4: games on disk: the Parquet schema, the writer, the replay window, the batch reader.
//!
//! Layout, lowest first:
//!
//! - `batch`: what the training step reads ([`TrainingBatch`]).
//! - `error`: what can be wrong with a file ([`DataError`]).
//! - [`column`](mod@column): what a column of a file is: stated once, written, read and documented from there.
//! - `compact`: headers of Parquet, as far as they say how large something is.
//! - `guard`: the decoder of Parquet, whose panics are errors of a file.
//! - `pages`: refusal of files that would take much more memory than they are long.
//! - `record`: a finished game on its way to disk ([`GameRecord`]).
//! - [`schema`]: every column, documented; `data/README.md` is written from it.
//! - `seal`: what shows that a file is ours and whole.
//! - `writer`: games to a file, whole or not at all ([`write_games`]).
//! - `reader`: a file back to columns, and what a run's folder holds ([`scan`]).
//! - `games`: the games of a file, one by one ([`read_games`]).
//! - `replay`: a game rebuilt through the rules ([`replay`](replay())).
//! - `returns`: what the rest of a game says of a position's value.
//! - `samples`: the rows of a file that teach, decoded ([`Samples`]).
//! - `window`: how far back training looks ([`WindowConfig`]).
//! - `buffer`: the rows of the window, in memory ([`ReplayBuffer`]).
//! - `sampler`: batches drawn from them ([`Sampler`]).
//! - `prefetch`: work done ahead of its use ([`Prefetch`]).

mod batch;
mod buffer;
pub mod column;
mod compact;
mod error;
mod games;
mod guard;
mod pages;
mod prefetch;
mod reader;
mod record;
mod replay;
mod returns;
mod sampler;
mod samples;
pub mod schema;
mod seal;
mod window;
mod writer;

pub use batch::TrainingBatch;
pub use buffer::ReplayBuffer;
pub use error::DataError;
pub use games::{GameReader, GameRows, read_games};
pub use prefetch::Prefetch;
pub use reader::{FileInfo, Scan, check_identity, inspect, list_files, read_columns, scan};
pub use record::{Decision, DecisionKind, GameRecord, Manifest};
pub use replay::{ReplayedGame, replay};
pub use sampler::{Batches, Sampler, SamplerConfig};
pub use samples::Samples;
pub use schema::SCHEMA_VERSION;
pub use window::WindowConfig;
pub use writer::{encode_games, write_games};

pub use crate::disk::{chunk_path, generation_dir};

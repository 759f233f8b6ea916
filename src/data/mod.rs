//! Floor 5: games on disk: the Parquet schema, the writer, the replay window, the batch reader.
//!
//! Layout, lowest first:
//!
//! - `batch`: what the training step reads.

mod batch;

pub use batch::TrainingBatch;

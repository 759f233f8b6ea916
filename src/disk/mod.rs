//! Floor 0: files and folders that appear whole or not at all, locks, and the names under which a run keeps its
//! things. Knows nothing of games, networks or Parquet.
//!
//! Whatever is under construction is called as what it will be, with [`PARTIAL`] behind: `0003.parquet.partial`,
//! `gen-000042.partial`. No reader takes such a name for anything, and what a killed process leaves of it is written
//! over by the next try. Two processes that write the same path at once must be kept apart by a [lock](lock()), unless
//! the file is a [new one](write_new_file).
//!
//! Layout, lowest first:
//!
//! - `error`: what the system refused, and for which path ([`IoError`]); why a folder cannot be worked in
//!   ([`DirectoryError`]).
//! - `names`: names of runs, generations and chunks.
//! - `file`: one file ([`PartialFile`], [`NewFile`], [`write_file`]).
//! - `folder`: one folder of files ([`write_folder`]).
//! - `lock`: one process at a time.
//! - `settings`: the configuration that a folder's content was made with.

mod error;
mod file;
mod folder;
mod lock;
mod names;
mod settings;

pub use error::{DirectoryError, IoError};
pub use file::{NewFile, PARTIAL, PartialFile, remove_partial_files, write_file, write_new_file, write_secret_file};
pub use folder::write_folder;
pub use lock::{Lock, lock};
pub use names::{
    check_name, chunk_of, chunk_path, chunks, generation_dir, generation_name, generation_of, generations,
};
pub use settings::{ConfigChange, settle};

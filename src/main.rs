//! The `maydan` command; everything it does is in the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// libtorch allocates and frees megabytes of activations for every batch, in the C library's heap. With ours in the same
/// heap, the small answers that a cache keeps came to stand between them, and the holes were too small for the next batch
/// of another size: 5 GB for a match that needs 140 MB.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    maydan::cli::run()
}

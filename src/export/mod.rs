//! Floor 5: bots for other programs. A bundle (`*.maydan`) is a zip archive with all that it takes to play a network:
//! weights twice over (ONNX and safetensors), what goes in and what comes out in words and numbers, and positions to
//! check a port by.
//!
//! Layout, lowest first:
//!
//! - `error`: what is wrong with a bundle.
//! - `archive`: files in a zip archive.
//! - `manifest`: `manifest.json`.
//! - `reference`: `reference.json`: positions with what the network says of them.
//! - `bundle`: the bundle itself.
//! - `network`: a network as a user names it: a bundle, a checkpoint, or the newest of a run.
//! - `runtimes`: the evaluators of this build.
//! - `verify`: whether a bundle is what it says.

mod archive;
mod bundle;
mod error;
mod manifest;
mod network;
mod reference;
mod runtimes;
mod verify;

pub use bundle::{Bundle, is_bundle};
pub use error::{BundleError, ManifestError, NetworkError};
pub use manifest::{Actions, BUNDLE_FORMAT, FileInfo, Input, Manifest, NetworkInfo, Outputs, Rating, Suggestion};
pub use network::{Alternatives, find_network, read_network};
pub use reference::{Agreement, REFERENCES, Reference, ReferencePolicy, references};
pub use runtimes::{Runtime, runtimes};
pub use verify::{Check, verify};

//! A bundle: written from a checkpoint, read back into one.

use std::{path::Path, sync::Arc};

use serde::de::DeserializeOwned;

use super::{
    BundleError, archive,
    archive::Archive,
    manifest::{BUNDLE_FORMAT, FileInfo, Manifest},
    reference::Reference,
};
use crate::model::{Architecture, Checkpoint, Weights, to_onnx};

const MANIFEST: &str = "manifest.json";
const ONNX: &str = "model.onnx";
const WEIGHTS: &str = "model.safetensors";
const REFERENCE: &str = "reference.json";
const LICENSE: &str = "LICENSE";

/// Bytes beyond which a file of text is not read.
const TEXT_LIMIT: u64 = 1 << 22;

/// Whether a user means a bundle by this path, and not the folder of a checkpoint.
pub fn is_bundle(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "maydan")
}

/// All that is in a bundle: a network of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    manifest: Manifest,
    checkpoint: Checkpoint,
    onnx: Vec<u8>,
    references: Vec<Reference>,
    license: String,
}

impl Bundle {
    /// The bundle of a checkpoint; the manifest's list of files is made here.
    ///
    /// # Panics
    /// When the network is not one of ours, of which there is no manifest.
    pub fn new(mut manifest: Manifest, checkpoint: Checkpoint, references: Vec<Reference>, license: String) -> Self {
        let onnx = to_onnx(weights(&checkpoint), &manifest.ruleset);
        manifest.files.clear();
        let mut bundle = Bundle { manifest, checkpoint, onnx, references, license };
        let files = bundle.files();
        bundle.manifest.files =
            files.iter().map(|(name, content)| ((*name).to_owned(), FileInfo::of(content))).collect();
        bundle
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The network's weights.
    pub fn weights(&self) -> &Weights {
        weights(&self.checkpoint)
    }

    /// Content of the ONNX file.
    pub fn onnx(&self) -> &[u8] {
        &self.onnx
    }

    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    pub fn license(&self) -> &str {
        &self.license
    }

    pub fn into_checkpoint(self) -> Checkpoint {
        self.checkpoint
    }

    /// Writes the bundle, whole or not at all; a file of that name is replaced. The same bundle gives the same bytes.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, path: &Path) -> Result<(), BundleError> {
        let manifest = serde_json::to_vec_pretty(&self.manifest).expect("a manifest serialises");
        let files = self.files();
        let mut all: Vec<(&str, &[u8])> = vec![(MANIFEST, &manifest)];
        all.extend(files.iter().map(|(name, content)| (*name, content.as_slice())));
        archive::write(path, &all)
    }

    /// Every file but the manifest.
    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![
            (ONNX, self.onnx.clone()),
            (WEIGHTS, self.weights().to_safetensors()),
            (REFERENCE, serde_json::to_vec_pretty(&self.references).expect("positions serialise")),
            (LICENSE, self.license.clone().into_bytes()),
        ]
    }

    /// Reads a bundle: every file is there, of the size and hash that the manifest states, and the weights fit the
    /// manifest. What is in them is [`verify`](super::verify())'s to say.
    ///
    /// # Errors
    /// Names the file and the field that is missing, damaged, or not what it must be.
    pub fn read(path: &Path) -> Result<Self, BundleError> {
        let mut archive = Archive::open(path)?;
        let mismatch = |name: &str, problem: String| BundleError::mismatch(path, format!("{name}: {problem}"));
        let manifest = read_manifest(&archive.read(MANIFEST, TEXT_LIMIT)?).map_err(|e| mismatch(MANIFEST, e))?;
        let architecture = Architecture::new(manifest.network.model.clone(), manifest.shape())
            .map_err(|problem| mismatch(MANIFEST, problem.to_string()))?;
        check_names(&archive.names(), &manifest).map_err(|problem| BundleError::mismatch(path, problem))?;

        let weights_limit = Weights::file_limit(&architecture);
        let mut file = |name: &str, limit: u64| {
            let content = archive.read(name, limit)?;
            let (found, expected) = (FileInfo::of(&content), &manifest.files[name]);
            if found == *expected {
                return Ok(content);
            }
            let problem = if found.size == expected.size {
                format!("sha256: expected {}, found {}", expected.sha256, found.sha256)
            } else {
                format!("size: expected {} bytes, found {}", expected.size, found.size)
            };
            Err(mismatch(name, format!("{problem} (expected as {MANIFEST} says)")))
        };
        // A graph is its weights and a little for each of its operations.
        let onnx = file(ONNX, weights_limit + TEXT_LIMIT)?;
        let weights = file(WEIGHTS, weights_limit)?;
        let references = parse(&file(REFERENCE, TEXT_LIMIT)?).map_err(|problem| mismatch(REFERENCE, problem))?;
        let license = String::from_utf8(file(LICENSE, TEXT_LIMIT)?)
            .map_err(|_| mismatch(LICENSE, "expected UTF-8, found other bytes".to_owned()))?;
        let weights = Weights::from_safetensors(Arc::new(architecture), &weights)
            .map_err(|e| mismatch(WEIGHTS, e.to_string()))?;
        let network = &manifest.network;
        let checkpoint = Checkpoint::new(weights, manifest.ruleset.clone(), network.generation, network.counters);
        if checkpoint.metadata().id != network.id {
            let problem = format!("network.id: expected {}, found {}", checkpoint.metadata().id, network.id);
            return Err(mismatch(MANIFEST, problem));
        }
        tracing::info!("read {}: {}, network {}", path.display(), manifest.ruleset, manifest.network.id);
        Ok(Bundle { manifest, checkpoint, onnx, references, license })
    }
}

fn weights(checkpoint: &Checkpoint) -> &Weights {
    checkpoint.weights().expect("a bundle is of a network of ours")
}

fn read_manifest(content: &[u8]) -> Result<Manifest, String> {
    let whole: serde_json::Value = parse(content)?;
    match whole.get("format") {
        Some(format) if *format == BUNDLE_FORMAT => {}
        Some(format) => return Err(format!("format: expected {BUNDLE_FORMAT}, found {format}")),
        None => return Err(format!("format: expected {BUNDLE_FORMAT}, found none")),
    }
    let manifest: Manifest = parse(content)?;
    manifest.validate().map_err(|error| error.to_string())?;
    Ok(manifest)
}

fn parse<T: DeserializeOwned>(content: &[u8]) -> Result<T, String> {
    serde_json::from_slice(content).map_err(|error| error.to_string())
}

/// The archive holds the manifest, what it lists, and nothing else.
fn check_names(names: &[String], manifest: &Manifest) -> Result<(), String> {
    let expected = [ONNX, WEIGHTS, REFERENCE, LICENSE];
    if let Some(name) = expected.iter().find(|name| !manifest.files.contains_key(**name)) {
        return Err(format!("{MANIFEST}: files: expected {name}, found none"));
    }
    if let Some(name) = manifest.files.keys().find(|name| !expected.contains(&name.as_str())) {
        return Err(format!("{MANIFEST}: files: expected no {name:?}, found one"));
    }
    match names.iter().find(|name| *name != MANIFEST && !expected.contains(&name.as_str())) {
        Some(name) => Err(format!("{name:?}: expected no such file, found one")),
        None => Ok(()),
    }
}

//! A network on disk: a folder with `weights.safetensors` and `checkpoint.toml`, which together need nothing else to be
//! used.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{
    architecture::{Architecture, NetworkShape},
    config::ModelConfig,
    weights::Weights,
};
use crate::{
    disk::{IoError, write_folder},
    game::{Encode, FieldError, Game, Ruleset},
};

/// Version of the folder's layout.
pub const CHECKPOINT_FORMAT: u32 = 1;

const METADATA_FILE: &str = "checkpoint.toml";
const WEIGHTS_FILE: &str = "weights.safetensors";

/// Bytes beyond which a metadata file is not read.
const METADATA_LIMIT: u64 = 1 << 20;

/// What is wrong with a checkpoint, in one line.
#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error(transparent)]
    Io(#[from] IoError),
    /// A field is not what it must be; `problem` reads `field: expected X, found Y`.
    #[error("{}: {problem}", file.display())]
    Mismatch { file: PathBuf, problem: String },
}

impl CheckpointError {
    pub(crate) fn mismatch(file: &Path, problem: impl ToString) -> Self {
        CheckpointError::Mismatch { file: file.to_owned(), problem: problem.to_string() }
    }
}

/// How much made a network what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Counters {
    /// Games played by itself.
    pub games: u64,
    /// Plies of those games.
    pub plies: u64,
    /// Training steps.
    pub steps: u64,
    /// Rows learnt from, repeats counted.
    pub samples: u64,
}

/// Everything about a network but its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// [`CHECKPOINT_FORMAT`].
    pub format: u32,
    /// First 16 hexadecimal digits of SHA-256 over `weights.safetensors`; rows of games name the network that played
    /// them so.
    pub id: String,
    /// Generation that ended with this network; 0 is the random start.
    pub generation: u64,
    /// How much made it.
    pub counters: Counters,
    /// Input and output, as the game's encoding fixes them.
    pub network: NetworkShape,
    /// Size of trunk and heads.
    pub model: ModelConfig,
    /// The rules that it was trained on.
    pub ruleset: Ruleset,
}

/// A network that can be played, kept and compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    metadata: Metadata,
    weights: Weights,
}

impl Checkpoint {
    pub fn new(weights: Weights, ruleset: Ruleset, generation: u64, counters: Counters) -> Self {
        let architecture = weights.architecture();
        let metadata = Metadata {
            format: CHECKPOINT_FORMAT,
            id: identity(&weights.to_safetensors()),
            generation,
            counters,
            network: *architecture.shape(),
            model: architecture.config().clone(),
            ruleset,
        };
        Checkpoint { metadata, weights }
    }

    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Writes the folder, whole or not at all; one of that name is replaced.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn save(&self, folder: &Path) -> Result<(), CheckpointError> {
        let metadata = toml::to_string(&self.metadata).expect("metadata serialise as TOML");
        let weights = self.weights.to_safetensors();
        Ok(write_folder(folder, &[(METADATA_FILE, metadata.as_bytes()), (WEIGHTS_FILE, &weights)])?)
    }

    /// Reads the folder.
    ///
    /// # Errors
    /// Names the file and the field that is missing, damaged, or not what it must be.
    pub fn load(folder: &Path) -> Result<Self, CheckpointError> {
        let metadata = Self::load_metadata(folder)?;
        let architecture = Architecture::new(metadata.model.clone(), metadata.network)
            .map_err(|problem| CheckpointError::mismatch(&folder.join(METADATA_FILE), problem))?;
        let (weights, id) = read_weights(&folder.join(WEIGHTS_FILE), &Arc::new(architecture))?;
        if id != metadata.id {
            let problem = format!("id: expected {} as {METADATA_FILE} says, found {id}", metadata.id);
            return Err(CheckpointError::mismatch(&folder.join(WEIGHTS_FILE), problem));
        }
        tracing::info!("read {}: {}, network {id}", folder.display(), metadata.ruleset);
        Ok(Checkpoint { metadata, weights })
    }

    /// Reads the folder of a network that is to play `game`.
    ///
    /// # Errors
    /// As [`load`](Checkpoint::load), and as [`Metadata::check_game`].
    pub fn load_for<R: Encode>(folder: &Path, game: &Game<R>) -> Result<Self, CheckpointError> {
        let metadata = Self::load_metadata(folder)?;
        metadata.check_game(game).map_err(|problem| CheckpointError::mismatch(&folder.join(METADATA_FILE), problem))?;
        Self::load(folder)
    }

    /// Reads all but the weights: enough to know the game, its rules, and the network's size.
    ///
    /// # Errors
    /// As [`load`](Checkpoint::load).
    pub fn load_metadata(folder: &Path) -> Result<Metadata, CheckpointError> {
        let file = folder.join(METADATA_FILE);
        let metadata: Metadata = read_toml(&file, CHECKPOINT_FORMAT)?;
        let sizes = metadata.model.validate().map_err(|e| e.within("model"));
        let sizes = sizes.and_then(|()| metadata.network.validate().map_err(|e| e.within("network")));
        sizes.map_err(|problem| CheckpointError::mismatch(&file, problem))?;
        let resolved = Ruleset::new(&metadata.ruleset.game, &metadata.ruleset.options);
        if resolved.hash != metadata.ruleset.hash {
            let (expected, found) = (resolved.hash, &metadata.ruleset.hash);
            let problem = format!("ruleset.hash: expected {expected} from the options beside it, found {found}");
            return Err(CheckpointError::mismatch(&file, problem));
        }
        Ok(metadata)
    }
}

impl Metadata {
    /// Refuses to play another game, other rules, or an encoding of another version than it was trained on.
    ///
    /// # Errors
    /// `field: expected X, found Y`.
    pub fn check_game<R: Encode>(&self, game: &Game<R>) -> Result<(), FieldError> {
        self.check_game_but(game, &[])
    }

    /// [`check_game`](Metadata::check_game) for a network that may play by rules that it was not trained on: these
    /// options may have any value.
    ///
    /// # Errors
    /// `field: expected X, found Y`.
    pub fn check_game_but<R: Encode>(&self, game: &Game<R>, other_rules: &[String]) -> Result<(), FieldError> {
        let (ruleset, shape) = (game.ruleset(), NetworkShape::from(game.layout()));
        check("ruleset.game", &ruleset.game, &self.ruleset.game)?;
        let differences = ruleset.differences(&self.ruleset);
        let named = |option: &str| other_rules.iter().any(|name| name == option);
        if let Some((option, expected, found)) = differences.iter().find(|(option, ..)| !named(option)) {
            return Err(FieldError::new(format!("{RULE}{option}"), expected, found));
        }
        check("network.encoding", &shape.encoding, &self.network.encoding)?;
        check("network.channels", &shape.channels, &self.network.channels)?;
        check("network.scalars", &shape.scalars, &self.network.scalars)?;
        check("network.height", &shape.height, &self.network.height)?;
        check("network.width", &shape.width, &self.network.width)?;
        check("network.action_planes", &shape.action_planes, &self.network.action_planes)
    }
}

/// What the name of a field begins with where an option of the rules differs.
pub const RULE: &str = "ruleset.options.";

fn check<T: PartialEq + std::fmt::Display>(field: &str, expected: &T, found: &T) -> Result<(), FieldError> {
    if expected == found { Ok(()) } else { Err(FieldError::new(field, expected, found)) }
}

fn identity(file: &[u8]) -> String {
    Sha256::digest(file)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a file of at most `limit` bytes.
fn read(file: &Path, limit: u64) -> Result<Vec<u8>, CheckpointError> {
    let mut content = Vec::new();
    let read = File::open(file).and_then(|file| file.take(limit + 1).read_to_end(&mut content));
    read.map_err(IoError::at(file))?;
    if content.len() as u64 > limit {
        return Err(CheckpointError::mismatch(file, format!("size: expected at most {limit} bytes, found more")));
    }
    Ok(content)
}

/// Reads a TOML file whose field `format` must be `format`.
pub(crate) fn read_toml<T: DeserializeOwned>(file: &Path, format: u32) -> Result<T, CheckpointError> {
    let mismatch = |problem: String| CheckpointError::mismatch(file, problem);
    let text = String::from_utf8(read(file, METADATA_LIMIT)?)
        .map_err(|_| mismatch("text: expected UTF-8, found other bytes".to_owned()))?;
    let parse = |e: toml::de::Error| {
        let line = e.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        mismatch(format!("line {line}: {}", e.message().replace('\n', " ")))
    };
    let table: toml::Table = text.parse().map_err(parse)?;
    match table.get("format") {
        Some(found) if found.as_integer() == Some(format.into()) => toml::from_str(&text).map_err(parse),
        Some(found) => Err(mismatch(format!("format: expected {format}, found {found}"))),
        None => Err(mismatch(format!("format: expected {format}, found none"))),
    }
}

/// Reads weights and their identity from a safetensors file.
pub(crate) fn read_weights(
    file: &Path,
    architecture: &Arc<Architecture>,
) -> Result<(Weights, String), CheckpointError> {
    let content = read(file, Weights::file_limit(architecture))?;
    let weights = Weights::from_safetensors(architecture.clone(), &content)
        .map_err(|problem| CheckpointError::mismatch(file, problem))?;
    Ok((weights, identity(&content)))
}

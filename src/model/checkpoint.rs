//! A network on disk: a folder with `weights.safetensors` (of another architecture `module.pt` or `module.onnx`) and
//! `checkpoint.toml`, which together need nothing else to be used.

use std::{path::Path, sync::Arc};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    architecture::{Architecture, NetworkShape},
    config::ModelConfig,
    content::Content,
    file::{CheckpointError, read, read_toml},
    module::{Module, ModuleFormat},
    weights::Weights,
};
use crate::{
    disk::write_folder,
    game::{Encode, FieldError, Game, Ruleset},
};

/// Version of the folder's layout.
pub const CHECKPOINT_FORMAT: u32 = 1;

const METADATA_FILE: &str = "checkpoint.toml";

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

/// Everything about a network but what it computes with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// [`CHECKPOINT_FORMAT`].
    pub format: u32,
    /// First 16 hexadecimal digits of SHA-256 over the file beside this one; rows of games name the network that
    /// played them so.
    pub id: String,
    /// Generation that ended with this network; 0 is the random start.
    pub generation: u64,
    /// How a network of another architecture than ours is written down. This or `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<ModuleFormat>,
    /// How much made it.
    pub counters: Counters,
    /// Input and output, as the game's encoding fixes them.
    pub network: NetworkShape,
    /// Size of trunk and heads of a network of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelConfig>,
    /// The rules that it was trained on.
    pub ruleset: Ruleset,
}

/// A network that can be played, kept and compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    metadata: Metadata,
    content: Content,
}

impl Checkpoint {
    pub fn new(content: impl Into<Content>, ruleset: Ruleset, generation: u64, counters: Counters) -> Self {
        let content = content.into();
        let (model, module) = match &content {
            Content::Weights(weights) => (Some(weights.architecture().config().clone()), None),
            Content::Module(module) => (None, Some(module.format())),
        };
        let metadata = Metadata {
            format: CHECKPOINT_FORMAT,
            id: identity(&content.to_bytes()),
            generation,
            module,
            counters,
            network: *content.shape(),
            model,
            ruleset,
        };
        Checkpoint { metadata, content }
    }

    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// What it computes with.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The weights of a network of ours; none of another architecture.
    pub fn weights(&self) -> Option<&Weights> {
        match &self.content {
            Content::Weights(weights) => Some(weights),
            Content::Module(_) => None,
        }
    }

    /// Writes the folder, whole or not at all; one of that name is replaced.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn save(&self, folder: &Path) -> Result<(), CheckpointError> {
        let metadata = toml::to_string(&self.metadata).expect("metadata serialise as TOML");
        let content = self.content.to_bytes();
        Ok(write_folder(folder, &[(METADATA_FILE, metadata.as_bytes()), (self.content.file_name(), &content)])?)
    }

    /// Reads the folder.
    ///
    /// # Errors
    /// Names the file and the field that is missing, damaged, or not what it must be.
    pub fn load(folder: &Path) -> Result<Self, CheckpointError> {
        let metadata = Self::load_metadata(folder)?;
        let (content, id): (Content, String) = match metadata.module {
            Some(format) => {
                let file = folder.join(format.file_name());
                let module = Module::read(&file, metadata.network)?;
                if module.format() != format {
                    let problem = FieldError::new("module", format, module.format());
                    return Err(CheckpointError::mismatch(&file, problem));
                }
                let id = identity(module.content());
                (module.into(), id)
            }
            None => {
                let model = metadata.model.clone().unwrap_or_default();
                let architecture = Architecture::new(model, metadata.network)
                    .map_err(|problem| CheckpointError::mismatch(&folder.join(METADATA_FILE), problem))?;
                let (weights, id) = read_weights(&folder.join(Content::WEIGHTS_FILE), &Arc::new(architecture))?;
                (weights.into(), id)
            }
        };
        let file = folder.join(content.file_name());
        if id != metadata.id {
            let problem = format!("id: expected {} as {METADATA_FILE} says, found {id}", metadata.id);
            return Err(CheckpointError::mismatch(&file, problem));
        }
        tracing::info!("read {}: {}, network {id}", folder.display(), metadata.ruleset);
        Ok(Checkpoint { metadata, content })
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
        let one = match (&metadata.model, metadata.module) {
            (Some(model), None) => model.validate().map_err(|e| e.within("model")),
            (None, Some(_)) => Ok(()),
            (model, _) => {
                let found = if model.is_some() { "both" } else { "neither" };
                Err(FieldError::new("model", "either `model` or `module`", found))
            }
        };
        let sizes = one.and_then(|()| metadata.network.validate().map_err(|e| e.within("network")));
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

/// First 16 hexadecimal digits of SHA-256, by which networks and orders are told apart.
pub fn identity(file: &[u8]) -> String {
    Sha256::digest(file)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
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

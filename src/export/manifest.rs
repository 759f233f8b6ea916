//! `manifest.json`: what a network plays, what goes in and what comes out, for a program that knows nothing of ours.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ManifestError;
use crate::{
    game::{Encode, Game, Layout, PlaneInfo, Ruleset},
    model::{Checkpoint, Counters, ModelConfig, NetworkShape, ONNX_OPSET},
};

/// Version of the bundle's layout.
pub const BUNDLE_FORMAT: u32 = 1;

/// All of `manifest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`BUNDLE_FORMAT`].
    pub format: u32,
    /// The program that wrote it, with its version.
    pub producer: String,
    /// The game, every option of its rules, and a hash of both.
    pub ruleset: Ruleset,
    pub network: NetworkInfo,
    pub input: Input,
    pub actions: Actions,
    pub outputs: Outputs,
    pub play: Suggestion,
    /// Where the network was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Every other file of the bundle.
    pub files: BTreeMap<String, FileInfo>,
}

/// Which network it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkInfo {
    /// First 16 hexadecimal digits of SHA-256 over `model.safetensors`.
    pub id: String,
    /// Generation that ended with it.
    pub generation: u64,
    /// How much made it.
    pub counters: Counters,
    /// Size of trunk and heads.
    pub model: ModelConfig,
    /// Version of ONNX's operators in `model.onnx`.
    pub onnx_opset: i64,
}

/// What goes in: planes `[B, planes, height, width]`, 32-bit floats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Version of the meaning of planes and actions.
    pub encoding: u32,
    pub height: usize,
    pub width: usize,
    /// How squares lie on the grid.
    pub orientation: String,
    /// Which plane is 1 on every square and 0 in the holes of the board; none where every place is a square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<usize>,
    /// How many planes, the last ones, hold one number on all squares of the board. Holes are 0 in every plane.
    pub scalars: usize,
    /// Every plane, in order, with what its 1.0 stands for.
    pub planes: Vec<PlaneInfo>,
}

/// How actions are numbered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actions {
    /// Size A of the action space.
    pub size: usize,
    /// Index of an action from its plane and its square on the grid.
    pub index: String,
    /// Every plane of actions, in order.
    pub planes: Vec<PlaneInfo>,
}

/// What comes out, all of it for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    pub point_of_view: String,
    pub policy: String,
    /// Meaning of the three numbers of `value`, in order.
    pub value_order: [String; 3],
    pub value: String,
    pub moves_left: String,
}

/// How to play it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suggestion {
    /// Playouts before each move; `simulations` in files of format 1.
    #[serde(rename = "simulations")]
    pub playouts: u32,
}

/// How strong it is on the scale of its own run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// What has 0 on the scale.
    pub zero: String,
    pub elo: f64,
    /// Ends of the 95% interval.
    pub low: f64,
    pub high: f64,
}

/// A file of the bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileInfo {
    /// In bytes.
    pub size: u64,
    /// In hexadecimal digits.
    pub sha256: String,
}

impl FileInfo {
    pub fn of(content: &[u8]) -> Self {
        FileInfo { size: content.len() as u64, sha256: hexadecimal(&Sha256::digest(content)) }
    }
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Manifest {
    /// The manifest of a checkpoint that plays `game`, without files.
    ///
    /// # Errors
    /// When its network is not one of ours.
    pub fn new<R: Encode>(
        game: &Game<R>,
        checkpoint: &Checkpoint,
        play: Suggestion,
        rating: Option<Rating>,
    ) -> Result<Self, ManifestError> {
        let metadata = checkpoint.metadata();
        let Some(model) = metadata.model.clone() else {
            let problem =
                "network: expected one of ours, found one of another architecture, whose file is its own bundle";
            return Err(ManifestError(problem.to_owned()));
        };
        Ok(Manifest {
            format: BUNDLE_FORMAT,
            producer: concat!("maydan ", env!("CARGO_PKG_VERSION")).to_owned(),
            ruleset: metadata.ruleset.clone(),
            network: NetworkInfo {
                id: metadata.id.clone(),
                generation: metadata.generation,
                counters: metadata.counters,
                model,
                onnx_opset: ONNX_OPSET,
            },
            input: Input::of(game.layout()),
            actions: Actions::of(game.layout()),
            outputs: Outputs::described(),
            play,
            rating,
            files: BTreeMap::new(),
        })
    }

    /// The shape of the network that goes with these planes and actions.
    pub fn shape(&self) -> NetworkShape {
        NetworkShape {
            encoding: self.input.encoding,
            channels: self.input.planes.len(),
            scalars: self.input.scalars,
            height: self.input.height,
            width: self.input.width,
            board: self.input.board,
            action_planes: self.actions.planes.len(),
        }
    }

    /// Refuses a manifest that contradicts itself.
    ///
    /// # Errors
    /// Names the field that is not what it must be.
    pub fn validate(&self) -> Result<(), ManifestError> {
        let error = ManifestError;
        self.network.model.validate().map_err(|problem| error(format!("network.model.{problem}")))?;
        self.shape().validate().map_err(|problem| error(format!("input: {problem}")))?;
        let resolved = Ruleset::new(&self.ruleset.game, &self.ruleset.options).hash;
        if resolved != self.ruleset.hash {
            let found = &self.ruleset.hash;
            return Err(error(format!("ruleset.hash: expected {resolved} from the options beside it, found {found}")));
        }
        if self.actions.size != self.shape().actions() {
            let (expected, found) = (self.shape().actions(), self.actions.size);
            return Err(error(format!("actions.size: expected {expected}, found {found}")));
        }
        if !(1..=1_000_000).contains(&self.play.playouts) {
            return Err(error(format!("play.simulations: expected 1 to 1000000, found {}", self.play.playouts)));
        }
        Ok(())
    }
}

/// The planes without what they are called in words, which may change without a change of what they hold.
fn unworded(planes: &[PlaneInfo]) -> Vec<PlaneInfo> {
    planes.iter().map(|plane| PlaneInfo { meaning: String::new(), ..plane.clone() }).collect()
}

impl Input {
    /// Whether `other` has the same planes, in whatever words.
    pub(super) fn agrees_with(&self, other: &Input) -> bool {
        let unworded = |input: &Input| Input { planes: unworded(&input.planes), ..input.clone() };
        unworded(self) == unworded(other)
    }

    pub fn of(layout: &Layout) -> Self {
        Input {
            encoding: layout.version,
            height: layout.height,
            width: layout.width,
            orientation: "row 0 is nearest the side to move; columns are files, left to right as White sees them"
                .to_owned(),
            board: layout.board,
            scalars: layout.scalars.len(),
            planes: layout.bit_planes.iter().chain(&layout.scalars).cloned().collect(),
        }
    }
}

impl Actions {
    /// Whether `other` numbers the same actions, in whatever words.
    pub(super) fn agrees_with(&self, other: &Actions) -> bool {
        let unworded = |actions: &Actions| Actions { planes: unworded(&actions.planes), ..actions.clone() };
        unworded(self) == unworded(other)
    }

    pub fn of(layout: &Layout) -> Self {
        Actions {
            size: layout.actions(),
            index: format!("plane * {} + row * {} + column", layout.squares(), layout.width),
            planes: layout.action_planes.clone(),
        }
    }
}

impl Outputs {
    fn described() -> Self {
        Outputs {
            point_of_view: "side to move".to_owned(),
            policy: "[B, actions.size]: logits; the policy is their softmax over the legal actions".to_owned(),
            value_order: ["win", "draw", "loss"].map(str::to_owned),
            value: "[B, 3]: probabilities".to_owned(),
            moves_left: "[B]: expected plies until the end of the game".to_owned(),
        }
    }
}

//! The network in the ONNX format (<https://onnx.ai>), for programs that know nothing of ours.
//!
//! Layout, lowest first:
//!
//! - `messages`: the parts of the format that a network takes.
//! - `graph`: a graph, operation by operation.
//! - `network`: our network as a graph.

mod graph;
mod messages;
mod network;

use prost::Message as _;

use self::messages::{Model, OperatorSet, Property};
use super::{config::Pooling, weights::Weights};
use crate::game::Ruleset;

/// Version of ONNX's operators that the graph is made of.
pub const ONNX_OPSET: i64 = 17;

/// Version of the format itself that came with [`ONNX_OPSET`].
const IR_VERSION: i64 = 8;

/// Whether a file's content is a model with a graph.
pub(super) fn is_model(content: &[u8]) -> bool {
    Model::decode(content).is_ok_and(|model| model.graph.is_some_and(|graph| !graph.node.is_empty()))
}

/// A property of a model by its name.
pub(super) fn property(content: &[u8], name: &str) -> Option<String> {
    let properties = Model::decode(content).ok()?.metadata_props;
    properties.into_iter().find(|property| property.key == name).map(|property| property.value)
}

/// The content of an ONNX file: input `planes` `[B, C, H, W]`; outputs `policy` `[B, A]` (logits of all actions),
/// `value` `[B, 3]` (probability of win, draw and loss for the side to move) and `moves_left` `[B]` (plies), all 32-bit
/// floats. The same weights and rules give the same bytes.
pub fn to_onnx(weights: &Weights, ruleset: &Ruleset) -> Vec<u8> {
    let architecture = weights.architecture();
    let (shape, config) = (architecture.shape(), architecture.config());
    let pooling = match config.pooling {
        Pooling::Global => "global",
        Pooling::SqueezeExcite => "squeeze_excite",
        Pooling::None => "none",
    };
    let properties = [
        ("game", ruleset.game.clone()),
        ("ruleset_hash", ruleset.hash.clone()),
        ("encoding", shape.encoding.to_string()),
        ("network", format!("{} blocks of {} channels, pooling {pooling}", config.blocks, config.channels)),
        ("action_index", format!("plane * {} + row * {} + column", shape.height * shape.width, shape.width)),
        ("value_order", "win, draw, loss".to_owned()),
        ("point_of_view", "side to move".to_owned()),
    ];
    let model = Model {
        ir_version: IR_VERSION,
        producer_name: "maydan".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        doc_string: format!("policy, value and moves left of {ruleset}"),
        graph: Some(network::graph(weights)),
        opset_import: vec![OperatorSet { domain: String::new(), version: ONNX_OPSET }],
        metadata_props: properties
            .map(|(key, value)| Property { key: format!("maydan.{key}"), value })
            .into_iter()
            .collect(),
    };
    model.encode_to_vec()
}

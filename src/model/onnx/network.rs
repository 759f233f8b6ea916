//! Our network as a graph, operation by operation what `Folded` does in torch.

use std::collections::BTreeMap;

use super::{
    graph::{Builder, batched, integer, integers},
    messages::Graph,
};
use crate::model::{
    architecture::{Architecture, MOVES_LEFT_SCALE, NetworkShape, PIECES_SCALE, WALL},
    config::Pooling,
    kernels::{Layer, layers},
    weights::Weights,
};

/// The input's name.
const PLANES: &str = "planes";
/// A constant: the axes over the board.
const BOARD_AXES: &str = "board_axes";

/// The graph of a network.
pub(super) fn graph(weights: &Weights) -> Graph {
    let architecture = weights.architecture();
    let shape = architecture.shape();
    let mut builder = Builder::default();
    builder.integers(BOARD_AXES, &[2, 3]);
    let holes = shape.board.map(|plane| Holes::new(&mut builder, plane));
    let mut network = NetworkGraph { builder, layers: layers(weights), holes };
    let trunk = network.trunk(architecture);
    network.policy_head(&trunk);
    network.value_head(&trunk, shape);
    let input = batched(PLANES, &[shape.channels, shape.height, shape.width], "the position, for the side to move");
    let outputs = vec![
        batched("policy", &[shape.actions()], "logits of all actions; mask the illegal ones before the softmax"),
        batched("value", &[3], "probability of win, draw and loss for the side to move"),
        batched("moves_left", &[], "expected plies until the end of the game"),
    ];
    network.builder.finish("maydan", input, outputs)
}

/// Which places of the grid are squares, on a board with holes.
struct Holes {
    /// 1 on a square and 0 in a hole, `[B, 1, H, W]`.
    squares: String,
    /// 0 on a square and `-WALL` in a hole, `[B, 1, H, W]`.
    wall: String,
    /// One over the share of squares, `[B, 1]`.
    scale: String,
}

impl Holes {
    fn new(builder: &mut Builder, plane: usize) -> Self {
        let [start, end, axis] = [("first", plane), ("last", plane + 1), ("axis", 1)]
            .map(|(name, value)| builder.integers(&format!("squares.{name}"), &[value as i64]));
        let squares = builder.node("Slice", "squares", &[PLANES, &start, &end, &axis], vec![]);
        let one = builder.floats("squares.one", &[], &[1.0]);
        let height = builder.floats("wall.height", &[], &[WALL as f32]);
        let holes = builder.node("Sub", "holes", &[&squares, &one], vec![]);
        let wall = builder.node("Mul", "wall", &[&holes, &height], vec![]);
        let share = builder.node("GlobalAveragePool", "squares.average", &[&squares], vec![]);
        let share = builder.node("Flatten", "squares.share", &[&share], vec![integer("axis", 1)]);
        // Rows that only fill a batch up show no board at all.
        let least = builder.floats("squares.least", &[], &[1e-3]);
        let share = builder.node("Clip", "squares.some", &[&share, &least], vec![]);
        let scale = builder.node("Reciprocal", "squares.scale", &[&share], vec![]);
        Holes { squares, wall, scale }
    }
}

struct NetworkGraph {
    builder: Builder,
    layers: BTreeMap<String, Layer>,
    holes: Option<Holes>,
}

impl NetworkGraph {
    /// `[B, channels, H, W]`, not negative, 0 in the holes of the board.
    fn trunk(&mut self, architecture: &Architecture) -> String {
        let stem = self.convolve("stem", PLANES);
        let mut x = self.board_relu("stem.relu", &stem);
        let config = architecture.config();
        for i in 0..config.blocks {
            let pooling = if config.pools(i) { config.pooling } else { Pooling::None };
            x = self.block(&format!("block{i}"), &x, pooling);
        }
        x
    }

    fn block(&mut self, name: &str, x: &str, pooling: Pooling) -> String {
        let part = |part: &str| format!("{name}.{part}");
        let mut hidden = self.convolve(&part("conv1"), x);
        if pooling == Pooling::Global {
            let pooled = self.pool(&part("pooled"), x);
            hidden = self.add_everywhere(&part("pool"), &hidden, &pooled);
        }
        let hidden = self.board_relu(&part("relu1"), &hidden);
        let mut change = self.convolve(&part("conv2"), &hidden);
        if pooling == Pooling::SqueezeExcite {
            change = self.gate(name, &change);
        }
        let sum = self.node("Add", &part("sum"), &[&change, x]);
        self.board_relu(&part("relu2"), &sum)
    }

    /// `change` with each channel scaled by a number got from the channels' means.
    fn gate(&mut self, name: &str, change: &str) -> String {
        let part = |part: &str| format!("{name}.{part}");
        let squares = self.holes.as_ref().map(|holes| holes.squares.clone());
        let seen = squares.map(|squares| self.node("Mul", &part("seen"), &[change, &squares]));
        let mean = self.mean(&part("mean"), seen.as_deref().unwrap_or(change));
        let squeezed = self.linear(&part("squeeze"), &mean);
        let squeezed = self.node("Relu", &part("squeezed"), &[&squeezed]);
        let excited = self.linear(&part("excite"), &squeezed);
        let gate = self.node("Sigmoid", &part("gate"), &[&excited]);
        let gate = self.spread(&part("gate"), &gate);
        self.node("Mul", &part("gated"), &[change, &gate])
    }

    fn policy_head(&mut self, trunk: &str) {
        let hidden = self.convolve("policy.conv", trunk);
        let pooled = self.pool("policy.pooled", trunk);
        let hidden = self.add_everywhere("policy.pool", &hidden, &pooled);
        let hidden = self.node("Relu", "policy.relu", &[&hidden]);
        let logits = self.convolve("policy.logits", &hidden);
        self.builder.node("Flatten", "policy", &[&logits], vec![integer("axis", 1)]);
    }

    fn value_head(&mut self, trunk: &str, shape: &NetworkShape) {
        let hidden = self.convolve("value.conv", trunk);
        let hidden = self.board_relu("value.conv.relu", &hidden);
        let pooled = self.pool("value.pooled", &hidden);
        let mut seen = vec![pooled];
        seen.extend(self.count(shape));
        let seen = self.concatenate("value.seen", &seen);
        let hidden = self.linear("value.hidden", &seen);
        let hidden = self.node("Relu", "value.hidden.relu", &[&hidden]);
        let wdl = self.linear("value.wdl", &hidden);
        self.builder.node("Softmax", "value", &[&wdl], vec![integer("axis", 1)]);
        let moves_left = self.linear("value.moves_left", &hidden);
        let moves_left = self.node("Softplus", "value.moves_left.softplus", &[&moves_left]);
        let scale = self.builder.floats("value.moves_left.scale", &[], &[MOVES_LEFT_SCALE as f32]);
        let moves_left = self.node("Mul", "value.moves_left.plies", &[&moves_left, &scale]);
        let flat = self.builder.integers("value.moves_left.shape", &[-1]);
        self.node("Reshape", "moves_left", &[&moves_left, &flat]);
    }

    /// How many pieces each plane of bits shows, over [`PIECES_SCALE`], and the scalars: `[B, part of C]` each.
    fn count(&mut self, shape: &NetworkShape) -> Vec<String> {
        let bits = shape.channels - shape.scalars;
        let average = self.average("planes.average", PLANES);
        let mut parts = Vec::new();
        if bits > 0 {
            let pieces = self.columns("planes.bits", &average, 0..bits);
            let squares = (shape.height * shape.width) as f64;
            let scale = self.builder.floats("planes.men.scale", &[], &[(squares / PIECES_SCALE) as f32]);
            parts.push(self.node("Mul", "planes.men", &[&pieces, &scale]));
        }
        if shape.scalars > 0 {
            let scalars = self.columns("planes.spread", &average, bits..shape.channels);
            parts.push(self.scaled("planes.scalars", scalars));
        }
        parts
    }

    fn node(&mut self, operator: &str, output: &str, inputs: &[&str]) -> String {
        self.builder.node(operator, output, inputs, vec![])
    }

    /// Columns `range` of `[B, N]`.
    fn columns(&mut self, name: &str, x: &str, range: std::ops::Range<usize>) -> String {
        let [start, end, axis] = [("first", range.start), ("last", range.end), ("axis", 1)]
            .map(|(part, value)| self.builder.integers(&format!("{name}.{part}"), &[value as i64]));
        self.node("Slice", name, &[x, &start, &end, &axis])
    }

    fn concatenate(&mut self, name: &str, parts: &[String]) -> String {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        self.builder.node("Concat", name, &parts, vec![integer("axis", 1)])
    }

    fn convolve(&mut self, name: &str, x: &str) -> String {
        let (weight, bias, shape) = self.constants(name);
        let (kernel, padding) = (shape[2] as i64, (shape[2] / 2) as i64);
        let attributes = vec![integers("kernel_shape", &[kernel; 2]), integers("pads", &[padding; 4])];
        self.builder.node("Conv", name, &[x, &weight, &bias], attributes)
    }

    fn linear(&mut self, name: &str, x: &str) -> String {
        let (weight, bias, _) = self.constants(name);
        self.builder.node("Gemm", name, &[x, &weight, &bias], vec![integer("transB", 1)])
    }

    fn constants(&mut self, name: &str) -> (String, String, Vec<usize>) {
        let layer = self.layers.remove(name).expect("the architecture lists every layer, which the graph has once");
        let weight = self.builder.floats(&format!("{name}.weight"), &layer.shape, &layer.weight);
        let bias = self.builder.floats(&format!("{name}.bias"), &[layer.bias.len()], &layer.bias);
        (weight, bias, layer.shape)
    }

    /// `x`, `[B, C, H, W]`, and on every square what the linear layer `name` makes of `pooled`.
    fn add_everywhere(&mut self, name: &str, x: &str, pooled: &str) -> String {
        let context = self.linear(name, pooled);
        let context = self.spread(name, &context);
        self.node("Add", &format!("{name}.sum"), &[x, &context])
    }

    /// `[B, C]` as `[B, C, 1, 1]`.
    fn spread(&mut self, name: &str, x: &str) -> String {
        self.node("Unsqueeze", &format!("{name}.spread"), &[x, BOARD_AXES])
    }

    /// `relu(x)` with zeros in the holes.
    fn board_relu(&mut self, name: &str, x: &str) -> String {
        let wall = self.holes.as_ref().map(|holes| holes.wall.clone());
        let walled = wall.map(|wall| self.node("Add", &format!("{name}.walled"), &[x, &wall]));
        self.node("Relu", name, &[walled.as_deref().unwrap_or(x)])
    }

    /// Mean over the whole grid, `[B, C]`.
    fn average(&mut self, name: &str, x: &str) -> String {
        let average = self.node("GlobalAveragePool", &format!("{name}.grid"), &[x]);
        self.builder.node("Flatten", name, &[&average], vec![integer("axis", 1)])
    }

    /// Mean over the squares of an `x` that is 0 in the holes, `[B, C]`.
    fn mean(&mut self, name: &str, x: &str) -> String {
        let average = self.average(&format!("{name}.average"), x);
        self.scaled(name, average)
    }

    /// Means over the squares from those over the whole grid, `[B, C]`.
    fn scaled(&mut self, name: &str, means: String) -> String {
        let scale = self.holes.as_ref().map(|holes| holes.scale.clone());
        match scale {
            Some(scale) => self.node("Mul", name, &[&means, &scale]),
            None => means,
        }
    }

    /// Mean and maximum over the squares of an `x` that is not negative and 0 in the holes, `[B, 2C]`.
    fn pool(&mut self, name: &str, x: &str) -> String {
        let mean = self.mean(&format!("{name}.mean"), x);
        let most = self.node("GlobalMaxPool", &format!("{name}.most.grid"), &[x]);
        let most = self.builder.node("Flatten", &format!("{name}.most"), &[&most], vec![integer("axis", 1)]);
        self.concatenate(name, &[mean, most])
    }
}

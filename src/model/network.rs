//! The network itself, in torch: one definition for training and for play.
//!
//! A residual trunk of 3x3 convolutions with ReLU and no batch normalisation. Kernels are standardised instead (Brock et al. 2021): a
//! function of the weights alone, so it is worked out once for play ([`Network::fold`]) and leaves bare convolutions, and rare planes cannot upset it.

use std::{collections::BTreeMap, sync::Arc};

use tch::{Device, Kind, Tensor};

use super::{
    architecture::{Architecture, NetworkShape},
    config::Pooling,
    weights::Weights,
};

/// Plies that an output of 1 of the moves-left head stands for.
pub const MOVES_LEFT_SCALE: f64 = 32.0;

/// What the stem makes of a scalar. It is the same on all nine squares under a kernel and, unlike a man, everywhere, so that at full size the scalars drown
/// the men: on the first games of self-play, 250 steps of training then leave the value head at a correlation of 0.12 with the results, and 0.42 with this.
const SCALAR_SCALE: f32 = 0.1;

/// Men of a plane that make a 1 where the value head is told how many there are: those of a full set of pawns. Counts spare the value head what it takes
/// thousands of games to work out of the board: on games that it was not trained on, its correlation with the results rises from 0.27 to 0.30 (material alone
/// has 0.35).
const MEN_SCALE: f32 = 8.0;

/// What the heads say of a batch, from the point of view of the side to move.
#[derive(Debug)]
pub struct Heads {
    /// Logits of all actions, `[B, A]`.
    pub policy: Tensor,
    /// Logits of win, draw and loss, `[B, 3]`.
    pub wdl: Tensor,
    /// Plies until the end over [`MOVES_LEFT_SCALE`], not negative, `[B]`.
    pub moves_left: Tensor,
}

/// A network that can learn: all weights in one flat tensor, so that optimiser, gradient norm and average are one operation each.
#[derive(Debug)]
pub struct Network {
    architecture: Arc<Architecture>,
    parameters: Tensor,
}

impl Network {
    pub fn new(weights: &Weights, device: Device) -> Self {
        let parameters = Tensor::from_slice(weights.values()).to_device(device);
        Network { architecture: weights.architecture().clone(), parameters }
    }

    pub fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    /// All weights, `[N]`, in the order of [`Architecture::parameters`].
    pub fn parameters(&self) -> &Tensor {
        &self.parameters
    }

    pub fn parameters_mut(&mut self) -> &mut Tensor {
        &mut self.parameters
    }

    /// The same weights, not a copy, for another thread to read.
    pub fn shallow_clone(&self) -> Network {
        Network { architecture: self.architecture.clone(), parameters: self.parameters.shallow_clone() }
    }

    /// Works the kernels out. Gradients of what the result computes flow back to [`parameters`](Network::parameters).
    pub fn fold(&self) -> Folded {
        let parameters = self.architecture.parameters();
        let sizes: Vec<i64> = parameters.iter().map(|parameter| parameter.len() as i64).collect();
        let named = parameters.iter().zip(self.parameters.split_with_sizes(sizes, 0)).map(|(parameter, values)| {
            let shape: Vec<i64> = parameter.shape.iter().map(|&size| size as i64).collect();
            (parameter.name.as_str(), values.view(shape.as_slice()))
        });
        Folded::new(&self.architecture, &named.collect())
    }
}

/// A network ready to be evaluated.
#[derive(Debug)]
pub struct Folded {
    /// The plane of the input that shows the board, where it has holes.
    board: Option<i64>,
    /// Factors of the planes' means that make counts of them, `[C]`.
    counts: Tensor,
    stem: Layer,
    blocks: Vec<Block>,
    policy_conv: Layer,
    policy_pool: Layer,
    policy_logits: Layer,
    value_conv: Layer,
    value_hidden: Layer,
    value_wdl: Layer,
    value_moves_left: Layer,
}

/// A convolution (`weight` `[out, in, k, k]`) or a linear layer (`[out, in]`), `bias` `[out]`.
#[derive(Debug)]
struct Layer {
    weight: Tensor,
    bias: Tensor,
}

/// `x + conv2(relu(conv1(x)))` and a ReLU, with pooling in between or after.
#[derive(Debug)]
struct Block {
    conv1: Layer,
    pool: Option<Layer>,
    conv2: Layer,
    gate: Option<[Layer; 2]>,
}

impl Folded {
    fn new(architecture: &Architecture, named: &BTreeMap<&str, Tensor>) -> Self {
        let layer = |name: &str| Layer::new(named, name);
        let config = architecture.config();
        let squares = (architecture.shape().height * architecture.shape().width) as f32;
        let stem = layer("stem").with_scalars_scaled(architecture.shape());
        let blocks = (0..config.blocks).map(|i| {
            let part = |name: &str| layer(&format!("block{i}.{name}"));
            let pooling = if config.pools(i) { config.pooling } else { Pooling::None };
            Block {
                conv1: part("conv1"),
                pool: (pooling == Pooling::Global).then(|| part("pool")),
                conv2: part("conv2"),
                gate: (pooling == Pooling::SqueezeExcite).then(|| [part("squeeze"), part("excite")]),
            }
        });
        Folded {
            board: architecture.shape().board.map(|plane| plane as i64),
            counts: channel_scale(architecture.shape(), squares / MEN_SCALE, 1.0).to_device(stem.weight.device()),
            stem,
            blocks: blocks.collect(),
            policy_conv: layer("policy.conv"),
            policy_pool: layer("policy.pool"),
            policy_logits: layer("policy.logits"),
            value_conv: layer("value.conv"),
            value_hidden: layer("value.hidden"),
            value_wdl: layer("value.wdl"),
            value_moves_left: layer("value.moves_left"),
        }
    }

    /// The same network computing in `kind`.
    pub fn to_kind(&self, kind: Kind) -> Folded {
        let layer = |layer: &Layer| layer.to_kind(kind);
        let blocks = self.blocks.iter().map(|block| Block {
            conv1: layer(&block.conv1),
            pool: block.pool.as_ref().map(layer),
            conv2: layer(&block.conv2),
            gate: block.gate.as_ref().map(|gate| gate.each_ref().map(layer)),
        });
        Folded {
            board: self.board,
            counts: self.counts.to_kind(kind),
            stem: layer(&self.stem),
            blocks: blocks.collect(),
            policy_conv: layer(&self.policy_conv),
            policy_pool: layer(&self.policy_pool),
            policy_logits: layer(&self.policy_logits),
            value_conv: layer(&self.value_conv),
            value_hidden: layer(&self.value_hidden),
            value_wdl: layer(&self.value_wdl),
            value_moves_left: layer(&self.value_moves_left),
        }
    }

    /// Evaluates planes `[B, C, H, W]`, in any memory format.
    pub fn forward(&self, planes: &Tensor) -> Heads {
        let board = Board::seen_in(planes, self.board);
        let x = self.trunk_on(planes, &board);
        let mut policy = self.policy_conv.convolve(&x);
        policy += spread(&self.policy_pool.apply(&board.pool(&x)));
        let policy = self.policy_logits.convolve(&policy.relu_()).flatten(1, -1);
        let counts = planes.mean_dim(SQUARES, false, None) * &self.counts;
        let value = board.only(self.value_conv.convolve(&x).relu_());
        let value = Tensor::cat(&[board.pool(&value), counts], 1);
        let value = self.value_hidden.apply(&value).relu_();
        Heads {
            policy,
            wdl: self.value_wdl.apply(&value),
            moves_left: self.value_moves_left.apply(&value).softplus().squeeze_dim(1),
        }
    }

    /// What the heads see of planes `[B, C, H, W]`: `[B, channels, H, W]`, not negative, 0 in the holes of the board.
    pub fn trunk(&self, planes: &Tensor) -> Tensor {
        self.trunk_on(planes, &Board::seen_in(planes, self.board))
    }

    fn trunk_on(&self, planes: &Tensor, board: &Board) -> Tensor {
        // The scalars lie over the holes too.
        let stem = board.only(self.stem.convolve(&board.only(planes.shallow_clone())).relu_());
        self.blocks.iter().fold(stem, |x, block| block.forward(&x, board))
    }
}

impl Block {
    fn forward(&self, x: &Tensor, board: &Board) -> Tensor {
        let mut hidden = self.conv1.convolve(x);
        if let Some(layer) = &self.pool {
            hidden += spread(&layer.apply(&board.pool(x)));
        }
        let mut change = self.conv2.convolve(&board.only(hidden.relu_()));
        if let Some([squeeze, excite]) = &self.gate {
            change = board.only(change);
            change *= spread(&excite.apply(&squeeze.apply(&board.mean(&change)).relu()).sigmoid());
        }
        change += x;
        board.only(change.relu_())
    }
}

/// Rows and columns of squares, the dimensions that pooling runs over.
const SQUARES: &[i64] = &[2, 3];

/// Which places of the grid are squares. A hole is to the network what lies beyond the edge: 0 in all that a convolution sees, and nothing to
/// what is pooled.
struct Board {
    /// 1 on a square and 0 in a hole, `[B, 1, H, W]`, and the share of squares, `[B, 1]`; none on a board without holes.
    holes: Option<(Tensor, Tensor)>,
}

impl Board {
    fn seen_in(planes: &Tensor, plane: Option<i64>) -> Self {
        let holes = plane.map(|plane| {
            let mask = planes.narrow(1, plane, 1);
            // Rows that only fill a batch up show no board at all.
            let share = mask.mean_dim(SQUARES, false, None).clamp_min(1e-3);
            (mask, share)
        });
        Board { holes }
    }

    /// `x` with zeros in the holes.
    fn only(&self, x: Tensor) -> Tensor {
        match &self.holes {
            Some((mask, _)) => x * mask,
            None => x,
        }
    }

    /// Mean over the squares of an `x` that is 0 in the holes, `[B, C]`.
    fn mean(&self, x: &Tensor) -> Tensor {
        let mean = x.mean_dim(SQUARES, false, None);
        match &self.holes {
            Some((_, share)) => mean / share,
            None => mean,
        }
    }

    /// Mean and maximum over the squares of an `x` that is not negative and 0 in the holes, `[B, 2C]`.
    fn pool(&self, x: &Tensor) -> Tensor {
        Tensor::cat(&[self.mean(x), x.amax(SQUARES, false)], 1)
    }
}

impl Layer {
    fn new(named: &BTreeMap<&str, Tensor>, name: &str) -> Self {
        let part = |part: &str| named.get(format!("{name}.{part}").as_str());
        let weight = part("weight").expect("the architecture lists every layer's weight");
        let bias = part("bias").expect("the architecture lists every layer's bias").shallow_clone();
        match part("gain") {
            Some(gain) => Layer { weight: standardise(weight) * gain.view([-1, 1, 1, 1]), bias },
            None => Layer { weight: weight.shallow_clone(), bias },
        }
    }

    fn to_kind(&self, kind: Kind) -> Layer {
        Layer { weight: self.weight.to_kind(kind), bias: self.bias.to_kind(kind) }
    }

    /// The stem's kernels with those of the scalars made smaller.
    fn with_scalars_scaled(self, shape: &NetworkShape) -> Self {
        let scale = channel_scale(shape, 1.0, SCALAR_SCALE).to_device(self.weight.device()).view([1, -1, 1, 1]);
        Layer { weight: self.weight * scale, bias: self.bias }
    }

    fn convolve(&self, x: &Tensor) -> Tensor {
        let padding = self.weight.size()[2] / 2;
        x.conv2d(&self.weight, Some(&self.bias), 1, padding, 1, 1)
    }

    fn apply(&self, x: &Tensor) -> Tensor {
        x.linear(&self.weight, Some(&self.bias))
    }
}

/// Kernels `[out, in, k, k]` with mean 0 and variance 1 / fan-in for each output channel.
fn standardise(weight: &Tensor) -> Tensor {
    let fan_in: i64 = weight.size()[1..].iter().product();
    let over = [1i64, 2, 3];
    let centred = weight - weight.mean_dim(over.as_slice(), true, None);
    let variance = centred.square().mean_dim(over.as_slice(), true, Kind::Float);
    centred * (variance * fan_in as f64 + 1e-4).rsqrt()
}

/// A factor of each input channel, `[C]`: one for the planes of bits, one for the scalars.
fn channel_scale(shape: &NetworkShape, bits: f32, scalars: f32) -> Tensor {
    let planes = shape.channels - shape.scalars;
    let scale: Vec<f32> = (0..shape.channels).map(|channel| if channel < planes { bits } else { scalars }).collect();
    Tensor::from_slice(&scale)
}

/// `[B, C]` as `[B, C, 1, 1]`.
fn spread(x: &Tensor) -> Tensor {
    x.unsqueeze(-1).unsqueeze(-1)
}

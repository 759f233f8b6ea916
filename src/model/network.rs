//! The network itself, in torch: one definition for training and for play.
//!
//! A residual trunk of 3x3 convolutions with ReLU and no batch normalisation. Kernels are standardised instead (Brock
//! et al. 2021): a function of the weights alone, so it is worked out once for play ([`Network::fold`]) and leaves bare
//! convolutions, and rare planes cannot upset it.
//!
//! Every operation is the one of its two forms in `tch` that does not panic: memory may run out in any of them.

use std::{collections::BTreeMap, sync::Arc};

use tch::{Device, Kind, TchError, Tensor};

use super::{
    architecture::{Architecture, PIECES_SCALE},
    board::{Board, average, grid},
    config::Pooling,
    layer::{Layer, spread},
    weights::Weights,
};

/// What the heads say of a batch, from the point of view of the side to move.
#[derive(Debug)]
pub struct Heads {
    /// Logits of all actions, `[B, P, H, W]`: an action's index is that of its place. They lie channels last in memory, so
    /// that to learn from them by square and then by plane takes no copy.
    pub policy: Tensor,
    /// Logits of win, draw and loss, `[B, 3]`.
    pub wdl: Tensor,
    /// Plies until the end over [`MOVES_LEFT_SCALE`](super::MOVES_LEFT_SCALE), not negative, `[B]`.
    pub moves_left: Tensor,
}

/// A network that can learn: all weights in one flat tensor, so that optimiser, gradient norm and average are one
/// operation each.
#[derive(Debug)]
pub struct Network {
    architecture: Arc<Architecture>,
    parameters: Tensor,
}

/// What the last layers give, see [`Folded::outputs`].
pub(super) struct Outputs {
    /// `[B, P, H, W]`.
    policy: Tensor,
    wdl: Tensor,
    moves_left: Tensor,
}

impl Outputs {
    /// Rows of logits by square and then by plane, as many as there are, and 4 numbers more: logits of win, draw and loss,
    /// and moves left before their softplus. One tensor for all answers, so that they leave a fused graph, and a GPU, at
    /// once.
    pub fn in_rows(&self) -> Result<Tensor, TchError> {
        let Outputs { policy, wdl, moves_left } = self;
        Tensor::f_cat(&[&policy.f_permute([0, 2, 3, 1])?.f_flatten(1, -1)?, wdl, moves_left], 1)
    }
}

impl Network {
    /// # Errors
    /// When libtorch fails, as when memory runs out; likewise below.
    pub fn new(weights: &Weights, device: Device) -> Result<Self, TchError> {
        let parameters = Tensor::f_from_slice(weights.values())?.f_to_device(device)?;
        Ok(Network { architecture: weights.architecture().clone(), parameters })
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
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn fold(&self) -> Result<Folded, TchError> {
        let parameters = self.architecture.parameters();
        let sizes: Vec<i64> = parameters.iter().map(|parameter| parameter.len() as i64).collect();
        let parts = self.parameters.f_split_with_sizes(sizes, 0)?;
        let named = parameters.iter().zip(parts).map(|(parameter, values)| {
            let shape: Vec<i64> = parameter.shape.iter().map(|&size| size as i64).collect();
            Ok((parameter.name.as_str(), values.f_view(shape.as_slice())?))
        });
        Folded::new(&self.architecture, &named.collect::<Result<_, TchError>>()?)
    }
}

/// A network ready to be evaluated.
#[derive(Debug)]
pub struct Folded {
    /// The plane of the input that shows the board, where it has holes.
    pub(super) board: Option<i64>,
    /// How many planes are of bits; the rest are of scalars.
    bit_planes: i64,
    pub(super) stem: Layer,
    pub(super) blocks: Vec<Block>,
    policy_conv: Layer,
    policy_pool: Layer,
    policy_logits: Layer,
    value_conv: Layer,
    value_hidden: Layer,
    value_wdl: Layer,
    value_moves_left: Layer,
}

/// `x + conv2(relu(conv1(x)))` and a ReLU, with pooling in between or after.
#[derive(Debug)]
pub(super) struct Block {
    pub conv1: Layer,
    pub pool: Option<Layer>,
    pub conv2: Layer,
    pub gate: Option<[Layer; 2]>,
}

impl Folded {
    fn new(architecture: &Architecture, named: &BTreeMap<&str, Tensor>) -> Result<Self, TchError> {
        let layer = |name: &str| Layer::new(named, name);
        let config = architecture.config();
        let shape = architecture.shape();
        let stem = layer("stem")?.with_scalars_scaled(shape)?;
        let blocks = (0..config.blocks).map(|i| {
            let part = |name: &str| layer(&format!("block{i}.{name}"));
            let pooling = if config.pools(i) { config.pooling } else { Pooling::None };
            Ok(Block {
                conv1: part("conv1")?,
                pool: if pooling == Pooling::Global { Some(part("pool")?) } else { None },
                conv2: part("conv2")?,
                gate: if pooling == Pooling::SqueezeExcite { Some([part("squeeze")?, part("excite")?]) } else { None },
            })
        });
        Ok(Folded {
            board: shape.board.map(|plane| plane as i64),
            bit_planes: (shape.channels - shape.scalars) as i64,
            stem,
            blocks: blocks.collect::<Result<_, TchError>>()?,
            policy_conv: layer("policy.conv")?,
            policy_pool: layer("policy.pool")?,
            policy_logits: layer("policy.logits")?,
            value_conv: layer("value.conv")?,
            value_hidden: layer("value.hidden")?,
            value_wdl: layer("value.wdl")?,
            value_moves_left: layer("value.moves_left")?,
        })
    }

    /// The same network for play alone, computing in `kind`: its kernels lie channels last and no gradient flows back.
    pub fn frozen(&self, kind: Kind) -> Result<Folded, TchError> {
        self.map(|layer| layer.frozen(kind))
    }

    /// The same network for a trunk whose values are given in steps of `step`.
    pub(super) fn with_trunk_scaled(&self, step: f64) -> Result<Folded, TchError> {
        let kept = |layer: &Layer| layer.scaled(1.0, 1.0, 0.0);
        let scaled = |layer: &Layer| layer.scaled(step, 1.0, 0.0);
        Ok(Folded {
            policy_conv: scaled(&self.policy_conv)?,
            policy_pool: scaled(&self.policy_pool)?,
            value_conv: scaled(&self.value_conv)?,
            ..self.map(kept)?
        })
    }

    /// The same network computing in `kind`.
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn to_kind(&self, kind: Kind) -> Result<Folded, TchError> {
        self.map(|layer| Ok(Layer { weight: layer.weight.f_to_kind(kind)?, bias: layer.bias.f_to_kind(kind)? }))
    }

    /// The same network with its matrices as convolutions of one square. Those of oneDNN give a row the same bits at every
    /// place of a batch, where MKL's product of matrices does not on processors of Intel.
    ///
    /// # Errors
    /// When libtorch fails.
    pub(super) fn convolved(&self) -> Result<Folded, TchError> {
        self.map(Layer::convolved)
    }

    /// The same network with each layer changed.
    fn map(&self, layer: impl Fn(&Layer) -> Result<Layer, TchError>) -> Result<Folded, TchError> {
        let blocks = self.blocks.iter().map(|block| {
            Ok(Block {
                conv1: layer(&block.conv1)?,
                pool: block.pool.as_ref().map(&layer).transpose()?,
                conv2: layer(&block.conv2)?,
                gate: match &block.gate {
                    Some([squeeze, excite]) => Some([layer(squeeze)?, layer(excite)?]),
                    None => None,
                },
            })
        });
        Ok(Folded {
            board: self.board,
            bit_planes: self.bit_planes,
            stem: layer(&self.stem)?,
            blocks: blocks.collect::<Result<_, TchError>>()?,
            policy_conv: layer(&self.policy_conv)?,
            policy_pool: layer(&self.policy_pool)?,
            policy_logits: layer(&self.policy_logits)?,
            value_conv: layer(&self.value_conv)?,
            value_hidden: layer(&self.value_hidden)?,
            value_wdl: layer(&self.value_wdl)?,
            value_moves_left: layer(&self.value_moves_left)?,
        })
    }

    /// Evaluates planes `[B, C, H, W]`, in any memory format.
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn forward(&self, planes: &Tensor) -> Result<Heads, TchError> {
        let Outputs { policy, wdl, moves_left } = self.outputs(planes)?;
        Ok(Heads { policy, wdl, moves_left: moves_left.f_softplus()?.f_squeeze_dim(1)? })
    }

    /// What the heads' last layers give: logits of the policy, and the moves left before their softplus, `[B, 1]`.
    ///
    /// Every operation makes a new tensor and all of them but a few small ones are known to oneDNN: a graph of this,
    /// traced, is one that libtorch fuses.
    pub(super) fn outputs(&self, planes: &Tensor) -> Result<Outputs, TchError> {
        let board = self.board(planes)?;
        self.heads(planes, &self.trunk_on(planes, &board)?, &board)
    }

    /// What the heads make of planes and what the trunk says of them.
    pub(super) fn heads(&self, planes: &Tensor, x: &Tensor, board: &Board) -> Result<Outputs, TchError> {
        let policy = self.policy_conv.convolve(x)?.f_add(&spread(&self.policy_pool.apply(&board.pool(x)?)?)?)?;
        let policy = self.policy_logits.convolve(&policy.f_relu()?)?;
        let value = board.relu(self.value_conv.convolve(x)?)?;
        let value = Tensor::f_cat(&[board.pool(&value)?, self.count(planes, board)?], 1)?;
        let value = self.value_hidden.apply(&value)?.f_relu()?;
        Ok(Outputs { policy, wdl: self.value_wdl.apply(&value)?, moves_left: self.value_moves_left.apply(&value)? })
    }

    /// How many pieces each plane of bits shows, over [`PIECES_SCALE`], and the scalars: `[B, C]`.
    fn count(&self, planes: &Tensor, board: &Board) -> Result<Tensor, TchError> {
        let ([height, width], means) = (grid(planes)?, average(planes)?);
        let share = (height * width) as f64 / PIECES_SCALE;
        let pieces = means.f_narrow(1, 0, self.bit_planes)?.f_mul_scalar(share)?;
        let scalars = means.f_narrow(1, self.bit_planes, planes.size()[1] - self.bit_planes)?;
        Tensor::f_cat(&[pieces, board.scaled(scalars)?], 1)
    }

    /// What the heads see of planes `[B, C, H, W]`: `[B, channels, H, W]`, not negative, 0 in the holes of the board.
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn trunk(&self, planes: &Tensor) -> Result<Tensor, TchError> {
        self.trunk_on(planes, &self.board(planes)?)
    }

    pub(super) fn board(&self, planes: &Tensor) -> Result<Board, TchError> {
        Board::seen_in(planes, self.board, self.stem.bias.size()[0])
    }

    fn trunk_on(&self, planes: &Tensor, board: &Board) -> Result<Tensor, TchError> {
        let stem = board.relu(self.stem.convolve(planes)?)?;
        self.blocks.iter().try_fold(stem, |x, block| block.forward(&x, board))
    }
}

impl Block {
    /// What is pooled and added to every square, `[B, C]`.
    pub fn pooled(&self, x: &Tensor, board: &Board) -> Result<Option<Tensor>, TchError> {
        self.pool.as_ref().map(|layer| layer.apply(&board.pool(x)?)).transpose()
    }

    /// The layer between both convolutions.
    pub fn hidden(&self, x: &Tensor, board: &Board) -> Result<Tensor, TchError> {
        board.relu(match (self.pooled(x, board)?, self.conv1.convolve(x)?) {
            (Some(pooled), hidden) => hidden.f_add(&spread(&pooled)?)?,
            (None, hidden) => hidden,
        })
    }

    pub fn forward(&self, x: &Tensor, board: &Board) -> Result<Tensor, TchError> {
        let change = match (&self.gate, self.conv2.convolve(&self.hidden(x, board)?)?) {
            (Some([squeeze, excite]), change) => {
                let squeezed = squeeze.apply(&board.mean(&board.only(&change)?)?)?.f_relu()?;
                change.f_mul(&spread(&excite.apply(&squeezed)?.f_sigmoid()?)?)?
            }
            (None, change) => change,
        };
        board.relu(change.f_add(x)?)
    }
}

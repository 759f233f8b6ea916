//! The network with its trunk in 8 bits: the 3x3 convolutions, which are nearly all of its work.
//!
//! Weights are rounded to 8 bits as they are; of values it must be known how large they get ([`Ranges`]). The stem,
//! what is pooled and the heads stay in floating point, where oneDNN fuses them.

use tch::{CModule, Kind, TchError, Tensor};

use super::{
    bytes::{ByteConvolution, Bytes, MOST},
    fused::fuse,
    layer::Layer,
    network::Folded,
};

/// A value this small is nothing: what a step is made of where a layer is dead.
const LEAST: f64 = 1e-6;

/// The middle of 8 bits, the zero of values of both signs, and how many steps there are to either side.
const MIDDLE: f64 = 128.0;
const HALF: f64 = 127.0;

/// What makes rounding of cutting off.
const HALF_STEP: f64 = 0.5;

/// How large the values of the trunk get on some positions.
#[derive(Debug)]
pub(super) struct Ranges {
    stem: f64,
    blocks: Vec<BlockRanges>,
}

#[derive(Debug)]
struct BlockRanges {
    /// Of what is pooled and added, either way; 0 where nothing is.
    pooled: f64,
    hidden: f64,
    result: f64,
}

impl Ranges {
    /// Those of a network's trunk on planes `[B, C, H, W]`, in 32 bits.
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn of(network: &Folded, planes: &Tensor) -> Result<Ranges, TchError> {
        let most = |x: &Tensor| Ok::<_, TchError>(x.f_abs()?.f_max()?.f_double_value(&[])?.max(LEAST));
        let board = network.board(planes)?;
        let mut x = board.relu(network.stem.convolve(planes)?)?;
        let stem = most(&x)?;
        let blocks = network.blocks.iter().map(|block| {
            let pooled = block.pooled(&x, &board)?.as_ref().map_or(Ok(0.0), most)?;
            let hidden = most(&block.hidden(&x, &board)?)?;
            x = block.forward(&x, &board)?;
            Ok(BlockRanges { pooled, hidden, result: most(&x)? })
        });
        let blocks = blocks.collect::<Result<_, TchError>>()?;
        Ok(Ranges { stem, blocks })
    }
}

/// A network for batches of one size.
#[derive(Debug)]
pub(super) struct Quantised {
    /// From planes `[B, C, H, W]` to the steps of the stem's result.
    stem: CModule,
    stem_step: f64,
    blocks: Vec<ByteBlock>,
    /// From planes and the steps of the trunk's result to answers.
    heads: CModule,
    /// The plane of the input that shows the board, where it has holes.
    board: Option<i64>,
    channels: i64,
}

#[derive(Debug)]
struct ByteBlock {
    pool: Option<BytePool>,
    conv1: ByteConvolution,
    conv2: ByteConvolution,
}

/// What is pooled of a block's input and added to its hidden layer.
#[derive(Debug)]
struct BytePool {
    /// From planes and the steps of the input to those of what is added.
    steps: CModule,
    step: f64,
}

impl Quantised {
    /// `network`, of 32 bits, for planes `[B, C, H, W]` like `planes`, in whose kind of number all is computed that is
    /// not in 8 bits.
    ///
    /// # Errors
    /// When the network gates its blocks, or libtorch cannot do what it takes.
    pub fn new(network: &Folded, ranges: &Ranges, planes: &Tensor) -> Result<Self, TchError> {
        let kind = planes.kind();
        let stem_step = ranges.stem / MOST;
        let stem_layer = network.stem.scaled(1.0, stem_step, HALF_STEP)?.frozen(kind)?;
        let stem = fuse(&[planes], |inputs| {
            let steps = network.board(&inputs[0])?.walled(stem_layer.convolve(&inputs[0])?)?;
            steps.f_clamp(0.0, MOST)?.f_to_kind(Kind::Uint8)
        })?;
        let x = stem.forward_ts(&[planes])?;
        let mut input_step = stem_step;
        let mut blocks = Vec::new();
        for (block, ranges) in network.blocks.iter().zip(&ranges.blocks) {
            if block.gate.is_some() {
                return Err(TchError::Kind(
                    "8 bits: expected pooling = `global` or `none`, found `squeeze_excite`".into(),
                ));
            }
            let (hidden, result) = (ranges.hidden / MOST, ranges.result / MOST);
            let pool = match &block.pool {
                Some(layer) => Some(BytePool::new(network, layer, planes, &x, input_step, ranges.pooled / HALF)?),
                None => None,
            };
            let (conv1, conv2) = (&block.conv1, &block.conv2);
            let conv1 = ByteConvolution::new(&conv1.weight, &conv1.bias, &x, input_step, hidden)?;
            let conv2 = ByteConvolution::new(&conv2.weight, &conv2.bias, &x, hidden, result)?;
            blocks.push(ByteBlock { pool, conv1, conv2 });
            input_step = result;
        }
        let on_steps = network.with_trunk_scaled(input_step)?.frozen(kind)?;
        let heads = fuse(&[planes, &x], |inputs| {
            let board = on_steps.board(&inputs[0])?;
            on_steps.heads(&inputs[0], &inputs[1].f_to_kind(kind)?, &board)?.in_rows()
        })?;
        Ok(Quantised { stem, stem_step, blocks, heads, board: network.board, channels: x.size()[1] })
    }

    /// What the network says of planes, see [`Outputs::in_rows`](super::network::Outputs::in_rows).
    pub fn run(&self, planes: &Tensor) -> Result<Tensor, TchError> {
        let squares = self.squares(planes)?;
        let only = |mut x: Bytes| {
            if let Some(squares) = &squares {
                let _ = x.steps.f_mul_(squares)?;
            }
            Ok::<_, TchError>(x)
        };
        let mut x = Bytes { steps: self.stem.forward_ts(&[planes])?, step: self.stem_step, zero: 0 };
        for block in &self.blocks {
            let hidden = match &block.pool {
                Some(pool) => block.conv1.relu_of_sum(&x, pool.of(planes, &x)?)?,
                None => block.conv1.relu(&x)?,
            };
            x = only(block.conv2.relu_of_sum(&only(hidden)?, x)?)?;
        }
        self.heads.forward_ts(&[planes, &x.steps])
    }

    /// 1 on the squares of a board with holes and 0 in the holes, for every channel of the trunk.
    fn squares(&self, planes: &Tensor) -> Result<Option<Tensor>, TchError> {
        let Some(board) = self.board else { return Ok(None) };
        let plane = planes.f_narrow(1, board, 1)?.f_to_kind(Kind::Uint8)?.f_permute([0, 2, 3, 1])?;
        let squares = plane.f_expand([-1, -1, -1, self.channels], false)?.f_contiguous()?;
        Ok(Some(squares.f_permute([0, 3, 1, 2])?))
    }
}

impl BytePool {
    fn new(
        network: &Folded,
        layer: &Layer,
        planes: &Tensor,
        x: &Tensor,
        input_step: f64,
        step: f64,
    ) -> Result<Self, TchError> {
        let layer = layer.scaled(input_step, step, MIDDLE + HALF_STEP)?;
        let steps = fuse(&[planes, x], |inputs| {
            let pooled = network.board(&inputs[0])?.pool(&inputs[1].f_to_kind(planes.kind())?)?;
            let steps = layer.apply(&pooled.f_to_kind(Kind::Float)?)?.f_clamp(0.0, MOST)?.f_to_kind(Kind::Uint8)?;
            let (batch, channels, height, width) = x.size4()?;
            let everywhere =
                steps.f_view([batch, 1, 1, channels])?.f_expand([batch, height, width, channels], false)?;
            everywhere.f_contiguous()?.f_permute([0, 3, 1, 2])
        })?;
        Ok(BytePool { steps, step })
    }

    fn of(&self, planes: &Tensor, x: &Bytes) -> Result<Bytes, TchError> {
        Ok(Bytes { steps: self.steps.forward_ts(&[planes, &x.steps])?, step: self.step, zero: MIDDLE as i64 })
    }
}

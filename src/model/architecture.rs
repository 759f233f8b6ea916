//! The network's weights by name and shape, without any tensor library: what a checkpoint must hold.

use serde::{Deserialize, Serialize};

use super::config::{ModelConfig, Pooling};
use crate::game::{FieldError, Layout};

/// Plies that an output of 1 of the moves-left head stands for.
pub const MOVES_LEFT_SCALE: f64 = 32.0;

/// What the stem makes of a scalar. It is the same on all nine squares under a kernel and, unlike a piece, everywhere,
/// so that at full size the scalars drown the pieces: on the first games of self-play, 250 steps of training then leave
/// the value head at a correlation of 0.12 with the results, and 0.42 with this.
pub(super) const SCALAR_SCALE: f32 = 0.1;

/// Pieces of a plane that make a 1 where the value head counts them: those of a full set of pawns.
/// Counts spare the value head what it takes thousands of games to work out of the board: on games that it was not
/// trained on, its correlation with the results rises from 0.27 to 0.30 (material alone has 0.35).
pub(super) const PIECES_SCALE: f64 = 8.0;

/// What is added to a value in a hole: more than any value there, and exact in every kind of number.
pub(super) const WALL: f64 = 16_384.0;

/// What is added to a kernel's variance times its fan-in before it is divided by the root of that.
pub(super) const STANDARDISING: f64 = 1e-4;

/// What goes in and comes out of a network: the part of a game's [`Layout`] that its weights depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkShape {
    /// Version of the encoding: the meaning of planes and actions.
    pub encoding: u32,
    /// Planes C of the input `[B, C, H, W]`.
    pub channels: usize,
    /// How many of them, the last ones, hold one value all over the board.
    pub scalars: usize,
    /// H.
    pub height: usize,
    /// W.
    pub width: usize,
    /// Which plane of the input is 1 on every square of the board and 0 on its holes; none where every place is a
    /// square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<usize>,
    /// Planes of the policy: A = action_planes * H * W.
    pub action_planes: usize,
}

impl NetworkShape {
    /// Numbers C * H * W of an input.
    pub fn inputs(&self) -> usize {
        self.channels * self.height * self.width
    }

    /// Size A of the action space.
    pub fn actions(&self) -> usize {
        self.action_planes * self.height * self.width
    }

    /// Refuses sizes that no game has, before anything is allocated for them.
    ///
    /// # Errors
    /// `field: expected X, found Y`.
    pub fn validate(&self) -> Result<(), FieldError> {
        let ranges = [
            ("channels", self.channels, 4096),
            ("height", self.height, 32),
            ("width", self.width, 32),
            ("action_planes", self.action_planes, 4096),
        ];
        for (field, found, high) in ranges {
            if !(1..=high).contains(&found) {
                return Err(FieldError::new(field, format!("1 to {high}"), found));
            }
        }
        if self.scalars > self.channels {
            return Err(FieldError::new("scalars", format!("at most channels = {}", self.channels), self.scalars));
        }
        if let Some(board) = self.board.filter(|&board| board >= self.channels - self.scalars) {
            let expected = format!("a plane of bits, below {}", self.channels - self.scalars);
            return Err(FieldError::new("board", expected, board));
        }
        Ok(())
    }
}

impl From<&Layout> for NetworkShape {
    fn from(layout: &Layout) -> Self {
        NetworkShape {
            encoding: layout.version,
            channels: layout.channels(),
            scalars: layout.scalars.len(),
            height: layout.height,
            width: layout.width,
            board: layout.board,
            action_planes: layout.action_planes.len(),
        }
    }
}

/// How a weight starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Init {
    /// Every value the same.
    Constant(f32),
    /// Uniform around 0 with this standard deviation.
    Uniform(f32),
}

/// One weight tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub shape: Vec<usize>,
    pub init: Init,
    /// Whether weight decay shrinks it: matrices and kernels, not gains and biases.
    pub decays: bool,
}

impl Parameter {
    /// Number of values.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A network's definition: its configuration, its shape and the weights that follow from both, in the order of the
/// forward pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Architecture {
    config: ModelConfig,
    shape: NetworkShape,
    parameters: Vec<Parameter>,
}

/// Gain of a standardised kernel after which a ReLU keeps the variance: sqrt(2 / (1 - 1/pi)), Brock et al. 2021,
/// "Characterizing signal propagation to close the performance gap in unnormalized ResNets", section 4.
const RELU_GAIN: f32 = 1.713_9;

/// Of the input's values only about one in ten is not 0, which the first convolution makes up for.
const STEM_GAIN: f32 = 3.0;

impl Architecture {
    /// # Errors
    /// When the configuration or the shape is out of range, as `field: expected X, found Y`.
    pub fn new(config: ModelConfig, shape: NetworkShape) -> Result<Self, FieldError> {
        config.validate()?;
        shape.validate()?;
        let parameters = Parameters::of(&config, &shape);
        Ok(Architecture { config, shape, parameters })
    }

    /// The network of this configuration for a game of this layout.
    ///
    /// # Errors
    /// As [`new`](Architecture::new).
    pub fn of(config: ModelConfig, layout: &Layout) -> Result<Self, FieldError> {
        Architecture::new(config, NetworkShape::from(layout))
    }

    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    pub fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    /// The weights, in the order of the forward pass.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Number of values of all weights.
    pub fn len(&self) -> usize {
        self.parameters.iter().map(Parameter::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }
}

/// Collects the weights of one layer after another.
struct Parameters(Vec<Parameter>);

impl Parameters {
    fn of(config: &ModelConfig, shape: &NetworkShape) -> Vec<Parameter> {
        let mut all = Parameters(Vec::new());
        let trunk = config.channels;
        all.standardised("stem", [trunk, shape.channels, 3], STEM_GAIN);
        for block in 0..config.blocks {
            all.standardised(&format!("block{block}.conv1"), [trunk, trunk, 3], RELU_GAIN);
            if config.pools(block) && config.pooling == Pooling::Global {
                all.linear(&format!("block{block}.pool"), [trunk, 2 * trunk], 0.1);
            }
            // A block begins as nearly nothing, so that a deep trunk begins as a shallow one and its variance stays put
            // without normalisation.
            all.standardised(&format!("block{block}.conv2"), [trunk, trunk, 3], 0.2);
            if config.pools(block) && config.pooling == Pooling::SqueezeExcite {
                let squeezed = (trunk / 4).max(4);
                all.linear(&format!("block{block}.squeeze"), [squeezed, trunk], 1.0);
                all.linear(&format!("block{block}.excite"), [trunk, squeezed], 1.0);
            }
        }
        all.standardised("policy.conv", [config.policy_channels, trunk, 1], RELU_GAIN);
        all.linear("policy.pool", [config.policy_channels, 2 * trunk], 0.1);
        all.convolution("policy.logits", [shape.action_planes, config.policy_channels, 1], 0.1);
        all.standardised("value.conv", [config.value_channels, trunk, 1], RELU_GAIN);
        all.linear("value.hidden", [config.value_hidden, 2 * config.value_channels + shape.channels], 1.0);
        all.linear("value.wdl", [3, config.value_hidden], 0.1);
        all.linear("value.moves_left", [1, config.value_hidden], 0.1);
        all.0
    }

    fn add(&mut self, name: String, shape: Vec<usize>, init: Init) {
        let decays = shape.len() > 1;
        self.0.push(Parameter { name, shape, init, decays });
    }

    /// A square convolution `[out, in, kernel]` whose kernels are standardised, with a gain and a bias for each output
    /// channel.
    fn standardised(&mut self, name: &str, [outputs, inputs, kernel]: [usize; 3], gain: f32) {
        let fan_in = (inputs * kernel * kernel) as f32;
        self.add(format!("{name}.weight"), vec![outputs, inputs, kernel, kernel], Init::Uniform(fan_in.recip().sqrt()));
        self.add(format!("{name}.gain"), vec![outputs], Init::Constant(gain));
        self.add(format!("{name}.bias"), vec![outputs], Init::Constant(0.0));
    }

    /// A plain square convolution `[out, in, kernel]` with a bias.
    fn convolution(&mut self, name: &str, [outputs, inputs, kernel]: [usize; 3], scale: f32) {
        let fan_in = (inputs * kernel * kernel) as f32;
        let deviation = scale * (2.0 / fan_in).sqrt();
        self.add(format!("{name}.weight"), vec![outputs, inputs, kernel, kernel], Init::Uniform(deviation));
        self.add(format!("{name}.bias"), vec![outputs], Init::Constant(0.0));
    }

    /// A linear layer `[out, in]` with a bias.
    fn linear(&mut self, name: &str, [outputs, inputs]: [usize; 2], scale: f32) {
        let deviation = scale * (2.0 / inputs as f32).sqrt();
        self.add(format!("{name}.weight"), vec![outputs, inputs], Init::Uniform(deviation));
        self.add(format!("{name}.bias"), vec![outputs], Init::Constant(0.0));
    }
}

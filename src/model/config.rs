//! Size of the network, and its arithmetic.

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::game::FieldError;

/// How what happens on one square reaches every other without a walk over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// Mean and maximum of each channel over the board, through a linear layer, are added to every square of a block's
    /// hidden layer (Wu 2019, "Accelerating Self-Play Learning in Go", section 3.3).
    Global,
    /// Each channel of a block's result is scaled by a number between 0 and 1 got from the channels' means (Hu et al.
    /// 2018).
    SqueezeExcite,
    /// Only the heads see the whole board.
    None,
}

/// Numbers that the network computes in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// `bf16` on a GPU; on a processor the fastest of those that it has instructions for in play, by a short
    /// measurement, and `bf16` or else `f32` in training.
    Auto,
    /// 32 bits.
    #[default]
    F32,
    /// 16 bits with 8 of mantissa: up to twice as fast on processors that have instructions for it, slower on others.
    Bf16,
    /// 8 bits in the trunk's convolutions, in play on processors that have instructions for it alone: half as fast
    /// again as `bf16` in large networks.
    Int8,
}

/// How libtorch runs a network for play. The runtime without libtorch has one way, whatever is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// The faster on this machine, by a short measurement.
    Auto,
    /// One operation after another.
    #[default]
    Eager,
    /// A graph that oneDNN has fused, on processors only.
    Fused,
}

/// A [`Precision`] and a [`Backend`] that are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    F32,
    F32Fused,
    Bf16,
    Bf16Fused,
    Int8,
}

impl Plan {
    /// Every plan, the most exact first.
    pub const ALL: [Plan; 5] = [Plan::F32, Plan::F32Fused, Plan::Bf16, Plan::Bf16Fused, Plan::Int8];

    /// The precision and the backend that leave no other plan.
    pub fn settings(self) -> (Precision, Backend) {
        match self {
            Plan::F32 => (Precision::F32, Backend::Eager),
            Plan::F32Fused => (Precision::F32, Backend::Fused),
            Plan::Bf16 => (Precision::Bf16, Backend::Eager),
            Plan::Bf16Fused => (Precision::Bf16, Backend::Fused),
            Plan::Int8 => (Precision::Int8, Backend::Eager),
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Plan::F32 => "f32",
            Plan::F32Fused => "f32 fused",
            Plan::Bf16 => "bf16",
            Plan::Bf16Fused => "bf16 fused",
            Plan::Int8 => "int8",
        }
    }
}

/// Section `[model]`: the size of the residual trunk and of its heads, or the file of another network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// Residual blocks of two 3x3 convolutions, 1-64.
    pub blocks: usize,
    /// Channels of the trunk, 4-1024. Multiples of 16 are fastest.
    pub channels: usize,
    /// How blocks share what they know over the board: `global`, `squeeze_excite` or `none`.
    pub pooling: Pooling,
    /// Every how many blocks one pools, 1-64: 2 means the second, the fourth, ...
    pub pooling_every: usize,
    /// Channels of the policy head's hidden layer, 1-1024.
    pub policy_channels: usize,
    /// An option of earlier versions, read and not written. Networks that do without it are what they were.
    #[doc(hidden)]
    #[serde(skip_serializing, deserialize_with = "without_arrivals")]
    pub policy_arrivals: (),
    /// Channels that the value and moves-left heads pool, 1-1024.
    pub value_channels: usize,
    /// Units of the hidden layer of the value and moves-left heads, 1-4096.
    pub value_hidden: usize,
    /// The file of a network of another architecture ([`Module`](super::Module)) that a run begins with; the sizes mean
    /// nothing then. Empty: a network of ours.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub module: String,
}

impl Default for ModelConfig {
    fn default() -> Self {
        ModelConfig {
            blocks: 4,
            channels: 32,
            pooling: Pooling::Global,
            pooling_every: 2,
            policy_channels: 32,
            policy_arrivals: (),
            value_channels: 32,
            value_hidden: 64,
            module: String::new(),
        }
    }
}

impl ModelConfig {
    /// Checks every field's range.
    ///
    /// # Errors
    /// `field: expected X, found Y`.
    pub fn validate(&self) -> Result<(), FieldError> {
        let ranges = [
            ("blocks", self.blocks, 1, 64),
            ("channels", self.channels, 4, 1024),
            ("pooling_every", self.pooling_every, 1, 64),
            ("policy_channels", self.policy_channels, 1, 1024),
            ("value_channels", self.value_channels, 1, 1024),
            ("value_hidden", self.value_hidden, 1, 4096),
        ];
        for (field, found, low, high) in ranges {
            if !(low..=high).contains(&found) {
                return Err(FieldError::new(field, format!("{low} to {high}"), found));
            }
        }
        Ok(())
    }

    /// Whether block `block`, counted from 0, pools.
    pub fn pools(&self, block: usize) -> bool {
        self.pooling != Pooling::None && (block + 1).is_multiple_of(self.pooling_every)
    }
}

fn without_arrivals<'de, D: Deserializer<'de>>(value: D) -> Result<(), D::Error> {
    match bool::deserialize(value)? {
        false => Ok(()),
        true => Err(de::Error::custom("policy_arrivals: expected `false`, all that is left of it, found `true`")),
    }
}

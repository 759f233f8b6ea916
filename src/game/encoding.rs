//! What a game looks like to a network: planes in, an index of actions out.
//!
//! A row (one encoded position) is kept in two parts: planes of bits, one bit a square, and scalars, each of which
//! stands for a plane of one value. The network sees `[C, H, W]`: the bit planes first, then the scalars spread over
//! the board.

use serde::{Deserialize, Serialize};

use super::{Rules, ruleset::LIMIT_SHOWS};

/// One plane in words, for the documentation and the manifest of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaneInfo {
    pub name: String,
    pub meaning: String,
    /// What 1.0 stands for; empty for a plane of actions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scale: String,
}

impl PlaneInfo {
    pub fn new(name: impl Into<String>, meaning: impl Into<String>, scale: impl Into<String>) -> Self {
        PlaneInfo { name: name.into(), meaning: meaning.into(), scale: scale.into() }
    }
}

/// The shape of a game's encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Changes whenever the meaning of a plane or an action index changes.
    pub version: u32,
    /// Rows of squares, H. Row 0 is nearest the side to move.
    pub height: usize,
    /// Columns of squares, W.
    pub width: usize,
    /// Which plane of bits is 1 on every square of the board and 0 on its holes, the same in every row; none where
    /// every place is a square.
    pub board: Option<usize>,
    /// Planes of bits, in order.
    pub bit_planes: Vec<PlaneInfo>,
    /// Scalars, in order; plane `bit_planes.len() + i` of the network's input is scalar `i` everywhere.
    pub scalars: Vec<PlaneInfo>,
    /// Planes of actions, in order: the action space has `action_planes.len() * H * W` indices, `plane * H * W + row *
    /// W + column`.
    pub action_planes: Vec<PlaneInfo>,
}

impl Layout {
    /// H * W.
    pub fn squares(&self) -> usize {
        self.height * self.width
    }

    /// 64-bit words that one plane of bits takes; bit `row * W + column`, lowest first.
    pub fn words_per_plane(&self) -> usize {
        self.squares().div_ceil(64)
    }

    /// Words of all bit planes of a row.
    pub fn words(&self) -> usize {
        self.bit_planes.len() * self.words_per_plane()
    }

    /// Channels C of the network's input.
    pub fn channels(&self) -> usize {
        self.bit_planes.len() + self.scalars.len()
    }

    /// Size A of the action space.
    pub fn actions(&self) -> usize {
        self.action_planes.len() * self.squares()
    }
}

/// Where a row is written; both parts are zero when [`Encode::encode`] gets them.
#[derive(Debug)]
pub struct RowMut<'a> {
    /// `[bit planes, words per plane]`.
    pub bits: &'a mut [u64],
    /// `[scalars]`.
    pub scalars: &'a mut [f32],
}

/// The plane of [`Context::limit`].
pub(super) fn limit_plane() -> PlaneInfo {
    let meaning = format!("plies of the last {LIMIT_SHOWS} before the ruleset's limit that are over");
    PlaneInfo::new("limit", meaning, "the limit")
}

/// What a row shows that its position does not say: the game so far, and what is left of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Context {
    /// How often the position occurred before.
    pub repetitions: u32,
    /// How near the ruleset's limit of plies is, 0 to 1 ([`Adjudication::nearness`](super::Adjudication::nearness)).
    pub limit: f32,
}

/// A game that a network can play: what self-play, training and evaluation ask. Everything is seen by the side to move:
/// board turned, colours swapped.
pub trait Encode: Rules {
    /// The shape, the same for every ruleset of the game.
    fn layout(&self) -> &'static Layout;
    /// Writes a position. Two positions that differ in any field of their strings but the number of the move write
    /// different rows. That number shows only as far as the rules ask for it: a network that is told it learns how long
    /// games of self-play last.
    fn encode(&self, position: &Self::Position, context: Context, row: RowMut<'_>);
    /// Index of a legal action, below [`Layout::actions`]; no two legal actions of a position share one.
    fn action_index(&self, position: &Self::Position, action: Self::Action) -> usize;
    /// Whether the rules are symmetric left to right in this position.
    fn mirror_applies(&self, position: &Self::Position) -> bool;
    /// The index of the mirrored action. Its own inverse.
    fn mirror_action(&self, index: usize) -> usize;
}

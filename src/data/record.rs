//! A finished game on its way to disk. Nothing here knows the rules: positions and actions are strings and indices.

use std::{fmt, str::FromStr};

use crate::{
    encode::Rows,
    game::{Encode, Facts, Game, NameError, Outcome, Ruleset, Side, Wdl},
};

/// What a file of games says of itself, once for all its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Game id, options and hash.
    pub ruleset: Ruleset,
    /// [`Layout::version`](crate::game::Layout::version) of the planes and action indices.
    pub encoding: u32,
    /// Rows and columns of squares, H and W.
    pub height: usize,
    pub width: usize,
    /// Bit planes and scalars of a row; the network sees as many channels as both together.
    pub planes: usize,
    pub scalars: usize,
    /// Size A of the action space.
    pub actions: usize,
    /// Seed of the run.
    pub seed: u64,
    pub generation: u64,
    /// Id of the checkpoint that played, or `material` where none did.
    pub checkpoint: String,
    /// Index of the first game of the file within its generation.
    pub first_game: u64,
    /// Number of games in the file, all of them whole.
    pub games: u64,
    /// Rows of full searches, which teach value and policy.
    pub full_rows: u64,
    /// Rows of cheap searches, which teach the value.
    pub cheap_rows: u64,
    /// Names of the kinds of action, in the order of the numbers in column `legal_kinds`.
    pub action_kinds: Vec<String>,
    /// Letters of the pieces that the zone columns count, in their order.
    pub zone_kinds: String,
}

impl Manifest {
    /// The manifest of a generation's files; the fields from [`first_game`](Self::first_game) to
    /// [`cheap_rows`](Self::cheap_rows) differ from file to file and are zero.
    pub fn new<R: Encode + Facts>(game: &Game<R>, seed: u64, generation: u64, checkpoint: &str) -> Self {
        let layout = game.layout();
        Manifest {
            ruleset: game.ruleset().clone(),
            encoding: layout.version,
            height: layout.height,
            width: layout.width,
            planes: layout.bit_planes.len(),
            scalars: layout.scalars.len(),
            actions: layout.actions(),
            seed,
            generation,
            checkpoint: checkpoint.to_owned(),
            first_game: 0,
            games: 0,
            full_rows: 0,
            cheap_rows: 0,
            action_kinds: R::ACTION_KINDS.iter().map(|&kind| kind.to_owned()).collect(),
            zone_kinds: R::ZONE_KINDS.to_owned(),
        }
    }
}

/// How an action was decided on, which says what its row may teach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionKind {
    /// Drawn from the network's policy without a search, to vary the openings: teaches nothing.
    Opening,
    /// The only legal action, played without a search: teaches nothing.
    Forced,
    /// A search with few playouts: teaches the value, not the policy.
    Cheap,
    /// A full search: teaches value and policy.
    Full,
}

impl DecisionKind {
    pub const ALL: [DecisionKind; 4] =
        [DecisionKind::Opening, DecisionKind::Forced, DecisionKind::Cheap, DecisionKind::Full];

    /// The word for this kind in column `decision`.
    pub const fn name(self) -> &'static str {
        match self {
            DecisionKind::Opening => "opening",
            DecisionKind::Forced => "forced",
            DecisionKind::Cheap => "cheap",
            DecisionKind::Full => "full",
        }
    }

    /// Whether a search was made, so that the row has something to teach.
    pub const fn is_searched(self) -> bool {
        matches!(self, DecisionKind::Cheap | DecisionKind::Full)
    }
}

impl fmt::Display for DecisionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DecisionKind {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        NameError::find("decision", &DecisionKind::ALL, DecisionKind::name, text)
    }
}

/// One decision of a game: a row of the file. Values are from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    pub kind: DecisionKind,
    pub side: Side,
    /// The position before the action, as a string.
    pub position: String,
    /// The action played, as a string.
    pub action: String,
    /// Whether the rules are symmetric left to right here.
    pub mirror: bool,
    /// Zone counts of White and of Black, in the order of the game's zone kinds.
    pub zones: [Vec<u8>; 2],
    /// Indices of the legal actions, `[L]`.
    pub legal: Vec<u32>,
    /// Kind of each legal action, `[L]`.
    pub legal_kinds: Vec<u8>,
    /// Place of the action played among the legal ones.
    pub chosen: usize,
    /// Policy target, `[L]`, or empty without a search.
    pub policy: Vec<f32>,
    /// Visits of each legal action at the root, N(s, a), `[L]`, or empty without a search.
    pub visits: Vec<u32>,
    /// Value of each legal action in [-1, 1], Q(s, a), `[L]`, or empty without a search; `None` where it was not
    /// visited.
    pub q: Vec<Option<f32>>,
    /// Probability that the network gave the action played; `None` when the network was not asked.
    pub prior: Option<f32>,
    /// Divergence KL of the policy target from the network's policy, in nats; `None` without a search.
    pub policy_kl: Option<f32>,
    /// Win, draw, loss by the search; `None` without one.
    pub root_wdl: Option<Wdl>,
    /// Win, draw, loss by the network alone; `None` when it was not asked.
    pub net_wdl: Option<Wdl>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Index of the game within its generation.
    pub index: u64,
    pub outcome: Outcome,
    /// How the game would have been adjudicated, in a game played out to see whether that would have been right.
    pub overruled: Option<Outcome>,
    /// One a ply.
    pub decisions: Vec<Decision>,
    /// The encoded position of each decision.
    pub rows: Rows,
}

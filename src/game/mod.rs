//! Floor 2: rules. What a game is, and one folder for each game.
//!
//! Layout, lowest first:
//!
//! - [`error`]: what is wrong with a position, an action, an option or a name that came from outside.
//! - [`outcome`]: sides, results and why a game ended.
//! - [`wdl`]: the chances of a win, a draw and a loss.
//! - [`ruleset`]: a game's options and their identity, carried by every artefact.
//! - [`random`]: the streams of random numbers.
//! - [`pieces`]: the pieces on a board by kind and by side.
//! - `zobrist`, `text`, `ways`: what games on boards like that of chess share: words of keys, parts of position
//!   strings, planes of moves.
//! - `rules`: all that a search needs of a game (trait [`Rules`]).
//! - the facets, what other consumers need: `notation` ([`Notation`]), [`encoding`] ([`Encode`]), `facts` ([`Facts`]),
//!   `show` ([`Show`]), `xboard` ([`XBoard`]), `material` ([`Material`]).
//! - `attacked`: planes of the squares that pieces attack, for games in which they do.
//! - [`words`]: the names of a game and what is in it, in both languages ([`Words`]).
//! - `restriction`: what one side may not do ([`Restriction`]).
//! - `clocks`: where time goes ([`Clocks`]).
//! - `game`: the rules with all that stands around them ([`Game`]).
//! - [`history`]: repetition, which a position alone cannot show.
//! - [`perft`], [`batch`]: counting, and calls over slices of positions.
//! - [`random_game`]: positions of all kinds, at no cost.
//! - one folder for each game, with its rules and its planes in words.
//! - [`registry`]: from a game's id to its type.
//! - [`placement`]: the pieces that a position string shows.
//! - [`gesture`]: how an action's string is shown on a board.
//! - [`record`]: a game as a text.
//! - [`text_game`](mod@text_game): the rules in strings alone, for what need not be compiled for every game.
//! - [`shapes`]: drawings of pieces.
//! - [`picture`](mod@picture): a position as an SVG document.
//!
#![doc = include_str!("ADDING.md")]

mod attacked;
pub mod batch;
mod clocks;
pub mod encoding;
pub mod error;
mod facts;
#[expect(clippy::module_inception, reason = "a file is called after its one noun, and so is the room")]
mod game;
pub mod gesture;
pub mod history;
mod material;
mod notation;
pub mod omega;
pub mod outcome;
pub mod perft;
pub mod picture;
pub mod pieces;
pub mod placement;
pub mod random;
pub mod random_game;
pub mod record;
pub mod registry;
mod restriction;
mod rules;
pub mod ruleset;
pub mod shapes;
pub mod shatar;
pub mod shatara;
pub mod shatra;
mod show;
mod text;
pub mod text_game;
mod ways;
pub mod wdl;
pub mod words;
mod xboard;
mod zobrist;

pub use clocks::Clocks;
pub use encoding::{Context, Encode, Layout, PlaneInfo, RowMut};
pub use error::{ActionError, FieldError, NameError, PositionError, RulesError};
pub use facts::Facts;
pub use game::Game;
pub use history::History;
pub use material::Material;
pub use notation::Notation;
pub use outcome::{Outcome, Reason, Side};
pub use picture::picture;
pub use pieces::{PieceKind, Pieces};
pub use registry::Playable;
pub use restriction::{RESTRICTION, Restriction};
pub use rules::{Counters, Rules};
pub use ruleset::{Adjudication, Ruleset};
pub use show::{Mark, Show, SquareInfo};
pub(crate) use text::{Part, parts};
pub use text_game::{RandomPly, TextGame, text_game};
pub use wdl::Wdl;
pub use words::Words;
pub use xboard::XBoard;

//! Floor 1: rules. What a game is, and one folder for each game.
//!
//! Layout, lowest first:
//!
//! - [`error`]: what is wrong with a position, an action, an option or a name that came from outside.
//! - [`outcome`]: sides, results and why a game ended.
//! - [`wdl`]: the chances of a win, a draw and a loss.
//! - [`ruleset`]: a game's options and their identity, carried by every artefact.
//! - [`square`]: what there is to show of a board to a person who plays.
//! - [`random`]: the streams of random numbers.
//! - [`encoding`]: what a game looks like to a network (trait [`Encode`]).
//! - [`history`]: repetition, which a position alone cannot show.
//! - [`perft`], [`batch`]: counting, and calls over slices of positions.
//! - [`random_game`]: positions of all kinds, at no cost.
//! - [`timed`]: a game with a clock on its rules.
//! - [`restricted`]: a game in which one side may not do everything.
//! - `zobrist`, `text`, `ways`: what games on boards like that of chess share: words of keys, parts of position strings, planes of moves.
//! - one folder for each game, with its rules and its planes in words.
//! - [`registry`]: from a game's id to its type.
//! - [`placement`]: the men that a position string shows.
//! - [`gesture`]: how an action's string is shown on a board.
//! - [`spoken`]: the rules in strings alone, for what need not be compiled for every game.
//!
#![doc = include_str!("ADDING.md")]

pub mod batch;
pub mod encoding;
pub mod error;
pub mod gesture;
pub mod history;
pub mod omega;
pub mod outcome;
pub mod perft;
pub mod placement;
pub mod random;
pub mod random_game;
pub mod registry;
pub mod restricted;
pub mod ruleset;
pub mod shatar;
pub mod shatara;
pub mod shatra;
pub mod spoken;
pub mod square;
mod text;
pub mod timed;
mod ways;
pub mod wdl;
mod zobrist;

use std::{fmt::Debug, hash::Hash};

pub use encoding::{Encode, Layout, PlaneInfo, RowMut};
pub use error::{ActionError, FieldError, NameError, PositionError, RulesError};
pub use history::History;
pub use outcome::{Outcome, Reason, Side};
pub use restricted::{Restricted, Restriction};
pub use ruleset::{Adjudication, Ruleset};
pub use spoken::Spoken;
pub use square::{Mark, SquareInfo};
pub use wdl::Wdl;

/// The rules of one game. A value of the type is a ruleset: the game with its options settled.
///
/// A [`Position`](Game::Position) holds the whole state save the history, which belongs to the caller ([`History`]). The same side
/// may act twice in a row: whoever needs to know whose turn it is asks [`side_to_move`](Game::side_to_move), never the parity of a depth.
pub trait Game: Clone + Debug + Send + Sync + Sized + 'static {
    /// The state of a game: small, on the stack, compared field by field.
    type Position: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// One action of one side.
    type Action: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Names of the kinds of action, in the order of the numbers that [`action_kind`](Game::action_kind) gives.
    const ACTION_KINDS: &'static [&'static str];
    /// Letters of the kinds of men that a zone (reserve, stock, hand) can hold, in the order of [`zone`](Game::zone); empty when the game has none.
    const ZONE_KINDS: &'static str;
    /// Kinds of action that use the reserve or give a man another rank, a part of [`ACTION_KINDS`](Game::ACTION_KINDS): what statistics of reserve timing
    /// count as events.
    const RESERVE_KINDS: &'static [&'static str];
    /// The rules in the project's words, for users (Markdown).
    const RULES_TEXT: &'static str;
    /// Identity of this ruleset: game id, resolved options, hash.
    fn ruleset(&self) -> &Ruleset;
    /// The adjudications in force.
    fn adjudication(&self) -> Adjudication;

    /// The position in which every game starts.
    fn start(&self) -> Self::Position;
    /// Reads a position string.
    ///
    /// # Errors
    /// Names the field and the reason when the text is no position of this game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;
    /// Writes the one string of a position.
    fn position_string(&self, position: &Self::Position) -> String;
    /// Writes the one string of a legal action.
    fn action_string(&self, position: &Self::Position, action: Self::Action) -> String;
    /// Lines that teach XBoard the board and how men move, in answer to its `variant`: `setup` with the start, and a `piece` in Betza's notation a kind.
    /// Empty for a game that it knows.
    fn xboard(&self) -> String {
        String::new()
    }
    /// [`action_string`](Game::action_string) as programs write it that know boards of any shape, XBoard first: each square is named by its place on the grid
    /// of position strings, files from a and ranks from 1. A man that takes off another than the one it lands on, or stays where it stands, goes in two legs with a
    /// comma between, by way of the man it takes or an empty square, and so does one with which another of its side moves, by way of that one; `@@@@` is no move at all. The same where a game needs nothing of this.
    fn grid_string(&self, position: &Self::Position, action: Self::Action) -> String {
        self.action_string(position, action)
    }
    /// Reads the string of a legal action.
    ///
    /// # Errors
    /// When no legal action of the position has that string.
    fn parse_action(&self, position: &Self::Position, text: &str) -> Result<Self::Action, ActionError> {
        let mut actions = Vec::new();
        self.legal_actions(position, &mut actions);
        actions
            .into_iter()
            .find(|&action| self.action_string(position, action) == text)
            .ok_or_else(|| ActionError::new(text, self.position_string(position)))
    }

    /// Whose turn it is.
    fn side_to_move(&self, position: &Self::Position) -> Side;
    /// Replaces the content of `out` by the legal actions, in an order that is the same on every platform. Adjudicated draws do not empty it.
    fn legal_actions(&self, position: &Self::Position, out: &mut Vec<Self::Action>);
    /// Number of legal actions, without listing them where the game can.
    fn count_legal_actions(&self, position: &Self::Position) -> u64 {
        let mut actions = Vec::new();
        self.legal_actions(position, &mut actions);
        actions.len() as u64
    }
    /// Plays a legal action.
    fn apply(&self, position: &mut Self::Position, action: Self::Action);
    /// How the game ended, as far as the position alone shows (all but repetition), given its legal actions.
    fn outcome(&self, position: &Self::Position, legal: &[Self::Action]) -> Option<Outcome>;

    /// Hash of every field of the position string but the two counters: equal for positions that are "the same" for repetition. Kept incrementally.
    fn repetition_key(&self, position: &Self::Position) -> u64;
    /// Hash of every field of the position string.
    fn key(&self, position: &Self::Position) -> u64;
    /// How many plies back the same position can lie at most; bounds the search for repetitions.
    fn reversible_plies(&self, position: &Self::Position) -> u32;
    /// Whether the position counts as an occurrence for repetition (a game may count only starts of turns).
    fn counts_for_repetition(&self, _position: &Self::Position) -> bool {
        true
    }
    /// Plies from the start by the position's own counters (`2*(fullmove-1)`, plus 1 with Black to move).
    fn ply(&self, position: &Self::Position) -> u32;

    /// Kind of an action, an index of [`ACTION_KINDS`](Game::ACTION_KINDS).
    fn action_kind(&self, position: &Self::Position, action: Self::Action) -> usize;
    /// Men of one side's zone by kind, as many numbers as [`ZONE_KINDS`](Game::ZONE_KINDS) has letters.
    fn zone(&self, position: &Self::Position, side: Side) -> Vec<u8>;
    /// Men of one side that wait to be brought on, wherever they wait: in its zone, or on the board in a game whose reserve stands there.
    fn reserve(&self, position: &Self::Position, side: Side) -> u32;
    /// Material balance in centipawns, White minus Black; what the baseline players look at.
    fn material(&self, position: &Self::Position) -> i32;
    /// The board and the zones drawn as text, White below, for a person.
    fn draw(&self, position: &Self::Position) -> String;
    /// The square at a place of the grid of position strings, row 0 on White's side, column 0 on White's left; `None` for a hole. Squares are named as in
    /// actions' strings. Where a game says nothing every place is a square, files from a and ranks from 1.
    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        Some(SquareInfo::on_grid(row, column))
    }
    /// What the position knows of men beside where they stand, by the name of the square: what a person must see to know the legal actions.
    fn marks(&self, _position: &Self::Position) -> Vec<(String, Mark)> {
        Vec::new()
    }
}

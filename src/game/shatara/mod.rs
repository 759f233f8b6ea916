//! Shatara Arena and its `chess` preset. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! Lowest first: `kind` (kinds of pieces, the ladder), `options`, `action`, `position`, `keys` (Zobrist words), `check`
//! (attacks and pins), `sink` (where generated actions go), `support` (ladder and reinforcement), `movegen` (legal
//! actions), `play` (playing one), `ending`; the facets: `notation` (position strings), `facts`, `show`,
//! `xboard`, `material`, `encode` (a position for a network).

mod action;
mod check;
mod encode;
mod ending;
mod facts;
mod keys;
mod kind;
mod material;
mod movegen;
mod notation;
mod options;
mod play;
mod position;
mod show;
mod sink;
mod support;
mod xboard;

pub use action::{Action, ActionKind};
pub use kind::Kind;
pub use options::{Options, PromotionAfter, PromotionStock};
pub use position::{Castling, Pieces, Position, Wing};

use super::{Counters, Game, Outcome, Rules, RulesError, Side, ruleset::resolve_options};
use crate::board::{Bitboard, Square};

/// The rules of Shatara Arena under one set of options.
#[derive(Clone, Debug)]
pub struct Shatara {
    options: Options,
    preset: Preset,
    start: Position,
}

/// The options that a game begins from. What other programs see of the game follows it, whatever is laid over its
/// options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Preset {
    Shatara,
    Chess,
}

impl Shatara {
    /// Shatara Arena with `overrides` laid over the default options.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn game(overrides: &toml::Table) -> Result<Game<Shatara>, RulesError> {
        Shatara::preset(Preset::Shatara, overrides)
    }

    /// The `chess` preset with `overrides` laid over it.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn chess(overrides: &toml::Table) -> Result<Game<Shatara>, RulesError> {
        Shatara::preset(Preset::Chess, overrides)
    }

    fn preset(preset: Preset, overrides: &toml::Table) -> Result<Game<Shatara>, RulesError> {
        let (id, defaults) = match preset {
            Preset::Shatara => ("shatara", Options::default()),
            Preset::Chess => ("chess", Options::chess()),
        };
        let error = |reason| RulesError::Option { game: id.to_owned(), reason };
        let options = resolve_options(id, &defaults, overrides)?.validated().map_err(error)?;
        let start = Position::start(options.reserve_counts().map_err(error)?);
        Ok(Game::new(Shatara { options: options.clone(), preset, start }, id, &options))
    }

    /// The options.
    #[inline]
    pub fn options(&self) -> &Options {
        &self.options
    }
}

impl Rules for Shatara {
    type Position = Position;
    type Action = Action;

    fn start(&self) -> Position {
        self.start
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.side
    }

    /// Nothing that resets the clock can be undone: captures and pawns that move or are promoted are gone, and support
    /// actions only ever strengthen the arena.
    fn counters(&self, position: &Position) -> Counters {
        Counters::new(position.key, position.clock, position.fullmove)
    }

    fn legal_actions(&self, position: &Position, out: &mut Vec<Action>) {
        out.clear();
        movegen::generate(&self.options, position, out);
    }

    fn count_legal_actions(&self, position: &Position) -> u64 {
        let mut count = sink::Count(0);
        movegen::generate(&self.options, position, &mut count);
        count.0
    }

    fn apply(&self, position: &mut Position, action: Action) {
        play::apply(&self.options, position, action);
        debug_assert_eq!(position.key, keys::fresh(position));
    }

    fn ending(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        ending::ending(position, legal)
    }

    fn is_dead(&self, position: &Position) -> bool {
        ending::is_dead(&self.options, position)
    }
}

impl Position {
    /// The pieces of chess in their places, `reserve` in each zone (§1).
    fn start(reserve: [u8; 5]) -> Self {
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut position = Position {
            pieces: Pieces::EMPTY,
            moved: Bitboard::EMPTY,
            key: 0,
            clock: 0,
            fullmove: 1,
            zones: [reserve; 2],
            castling: Castling(15),
            en_passant: None,
            side: Side::White,
        };
        for (file, kind) in [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook].into_iter().enumerate() {
            position.pieces.toggle(Side::White, kind, Square::at(file, 0));
            position.pieces.toggle(Side::Black, kind, Square::at(file, 7));
        }
        position.pieces.toggle_all(Side::White, Pawn, Bitboard::rank(1));
        position.pieces.toggle_all(Side::Black, Pawn, Bitboard::rank(6));
        position.key = keys::fresh(&position);
        position
    }
}

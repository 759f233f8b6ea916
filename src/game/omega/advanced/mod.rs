//! Omega Chess Advanced. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! It stands on [omega](super): its squares, kinds, attacks, masks of checks and pins. Lowest first: `piece` (a kind or
//! a fool), `options`, `reach` (ways of fools and templar knights), `action`, `pair` (castling and guarding), `homes`
//! (where pieces start), `position` (with its key, and playing an action), `movegen` (legal actions, kind by kind); the
//! facets: `notation` (position strings), `facts`, `show`, `xboard`, `material`, `ways` and `encode` (a position for a
//! network).

mod action;
mod encode;
mod facts;
mod homes;
mod material;
mod movegen;
mod notation;
mod options;
mod pair;
mod piece;
mod position;
mod reach;
mod show;
mod ways;
mod xboard;

pub use action::{Action, Suffix};
pub use options::Options;
pub use piece::Piece;
pub use position::Position;

use super::{Bitboard, Kind, Pieces, Square, start};
use crate::game::{Counters, Game, Outcome, Reason, Rules, RulesError, Side, ruleset::resolve_options};

const ID: &str = "omega-advanced";

/// The rules of Omega Chess Advanced under one set of options.
#[derive(Clone, Debug)]
pub struct OmegaAdvanced {
    options: Options,
}

impl OmegaAdvanced {
    /// The game with `overrides` laid over the default options.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn game(overrides: &toml::Table) -> Result<Game<OmegaAdvanced>, RulesError> {
        let options = resolve_options(ID, &Options::default(), overrides)?;
        Ok(Game::new(OmegaAdvanced { options: options.clone() }, ID, &options))
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

impl Rules for OmegaAdvanced {
    type Position = Position;
    type Action = Action;

    /// §8.
    fn start(&self) -> Position {
        let mut position = Position::empty();
        start::pieces().for_each(|(side, kind, square)| position.toggle(side, Piece::Plain(kind), square));
        position.set_unmoved(homes::in_order().collect());
        [Side::White, Side::Black].into_iter().for_each(|side| position.toggle_hand(side));
        position
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.side_to_move()
    }

    fn counters(&self, position: &Position) -> Counters {
        Counters::new(position.key(), position.clock(), position.fullmove())
    }

    fn legal_actions(&self, position: &Position, out: &mut Vec<Action>) {
        out.clear();
        movegen::generate(position, &self.options, |from, targets, suffix| {
            out.extend(targets.into_iter().map(|to| Action::new(from, to, suffix)));
        });
    }

    fn count_legal_actions(&self, position: &Position) -> u64 {
        let mut count = 0;
        movegen::generate(position, &self.options, |_, targets, _| count += u64::from(targets.count()));
        count
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action, &self.options);
        debug_assert_eq!(position.key(), position.fresh_key());
    }

    /// §7.
    fn ending(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        let side = position.side_to_move();
        legal.is_empty().then(|| match movegen::in_check(position, side) {
            true => Outcome::win(!side, Reason::Checkmate),
            false => Outcome::draw(Reason::Stalemate),
        })
    }

    /// King against king, or with one knight, bishop, champion or wizard on the whole board, and no fool on the board
    /// or in hand (§7).
    fn is_dead(&self, position: &Position) -> bool {
        let pieces = position.pieces();
        let heavy = pieces.kind(Kind::Pawn) | pieces.kind(Kind::Rook) | pieces.kind(Kind::Queen);
        let fools = |side| position.fools(side).any() || position.has_fool_in_hand(side);
        heavy.is_empty() && pieces.occupied().count() <= 3 && !fools(Side::White) && !fools(Side::Black)
    }
}

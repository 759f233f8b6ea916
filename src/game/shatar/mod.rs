//! Shatar. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! Lowest first: `kind` (kinds of pieces), `options`, `action`, `position` (with its key, and playing an action),
//! `movegen` (attacks, legal actions); the facets: `notation` (position strings), `facts`, `show`, `xboard`,
//! `material`, `encode` (a position for a network).

mod action;
mod encode;
mod facts;
mod kind;
mod material;
mod movegen;
mod notation;
mod options;
mod position;
mod show;
mod xboard;

pub use action::Action;
pub use kind::Kind;
pub use options::Options;
pub use position::{Pieces, Position};

use super::{Counters, Game, Outcome, Reason, Rules, RulesError, Side, ruleset::resolve_options};
use crate::board::Square;

/// The rules of Shatar.
#[derive(Clone, Copy, Debug)]
pub struct Shatar;

impl Shatar {
    /// The game with `overrides` laid over the default options.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn game(overrides: &toml::Table) -> Result<Game<Shatar>, RulesError> {
        let options = resolve_options("shatar", &Options::default(), overrides)?;
        Ok(Game::new(Shatar, "shatar", &options))
    }
}

impl Rules for Shatar {
    type Position = Position;
    type Action = Action;

    fn start(&self) -> Position {
        use Kind::{Bers, Khan, Noyan, Qayin, Teme, Vizier};
        let mut position = Position::empty();
        for (file, kind) in [Bers, Noyan, Teme, Vizier, Khan, Teme, Noyan, Bers].into_iter().enumerate() {
            for (side, rank, qayins) in [(Side::White, 0, 1), (Side::Black, 7, 6)] {
                position.toggle(side, kind, Square::at(file, rank));
                position.toggle(side, Qayin, Square::at(file, qayins));
            }
        }
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
        movegen::generate(position, |from, targets| out.extend(targets.into_iter().map(|to| Action::new(from, to))));
    }

    fn count_legal_actions(&self, position: &Position) -> u64 {
        let mut count = 0;
        movegen::generate(position, |_, targets| count += u64::from(targets.count()));
        count
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
        debug_assert_eq!(position.key(), position.fresh_key());
    }

    /// §3.
    fn ending(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        let side = position.side_to_move();
        legal.is_empty().then(|| match movegen::in_check(position, side) {
            true => Outcome::win(!side, Reason::Checkmate),
            false => Outcome::draw(Reason::Stalemate),
        })
    }

    /// Khans alone, or with one noyan or teme on the whole board. Any qayin counts, a stuck one too (§3).
    fn is_dead(&self, position: &Position) -> bool {
        let pieces = position.pieces();
        let heavy = pieces.kind(Kind::Qayin) | pieces.kind(Kind::Bers) | pieces.kind(Kind::Vizier);
        let light = pieces.kind(Kind::Noyan) | pieces.kind(Kind::Teme);
        heavy.is_empty() && !light.many()
    }
}

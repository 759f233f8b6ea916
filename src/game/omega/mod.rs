//! Omega Chess. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! Lowest first: `square`, `bitboard` (the board with its corners), `kind` (kinds of pieces), `options`, `attacks`
//! (ways of pieces and lines), `pieces` (which pieces stand where), `safety` (what attacks a king), `action`,
//! `castling`, `start`, `position` (with its key, and playing an action), `movegen` (legal actions); the facets:
//! `notation` (position strings), `facts`, `show`, `xboard`, `material`, `ways` and `encode` (a position for a
//! network); [`advanced`], the game that stands on this one.

mod action;
pub mod advanced;
mod attacks;
mod bitboard;
mod castling;
mod encode;
mod facts;
mod kind;
mod material;
mod movegen;
mod notation;
mod options;
mod pieces;
mod position;
mod safety;
mod show;
mod square;
mod start;
mod ways;
mod xboard;

pub use action::Action;
pub use bitboard::{Bitboard, Squares};
pub use kind::Kind;
pub use options::Options;
pub use pieces::Pieces;
pub use position::Position;
pub use square::{Square, SquareError};

use super::{Counters, Game, Outcome, Reason, Rules, RulesError, Side, ruleset::resolve_options};

/// The rules of Omega Chess.
#[derive(Clone, Copy, Debug)]
pub struct Omega;

impl Omega {
    /// The game with `overrides` laid over the default options.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn game(overrides: &toml::Table) -> Result<Game<Omega>, RulesError> {
        let options = resolve_options("omega", &Options::default(), overrides)?;
        Ok(Game::new(Omega, "omega", &options))
    }
}

impl Rules for Omega {
    type Position = Position;
    type Action = Action;

    /// §2.
    fn start(&self) -> Position {
        let mut position = Position::empty();
        start::pieces().for_each(|(side, kind, square)| position.toggle(side, kind, square));
        let mut rights = castling::Rights::default();
        castling::Castling::ALL.iter().for_each(|way| rights.add(way));
        position.set_rights(rights);
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
        let promoting = promoting(position);
        movegen::generate(position, |from, targets| {
            let moves = targets.into_iter().map(|to| Action::new(from, to));
            // A pawn on the rank before the far one has no other targets.
            if promoting.0.has(from) && (targets & promoting.1).any() {
                moves.for_each(|action| out.extend(Kind::PROMOTIONS.map(|kind| action.becoming(kind))));
            } else {
                out.extend(moves);
            }
        });
    }

    fn count_legal_actions(&self, position: &Position) -> u64 {
        let promoting = promoting(position);
        let mut count = 0;
        movegen::generate(position, |from, targets| {
            let becoming = if promoting.0.has(from) { (targets & promoting.1).count() } else { 0 };
            count += u64::from(targets.count() + (Kind::PROMOTIONS.len() as u32 - 1) * becoming);
        });
        count
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
        debug_assert_eq!(position.key(), position.fresh_key());
    }

    /// §4.
    fn ending(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        let side = position.side_to_move();
        legal.is_empty().then(|| match safety::in_check(position.pieces(), side) {
            true => Outcome::win(!side, Reason::Checkmate),
            false => Outcome::draw(Reason::Stalemate),
        })
    }

    /// King against king, or with one knight, bishop, champion or wizard on the whole board (§4).
    fn is_dead(&self, position: &Position) -> bool {
        let pieces = position.pieces();
        let heavy = pieces.kind(Kind::Pawn) | pieces.kind(Kind::Rook) | pieces.kind(Kind::Queen);
        heavy.is_empty() && pieces.occupied().count() <= 3
    }
}

/// Pawns of the side to move, and the squares on which they become other pieces.
fn promoting(position: &Position) -> (Bitboard, Bitboard) {
    let side = position.side_to_move();
    (position.pieces().of(side, Kind::Pawn), movegen::far_rank(side))
}

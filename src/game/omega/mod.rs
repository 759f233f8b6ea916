//! Omega Chess. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! Lowest first: `square`, `bitboard` (the board with its corners), `kind` (kinds of men), `rules` (options), `attacks` (ways of men and lines),
//! `men` (which men stand where), `safety` (what attacks a king), `action`, `castling`, `start`, `position` (with its key, and playing an action),
//! `movegen` (legal actions), `notation` (position strings), `drawing`, `ways` and `encode` (a position for a network); [`advanced`], the game that stands on
//! this one.

mod action;
pub mod advanced;
mod attacks;
mod bitboard;
mod castling;
mod drawing;
mod encode;
mod kind;
mod men;
mod movegen;
mod notation;
mod position;
mod rules;
mod safety;
mod square;
mod start;
mod ways;

pub use action::Action;
pub use bitboard::{Bitboard, Squares};
pub use kind::Kind;
pub use position::Position;
pub use rules::Rules;
pub use square::{Square, SquareError};

use men::Men;

use super::{
    Adjudication, Game, Outcome, PositionError, Reason, RulesError, Ruleset, Side, SquareInfo,
    ruleset::resolve_options, zobrist,
};

/// Omega Chess under one set of options.
#[derive(Clone, Debug)]
pub struct Omega {
    rules: Rules,
    ruleset: Ruleset,
}

impl Omega {
    /// Omega with `overrides` laid over the defaults.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn from_options(overrides: &toml::Table) -> Result<Self, RulesError> {
        let rules = resolve_options("omega", &Rules::default(), overrides)?;
        Ok(Omega { ruleset: Ruleset::new("omega", &rules), rules })
    }

    /// The options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

impl Game for Omega {
    type Position = Position;
    type Action = Action;

    const ACTION_KINDS: &'static [&'static str] = &["quiet", "capture", "en_passant", "promotion", "castling"];
    const ZONE_KINDS: &'static str = "";
    const RESERVE_KINDS: &'static [&'static str] = &["promotion"];
    const RULES_TEXT: &'static str = include_str!("RULES.md");

    fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    fn adjudication(&self) -> Adjudication {
        Adjudication {
            repetition: self.rules.repetition,
            no_progress_plies: self.rules.no_progress_plies,
            max_plies: self.rules.max_plies,
        }
    }

    /// §2.
    fn start(&self) -> Position {
        let mut position = Position::empty();
        start::men().for_each(|(side, kind, square)| position.toggle(side, kind, square));
        let mut rights = castling::Rights::default();
        castling::Castling::ALL.iter().for_each(|way| rights.add(way));
        position.set_rights(rights);
        position
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        notation::parse(text)
    }

    fn position_string(&self, position: &Position) -> String {
        position.to_string()
    }

    fn action_string(&self, _: &Position, action: Action) -> String {
        action.to_string()
    }

    fn xboard(&self) -> String {
        include_str!("xboard.txt").to_owned()
    }

    /// From a1 to l12: the arena begins at b2.
    fn grid_string(&self, _: &Position, action: Action) -> String {
        let becomes = action.promotion().map(|kind| kind.letter().to_ascii_lowercase());
        format!(
            "{}{}{}",
            action.from().grid_name(),
            action.to().grid_name(),
            becomes.map(String::from).unwrap_or_default()
        )
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.side_to_move()
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
    fn outcome(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        let side = position.side_to_move();
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        let reason = if legal.is_empty() {
            if movegen::in_check(position.placement(), side) {
                return Some(Outcome::win(!side, Reason::Checkmate));
            }
            Reason::Stalemate
        } else if reached(self.rules.no_progress_plies, position.clock) {
            Reason::NoProgress
        } else if insufficient(position) {
            Reason::Insufficient
        } else if reached(self.rules.max_plies, position.ply()) {
            Reason::MaxPlies
        } else {
            return None;
        };
        Some(Outcome::draw(reason))
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn key(&self, position: &Position) -> u64 {
        zobrist::with_counters(position.key(), position.clock, position.fullmove)
    }

    /// Captures and moves of pawns, which reset the clock, cannot be undone.
    fn reversible_plies(&self, position: &Position) -> u32 {
        position.clock
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn action_kind(&self, position: &Position, action: Action) -> usize {
        let (from, to) = (action.from(), action.to());
        let is = |kind| position.kind(kind).has(from);
        if action.promotion().is_some() {
            3
        } else if position.occupied().has(to) {
            1
        } else if is(Kind::Pawn) && from.column() != to.column() {
            2
        } else if is(Kind::King) && from.column().abs_diff(to.column()) == 2 {
            4
        } else {
            0
        }
    }

    fn zone(&self, _: &Position, _: Side) -> Vec<u8> {
        Vec::new()
    }

    fn reserve(&self, _: &Position, _: Side) -> u32 {
        0
    }

    fn material(&self, position: &Position) -> i32 {
        let worth = |side: Side| -> i32 {
            Kind::ALL.into_iter().map(|kind| kind.worth() * position.men(side, kind).count() as i32).sum()
        };
        worth(Side::White) - worth(Side::Black)
    }

    /// The board with coordinates, White below, the corners beside the ranks, and whose turn it is.
    fn draw(&self, position: &Position) -> String {
        let board = drawing::board(|square| notation::letter(position, square));
        format!("{board}     {}      {} to move\n", drawing::FILES, position.side_to_move())
    }

    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        Square::at(column, row).map(Square::info)
    }
}

/// Pawns of the side to move, and the squares on which they become other men.
fn promoting(position: &Position) -> (Bitboard, Bitboard) {
    let side = position.side_to_move();
    (position.men(side, Kind::Pawn), movegen::far_rank(side))
}

/// King against king, or with one knight, bishop, champion or wizard on the whole board (§4).
fn insufficient(position: &Position) -> bool {
    let heavy = position.kind(Kind::Pawn) | position.kind(Kind::Rook) | position.kind(Kind::Queen);
    heavy.is_empty() && position.occupied().count() <= 3
}

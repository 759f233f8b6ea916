//! Shatar. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! Lowest first: `kind` (kinds of men), `rules` (options), `action`, `position` (with its key, and playing an action), `movegen` (attacks, legal actions),
//! `notation` (position strings), `encode` (a position for a network).

mod action;
mod encode;
mod kind;
mod movegen;
mod notation;
mod position;
mod rules;

pub use action::Action;
pub use kind::Kind;
pub use position::Position;
pub use rules::Rules;

use super::{
    Adjudication, Game, Outcome, PositionError, Reason, RulesError, Ruleset, Side, ruleset::resolve_options, zobrist,
};
use crate::board::{Bitboard, Square};

/// Shatar under one set of options.
#[derive(Clone, Debug)]
pub struct Shatar {
    rules: Rules,
    ruleset: Ruleset,
}

impl Shatar {
    /// Shatar with `overrides` laid over the defaults.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn from_options(overrides: &toml::Table) -> Result<Self, RulesError> {
        let rules = resolve_options("shatar", &Rules::default(), overrides)?;
        Ok(Shatar { ruleset: Ruleset::new("shatar", &rules), rules })
    }

    /// The options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

impl Game for Shatar {
    type Position = Position;
    type Action = Action;

    const ACTION_KINDS: &'static [&'static str] = &["quiet", "capture"];
    const ZONE_KINDS: &'static str = "";
    const RESERVE_KINDS: &'static [&'static str] = &[];
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

    fn side_to_move(&self, position: &Position) -> Side {
        position.side_to_move()
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
    fn outcome(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        let side = position.side_to_move();
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        let reason = if legal.is_empty() {
            if movegen::in_check(position, side) {
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

    /// Captures and moves of qayins, which reset the clock, cannot be undone.
    fn reversible_plies(&self, position: &Position) -> u32 {
        position.clock
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn action_kind(&self, position: &Position, action: Action) -> usize {
        usize::from(position.occupied().has(action.to()))
    }

    fn zone(&self, _: &Position, _: Side) -> Vec<u8> {
        Vec::new()
    }

    fn reserve(&self, _: &Position, _: Side) -> u32 {
        0
    }

    /// A qayin that does not promote is worth less than a pawn of chess, and nothing once it is stuck.
    fn material(&self, position: &Position) -> i32 {
        const VALUES: [i32; 5] = [60, 300, 320, 500, 900];
        let worth = |side: Side| -> i32 {
            let men = Kind::ALL[..5].iter().zip(VALUES);
            let all: i32 = men.map(|(&kind, value)| value * position.men(side, kind).count() as i32).sum();
            let last = Bitboard::rank(if side == Side::White { 7 } else { 0 });
            all - VALUES[0] * (position.men(side, Kind::Qayin) & last).count() as i32
        };
        worth(Side::White) - worth(Side::Black)
    }

    /// The board with coordinates, White below, and whose turn it is.
    fn draw(&self, position: &Position) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            text += &format!("{} ", rank + 1);
            for file in 0..8 {
                text.push(' ');
                text.push(notation::letter(position, Square::at(file, rank)).unwrap_or('.'));
            }
            text.push('\n');
        }
        text + &format!("   a b c d e f g h    {} to move\n", position.side_to_move())
    }
}

/// Khans alone, or with one noyan or teme on the whole board. Any qayin counts, a stuck one too.
fn insufficient(position: &Position) -> bool {
    let heavy = position.kind(Kind::Qayin) | position.kind(Kind::Bers) | position.kind(Kind::Vizier);
    let light = position.kind(Kind::Noyan) | position.kind(Kind::Teme);
    heavy.is_empty() && !light.many()
}

//! Altai Shatra. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! Lowest first: `square` (the board and its regions), `lines`, `kind` (kinds of pieces), `options`, `action`, `series`
//! (a capture under way), `position` (with its key), `jumps` (captures of one piece), `movegen` (legal actions), `play`
//! (playing an action); the facets: `notation` (position strings), `facts`, `show`, `xboard`, `material`, `ways` and
//! `encode` (a position for a network).

mod action;
mod encode;
mod facts;
mod jumps;
mod kind;
mod lines;
mod material;
mod movegen;
mod notation;
mod options;
mod play;
mod position;
mod series;
mod show;
mod square;
mod ways;
mod xboard;

pub use action::{Action, ActionKind};
pub use kind::Kind;
pub use options::{KingRefusal, Options};
pub use position::{Pieces, Position};
pub use series::Series;
pub use square::{Bitboard, Square, SquareError, Squares};

use square::COLUMNS;

use super::{Counters, Game, Outcome, Reason, Rules, RulesError, Side, ruleset::resolve_options};

/// The rules of Altai Shatra under one set of options.
#[derive(Clone, Debug)]
pub struct Shatra {
    options: Options,
}

impl Shatra {
    /// The game with `overrides` laid over the default options.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn game(overrides: &toml::Table) -> Result<Game<Shatra>, RulesError> {
        let options = resolve_options("shatra", &Options::default(), overrides)?;
        Ok(Game::new(Shatra { options: options.clone() }, "shatra", &options))
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

impl Rules for Shatra {
    type Position = Position;
    type Action = Action;

    /// §2.
    fn start(&self) -> Position {
        use Kind::{Batyr, Biy, Shatra, Tura, Yalkyn};
        let mut position = Position::empty();
        // Column and row as White sees its own home.
        let reserve = [
            (Biy, 3, 3),
            (Batyr, 3, 0),
            (Tura, 3, 1),
            (Tura, 3, 2),
            (Yalkyn, 2, 2),
            (Yalkyn, 4, 2),
            (Shatra, 2, 0),
            (Shatra, 4, 0),
            (Shatra, 2, 1),
            (Shatra, 4, 1),
        ];
        let field = (0..COLUMNS).map(|column| (Shatra, column, 4));
        for (kind, column, row) in reserve.into_iter().chain(field) {
            let Some(square) = Square::at(column, row) else { continue };
            for (side, square) in [(Side::White, square), (Side::Black, square.flip())] {
                position.toggle(side, kind, square);
                if Bitboard::home(side).has(square) {
                    position.toggle_reserve(square);
                }
            }
        }
        position
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.side_to_move()
    }

    /// Positions count for repetition at the start of a turn (§8).
    fn counters(&self, position: &Position) -> Counters {
        let counters = Counters::new(position.key(), position.clock(), position.fullmove());
        Counters { is_occurrence: position.series().is_none(), ..counters }
    }

    fn legal_actions(&self, position: &Position, out: &mut Vec<Action>) {
        out.clear();
        movegen::generate(position, self.options.king_refusal, |action| out.push(action));
    }

    fn count_legal_actions(&self, position: &Position) -> u64 {
        let mut count = 0;
        movegen::generate(position, self.options.king_refusal, |_| count += 1);
        count
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
        debug_assert_eq!(position.key(), position.fresh_key());
    }

    /// §8.
    fn ending(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        let side = position.side_to_move();
        let kingless =
            [Side::White, Side::Black].into_iter().find(|&side| position.pieces().of(side, Kind::Biy).is_empty());
        match kingless {
            Some(loser) => Some(Outcome::win(!loser, Reason::KingCaptured)),
            None => legal.is_empty().then_some(Outcome::win(!side, Reason::NoAction)),
        }
    }
}

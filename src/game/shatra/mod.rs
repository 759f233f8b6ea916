//! Altai Shatra. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! Lowest first: `square` (the board and its regions), `lines`, `kind` (kinds of men), `rules` (options), `action`, `series` (a capture under way), `position`
//! (with its key), `jumps` (captures of one man), `movegen` (legal actions), `play` (playing an action), `notation` (position strings), `ways` and
//! `encode` (a position for a network).

mod action;
mod encode;
mod jumps;
mod kind;
mod lines;
mod movegen;
mod notation;
mod play;
mod position;
mod rules;
mod series;
mod square;
mod ways;

pub use action::{Action, ActionKind};
pub use kind::Kind;
pub use position::Position;
pub use rules::{KingRefusal, Rules};
pub use series::Series;
pub use square::{Bitboard, Square, SquareError, Squares};

use square::{COLUMNS, ROWS};

use super::{
    Adjudication, Game, Mark, Outcome, PositionError, Reason, RulesError, Ruleset, Side, SquareInfo,
    ruleset::resolve_options, zobrist,
};

/// Altai Shatra under one set of options.
#[derive(Clone, Debug)]
pub struct Shatra {
    rules: Rules,
    ruleset: Ruleset,
}

impl Shatra {
    /// Shatra with `overrides` laid over the defaults.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn from_options(overrides: &toml::Table) -> Result<Self, RulesError> {
        let rules = resolve_options("shatra", &Rules::default(), overrides)?;
        Ok(Shatra { ruleset: Ruleset::new("shatra", &rules), rules })
    }

    /// The options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

impl Game for Shatra {
    type Position = Position;
    type Action = Action;

    const ACTION_KINDS: &'static [&'static str] = &["quiet", "jump", "placing", "promotion", "stop"];
    const ZONE_KINDS: &'static str = "QRB";
    const RESERVE_KINDS: &'static [&'static str] = &["placing", "promotion"];
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

    /// A jump goes by way of the man that it captures. A placing is a move as any other: where a step or slide goes the same way, one string stands for both, which
    /// lead to the same but for the clock.
    fn grid_string(&self, position: &Position, action: Action) -> String {
        let (from, to) = (action.from(), action.to());
        match action.kind() {
            ActionKind::Jump => {
                let over = position.jumped_by(action);
                let becomes = action.promotion().map(|kind| kind.letter().to_ascii_lowercase());
                format!("{from}{over},{over}{to}{}", becomes.map(String::from).unwrap_or_default())
            }
            ActionKind::Placing => format!("{from}{to}"),
            ActionKind::Stop => "@@@@".to_owned(),
            ActionKind::Quiet => action.to_string(),
        }
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.side_to_move()
    }

    fn legal_actions(&self, position: &Position, out: &mut Vec<Action>) {
        out.clear();
        movegen::generate(position, self.rules.king_refusal, |action| out.push(action));
    }

    fn count_legal_actions(&self, position: &Position) -> u64 {
        let mut count = 0;
        movegen::generate(position, self.rules.king_refusal, |_| count += 1);
        count
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
        debug_assert_eq!(position.key(), position.fresh_key());
    }

    /// §8.
    fn outcome(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        let side = position.side_to_move();
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        if let Some(winner) = [side, !side].into_iter().find(|&side| position.men(!side, Kind::Biy).is_empty()) {
            Some(Outcome::win(winner, Reason::KingCaptured))
        } else if legal.is_empty() {
            Some(Outcome::win(!side, Reason::NoAction))
        } else if reached(self.rules.no_progress_plies, position.clock) {
            Some(Outcome::draw(Reason::NoProgress))
        } else if reached(self.rules.max_plies, position.ply()) {
            Some(Outcome::draw(Reason::MaxPlies))
        } else {
            None
        }
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn key(&self, position: &Position) -> u64 {
        zobrist::with_counters(position.key(), position.clock, position.fullmove)
    }

    /// Nothing that resets the clock can be undone.
    fn reversible_plies(&self, position: &Position) -> u32 {
        position.clock
    }

    /// Positions count at the start of a turn (§8).
    fn counts_for_repetition(&self, position: &Position) -> bool {
        position.series().is_none()
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn action_kind(&self, _: &Position, action: Action) -> usize {
        match (action.promotion(), action.kind()) {
            (Some(_), _) => 3,
            (None, ActionKind::Quiet) => 0,
            (None, ActionKind::Jump) => 1,
            (None, ActionKind::Placing) => 2,
            (None, ActionKind::Stop) => 4,
        }
    }

    /// The stock (§7).
    fn zone(&self, position: &Position, side: Side) -> Vec<u8> {
        position.stock(side).to_vec()
    }

    /// The initial reserve (§3).
    fn reserve(&self, position: &Position, side: Side) -> u32 {
        position.reserve(side).count()
    }

    /// A man jumped in the series under way counts no more.
    fn material(&self, position: &Position) -> i32 {
        const VALUES: [i32; 4] = [100, 320, 500, 900];
        let jumped = position.series().map_or(Bitboard::EMPTY, |series| series.jumped_set());
        let worth = |side: Side| -> i32 {
            let men = Kind::ALL[..4].iter().zip(VALUES);
            men.map(|(&kind, value)| value * (position.men(side, kind) & !jumped).count() as i32).sum()
        };
        worth(Side::White) - worth(Side::Black)
    }

    /// The board with coordinates, White below, the stocks, whose turn it is, what is under way, and who has not left the initial reserve.
    fn draw(&self, position: &Position) -> String {
        let mut text = String::new();
        for row in (0..ROWS).rev() {
            let places = (0..COLUMNS).map(|column| {
                let man = |square| notation::letter(position, square).unwrap_or('.');
                Square::at(column, row).map_or(' ', man).to_string()
            });
            let mut line = format!("{:2}  {:13}", row + 1, places.collect::<Vec<_>>().join(" "));
            for (side, beside) in [(Side::Black, ROWS - 1), (Side::White, 0)] {
                if row == beside {
                    line += &format!("    stock  {}", notation::stock_letters(position, side));
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text += &format!("    a b c d e f g    {} to move", position.side_to_move());
        if let Some(series) = position.series() {
            text += &format!(", {} jumps on", series.jumper());
        }
        let reserve = position.reserve(Side::White) | position.reserve(Side::Black);
        if reserve.any() {
            let squares: Vec<String> = reserve.into_iter().map(|square| square.to_string()).collect();
            text += &format!("\n    initial reserve  {}", squares.join(" "));
        }
        text + "\n"
    }

    /// Fortress and gate are a side's home.
    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        Square::at(column, row).map(|square| {
            let home = [Side::White, Side::Black].into_iter().find(|&side| Bitboard::home(side).has(square));
            SquareInfo { name: square.to_string(), home }
        })
    }

    /// The initial reserve, and the series under way.
    fn marks(&self, position: &Position) -> Vec<(String, Mark)> {
        let reserve = position.reserve(Side::White) | position.reserve(Side::Black);
        let reserve = reserve.into_iter().map(|square| (square, Mark::Reserve));
        let series = position.series().into_iter().flat_map(|series| {
            let jumped = series.jumped().map(|square| (square, Mark::Jumped));
            std::iter::once((series.jumper(), Mark::Jumper)).chain(jumped)
        });
        reserve.chain(series).map(|(square, mark)| (square.to_string(), mark)).collect()
    }
}

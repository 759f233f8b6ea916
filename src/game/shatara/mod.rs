//! Shatara Arena and its `chess` preset. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! Lowest first: `kind` (kinds of men, the ladder), `rules` (options), `action`, `position`, `keys` (Zobrist words), `check` (attacks on kings, pins), `notation`
//! (position strings), `support` (ladder and reinforcement), `movegen` (legal actions), `play` (playing one), `ending`, `drawing` (a position for a person), `encode` (a position for a network).

mod action;
mod check;
mod drawing;
mod encode;
mod ending;
mod keys;
mod kind;
mod movegen;
mod notation;
mod play;
mod position;
mod rules;
mod support;

pub use action::{Action, ActionKind};
pub use kind::Kind;
pub use position::{Castling, Position, Wing};
pub use rules::{PromotionAfter, PromotionStock, Rules};

use super::{Adjudication, Game, Mark, Outcome, PositionError, RulesError, Ruleset, Side, ruleset::resolve_options};
use crate::board::{Bitboard, Square};

/// Shatara Arena under one set of options.
#[derive(Clone, Debug)]
pub struct Shatara {
    rules: Rules,
    ruleset: Ruleset,
    start: Position,
}

impl Shatara {
    /// Shatara Arena with `overrides` laid over the defaults.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn from_options(overrides: &toml::Table) -> Result<Self, RulesError> {
        Shatara::preset("shatara", &Rules::default(), overrides)
    }

    /// The `chess` preset with `overrides` laid over it.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn chess_from_options(overrides: &toml::Table) -> Result<Self, RulesError> {
        Shatara::preset("chess", &Rules::chess(), overrides)
    }

    fn preset(id: &str, preset: &Rules, overrides: &toml::Table) -> Result<Self, RulesError> {
        let error = |reason| RulesError::Option { game: id.to_owned(), reason };
        let rules = resolve_options(id, preset, overrides)?.validated().map_err(error)?;
        let start = Position::start(rules.reserve_counts().map_err(error)?);
        Ok(Shatara { ruleset: Ruleset::new(id, &rules), rules, start })
    }

    /// The options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

impl Game for Shatara {
    type Position = Position;
    type Action = Action;

    const ACTION_KINDS: &'static [&'static str] =
        &["quiet", "capture", "castling", "en_passant", "promotion", "ladder", "reinforcement"];
    const ZONE_KINDS: &'static str = "PNBRQ";
    const RESERVE_KINDS: &'static [&'static str] = &["promotion", "ladder", "reinforcement"];
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
        self.start
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        notation::parse(self, text)
    }

    fn position_string(&self, position: &Position) -> String {
        position.to_string()
    }

    fn action_string(&self, _: &Position, action: Action) -> String {
        action.to_string()
    }

    /// The position from which every game starts, with the zones as holdings; nothing for chess, which XBoard knows.
    fn xboard(&self) -> String {
        if self.ruleset.game == "chess" {
            return String::new();
        }
        let start = self.start.to_string();
        let placement = start.split(' ').next().unwrap_or_default();
        format!("setup (PNBRQ................Kpnbrq................k) 8x8+5_bughouse {placement} w KQkq - 0 1\n")
    }

    /// A ladder promotion goes to an empty square and back, a neighbour to which the man could not move if there is one: XBoard knows no move that stays.
    fn grid_string(&self, position: &Position, action: Action) -> String {
        let ActionKind::Ladder(kind) = action.kind() else { return action.to_string() };
        let at = action.from();
        let mut legal = Vec::new();
        self.legal_actions(position, &mut legal);
        let is_near = |to: Square| at.file().abs_diff(to.file()).max(at.rank().abs_diff(to.rank())) == 1;
        let is_move = |to: Square| legal.iter().any(|action| (action.from(), action.to()) == (at, to));
        let by = (!position.occupied()).into_iter().min_by_key(|&to| (!is_near(to), is_move(to), to.index()));
        let by = by.unwrap_or(at);
        format!("{at}{by},{by}{at}{}", kind.letter().to_ascii_lowercase())
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.side
    }

    fn legal_actions(&self, position: &Position, out: &mut Vec<Action>) {
        out.clear();
        movegen::generate(self, position, out);
    }

    fn count_legal_actions(&self, position: &Position) -> u64 {
        let mut count = movegen::Count(0);
        movegen::generate(self, position, &mut count);
        count.0
    }

    fn apply(&self, position: &mut Position, action: Action) {
        play::apply(self, position, action);
        debug_assert_eq!(position.key, keys::fresh(position));
    }

    fn outcome(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        ending::outcome(self, position, legal)
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        position.key
    }

    fn key(&self, position: &Position) -> u64 {
        keys::with_counters(position)
    }

    /// Nothing that resets the clock can be undone: captures and pawns that move or are promoted are gone, and support actions only ever strengthen the arena.
    fn reversible_plies(&self, position: &Position) -> u32 {
        position.clock
    }

    fn ply(&self, position: &Position) -> u32 {
        ending::ply(position)
    }

    fn action_kind(&self, position: &Position, action: Action) -> usize {
        match action.kind() {
            ActionKind::Move => usize::from(position.occupied().has(action.to())),
            ActionKind::Castling => 2,
            ActionKind::EnPassant => 3,
            ActionKind::Promotion(_) => 4,
            ActionKind::Ladder(_) => 5,
            ActionKind::Reinforcement => 6,
        }
    }

    fn zone(&self, position: &Position, side: Side) -> Vec<u8> {
        position.zones[side.index()].to_vec()
    }

    fn reserve(&self, position: &Position, side: Side) -> u32 {
        position.zones[side.index()].iter().map(|&men| u32::from(men)).sum()
    }

    /// Men in the arena only: those in a zone threaten nothing yet.
    fn material(&self, position: &Position) -> i32 {
        const VALUES: [i32; 5] = [100, 300, 320, 500, 900];
        let balance =
            |kind| position.men(Side::White, kind).count() as i32 - position.men(Side::Black, kind).count() as i32;
        Kind::RESERVE.into_iter().map(|kind| VALUES[kind.index()] * balance(kind)).sum()
    }

    fn draw(&self, position: &Position) -> String {
        drawing::draw(position)
    }

    /// The men that have moved since they got their rank.
    fn marks(&self, position: &Position) -> Vec<(String, Mark)> {
        position.moved().into_iter().map(|square| (square.to_string(), Mark::Climber)).collect()
    }
}

impl Position {
    /// The men of chess in their places, `reserve` in each zone (§1).
    fn start(reserve: [u8; 5]) -> Self {
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut position = Position {
            kinds: [Bitboard::EMPTY; 6],
            sides: [Bitboard::rank(0) | Bitboard::rank(1), Bitboard::rank(6) | Bitboard::rank(7)],
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
            position.kinds[kind.index()] |= Bitboard::of(Square::at(file, 0)) | Bitboard::of(Square::at(file, 7));
        }
        position.kinds[Pawn.index()] = Bitboard::rank(1) | Bitboard::rank(6);
        position.key = keys::fresh(&position);
        position
    }
}

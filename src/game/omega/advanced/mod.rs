//! Omega Chess Advanced. The rules as the program plays them:
//!
#![doc = include_str!("RULES.md")]
//!
//! # Layout
//! It stands on [omega](super): its squares, kinds, attacks, masks of checks and pins. Lowest first: `man` (a kind or a fool), `rules` (options), `reach` (ways
//! of fools and templar knights), `action`, `pair` (castling and guarding), `homes` (where men start), `position` (with its key, and playing an action), `movegen`
//! (legal actions, kind by kind), `notation` (position strings), `ways` and `encode` (a position for a network).

mod action;
mod encode;
mod homes;
mod man;
mod movegen;
mod notation;
mod pair;
mod position;
mod reach;
mod rules;
mod ways;

pub use action::{Action, Suffix};
pub use man::Man;
pub use position::Position;
pub use rules::Rules;

use super::{Bitboard, Kind, Square, drawing, men::Men, start};
use crate::game::{
    Adjudication, Game, Mark, Outcome, PositionError, Reason, RulesError, Ruleset, Side, SquareInfo,
    ruleset::resolve_options, zobrist,
};

/// The game's id.
const ID: &str = "omega-advanced";

/// Omega Chess Advanced under one set of options.
#[derive(Clone, Debug)]
pub struct OmegaAdvanced {
    rules: Rules,
    ruleset: Ruleset,
}

impl OmegaAdvanced {
    /// The game with `overrides` laid over the defaults.
    ///
    /// # Errors
    /// Names an option that does not exist or a value that it cannot take.
    pub fn from_options(overrides: &toml::Table) -> Result<Self, RulesError> {
        let rules = resolve_options(ID, &Rules::default(), overrides)?;
        Ok(OmegaAdvanced { ruleset: Ruleset::new(ID, &rules), rules })
    }

    /// The options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

impl Game for OmegaAdvanced {
    type Position = Position;
    type Action = Action;

    const ACTION_KINDS: &'static [&'static str] =
        &["quiet", "capture", "en_passant", "promotion", "castling", "guarding", "entry"];
    const ZONE_KINDS: &'static str = "F";
    const RESERVE_KINDS: &'static [&'static str] = &["promotion", "entry"];
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

    /// §8.
    fn start(&self) -> Position {
        let mut position = Position::empty();
        start::men().for_each(|(side, kind, square)| position.toggle(side, Man::Plain(kind), square));
        position.set_unmoved(homes::in_order().collect());
        [Side::White, Side::Black].into_iter().for_each(|side| position.toggle_hand(side));
        position
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        notation::parse(text, &self.rules)
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

    /// From a1 to l12: the 10x10 board begins at b2. Of two men that move at once the one is told behind whom the fool comes on; a king that castles goes alone.
    fn grid_string(&self, position: &Position, action: Action) -> String {
        let (from, to) = (action.from(), action.to());
        let (squares, suffix) = match (pair::Pair::of_move(from, to, position.unmoved()), action.suffix()) {
            (Some(pair), Suffix::EntersForRook) => (vec![pair.rook, pair.from, pair.rook_to], Suffix::Enters),
            (Some(pair), suffix) if pair.kind == Kind::Queen => (vec![pair.from, pair.rook, pair.to], suffix),
            (_, suffix) => (vec![from, to], suffix),
        };
        let legs = squares.windows(2).map(|leg| format!("{}{}", leg[0].grid_name(), leg[1].grid_name()));
        legs.collect::<Vec<_>>().join(",") + &suffix.letter().map(String::from).unwrap_or_default()
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.side_to_move()
    }

    fn legal_actions(&self, position: &Position, out: &mut Vec<Action>) {
        out.clear();
        movegen::generate(position, &self.rules, |from, targets, suffix| {
            out.extend(targets.into_iter().map(|to| Action::new(from, to, suffix)));
        });
    }

    fn count_legal_actions(&self, position: &Position) -> u64 {
        let mut count = 0;
        movegen::generate(position, &self.rules, |_, targets, _| count += u64::from(targets.count()));
        count
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action, &self.rules);
        debug_assert_eq!(position.key(), position.fresh_key());
    }

    /// §7.
    fn outcome(&self, position: &Position, legal: &[Action]) -> Option<Outcome> {
        let side = position.side_to_move();
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        let reason = if legal.is_empty() {
            if movegen::in_check(position, side) {
                return Some(Outcome::win(!side, Reason::Checkmate));
            }
            Reason::Stalemate
        } else if reached(self.rules.no_progress_plies, position.clock()) {
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
        zobrist::with_counters(position.key(), position.clock(), position.fullmove())
    }

    /// Captures, moves of pawns and fools that enter, which reset the clock, cannot be undone.
    fn reversible_plies(&self, position: &Position) -> u32 {
        position.clock()
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn action_kind(&self, position: &Position, action: Action) -> usize {
        let (from, to) = (action.from(), action.to());
        let is = |kind| position.placement().kind(kind).has(from);
        match (action.suffix(), pair::Pair::of_move(from, to, position.unmoved())) {
            (Suffix::Becomes(_), _) => 3,
            (Suffix::Enters | Suffix::EntersForRook, _) => 6,
            (Suffix::None, Some(pair)) => {
                if pair.kind == Kind::King {
                    4
                } else {
                    5
                }
            }
            _ if position.occupied().has(to) => 1,
            _ if is(Kind::Pawn) && from.column() != to.column() => 2,
            _ => 0,
        }
    }

    fn zone(&self, position: &Position, side: Side) -> Vec<u8> {
        vec![u8::from(position.has_fool_in_hand(side))]
    }

    fn reserve(&self, position: &Position, side: Side) -> u32 {
        u32::from(position.has_fool_in_hand(side))
    }

    /// A fool in hand counts like one on the board.
    fn material(&self, position: &Position) -> i32 {
        let worth = |side: Side| -> i32 {
            let men = Man::ALL.into_iter().map(|man| man.worth() * position.men(side, man).count() as i32);
            men.sum::<i32>() + Man::Fool.worth() * i32::from(position.has_fool_in_hand(side))
        };
        worth(Side::White) - worth(Side::Black)
    }

    /// The board with coordinates, White below, the corners beside the ranks, whose turn it is, and what is known of each side's fools.
    fn draw(&self, position: &Position) -> String {
        let fools = |side| {
            let hand = if position.has_fool_in_hand(side) { "a fool in hand, " } else { "" };
            let kind = position.fools_are(side).map_or("of no kind", Kind::name);
            format!("     {side}: {hand}fools are {kind}\n")
        };
        let board = drawing::board(|square| notation::letter(position, square));
        let turn = format!("     {}      {} to move\n", drawing::FILES, position.side_to_move());
        format!("{board}{turn}{}{}", fools(Side::White), fools(Side::Black))
    }

    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        Square::at(column, row).map(Square::info)
    }

    /// What fools are, and which men have never moved, as long as their side can still castle, guard or bring the fool on.
    fn marks(&self, position: &Position) -> Vec<(String, Mark)> {
        let mut marks = Vec::new();
        for side in [Side::White, Side::Black] {
            let kind = position.fools_are(side).map(|kind| Mark::Like(kind.letter()));
            marks.extend(
                kind.into_iter().flat_map(|mark| position.fools(side).into_iter().map(move |fool| (fool, mark))),
            );
            let own = position.unmoved() & position.placement().side(side);
            let pairs = pair::Pair::ALL.iter().filter(|pair| (pair.left() & !own).is_empty());
            let matter = pairs.fold(Bitboard::EMPTY, |all, pair| all | pair.left());
            let unmoved = if position.has_fool_in_hand(side) { own } else { matter };
            marks.extend(unmoved.into_iter().map(|square| (square, Mark::Unmoved)));
        }
        marks.into_iter().map(|(square, mark)| (square.to_string(), mark)).collect()
    }
}

/// King against king, or with one knight, bishop, champion or wizard on the whole board, and no fool on the board or in hand (§7).
fn insufficient(position: &Position) -> bool {
    let men = position.placement();
    let heavy = men.kind(Kind::Pawn) | men.kind(Kind::Rook) | men.kind(Kind::Queen);
    let fools = |side| position.fools(side).any() || position.has_fool_in_hand(side);
    heavy.is_empty() && men.occupied().count() <= 3 && !fools(Side::White) && !fools(Side::Black)
}

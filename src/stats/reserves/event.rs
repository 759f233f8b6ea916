//! A use of the reserve, or another rank for a piece: what it was, what else could be done, and what became of it.

use super::pieces::{Lives, Step};
use crate::{
    game::{
        Side, TextGame,
        gesture::{Gesture, Origin},
        placement::Placement,
    },
    stats::{GameColumns, game::Fault},
};

/// One event: an action of a [reserve kind](TextGame::reserve_kinds), or a promotion that the other side's action
/// brought about (a waiting pawn in Altai Shatra).
///
/// Values are for the side whose event it is, -1 to 1. Squares are `row * columns + column` from White's side.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub ply: usize,
    pub side: Side,
    /// An index of the game's kinds of action.
    pub kind: u8,
    /// How the action was decided on: `full`, `cheap`, `opening`, `forced`; `waiting` where the other side's action
    /// brought it about.
    pub decision: String,
    pub action: String,
    /// An index of [`Lives::pieces`].
    pub piece: usize,
    /// The piece's rank before, a letter; none for a piece that came from outside the board.
    pub from_rank: Option<u8>,
    pub to_rank: u8,
    /// Where the piece stood; none for one that came from outside the board.
    pub from: Option<usize>,
    pub square: usize,
    /// The name of `square`.
    pub place: String,
    /// The rank of another piece whose move the action was.
    pub by_rank: Option<u8>,
    /// The side's zone by kind, before the action and after it.
    pub zone_before: Vec<u32>,
    pub zone_after: Vec<u32>,
    /// Legal actions, and those of the same kind among them.
    pub legal: usize,
    pub legal_same_kind: usize,
    /// The network's probability of the action.
    pub prior: Option<f64>,
    /// Share of the search's visits that the action got.
    pub visit_share: Option<f64>,
    /// What the search expected before the action.
    pub root_value: Option<f64>,
    /// The search's value of the action.
    pub q: Option<f64>,
    /// The best value among the visited actions of no reserve kind.
    pub best_other_q: Option<f64>,
    /// The ply that captured the piece, if any did.
    pub captured: Option<usize>,
    /// The piece's rank at its end, or at the game's.
    pub final_rank: u8,
}

impl Event {
    /// What the action gained against the best one that leaves the reserve alone, `q - best_other_q`.
    pub fn delta_q(&self) -> Option<f64> {
        Some(self.q? - self.best_other_q?)
    }
}

/// Which kinds of action are events, as numbers.
#[derive(Clone, Debug)]
pub struct ReserveKinds(Vec<bool>);

impl ReserveKinds {
    pub fn of(rules: &dyn TextGame) -> Self {
        ReserveKinds(rules.action_kinds().iter().map(|kind| rules.reserve_kinds().contains(kind)).collect())
    }

    pub fn contains(&self, kind: u8) -> bool {
        self.0.get(usize::from(kind)).copied().unwrap_or_default()
    }

    /// The numbers of the kinds.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..self.0.len() as u8).filter(|&kind| self.contains(kind))
    }
}

/// The events of a game in their order.
pub fn events(
    game: &GameColumns,
    lives: &Lives,
    kinds: &ReserveKinds,
    rules: &dyn TextGame,
    zone_kinds: &str,
) -> Result<Vec<Event>, Fault> {
    let board = |number: usize| {
        Placement::read(game.position(number), rules.grid())
            .ok_or_else(|| ("position", format!("no board at ply {number}")))
    };
    let columns = rules.grid().1;
    let name = |square: usize| rules.square(square / columns, square % columns).map(|square| square.name);
    let promotion = rules.action_kinds().iter().position(|kind| *kind == "promotion");
    let mut events = Vec::new();
    for ply in 0..game.plies() {
        let (kind, mover, steps) = (game.kind(ply), game.side(ply), lives.steps_at(ply));
        let own = |step: &&Step| lives.pieces[step.piece].side == mover;
        let chosen = if kinds.contains(kind) {
            // A promotion may come with a step of another piece; the one that changes is meant.
            let own_steps = || steps.iter().filter(own);
            own_steps().find(|step| step.is_promotion() || step.from.is_none()).or_else(|| own_steps().next())
        } else {
            None
        };
        let origin = match Gesture::of(game.action(ply)) {
            Some(Gesture { from: Origin::Square(name), .. }) => Some(name.to_owned()),
            _ => None,
        };
        let waiting = steps.iter().filter(|step| !own(step) && step.is_promotion());
        let mut push = |step: &Step, kind: u8, decided: bool| -> Result<(), Fault> {
            let piece = &lives.pieces[step.piece];
            let [zone_before, zone_after] =
                [ply, ply + 1].map(|number| board(number).map(|b| b.zone(piece.side, zone_kinds)));
            let place = name(step.to).ok_or_else(|| ("position", format!("a piece in a hole after ply {ply}")))?;
            let moved = |other: &&Step| other.piece != step.piece && own(other) && other.from.and_then(name) == origin;
            let by = steps.iter().filter(|_| decided && origin.is_some()).find(moved);
            let choice = if decided { Some(Alternatives::of(game, ply, kinds)) } else { None };
            events.push(Event {
                ply,
                side: piece.side,
                kind,
                decision: if decided { game.decision(ply) } else { "waiting" }.to_owned(),
                action: game.action(ply).to_owned(),
                piece: step.piece,
                from_rank: step.from.map(|_| step.ranks[0]),
                to_rank: step.ranks[1],
                from: step.from,
                square: step.to,
                place,
                by_rank: by.map(|other| other.ranks[0]),
                zone_before: zone_before?,
                zone_after: zone_after?,
                legal: choice.as_ref().map_or(0, |choice| choice.legal),
                legal_same_kind: choice.as_ref().map_or(0, |choice| choice.same_kind),
                prior: choice.as_ref().and_then(|_| game.prior(ply)),
                visit_share: choice.as_ref().and_then(|_| game.visit_share(ply)),
                root_value: choice.as_ref().and_then(|_| game.root_value(ply)),
                q: choice.as_ref().and_then(|choice| choice.q),
                best_other_q: choice.as_ref().and_then(|choice| choice.best_other_q),
                captured: piece.captured,
                final_rank: piece.final_rank(),
            });
            Ok(())
        };
        if let Some(step) = chosen {
            push(step, kind, true)?;
        }
        for step in waiting {
            let kind = promotion.ok_or_else(|| ("position", format!("a piece of another rank after ply {ply}")))?;
            push(step, kind as u8, false)?;
        }
    }
    Ok(events)
}

/// What else could have been played.
struct Alternatives {
    legal: usize,
    same_kind: usize,
    q: Option<f64>,
    best_other_q: Option<f64>,
}

impl Alternatives {
    fn of(game: &GameColumns, ply: usize, kinds: &ReserveKinds) -> Alternatives {
        let (legal, q) = (game.legal_kinds(ply), game.q(ply));
        let visited = |i: usize| q.get(i).copied().flatten().map(f64::from).filter(|value| value.is_finite());
        Alternatives {
            legal: legal.len(),
            same_kind: legal.iter().filter(|&&kind| kind == game.kind(ply)).count(),
            q: visited(game.chosen(ply)),
            best_other_q: (0..legal.len())
                .filter(|&i| !kinds.contains(legal[i]))
                .filter_map(visited)
                .max_by(f64::total_cmp),
        }
    }
}

//! What becomes of pieces, by rank and by origin: captured, of another rank, still of the same.

use std::collections::BTreeMap;

use crate::{
    estimate::{ClusteredStep, ClusteredWaits, Curve, End, Interval, half_time},
    stats::reserves::observed::{ALL, Measure, Observed, Scope},
};

/// Plies after which fates are compared.
pub const AFTER: u32 = 50;

/// Age at which pieces are last seen: few get older, and each age takes memory.
const OLDEST: u32 = 250;

/// Who is followed, and from when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// From an event of that kind on.
    Event(u8),
    /// Ordinary pieces from the start of the game on.
    Start,
    /// Ordinary pieces that stood on the same side at an event, from that event on.
    Beside(u8),
}

/// Lives by group, rank and origin.
#[derive(Default)]
pub struct Standing {
    fates: BTreeMap<(usize, u8, Origin), Fates>,
}

/// What became of some pieces.
#[derive(Default)]
pub struct Fates {
    /// While of the rank: capture, and another rank as the competing event.
    ranked: ClusteredWaits,
    /// Whatever the rank: capture alone.
    whole: ClusteredWaits,
}

/// What can be said of a piece some plies later. The first three exclude each other and add up to all; the last is
/// [`Same`](Fate::Same) with those of [`Rank`](Fate::Rank) that were not captured since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Captured while it had the rank.
    Captured,
    /// It got another rank first.
    Rank,
    /// It still has the rank and stands on the board.
    Same,
    /// It stands on the board, with any rank.
    Board,
}

impl Fate {
    pub const ALL: [Fate; 4] = [Fate::Captured, Fate::Rank, Fate::Same, Fate::Board];
}

impl Fates {
    /// Number of pieces.
    pub fn pieces(&self) -> u64 {
        self.ranked.n()
    }

    /// Whether any of them got another rank.
    pub fn promoted(&self) -> bool {
        self.ranked().iter().any(|step| step.competing > 0)
    }

    /// Steps of capture and of another rank, while a piece has its rank.
    pub fn ranked(&self) -> Vec<ClusteredStep> {
        self.ranked.steps()
    }

    /// Steps of capture, whatever the rank.
    pub fn whole(&self) -> Vec<ClusteredStep> {
        self.whole.steps()
    }

    /// The shares of pieces of each [`Fate`] after [`AFTER`] plies; none where nobody was seen for so long.
    pub fn after(&self) -> [Option<Interval>; 4] {
        let [ranked, whole] = [&self.ranked, &self.whole].map(|waits| waits.at(AFTER));
        [
            ranked.map(|step| step.incidence(Curve::Event)),
            ranked.map(|step| step.incidence(Curve::Competing)),
            ranked.map(|step| step.free()),
            whole.map(|step| step.free()),
        ]
    }

    /// How much more of these pieces than of others of the same games have a fate after [`AFTER`] plies.
    pub fn minus(&self, other: &Fates, fate: Fate) -> Option<Interval> {
        let ranked = |curve| self.ranked.minus(&other.ranked, curve, AFTER);
        let flipped = |Interval { estimate, low, high, n }| Interval { estimate: -estimate, low: -high, high: -low, n };
        match fate {
            Fate::Captured => ranked(Curve::Event),
            Fate::Rank => ranked(Curve::Competing),
            Fate::Same => ranked(Curve::Either).map(flipped),
            Fate::Board => self.whole.minus(&other.whole, Curve::Event, AFTER).map(flipped),
        }
    }

    /// Median plies on the board, whatever the rank, with the ends of its interval; none beyond what was seen.
    pub fn median(&self) -> [Option<u64>; 3] {
        half_time(&self.whole(), Curve::Event)
    }
}

impl Standing {
    /// Ranks that events bring about.
    pub fn ranks(&self) -> Vec<u8> {
        let events = self.fates.keys().filter(|key| key.0 == ALL && matches!(key.2, Origin::Event(_)));
        let mut ranks: Vec<u8> = events.map(|key| key.1).collect();
        ranks.dedup();
        ranks
    }

    /// By group, rank and origin, of the ranks that events bring about.
    pub fn fates(&self) -> impl Iterator<Item = (usize, u8, Origin, &Fates)> {
        let ranks = self.ranks();
        let kept = self.fates.iter().filter(move |(key, _)| ranks.contains(&key.1));
        kept.map(|(&(group, rank, origin), fates)| (group, rank, origin, fates))
    }

    /// Those beside pieces of an event.
    pub fn beside(&self, group: usize, rank: u8, origin: Origin) -> Option<&Fates> {
        match origin {
            Origin::Event(kind) => self.fates.get(&(group, rank, Origin::Beside(kind))),
            Origin::Start | Origin::Beside(_) => None,
        }
    }
}

/// A piece followed from a position on.
#[derive(Clone, Copy)]
struct Life {
    /// The number of the first position without the piece or with another rank, and which it was.
    ranked: (usize, End),
    whole: (usize, End),
}

impl Measure for Standing {
    fn add(&mut self, observed: &Observed<'_>, _: &Scope) {
        let plies = observed.game.plies();
        let first_event =
            |piece: usize| observed.events.iter().find(|event| event.piece == piece).map(|event| event.ply + 1);
        let life = |index: usize, until: usize, ended: Option<End>| {
            let piece = &observed.lives.pieces[index];
            let captured = piece.captured.map_or(End::Censored, |_| End::Event);
            Life { ranked: (until, ended.unwrap_or(captured)), whole: (piece.until(plies), captured) }
        };
        let mut waits: BTreeMap<_, [Vec<(u32, End)>; 2]> = BTreeMap::new();
        let mut follow = |rank: u8, origin: Origin, since: usize, life: Life| {
            let waits = waits.entry((rank, origin)).or_default();
            for (waits, (until, end)) in waits.iter_mut().zip([life.ranked, life.whole]) {
                let age = (until - since) as u32;
                waits.push(if age > OLDEST { (OLDEST, End::Censored) } else { (age, end) });
            }
        };
        // Ordinary: a piece of the start, for as long as it has its first rank and no event.
        let mut ordinary = Vec::new();
        for (index, piece) in observed.lives.pieces.iter().enumerate().filter(|(_, piece)| !piece.entered()) {
            let Some((rank, _, until, next)) = piece.spells(plies).next() else { continue };
            let event = first_event(index);
            let changed = (next.is_some() || event.is_some()).then_some(End::Competing);
            let life = life(index, event.map_or(until, |event| event.min(until)), changed);
            follow(rank, Origin::Start, 0, life);
            ordinary.push((piece.side, rank, life));
        }
        for event in observed.events {
            let since = event.ply + 1;
            let spells = observed.lives.pieces[event.piece].spells(plies);
            let Some((rank, _, until, next)) = spells.take_while(|spell| spell.1 <= since).last() else { continue };
            follow(rank, Origin::Event(event.kind), since, life(event.piece, until, next.map(|_| End::Competing)));
            let alike = ordinary
                .iter()
                .filter(|&&(side, other, life)| (side, other) == (event.side, rank) && life.ranked.0 > since);
            alike.for_each(|&(.., life)| follow(rank, Origin::Beside(event.kind), since, life));
        }
        for ((rank, origin), [ranked, whole]) in waits {
            for &group in observed.groups {
                let fates = self.fates.entry((group, rank, origin)).or_default();
                fates.ranked.add(observed.weights, &ranked);
                fates.whole.add(observed.weights, &whole);
            }
        }
    }
}

//! What the games say in which one action was chosen in one position.

use std::ops::AddAssign;

use crate::{data::DecisionKind, estimate::Interval, game::Side, stats::GameColumns};

/// The sum of numbers that are not always there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// How many there were.
    pub n: u64,
    sum: f64,
}

impl Mean {
    /// The mean; none of nothing.
    pub fn mean(&self) -> Option<f64> {
        self.mean_of_at_least(1)
    }

    /// The mean; none of fewer numbers than `least`, which is at least 1.
    pub fn mean_of_at_least(&self, least: u64) -> Option<f64> {
        (self.n >= least.max(1)).then(|| self.sum / self.n as f64)
    }
}

impl From<Option<f64>> for Mean {
    fn from(number: Option<f64>) -> Self {
        Mean { n: u64::from(number.is_some()), sum: number.unwrap_or_default() }
    }
}

impl AddAssign for Mean {
    fn add_assign(&mut self, other: Self) {
        self.n += other.n;
        self.sum += other.sum;
    }
}

/// Decisions by how they were made: `searched` by a full or a cheap search, `drawn` from the network's policy without a
/// search to vary the openings, `forced` where one action was legal.
///
/// Before the switch of self-play's temperature a searched action is itself drawn, in proportion to the search's policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    pub searched: u64,
    pub drawn: u64,
    pub forced: u64,
}

impl Decisions {
    /// The one decision of a ply.
    pub fn of(game: &GameColumns, ply: usize) -> Self {
        let word = game.decision(ply);
        let kind = DecisionKind::ALL.into_iter().find(|kind| kind.name() == word);
        let mut decisions = Decisions::default();
        *match kind {
            Some(kind) if kind.is_searched() => &mut decisions.searched,
            Some(DecisionKind::Opening) => &mut decisions.drawn,
            _ => &mut decisions.forced,
        } = 1;
        decisions
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.searched + self.drawn + self.forced
    }

    /// The share of these among the searched decisions of `all`; a count of `all` that is too small is raised.
    pub fn share_of_searched(&self, all: &Decisions) -> Option<Interval> {
        Interval::share(self.searched, all.searched.max(self.searched))
    }

    /// Likewise of those drawn.
    pub fn share_of_drawn(&self, all: &Decisions) -> Option<Interval> {
        Interval::share(self.drawn, all.drawn.max(self.drawn))
    }
}

impl AddAssign for Decisions {
    fn add_assign(&mut self, other: Self) {
        self.searched += other.searched;
        self.drawn += other.drawn;
        self.forced += other.forced;
    }
}

/// Searches below which a mean over searches is not shown: of a few it says more of them than of the network.
pub const LEAST_SEARCHES: u64 = 10;

/// Games by their end, seen by one side. Games that self-play cut off have no result of the rules and stand apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub cut_off: u64,
}

impl Results {
    /// One game.
    pub fn of(game: &GameColumns, side: Side) -> Self {
        let mut results = Results::default();
        let count = match game.winner {
            _ if !game.was_ended() => &mut results.cut_off,
            None => &mut results.draws,
            Some(winner) if winner == side => &mut results.wins,
            Some(_) => &mut results.losses,
        };
        *count = 1;
        results
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.ended() + self.cut_off
    }

    /// Games with a result.
    pub fn ended(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points a game with a result.
    pub fn score(&self) -> Option<Interval> {
        Interval::score(self.wins, self.draws, self.losses)
    }

    /// Points a game when those that were cut off are draws.
    pub fn score_of_all(&self) -> Option<Interval> {
        Interval::score(self.wins, self.draws + self.cut_off, self.losses)
    }
}

impl AddAssign for Results {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.cut_off += other.cut_off;
    }
}

/// What the games say in which one action was chosen in one position; each game counts once, as it first chose it
/// there.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// For the side to move.
    pub results: Results,
    /// Games by how the action was chosen.
    pub decisions: Decisions,
    /// The network's probability of the action, where it was asked.
    pub prior: Mean,
    /// The action's share of the visits, where there was a search.
    pub visit_share: Mean,
    /// The search's value of the position for the side to move, -1 to 1, where there was a search.
    pub root_value: Mean,
    /// The first and the last generation.
    pub generations: (u64, u64),
    /// The first ply at which it was chosen.
    pub ply: usize,
}

impl Record {
    /// One game's choice at `ply`.
    pub fn of(game: &GameColumns, ply: usize) -> Self {
        Record {
            results: Results::of(game, game.side(ply)),
            decisions: Decisions::of(game, ply),
            prior: game.prior(ply).into(),
            visit_share: game.visit_share(ply).into(),
            root_value: game.root_value(ply).into(),
            generations: (game.generation, game.generation),
            ply,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.results.games()
    }
}

impl AddAssign for Record {
    fn add_assign(&mut self, other: Self) {
        self.results += other.results;
        self.decisions += other.decisions;
        self.prior += other.prior;
        self.visit_share += other.visit_share;
        self.root_value += other.root_value;
        self.generations.0 = self.generations.0.min(other.generations.0);
        self.generations.1 = self.generations.1.max(other.generations.1);
        self.ply = self.ply.min(other.ply);
    }
}

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
        (self.n > 0).then(|| self.sum / self.n as f64)
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
    /// Games in which the action was drawn from the network's policy without a search, to vary the openings.
    pub from_policy: u64,
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
            from_policy: u64::from(game.decision(ply) == DecisionKind::Opening.name()),
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
        self.from_policy += other.from_policy;
        self.prior += other.prior;
        self.visit_share += other.visit_share;
        self.root_value += other.root_value;
        self.generations.0 = self.generations.0.min(other.generations.0);
        self.generations.1 = self.generations.1.max(other.generations.1);
        self.ply = self.ply.min(other.ply);
    }
}

//! The likeliest ratings, by Newton's method: the likelihood is concave.

use super::{envelope::Envelope, trials::Worth};
use crate::estimate::PairCounts;

/// Games of the prior in each match, drawn.
const PRIOR_GAMES: f64 = 0.1;
/// Far more steps than a concave fit takes.
const STEPS: usize = 200;
/// Longest step of a rating, in nats. Farther away the likelihood may be flat, and the step after one to there would be
/// without bound; that others gain by it would hide what it costs.
const LONGEST_STEP: f64 = 2.0;

/// All matches of two players, from the point of view of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) pairs: PairCounts,
    /// Independent games that the pairs are worth, and the first player's points in them.
    pub(super) trials: f64,
    pub(super) points: f64,
    /// The same of the prior.
    prior: f64,
}

impl Link {
    pub(super) fn new(first: usize, second: usize, pairs: PairCounts, worth: &Worth) -> Self {
        let trials = worth.trials(&pairs);
        let prior = PRIOR_GAMES * trials / (2 * pairs.pairs()) as f64;
        Link { first, second, pairs, trials, points: trials * pairs.score(), prior }
    }

    pub(super) fn joins(&self, player: usize) -> bool {
        self.first == player || self.second == player
    }
}

/// A difference that is not free, in nats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) difference: f64,
}

/// Ratings in nats that make the links likeliest. Those of players whom no chain of links joins are not comparable.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    links: Vec<Link>,
    nats: Vec<f64>,
    likelihood: f64,
    /// One player of those who are joined to each.
    joined: Vec<usize>,
    /// Row of each player in the matrix: those with many opponents last, which keeps the envelope small.
    row: Vec<usize>,
    information: Envelope,
}

impl Fit {
    pub(super) fn new(players: usize, links: Vec<Link>) -> Self {
        let mut opponents = vec![0; players];
        links.iter().flat_map(|link| [link.first, link.second]).for_each(|player| opponents[player] += 1);
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by_key(|&player| opponents[player]);
        let mut row = vec![0; players];
        order.iter().enumerate().for_each(|(at, &player)| row[player] = at);
        let information = Envelope::new(players, links.iter().map(|link| (row[link.first], row[link.second])));
        let mut joined: Vec<usize> = (0..players).collect();
        // A name spreads along every link in a round, so that there are no more rounds than players.
        while links.iter().fold(false, |changed, link| {
            let least = joined[link.first].min(joined[link.second]);
            let differ = joined[link.first] != joined[link.second];
            (joined[link.first], joined[link.second]) = (least, least);
            changed || differ
        }) {}
        let mut fit = Fit { links, nats: vec![0.0; players], likelihood: 0.0, joined, row, information };
        fit.climb(None);
        fit
    }

    pub(super) fn links(&self) -> &[Link] {
        &self.links
    }

    pub(super) fn nats(&self) -> &[f64] {
        &self.nats
    }

    /// Log-likelihood with the prior, less a constant.
    pub(super) fn likelihood(&self) -> f64 {
        self.likelihood
    }

    /// Expected share of the first player's points.
    pub(super) fn expected(&self, link: &Link) -> f64 {
        logistic(self.nats[link.first] - self.nats[link.second])
    }

    pub(super) fn are_joined(&self, first: usize, second: usize) -> bool {
        self.joined[first] == self.joined[second]
    }

    /// How many ratings are free: one for each player but the first of those that are joined.
    pub(super) fn freedom(&self) -> usize {
        self.joined.iter().enumerate().filter(|&(player, &joined)| player != joined).count()
    }

    /// Whether a chain leads from one player to the other, each of whom took points off the next: then the first cannot
    /// be weaker without bound.
    pub(super) fn takes_points(&self, from: usize, to: usize) -> bool {
        let mut reached = vec![false; self.nats.len()];
        let mut waiting = vec![from];
        while let Some(player) = waiting.pop() {
            if std::mem::replace(&mut reached[player], true) {
                continue;
            }
            for link in &self.links {
                let (takes, other) = match player {
                    _ if player == link.first => (link.points > 0.0, link.second),
                    _ if player == link.second => (link.points < link.trials, link.first),
                    _ => continue,
                };
                if takes && !reached[other] {
                    waiting.push(other);
                }
            }
        }
        reached[to]
    }

    /// Fits again with other results of the same links.
    pub(super) fn with_points(&self, points: impl Iterator<Item = f64>) -> Fit {
        let mut fit = self.clone();
        fit.links.iter_mut().zip(points).for_each(|(link, points)| link.points = points);
        fit.climb(None);
        fit
    }

    /// Fits the other ratings with this difference, and gives the likelihood's slope along it.
    pub(super) fn hold(&mut self, held: Held) -> f64 {
        self.nats[held.first] = self.nats[held.second] + held.difference;
        self.climb(Some(held));
        self.gradient()[held.first]
    }

    /// Standard error of a difference, in nats.
    pub(super) fn standard_error(&self, first: usize, second: usize) -> f64 {
        let mut information = self.information.clone();
        self.fill(&mut information, None);
        information.factor();
        let mut direction = vec![0.0; self.nats.len()];
        direction[self.row[first]] = 1.0;
        direction[self.row[second]] = -1.0;
        let mut solved = direction.clone();
        information.solve(&mut solved);
        solved.iter().zip(direction).map(|(a, b)| a * b).sum::<f64>().sqrt()
    }

    /// Newton's method from where the ratings are.
    fn climb(&mut self, held: Option<Held>) {
        self.likelihood = self.likelihood_at(&self.nats);
        let mut information = self.information.clone();
        for _ in 0..STEPS {
            self.fill(&mut information, held);
            information.factor();
            let gradient = self.gradient();
            let mut step = vec![0.0; self.nats.len()];
            for (player, slope) in gradient.iter().enumerate().filter(|&(player, _)| self.is_free(player, held)) {
                step[self.row[player]] = *slope;
            }
            information.solve(&mut step);
            let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
            let whole = (LONGEST_STEP / longest).min(1.0);
            let mut share = whole;
            loop {
                let nats: Vec<f64> =
                    self.nats.iter().zip(&self.row).map(|(nat, &row)| nat + share * step[row]).collect();
                let likelihood = self.likelihood_at(&nats);
                // What rounding takes is no descent.
                if likelihood >= self.likelihood - 1e-12 * self.likelihood.abs() {
                    (self.nats, self.likelihood) = (nats, likelihood);
                    break;
                }
                share /= 2.0;
                if share < 1e-6 * whole {
                    return;
                }
            }
            // Each step squares the error.
            if longest < 1e-6 {
                return;
            }
        }
    }

    /// Whether a player's rating moves; the first of those joined does not, nor the two that are held.
    fn is_free(&self, player: usize, held: Option<Held>) -> bool {
        match held {
            Some(held) if self.are_joined(player, held.first) => player != held.first && player != held.second,
            _ => self.joined[player] != player,
        }
    }

    /// Observed information of the free ratings, and 1 on the diagonal of the others.
    fn fill(&self, information: &mut Envelope, held: Option<Held>) {
        information.clear();
        let free: Vec<bool> = (0..self.nats.len()).map(|player| self.is_free(player, held)).collect();
        (0..free.len()).filter(|&player| !free[player]).for_each(|player| {
            information.add(self.row[player], self.row[player], 1.0);
        });
        for link in &self.links {
            let expected = self.expected(link);
            let weight = (link.trials + link.prior) * expected * (1.0 - expected);
            for player in [link.first, link.second].into_iter().filter(|&player| free[player]) {
                information.add(self.row[player], self.row[player], weight);
            }
            if free[link.first] && free[link.second] {
                information.add(self.row[link.first], self.row[link.second], -weight);
            }
        }
    }

    fn gradient(&self) -> Vec<f64> {
        let mut gradient = vec![0.0; self.nats.len()];
        for link in &self.links {
            let surplus = link.points + link.prior / 2.0 - (link.trials + link.prior) * self.expected(link);
            gradient[link.first] += surplus;
            gradient[link.second] -= surplus;
        }
        gradient
    }

    fn likelihood_at(&self, nats: &[f64]) -> f64 {
        let terms = self.links.iter().map(|link| {
            let (points, trials) = (link.points + link.prior / 2.0, link.trials + link.prior);
            let difference = nats[link.first] - nats[link.second];
            points * log_logistic(difference) + (trials - points) * log_logistic(-difference)
        });
        terms.sum()
    }
}

fn logistic(nats: f64) -> f64 {
    1.0 / (1.0 + (-nats).exp())
}

/// Logarithm of the logistic function, at any size of its argument.
fn log_logistic(nats: f64) -> f64 {
    nats.min(0.0) - (-nats.abs()).exp().ln_1p()
}

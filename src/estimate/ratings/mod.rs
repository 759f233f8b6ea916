//! Ratings of many players from all their matches at once: the Elo curve of a run.
//!
//! Layout, lowest first:
//!
//! - `envelope`: sparse systems of equations.
//! - `trials`: how many independent games the pairs of a match are worth.
//! - `fit`: the likeliest ratings.
//! - `goodness`: whether ratings explain the matches ([`FitTest`]).

mod envelope;
mod fit;
mod goodness;
mod trials;

#[cfg(test)]
mod simulation;

use std::collections::BTreeMap;

use fit::{Fit, Held, Link};

use super::{Interval, PairCounts, Z_95};

pub use goodness::{FitTest, Misfit};

/// A match between two players, from the point of view of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// Index of the first player.
    pub first: usize,
    /// Index of the second player.
    pub second: usize,
    pub pairs: PairCounts,
}

/// Elo points of one unit of the natural logistic scale, 400 / ln 10.
const ELO_PER_NAT: f64 = 173.717_792_761;
/// The most steps to a bound; a few are enough.
const BOUND_STEPS: usize = 40;

/// Players on one scale of Elo, by the model of Bradley and Terry (Biometrika 39, 1952): the expected share of the
/// points is a logistic function of the difference of two ratings.
///
/// The two games of a pair share an opening and are not independent. A match therefore counts as as many independent
/// games as the variance of its pairs says, estimated from all matches together: a quasi-likelihood (Wedderburn,
/// Biometrika 61, 1974) on pairs of games. An opening or a colour that favours one side in one game favours the other
/// in the next, and shows in that variance alone. A tenth of a drawn game a match is the prior, so that a fit exists.
///
/// Intervals are those of the profile likelihood. Coverage by simulation is in `docs/controls.md`.
#[derive(Clone, Debug)]
pub struct Ratings {
    fit: Fit,
}

impl Ratings {
    /// Rates players 0 to `players` - 1. Several matches between two players count as one.
    ///
    /// # Panics
    /// When an index is not below `players`.
    pub fn new(players: usize, pairings: &[Pairing]) -> Ratings {
        let mut matches: BTreeMap<(usize, usize), PairCounts> = BTreeMap::new();
        for &Pairing { first, second, pairs } in pairings {
            assert!(first.max(second) < players, "players {first} and {second} of {players}");
            let (key, pairs) =
                if first < second { ((first, second), pairs) } else { ((second, first), pairs.mirrored()) };
            let known = matches.entry(key).or_default();
            known.0.iter_mut().zip(pairs.0).for_each(|(sum, count)| *sum = sum.saturating_add(count));
        }
        matches.retain(|(first, second), pairs| first != second && pairs.pairs() > 0);
        let worth = trials::Worth::of(matches.values());
        let links = matches.iter().map(|(&(first, second), &pairs)| Link::new(first, second, pairs, &worth));
        Ratings { fit: Fit::new(players, links.collect()) }
    }

    /// Elo of `first` less Elo of `second` with its 95% interval; none where no chain of matches joins them. `n` counts
    /// the pairs of games of `first`.
    ///
    /// Where no chain of players who took points off the next leads from one to the other the difference has no bound
    /// on that side, and then no estimate: it is infinite. The one bound is where such results have a likelihood of 1 in
    /// 40, as of the exact interval of a share.
    ///
    /// # Panics
    /// When an index is no player's.
    pub fn difference(&self, first: usize, second: usize) -> Option<Interval> {
        let fit = &self.fit;
        let n = fit.links().iter().filter(|link| link.joins(first)).map(|link| link.pairs.pairs()).sum();
        if first == second {
            return Some(Interval { estimate: 0.0, low: 0.0, high: 0.0, n });
        }
        if !fit.are_joined(first, second) {
            return None;
        }
        let (low, high) = (fit.takes_points(first, second), fit.takes_points(second, first));
        let fall = if low && high { Z_95 } else { (2.0 * 40_f64.ln()).sqrt() };
        let end = |is_bounded: bool, sign: f64| {
            if is_bounded { self.bound(first, second, sign, fall) } else { sign * f64::INFINITY }
        };
        let estimate = match (low, high) {
            (true, false) => f64::INFINITY,
            (false, true) => f64::NEG_INFINITY,
            _ => fit.nats()[first] - fit.nats()[second],
        };
        let nats = Interval { estimate, low: end(low, -1.0), high: end(high, 1.0), n };
        Some(nats.map(|nats| nats * ELO_PER_NAT))
    }

    /// Whether one rating a player explains all matches; none where there is no more to explain than there are ratings.
    /// Bootstrap samples are drawn from `seed`.
    pub fn fit_test(&self, seed: u64) -> Option<FitTest> {
        goodness::test(&self.fit, seed)
    }

    /// The matches with what the ratings expect of them, those that fit worst first.
    pub fn misfits(&self) -> Vec<Misfit> {
        goodness::misfits(&self.fit)
    }

    /// Where the profile likelihood of the difference, in nats, has fallen so far that the root of twice the fall is
    /// `fall`; `sign` says on which side. Newton's method on that root, which is close to a straight line.
    fn bound(&self, first: usize, second: usize, sign: f64, fall: f64) -> f64 {
        let middle = self.fit.nats()[first] - self.fit.nats()[second];
        let mut profile = self.fit.clone();
        let mut at = middle + sign * Z_95 * self.fit.standard_error(first, second);
        for _ in 0..BOUND_STEPS {
            let slope = profile.hold(Held { first, second, difference: at });
            let root = (2.0 * (self.fit.likelihood() - profile.likelihood())).max(0.0).sqrt();
            let step = ((root - fall) * root / slope.abs()).clamp(-4.0, 4.0);
            // Beyond the estimate there is no bound on this side.
            let nearest = (at - middle).abs() / 4.0;
            at = middle + sign * ((at - middle).abs() - step).max(nearest);
            // The next step would be the square of this one.
            if step.abs() < 1e-3 {
                break;
            }
        }
        at
    }
}

#[cfg(test)]
mod tests;

//! Whether one rating a player explains all matches.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution as _};
use rayon::prelude::*;

use super::fit::{Fit, Link};

/// The deviance of the ratings from what the matches would say one by one, with the probability of one as large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitTest {
    /// Twice the difference of the log-likelihoods: of each match with its own expected score, and of the ratings.
    pub deviance: f64,
    /// Matches less free ratings: the deviance of a good fit is about as large.
    pub freedom: usize,
    /// Share of samples drawn from the ratings, and rated anew, whose deviance is at least as large. It is no less than
    /// 1/400.
    pub p: f64,
}

/// A match with what the ratings expect of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misfit {
    /// Index of the player that scored more than expected.
    pub first: usize,
    pub second: usize,
    /// Share of the points of `first`, 0 to 1.
    pub observed: f64,
    pub expected: f64,
    /// Pairs of games.
    pub pairs: u64,
    /// What the match adds to the deviance.
    pub deviance: f64,
}

/// Samples of the bootstrap.
const SAMPLES: u64 = 399;

pub(super) fn test(fit: &Fit, seed: u64) -> Option<FitTest> {
    let freedom = fit.links().len().checked_sub(fit.freedom()).filter(|&freedom| freedom > 0)?;
    let found = deviance(fit);
    let larger = |sample: &u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(*sample);
        let points: Vec<f64> = fit.links().iter().map(|link| draw(fit, link, &mut rng)).collect();
        deviance(&fit.with_points(points.into_iter())) >= found
    };
    let larger = (0..SAMPLES).into_par_iter().filter(larger).count();
    Some(FitTest { deviance: found, freedom, p: (larger + 1) as f64 / (SAMPLES + 1) as f64 })
}

pub(super) fn misfits(fit: &Fit) -> Vec<Misfit> {
    let mut misfits: Vec<Misfit> = fit.links().iter().map(|link| misfit(fit, link)).collect();
    misfits.sort_by(|a, b| b.deviance.total_cmp(&a.deviance));
    misfits
}

fn misfit(fit: &Fit, link: &Link) -> Misfit {
    let (observed, expected) = (link.points / link.trials, fit.expected(link));
    let (pairs, deviance) = (link.pairs.pairs(), link_deviance(fit, link));
    if observed >= expected {
        Misfit { first: link.first, second: link.second, observed, expected, pairs, deviance }
    } else {
        let (observed, expected) = (1.0 - observed, 1.0 - expected);
        Misfit { first: link.second, second: link.first, observed, expected, pairs, deviance }
    }
}

fn deviance(fit: &Fit) -> f64 {
    fit.links().iter().map(|link| link_deviance(fit, link)).sum()
}

fn link_deviance(fit: &Fit, link: &Link) -> f64 {
    let term = |share: f64, expected: f64| if share > 0.0 { share * (share / expected).ln() } else { 0.0 };
    let (observed, expected) = (link.points / link.trials, fit.expected(link));
    (2.0 * link.trials * (term(observed, expected) + term(1.0 - observed, 1.0 - expected))).max(0.0)
}

/// Points of a match of the same trials, to the nearest whole number of them, drawn from the ratings.
fn draw(fit: &Fit, link: &Link, rng: &mut ChaCha8Rng) -> f64 {
    let trials = link.trials.round().max(1.0);
    let binomial = Binomial::new(trials as u64, fit.expected(link)).expect("a probability");
    binomial.sample(rng) as f64 * link.trials / trials
}

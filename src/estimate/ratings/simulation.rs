//! Runs that are drawn by chance, to see whether intervals hold the truth: bias and coverage of ratings.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use rayon::prelude::*;

use super::{Pairing, Ratings};
use crate::estimate::{PairCounts, score_of_elo};

/// A run of the shape of `configs/shatara.toml`: a network every eight generations, which meets random, two baselines
/// and the network before, in ten pairs of games each.
struct Design {
    /// Pairs of games of each match between neighbours of the pool; 0: no pool.
    pool: u64,
    /// Openings favour White by a normal number with this standard deviation, in nats...
    bias: f64,
    /// ... and this mean.
    colour: f64,
    /// A game is won with the chance of a player this much weaker, and lost with that of one this much stronger.
    draws: f64,
}

/// Elo of random, `alphabeta:1` and `alphabeta:2`, then of eleven networks.
const RUN: [f64; 14] =
    [0.0, 800.0, 1400.0, 300.0, 600.0, 850.0, 1050.0, 1180.0, 1280.0, 1340.0, 1390.0, 1430.0, 1460.0, 1480.0];
/// Elo of the other players of the pool.
const RUNGS: [f64; 8] = [130.0, 270.0, 420.0, 600.0, 920.0, 1030.0, 1150.0, 1280.0];
/// Which baselines and networks are next to each other in the pool, by their indices in [`RUN`] and behind it.
const LADDER: [usize; 11] = [0, 14, 15, 16, 17, 1, 18, 19, 20, 21, 2];
const PAIRS: u64 = 10;
const NETWORKS: std::ops::Range<usize> = 3..14;

impl Design {
    /// Who meets whom in how many pairs of games.
    fn matches(&self) -> Vec<(usize, usize, u64)> {
        let mut matches = Vec::new();
        for network in NETWORKS {
            (0..3).for_each(|baseline| matches.push((network, baseline, PAIRS)));
            if network > NETWORKS.start {
                matches.push((network, network - 1, PAIRS));
            }
        }
        if self.pool > 0 {
            for step in [1, 2] {
                matches.extend(LADDER.iter().zip(&LADDER[step..]).map(|(&a, &b)| (b, a, self.pool)));
            }
        }
        matches
    }

    fn truth(&self) -> Vec<f64> {
        RUN.into_iter().chain(RUNGS).collect()
    }

    /// The half points of a pair between players that are `nats` apart before draws and openings.
    fn pair(&self, nats: f64, rng: &mut ChaCha8Rng) -> usize {
        let white = self.colour + self.bias * rng.sample::<f64, _>(StandardNormal);
        let mut game = |nats: f64| {
            let luck: f64 = rng.random();
            usize::from(luck < logistic(nats - self.draws)) + usize::from(luck < logistic(nats + self.draws))
        };
        game(nats + white) + game(nats - white)
    }

    /// The strength in nats at which the expected score, draws and openings included, is that of `elo`.
    fn nats(&self, elo: f64) -> f64 {
        let score = |nats: f64| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for i in -40..=40 {
                let z = f64::from(i) / 8.0;
                let density = (-z * z / 2.0).exp();
                let white = self.colour + self.bias * z;
                for at in [nats + white, nats - white] {
                    sum += density * (logistic(at - self.draws) + logistic(at + self.draws)) / 4.0;
                }
                weight += density;
            }
            sum / weight
        };
        let (mut low, mut high) = (-40.0, 40.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            *(if score(middle) < score_of_elo(elo) { &mut low } else { &mut high }) = middle;
        }
        low
    }

    /// Runs of this design, rated.
    fn runs(&self, runs: u64) -> Vec<Ratings> {
        self.stretched(runs, 0.0)
    }

    /// Likewise where each network scores against the one before as if it were so many Elo stronger still.
    fn stretched(&self, runs: u64, stretch: f64) -> Vec<Ratings> {
        let truth = self.truth();
        let matches = self.matches();
        let is_step = |a: usize, b: usize| NETWORKS.contains(&a) && NETWORKS.contains(&b);
        let elo = |a: usize, b: usize| truth[a] - truth[b] + if is_step(a, b) { stretch } else { 0.0 };
        let nats: Vec<f64> = matches.iter().map(|&(a, b, _)| self.nats(elo(a, b))).collect();
        let run = |run| {
            let mut rng = ChaCha8Rng::seed_from_u64(run);
            let pairings = matches.iter().zip(&nats).map(|(&(first, second, n), &nats)| {
                let mut pairs = PairCounts::default();
                (0..n).for_each(|_| pairs.add(self.pair(nats, &mut rng)));
                Pairing { first, second, pairs }
            });
            Ratings::new(truth.len(), &pairings.collect::<Vec<_>>())
        };
        (0..runs).into_par_iter().map(run).collect()
    }

    fn found(&self, runs: &[Ratings], differences: &[(usize, usize)]) -> Found {
        let truth = self.truth();
        let mut found = Found::default();
        for (ratings, &(a, b)) in runs.iter().flat_map(|run| differences.iter().map(move |pair| (run, pair))) {
            let (interval, truth) = (ratings.difference(a, b).expect("all are joined"), truth[a] - truth[b]);
            found.number += 1.0;
            found.below += f64::from(u8::from(interval.high < truth));
            found.above += f64::from(u8::from(interval.low > truth));
            if interval.estimate.is_finite() {
                found.bounded += 1.0;
                found.error += interval.estimate - truth;
            }
            if interval.low.is_finite() && interval.high.is_finite() {
                found.width += (interval.high - interval.low) / 2.0;
                found.widths += 1.0;
            }
        }
        found
    }
}

/// Sums over intervals.
#[derive(Default)]
struct Found {
    number: f64,
    /// Intervals that lie below the truth, or above it.
    below: f64,
    above: f64,
    /// Those with an estimate, and its error.
    bounded: f64,
    error: f64,
    /// Half widths, of those that are bounded on both sides.
    width: f64,
    widths: f64,
}

impl Found {
    fn coverage(&self) -> f64 {
        1.0 - (self.below + self.above) / self.number
    }

    fn bias(&self) -> f64 {
        self.error / self.bounded
    }
}

fn logistic(nats: f64) -> f64 {
    1.0 / (1.0 + (-nats).exp())
}

/// What docs/controls.md tells about, with its name there.
fn questions() -> Vec<(&'static str, Vec<(usize, usize)>)> {
    vec![
        ("`alphabeta:1`", vec![(1, 0)]),
        ("`alphabeta:2`", vec![(2, 0)]),
        ("last network", vec![(13, 0)]),
        ("all networks", NETWORKS.map(|network| (network, 0)).collect()),
        ("network less the one before", (4..14).map(|network| (network, network - 1)).collect()),
        ("last network less `alphabeta:2`", vec![(13, 2)]),
    ]
}

fn designs() -> impl Iterator<Item = Design> {
    [0, 50, 100].into_iter().flat_map(|pool| {
        [(0.0, 0.0, 0.0), (1.0, 0.3, 0.0), (1.0, 0.3, 1.5)].map(|(bias, colour, draws)| Design {
            pool,
            bias,
            colour,
            draws,
        })
    })
}

/// With the pool, every kind of interval holds the truth. Without it, those of baselines far from random lie on the low
/// side in a few runs more.
#[test]
fn intervals_hold_the_truth() {
    for design in designs().filter(|design| design.pool != 50) {
        let runs = design.runs(200);
        for (name, differences) in questions() {
            let found = design.found(&runs, &differences);
            let Design { pool, bias, draws, .. } = design;
            // Four standard errors of a coverage of 95% in 200 runs are 6 points.
            let least = if pool > 0 { 0.89 } else { 0.86 };
            assert!(found.coverage() > least, "{pool} {bias} {draws} {name}: {}", found.coverage());
            let most = if pool > 0 { 25.0 } else { 70.0 };
            assert!(found.bias().abs() < most, "{pool} {bias} {draws} {name}: {}", found.bias());
        }
    }
}

/// The test of fit rejects few runs that the model is true of, and most of those whose networks score as 200 Elo more
/// than they are against each other.
#[test]
fn the_test_of_fit_tells_contradictions_from_chance() {
    let design = Design { pool: 50, bias: 1.0, colour: 0.3, draws: 0.0 };
    let rejected = |stretch: f64| {
        let bad = |run: &Ratings| run.fit_test(1).is_some_and(|test| test.p < 0.05);
        design.stretched(40, stretch).iter().filter(|run| bad(run)).count()
    };
    let (true_runs, contradictory) = (rejected(0.0), rejected(200.0));
    assert!(true_runs <= 7 && contradictory >= 30, "{true_runs} {contradictory} of 40");
}

/// The table of docs/controls.md: `cargo test --lib rating_coverage -- --ignored --nocapture`.
#[test]
#[ignore = "prints a table"]
fn rating_coverage() {
    println!(
        "| pool | bias | colour | draws | difference | bias | covers | below | above | half width | no estimate |"
    );
    for design in designs() {
        let runs = design.runs(2000);
        let Design { pool, bias, colour, draws } = design;
        for (name, differences) in questions() {
            let found = design.found(&runs, &differences);
            let percent = |count: f64| 100.0 * count / found.number;
            println!(
                "| {pool} | {bias} | {colour} | {draws} | {name} | {:+.0} | {:.1} | {:.1} | {:.1} | {:.0} | {:.1} |",
                found.bias(),
                100.0 * found.coverage(),
                percent(found.below),
                percent(found.above),
                found.width / found.widths,
                100.0 - percent(found.bounded)
            );
        }
        let rejected = runs.iter().take(300).filter(|run| run.fit_test(1).is_some_and(|test| test.p < 0.05)).count();
        println!("| {pool} | {bias} | {colour} | {draws} | test of fit below 0.05: {:.1}% |", rejected as f64 / 3.0);
    }
}

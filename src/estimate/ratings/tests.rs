use super::*;

fn pairing(first: usize, second: usize, pairs: [u64; 5]) -> Pairing {
    Pairing { first, second, pairs: PairCounts(pairs) }
}

#[test]
fn a_stranger_has_no_difference_and_a_player_none_to_itself() {
    let ratings = Ratings::new(4, &[pairing(1, 0, [1, 0, 5, 0, 3]), pairing(2, 3, [0, 0, 1, 0, 0])]);
    assert!(ratings.difference(2, 0).is_none() && ratings.difference(3, 2).is_some());
    assert_eq!(ratings.difference(0, 0), Some(Interval { estimate: 0.0, low: 0.0, high: 0.0, n: 9 }));
}

/// A chain of players who won every point: each is at least so much stronger than the last, and nobody knows how much.
#[test]
fn a_clean_sweep_is_bounded_on_one_side() {
    let sweep = [0, 0, 0, 0, 20];
    let ratings = Ratings::new(3, &[pairing(1, 0, sweep), pairing(2, 1, sweep)]);
    let (near, far) = (ratings.difference(1, 0).unwrap(), ratings.difference(2, 0).unwrap());
    assert!((near.estimate, near.high) == (f64::INFINITY, f64::INFINITY), "{near}");
    assert!(near.low > 200.0 && far.low > near.low, "{near} {far}");
    let back = ratings.difference(0, 2).unwrap();
    assert_eq!((back.estimate, back.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    assert!((back.high + far.low).abs() < 1e-6 && format!("{back:.0}").starts_with("at most -"), "{back}");
    // Half a point of the weakest against the strongest bounds all three.
    let closed = Ratings::new(3, &[pairing(1, 0, sweep), pairing(2, 1, sweep), pairing(2, 0, [0, 0, 0, 1, 19])]);
    assert!((1..3).all(|player| closed.difference(player, 0).unwrap().high.is_finite()));
}

/// Twenty games won of twenty: the exact bound is where that has a chance of 1 in 40, and the prior takes a little.
#[test]
fn the_bound_of_a_sweep_is_that_of_an_exact_interval() {
    let swept = Ratings::new(2, &[pairing(1, 0, [0, 0, 0, 0, 10])]).difference(1, 0).unwrap();
    let exact = crate::estimate::elo_of_score(0.025_f64.powf(1.0 / 20.0));
    assert!(swept.low < exact && swept.low > exact - 15.0, "{swept} {exact}");
}

/// Four players in six matches.
fn four_players() -> Ratings {
    let pairings = [
        pairing(1, 0, [1, 2, 9, 5, 3]),
        pairing(2, 0, [0, 1, 4, 3, 12]),
        pairing(2, 1, [2, 3, 8, 4, 3]),
        // From the weaker player's point of view.
        pairing(2, 3, [7, 6, 10, 1, 1]),
        pairing(3, 1, [0, 0, 5, 4, 11]),
        pairing(3, 0, [0, 0, 0, 1, 19]),
    ];
    Ratings::new(4, &pairings)
}

/// The same quasi-likelihood in scipy 1.17: `optimize.lsq_linear` for the variance of pairs, `minimize` for ratings and
/// profiles, `brentq` for their ends.
#[test]
fn ratings_and_intervals_match_scipy() {
    let ratings = four_players();
    for (first, second, estimate, low, high) in [
        (1, 0, 134.197_57, 61.537_26, 210.040_21),
        (2, 0, 231.156_10, 155.901_66, 310.902_09),
        (3, 0, 399.636_10, 314.939_76, 490.385_08),
        (3, 2, 168.480_00, 98.510_32, 242.206_02),
    ] {
        let found = ratings.difference(first, second).unwrap();
        for (found, expected) in [(found.estimate, estimate), (found.low, low), (found.high, high)] {
            assert!((found - expected).abs() < 1e-3, "{first} {second}: {found} {expected}");
        }
        let back = ratings.difference(second, first).unwrap();
        assert!((back.estimate + found.estimate).abs() < 1e-6 && (back.low + found.high).abs() < 1e-4);
    }
    let test = ratings.fit_test(1).unwrap();
    assert!((test.deviance - 12.118_25).abs() < 1e-3 && test.freedom == 3, "{test:?}");
    let worst = ratings.misfits()[0];
    assert!(worst.observed > worst.expected && worst.deviance < test.deviance, "{worst:?}");
}

/// The likeliest ratings of the plain model, which Ordo fits: every game on its own, a draw as half a win, no prior
/// (scipy 1.17). The weight of a match is another here, so that they differ by a part of an interval.
#[test]
fn ratings_are_near_those_of_independent_games() {
    let ratings = four_players();
    for (player, ordo) in [(1, 138.67), (2, 237.63), (3, 409.16)] {
        let found = ratings.difference(player, 0).unwrap();
        assert!((found.estimate - ordo).abs() < (found.high - found.low) / 10.0, "{player}: {found}");
    }
}

/// Two players: the rating is that of the score with a tenth of a drawn game, and the interval close to that of the
/// match alone.
#[test]
fn two_players_by_hand() {
    let pairs = PairCounts([5, 20, 40, 25, 10]);
    let found = Ratings::new(2, &[Pairing { first: 1, second: 0, pairs }]).difference(1, 0).unwrap();
    let score = (200.0 * pairs.score() + 0.05) / 200.1;
    assert!((crate::estimate::score_of_elo(found.estimate) - score).abs() < 1e-9 && found.n == 100);
    let alone = pairs.estimate();
    assert!((found.low - alone.low).abs() < 3.0 && (found.high - alone.high).abs() < 3.0, "{found} {alone}");
}

/// A newcomer who draws with the weakest of a long ladder and loses to the strongest: a whole step of Newton's method
/// takes it half-way up, where no match says much, and the next out of all bounds.
#[test]
fn a_weak_newcomer_to_a_long_ladder_is_rated() {
    let mut pairings: Vec<Pairing> = (1..8).map(|player| pairing(player, player - 1, [0, 2, 10, 48, 140])).collect();
    pairings.extend([pairing(8, 0, [0, 0, 1, 0, 0]), pairing(8, 7, [1, 0, 0, 0, 0])]);
    let ratings = Ratings::new(9, &pairings);
    let (newcomer, strongest) = (ratings.difference(8, 0).unwrap(), ratings.difference(7, 0).unwrap());
    assert!(newcomer.estimate.abs() < 50.0, "{newcomer}");
    assert!(newcomer.low > -800.0 && newcomer.low < -200.0, "{newcomer}");
    assert!(newcomer.high < 800.0 && newcomer.high > 200.0, "{newcomer}");
    assert!(strongest.high - strongest.low > 40.0 && strongest.low < strongest.estimate, "{strongest}");
}

/// A run of 300 networks: the fit, and the interval of each network and of its difference from the one before.
#[test]
fn a_long_run_is_rated_whole() {
    let mut pairings = Vec::new();
    for network in 3..303 {
        let stronger = (network as u64) / 50;
        pairings.extend((0..3).map(|baseline| pairing(network, baseline, [1, 2, 4, 2, 1 + stronger])));
        pairings.push(pairing(network, network - 1, [2, 2, 2, 2, 2]));
    }
    let ratings = Ratings::new(303, &pairings);
    for network in 4..303 {
        let (rating, gain) = (ratings.difference(network, 0).unwrap(), ratings.difference(network, network - 1));
        let gain = gain.unwrap();
        assert!(rating.low < rating.estimate && rating.estimate < rating.high && rating.high < 400.0, "{rating}");
        assert!(gain.low < gain.estimate && gain.estimate < gain.high && gain.high < 300.0, "{gain}");
    }
}

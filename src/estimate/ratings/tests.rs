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

//! Ratings of many players from all their games at once: the Elo curve of a run.

use super::Interval;

/// All games between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// Index of the first player.
    pub first: usize,
    /// Index of the second player.
    pub second: usize,
    /// The first player's points: 1 a win, 1/2 a draw.
    pub points: f64,
    pub games: f64,
}

/// Elo points of one unit of the natural logistic scale, 400 / ln 10.
const ELO_PER_NAT: f64 = 173.717_792_761;
/// The weak prior: each pairing counts as if it held this many more drawn games, so that a clean sweep has a finite
/// rating.
const PRIOR_DRAWS: f64 = 1.0;
/// Far more Newton steps than a concave fit takes.
const STEPS: usize = 100;

/// Ratings of `players` players in Elo, relative to `anchor`, by the model of Bradley and Terry (Biometrika 39, 1952)
/// with a draw as half a win and half a loss: the maximum of the posterior under one drawn game a pairing as prior,
/// found by Newton's method (the posterior is concave).
///
/// Intervals are normal ones from the inverse of the observed information, without that of the prior. A draw is counted
/// at the variance of a decided game, so they are on the wide side. A player whom no chain of games joins to the anchor
/// has no rating. `n` counts the games of a player with those joined to the anchor.
///
/// # Panics
/// When an index is not below `players`.
pub fn ratings(players: usize, anchor: usize, pairings: &[Pairing]) -> Vec<Option<Interval>> {
    let joined = joined_to(players, anchor, pairings);
    let free: Vec<usize> = (0..players).filter(|&player| joined[player] && player != anchor).collect();
    let mut column = vec![None; players];
    for (i, &player) in free.iter().enumerate() {
        column[player] = Some(i);
    }
    let played: Vec<&Pairing> =
        pairings.iter().filter(|p| joined[p.first] && p.games > 0.0 && p.first != p.second).collect();

    let mut nats = vec![0.0; free.len()];
    for _ in 0..STEPS {
        let (gradient, information) = slopes(&nats, &column, &played, PRIOR_DRAWS);
        let inverse = inverse(information);
        let step: Vec<f64> = inverse
            .iter()
            .map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum::<f64>().clamp(-1.0, 1.0))
            .collect();
        for (nat, step) in nats.iter_mut().zip(&step) {
            *nat += step;
        }
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    let covariance = inverse(slopes(&nats, &column, &played, 0.0).1);
    let games = |player: usize| {
        let own = played.iter().filter(|pairing| pairing.first == player || pairing.second == player);
        own.map(|pairing| pairing.games).sum::<f64>() as u64
    };
    (0..players)
        .map(|player| {
            let (nat, error) = match column[player] {
                Some(i) => (nats[i], covariance[i][i].sqrt()),
                None if player == anchor => (0.0, 0.0),
                None => return None,
            };
            Some(Interval::normal(nat * ELO_PER_NAT, error * ELO_PER_NAT, games(player)))
        })
        .collect()
}

/// Which players a chain of games joins to the anchor.
fn joined_to(players: usize, anchor: usize, pairings: &[Pairing]) -> Vec<bool> {
    let mut joined = vec![false; players];
    joined[anchor] = true;
    for _ in 0..players {
        for pairing in pairings.iter().filter(|pairing| pairing.games > 0.0) {
            let either = joined[pairing.first] || joined[pairing.second];
            (joined[pairing.first], joined[pairing.second]) = (either, either);
        }
    }
    joined
}

/// First derivative and negated second derivative of the log-likelihood by the free players' ratings.
fn slopes(
    nats: &[f64],
    column: &[Option<usize>],
    pairings: &[&Pairing],
    prior_draws: f64,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut gradient = vec![0.0; nats.len()];
    let mut information = vec![vec![0.0; nats.len()]; nats.len()];
    let rating = |player: Option<usize>| player.map_or(0.0, |i| nats[i]);
    for pairing in pairings {
        let (first, second) = (column[pairing.first], column[pairing.second]);
        let expected = 1.0 / (1.0 + (rating(second) - rating(first)).exp());
        let games = pairing.games + prior_draws;
        let surplus = pairing.points + prior_draws / 2.0 - games * expected;
        let weight = games * expected * (1.0 - expected);
        for (own, other, sign) in [(first, second, 1.0), (second, first, -1.0)] {
            let Some(own) = own else { continue };
            gradient[own] += sign * surplus;
            information[own][own] += weight;
            if let Some(other) = other {
                information[own][other] -= weight;
            }
        }
    }
    (gradient, information)
}

/// Inverse of a symmetric positive definite matrix (Gauss-Jordan; no pivoting is needed).
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for k in 0..matrix.len() {
        let pivot = matrix[k][k];
        matrix[k][k] = 1.0;
        matrix[k].iter_mut().for_each(|value| *value /= pivot);
        let pivot_row = matrix[k].clone();
        for (i, row) in matrix.iter_mut().enumerate().filter(|&(i, _)| i != k) {
            let factor = std::mem::replace(&mut row[k], 0.0);
            debug_assert!(i != k);
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{
        super::{Z_95, score_of_elo},
        *,
    };

    /// Two players: the maximum is where the expected score is the score with one draw added; 75.5 of 101 is 188.6 Elo.
    /// The error is 1.96 / sqrt(100 p q) nats.
    #[test]
    fn two_players_by_hand() {
        let found = ratings(2, 0, &[Pairing { first: 1, second: 0, points: 75.0, games: 100.0 }]);
        assert_eq!(found[0], Some(Interval { estimate: 0.0, low: 0.0, high: 0.0, n: 100 }));
        let p: f64 = 75.5 / 101.0;
        let rating = found[1].unwrap();
        assert!((score_of_elo(rating.estimate) - p).abs() < 1e-9, "{rating:?}");
        let error = Z_95 * ELO_PER_NAT / (100.0 * p * (1.0 - p)).sqrt();
        assert!((rating.high - rating.estimate - error).abs() < 1e-6, "{rating:?}");
    }

    /// A ladder of players 100 Elo apart, each playing its two neighbours: the fit finds the ladder back, within its
    /// own intervals.
    #[test]
    fn a_ladder_of_players_is_found_back() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let truth: Vec<f64> = (0..8).map(|i| 100.0 * i as f64).collect();
        let mut pairings = Vec::new();
        for first in 1..8 {
            for second in first.max(2) - 2..first {
                let p = score_of_elo(truth[first] - truth[second]);
                let points = (0..2000).filter(|_| rng.random_bool(p)).count() as f64;
                pairings.push(Pairing { first, second, points, games: 2000.0 });
            }
        }
        let found = ratings(8, 0, &pairings);
        for (rating, truth) in found.iter().zip(truth) {
            let rating = rating.unwrap();
            assert!((rating.estimate - truth).abs() < 60.0, "{rating:?} {truth}");
            assert!(rating.low <= truth + 15.0 && rating.high >= truth - 15.0, "{rating:?} {truth}");
        }
    }

    #[test]
    fn a_clean_sweep_is_finite_and_a_stranger_has_no_rating() {
        let found = ratings(
            4,
            0,
            &[
                Pairing { first: 1, second: 0, points: 40.0, games: 40.0 },
                Pairing { first: 2, second: 3, points: 1.0, games: 2.0 },
            ],
        );
        let sweep = found[1].unwrap();
        assert!(sweep.estimate > 600.0 && sweep.estimate < 900.0, "{sweep:?}");
        assert!(sweep.low.is_finite() && sweep.low > 0.0 && sweep.high.is_finite(), "{sweep:?}");
        assert_eq!((found[2], found[3]), (None, None));
    }
}

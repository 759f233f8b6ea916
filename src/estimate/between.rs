//! The mean of a few numbers that are samples of their own, such as runs.

use super::Interval;

/// The mean of independent numbers with Student's t interval (Biometrika 6, 1908), and their standard deviation; `n`
/// counts the numbers. `None` of fewer than two, and of numbers that are all equal, which do not say how others would
/// differ.
pub fn mean_of_few(numbers: &[f64]) -> Option<(Interval, f64)> {
    let n = numbers.len();
    if n < 2 {
        return None;
    }
    let mean = numbers.iter().sum::<f64>() / n as f64;
    let deviation = (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1) as f64).sqrt();
    if deviation == 0.0 {
        return None;
    }
    let half = quantile(n - 1) * deviation / (n as f64).sqrt();
    Some((Interval { estimate: mean, low: mean - half, high: mean + half, n: n as u64 }, deviation))
}

/// The 97.5% quantile of Student's t with so many degrees of freedom: by bisection of the distribution function, a finite
/// sum of powers of the cosine of `atan(t / √ν)` (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and
/// 26.7.4).
fn quantile(freedom: usize) -> f64 {
    let (mut low, mut high) = (1.0, 13.0);
    while high - low > 1e-12 * high {
        let middle = f64::midpoint(low, high);
        *(if within(middle, freedom) < 0.95 { &mut low } else { &mut high }) = middle;
    }
    f64::midpoint(low, high)
}

/// The chance that t lies within so much of 0.
fn within(t: f64, freedom: usize) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    let (mut term, mut sum) = if is_odd { (cosine, 0.0) } else { (1.0, 0.0) };
    let mut power = if is_odd { 1 } else { 0 };
    while power + 2 <= freedom {
        sum += term;
        term *= cosine * cosine * (power + 1) as f64 / (power + 2) as f64;
        power += 2;
    }
    if is_odd { (angle + sine * sum) / std::f64::consts::FRAC_PI_2 } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.t.ppf(0.975, df)`.
    #[test]
    fn quantiles_agree_with_scipy() {
        for (freedom, expected) in QUANTILES {
            assert!((quantile(freedom) - expected).abs() < 1e-9, "{freedom}: {}", quantile(freedom));
        }
    }

    const QUANTILES: [(usize, f64); 7] = [
        (1, 12.706204736175),
        (2, 4.302652729749),
        (3, 3.182446305284),
        (4, 2.776445105198),
        (9, 2.262157162798),
        (30, 2.042272456301),
        (101, 1.983731002956),
    ];

    #[test]
    fn four_runs() {
        assert_eq!(mean_of_few(&[3.0]), None);
        assert_eq!(mean_of_few(&[3.0, 3.0]), None);
        let (mean, deviation) = mean_of_few(&[11.1, 11.2, 6.2, 10.5]).unwrap();
        assert!((mean.estimate - 9.75).abs() < 1e-12 && (deviation - 2.386769).abs() < 1e-6, "{deviation}");
        assert!((mean.high - 9.75 - 3.182446 * deviation / 2.0).abs() < 1e-5 && mean.n == 4);
    }
}

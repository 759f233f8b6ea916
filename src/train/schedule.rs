//! The learning rate: a function of the config and of how far the run has come, so that nothing of it need be saved.

use std::f64::consts::PI;

use super::config::{Decay, TrainConfig};

/// Learning rate of step `step` (counted from 0), when a share of `progress`, 0 to 1, of the fall is over.
pub fn learning_rate(config: &TrainConfig, step: u64, progress: f64) -> f64 {
    let warmup = ((step + 1) as f64 / (config.warmup_steps + 1) as f64).min(1.0);
    let progress = progress.clamp(0.0, 1.0);
    let fraction = match config.decay {
        Decay::Constant => 1.0,
        Decay::Cosine => config.decay_final + (1.0 - config.decay_final) * (1.0 + (PI * progress).cos()) / 2.0,
        Decay::Step => {
            let falls = [0.5, 0.75, 1.0].iter().filter(|&&at| progress >= at).count();
            config.decay_final.powf(falls as f64 / 3.0)
        }
    };
    config.learning_rate * warmup * fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warms_up_then_falls_to_the_final_fraction() {
        let config = TrainConfig { learning_rate: 1.0, warmup_steps: 3, decay_final: 0.1, ..TrainConfig::default() };
        let rate = |step, progress| learning_rate(&config, step, progress);
        assert_eq!([rate(0, 0.0), rate(1, 0.0), rate(2, 0.0), rate(3, 0.0)], [0.25, 0.5, 0.75, 1.0]);
        assert!((rate(9, 0.5) - 0.55).abs() < 1e-12);
        assert!((rate(9, 1.0) - 0.1).abs() < 1e-12);
        assert!((rate(9, 5.0) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn falls_in_three_steps() {
        let config = TrainConfig {
            decay: Decay::Step,
            learning_rate: 1.0,
            warmup_steps: 0,
            decay_final: 0.001,
            ..TrainConfig::default()
        };
        let rates = [0.0, 0.499, 0.5, 0.75, 1.0, 9.0].map(|progress| learning_rate(&config, 9, progress));
        for (found, expected) in rates.into_iter().zip([1.0, 1.0, 0.1, 0.01, 0.001, 0.001]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}

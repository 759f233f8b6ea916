//! Which numbers, and which way to run a graph, are fastest on this machine for this network.

use std::{
    fmt,
    time::{Duration, Instant},
};

use tch::Device;

use super::{
    config::{Backend, Plan, Precision},
    evaluator::{Evaluations, Evaluator, EvaluatorError},
    libtorch::LibtorchEvaluator,
    weights::Weights,
};
use crate::{encode::Rows, game::Layout};

/// How long each plan is measured in a round, and how many rounds there are: the best of several shrugs off what else the machine does.
const ROUND: Duration = Duration::from_millis(40);
const ROUNDS: usize = 4;

/// How much faster a less exact plan must be.
const WORTH_IT: f64 = 1.05;

/// A plan, and what spoke for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub plan: Plan,
    /// Positions a second of one thread by plan; empty when there was nothing to choose.
    pub measured: Vec<(Plan, f64)>,
}

/// In words, with the measurements.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.plan.name())?;
        if self.measured.is_empty() {
            return write!(f, ", as configured");
        }
        let speeds: Vec<String> =
            self.measured.iter().map(|(plan, speed)| format!("{} {speed:.0}", plan.name())).collect();
        write!(f, ", the fastest here in positions/s a thread: {}", speeds.join(", "))
    }
}

/// Settles a precision and a backend for batches of `batch_size` rows on `device`. What is `auto` is measured, on blank rows, in about a second.
///
/// # Errors
/// When the device cannot do what is asked for, or the evaluator fails.
pub fn choose(
    weights: &Weights,
    layout: &'static Layout,
    device: Device,
    precision: Precision,
    backend: Backend,
    batch_size: usize,
) -> Result<Choice, EvaluatorError> {
    let allowed = allowed(device, precision, backend);
    match allowed[..] {
        [] => Err(EvaluatorError("backend: expected `eager` or `auto` on a GPU, found `fused`".to_owned())),
        [plan] => Ok(Choice { plan, measured: Vec::new() }),
        _ => measure(weights, layout, device, &allowed, batch_size),
    }
}

fn allowed(device: Device, precision: Precision, backend: Backend) -> Vec<Plan> {
    let on_cpu = device == Device::Cpu;
    let fits = |plan: &Plan| {
        let numbers = match precision {
            Precision::F32 => !plan.is_bf16(),
            Precision::Bf16 => plan.is_bf16(),
            Precision::Auto if on_cpu => !plan.is_bf16() || has_bf16_instructions(),
            Precision::Auto => plan.is_bf16(),
        };
        let graph = match backend {
            Backend::Eager => !plan.is_fused(),
            Backend::Fused => plan.is_fused() && on_cpu,
            Backend::Auto => !plan.is_fused() || on_cpu,
        };
        numbers && graph
    };
    Plan::ALL.into_iter().filter(fits).collect()
}

fn measure(
    weights: &Weights,
    layout: &'static Layout,
    device: Device,
    plans: &[Plan],
    batch_size: usize,
) -> Result<Choice, EvaluatorError> {
    let mut rows = Rows::new(layout);
    for _ in 0..batch_size {
        rows.push_blank();
    }
    let mut evaluators = Vec::new();
    for &plan in plans {
        match LibtorchEvaluator::new(weights, device, plan, batch_size) {
            Ok(evaluator) => evaluators.push((plan, evaluator, f64::INFINITY)),
            Err(error) => tracing::warn!("{} left out: {error}", plan.name()),
        }
    }
    let mut out = Evaluations::default();
    for _ in 0..ROUNDS {
        for (_, evaluator, best) in &mut evaluators {
            let (start, mut calls) = (Instant::now(), 0);
            while calls == 0 || start.elapsed() < ROUND {
                evaluator.evaluate(&rows, &mut out)?;
                calls += 1;
            }
            *best = best.min(start.elapsed().as_secs_f64() / f64::from(calls));
        }
    }
    let measured: Vec<(Plan, f64)> =
        evaluators.iter().map(|&(plan, _, seconds)| (plan, batch_size as f64 / seconds)).collect();
    let fastest = measured.iter().copied().reduce(|best, next| if next.1 > WORTH_IT * best.1 { next } else { best });
    let (plan, _) = fastest.ok_or_else(|| EvaluatorError("libtorch can run this network in no way".to_owned()))?;
    Ok(Choice { plan, measured })
}

#[cfg(target_arch = "x86_64")]
pub(crate) fn has_bf16_instructions() -> bool {
    std::arch::is_x86_feature_detected!("avx512bf16")
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_bf16_instructions() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_settled_is_not_measured() {
        use Plan::*;
        let gpu = Device::Cuda(0);
        assert_eq!(allowed(Device::Cpu, Precision::F32, Backend::Eager), [F32]);
        assert_eq!(allowed(Device::Cpu, Precision::Bf16, Backend::Fused), [Bf16Fused]);
        assert_eq!(allowed(Device::Cpu, Precision::F32, Backend::Auto), [F32, F32Fused]);
        assert_eq!(allowed(gpu, Precision::Auto, Backend::Auto), [Bf16]);
        assert_eq!(allowed(gpu, Precision::F32, Backend::Auto), [F32]);
        assert!(allowed(gpu, Precision::F32, Backend::Fused).is_empty());
    }

    #[test]
    fn a_choice_says_why() {
        let choice = Choice { plan: Plan::Bf16Fused, measured: vec![(Plan::F32, 900.4), (Plan::Bf16Fused, 2000.0)] };
        let text = "bf16 fused, the fastest here in positions/s a thread: f32 900, bf16 fused 2000";
        assert_eq!(choice.to_string(), text);
        assert_eq!(Choice { plan: Plan::F32, measured: vec![] }.to_string(), "f32, as configured");
    }
}

//! Which numbers, and which way to run a graph, are fastest on this machine for this network.

use std::{
    fmt,
    time::{Duration, Instant},
};

use tch::Device;

use super::{
    config::{Backend, Plan, Precision},
    content::Content,
    evaluator::{Evaluations, Evaluator, EvaluatorError},
    libtorch::LibtorchEvaluator,
    module::ModuleFormat,
    processor,
};
use crate::encode::Rows;

/// How long each plan is measured in a round, and how many rounds there are: the best of several shrugs off what else
/// the machine does.
const ROUND: Duration = Duration::from_millis(40);
const ROUNDS: usize = 4;

/// How much faster a less exact plan must be; and one of 8 bits, which is several times less exact.
const WORTH_IT: f64 = 1.05;
const INT8_WORTH_IT: f64 = 1.2;

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

/// Settles a precision and a backend for batches of `batch_size` rows on `device`. What is `auto` is measured, on blank
/// rows, in about a second; `sample` is as for [`LibtorchEvaluator::with_sample`].
///
/// # Errors
/// When the device cannot do what is asked for, or the evaluator fails.
pub fn choose(
    content: &Content,
    sample: &Rows,
    device: Device,
    precision: Precision,
    backend: Backend,
    batch_size: usize,
) -> Result<Choice, EvaluatorError> {
    let allowed = allowed(format(content), device, precision, backend);
    match allowed[..] {
        [] => Err(EvaluatorError::Refused(refusal(format(content), device, precision).to_owned())),
        [plan] => Ok(Choice { plan, measured: Vec::new() }),
        _ => measure(content, sample, device, &allowed, batch_size),
    }
}

/// Whether a plan, which may have been settled elsewhere, is one of those that these settings leave on this machine.
pub fn is_possible(plan: Plan, content: &Content, device: Device, precision: Precision, backend: Backend) -> bool {
    allowed(format(content), device, precision, backend).contains(&plan)
}

/// The plan that a precision and a backend come to, which is measured where something is `auto`. Without a sample nothing
/// is measured: then the most exact is taken.
///
/// # Errors
/// As [`choose`].
pub(super) fn plan(
    content: &Content,
    device: Device,
    precision: Precision,
    backend: Backend,
    batch_size: usize,
    sample: Option<&Rows>,
) -> Result<Plan, EvaluatorError> {
    match sample {
        Some(sample) => {
            let choice = choose(content, sample, device, precision, backend, batch_size)?;
            tracing::info!("the network computes in {choice}");
            Ok(choice.plan)
        }
        None => {
            let exact = allowed(format(content), device, precision, backend).first().copied();
            exact.ok_or_else(|| EvaluatorError::Refused(refusal(format(content), device, precision).to_owned()))
        }
    }
}

/// How a network of another architecture is written down.
fn format(content: &Content) -> Option<ModuleFormat> {
    match content {
        Content::Weights(_) => None,
        Content::Module(module) => Some(module.format()),
    }
}

/// Why nothing is allowed.
fn refusal(module: Option<ModuleFormat>, device: Device, precision: Precision) -> &'static str {
    match (module, precision, device) {
        (Some(ModuleFormat::Onnx), Precision::Bf16 | Precision::Int8, _) => {
            "precision: expected `auto` or `f32` with an ONNX network, found another"
        }
        (Some(ModuleFormat::Onnx), _, Device::Cpu) => {
            "backend: expected `auto` or `eager` with an ONNX network, found `fused`"
        }
        (Some(ModuleFormat::Onnx), ..) => "device: expected `cpu` with an ONNX network, found a GPU",
        (Some(ModuleFormat::TorchScript), Precision::Int8, _) => {
            "precision: expected `auto`, `f32` or `bf16` with a traced module, found `int8`"
        }
        (_, Precision::Int8, Device::Cpu) => {
            "precision: expected `auto`, `f32` or `bf16` on a processor without sums of 8-bit products, found `int8`"
        }
        (_, Precision::Int8, _) => "precision: expected `auto`, `f32` or `bf16` on a GPU, found `int8`",
        _ => "backend: expected `eager` or `auto` on a GPU, found `fused`",
    }
}

fn allowed(module: Option<ModuleFormat>, device: Device, precision: Precision, backend: Backend) -> Vec<Plan> {
    let on_cpu = device == Device::Cpu;
    if module == Some(ModuleFormat::Onnx) {
        // The one way of its runtime.
        let fits = on_cpu && matches!(precision, Precision::F32 | Precision::Auto) && backend != Backend::Fused;
        return if fits { vec![Plan::F32] } else { Vec::new() };
    }
    let fits = |plan: &Plan| {
        let (bf16, fused) = match plan {
            Plan::F32 => (false, false),
            Plan::F32Fused => (false, true),
            Plan::Bf16 => (true, false),
            Plan::Bf16Fused => (true, true),
            Plan::Int8 => {
                let is_free = (precision, backend) == (Precision::Auto, Backend::Auto);
                let asked = precision == Precision::Int8 || is_free && processor::has_avx512();
                return asked && on_cpu && processor::has_int8() && module.is_none();
            }
        };
        let numbers = match precision {
            Precision::F32 => !bf16,
            Precision::Bf16 => bf16,
            Precision::Int8 => false,
            Precision::Auto if on_cpu => !bf16 || processor::has_bf16(),
            Precision::Auto => bf16,
        };
        let graph = match backend {
            Backend::Eager => !fused,
            Backend::Fused => fused && on_cpu,
            // Games must not depend on who shares a batch, unless the user asks for it.
            Backend::Auto => !fused || on_cpu && (bf16 || processor::has_avx512()),
        };
        numbers && graph
    };
    Plan::ALL.into_iter().filter(fits).collect()
}

fn measure(
    content: &Content,
    sample: &Rows,
    device: Device,
    plans: &[Plan],
    batch_size: usize,
) -> Result<Choice, EvaluatorError> {
    let mut rows = Rows::new(sample.layout());
    for _ in 0..batch_size {
        rows.push_blank();
    }
    let mut evaluators = Vec::new();
    for &plan in plans {
        match LibtorchEvaluator::of(content, device, plan, batch_size, Some(sample)) {
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
    let fastest = measured.iter().copied().reduce(|best, next| {
        let worth_it = if next.0 == Plan::Int8 { INT8_WORTH_IT } else { WORTH_IT };
        if next.1 > worth_it * best.1 { next } else { best }
    });
    let (plan, _) =
        fastest.ok_or_else(|| EvaluatorError::Refused("libtorch can run this network in no way".to_owned()))?;
    Ok(Choice { plan, measured })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_settled_is_not_measured() {
        use Plan::*;
        let gpu = Device::Cuda(0);
        assert_eq!(allowed(None, Device::Cpu, Precision::F32, Backend::Eager), [F32]);
        assert_eq!(allowed(None, Device::Cpu, Precision::Bf16, Backend::Fused), [Bf16Fused]);
        let exact = if processor::has_avx512() { vec![F32, F32Fused] } else { vec![F32] };
        assert_eq!(allowed(None, Device::Cpu, Precision::F32, Backend::Auto), exact);
        assert_eq!(allowed(None, Device::Cpu, Precision::F32, Backend::Fused), [F32Fused]);
        assert_eq!(allowed(None, gpu, Precision::Auto, Backend::Auto), [Bf16]);
        assert_eq!(allowed(None, gpu, Precision::F32, Backend::Auto), [F32]);
        for (precision, backend) in [(Precision::F32, Backend::Fused), (Precision::Int8, Backend::Auto)] {
            assert!(allowed(None, gpu, precision, backend).is_empty());
        }
        assert!(
            refusal(None, gpu, Precision::F32).starts_with("backend")
                && refusal(None, gpu, Precision::Int8).contains("`int8`")
        );
        let bytes = allowed(None, Device::Cpu, Precision::Int8, Backend::Eager);
        assert_eq!(bytes, if processor::has_int8() { vec![Int8] } else { vec![] });
    }

    #[test]
    fn a_module_has_no_8_bits_and_an_onnx_network_one_plan() {
        let (traced, onnx) = (Some(ModuleFormat::TorchScript), Some(ModuleFormat::Onnx));
        assert_eq!(allowed(traced, Device::Cpu, Precision::Bf16, Backend::Fused), [Plan::Bf16Fused]);
        assert!(!allowed(traced, Device::Cpu, Precision::Auto, Backend::Auto).contains(&Plan::Int8));
        assert!(allowed(traced, Device::Cpu, Precision::Int8, Backend::Auto).is_empty());
        assert_eq!(allowed(onnx, Device::Cpu, Precision::Auto, Backend::Auto), [Plan::F32]);
        for (device, precision, backend, word) in [
            (Device::Cpu, Precision::Bf16, Backend::Auto, "precision"),
            (Device::Cpu, Precision::F32, Backend::Fused, "backend"),
            (Device::Cuda(0), Precision::Auto, Backend::Auto, "device"),
        ] {
            assert!(allowed(onnx, device, precision, backend).is_empty());
            assert!(refusal(onnx, device, precision).starts_with(word));
        }
    }

    #[test]
    fn a_choice_says_why() {
        let choice = Choice { plan: Plan::Bf16Fused, measured: vec![(Plan::F32, 900.4), (Plan::Bf16Fused, 2000.0)] };
        let text = "bf16 fused, the fastest here in positions/s a thread: f32 900, bf16 fused 2000";
        assert_eq!(choice.to_string(), text);
        assert_eq!(Choice { plan: Plan::F32, measured: vec![] }.to_string(), "f32, as configured");
    }
}

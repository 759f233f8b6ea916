//! A network as an [`Evaluator`].

use tch::{Cuda, Device, Kind, TchError, Tensor};

use super::{
    architecture::{MOVES_LEFT_SCALE, NetworkShape},
    config::Plan,
    content::Content,
    device::one_thread,
    evaluator::{Background, Evaluations, Evaluator, EvaluatorError, win_draw_loss},
    planes::write_planes,
    program::kind,
    programs::Programs,
    weights::Weights,
};
use crate::encode::Rows;

/// Numbers of a row behind the logits: win, draw, loss and moves left.
const VALUES: usize = 4;

/// A network that plays, on one device. Every thread makes its own; the weights are few.
///
/// Every call computes a whole batch, blank rows included: of [`batch_size`](Evaluator::batch_size) rows, or of fewer
/// where those give the same. So the bits of an answer depend on its row alone.
#[derive(Debug)]
pub struct LibtorchEvaluator {
    shape: NetworkShape,
    programs: Programs,
    /// Whether moves left come as plies, and not as our head gives them.
    gives_plies: bool,
    device: Device,
    batch_size: usize,
    input: Input,
    /// The answers that are being computed, and how many of their rows were asked for.
    under_way: Option<(Tensor, usize)>,
}

/// The planes `[B, H, W, C]` in the numbers of the plan; 16 bits as their bare bits, since `tch` takes those for
/// another kind of number.
#[derive(Debug)]
enum Input {
    F32(Vec<f32>),
    Bf16(Vec<i16>),
}

impl LibtorchEvaluator {
    /// An evaluator of `batch_size` rows a call, by a plan that computes in floating point.
    ///
    /// # Errors
    /// When libtorch cannot do what the plan says.
    ///
    /// # Panics
    /// When `batch_size` is 0.
    pub fn new(weights: &Weights, device: Device, plan: Plan, batch_size: usize) -> Result<Self, EvaluatorError> {
        Self::of(&weights.clone().into(), device, plan, batch_size, None)
    }

    /// An evaluator of `batch_size` rows a call, by any plan: one of 8 bits finds out on `sample`, positions as they
    /// come up in games, how large values get.
    ///
    /// # Errors
    /// When libtorch cannot do what the plan says.
    ///
    /// # Panics
    /// When `batch_size` is 0.
    pub fn with_sample(
        weights: &Weights,
        device: Device,
        plan: Plan,
        batch_size: usize,
        sample: &Rows,
    ) -> Result<Self, EvaluatorError> {
        Self::of(&weights.clone().into(), device, plan, batch_size, Some(sample))
    }

    /// [`new`](LibtorchEvaluator::new) or [`with_sample`](LibtorchEvaluator::with_sample) of any network.
    ///
    /// # Errors
    /// When libtorch cannot do what the plan says, or a module is not what it should be.
    ///
    /// # Panics
    /// When `batch_size` is 0.
    pub fn of(
        content: &Content,
        device: Device,
        plan: Plan,
        batch_size: usize,
        sample: Option<&Rows>,
    ) -> Result<Self, EvaluatorError> {
        assert!(batch_size > 0, "a batch has at least one row");
        one_thread();
        let shape = *content.shape();
        let input = Input::new(kind(plan), batch_size * shape.inputs());
        let planes = input.planes(&shape, batch_size, device)?;
        let sample = sample.filter(|_| plan == Plan::Int8).map(|rows| {
            let mut input = Input::new(Kind::Float, rows.len() * shape.inputs());
            input.fill(rows);
            input.planes(&shape, rows.len(), device)
        });
        let programs = Programs::new(content, device, plan, &planes, sample.transpose()?.as_ref())?;
        let gives_plies = matches!(content, Content::Module(_));
        Ok(LibtorchEvaluator { shape, programs, gives_plies, device, batch_size, input, under_way: None })
    }

    /// A bare forward pass of the batch that was evaluated last, over and over: the most that any use of this evaluator
    /// can come to.
    ///
    /// # Errors
    /// When libtorch fails.
    pub fn bare(&self) -> Result<impl Fn() -> Result<(), EvaluatorError> + '_, EvaluatorError> {
        let (rows, program) = self.programs.of(self.batch_size);
        let planes = self.input.planes(&self.shape, rows, self.device)?;
        Ok(move || {
            let _ = program.run(&planes)?;
            if let Device::Cuda(index) = self.device {
                Cuda::synchronize(index as i64);
            }
            Ok(())
        })
    }

    fn check(&self, rows: &Rows) -> Result<(), EvaluatorError> {
        let shape = NetworkShape::from(rows.layout());
        if shape != self.shape {
            return Err(EvaluatorError::Refused(format!("expected rows of {:?}, found {shape:?}", self.shape)));
        }
        if rows.len() > self.batch_size {
            return Err(EvaluatorError::Refused(format!(
                "expected at most {} rows, found {}",
                self.batch_size,
                rows.len()
            )));
        }
        Ok(())
    }

    fn launch(&self, rows: usize) -> Result<Tensor, TchError> {
        let (rows, program) = self.programs.of(rows);
        let planes = self.input.planes(&self.shape, rows, self.device)?;
        let answers = program.run(&planes)?;
        // From a GPU into pinned memory, without waiting for it.
        if self.device.is_cuda() { answers.f_to_device_(Device::Cpu, answers.kind(), true, false) } else { Ok(answers) }
    }

    fn read(&self, answers: &Tensor, rows: usize, out: &mut Evaluations) -> Result<(), TchError> {
        if let Device::Cuda(index) = self.device {
            Cuda::synchronize(index as i64);
        }
        let (squares, planes) = (self.shape.height * self.shape.width, self.shape.action_planes);
        let row = answers.size()[1] as usize;
        let values = row - VALUES;
        let (f32s, bf16s) = out.logits.by_square(row, squares, planes);
        let answers = answers.f_narrow(0, 0, rows as i64)?.f_contiguous()?;
        match self.input {
            Input::F32(_) => {
                f32s.resize(rows * row, 0.0);
                answers.f_copy_data(f32s, rows * row)?;
            }
            Input::Bf16(_) => {
                bf16s.resize(rows * row, 0);
                answers.f_view_dtype(Kind::Int16)?.f_copy_data(bf16s, rows * row)?;
            }
        }
        for i in 0..rows {
            let value = |at: usize| out.logits.raw(i, values + at);
            out.wdl.push(win_draw_loss([value(0), value(1), value(2)]));
            let moves_left = value(3);
            out.moves_left.push(match self.gives_plies {
                true => moves_left.max(0.0),
                false => softplus(moves_left) * MOVES_LEFT_SCALE as f32,
            });
        }
        Ok(())
    }
}

impl Evaluator for LibtorchEvaluator {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        self.start(rows)?;
        self.finish(out)
    }

    fn background(&mut self) -> Option<&mut dyn Background> {
        if self.device.is_cuda() { Some(self) } else { None }
    }
}

impl Background for LibtorchEvaluator {
    fn start(&mut self, rows: &Rows) -> Result<(), EvaluatorError> {
        self.check(rows)?;
        if self.under_way.is_some() {
            return Err(EvaluatorError::Refused("expected one batch at a time, found another under way".to_owned()));
        }
        one_thread();
        self.input.fill(rows);
        self.under_way = Some((self.launch(rows.len())?, rows.len()));
        Ok(())
    }

    fn finish(&mut self, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        let Some((answers, rows)) = self.under_way.take() else {
            return Err(EvaluatorError::Refused("expected a batch under way, found none".to_owned()));
        };
        out.wdl.clear();
        out.moves_left.clear();
        self.read(&answers, rows, out)?;
        if out.wdl.iter().all(|wdl| wdl.is_finite()) {
            Ok(())
        } else {
            Err(EvaluatorError::Refused("the network's values are not numbers".to_owned()))
        }
    }
}

impl Input {
    fn new(kind: Kind, numbers: usize) -> Self {
        if kind == Kind::BFloat16 { Input::Bf16(vec![0; numbers]) } else { Input::F32(vec![0.0; numbers]) }
    }

    /// Writes rows, and blank ones behind them.
    fn fill(&mut self, rows: &Rows) {
        let used = rows.len() * rows.layout().squares() * rows.layout().channels();
        match self {
            Input::F32(numbers) => {
                write_planes(rows, &mut numbers[..used], |value| value);
                numbers[used..].fill(0.0);
            }
            Input::Bf16(numbers) => {
                write_planes(rows, &mut numbers[..used], |value| half::bf16::from_f32(value).to_bits() as i16);
                numbers[used..].fill(0);
            }
        }
    }

    /// The planes of the first `rows` rows as a tensor `[B, C, H, W]` on `device`, channels last in memory.
    fn planes(&self, shape: &NetworkShape, rows: usize, device: Device) -> Result<Tensor, TchError> {
        let [b, h, w, c] = [rows, shape.height, shape.width, shape.channels].map(|size| size as i64);
        let used = rows * shape.inputs();
        let (numbers, kind) = match self {
            Input::F32(numbers) => (Tensor::f_from_slice(&numbers[..used])?, Kind::Float),
            Input::Bf16(numbers) => {
                (Tensor::f_from_slice(&numbers[..used])?.f_view_dtype(Kind::BFloat16)?, Kind::BFloat16)
            }
        };
        let planes = numbers.f_view([b, h, w, c])?;
        let planes = if device.is_cuda() {
            // Only pinned memory is read by a GPU while the processor goes on.
            planes.f_pin_memory(device)?.f_to_device_(device, kind, true, false)?
        } else {
            planes
        };
        planes.f_permute([0, 3, 1, 2])
    }
}

/// ln(1 + e^x), without overflow.
fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

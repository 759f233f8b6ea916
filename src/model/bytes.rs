//! Numbers of 8 bits, and convolutions of them.

use std::{ffi::c_void, ptr::null};

use tch::{Kind, TchError, Tensor};

/// The largest step.
pub(super) const MOST: f64 = 255.0;

/// The largest step of a kernel, either way.
const MOST_OF_KERNEL: f64 = 127.0;

/// Real numbers as so many steps of one size above a zero: `(steps - zero) * step`.
#[derive(Debug)]
pub(super) struct Bytes {
    /// `[B, C, H, W]` of [`Kind::Uint8`], channels last in memory.
    pub steps: Tensor,
    pub step: f64,
    pub zero: i64,
}

/// A convolution whose input, kernels and output are of 8 bits; sums in between are exact. Each kernel has a step of
/// its own.
#[derive(Debug)]
pub(super) struct ByteConvolution {
    kernels: Tensor,
    kernel_steps: Tensor,
    kernel_zeros: Tensor,
    bias: Tensor,
    padding: i64,
    input_step: f64,
    step: f64,
}

unsafe extern "C" {
    fn maydan_pack(kernels: *const c_void, kernel_steps: *const c_void, step: f64, input: *const c_void)
    -> *mut c_void;
    fn maydan_convolve(
        input: *const c_void,
        input_step: f64,
        packed: *const c_void,
        kernel_steps: *const c_void,
        kernel_zeros: *const c_void,
        bias: *const c_void,
        padding: i64,
        step: f64,
        sum: *const c_void,
        sum_step: f64,
        sum_zero: i64,
    ) -> *mut c_void;
}

impl ByteConvolution {
    /// From kernels `[out, in, k, k]` and `bias` `[out]`, for an input like `input`, whose steps are of `input_step`,
    /// to an output whose steps are of `step`.
    ///
    /// # Errors
    /// When libtorch cannot lay the kernels out.
    pub fn new(kernels: &Tensor, bias: &Tensor, input: &Tensor, input_step: f64, step: f64) -> Result<Self, TchError> {
        let largest = kernels.f_abs()?.f_amax([1, 2, 3], false)?.f_clamp_min(f64::from(f32::MIN_POSITIVE))?;
        let kernel_steps = largest.f_div_scalar(MOST_OF_KERNEL)?;
        let whole = kernels.f_div(&kernel_steps.f_view([-1, 1, 1, 1])?)?.f_round()?;
        let whole = whole.f_clamp(-MOST_OF_KERNEL, MOST_OF_KERNEL)?.f_to_kind(Kind::Int8)?;
        // SAFETY: the pointers are those of living tensors, which the function only reads.
        let packed = unsafe { maydan_pack(pointer(&whole), pointer(&kernel_steps), input_step, pointer(input)) };
        let kernel_zeros = kernel_steps.f_zeros_like()?.f_to_kind(Kind::Int)?;
        let (bias, padding) = (bias.f_to_kind(Kind::Float)?, kernels.size()[2] / 2);
        Ok(ByteConvolution { kernels: tensor(packed)?, kernel_steps, kernel_zeros, bias, padding, input_step, step })
    }

    /// `relu(convolution(x) + bias)`.
    ///
    /// # Errors
    /// When libtorch cannot.
    pub fn relu(&self, x: &Bytes) -> Result<Bytes, TchError> {
        self.convolve(x, None)
    }

    /// `relu(convolution(x) + bias + sum)`.
    ///
    /// # Errors
    /// When libtorch cannot.
    pub fn relu_of_sum(&self, x: &Bytes, sum: Bytes) -> Result<Bytes, TchError> {
        self.convolve(x, Some(sum))
    }

    fn convolve(&self, x: &Bytes, sum: Option<Bytes>) -> Result<Bytes, TchError> {
        let (sum_pointer, sum_step, sum_zero) =
            sum.as_ref().map_or((null(), 1.0, 0), |sum| (pointer(&sum.steps), sum.step, sum.zero));
        // SAFETY: the pointers are those of living tensors; the one that is written over is ours.
        let answer = unsafe {
            maydan_convolve(
                pointer(&x.steps),
                self.input_step,
                pointer(&self.kernels),
                pointer(&self.kernel_steps),
                pointer(&self.kernel_zeros),
                pointer(&self.bias),
                self.padding,
                self.step,
                sum_pointer,
                sum_step,
                sum_zero,
            )
        };
        Ok(Bytes { steps: tensor(answer)?, step: self.step, zero: 0 })
    }
}

fn pointer(tensor: &Tensor) -> *const c_void {
    tensor.as_ptr().cast()
}

fn tensor(answer: *mut c_void) -> Result<Tensor, TchError> {
    if answer.is_null() {
        return Err(TchError::Torch("this libtorch cannot convolve numbers of 8 bits here".into()));
    }
    // SAFETY: onednn.cpp made a tensor and nothing else holds it.
    Ok(unsafe { Tensor::from_ptr(answer.cast()) })
}

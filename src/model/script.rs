//! A network of another architecture as a module of TorchScript.

use std::{ffi::c_char, ptr, slice};

use tch::{CModule, Device, IValue, Kind, TchError, Tensor};

use super::{architecture::NetworkShape, fused::WARM_UP, module::Module};

/// Names of the outputs, in their order.
const OUTPUTS: [&str; 3] = ["policy", "wdl", "moves_left"];

/// A module that was seen to give what it should.
#[derive(Debug)]
pub(super) struct Script {
    module: CModule,
    shape: NetworkShape,
}

/// An answer of script.cpp.
#[repr(C)]
struct Answer {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn maydan_freeze(content: *const c_char, length: usize, bf16: bool) -> *mut Answer;
    fn maydan_answer(answer: *const Answer, bytes: *mut *const c_char, length: *mut usize) -> bool;
    fn maydan_free(answer: *mut Answer);
}

/// The file of a module whose weights are constants, in evaluation mode.
fn freeze(content: &[u8], bf16: bool) -> Result<Vec<u8>, TchError> {
    let (mut bytes, mut length) = (ptr::null(), 0);
    // SAFETY: the pointers are of living memory of these lengths; the answer is read before it is freed, and only then.
    let (done, content) = unsafe {
        let answer = maydan_freeze(content.as_ptr().cast(), content.len(), bf16);
        if answer.is_null() {
            return Err(TchError::Torch("no memory for a module".into()));
        }
        let done = maydan_answer(answer, &mut bytes, &mut length);
        let content = slice::from_raw_parts(bytes.cast::<u8>(), length).to_vec();
        maydan_free(answer);
        (done, content)
    };
    if done { Ok(content) } else { Err(failure(&String::from_utf8_lossy(&content))) }
}

impl Script {
    /// Loads a module onto a device, its weights in numbers of `kind`, and holds what it makes of `planes` against the
    /// shapes that are expected.
    ///
    /// # Errors
    /// When libtorch cannot load it, or it takes or gives something else.
    pub fn new(module: &Module, device: Device, kind: Kind, planes: &Tensor) -> Result<Self, TchError> {
        let frozen = freeze(module.content(), kind == Kind::BFloat16)?;
        let loaded = CModule::load_data_on_device(&mut frozen.as_slice(), device).map_err(refused)?;
        let script = Script { module: loaded, shape: *module.shape() };
        for _ in 0..WARM_UP {
            let _ = script.rows(planes)?;
        }
        Ok(script)
    }

    /// Rows `[B, H * W * P + 4]` of logits by square and then by plane, logits of win, draw and loss, and plies left.
    pub fn rows(&self, planes: &Tensor) -> Result<Tensor, TchError> {
        let input = IValue::Tensor(planes.f_contiguous()?);
        let [policy, wdl, moves_left] = outputs(self.module.forward_is(&[input]).map_err(refused)?)?;
        let NetworkShape { height, width, action_planes, .. } = self.shape;
        let [rows, squares, action_planes] = [planes.size()[0], (height * width) as i64, action_planes as i64];
        check("policy", &policy, &[rows, squares * action_planes])?;
        check("wdl", &wdl, &[rows, 3])?;
        check("moves_left", &moves_left, &[rows])?;
        let policy = policy.f_view([rows, action_planes, squares])?.f_permute([0, 2, 1])?.f_flatten(1, -1)?;
        let parts = [policy, wdl, moves_left.f_view([rows, 1])?];
        let parts = parts.into_iter().map(|part| part.f_to_kind(planes.kind()));
        Tensor::f_cat(&parts.collect::<Result<Vec<_>, _>>()?, 1)
    }
}

/// The three outputs of a tuple by their order, or of a dict by their names.
fn outputs(answer: IValue) -> Result<[Tensor; 3], TchError> {
    let expected = || format!("expected a tuple of {}, or a dict with these names", OUTPUTS.join(", "));
    let values = match answer {
        IValue::Tuple(values) => values,
        IValue::GenericDict(mut named) => {
            let take = |name: &&str| {
                let found = named.iter().position(|(key, _)| matches!(key, IValue::String(key) if key == name));
                let found = found.ok_or_else(|| TchError::Shape(format!("{}, found no `{name}`", expected())))?;
                Ok(named.swap_remove(found).1)
            };
            OUTPUTS.iter().map(take).collect::<Result<_, TchError>>()?
        }
        IValue::Tensor(_) => return Err(TchError::Shape(format!("{}, found one tensor", expected()))),
        _ => return Err(TchError::Shape(format!("{}, found something else", expected()))),
    };
    let count = values.len();
    let tensors = values.into_iter().map(|value| match value {
        IValue::Tensor(tensor) => Some(tensor),
        _ => None,
    });
    let tensors: Option<Vec<Tensor>> = tensors.collect();
    let found = || TchError::Shape(format!("{}, found {count} outputs that are not three tensors", expected()));
    tensors.and_then(|tensors| tensors.try_into().ok()).ok_or_else(found)
}

fn check(name: &str, tensor: &Tensor, expected: &[i64]) -> Result<(), TchError> {
    let found = tensor.size();
    if found != expected {
        return Err(TchError::Shape(format!("{name}: expected {expected:?}, found {found:?}")));
    }
    if !tensor.is_floating_point() {
        return Err(TchError::Shape(format!("{name}: expected floats, found {:?}", tensor.kind())));
    }
    Ok(())
}

/// A module is the user's: what libtorch says of it is no fault of the machine.
fn refused(error: TchError) -> TchError {
    failure(&error.to_string())
}

/// The words that say what: the others are places in libtorch's source and in the module's code.
fn failure(words: &str) -> TchError {
    let lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines.iter().rev().find(|line| line.contains("Error")).or(lines.first());
    TchError::Shape(format!("the module fails: {}", last.unwrap_or(&"libtorch does not say why")))
}

//! Where tensors live.

use std::ffi::{CStr, c_char, c_int, c_void};

use tch::{Cuda, Device};

use crate::game::FieldError;

/// The device called `cpu`, `cuda` or `cuda:N`.
///
/// # Errors
/// When the name is no device or the device is not there.
pub fn device(name: &str) -> Result<Device, FieldError> {
    let index = match name {
        "cpu" => return Ok(Device::Cpu),
        "cuda" => Some(0),
        _ => name.strip_prefix("cuda:").and_then(|index| index.parse::<u16>().ok()).map(usize::from),
    };
    let index =
        index.ok_or_else(|| FieldError::new("device", "`cpu`, `cuda` or `cuda:N`", format_args!("`{name}`")))?;
    let found = gpus();
    if index < found {
        Ok(Device::Cuda(index))
    } else {
        let expected = format!("`cpu` or one of {found} CUDA devices of this libtorch");
        Err(FieldError::new("device", expected, format_args!("`{name}`")))
    }
}

/// How many GPUs libtorch sees.
pub fn gpus() -> usize {
    register_cuda();
    if Cuda::is_available() { usize::try_from(Cuda::device_count()).unwrap_or(0) } else { 0 }
}

/// Keeps libtorch from sharing out the calling thread's operations: our threads share work better than its own, which
/// wait for one another after each.
pub(crate) fn one_thread() {
    if tch::get_num_threads() != 1 {
        tch::set_num_threads(1);
    }
}

/// Loads libtorch's CUDA half, which registers itself. Nothing in the program refers to it by name, so the linker
/// leaves it out.
fn register_cuda() {
    unsafe extern "C" {
        fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    }
    const RTLD_NOW: c_int = 0x2;
    const RTLD_GLOBAL: c_int = 0x100;
    const LIBRARY: &CStr = c"libtorch_cuda.so";
    // SAFETY: the name is a C string and the library's initialisers ask for nothing; where it is missing the answer is
    // null, and CUDA stays unavailable.
    unsafe {
        dlopen(LIBRARY.as_ptr(), RTLD_NOW | RTLD_GLOBAL);
    }
}

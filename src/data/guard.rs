//! Calls of the Parquet decoder, which panics on some pages that it should refuse.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    path::Path,
    sync::Once,
};

use super::DataError;

thread_local! {
    /// Whether this thread is within [`guarded`], where a panic is an error of the file and not printed.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// What `decode` gives. After an error its decoder must not be asked again.
///
/// # Errors
/// When it panics: a checksum was computed over pages that no writer makes.
pub fn guarded<T>(path: &Path, decode: impl FnOnce() -> T) -> Result<T, DataError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                before(info);
            }
        }));
    });
    GUARDED.set(true);
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(false);
    decoded.map_err(|panic| DataError::damaged(path, format!("its pages cannot be decoded: {}", text(&*panic))))
}

fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_file() {
        let path = Path::new("a.parquet");
        assert_eq!(guarded(path, || 7).unwrap(), 7);
        let error = guarded(path, || panic!("out of\nbounds {}", 3)).unwrap_err().to_string();
        assert!(
            error.contains("a.parquet") && error.ends_with("its pages cannot be decoded: out of bounds 3"),
            "{error}"
        );
    }
}

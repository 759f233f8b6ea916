//! Ctrl-C: the first asks every phase to stop after its current step, the second ends the process at once ([`leave`]).

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use super::progress::note;

/// Set once the user asked to stop.
pub type StopFlag = Arc<AtomicBool>;

/// Exit status of a process that Ctrl-C ended, as a shell reports SIGINT.
pub const INTERRUPTED: u8 = 130;

/// How a phase, or the whole run, came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All of it is done.
    Done,
    /// The user asked to stop; the next session goes on from here.
    Stopped,
}

/// The flag of this process, raised by Ctrl-C (SIGINT) and SIGTERM. Every call gives the same one.
pub fn stop_flag() -> StopFlag {
    static FLAG: OnceLock<StopFlag> = OnceLock::new();
    FLAG.get_or_init(|| {
        let flag = StopFlag::default();
        let raised = flag.clone();
        let handler = move || {
            raised.store(true, Ordering::SeqCst);
            note("stopping after the current step (Ctrl-C again stops at once; nothing on disk is lost either way)");
        };
        if let Err(e) = on_interrupt(handler) {
            tracing::warn!("Ctrl-C will end the process at once: {e}");
        }
        flag
    })
    .clone()
}

/// Calls `first` at the first SIGINT or SIGTERM; the second ends the process. Once a process.
///
/// # Errors
/// When the system takes no handler, or there is one already.
pub fn on_interrupt(first: impl Fn() + Send + 'static) -> Result<(), ctrlc::Error> {
    let interrupted = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if interrupted.swap(true, Ordering::SeqCst) {
            leave(INTERRUPTED);
        }
        first();
    })
}

/// Ends the process while its threads may be at work. Nothing that is buffered is written.
pub fn leave(status: u8) -> ! {
    // `std::process::exit` has libtorch destroy tables that networks still read: 1 of 100 such exits crashed.
    // SAFETY: `_exit` takes any status and does not return; no code of this process runs after it.
    unsafe { libc::_exit(status.into()) }
}

//! Ctrl-C: the first asks every phase to stop after its current step, the second ends the process at once.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

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
            if raised.swap(true, Ordering::SeqCst) {
                std::process::exit(INTERRUPTED.into());
            }
            eprintln!(
                "stopping after the current step (Ctrl-C again stops at once; nothing on disk is lost either way)"
            );
        };
        if let Err(e) = ctrlc::set_handler(handler) {
            tracing::warn!("Ctrl-C will end the process at once: {e}");
        }
        flag
    })
    .clone()
}

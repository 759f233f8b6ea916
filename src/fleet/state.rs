//! Asks how a fleet is doing.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{
    FleetError,
    link::{Address, Link},
    messages::{State, from_json},
    names::Names,
    worker::only_run,
};

/// Time between looks at what was said.
const LOOK: Duration = Duration::from_millis(100);

/// What the coordinator says of its fleet; none where it says nothing for so long.
///
/// # Errors
/// When the server is not to be reached or refuses, or has several runs and none is named.
pub fn state(
    address: &Address,
    run: Option<&str>,
    patience: Duration,
    stop: &AtomicBool,
) -> Result<Option<State>, FleetError> {
    let link = Link::connect(address, "maydan fleet", patience, stop)?;
    let run = match run {
        Some(run) => Some(run.to_owned()),
        None => only_run(&link)?,
    };
    let Some(run) = run else { return Ok(None) };
    let mut heard = link.listen(Names::new(&run).state())?;
    let since = Instant::now();
    while since.elapsed() < patience && !stop.load(Ordering::Relaxed) {
        if let Some(state) = heard.all().iter().rev().find_map(|bytes| from_json(bytes)) {
            return Ok(Some(state));
        }
        if link.is_denied() {
            return Err(link.error("state", ""));
        }
        thread::sleep(LOOK);
    }
    Ok(None)
}

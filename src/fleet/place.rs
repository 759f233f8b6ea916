//! The place of the only coordinator: a message that is kept for as long as it is renewed, and that only its own writer can
//! write over.

use std::{
    path::Path,
    process, thread,
    time::{Duration, Instant},
};

use super::{
    FleetError,
    host::host_name,
    link::{Link, Unpublished},
    names::Names,
};

/// How long a coordinator is believed to live that was not heard of, and how often it is heard of.
pub const AGE: Duration = Duration::from_secs(10);
pub const RENEW: Duration = Duration::from_secs(2);

/// Becomes the coordinator, unless another is, and gives the number under which that is known.
pub fn take(link: &Link, names: &Names, run: &str) -> Result<u64, FleetError> {
    link.make_shelf(names.coordinator_stream(), vec![names.coordinator()], AGE)?;
    let me = myself();
    let since = Instant::now();
    loop {
        let newest = link.newest(&names.coordinator_stream(), names.coordinator())?;
        let expected = match &newest {
            None => 0,
            Some((number, bytes)) if is_dead(&String::from_utf8_lossy(bytes)) => *number,
            // It may be dead on another machine: then it is forgotten soon.
            Some((_, bytes)) if since.elapsed() > AGE + RENEW => {
                let other = String::from_utf8_lossy(bytes);
                return Err(FleetError::Fenced(format!("run {}: {other} is its coordinator", run)));
            }
            Some(_) => {
                thread::sleep(RENEW / 4);
                continue;
            }
        };
        match link.publish(names.coordinator(), None, me.clone().into_bytes(), Some(expected)) {
            Ok(number) => return Ok(number),
            Err(Unpublished::Taken) => {}
            Err(problem) => return Err(link.error("coordinator", problem)),
        }
    }
}

/// Says once more who is the coordinator; none when there is no answer.
///
/// # Errors
/// With another's name.
pub fn renew(link: &Link, names: &Names, place: u64) -> Result<Option<u64>, String> {
    let publish = |expected| link.publish(names.coordinator(), None, myself().into_bytes(), Some(expected));
    match publish(place) {
        Ok(number) => Ok(Some(number)),
        Err(Unpublished::NoStream) => {
            let _ = link.make_shelf(names.coordinator_stream(), vec![names.coordinator()], AGE);
            Ok(publish(0).ok())
        }
        Err(Unpublished::Taken) => match link.newest(&names.coordinator_stream(), names.coordinator()) {
            // The server was away for longer than it remembers.
            Ok(None) => Ok(publish(0).ok()),
            // Our own, of which we did not hear that it was kept.
            Ok(Some((number, bytes))) if bytes == myself().into_bytes() => Ok(Some(number)),
            Ok(Some((_, bytes))) => Err(String::from_utf8_lossy(&bytes).into_owned()),
            Err(_) => Ok(None),
        },
        Err(_) => Ok(None),
    }
}

/// This process, as others can tell it apart.
fn myself() -> String {
    format!("process {} on {}", process::id(), host())
}

/// Whether this names a process of this machine that is no more.
fn is_dead(coordinator: &str) -> bool {
    let Some((id, on)) = coordinator.strip_prefix("process ").and_then(|rest| rest.split_once(" on ")) else {
        return false;
    };
    on == host() && id.parse::<u32>().is_ok() && Path::new("/proc").exists() && !Path::new("/proc").join(id).exists()
}

fn host() -> String {
    host_name().unwrap_or_else(|| "a machine".to_owned())
}

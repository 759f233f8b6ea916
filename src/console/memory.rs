//! The memory use of the process, and the memory of its machine.

use std::{fmt, fs};

/// Memory of this process in bytes; none where the system does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// In use now.
    pub resident: Option<u64>,
    /// The most that was in use at once.
    pub peak: Option<u64>,
}

impl Memory {
    /// As Linux reports it.
    pub fn now() -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        Memory { resident: kib_in(&status, "VmRSS:"), peak: kib_in(&status, "VmHWM:") }
    }
}

/// Memory of this machine in bytes, or what its container leaves of it; none where the system does not tell.
pub fn machine_memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let container = fs::read_to_string("/sys/fs/cgroup/memory.max").unwrap_or_default();
    [kib_in(&meminfo, "MemTotal:"), container.trim().parse().ok()].into_iter().flatten().min()
}

/// A field of a file of `/proc` that is told in KiB, in bytes.
fn kib_in(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

/// In MiB.
impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.resident, self.peak) {
            (Some(resident), Some(peak)) => write!(f, "{} MiB, at most {} MiB", resident >> 20, peak >> 20),
            _ => write!(f, "not known on this system"),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_shows() {
        let before = Memory::now();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = Memory::now();
        assert!(after.resident.unwrap() >= before.resident.unwrap() + (32 << 20));
        assert!(after.peak >= after.resident.min(after.peak));
        drop(block);
        assert!(after.to_string().contains("MiB, at most"), "{after}");
        assert!(machine_memory().unwrap() >= after.resident.unwrap());
    }
}

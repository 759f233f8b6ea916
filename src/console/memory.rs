//! The memory use of the process.

use std::fmt;

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
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name))?;
            Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
        };
        Memory { resident: field("VmRSS:"), peak: field("VmHWM:") }
    }
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
    }
}

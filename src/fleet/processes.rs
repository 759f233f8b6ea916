//! Files that are played on this machine, each in a process of its own, whose end is not ours.

use std::{
    collections::BTreeMap,
    env,
    process::{Child, Command, Stdio},
};

use super::{FleetError, ledger::Event, shared::Shared};

/// Processes that play a file each, by its number. They end with the value.
#[derive(Default)]
pub struct Processes(BTreeMap<u64, Child>);

impl Processes {
    /// Has a file played.
    ///
    /// # Errors
    /// When no process can be started.
    pub fn play(&mut self, shared: &Shared, devices: &[String], generation: u64, file: u64) -> Result<(), FleetError> {
        let program = env::current_exe().map_err(|problem| FleetError::Child(problem.to_string()))?;
        let mut command = Command::new(program);
        command.args(["worker", "--name", "coordinator"]);
        command.args(["--devices", &devices.join(",")]);
        command.args(["--file", &format!("{generation}:{file}")]);
        match &shared.local_join {
            Some(join) => {
                command.arg("--join").arg(join);
            }
            None => {
                command.args([shared.link.url(), "--run", &shared.run]);
                for (option, file) in [("--key", &shared.site.key), ("--certificate", &shared.site.certificate)] {
                    if let Some(file) = file {
                        command.arg(option).arg(file);
                    }
                }
            }
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.spawn().map_err(|problem| FleetError::Child(problem.to_string()))?;
        self.0.insert(file, child);
        Ok(())
    }

    /// Those that have ended since, well or not.
    pub fn ended(&mut self) -> Vec<Event> {
        let mut ended = Vec::new();
        self.0.retain(|&file, child| match child.try_wait() {
            Ok(None) => true,
            Ok(Some(status)) if status.success() => {
                ended.push(Event::EndedHere { file });
                false
            }
            _ => {
                ended.push(Event::FailedHere { file });
                false
            }
        });
        ended
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in self.0.values_mut() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

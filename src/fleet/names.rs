//! What a run's things are called on the server: subjects of messages, and the streams that keep them.

/// Names of one run. A name may hold what [`check_name`](crate::disk::check_name) allows; dots would end a subject's part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    run: String,
}

/// The one consumer of each queue.
pub const WORKERS: &str = "workers";
pub const COLLECTOR: &str = "collector";

/// What the names of streams end with.
const WORK: &str = "work";

impl Names {
    pub fn new(run: &str) -> Self {
        Names { run: run.replace('.', "~") }
    }

    /// The run whose work a stream keeps.
    pub fn of_work_stream(stream: &str) -> Option<String> {
        let run = stream.strip_prefix("maydan-")?.strip_suffix(WORK)?.strip_suffix('-')?;
        Some(run.replace('~', "."))
    }

    /// The subject of something, as in `maydan.shatara.run`.
    fn subject(&self, of: &str) -> String {
        format!("maydan.{}.{of}", self.run)
    }

    fn stream(&self, of: &str) -> String {
        format!("maydan-{}-{of}", self.run)
    }

    /// Files of games to be played.
    pub fn work_stream(&self) -> String {
        self.stream(WORK)
    }

    /// Files of games on their way to the coordinator.
    pub fn results_stream(&self) -> String {
        self.stream("results")
    }

    /// Orders and networks.
    pub fn orders_stream(&self) -> String {
        self.stream("orders")
    }

    /// Who is the coordinator.
    pub fn coordinator_stream(&self) -> String {
        self.stream("coordinator")
    }

    pub fn work(&self, generation: u64, checkpoint: &str, file: u64) -> String {
        self.subject(&format!("work.{generation}.{checkpoint}.{file}"))
    }

    pub fn all_work(&self) -> String {
        self.subject("work.>")
    }

    pub fn result(&self, generation: u64, file: u64) -> String {
        self.subject(&format!("result.{generation}.{file}"))
    }

    pub fn all_results(&self) -> String {
        self.subject("result.>")
    }

    /// How a generation is to be played.
    pub fn order(&self, generation: u64) -> String {
        self.subject(&format!("order.{generation}"))
    }

    pub fn all_orders(&self) -> String {
        self.subject("order.>")
    }

    /// A part of a network's files, from 1; 0 says what they are.
    pub fn network(&self, checkpoint: &str, part: u64) -> String {
        self.subject(&format!("network.{checkpoint}.{part}"))
    }

    /// All parts of a network.
    pub fn whole_network(&self, checkpoint: &str) -> String {
        self.subject(&format!("network.{checkpoint}.>"))
    }

    pub fn all_networks(&self) -> String {
        self.subject("network.>")
    }

    /// What a worker needs to join.
    pub fn run(&self) -> String {
        self.subject("run")
    }

    pub fn coordinator(&self) -> String {
        self.subject("coordinator")
    }

    /// A worker says that it is there.
    pub fn here(&self, worker: &str) -> String {
        self.subject(&format!("here.{worker}"))
    }

    pub fn all_here(&self) -> String {
        self.subject("here.*")
    }

    /// A worker has begun with a file.
    pub fn begun(&self) -> String {
        self.subject("begun")
    }

    /// What the coordinator says of its fleet.
    pub fn state(&self) -> String {
        self.subject("state")
    }
}

/// The folder of a run's store with its networks, and the folder with games on their way to the coordinator.
pub const STORED_NETWORKS: &str = "networks";
pub const STORED_GAMES: &str = "games";

/// A file of a network in a store.
pub fn stored_network(checkpoint: &str, file: &str) -> String {
    format!("{STORED_NETWORKS}/{checkpoint}/{file}")
}

/// Something of a worker in a store: each has a folder of its own, so that it can be kept out of others'.
pub fn of_worker(worker: &str, file: &str) -> String {
    format!("{STORED_GAMES}/{worker}/{file}")
}

/// A file of games in a store, by the [`identity`](crate::model::identity) of its content.
pub fn stored_games(worker: &str, generation: u64, file: u64, content: &str) -> String {
    of_worker(worker, &format!("{generation}-{file}-{content}.parquet"))
}

/// A worker's name as a part of a subject.
///
/// # Errors
/// When it is none.
pub fn check_worker(name: &str) -> Result<(), String> {
    let fit = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if name.is_empty() || name.len() > 80 || !name.chars().all(fit) {
        return Err(format!("expected letters, digits, `-` and `_`, at most 80, found `{name}`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_read_back_from_its_stream() {
        for run in ["shatara", "a-work", "v1.2", "-work"] {
            let names = Names::new(run);
            assert!(!names.work_stream().contains('.') && names.run().split('.').count() == 3);
            assert_eq!(Names::of_work_stream(&names.work_stream()).as_deref(), Some(run));
            assert_eq!(Names::of_work_stream(&names.results_stream()), None);
        }
        assert_eq!(Names::of_work_stream("work"), None);
    }
}

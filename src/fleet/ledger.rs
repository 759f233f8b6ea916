//! The books of a generation: which files are there, whose they are, and which are still to be played. Pure: what
//! happened goes in, what is to be done comes out.

use std::collections::BTreeMap;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The queue does not hold what it should: it is new, or was lost.
    QueueLost,
    /// A worker has begun with a file.
    Begun { file: u64, worker: String },
    /// A file came that is sound as far as was looked.
    Came { file: u64, worker: String },
    /// A file was held against the network, and is right.
    Checked { file: u64 },
    /// A file came, or was checked, and is not what it says.
    Wrong { file: u64, worker: String, why: String },
    /// An answer came that is of no use, and the worker is not to blame.
    Useless { file: u64 },
    /// Too many workers came to an end at a file.
    Failed { file: u64, epoch: u64 },
    /// A file was played here, and is on its way like any other.
    EndedHere { file: u64 },
    /// A file that was to be played here came to nothing either.
    FailedHere { file: u64 },
}

/// What is to be done about it, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Put the file among the work.
    Publish { file: u64, epoch: u64 },
    /// Put the file that came where it belongs.
    Shelve { file: u64 },
    /// Remove the file: it is not to be trusted.
    Remove { file: u64 },
    /// Play the file here, in a process of its own.
    PlayHere { file: u64, epoch: u64 },
    /// Stop: the file cannot be played.
    GiveUp { file: u64, workers: Vec<String> },
}

/// A file's state.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// It is to be played by whoever takes it.
    Queued,
    /// It is to be played here.
    Here,
    /// It is there. The worker that it came from, where that is known, and whether it was checked.
    Shelved { worker: Option<String>, checked: bool },
}

#[derive(Clone, Debug)]
struct File {
    state: State,
    /// How often it was put among the work.
    epoch: u64,
    /// Workers that began with it.
    begun: Vec<String>,
}

/// The books of a generation.
#[derive(Clone, Debug)]
pub struct Ledger {
    files: BTreeMap<u64, File>,
    missing: usize,
    /// Workers of which nothing is taken, and why.
    refused: BTreeMap<String, String>,
}

/// Most workers that are remembered to have begun with a file.
const MOST_BEGUN: usize = 16;

impl Ledger {
    /// The books of files 0 to `files`, of which those in `there` are there.
    pub fn new(files: u64, there: impl IntoIterator<Item = u64>, refused: BTreeMap<String, String>) -> Self {
        let file = File { state: State::Queued, epoch: 0, begun: Vec::new() };
        let mut files: BTreeMap<u64, File> = (0..files).map(|number| (number, file.clone())).collect();
        for number in there {
            if let Some(file) = files.get_mut(&number) {
                file.state = State::Shelved { worker: None, checked: true };
            }
        }
        let missing = files.values().filter(|file| !file.is_shelved()).count();
        Ledger { files, missing, refused }
    }

    /// Whether every file is there.
    pub fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Workers of which nothing is taken, and why.
    pub fn refused(&self) -> &BTreeMap<String, String> {
        &self.refused
    }

    /// Whether a file from this worker would be taken.
    pub fn expects(&self, file: u64, worker: &str) -> bool {
        let missing = self.files.get(&file).is_some_and(|file| !file.is_shelved());
        missing && !self.refused.contains_key(worker)
    }

    /// Takes down what happened, and says what is to be done.
    pub fn hear(&mut self, event: Event) -> Vec<Task> {
        match event {
            Event::QueueLost => {
                let queued = self.files.iter().filter(|(_, file)| file.state == State::Queued);
                let queued: Vec<u64> = queued.map(|(&number, _)| number).collect();
                queued.into_iter().flat_map(|number| self.publish(number)).collect()
            }
            Event::Begun { file, worker } => {
                if let Some(file) = self.files.get_mut(&file).filter(|file| file.begun.len() < MOST_BEGUN) {
                    file.begun.push(worker);
                }
                Vec::new()
            }
            Event::Came { file, worker } => {
                if !self.expects(file, &worker) {
                    return self.again(file);
                }
                let Some(entry) = self.files.get_mut(&file) else { return Vec::new() };
                entry.state = State::Shelved { worker: Some(worker), checked: false };
                self.missing -= 1;
                vec![Task::Shelve { file }]
            }
            Event::Checked { file } => {
                if let Some(State::Shelved { checked, .. }) = self.files.get_mut(&file).map(|file| &mut file.state) {
                    *checked = true;
                }
                Vec::new()
            }
            Event::Wrong { file, worker, why } => self.refuse(file, worker, why),
            Event::Useless { file } => self.again(file),
            Event::Failed { file, epoch } => match self.files.get_mut(&file) {
                Some(entry) if entry.state == State::Queued && entry.epoch == epoch => {
                    entry.state = State::Here;
                    vec![Task::PlayHere { file, epoch }]
                }
                _ => Vec::new(),
            },
            Event::EndedHere { file } => {
                // Should it be lost on its way, the queue will be found empty.
                if let Some(entry) = self.files.get_mut(&file).filter(|entry| entry.state == State::Here) {
                    entry.state = State::Queued;
                }
                Vec::new()
            }
            Event::FailedHere { file } => match self.files.get(&file) {
                Some(entry) if entry.state == State::Here => {
                    vec![Task::GiveUp { file, workers: entry.begun.clone() }]
                }
                _ => Vec::new(),
            },
        }
    }

    /// Takes nothing from a worker any more, and has played again what came from it and was not checked.
    fn refuse(&mut self, file: u64, worker: String, why: String) -> Vec<Task> {
        let mut tasks = Vec::new();
        let of_worker = |number: u64, entry: &File| match &entry.state {
            State::Shelved { worker: Some(of), checked } => *of == worker && (number == file || !checked),
            _ => false,
        };
        let doubtful = self.files.iter().filter(|(number, entry)| of_worker(**number, entry));
        let doubtful: Vec<u64> = doubtful.map(|(&number, _)| number).collect();
        for number in doubtful {
            tasks.push(Task::Remove { file: number });
            if let Some(entry) = self.files.get_mut(&number) {
                entry.state = State::Queued;
                self.missing += 1;
            }
            tasks.extend(self.publish(number));
        }
        if !tasks.contains(&Task::Remove { file }) {
            tasks.extend(self.again(file));
        }
        self.refused.entry(worker).or_insert(why);
        tasks
    }

    /// Puts a file among the work once more whose answer was of no use, if it is still to come from there.
    fn again(&mut self, file: u64) -> Vec<Task> {
        match self.files.get(&file) {
            Some(entry) if entry.state == State::Queued => self.publish(file),
            _ => Vec::new(),
        }
    }

    fn publish(&mut self, number: u64) -> Vec<Task> {
        let Some(file) = self.files.get_mut(&number) else { return Vec::new() };
        file.epoch += 1;
        vec![Task::Publish { file: number, epoch: file.epoch }]
    }
}

impl File {
    fn is_shelved(&self) -> bool {
        matches!(self.state, State::Shelved { .. })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    const FILES: u64 = 5;

    fn event() -> impl Strategy<Value = Event> {
        let worker = || prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned);
        // One beyond the last, as a stranger may send it.
        let file = || 0..=FILES;
        prop_oneof![
            2 => Just(Event::QueueLost),
            4 => (file(), worker()).prop_map(|(file, worker)| Event::Begun { file, worker }),
            12 => (file(), worker()).prop_map(|(file, worker)| Event::Came { file, worker }),
            3 => file().prop_map(|file| Event::Checked { file }),
            1 => (file(), worker()).prop_map(|(file, worker)| Event::Wrong { file, worker, why: "w".to_owned() }),
            3 => file().prop_map(|file| Event::Useless { file }),
            3 => (file(), 0u64..4).prop_map(|(file, epoch)| Event::Failed { file, epoch }),
            1 => file().prop_map(|file| Event::EndedHere { file }),
            1 => file().prop_map(|file| Event::FailedHere { file }),
        ]
    }

    /// What follows from the tasks alone: files on the shelf, in the queue, and at work here.
    #[derive(Default)]
    struct World {
        shelf: BTreeSet<u64>,
        queue: BTreeMap<u64, u64>,
        here: BTreeSet<u64>,
        epochs: BTreeMap<u64, u64>,
    }

    impl World {
        fn carry_out(&mut self, tasks: Vec<Task>) {
            for task in tasks {
                match task {
                    Task::Publish { file, epoch } => {
                        let before = self.epochs.insert(file, epoch);
                        assert!(before.is_none_or(|before| before < epoch), "epochs never go back");
                        assert!(!self.shelf.contains(&file), "a file that is there is not played again");
                        self.queue.insert(file, epoch);
                    }
                    Task::Shelve { file } => {
                        assert!(self.shelf.insert(file), "each file is shelved once");
                        self.queue.remove(&file);
                        self.here.remove(&file);
                    }
                    Task::Remove { file } => assert!(self.shelf.remove(&file), "only what is there is removed"),
                    Task::PlayHere { file, epoch } => {
                        assert_eq!(self.epochs.get(&file), Some(&epoch), "of the newest epoch");
                        self.queue.remove(&file);
                        assert!(self.here.insert(file));
                    }
                    Task::GiveUp { file, .. } => assert!(self.here.contains(&file)),
                }
            }
        }
    }

    proptest! {
        #[test]
        fn each_file_is_shelved_once_and_none_is_forgotten(
            there in prop::collection::btree_set(0..FILES, 0..3),
            events in prop::collection::vec(event(), 0..60),
        ) {
            let mut ledger = Ledger::new(FILES, there.clone(), BTreeMap::new());
            let mut world = World { shelf: there, ..World::default() };
            world.carry_out(ledger.hear(Event::QueueLost));
            for event in events {
                let refused = ledger.refused().clone();
                if let Event::EndedHere { file } = event && world.here.remove(&file) {
                    // It is on its way, though not by a worker that took it.
                    world.queue.insert(file, 0);
                }
                world.carry_out(ledger.hear(event));
                prop_assert!(refused.keys().all(|worker| ledger.refused().contains_key(worker)));
                for file in 0..FILES {
                    let places = [world.shelf.contains(&file), world.queue.contains_key(&file), world.here.contains(&file)];
                    prop_assert_eq!(places.iter().filter(|&&is| is).count(), 1, "file {} is in one place: {:?}", file, places);
                    prop_assert_eq!(ledger.expects(file, "new"), !world.shelf.contains(&file));
                }
                prop_assert_eq!(ledger.is_complete(), world.shelf.len() as u64 == FILES);
            }
            // Whatever happened before, a worker that does what it is asked to brings the generation to its end.
            for file in 0..FILES {
                world.carry_out(ledger.hear(Event::Came { file, worker: "new".to_owned() }));
            }
            prop_assert!(ledger.is_complete());
            // A coordinator that begins anew finds the same in the folder.
            let again = Ledger::new(FILES, world.shelf, BTreeMap::new());
            prop_assert!(again.is_complete());
        }
    }

    #[test]
    fn a_worker_that_lied_once_loses_what_was_not_checked() {
        let mut ledger = Ledger::new(4, [], BTreeMap::new());
        ledger.hear(Event::QueueLost);
        let from = |file, worker: &str| Event::Came { file, worker: worker.to_owned() };
        for (file, worker) in [(0, "bad"), (1, "bad"), (2, "good"), (3, "bad")] {
            assert_eq!(ledger.hear(from(file, worker)), [Task::Shelve { file }]);
        }
        ledger.hear(Event::Checked { file: 0 });
        let wrong = Event::Wrong { file: 3, worker: "bad".to_owned(), why: "another network".to_owned() };
        let again = |file| [Task::Remove { file }, Task::Publish { file, epoch: 2 }];
        assert_eq!(ledger.hear(wrong), [again(1), again(3)].concat());
        assert_eq!(ledger.hear(from(1, "bad")), [Task::Publish { file: 1, epoch: 3 }]);
        assert_eq!(ledger.hear(from(1, "good")), [Task::Shelve { file: 1 }]);
        assert_eq!(ledger.refused()["bad"], "another network");
        assert!(!ledger.is_complete());
    }

    #[test]
    fn a_file_that_ends_its_workers_is_played_here_and_then_given_up() {
        let mut ledger = Ledger::new(1, [], BTreeMap::new());
        ledger.hear(Event::QueueLost);
        for worker in ["a", "b", "b"] {
            ledger.hear(Event::Begun { file: 0, worker: worker.to_owned() });
        }
        assert_eq!(ledger.hear(Event::Failed { file: 0, epoch: 0 }), [], "of an epoch that is over");
        assert_eq!(ledger.hear(Event::Failed { file: 0, epoch: 1 }), [Task::PlayHere { file: 0, epoch: 1 }]);
        assert_eq!(ledger.hear(Event::Failed { file: 0, epoch: 1 }), []);
        assert_eq!(ledger.hear(Event::QueueLost), [], "it is no more among the work");
        let workers = ["a", "b", "b"].map(str::to_owned).to_vec();
        assert_eq!(ledger.hear(Event::FailedHere { file: 0 }), [Task::GiveUp { file: 0, workers }]);
    }
}

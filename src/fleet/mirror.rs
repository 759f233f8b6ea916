//! A run whose machines have no folder in common: its newest networks and games go through a store, where each file
//! appears once. For `maydan selfplay --part` and `maydan learn`; no server is needed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use serde_json::Value;

use super::{
    FleetError,
    messages::{LARGEST_FILE, Order, from_json, to_json},
    store::Store,
};
use crate::{
    console::warn,
    disk::{
        IoError, chunk_of, chunks, generation_dir, generation_name, generation_of, generations, write_folder,
        write_new_file,
    },
    game::Playable,
    pipeline::{Games, Run, RunError},
    selfplay::Part,
};

/// Time between looks at whether there are new files.
const LOOK: Duration = Duration::from_secs(1);

/// The file of a checkpoint that is written last: where it is the others are.
const CHECKPOINT: &str = "checkpoint.toml";

/// The file beside a generation's games that says how they are played.
const ORDER: &str = "order.json";

/// A run's folders here and in a store.
pub struct Mirror {
    store: Store,
    models: PathBuf,
    data: PathBuf,
}

impl Mirror {
    /// The run's folders in the store at `url`.
    ///
    /// # Errors
    /// When there is no such store, or it does not refuse to create what is there.
    pub fn open<R: Playable>(url: &str, name: &str, run: &Run<R>) -> Result<Self, FleetError> {
        let store = Store::open(url, name)?;
        store.probe()?;
        let [models, data] = [run.directory().models(), run.directory().data()].map(Path::to_owned);
        Ok(Mirror { store, models, data })
    }

    /// Brings the newest checkpoint, and those that a lagging run plays with, to where they are not. Gives its generation.
    ///
    /// # Errors
    /// When the store or the disk refuses, or the store has another network of a generation.
    pub fn share_checkpoints<R: Playable>(&self, run: &Run<R>) -> Result<u64, FleetError> {
        let mut stored = BTreeSet::new();
        for name in self.store.list("models")? {
            let mut parts = name.split('/').skip(1);
            if let (Some(generation), Some(CHECKPOINT)) = (parts.next().and_then(generation_of), parts.next()) {
                stored.insert(generation);
            }
        }
        let here: BTreeSet<u64> = generations(&self.models)?.into_iter().collect();
        if let Some(&common) = here.intersection(&stored).last() {
            self.compare(common)?;
        }
        let newest = match stored.last() {
            Some(&newest) if here.last().is_none_or(|&here| here < newest) => newest,
            _ => run.newest()?,
        };
        for generation in newest.saturating_sub(run.config().run.lag)..=newest {
            match (generation_dir(&self.models, generation).exists(), stored.contains(&generation)) {
                (true, false) => self.put_checkpoint(generation)?,
                (false, true) => self.fetch_checkpoint(generation)?,
                (true, true) | (false, false) => {}
            }
        }
        Ok(newest)
    }

    /// Fails where the store has another network of a generation.
    fn compare(&self, generation: u64) -> Result<(), FleetError> {
        let path = generation_dir(&self.models, generation).join(CHECKPOINT);
        let here = fs::read(&path).map_err(IoError::at(&path))?;
        match self.store.read(&checkpoint_file(generation, CHECKPOINT), LARGEST_FILE)? {
            Some(stored) if stored != here => {
                let folder = path.parent().unwrap_or(&path).display();
                Err(self.other(format!("expected the network of {folder}, found another: is it of another run?")))
            }
            _ => Ok(()),
        }
    }

    fn put_checkpoint(&self, generation: u64) -> Result<(), FleetError> {
        let folder = generation_dir(&self.models, generation);
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(&folder).map_err(IoError::at(&folder))? {
            files.push(entry.map_err(IoError::at(&folder))?.path());
        }
        files.sort_by_key(|file| file.ends_with(CHECKPOINT));
        for file in files {
            let content = fs::read(&file).map_err(IoError::at(&file))?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            self.store.create(&checkpoint_file(generation, &name), content)?;
        }
        // Another may have been faster with another.
        self.compare(generation)
    }

    fn fetch_checkpoint(&self, generation: u64) -> Result<(), FleetError> {
        let folder = generation_dir(&self.models, generation);
        let prefix = checkpoint_file(generation, "");
        let mut files = Vec::new();
        for name in self.store.list(prefix.trim_end_matches('/'))? {
            let content = self.store.read(&name, LARGEST_FILE)?;
            let content = content.ok_or_else(|| self.other(format!("{name}: it is gone, or too large")))?;
            files.push((name.strip_prefix(&prefix).unwrap_or_default().to_owned(), content));
        }
        let plain = |name: &str| !name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('.');
        if let Some((name, _)) = files.iter().find(|(name, _)| !plain(name)) {
            return Err(self.other(format!("expected the files of a checkpoint, found {prefix}{name}")));
        }
        let files: Vec<_> = files.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        Ok(write_folder(&folder, &files)?)
    }

    /// Sees that a generation is played as whoever came first plays it.
    ///
    /// # Errors
    /// When the store refuses, or has the generation played otherwise: names the setting.
    pub fn agree<R: Playable>(&self, games: &Games<R>) -> Result<(), FleetError> {
        let name = format!("{}/{ORDER}", games_folder(games.number));
        let mut order = Order::new(games);
        // The same games come of any number of threads and places.
        (order.selfplay.shards, order.selfplay.slots) = (0, 1);
        let here = to_json(&order);
        if self.store.create(&name, here.clone())? {
            return Ok(());
        }
        let stored = self.store.read(&name, LARGEST_FILE)?.unwrap_or_default();
        let [here, stored] = [here, stored].map(|bytes| {
            let mut settings = BTreeMap::new();
            flatten("", from_json(&bytes).unwrap_or_default(), &mut settings);
            settings
        });
        let differs = |name: &&String| here.get(*name) != stored.get(*name);
        let Some(field) = here.keys().chain(stored.keys()).find(differs) else { return Ok(()) };
        let value = |of: &BTreeMap<String, Value>| of.get(field).map_or("nothing".to_owned(), Value::to_string);
        Err(self.other(format!(
            "generation {}: {field}: expected {} as others play it, found {} here",
            games.number,
            value(&stored),
            value(&here)
        )))
    }

    /// Gets the games of a part that others have played, as far as they are not here.
    ///
    /// # Errors
    /// When the store or the disk refuses.
    pub fn fetch_games(&self, generation: u64, part: Part) -> Result<(), FleetError> {
        let folder = generation_dir(&self.data, generation);
        for name in self.store.list(&games_folder(generation))? {
            let path = folder.join(name.rsplit('/').next().unwrap_or_default());
            if chunk_of(&path).is_none_or(|file| !part.has(file)) || path.exists() {
                continue;
            }
            if let Some(content) = self.store.read(&name, LARGEST_FILE)? {
                write_new_file(&path, &content)?;
            }
        }
        Ok(())
    }

    /// Does something that makes games of a generation, and puts each file of them into the store as it appears.
    ///
    /// # Errors
    /// When that fails, or files are still not in the store when it is over.
    pub fn put_games_while<T>(
        &self,
        generation: u64,
        work: impl FnOnce() -> Result<T, RunError>,
    ) -> Result<T, FleetError> {
        let mut there: BTreeSet<u64> = BTreeSet::new();
        let (over, is_over) = channel::<()>();
        thread::scope(|scope| {
            let putter = scope.spawn(move || {
                let mut warned = false;
                loop {
                    let last = is_over.recv_timeout(LOOK) != Err(RecvTimeoutError::Timeout);
                    let put = self.put_games(generation, &mut there);
                    if last {
                        return put;
                    }
                    let waiting = put.err();
                    if let (Some(problem), false) = (&waiting, warned) {
                        warn(&format!("files wait to be put into the store: {problem}"));
                    }
                    warned = waiting.is_some();
                }
            });
            let done = work();
            drop(over);
            let put = putter.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let done = done?;
            put.map(|()| done)
        })
    }

    fn put_games(&self, generation: u64, there: &mut BTreeSet<u64>) -> Result<(), FleetError> {
        for path in chunks(&generation_dir(&self.data, generation))? {
            let Some(file) = chunk_of(&path).filter(|file| !there.contains(file)) else { continue };
            let content = fs::read(&path).map_err(IoError::at(&path))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            self.store.create(&format!("{}/{name}", games_folder(generation)), content)?;
            there.insert(file);
        }
        Ok(())
    }

    fn other(&self, problem: String) -> FleetError {
        FleetError::Store { url: self.store.url().to_owned(), problem }
    }
}

/// The settings in a value of JSON, by names as in `plan.precision`.
fn flatten(name: &str, value: Value, into: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                flatten(&format!("{name}{}{field}", if name.is_empty() { "" } else { "." }), value, into);
            }
        }
        value => drop(into.insert(name.to_owned(), value)),
    }
}

fn checkpoint_file(generation: u64, file: &str) -> String {
    format!("models/{}/{file}", generation_name(generation))
}

fn games_folder(generation: u64) -> String {
    format!("data/{}", generation_name(generation))
}

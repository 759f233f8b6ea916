//! The networks that a worker plays with, as they come from the server or the store.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    FleetError,
    link::Link,
    messages::{NetworkFiles, from_json},
    names::{Names, stored_network},
    store::Store,
};
use crate::{
    disk::{IoError, write_folder},
    game::{Encode, Game},
    model::Checkpoint,
    pipeline::RunError,
};

/// Files of a checkpoint, and the most bytes of them all.
const FILES: [&str; 4] = ["checkpoint.toml", "weights.safetensors", "module.pt", "module.onnx"];
const LIMIT: u64 = 1 << 30;

/// A worker's networks: the one that was used last, and its folder.
pub struct Networks<'a> {
    link: &'a Link,
    names: &'a Names,
    store: Option<&'a Store>,
    folder: PathBuf,
    newest: Option<Arc<Checkpoint>>,
}

impl<'a> Networks<'a> {
    /// Keeps them in a folder, which nobody else may use.
    pub fn new(link: &'a Link, names: &'a Names, store: Option<&'a Store>, folder: PathBuf) -> Self {
        Networks { link, names, store, folder, newest: None }
    }

    /// A network by its id: as it was used last, as it is kept here, or from the server; none where that has lost it.
    ///
    /// # Errors
    /// When the server does not answer, or what it has is no network of the game.
    pub fn get<R: Encode>(&mut self, id: &str, game: &Game<R>) -> Result<Option<Arc<Checkpoint>>, FleetError> {
        if let Some(network) = self.newest.as_ref().filter(|network| network.metadata().id == id) {
            return Ok(Some(network.clone()));
        }
        if id.is_empty() || id.len() > 64 || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(FleetError::Network(format!("expected the id of a network, found `{id}`")));
        }
        let folder = self.folder.join(id);
        let network = match Checkpoint::load_for(&folder, game) {
            Ok(network) => network,
            Err(_) => {
                if !self.fetch(id, &folder)? {
                    return Ok(None);
                }
                Checkpoint::load_for(&folder, game).map_err(RunError::from)?
            }
        };
        if network.metadata().id != id {
            return Err(FleetError::Network(format!("expected network {id}, found {}", network.metadata().id)));
        }
        if let Some(old) = self.newest.take() {
            // No generation to come is played by it.
            remove(&self.folder.join(&old.metadata().id))?;
        }
        Ok(Some(self.newest.insert(Arc::new(network)).clone()))
    }

    /// Gets the files of a network, if they are there.
    fn fetch(&self, id: &str, folder: &Path) -> Result<bool, FleetError> {
        let damaged = || FleetError::Network(format!("network {id} is damaged on the server"));
        let Some(described) = self.part(id, 0)? else { return Ok(false) };
        let described: NetworkFiles = from_json(&described).ok_or_else(damaged)?;
        let length = described.files.iter().fold(0u64, |sum, (_, length)| sum.saturating_add(*length));
        if length > LIMIT || described.files.iter().any(|(name, _)| !FILES.contains(&name.as_str())) {
            return Err(damaged());
        }
        if let Some(store) = self.store {
            return self.fetch_stored(store, id, folder, &described);
        }
        let mut bytes = Vec::new();
        for number in 1..=described.parts {
            let Some(part) = self.part(id, number)? else { return Ok(false) };
            bytes.extend(part);
            if bytes.len() as u64 > length {
                return Err(damaged());
            }
        }
        if bytes.len() as u64 != length {
            return Err(damaged());
        }
        let (mut files, mut rest) = (Vec::new(), bytes.as_slice());
        for (name, length) in &described.files {
            let (content, others) = rest.split_at(*length as usize);
            files.push((name.as_str(), content));
            rest = others;
        }
        fs::create_dir_all(&self.folder).map_err(IoError::at(&self.folder))?;
        write_folder(folder, &files)?;
        Ok(true)
    }

    /// Gets the files of a network from the store, if they are there.
    fn fetch_stored(
        &self,
        store: &Store,
        id: &str,
        folder: &Path,
        described: &NetworkFiles,
    ) -> Result<bool, FleetError> {
        let mut files = Vec::new();
        for (name, length) in &described.files {
            let Some(content) = store.read(&stored_network(id, name), *length)? else { return Ok(false) };
            files.push((name.as_str(), content));
        }
        let files: Vec<_> = files.iter().map(|(name, content)| (*name, content.as_slice())).collect();
        fs::create_dir_all(&self.folder).map_err(IoError::at(&self.folder))?;
        write_folder(folder, &files)?;
        Ok(true)
    }

    /// A part of a network; none where it is not there.
    fn part(&self, id: &str, part: u64) -> Result<Option<Vec<u8>>, FleetError> {
        let found = self.link.newest(&self.names.orders_stream(), self.names.network(id, part))?;
        Ok(found.map(|(_, bytes)| bytes))
    }
}

fn remove(folder: &Path) -> Result<(), IoError> {
    match fs::remove_dir_all(folder) {
        Err(problem) if problem.kind() != io::ErrorKind::NotFound => Err(IoError::at(folder)(problem)),
        _ => Ok(()),
    }
}

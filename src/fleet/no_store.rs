//! Stores of files, in a program that was built without the feature `cloud`: there are none.

use super::FleetError;

/// The files of a run in a store, of which there is none.
pub enum Store {}

impl Store {
    /// # Errors
    /// Always: names what to build.
    pub fn open(url: &str, _run: &str) -> Result<Self, FleetError> {
        let problem = "expected a program with the feature `cloud`, found one without: \
                       `cargo build --release --features cloud` builds one"
            .to_owned();
        Err(FleetError::Store { url: url.to_owned(), problem })
    }

    pub fn url(&self) -> &str {
        match *self {}
    }

    pub fn probe(&self) -> Result<(), FleetError> {
        match *self {}
    }

    pub fn create(&self, _name: &str, _content: Vec<u8>) -> Result<bool, FleetError> {
        match *self {}
    }

    pub fn read(&self, _name: &str, _limit: u64) -> Result<Option<Vec<u8>>, FleetError> {
        match *self {}
    }

    pub fn list(&self, _folder: &str) -> Result<Vec<String>, FleetError> {
        match *self {}
    }

    pub fn remove(&self, _name: &str) -> Result<(), FleetError> {
        match *self {}
    }

    pub fn clear(&self, _folder: &str) -> Result<(), FleetError> {
        match *self {}
    }
}

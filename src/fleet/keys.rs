//! Who may do what: a key of the coordinator and one of the workers (NKeys, Ed25519), and the file that a worker joins by.

use std::{
    fs,
    path::{Path, PathBuf},
};

use nkeys::KeyPair;
use serde::{Deserialize, Serialize};

use super::FleetError;
use crate::disk::{IoError, write_secret_file};

/// The secret half of a key, as a file holds it: a line that begins with `SU`.
#[derive(Clone)]
pub struct Key(KeyPair);

impl Key {
    /// Reads a key, or makes one and keeps it where nobody else can read it.
    ///
    /// # Errors
    /// When there is another thing in the file, or the disk refuses.
    pub fn of_run(file: &Path) -> Result<Self, FleetError> {
        if file.exists() {
            return Key::read(file);
        }
        let pair = KeyPair::new_user();
        let seed = pair.seed().map_err(|problem| FleetError::key(file, problem))?;
        let key = Key(pair);
        write_secret_file(file, format!("{seed}\n").as_bytes())?;
        Ok(key)
    }

    /// Reads a key.
    ///
    /// # Errors
    /// When there is none, or another thing.
    pub fn read(file: &Path) -> Result<Self, FleetError> {
        let text = fs::read_to_string(file).map_err(IoError::at(file))?;
        Key::parse(text.trim()).map_err(|problem| FleetError::key(file, problem))
    }

    /// The key of this line.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(seed: &str) -> Result<Self, String> {
        let pair =
            KeyPair::from_seed(seed).map_err(|problem| format!("expected a line that begins with `SU`: {problem}"))?;
        Ok(Key(pair))
    }

    /// The half that the server knows.
    pub fn public(&self) -> String {
        self.0.public_key()
    }

    /// The secret half.
    pub fn seed(&self) -> String {
        self.0.seed().unwrap_or_default()
    }
}

/// All that a worker needs, in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The server, `nats://host:4222` or `tls://host:4222`.
    pub url: String,
    /// The run.
    pub run: String,
    /// The secret half of the workers' key.
    pub key: String,
    /// The certificates that the server's must come from (PEM), if not those that the system trusts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

impl Join {
    /// Reads the file.
    ///
    /// # Errors
    /// Names the file and the field.
    pub fn read(file: &Path) -> Result<Self, FleetError> {
        let text = fs::read_to_string(file).map_err(IoError::at(file))?;
        toml::from_str(&text).map_err(|problem| FleetError::key(file, problem.message()))
    }

    /// Writes the file, where nobody else can read it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, file: &Path) -> Result<(), FleetError> {
        let text = toml::to_string(self).expect("strings serialise");
        Ok(write_secret_file(file, text.as_bytes())?)
    }
}

/// The files of a run's fleet.
#[derive(Clone, Debug)]
pub struct FleetFolder {
    folder: PathBuf,
}

impl FleetFolder {
    /// In a run's folder of networks.
    pub fn new(models: &Path) -> Self {
        FleetFolder { folder: models.join("fleet") }
    }

    pub fn coordinator_key(&self) -> PathBuf {
        self.folder.join("coordinator.nk")
    }

    pub fn worker_key(&self) -> PathBuf {
        self.folder.join("worker.nk")
    }

    pub fn join(&self) -> PathBuf {
        self.folder.join("join.toml")
    }

    /// The same for processes of the coordinator's machine.
    pub fn local_join(&self) -> PathBuf {
        self.folder.join("join-here.toml")
    }

    /// The server's certificate, and its key.
    pub fn certificate(&self) -> [PathBuf; 2] {
        ["pem", "key.pem"].map(|end| self.folder.join(format!("certificate.{end}")))
    }

    pub fn server(&self, file: &str) -> PathBuf {
        self.folder.join(format!("nats-server.{file}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_read_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fleet/a.nk");
        let made = Key::of_run(&file).unwrap();
        let read = Key::of_run(&file).unwrap();
        assert_eq!((made.public(), made.seed()), (read.public(), read.seed()));
        assert!(made.public().starts_with('U') && made.seed().starts_with("SU"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(&file, "SUNOTAKEY").unwrap();
        let Err(error) = Key::read(&file) else { panic!("no key") };
        assert!(error.to_string().contains("a.nk: expected a line that begins with `SU`"), "{error}");
    }

    #[test]
    fn a_join_file_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("join.toml");
        let join =
            Join { url: "tls://a:4222".into(), run: "r".into(), key: "SU".into(), certificate: Some("P\n".into()) };
        join.write(&file).unwrap();
        assert_eq!(Join::read(&file).unwrap(), join);
        fs::write(&file, "url = 3").unwrap();
        assert!(Join::read(&file).unwrap_err().to_string().contains("join.toml: "));
    }
}

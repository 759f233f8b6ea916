//! A store of files that many machines reach: a bucket, or a folder that they share. A file appears in it once, whole.

use std::time::Duration;

use futures_util::TryStreamExt as _;
use object_store::{
    Error, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload, RetryConfig, aws::AmazonS3Builder,
    azure::MicrosoftAzureBuilder, gcp::GoogleCloudStorageBuilder, local::LocalFileSystem, path::Path,
};
use reqwest::Url;
use tokio::runtime::{Builder, Runtime};

use super::FleetError;

/// How long a request is tried again that came to nothing, and how often at most.
const TRIED: Duration = Duration::from_secs(10);
const TRIES: usize = 4;

/// The files of a run in a store.
pub struct Store {
    runtime: Runtime,
    objects: Box<dyn ObjectStore>,
    /// What the names of all files of the run begin with.
    prefix: Path,
    url: String,
}

impl Store {
    /// The files of a run in the store at `url`: `s3://BUCKET/FOLDER`, `gs://BUCKET/FOLDER`, `az://CONTAINER/FOLDER` or
    /// `file:///FOLDER`. What lets this process in is in the environment, by the names that the store's own tools have.
    ///
    /// # Errors
    /// When this is no such address, or something is missing that the store needs.
    pub fn open(url: &str, run: &str) -> Result<Self, FleetError> {
        let fail = |problem: String| FleetError::Store { url: url.to_owned(), problem };
        let expected = || {
            let expected = "expected `s3://BUCKET/FOLDER`, `gs://BUCKET/FOLDER`, `az://CONTAINER/FOLDER` or \
                            `file:///FOLDER`";
            fail(expected.to_owned())
        };
        let parsed = Url::parse(url).map_err(|_| expected())?;
        let has_host = parsed.host_str().is_some_and(|host| !host.is_empty());
        if has_host == (parsed.scheme() == "file") {
            return Err(expected());
        }
        // It stays where another is already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let retry = RetryConfig { max_retries: TRIES, retry_timeout: TRIED, ..RetryConfig::default() };
        let told = |problem: Error| fail(one_line(&problem));
        let objects: Box<dyn ObjectStore> = match parsed.scheme() {
            "file" => Box::new(LocalFileSystem::new().with_fsync(true)),
            "s3" => {
                let builder = AmazonS3Builder::from_env().with_url(url).with_retry(retry);
                Box::new(builder.build().map_err(told)?)
            }
            "gs" => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(url).with_retry(retry);
                Box::new(builder.build().map_err(told)?)
            }
            "az" => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(url).with_retry(retry);
                Box::new(builder.build().map_err(told)?)
            }
            _ => return Err(expected()),
        };
        let prefix = Path::from_url_path(parsed.path()).map_err(|_| expected())?.join(run);
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|problem| fail(problem.to_string()))?;
        Ok(Store { runtime, objects, prefix, url: url.to_owned() })
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sees whether it refuses to create what is there, on which all else rests: some stores write over it unasked.
    ///
    /// # Errors
    /// When it does not, or is not to be reached.
    pub fn probe(&self) -> Result<(), FleetError> {
        let name = format!("probe/{:016x}", rand::random::<u64>());
        let first = self.create(&name, b"first".to_vec())?;
        let second = self.create(&name, b"second".to_vec())?;
        let content = self.read(&name, 16)?;
        self.remove(&name)?;
        if first && !second && content.as_deref() == Some(b"first") {
            return Ok(());
        }
        Err(self.error("expected a store that refuses to create what is there, found one that writes over it"))
    }

    /// Creates a file; `false` where it is there, which then stays as it is.
    ///
    /// # Errors
    /// When the store refuses or does not answer.
    pub fn create(&self, name: &str, content: Vec<u8>) -> Result<bool, FleetError> {
        let (path, payload) = (self.path(name), PutPayload::from(content));
        let put = self.objects.put_opts(&path, payload, PutMode::Create.into());
        match self.runtime.block_on(put) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(problem) => Err(self.refusal(&problem)),
        }
    }

    /// A file's content; none where there is none, or more than `limit` bytes.
    ///
    /// # Errors
    /// As [`create`](Store::create).
    pub fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, FleetError> {
        let path = self.path(name);
        let read = async {
            let found = self.objects.get(&path).await?;
            if found.meta.size > limit {
                return Ok(None);
            }
            let (mut content, mut parts) = (Vec::new(), found.into_stream());
            while let Some(part) = parts.try_next().await? {
                content.extend_from_slice(&part);
                if content.len() as u64 > limit {
                    return Ok(None);
                }
            }
            Ok(Some(content))
        };
        match self.runtime.block_on(read) {
            Ok(content) => Ok(content),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(problem) => Err(self.refusal(&problem)),
        }
    }

    /// The names of all files whose names begin with `folder` and a slash.
    ///
    /// # Errors
    /// As [`create`](Store::create).
    pub fn list(&self, folder: &str) -> Result<Vec<String>, FleetError> {
        let prefix = self.path(folder);
        let listed = self.runtime.block_on(self.objects.list(Some(&prefix)).try_collect::<Vec<_>>());
        let listed = listed.map_err(|problem| self.refusal(&problem))?;
        let inside = |of: &Path| {
            let rest: Vec<_> = of.prefix_match(&self.prefix)?.map(|part| part.as_ref().to_owned()).collect();
            Some(rest.join("/"))
        };
        Ok(listed.iter().filter_map(|of| inside(&of.location)).collect())
    }

    /// Removes a file, if it is there.
    ///
    /// # Errors
    /// As [`create`](Store::create).
    pub fn remove(&self, name: &str) -> Result<(), FleetError> {
        match self.runtime.block_on(self.objects.delete(&self.path(name))) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(problem) => Err(self.refusal(&problem)),
        }
    }

    /// Removes all files whose names begin with `folder` and a slash.
    ///
    /// # Errors
    /// As [`create`](Store::create).
    pub fn clear(&self, folder: &str) -> Result<(), FleetError> {
        self.list(folder)?.iter().try_for_each(|name| self.remove(name))
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), |path, part| path.join(part))
    }

    fn refusal(&self, problem: &Error) -> FleetError {
        match problem {
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
                FleetError::Refused { url: self.url.clone(), reason: one_line(problem) }
            }
            _ => self.error(one_line(problem)),
        }
    }

    fn error(&self, problem: impl Into<String>) -> FleetError {
        FleetError::Store { url: self.url.clone(), problem: problem.into() }
    }
}

/// What went wrong, in a line: stores answer with pages.
fn one_line(problem: &Error) -> String {
    let words: Vec<String> = problem.to_string().split_whitespace().map(str::to_owned).collect();
    let line = words.join(" ");
    match line.char_indices().nth(500) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(folder: &tempfile::TempDir) -> Store {
        let url = Url::from_directory_path(folder.path()).unwrap();
        Store::open(url.as_str(), "a run").unwrap()
    }

    #[test]
    fn a_file_appears_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = of(&folder);
        store.probe().unwrap();
        assert!(store.create("games/one", b"first".to_vec()).unwrap());
        assert!(!store.create("games/one", b"second".to_vec()).unwrap());
        assert_eq!(of(&folder).read("games/one", 5).unwrap().as_deref(), Some(&b"first"[..]));
        assert_eq!(store.read("games/one", 4).unwrap(), None);
        assert_eq!(store.read("games/two", 5).unwrap(), None);
    }

    #[test]
    fn files_are_listed_and_removed_by_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (store, other) = (of(&folder), Store::open(&format!("file://{}", folder.path().display()), "b").unwrap());
        for name in ["games/a/1", "games/b/2", "networks/1"] {
            store.create(name, Vec::new()).unwrap();
        }
        let sorted = |folder: &str| {
            let mut names = store.list(folder).unwrap();
            names.sort_unstable();
            names
        };
        assert_eq!(sorted("games"), ["games/a/1", "games/b/2"]);
        assert_eq!(other.list("games").unwrap(), [""; 0]);
        store.clear("games").unwrap();
        store.remove("games/a/1").unwrap();
        assert_eq!((sorted("games"), sorted("networks")), (vec![], vec!["networks/1".to_owned()]));
    }

    #[test]
    fn names_stay_in_the_folder_of_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let store = of(&folder);
        store.create("../../b", Vec::new()).unwrap();
        let inside: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|of| of.unwrap().file_name()).collect();
        assert_eq!(inside.len(), 1, "{inside:?}");
    }

    #[test]
    fn what_is_no_address_is_refused_in_a_line() {
        for url in ["", "nats", "s3:", "s3:///a", "file://host/a", "ftp://a/b", "http://a/b"] {
            let error = Store::open(url, "a").err().unwrap().to_string();
            assert!(error.starts_with(&format!("{url}: expected `s3://BUCKET/FOLDER`")), "{error}");
        }
    }
}

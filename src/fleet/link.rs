//! A connection to the server, for threads: every call waits for its answer. The client connects anew by itself.

use std::{
    io::Write as _,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use async_nats::{
    Client, ConnectErrorKind, ConnectOptions, HeaderMap, Subscriber,
    jetstream::{
        self, Context,
        consumer::{AckPolicy, pull},
        context::{PublishError, PublishErrorKind},
        message::PublishMessage,
        stream::{self, DirectGetErrorKind, DiscardPolicy, RetentionPolicy, StorageType},
    },
};
use futures_util::StreamExt as _;
use tempfile::NamedTempFile;
use tokio::{
    runtime::{Builder, Runtime},
    sync::Notify,
};

use super::{FleetError, keys::Key, queue::Queue};
use crate::disk::IoError;

/// How long an answer of the server is waited for.
pub(super) const ANSWER: Duration = Duration::from_secs(5);

/// Time between tries to reach a server.
const RETRY: Duration = Duration::from_millis(500);

/// The header that goes before a file of games.
pub(super) const HEAD: &str = "Maydan-Head";

/// Where to, and as whom.
#[derive(Clone)]
pub struct Address {
    pub url: String,
    /// None: as whoever the server lets in without.
    pub key: Option<Key>,
    /// Certificates that the server's must come from (PEM), beside those that the system trusts.
    pub roots: Option<String>,
}

/// A connection.
pub struct Link {
    runtime: Runtime,
    client: Client,
    context: Context,
    url: String,
    /// What the server complains of. It says so apart from what it leaves unanswered.
    complaint: Arc<Complaint>,
    /// A file of the roots, which is read at every connection.
    _roots: Option<NamedTempFile>,
}

/// What a server complained of.
#[derive(Default)]
struct Complaint {
    last: Mutex<Option<String>>,
    told: Notify,
}

impl Complaint {
    fn last(&self) -> MutexGuard<'_, Option<String>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A queue of messages, each of which is taken by one taker.
pub struct QueueConfig {
    pub stream: String,
    pub subjects: String,
    pub consumer: &'static str,
    /// After which a message is given to another taker.
    pub ack_wait: Duration,
    /// Most bytes that wait; more are refused.
    pub max_bytes: i64,
    /// Whether there is at most one message of a subject.
    pub one_a_subject: bool,
}

/// Why something could not be published.
#[derive(Debug)]
pub enum Unpublished {
    /// There is no more room now.
    Full,
    /// There is one of that subject already, or not the one that was expected.
    Taken,
    /// The stream is not there.
    NoStream,
    /// It is larger than the server takes.
    TooLarge,
    /// No answer, or another complaint.
    Other(String),
}

impl std::fmt::Display for Unpublished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Unpublished::Full => "the server has no room until the coordinator has taken what is there",
            Unpublished::Taken => "there is another already",
            Unpublished::NoStream => "the server does not know the run",
            Unpublished::TooLarge => "it is larger than the server takes",
            Unpublished::Other(reason) => reason,
        })
    }
}

/// How much a queue holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Messages, those included that were taken and not answered for.
    pub messages: u64,
    pub bytes: u64,
}

impl Link {
    /// Connects; tries for `patience` to reach a server.
    ///
    /// # Errors
    /// When the address or the key is wrong, or there is no server until then or until `stop` is set.
    pub fn connect(address: &Address, name: &str, patience: Duration, stop: &AtomicBool) -> Result<Self, FleetError> {
        let url = address.url.clone();
        if !(url.starts_with("nats://") || url.starts_with("tls://")) || url.contains('@') {
            return Err(FleetError::Address { url });
        }
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|problem| FleetError::Child(problem.to_string()))?;
        let complaint = Arc::<Complaint>::default();
        let roots = address.roots.as_deref().map(temporary).transpose()?;
        let since = Instant::now();
        let client = loop {
            let options = options(address, name, complaint.clone(), roots.as_ref());
            let failure = match runtime.block_on(options.connect(&url)) {
                Ok(client) => break client,
                Err(failure) => failure,
            };
            let reason = failure.to_string();
            match failure.kind() {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    let reason = "the server does not know this key".to_owned();
                    return Err(FleetError::Refused { url, reason });
                }
                ConnectErrorKind::ServerParse => return Err(FleetError::Address { url }),
                ConnectErrorKind::Tls => return Err(FleetError::Refused { url, reason }),
                _ if since.elapsed() >= patience || stop.load(Ordering::Relaxed) => {
                    return Err(FleetError::Unreachable { url, seconds: since.elapsed().as_secs(), reason });
                }
                _ => thread::sleep(RETRY),
            }
        };
        let entered = runtime.enter();
        let mut context = jetstream::new(client.clone());
        drop(entered);
        context.set_timeout(ANSWER);
        Ok(Link { runtime, client, context, url, complaint, _roots: roots })
    }

    /// Waits for the client.
    pub(super) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Where it goes to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Most bytes that the server takes in a message, less some that go before them.
    pub fn largest_message(&self) -> usize {
        let most = self.client.server_info().max_payload;
        most.saturating_sub(most / 16).max(1)
    }

    /// Whether the server is reached now.
    pub fn is_up(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }

    /// The error of a request that came to nothing, and why: what the server complained of, if it did.
    pub fn error(&self, what: &'static str, reason: impl ToString) -> FleetError {
        match self.complaint.last().take() {
            Some(reason) => FleetError::Refused { url: self.url.clone(), reason },
            None => FleetError::Server { url: self.url.clone(), what, reason: reason.to_string() },
        }
    }

    /// Whether the server complained that this key may not do what it was used for.
    pub fn is_denied(&self) -> bool {
        self.complaint.last().is_some()
    }

    /// Makes a stream, or gives the one that is there these settings.
    fn make_stream(&self, config: stream::Config) -> Result<(), FleetError> {
        let made = self.runtime.block_on(async {
            tokio::select! {
                made = self.context.create_or_update_stream(config) => made.map(drop).map_err(|of| of.to_string()),
                // Who may not do it gets no answer.
                () = self.complaint.told.notified() => Err(String::new()),
            }
        });
        made.map_err(|problem| self.error("stream", problem))
    }

    /// Makes a queue, and its consumer.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn make_queue(&self, queue: &QueueConfig) -> Result<(), FleetError> {
        self.make_stream(stream::Config {
            name: queue.stream.clone(),
            subjects: vec![queue.subjects.clone()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            max_bytes: queue.max_bytes,
            max_messages: -1,
            max_messages_per_subject: if queue.one_a_subject { 1 } else { -1 },
            discard_new_per_subject: queue.one_a_subject,
            max_consumers: -1,
            num_replicas: 1,
            ..stream::Config::default()
        })?;
        let config = pull::Config {
            durable_name: Some(queue.consumer.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: queue.ack_wait,
            max_deliver: -1,
            max_ack_pending: 1_000_000,
            max_waiting: 10_000,
            ..pull::Config::default()
        };
        let made = self.runtime.block_on(self.context.create_consumer_on_stream(config, &queue.stream));
        made.map(drop).map_err(|problem| self.error("consumer", problem))
    }

    /// Makes a stream whose messages stay, the newest of each subject, for so long (zero: for good).
    ///
    /// # Errors
    /// When the server refuses.
    pub fn make_shelf(&self, stream: String, subjects: Vec<String>, age: Duration) -> Result<(), FleetError> {
        self.make_stream(stream::Config {
            name: stream,
            subjects,
            retention: RetentionPolicy::Limits,
            storage: StorageType::File,
            max_bytes: -1,
            max_messages: -1,
            max_messages_per_subject: 1,
            max_age: age,
            allow_direct: true,
            max_consumers: -1,
            num_replicas: 1,
            ..stream::Config::default()
        })
    }

    /// Forgets a consumer with what it had handed out, which is handed out anew.
    pub fn drop_consumer(&self, stream: &str, consumer: &str) {
        // One that is not there is forgotten.
        let _ = self.runtime.block_on(self.context.delete_consumer_from_stream(consumer, stream));
    }

    /// Publishes to a stream, and waits until it is kept. With `expected`, only if the newest message of the subject has
    /// that number in the stream, 0 for none. Gives the number of this one.
    ///
    /// # Errors
    /// When it is not kept.
    pub fn publish(
        &self,
        subject: String,
        head: Option<Vec<u8>>,
        payload: Vec<u8>,
        expected: Option<u64>,
    ) -> Result<u64, Unpublished> {
        let mut message = PublishMessage::build().payload(payload.into());
        if let Some(head) = head {
            let mut headers = HeaderMap::new();
            // JSON in one line, of ASCII and whatever names are in it.
            headers.insert(HEAD, String::from_utf8_lossy(&head).as_ref());
            message = message.headers(headers);
        }
        if let Some(expected) = expected {
            message = message.expected_last_subject_sequence(expected);
        }
        let sent = self.runtime.block_on(async { self.context.send_publish(subject, message).await?.await });
        sent.map(|ack| ack.sequence).map_err(|problem| unpublished(&problem))
    }

    /// Says something to whoever listens now.
    pub fn say(&self, subject: String, payload: Vec<u8>) {
        // Nobody depends on hearing it, and who has no connection would wait here until there is one.
        if !self.is_up() {
            return;
        }
        let said = async {
            self.client.publish(subject, payload.into()).await.ok()?;
            self.client.flush().await.ok()
        };
        let _ = self.runtime.block_on(async { tokio::time::timeout(ANSWER, said).await });
    }

    /// Listens to what is said.
    ///
    /// # Errors
    /// When the server refuses.
    pub fn listen(&self, subject: String) -> Result<Heard<'_>, FleetError> {
        let subscribed = self.runtime.block_on(self.client.subscribe(subject));
        let subscriber = subscribed.map_err(|problem| self.error("subscribe", problem))?;
        Ok(Heard { link: self, subscriber: Some(subscriber) })
    }

    /// The newest message of a subject, with its number; none where there is none.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn newest(&self, stream: &str, subject: String) -> Result<Option<(u64, Vec<u8>)>, FleetError> {
        let newest = self.runtime.block_on(async {
            let stream = self.context.get_stream_no_info(stream).await.map_err(|problem| problem.to_string())?;
            match stream.direct_get_last_for_subject(subject).await {
                Ok(message) => Ok(Some((message.sequence, message.payload.to_vec()))),
                Err(problem) if problem.kind() == DirectGetErrorKind::NotFound => Ok(None),
                Err(problem) => Err(problem.to_string()),
            }
        });
        newest.map_err(|problem| self.error("read", problem))
    }

    /// Removes the messages of a subject.
    pub fn purge(&self, stream: &str, subject: String) {
        // What stays takes room only.
        let _ = self.runtime.block_on(async {
            let stream = self.context.get_stream_no_info(stream).await.map_err(drop)?;
            stream.purge().filter(subject).await.map(drop).map_err(drop)
        });
    }

    /// How much a queue holds.
    ///
    /// # Errors
    /// When it is not there, or there is no answer.
    pub fn depth(&self, stream: &str) -> Result<Depth, FleetError> {
        let info = self.runtime.block_on(async {
            let stream = self.context.get_stream_no_info(stream).await.map_err(|problem| problem.to_string())?;
            stream.get_info().await.map_err(|problem| problem.to_string())
        });
        let info = info.map_err(|problem| self.error("stream", problem))?;
        Ok(Depth { messages: info.state.messages, bytes: info.state.bytes })
    }

    /// The names of all streams.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn streams(&self) -> Result<Vec<String>, FleetError> {
        let names: Vec<_> = self.runtime.block_on(self.context.stream_names().collect());
        names.into_iter().collect::<Result<_, _>>().map_err(|problem| self.error("streams", problem))
    }

    /// The taker of a queue's messages.
    ///
    /// # Errors
    /// When it is not there.
    pub fn queue(&self, stream: &str, consumer: &str) -> Result<Queue<'_>, FleetError> {
        let consumer = self.runtime.block_on(self.context.get_consumer_from_stream(consumer, stream));
        Ok(Queue { link: self, consumer: consumer.map_err(|problem| self.error("queue", problem))? })
    }
}

/// Things said by others.
pub struct Heard<'a> {
    link: &'a Link,
    /// None once it is dropped.
    subscriber: Option<Subscriber>,
}

impl Drop for Heard<'_> {
    fn drop(&mut self) {
        // It tells the server so from a task of the runtime.
        let _entered = self.link.runtime.enter();
        self.subscriber = None;
    }
}

impl Heard<'_> {
    /// What was said since the last call.
    pub fn all(&mut self) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let Some(subscriber) = &mut self.subscriber else { return all };
        self.link.runtime.block_on(async {
            while let Ok(Some(message)) = tokio::time::timeout(Duration::ZERO, subscriber.next()).await {
                all.push(message.payload.to_vec());
            }
        });
        all
    }
}

/// A file that goes with the value.
fn temporary(text: &str) -> Result<NamedTempFile, FleetError> {
    let write = || {
        let mut file = NamedTempFile::new()?;
        file.write_all(text.as_bytes())?;
        Ok(file)
    };
    Ok(write().map_err(IoError::at(&std::env::temp_dir()))?)
}

fn options(address: &Address, name: &str, complaint: Arc<Complaint>, roots: Option<&NamedTempFile>) -> ConnectOptions {
    let options = match &address.key {
        Some(key) => ConnectOptions::with_nkey(key.seed()),
        None => ConnectOptions::new(),
    };
    let options = match roots {
        Some(roots) => options.add_root_certificates(roots.path().to_owned()),
        None => options,
    };
    options
        .name(name)
        .require_tls(address.url.starts_with("tls://"))
        .connection_timeout(ANSWER)
        .request_timeout(Some(ANSWER))
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(|attempts| Duration::from_millis(100 * attempts.min(20) as u64))
        .event_callback(move |event| {
            let complaint = complaint.clone();
            async move {
                tracing::info!("NATS: {event}");
                let async_nats::Event::ServerError(problem) = event else { return };
                let problem = problem.to_string();
                // Of permissions or of the key; others pass by themselves.
                if problem.to_lowercase().contains("violation") {
                    *complaint.last() = Some(problem);
                    complaint.told.notify_waiters();
                }
            }
        })
}

fn unpublished(problem: &PublishError) -> Unpublished {
    // What the store of a stream says, by its number: too much, or too many of a subject.
    const STORE_FAILED: &str = "10077";
    let text = format!("{problem:?} {problem}");
    match problem.kind() {
        PublishErrorKind::StreamNotFound => Unpublished::NoStream,
        PublishErrorKind::WrongLastSequence => Unpublished::Taken,
        PublishErrorKind::MaxPayloadExceeded => Unpublished::TooLarge,
        _ if text.contains("maximum messages per subject") => Unpublished::Taken,
        _ if text.contains(STORE_FAILED) || text.contains("maximum bytes") => Unpublished::Full,
        _ => Unpublished::Other(problem.to_string()),
    }
}

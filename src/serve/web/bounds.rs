//! Limits of one client's requests.

use std::time::Duration;

/// Bounds of what clients can make the server do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Conversations at a time; each may have a thread that searches.
    pub sessions: usize,
    /// Playouts of one search.
    pub playouts: u32,
    /// Time of one search.
    pub thinking: Duration,
    /// Memory of a bot's tree and evaluations, in MiB.
    pub memory: u32,
    /// A conversation in which the client says nothing for so long is closed.
    pub idle: Duration,
    /// Messages of a client that are taken within a second; the others wait.
    pub messages: u32,
    /// Length of a message, in bytes.
    pub message_bytes: usize,
    /// Actions of a game.
    pub actions: usize,
    /// Candidates of one search.
    pub candidates: u32,
    /// Connections at a time that are no conversations; more wait.
    pub connections: usize,
    /// How long a client may take to send the head of a request, to take a message, and to say goodbye.
    pub patience: Duration,
    /// How long a connection that is no conversation may last, whatever it asks for and however slowly it reads;
    /// browsers begin another.
    pub visit: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            sessions: 16,
            playouts: 100_000,
            thinking: Duration::from_secs(60),
            memory: 64,
            idle: Duration::from_secs(30 * 60),
            messages: 20,
            message_bytes: 1 << 16,
            actions: 4096,
            candidates: 40,
            connections: 256,
            patience: Duration::from_secs(10),
            visit: Duration::from_secs(60),
        }
    }
}

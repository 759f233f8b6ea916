//! A WebSocket and its session: events are handled one after the other, each on a thread that may block.

use std::{sync::Arc, time::Duration};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::{
    sync::watch,
    task::spawn_blocking,
    time::{Instant, sleep_until, timeout},
};

use super::{
    Bounds, ServerConfig,
    messages::{Refusal, Reply},
    session::Session,
};
use crate::serve::Thought;

/// A client may say as much at once as in this time.
const BURST: Duration = Duration::from_secs(1);

/// What happens in a conversation.
enum Event {
    Text(String),
    /// Something else than text, which stops nothing.
    Other,
    Thought(Thought),
    Over(Ending),
}

/// How a conversation ends.
enum Ending {
    /// The client has gone.
    Gone,
    /// Something came that is no message, or is too long.
    Unreadable(axum::Error),
    Idle,
    Closing,
}

/// A conversation, to its end.
pub(super) async fn converse(
    mut socket: WebSocket,
    config: Arc<ServerConfig>,
    number: u64,
    mut stop: watch::Receiver<bool>,
) {
    let patience = config.bounds.patience;
    let mut session = Session::new(Arc::clone(&config), number);
    let mut pace = Pace::new(&config.bounds);
    let mut replies = vec![session.hello()];
    let ending = loop {
        if !send_all(&mut socket, &replies, patience).await {
            break Ending::Gone;
        }
        let idle_at = pace.idle_at;
        let event = tokio::select! {
            heard = pace.next(&mut socket) => heard,
            thought = session.thought() => Event::Thought(thought),
            () = sleep_until(idle_at) => Event::Over(Ending::Idle),
            _ = stop.wait_for(|stopped| *stopped) => Event::Over(Ending::Closing),
        };
        let worked = match event {
            Event::Text(text) => spawn_blocking(move || {
                let replies = session.answer(&text);
                (session, replies)
            }),
            Event::Thought(thought) => spawn_blocking(move || {
                let replies = session.handle_thought(thought);
                (session, replies)
            }),
            Event::Other => {
                replies.clear();
                continue;
            }
            Event::Over(ending) => break ending,
        };
        // The panic of a session has been reported; session and bot are gone.
        let Ok(worked) = worked.await else { return };
        (session, replies) = worked;
    };
    let last_word = match ending {
        Ending::Gone => None,
        Ending::Unreadable(error) => Some((Refusal::new("message", error), close_code::POLICY)),
        Ending::Idle => Some((Refusal::new("idle", "nothing was heard for a long time"), close_code::AWAY)),
        Ending::Closing => Some((Refusal::new("closing", "the server is closing"), close_code::AWAY)),
    };
    if let Some((refusal, code)) = last_word {
        close(socket, refusal, code, patience).await;
    }
    // It waits for the bot to finish. A panic there has been reported.
    let _ = spawn_blocking(move || drop(session)).await;
}

/// Says that there is no room.
pub(super) async fn turn_away(socket: WebSocket, bounds: &Bounds) {
    let message = format!("all {} seats are taken, please come back later", bounds.sessions);
    close(socket, Refusal::new("full", message), close_code::AGAIN, bounds.patience).await;
}

/// Takes messages no faster than the config likes, and notices when none come.
struct Pace {
    /// What one message costs.
    gap: Duration,
    idle: Duration,
    /// When all messages so far are paid for.
    paid_at: Instant,
    idle_at: Instant,
}

impl Pace {
    fn new(bounds: &Bounds) -> Self {
        let now = Instant::now();
        Pace { gap: BURST / bounds.messages.max(1), idle: bounds.idle, paid_at: now, idle_at: now + bounds.idle }
    }

    /// The next message, when it is due; nothing is lost when the wait is cancelled.
    async fn next(&mut self, socket: &mut WebSocket) -> Event {
        sleep_until(self.paid_at.checked_sub(BURST).unwrap_or(self.paid_at)).await;
        let message = match socket.recv().await {
            None => return Event::Over(Ending::Gone),
            Some(Err(error)) => return Event::Over(Ending::Unreadable(error)),
            Some(Ok(message)) => message,
        };
        let now = Instant::now();
        self.paid_at = self.paid_at.max(now) + self.gap;
        match message {
            Message::Text(text) => {
                self.idle_at = now + self.idle;
                Event::Text(text.as_str().to_owned())
            }
            // The socket ends by itself after the closing message.
            Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Close(_) => Event::Other,
        }
    }
}

/// Whether the client took the messages.
async fn send_all(socket: &mut WebSocket, replies: &[Reply], patience: Duration) -> bool {
    for reply in replies {
        let text = serde_json::to_string(reply).expect("messages serialise");
        if !matches!(timeout(patience, socket.send(Message::Text(text.into()))).await, Ok(Ok(()))) {
            return false;
        }
    }
    true
}

/// A last word.
async fn close(mut socket: WebSocket, refusal: Refusal, code: u16, patience: Duration) {
    if send_all(&mut socket, &[refusal.into()], patience).await {
        let frame = CloseFrame { code, reason: "".into() };
        // A client that is gone needs no message, and one that does not answer is not waited for.
        let _ = timeout(patience, async {
            socket.send(Message::Close(Some(frame))).await?;
            while socket.recv().await.is_some_and(|message| message.is_ok()) {}
            Ok::<(), axum::Error>(())
        })
        .await;
    }
}

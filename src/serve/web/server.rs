//! Sockets, and a session behind each.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{
        Path, Request, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, WebSocket, close_code},
    },
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::{
    runtime::{Builder, Runtime},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::spawn_blocking,
    time::{Instant, sleep_until, timeout},
};

use super::{
    Bounds, Offer,
    assets::asset,
    guard::{is_our_name, is_our_page},
    messages::Reply,
    session::{Session, refusal},
};

/// How long a visitor may take to take a message, and the server to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// What every answer tells a browser: nothing on the page comes from elsewhere, and nobody frames it.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What is offered to visitors, and on which terms.
pub struct House {
    /// At least one.
    pub offers: Vec<Offer>,
    pub bounds: Bounds,
    /// Names besides `localhost` and addresses that visitors may call the server by.
    pub names: Vec<String>,
    /// Of the bots' random streams.
    pub seed: u64,
}

/// A server that has its port and does not answer yet.
pub struct Server {
    runtime: Runtime,
    listener: tokio::net::TcpListener,
    lobby: Arc<Lobby>,
}

/// Ends a server.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// No visitor is let in any more, and those who are there are told.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    pub fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }
}

/// What all connections share.
struct Lobby {
    house: Arc<House>,
    /// One permit a session.
    seats: Arc<Semaphore>,
    /// Sessions so far.
    visitors: AtomicU64,
    stop: Stopper,
}

impl Server {
    /// Takes the port of an address; 0 for one that is free.
    ///
    /// # Errors
    /// When the port is taken, or the system gives no threads.
    ///
    /// # Panics
    /// When nothing is on offer.
    pub fn bind(address: SocketAddr, house: House) -> io::Result<Self> {
        assert!(!house.offers.is_empty(), "a server offers a bot");
        let sessions = house.bounds.sessions;
        // Messages are read and answered in the blocking threads, one a session; bots think on their own.
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).max_blocking_threads(sessions + 1).enable_all().build()?;
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let lobby = Lobby {
            house: Arc::new(house),
            seats: Arc::new(Semaphore::new(sessions)),
            visitors: AtomicU64::new(0),
            stop: Stopper(watch::Sender::new(false)),
        };
        Ok(Server { runtime, listener, lobby: Arc::new(lobby) })
    }

    /// Where visitors find it.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    pub fn stopper(&self) -> Stopper {
        self.lobby.stop.clone()
    }

    /// Serves until it is stopped, and every visitor is gone or ten seconds have passed.
    ///
    /// # Errors
    /// When the system takes the port away.
    pub fn run(self) -> io::Result<()> {
        let Server { runtime, listener, lobby } = self;
        let result = runtime.block_on(async {
            let mut stop = lobby.stop.0.subscribe();
            let stopped = async move {
                // The sender is in the lobby.
                let _ = stop.wait_for(|stopped| *stopped).await;
            };
            let served = axum::serve(listener, router(Arc::clone(&lobby))).with_graceful_shutdown(stopped);
            let mut closing = lobby.stop.0.subscribe();
            let end = async {
                let _ = closing.wait_for(|stopped| *stopped).await;
                let _ = timeout(PATIENCE, lobby.seats.acquire_many(lobby.house.bounds.sessions as u32)).await;
            };
            let (mut served, mut end) = (pin!(async { served.await }), pin!(end));
            tokio::select! {
                result = &mut served => {
                    end.await;
                    result
                }
                () = &mut end => Ok(()),
            }
        });
        runtime.shutdown_timeout(PATIENCE);
        result
    }
}

fn router(lobby: Arc<Lobby>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/assets/{*name}", get(file))
        .route("/ws", get(enter))
        .layer(middleware::from_fn_with_state(Arc::clone(&lobby), watch_door))
        .with_state(lobby)
}

/// Refuses requests that are not meant for this server, and dresses every answer.
async fn watch_door(State(lobby): State<Arc<Lobby>>, request: Request, next: Next) -> Response {
    let mut response = if is_our_name(request.headers(), &lobby.house.names) {
        next.run(request).await
    } else {
        (StatusCode::MISDIRECTED_REQUEST, "this server has another name (see --name)\n").into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn page() -> Response {
    answer("index.html")
}

async fn file(Path(name): Path<String>) -> Response {
    answer(&name)
}

fn answer(name: &str) -> Response {
    match asset(name) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.media)], Body::from(asset.content)).into_response(),
        None => (StatusCode::NOT_FOUND, "not found\n").into_response(),
    }
}

async fn enter(State(lobby): State<Arc<Lobby>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    if !is_our_page(&headers) {
        return (StatusCode::FORBIDDEN, "a page of another origin may not play here\n").into_response();
    }
    let seat = Arc::clone(&lobby.seats).try_acquire_owned();
    let longest = lobby.house.bounds.message_bytes;
    upgrade.max_message_size(longest).max_frame_size(longest).on_upgrade(move |socket| async move {
        match seat {
            Ok(seat) => converse(socket, &lobby, seat).await,
            Err(_) => turn_away(socket, &lobby).await,
        }
    })
}

/// Says that there is no room.
async fn turn_away(mut socket: WebSocket, lobby: &Lobby) {
    let sessions = lobby.house.bounds.sessions;
    let message = format!("all {sessions} seats are taken, please come back later");
    close(&mut socket, refusal("full", message), close_code::AGAIN).await;
}

/// What happens in a session.
enum Event {
    Heard(Option<Result<Message, axum::Error>>),
    Thought(crate::serve::Thought),
    Idle,
    Stop,
}

/// A conversation, to its end.
async fn converse(mut socket: WebSocket, lobby: &Lobby, seat: OwnedSemaphorePermit) {
    let bounds = lobby.house.bounds;
    let number = lobby.visitors.fetch_add(1, Ordering::Relaxed);
    let mut session = Session::new(Arc::clone(&lobby.house), number);
    let mut stop = lobby.stop.0.subscribe();
    let mut idle_at = Instant::now() + bounds.idle;
    let gap = Duration::from_secs(1) / bounds.messages.max(1);
    // A second's messages may come at once.
    let mut due = Instant::now();
    let mut replies = vec![session.hello()];
    loop {
        for reply in replies.drain(..) {
            if !send(&mut socket, &reply).await {
                leave(session, seat).await;
                return;
            }
        }
        let ready = due.checked_sub(Duration::from_secs(1)).unwrap_or(due);
        let heard = async {
            sleep_until(ready).await;
            socket.recv().await
        };
        let event = tokio::select! {
            message = heard => Event::Heard(message),
            thought = session.thought() => Event::Thought(thought),
            () = sleep_until(idle_at) => Event::Idle,
            _ = stop.wait_for(|stopped| *stopped) => Event::Stop,
        };
        let work: Box<dyn FnOnce(&mut Session) -> Vec<Reply> + Send> = match event {
            Event::Heard(Some(Ok(message))) => {
                due = due.max(Instant::now()) + gap;
                match message {
                    Message::Text(text) => {
                        idle_at = Instant::now() + bounds.idle;
                        Box::new(move |session| session.answer(&text))
                    }
                    Message::Binary(_) => Box::new(|_| vec![refusal("message", "expected text, found bytes")]),
                    Message::Ping(_) | Message::Pong(_) => continue,
                    Message::Close(_) => break,
                }
            }
            Event::Heard(Some(Err(error))) => {
                close(&mut socket, refusal("message", error), close_code::SIZE).await;
                break;
            }
            Event::Heard(None) => break,
            Event::Thought(thought) => Box::new(move |session| session.tell(thought)),
            Event::Idle => {
                close(&mut socket, refusal("idle", "nothing was heard for a long time"), close_code::AWAY).await;
                break;
            }
            Event::Stop => {
                close(&mut socket, refusal("closing", "the server is closing"), close_code::AWAY).await;
                break;
            }
        };
        let worked = spawn_blocking(move || {
            let replies = work(&mut session);
            (session, replies)
        });
        // A session that panicked has said so, and is gone.
        let Ok(back) = worked.await else { return };
        (session, replies) = back;
    }
    leave(session, seat).await;
}

/// Waits for the bot to put down its work, and only then gives the seat back.
async fn leave(session: Session, seat: OwnedSemaphorePermit) {
    let _ = spawn_blocking(move || drop(session)).await;
    drop(seat);
}

/// Whether the visitor took a message.
async fn send(socket: &mut WebSocket, reply: &Reply) -> bool {
    let text = serde_json::to_string(reply).expect("messages serialise");
    matches!(timeout(PATIENCE, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

/// A last word.
async fn close(socket: &mut WebSocket, reply: Reply, code: u16) {
    if send(socket, &reply).await {
        let frame = CloseFrame { code, reason: "".into() };
        // Whoever is gone already need not be told.
        let _ = timeout(PATIENCE, socket.send(Message::Close(Some(frame)))).await;
    }
}

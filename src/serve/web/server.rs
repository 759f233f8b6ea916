//! HTTP connections, and the routes: the page, its files, and the WebSocket.

use std::{
    io,
    net::SocketAddr,
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
    extract::{Path, Request, State, WebSocketUpgrade},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::TcpListener,
    runtime::{Builder, Runtime},
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

use super::{
    Bounds, ServerConfig,
    assets::asset,
    connection::{converse, turn_away},
    guard::{is_our_name, is_our_page},
};

/// Clients at a time that get the error `full`; others are refused without a WebSocket.
const MOST_REFUSALS: usize = 32;
/// Longest head of a request, in bytes.
const LONGEST_HEAD: usize = 1 << 14;
/// How long the server waits when the system gives no connection.
const RELIEF: Duration = Duration::from_millis(100);

/// Headers of every response: the page loads nothing from other hosts and may not be framed.
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

/// A server that has its port and does not answer yet.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    lobby: Arc<Lobby>,
}

/// Ends a server.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// No client is accepted any more, and the connected ones are notified.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    pub fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }
}

/// What all connections share.
struct Lobby {
    config: Arc<ServerConfig>,
    /// One permit a session.
    places: Arc<Semaphore>,
    /// One permit for each client without a session.
    refusals: Arc<Semaphore>,
    /// Sessions so far.
    clients: AtomicU64,
    stop: Stopper,
}

impl Server {
    /// Takes the port of an address; 0 for one that is free.
    ///
    /// # Errors
    /// When the port is taken, or the system gives no threads.
    pub fn bind(address: SocketAddr, config: ServerConfig) -> io::Result<Self> {
        let sessions = config.bounds.sessions;
        // Messages are read and answered in the blocking threads, one a session; each bot searches in a thread of its own.
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).max_blocking_threads(sessions + 1).enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind(address))?;
        let lobby = Lobby {
            config: Arc::new(config),
            places: Arc::new(Semaphore::new(sessions)),
            refusals: Arc::new(Semaphore::new(MOST_REFUSALS)),
            clients: AtomicU64::new(0),
            stop: Stopper(watch::Sender::new(false)),
        };
        Ok(Server { runtime, listener, lobby: Arc::new(lobby) })
    }

    /// Where clients find it.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    pub fn stopper(&self) -> Stopper {
        self.lobby.stop.clone()
    }

    /// Serves until it is stopped, and every client is gone or has been waited for long enough.
    pub fn run(self) {
        let Server { runtime, listener, lobby } = self;
        let patience = lobby.config.bounds.patience;
        runtime.block_on(async {
            let mut stop = lobby.stop.0.subscribe();
            tokio::select! {
                () = accept(&listener, &lobby) => {}
                _ = stop.wait_for(|stopped| *stopped) => {}
            }
            // Sessions that are still open then are closed without a message.
            let _ = timeout(patience, lobby.places.acquire_many(lobby.config.bounds.sessions as u32)).await;
        });
        runtime.shutdown_timeout(patience);
    }
}

/// Lets connections in for ever, so many at a time.
async fn accept(listener: &TcpListener, lobby: &Arc<Lobby>) {
    let Bounds { connections, patience, visit, .. } = lobby.config.bounds;
    let router = TowerToHyperService::new(router(Arc::clone(lobby)));
    let doors = Arc::new(Semaphore::new(connections));
    loop {
        let door = Arc::clone(&doors).acquire_owned().await.expect("doors are never closed");
        let socket = match listener.accept().await {
            Ok((socket, _)) => socket,
            Err(error) => {
                // The connection was lost already, or there is no room for another one just now.
                tracing::debug!("a connection was not accepted: {error}");
                sleep(RELIEF).await;
                continue;
            }
        };
        // Messages are short and each is waited for. A connection that is lost already shows soon enough.
        let _ = socket.set_nodelay(true);
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(LONGEST_HEAD);
        let connection = http.serve_connection(TokioIo::new(socket), router.clone()).with_upgrades();
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            // An error at the end of a connection changes nothing.
            if timeout(visit, connection.as_mut()).await.is_err() {
                connection.as_mut().graceful_shutdown();
                let _ = timeout(patience, connection).await;
            }
            drop(door);
        });
    }
}

fn router(lobby: Arc<Lobby>) -> Router {
    let mut router = Router::new().route("/assets/{*name}", get(file));
    if !lobby.config.offers.is_empty() {
        router = router.route("/", get(page)).route("/ws", get(enter));
    }
    router
        .with_state(Arc::clone(&lobby))
        .merge(lobby.config.pages.clone())
        .layer(middleware::from_fn_with_state(lobby, watch_door))
}

/// Refuses requests that are not meant for this server, and dresses every answer.
async fn watch_door(State(lobby): State<Arc<Lobby>>, request: Request, next: Next) -> Response {
    let mut response = if is_our_name(request.headers(), &lobby.config.names) {
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
    let longest = lobby.config.bounds.message_bytes;
    let upgrade = upgrade.max_message_size(longest).max_frame_size(longest);
    if let Ok(place) = Arc::clone(&lobby.places).try_acquire_owned() {
        upgrade.on_upgrade(move |socket| async move {
            let number = lobby.clients.fetch_add(1, Ordering::Relaxed);
            converse(socket, Arc::clone(&lobby.config), number, lobby.stop.0.subscribe()).await;
            drop(place);
        })
    } else if let Ok(place) = Arc::clone(&lobby.refusals).try_acquire_owned() {
        upgrade.on_upgrade(move |socket| async move {
            turn_away(socket, &lobby.config.bounds).await;
            drop(place);
        })
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "all seats are taken\n").into_response()
    }
}

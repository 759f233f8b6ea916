//! What the server answers: the pages, their files, and the games as JSON.

use std::{
    sync::{Arc, Weak},
    thread,
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Path, Query as Parameters, State, rejection::QueryRejection},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::{Query, Shelf};
use crate::serve::web::game_info;

/// How often folders are looked at for new files.
const PAUSE: Duration = Duration::from_secs(2);

#[derive(RustEmbed)]
#[folder = "src/browse/page/"]
struct Files;

/// The pages over a shelf, whose files are read in a thread of their own for as long as the routes are there:
///
/// - `/games`: the list of games, and a board that steps through one;
/// - `/watch`: a run as it goes on;
/// - `/runs`, `/runs/{run}/rules`, `/runs/{run}/progress`, `/list`, `/game`: their data.
///
/// With `home`, `/` leads to that page.
///
/// # Errors
/// When the system gives no thread.
pub fn routes(shelf: Arc<Shelf>, home: Option<&'static str>) -> std::io::Result<Router> {
    let weak = Arc::downgrade(&shelf);
    thread::Builder::new().name("games".to_owned()).spawn(move || keep_reading(&weak))?;
    let router = Router::new()
        .route("/games", get(|| async { file("games.html") }))
        .route("/watch", get(|| async { file("watch.html") }))
        .route("/browse/{*name}", get(|Path(name): Path<String>| async move { file(&name) }))
        .route("/runs", get(|State(shelf): State<Arc<Shelf>>| async move { json(&shelf.runs()) }))
        .route("/runs/{run}/rules", get(rules))
        .route("/runs/{run}/progress", get(progress))
        .route("/list", get(list))
        .route("/game", get(game))
        .with_state(shelf);
    Ok(match home {
        Some(home) => router.route("/", get(move || async move { Redirect::temporary(home) })),
        None => router,
    })
}

fn keep_reading(shelf: &Weak<Shelf>) {
    while let Some(shelf) = shelf.upgrade() {
        shelf.refresh();
        drop(shelf);
        thread::sleep(PAUSE);
    }
}

/// Where a game is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    run: String,
    generation: u64,
    index: u64,
}

async fn rules(State(shelf): State<Arc<Shelf>>, Path(run): Path<String>) -> Response {
    match shelf.rules(&run) {
        Some(rules) => match game_info(rules.as_ref()) {
            Ok(info) => json(&info),
            Err(error) => failed(&error),
        },
        None => unknown("a run with games"),
    }
}

async fn progress(State(shelf): State<Arc<Shelf>>, Path(run): Path<String>) -> Response {
    if shelf.runs().iter().all(|known| known.name != run) {
        return unknown("a run");
    }
    match spawn_blocking(move || shelf.progress(&run)).await {
        Ok(Ok(progress)) => json(&progress),
        Ok(Err(error)) => failed(&error),
        Err(error) => failed(&error),
    }
}

async fn list(State(shelf): State<Arc<Shelf>>, query: Result<Parameters<Query>, QueryRejection>) -> Response {
    let Parameters(query) = match query {
        Ok(query) => query,
        Err(error) => return error.into_response(),
    };
    match spawn_blocking(move || shelf.list(&query)).await {
        Ok(Some(answer)) => json(&answer),
        Ok(None) => unknown("a run"),
        Err(error) => failed(&error),
    }
}

async fn game(State(shelf): State<Arc<Shelf>>, place: Result<Parameters<Place>, QueryRejection>) -> Response {
    let Parameters(Place { run, generation, index }) = match place {
        Ok(place) => place,
        Err(error) => return error.into_response(),
    };
    match spawn_blocking(move || shelf.game(&run, generation, index)).await {
        Ok(Ok(Some(game))) => json(&game),
        Ok(Ok(None)) => unknown("a game"),
        Ok(Err(error)) => failed(&error),
        Err(error) => failed(&error),
    }
}

fn json(value: &impl Serialize) -> Response {
    let text = serde_json::to_string(value).expect("answers serialise");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

fn unknown(what: &str) -> Response {
    (StatusCode::NOT_FOUND, format!("expected {what}, found none of this name\n")).into_response()
}

fn failed(error: &dyn std::error::Error) -> Response {
    tracing::warn!("{error}");
    (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response()
}

/// A file of the pages as text.
///
/// # Panics
/// When there is no such file, which is a bug of who asks.
pub(super) fn page_file(name: &str) -> String {
    let file = Files::get(name).unwrap_or_else(|| panic!("{name}: expected a file of the pages"));
    String::from_utf8_lossy(&file.data).into_owned()
}

fn file(name: &str) -> Response {
    let media = match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "application/octet-stream",
    };
    match Files::get(name) {
        Some(file) => ([(header::CONTENT_TYPE, media)], Body::from(file.data)).into_response(),
        None => unknown("a file"),
    }
}

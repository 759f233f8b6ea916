//! The newest games of a run as one file that needs no server: the page of games with the games in it.

use std::{io::Write as _, path::Path, sync::Arc};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use flate2::{Compression, write::GzEncoder};
use maud::{DOCTYPE, PreEscaped, html};
use serde::Serialize;

use super::{
    Entry,
    bundle::bundle,
    entry::{Lexicon, Listed},
    routes::page_file,
};
use crate::{
    data::{DataError, inspect, list_files},
    disk::write_file,
    game::{TextGame, text_game::text_game},
    serve::web::{asset_text, game_info},
    stats::{Replay, games_of},
};

const STYLES: [&str; 3] = ["page.css", "panel.css", "board.css"];

/// The games of a run, newest first, and what it takes to show them.
#[derive(Serialize)]
struct Album {
    run: String,
    rules: serde_json::Value,
    listed: Vec<Listed>,
    games: Vec<Replay>,
}

/// Writes the newest games of run `name`, at most `most` of them, as one page, and gives how many they are; no file where
/// there is none.
///
/// # Errors
/// When the disk refuses, or a game contradicts its rules. Files that cannot be read are left out.
pub fn write_games(data: &Path, name: &str, most: usize, path: &Path) -> Result<usize, DataError> {
    let Some(album) = album(data, name, most)? else { return Ok(0) };
    let page = page(&album);
    write_file(path, |file| file.write_all(page.as_bytes())).map_err(DataError::from)?;
    Ok(album.games.len())
}

fn album(data: &Path, name: &str, most: usize) -> Result<Option<Album>, DataError> {
    let mut rules: Option<Arc<dyn TextGame>> = None;
    let (mut lexicon, mut listed, mut games) = (Lexicon::default(), Vec::new(), Vec::new());
    for path in list_files(data, 0..u64::MAX)?.into_iter().rev() {
        if games.len() >= most {
            break;
        }
        // The report itself names files that cannot be read.
        let Ok(info) = inspect(&path) else { continue };
        let ruleset = &info.manifest.ruleset;
        let known = match &rules {
            Some(known) if known.ruleset() == ruleset => Arc::clone(known),
            Some(_) => continue,
            None => {
                let Ok(found) = text_game(&ruleset.game, &ruleset.options) else { continue };
                Arc::clone(rules.insert(found.into()))
            }
        };
        let of_file = games_of(name.into(), info, Arc::clone(&known), true).collect::<Result<Vec<_>, _>>();
        let Ok(of_file) = of_file else { continue };
        for columns in of_file.iter().rev().take(most - games.len()) {
            let replay = Replay::new(columns, known.as_ref());
            games.push(replay.map_err(|error| DataError::row(&path, 0, "position", error.to_string()))?);
            let entry = Entry::new(columns, known.action_kinds().len(), &mut lexicon);
            listed.push(Listed::new(&entry, known.action_kinds(), &lexicon));
        }
    }
    Ok(rules.filter(|_| !games.is_empty()).map(|rules| Album {
        run: name.to_owned(),
        rules: game_info(rules.as_ref()).expect("words of a game serialise"),
        listed,
        games,
    }))
}

/// Positions repeat each other, so they are packed: a browser unpacks gzip by itself.
fn packed(album: &Album) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut encoder, album).expect("games serialise");
    BASE64_STANDARD.encode(encoder.finish().expect("memory takes everything"))
}

fn page(album: &Album) -> String {
    let body = page_file("games.html");
    let (start, end) = ("<main", "</main>");
    let main =
        &body[body.find(start).expect("a page has a main part")..body.find(end).expect("which ends") + end.len()];
    let styles = STYLES.map(asset_text).concat() + &page_file("browse.css");
    let page = html! {
        (DOCTYPE)
        html lang="en" dir="ltr" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "maydan: " (album.run) }
                style { (PreEscaped(styles)) }
            }
            body {
                header.top {
                    h1 { span lang="en" { "maydan" } " " span lang="ar" { "ميدان" } }
                    nav {
                        button.plain #language type="button" data-say="otherLanguage" {}
                        button.plain #theme type="button" { "◐" }
                    }
                }
                (PreEscaped(main))
                script #album type="text/plain" { (packed(album)) }
                script type="module" { (PreEscaped(bundle("games.js", "offline.js"))) }
            }
        }
    };
    page.into_string()
}

//! The page's files, in the program. A build for development reads them from the source folder, so that a change of the
//! page needs no build.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "src/serve/web/page/"]
struct Files;

/// A file of the page.
pub(super) struct Asset {
    pub content: Cow<'static, [u8]>,
    /// Its type, by the end of its name.
    pub media: &'static str,
}

/// A file of the page as text.
///
/// # Panics
/// When there is no such file, which is a bug of who asks.
pub fn asset_text(name: &str) -> String {
    let file = Files::get(name).unwrap_or_else(|| panic!("{name}: expected a file of the page"));
    String::from_utf8_lossy(&file.data).into_owned()
}

/// The file of the page with this name, if there is one.
pub(super) fn asset(name: &str) -> Option<Asset> {
    let media = match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "md" => "text/markdown; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => return None,
    };
    Some(Asset { content: Files::get(name)?.data, media })
}

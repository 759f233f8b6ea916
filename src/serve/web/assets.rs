//! The page's files, in the program. A build for development reads them from the source folder, so that a change of the
//! page needs no build.

use std::borrow::Cow;

use rust_embed::RustEmbed;

use crate::game::shapes;

/// The module of the page that is made here: the drawings of pieces.
const SHAPES: &str = "shapes.js";

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
    if name == SHAPES {
        return shapes_module();
    }
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
    let content = if name == SHAPES { shapes_module().into_bytes().into() } else { Files::get(name)?.data };
    Some(Asset { content, media })
}

/// The drawings of pieces as a module in JavaScript.
fn shapes_module() -> String {
    let shapes = serde_json::to_string(shapes::sets()).expect("drawings serialise");
    format!("export const SHAPES = {shapes};\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drawings_are_a_module_of_the_page() {
        let module = asset(SHAPES).unwrap();
        assert_eq!(module.media, "text/javascript; charset=utf-8");
        let text = String::from_utf8(module.content.into_owned()).unwrap();
        assert_eq!(text, asset_text(SHAPES));
        let shapes = text.strip_prefix("export const SHAPES = ").and_then(|text| text.strip_suffix(";\n")).unwrap();
        let shapes: serde_json::Value = serde_json::from_str(shapes).unwrap();
        assert!(shapes["chess"]["K"]["body"].as_array().is_some_and(|paths| !paths.is_empty()), "{shapes}");
        assert!(asset_text("pieces.js").contains("from \"./shapes.js\""));
        assert!(asset("no-such.js").is_none());
    }
}

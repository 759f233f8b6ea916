//! The modules of a page as one script, for pages that are opened from a file: browsers load no modules there.
//!
//! Our modules import and export names alone, each on a line of its own, which keeps this small.

use std::fmt::Write;

use super::routes::page_file;
use crate::serve::web::asset_text;

/// The script of module `entry` and all that it imports, with `source` in the place of `source.js`.
///
/// # Panics
/// When a module does not keep to the form above: then it is a bug of the page.
pub(super) fn bundle(entry: &str, source: &str) -> String {
    let mut bundled = Bundle { source, done: Vec::new(), script: "const modules = {};\n".to_owned() };
    bundled.add(&format!("./{entry}"));
    bundled.script
}

struct Bundle<'a> {
    source: &'a str,
    /// Modules that are in the script, by what imports call them.
    done: Vec<String>,
    script: String,
}

impl Bundle<'_> {
    /// Adds a module behind those that it imports. `/assets/` has the modules of the page to play on, which import each
    /// other by `./`, as ours do.
    fn add(&mut self, name: &str) {
        if self.done.iter().any(|done| done == name) {
            return;
        }
        self.done.push(name.to_owned());
        let asset = name.strip_prefix("/assets/");
        let text = match (asset, name.strip_prefix("./")) {
            (Some(asset), _) => asset_text(asset),
            (None, Some("source.js")) => page_file(self.source),
            (None, Some(own)) => page_file(own),
            (None, None) => panic!("{name}: expected a module of /assets/ or of this page"),
        };
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in text.lines() {
            if let Some(import) = line.strip_prefix("import ") {
                let (names, from) = import.split_once(" from ").expect("an import from somewhere");
                let from = from.trim_end_matches(';').trim_matches('"');
                let from = match (asset, from.strip_prefix("./")) {
                    (Some(_), Some(sibling)) => format!("/assets/{sibling}"),
                    _ => from.to_owned(),
                };
                self.add(&from);
                let names = names.replace(" as ", ": ");
                let _ = writeln!(body, "const {names} = modules[\"{from}\"];");
            } else if let Some(declared) = line.strip_prefix("export ") {
                let words = declared.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
                let mut words = words.filter(|word| !["async", "class", "const", "function", ""].contains(word));
                exports.push(words.next().expect("an export has a name").to_owned());
                let _ = writeln!(body, "{declared}");
            } else {
                let _ = writeln!(body, "{line}");
            }
        }
        // Text in a script ends at the end tag, wherever that stands.
        let body = body.replace("</script", "<\\/script");
        let exports = exports.join(", ");
        let _ = write!(self.script, "modules[\"{name}\"] = (() => {{\n{body}return {{ {exports} }};\n}})();\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_is_there_once_and_after_what_it_imports() {
        let script = bundle("games.js", "offline.js");
        for name in ["./games.js", "./viewer.js", "./source.js", "/assets/board.js", "/assets/words.js"] {
            assert_eq!(script.matches(&format!("modules[\"{name}\"] = ")).count(), 1, "{name}");
        }
        for (at, line) in script.lines().enumerate() {
            assert!(!line.starts_with("import ") && !line.starts_with("export "), "line {at}: {line}");
        }
        for (at, used) in script.match_indices(" = modules[\"").map(|(at, marker)| (at, &script[at + marker.len()..])) {
            let name = used.split('"').next().unwrap();
            let made = script.find(&format!("modules[\"{name}\"] = "));
            assert!(made.is_some_and(|made| made < at), "{name} is used before it is there");
        }
        assert!(script.contains("DecompressionStream") && !script.contains("fetch("), "the source is in the page");
    }
}

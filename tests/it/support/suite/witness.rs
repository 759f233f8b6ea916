//! What the suite must know of a game that its types do not say. A witness uses strings alone and shares no
//! code with the game it is a witness of, so that nothing of the game has to be trusted.

use std::collections::BTreeMap;

/// One game's witness.
pub struct Witness {
    /// The game played slowly from the text of its rules: from the ruleset's options and a position string to each
    /// legal action's string and the position string that it leads to.
    pub successors: fn(&toml::Table, &str) -> BTreeMap<String, String>,
    /// The board mirrored left to right, wherever the game says that its rules are symmetric.
    pub mirror: Symmetry,
    /// The colours swapped and the board turned.
    pub swap: Symmetry,
    /// The scalars of the encoding that tell White from Black; no other plane does.
    pub colours: &'static [&'static str],
    /// Rulesets besides the default under which the game is tested: TOML tables of options, every option away from its
    /// default at least once.
    pub options: &'static [&'static str],
    /// Position strings, good ones under the default ruleset, near which things happen that random games hardly reach.
    pub seeds: &'static [&'static str],
}

/// A symmetry of the rules as it acts on strings.
pub struct Symmetry {
    pub position: fn(&str) -> String,
    pub action: fn(&str) -> String,
}

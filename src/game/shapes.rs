//! Drawings of pieces, on a field of 48 by 48: silhouettes, and lines upon them. `shapes.json` has them by set and kind;
//! games without a set of their own take that of chess, in which are Omega Chess's champion (a helmet), wizard (a hat)
//! and fool (a cap) too. The set of Shatar has the khan's hat, the vizier's turban, the bers (a great cat), the camel, the
//! noyan's horse and a rider's cap; that of Altai Shatra the biy's crown, the batyr's helmet, the tura (a fortress), the
//! yalkyn (a flame) and the shatra.

use std::{collections::BTreeMap, f64::consts::FRAC_PI_4, fmt::Write, sync::LazyLock};

use serde::{Deserialize, Serialize};

/// Width and height of the field.
pub const FIELD: f64 = 48.0;

/// The set of games that have none.
const USUAL: &str = "chess";

/// A drawing, as paths of SVG.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shape {
    /// Outlines, filled.
    pub body: Vec<String>,
    /// Drawn upon them.
    pub lines: Vec<String>,
    /// Filled with the colour of lines: x, y, radius.
    pub dots: Vec<[f64; 3]>,
    /// Outlines, filled with the colour of lines.
    pub stars: Vec<String>,
}

/// The drawing of a kind of piece in a game, by its letter in upper case.
pub fn shape(game: &str, kind: char) -> Option<&'static Shape> {
    sets().get(game).unwrap_or(&sets()[USUAL]).get(&kind)
}

/// All drawings, by set and kind.
pub fn sets() -> &'static BTreeMap<String, BTreeMap<char, Shape>> {
    static SETS: LazyLock<BTreeMap<String, BTreeMap<char, Shape>>> = LazyLock::new(|| {
        let sources: BTreeMap<String, BTreeMap<char, Source>> =
            serde_json::from_str(include_str!("shapes.json")).expect("shapes.json holds drawings");
        let shapes = |set: BTreeMap<char, Source>| set.into_iter().map(|(kind, source)| (kind, source.into()));
        sources.into_iter().map(|(name, set)| (name, shapes(set).collect())).collect()
    });
    &SETS
}

/// A drawing as `shapes.json` has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    body: Vec<Outline>,
    lines: Vec<String>,
    #[serde(default)]
    dots: Vec<[f64; 3]>,
    /// Of four points: x, y, size.
    #[serde(default)]
    stars: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Outline {
    Whole(String),
    /// Of a piece that is turned on a lathe, the left half: a path of M, L and C from the bottom to the top.
    Half {
        half: String,
    },
}

impl From<Source> for Shape {
    fn from(source: Source) -> Self {
        let outline = |outline| match outline {
            Outline::Whole(path) => path,
            Outline::Half { half } => turned(&half),
        };
        Shape {
            body: source.body.into_iter().map(outline).collect(),
            lines: source.lines,
            dots: source.dots,
            stars: source.stars.into_iter().map(star).collect(),
        }
    }
}

/// The whole outline of a profile: the way up, and its mirror image down.
///
/// # Panics
/// When the path is none of M, L and C.
fn turned(profile: &str) -> String {
    let steps: Vec<Vec<[f64; 2]>> = profile.split(['M', 'L', 'C']).skip(1).map(points).collect();
    let mut path = profile.to_owned();
    for pair in steps.windows(2).rev() {
        let [before, step] = pair else { unreachable!("windows of two") };
        let (_, controls) = step.split_last().expect("a step has points");
        let until = before.last().expect("a step has points");
        path.push(if controls.is_empty() { 'L' } else { 'C' });
        let mirrored = controls.iter().rev().chain([until]).map(|[x, y]| {
            // Without what the subtraction adds behind the decimals.
            format!("{} {y}", ((FIELD - x) * 100.0).round() / 100.0)
        });
        path.push_str(&mirrored.collect::<Vec<_>>().join(" "));
    }
    path + "Z"
}

fn points(step: &str) -> Vec<[f64; 2]> {
    let numbers = step.split([' ', ',']).filter(|number| !number.is_empty());
    let numbers: Vec<f64> = numbers.map(|number| number.parse().expect("a path has numbers")).collect();
    numbers.as_chunks::<2>().0.to_vec()
}

/// A star of four points.
fn star([x, y, size]: [f64; 3]) -> String {
    let points = (0..8).fold(String::new(), |mut path, at| {
        let (angle, reach) = (f64::from(at) * FRAC_PI_4, if at % 2 == 1 { size * 0.36 } else { size });
        let start = if at == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{start}{:.2} {:.2}", x + reach * angle.sin(), y - reach * angle.cos());
        path
    });
    points + "Z"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{registry, text_game};

    #[test]
    fn a_profile_is_mirrored() {
        assert_eq!(
            turned("M24 43.5 L10 40 C11 30, 12 20, 24 5"),
            "M24 43.5 L10 40 C11 30, 12 20, 24 5C36 20 37 30 38 40L24 43.5Z"
        );
        assert_eq!(turned("M24 40 L13.5 1.4 L24 1"), "M24 40 L13.5 1.4 L24 1L34.5 1.4L24 40Z");
    }

    #[test]
    fn every_piece_of_a_game_has_a_drawing() {
        for id in registry::IDS {
            let game = text_game(id, &toml::Table::new()).unwrap();
            for piece in game.scene(&game.start()).unwrap().pieces {
                let shape = shape(id, piece.kind).unwrap_or_else(|| panic!("{id}: {}", piece.kind));
                assert!(shape.body.iter().all(|path| path.starts_with('M') && path.ends_with('Z')), "{shape:?}");
            }
        }
        assert_eq!(shape("shatara", 'X'), None);
    }
}

//! A book as text: a line an action, with tabs between its columns.

use std::io::{self, Write};

use super::super::Edge;
use crate::game::Ruleset;

/// Columns of a line.
const COLUMNS: [&str; 5] = ["position", "action", "searched", "ended", "score"];

/// Writes a line that names the ruleset, one that names the columns, and a line for each action: positions in the order
/// of their strings, the actions of each by how often searches chose them.
pub(super) fn write<'a>(
    ruleset: &Ruleset,
    edges: impl Iterator<Item = &'a Edge>,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "# maydan book 1, {} {}\n{}", ruleset.game, ruleset.hash, COLUMNS.join("\t"))?;
    let mut edges: Vec<&Edge> = edges.collect();
    edges.sort_by(|a, b| {
        let order = a.position.cmp(&b.position);
        order.then(b.record.decisions.searched.cmp(&a.record.decisions.searched)).then(a.action.cmp(&b.action))
    });
    for edge in edges {
        let results = &edge.record.results;
        let score = results.score().map_or(String::new(), |score| format!("{:.4}", score.estimate));
        let (searched, ended) = (edge.record.decisions.searched, results.ended());
        writeln!(out, "{}\t{}\t{searched}\t{ended}\t{score}", edge.position, edge.action)?;
    }
    Ok(())
}

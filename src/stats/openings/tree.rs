//! The tree of openings that people read: a position is expanded once, where it is first reached.

use std::collections::HashMap;

use maud::{Markup, PreEscaped, html};

use super::graph::{Edge, by_position};
use crate::{
    page::{Cell, Column, Kind, Language, Phrase, Table},
    stats::words::count_column,
};

/// What follows from a position, as far as it is shown.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    branches: Vec<Branch<'a>>,
    /// Games that each shown action has at least.
    pub min_count: u64,
}

#[derive(Clone, Debug)]
struct Branch<'a> {
    edge: &'a Edge,
    below: Vec<Branch<'a>>,
}

impl<'a> Tree<'a> {
    /// The actions from `start` on, those with the most games if there are more than `limit`.
    pub fn grow(start: &str, edges: &'a [Edge], min_count: u64, limit: usize) -> Self {
        let leaving = by_position(edges);
        let tree = Tree { branches: branches(start, edges, &leaving, min_count), min_count };
        let mut counts = Vec::new();
        tree.walk(&mut |edge, _, _| counts.push(edge.record.games()));
        if counts.len() <= limit {
            return tree;
        }
        // What stands below an action may have more games than it, by other ways; it goes with it, so that fewer than `limit` may be left.
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let min_count = counts[limit] + 1;
        Tree { branches: branches(start, edges, &leaving, min_count), min_count }
    }

    /// Gives every action in the order of reading, with its depth and whether the tree goes on below it.
    fn walk(&self, each: &mut impl FnMut(&'a Edge, usize, bool)) {
        fn step<'a>(branches: &[Branch<'a>], depth: usize, each: &mut impl FnMut(&'a Edge, usize, bool)) {
            for branch in branches {
                each(branch.edge, depth, !branch.below.is_empty());
                step(&branch.below, depth + 1, each);
            }
        }
        step(&self.branches, 0, each);
    }

    /// The tree as a table whose first column is indented.
    pub fn table(&self, title: Phrase, note: Phrase) -> Table {
        let percent = Kind::Percent { decimals: 1 };
        let column = |name: &str, kind| Column::new(name, Phrase::same(name), kind);
        let columns = vec![
            column("action", Kind::Text),
            count_column("games", Phrase::same("games")),
            column("share", percent),
            count_column("ended", Phrase::same("ended")),
            column("score", percent),
            column("95%", Kind::Text),
            column("prior", percent),
            column("visits", percent),
            column("root", Kind::Text),
            column("generations", Kind::Text),
        ];
        let mut table = Table::new("tree", title, note, columns);
        self.walk(&mut |edge, depth, _| {
            let line = Line::of(edge);
            table.push(vec![
                format!("{}{}", "  ".repeat(depth), line.action).into(),
                edge.record.games().into(),
                edge.share().map(|share| share.estimate).into(),
                edge.record.results.ended().into(),
                edge.record.results.score().map(|score| score.estimate).into(),
                line.interval.into(),
                edge.record.prior.mean().into(),
                edge.record.visit_share.mean().into(),
                line.root_value.into(),
                line.generations.into(),
            ]);
        });
        table
    }

    /// The tree as nested lists that open and close.
    pub fn markup(&self) -> Markup {
        html! {
            style { (PreEscaped(include_str!("tree.css"))) }
            div.opening-tree {
                div.line.head {
                    @for (en, ar) in HEAD { span { (both(en, ar)) } }
                }
                @for branch in &self.branches { (branch_markup(branch, 0)) }
            }
        }
    }
}

/// Headings of a line.
const HEAD: [(&str, &str); 9] = [
    ("move", "النقلة"),
    ("games", "المباريات"),
    ("share", "النسبة"),
    ("ended", "منتهية"),
    ("score (95%)", "معدّل النقاط (95%)"),
    ("prior", "احتمال الشبكة"),
    ("visits", "الزيارات"),
    ("root value", "قيمة الجذر"),
    ("generations", "الأجيال"),
];

fn both(en: &str, ar: &str) -> Markup {
    let phrase = Phrase::new(en, ar);
    html! {
        @for language in Language::ALL {
            span lang=(language.code()) dir=(language.direction()) { (phrase.shown(language)) }
        }
    }
}

fn branches<'a>(
    position: &str,
    edges: &'a [Edge],
    leaving: &HashMap<&str, Vec<usize>>,
    min_count: u64,
) -> Vec<Branch<'a>> {
    let shown = leaving.get(position).into_iter().flatten().map(|&at| &edges[at]);
    shown
        .filter(|edge| edge.record.games() >= min_count)
        .map(|edge| {
            // Each position hangs below one action alone, so that this ends.
            let below = if edge.is_transposition { Vec::new() } else { branches(&edge.to, edges, leaving, min_count) };
            Branch { edge, below }
        })
        .collect()
}

fn branch_markup(branch: &Branch<'_>, depth: usize) -> Markup {
    let line = line_markup(branch.edge, depth);
    html! {
        @if branch.below.is_empty() {
            div.line { (line) }
        } @else {
            details {
                summary.line { (line) }
                @for below in &branch.below { (branch_markup(below, depth + 1)) }
            }
        }
    }
}

fn line_markup(edge: &Edge, depth: usize) -> Markup {
    let line = Line::of(edge);
    let percent = |share: Option<f64>| Kind::Percent { decimals: 1 }.print(&Cell::from(share));
    html! {
        span.move style={ "--depth:" (depth) } { bdi dir="ltr" { (line.action) } }
        span dir="ltr" { (edge.record.games()) }
        span dir="ltr" { (percent(edge.share().map(|share| share.estimate))) }
        span dir="ltr" { (edge.record.results.ended()) }
        span dir="ltr" {
            (percent(edge.record.results.score().map(|score| score.estimate))) " " small { (line.interval) }
        }
        span dir="ltr" { (percent(edge.record.prior.mean())) }
        span dir="ltr" { (percent(edge.record.visit_share.mean())) }
        span dir="ltr" { (line.root_value) }
        span dir="ltr" { (line.generations) }
    }
}

/// The words of a line.
struct Line {
    action: String,
    interval: String,
    root_value: String,
    generations: String,
}

impl Line {
    fn of(edge: &Edge) -> Line {
        let record = &edge.record;
        let (first, last) = record.generations;
        let interval = record.results.score();
        Line {
            action: format!("{}{}", edge.action, if edge.is_transposition { " =" } else { "" }),
            interval: interval
                .map_or(String::new(), |score| format!("[{:.1}, {:.1}]", 100.0 * score.low, 100.0 * score.high)),
            root_value: record.root_value.mean().map_or(String::new(), signed),
            generations: if first == last { first.to_string() } else { format!("{first}-{last}") },
        }
    }
}

/// A value with its sign; nothing rounds to minus zero.
fn signed(value: f64) -> String {
    let hundredths = (100.0 * value).round() as i64;
    if hundredths == 0 { "0.00".to_owned() } else { format!("{:+.2}", hundredths as f64 / 100.0) }
}

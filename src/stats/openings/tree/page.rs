//! The tree of openings that people read: a position is expanded once, where it is first reached.

use std::collections::HashMap;

use maud::{Markup, PreEscaped, html};

use super::measure::{Edge, by_position};
use crate::{
    page::{Cell, Column, Kind, Language, Phrase, Table},
    stats::{
        openings::{
            Openings,
            notes::{self, join},
            record::{Decisions, LEAST_SEARCHES},
            tables::{move_column, record_cells, record_columns, text_column},
        },
        words::count_column,
    },
};

impl Openings {
    /// The tree as a table of indented lines.
    pub fn tree(&self) -> Table {
        let title = Phrase::new("Tree of openings", "شجرة الافتتاحات");
        self.grow(usize::MAX).table(title, self.graph_note())
    }

    /// At most `lines` actions of the tree.
    pub(in crate::stats::openings) fn grow(&self, lines: usize) -> Tree<'_> {
        Tree::grow(&self.start, &self.edges, self.options.min_count, lines)
    }

    /// The note on everything that shows the graph.
    pub(in crate::stats::openings) fn graph_note(&self) -> Phrase {
        let depth = self.options.depth;
        let [searched, drawn] = [|d: &Decisions| d.searched, |d: &Decisions| d.drawn]
            .map(|pick| self.first_plies.decisions.iter().map(pick).sum::<u64>());
        let temperature = notes::temperature();
        let mut note = self.note(&Phrase::new(
            format!(
                "First {depth} plies; moves of fewer than {least} games are left out. Positions are one whatever the order of moves; `=` marks a move whose continuation stands \
                 elsewhere. {searched} decisions were searched and {drawn} drawn from the network's policy without a search: shares are of those searched in the position, and beside them \
                 of those drawn there. {temperature} Scores are for the side to move, in the games that ended with a result, however the move was chosen, with 95% intervals. Visits and root \
                 value are means over searches, shown from {LEAST_SEARCHES} searches on.",
                least = self.options.min_count,
                temperature = temperature.en,
            ),
            format!(
                "أول {depth} من أنصاف النقلات؛ والنقلات التي لُعبت في أقل من {least} من المباريات محذوفة. الوضعية واحدة مهما كان ترتيب النقلات؛ والعلامة `=` لنقلة تتمّتها في موضع آخر. \
                 اختير {searched} قرارًا بالبحث وسُحب {drawn} من سياسة الشبكة دون بحث: فالنسب مما اختير بالبحث في الوضعية، وبجانبها النسب مما سُحب فيها. {temperature} \
                 معدّل النقاط لصاحب الدور في المباريات ذات النتيجة، كيفما اختيرت النقلة، مع فترات ثقة 95%. الزيارات وقيمة الجذر متوسّطات على عمليات البحث، وتُعرض ابتداءً من {LEAST_SEARCHES} منها.",
                least = self.options.min_count,
                temperature = temperature.ar,
            ),
        ));
        let elsewhere = self.first_plies.elsewhere;
        if elsewhere > 0 {
            note = join(
                &note,
                &Phrase::new(
                    format!("{elsewhere} games start in another position; the tree leaves them out."),
                    format!("{elsewhere} من المباريات تبدأ من وضعية أخرى فلا تظهر في الشجرة."),
                ),
            );
        }
        let missed = self.graph.missed();
        if missed > 0 {
            note = join(
                &note,
                &Phrase::new(
                    format!(
                        "Rare moves were forgotten to save memory (`--max-positions`): each count may be too small by up to {missed}, and only moves of at most {missed} games are missing."
                    ),
                    format!(
                        "نُسيت نقلات نادرة توفيرًا للذاكرة (`--max-positions`): قد ينقص كل عدد بما لا يزيد على {missed}، ولا تغيب إلا نقلات لم تزد مبارياتها على {missed}."
                    ),
                ),
            );
        }
        note
    }
}

/// The actions of the graph.
pub fn edges(openings: &Openings) -> Table {
    let title = Phrase::new("Moves of the opening graph", "نقلات مخطّط الافتتاحات");
    let mut columns = vec![
        text_column("position", Phrase::new("position", "الوضعية")),
        count_column("ply", Phrase::new("ply", "نصف النقلة")),
        move_column(),
        text_column("to", Phrase::new("position after", "الوضعية بعدها")),
        count_column("transposition", Phrase::new("shown elsewhere (=)", "مبسوطة في موضع آخر (=)")),
    ];
    columns.extend(record_columns());
    let mut table = Table::new("openings", title, openings.graph_note(), columns);
    for edge in &openings.edges {
        let mut row: Vec<Cell> = vec![
            edge.position.as_ref().into(),
            edge.record.ply.into(),
            edge.action.as_ref().into(),
            edge.to.as_ref().into(),
            u64::from(edge.is_transposition).into(),
        ];
        row.extend(record_cells(&edge.record, edge.position_games.zip(edge.position_choices)));
        table.push(row);
    }
    table
}

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
        // What stands below an action may have more games than it, by other ways; it goes with it, so that fewer than
        // `limit` may be left.
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
            count_column("searched", Phrase::same("searched")),
            column("share", percent),
            count_column("drawn", Phrase::same("drawn")),
            column("share_drawn", percent),
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
                edge.record.decisions.searched.into(),
                edge.share_of_searched().map(|share| share.estimate).into(),
                edge.record.decisions.drawn.into(),
                edge.share_of_drawn().map(|share| share.estimate).into(),
                edge.record.results.ended().into(),
                edge.record.results.score().map(|score| score.estimate).into(),
                line.interval.into(),
                edge.record.prior.mean().into(),
                edge.record.visit_share.mean_of_at_least(LEAST_SEARCHES).into(),
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
                @for branch in &self.branches { (branch_markup(branch, 0, "")) }
            }
        }
    }
}

/// Headings of a line.
const HEAD: [(&str, &str); 12] = [
    ("move", "النقلة"),
    ("games", "المباريات"),
    ("searched", "بالبحث"),
    ("share", "النسبة"),
    ("drawn", "بالسحب"),
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

/// A branch below the actions of `path`, with spaces between.
fn branch_markup(branch: &Branch<'_>, depth: usize, path: &str) -> Markup {
    let path = format!("{path}{}{}", if depth > 0 { " " } else { "" }, branch.edge.action);
    let line = line_markup(branch.edge, depth, &path);
    html! {
        @if branch.below.is_empty() {
            div.line { (line) }
        } @else {
            details {
                summary.line { (line) }
                @for below in &branch.below { (branch_markup(below, depth + 1, &path)) }
            }
        }
    }
}

fn line_markup(edge: &Edge, depth: usize, path: &str) -> Markup {
    let line = Line::of(edge);
    let percent = |share: Option<f64>| Kind::Percent { decimals: 1 }.print(&Cell::from(share));
    html! {
        span.move style={ "--depth:" (depth) } data-games={ "opening=" (path) } { bdi dir="ltr" { (line.action) } }
        span dir="ltr" { (edge.record.games()) }
        span dir="ltr" { (edge.record.decisions.searched) }
        span dir="ltr" { (percent(edge.share_of_searched().map(|share| share.estimate))) }
        span dir="ltr" { (edge.record.decisions.drawn) }
        span dir="ltr" { (percent(edge.share_of_drawn().map(|share| share.estimate))) }
        span dir="ltr" { (edge.record.results.ended()) }
        span dir="ltr" {
            (percent(edge.record.results.score().map(|score| score.estimate))) " " small { (line.interval) }
        }
        span dir="ltr" { (percent(edge.record.prior.mean())) }
        span dir="ltr" { (percent(edge.record.visit_share.mean_of_at_least(LEAST_SEARCHES))) }
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
            root_value: record.root_value.mean_of_at_least(LEAST_SEARCHES).map_or(String::new(), signed),
            generations: if first == last { first.to_string() } else { format!("{first}-{last}") },
        }
    }
}

/// A value with its sign; nothing rounds to minus zero.
fn signed(value: f64) -> String {
    let hundredths = (100.0 * value).round() as i64;
    if hundredths == 0 { "0.00".to_owned() } else { format!("{:+.2}", hundredths as f64 / 100.0) }
}

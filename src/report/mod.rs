//! Floor 8: the report of a run on one page: training, strength, statistics of its games; and several runs on one.
//!
//! Layout, lowest first:
//!
//! - `record`: the files of a run ([`Record`]).
//! - `cost`: games, evaluations and time behind each network.
//! - `strength`: Elo over generations, games and time, matches.
//! - `headline`: the newest Elo and what it took.
//! - `summary`: what the run is and how far it came.
//! - `training`: losses, learning rate, gradient.
//! - `selfplay`: results, reasons, lengths, policies, kinds of action.
//! - `holdout`: losses and values on games held out of training.
//! - `throughput`: how fast it ran.
//! - `fleet`: which machines played it.
//! - `games`: statistics of the games, by [`stats`](crate::stats).
//! - `settings`: configuration and ruleset.
//! - `terms`: definitions, and the commands to reproduce the report.
//! - `comparison`: several runs held against each other ([`comparison_page`]).

mod comparison;
mod cost;
mod fleet;
mod games;
mod headline;
mod holdout;
mod record;
mod selfplay;
mod settings;
mod strength;
mod summary;
mod terms;
mod throughput;
mod training;

use std::collections::BTreeSet;

use maud::html;

pub use comparison::{Comparison, Meeting, comparison_page};
pub use games::{Games, read_games};
pub use record::{Record, ReportError};

use crate::{
    page::{Block, Page, Phrase, Section},
    stats::this_run,
};

/// What a page is made of.
#[derive(Debug)]
pub struct Parts {
    pub record: Record,
    /// What the games say; none where there are no games.
    pub games: Option<Games>,
    /// Name of the file beside the page that shows games, if there is one, and how many it has.
    pub album: Option<(String, usize)>,
}

/// The page of a run. What the run did not leave is named in the section that would show it.
pub fn page(parts: Parts) -> Page {
    let Parts { record, games, album } = parts;
    let title = Phrase::new(format!("Run {}", record.name), format!("التجربة {}", Phrase::ltr(&record.name)));
    let subtitle = match record.ruleset() {
        Some(ruleset) => Phrase::same(ruleset.to_string()),
        None => Phrase::new("unknown rules", "قواعد غير معروفة"),
    };
    let mut summary = summary::section(&record);
    summary.blocks.insert(0, Block::Paragraph(this_run(&[&record.name])));
    summary.blocks.extend(album.map(|(file, games)| games_link(&file, games)));
    let mut sections = vec![
        summary,
        training::section(&record),
        strength::section(&record),
        selfplay::section(&record),
        throughput::section(&record),
    ];
    if let Some(section) = holdout::section(&record) {
        sections.insert(2, section);
    }
    sections.extend(fleet::section(&record));
    match games {
        Some(games) => sections.extend(games.sections),
        None => sections.push(Section {
            id: "games".to_owned(),
            title: Phrase::new("Openings and reserves", "الافتتاحات والاحتياطي"),
            blocks: vec![missing(&Phrase::new(
                format!("no whole file of games in `{}`", record.data.display()),
                format!("لا ملف مباريات كاملًا في `{}`", record.data.display()),
            ))],
        }),
    }
    sections.extend([settings::section(&record), terms::section(&record), terms::again(&record)]);
    let page = Page { title, subtitle, lead: headline::blocks(&record), sections };
    debug_assert!(names_differ(&page), "two tables of one name are one file");
    page
}

/// A run as it goes on: what the journal says, without its games, its settings and the definitions.
pub fn progress(record: &Record) -> Page {
    let mut sections =
        vec![summary::section(record), strength::section(record), training::section(record), selfplay::section(record)];
    sections.extend(holdout::section(record));
    sections.push(throughput::section(record));
    sections.extend(fleet::section(record));
    let lead = headline::blocks(record);
    Page { title: Phrase::same(&record.name), subtitle: Phrase::default(), lead, sections }
}

fn names_differ(page: &Page) -> bool {
    let mut names = BTreeSet::new();
    page.tables().all(|table| names.insert(&table.name))
}

/// Leads to the page of games; page.js has the lines of openings and the kinds of action lead there too.
fn games_link(file: &str, games: usize) -> Block {
    Block::Markup(html! {
        p { a.games href=(file) {
            span lang="en" dir="ltr" { "The newest " (games) " games, move by move" }
            span lang="ar" dir="rtl" { "أحدث " (games) " مباراة، نقلةً نقلة" }
        } }
    })
}

/// Says what a run did not leave.
fn missing(what: &Phrase) -> Block {
    Block::Paragraph(Phrase::new(format!("Missing: {}.", what.en), format!("غير موجود: {}.", what.ar)))
}

/// Says that the journal holds nothing of a kind.
fn missing_events(record: &Record, what: &Phrase) -> Block {
    let path = record.metrics_path();
    missing(&Phrase::new(
        format!("{} in `{}`", what.en, path.display()),
        format!("{} في `{}`", what.ar, path.display()),
    ))
}

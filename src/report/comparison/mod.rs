//! Several runs on one page: what they were configured to do, what they came to, and at what cost.
//!
//! - `tables`: what the runs came to, where their configurations differ, matches between them.
//! - `seeds`: runs that differ in their seed alone, as one curve.
//! - `curves`: strength and losses over games, evaluations and time.

mod curves;
mod seeds;
mod tables;

use super::Record;
use crate::{
    evaluate::MatchReport,
    page::{Block, Page, Phrase, Section},
};

/// Runs held against each other.
#[derive(Debug)]
pub struct Comparison {
    /// At least two, of one ruleset, with different names.
    pub records: Vec<Record>,
    /// Matches between their newest networks, if any were played.
    pub matches: Vec<Meeting>,
}

/// A match between the newest networks of two runs.
#[derive(Debug)]
pub struct Meeting {
    /// Places of the runs among the records.
    pub runs: [usize; 2],
    /// From the point of view of the first.
    pub report: MatchReport,
    pub playouts: u32,
}

/// The page of a comparison.
pub fn comparison_page(comparison: &Comparison) -> Page {
    let Comparison { records, matches } = comparison;
    let names: Vec<&str> = records.iter().map(|record| record.name.as_str()).collect();
    let arabic: Vec<String> = names.iter().map(Phrase::ltr).collect();
    let section = |id: &str, title: Phrase, blocks: Vec<Block>| Section { id: id.to_owned(), title, blocks };
    let mut lead = vec![Block::Table(tables::outcomes(records))];
    lead.extend(curves::elo(records).map(Block::Figure));
    let mut sections = Vec::new();
    if !matches.is_empty() {
        let title = Phrase::new("Networks against each other", "الشبكات إحداها أمام الأخرى");
        sections.push(section("matches", title, vec![Block::Table(tables::matches(records, matches))]));
    }
    sections.extend(curves::sections(records));
    sections.push(section(
        "settings",
        Phrase::new("Where configurations differ", "أين تختلف الإعدادات"),
        vec![Block::Table(tables::settings(records))],
    ));
    Page {
        title: Phrase::new(format!("Runs {}", names.join(", ")), format!("التجارب {}", arabic.join("، "))),
        subtitle: match records.iter().find_map(Record::ruleset) {
            Some(ruleset) => Phrase::same(ruleset.to_string()),
            None => Phrase::new("unknown rules", "قواعد غير معروفة"),
        },
        lead,
        sections,
    }
}

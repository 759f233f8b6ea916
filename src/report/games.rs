//! Statistics of the games, counted by `stats` in one pass over the files.

use super::{Record, ReportError};
use crate::{
    page::{Block, Phrase, Section},
    stats::{
        Runs, StatsError,
        openings::{Openings, Options},
        reserves::Reserves,
    },
};

/// Bands that generations are cut into.
const BANDS: usize = 5;

/// Moves of the tree of openings on the page.
const TREE_LINES: usize = 300;

/// What the games of a run say.
#[derive(Debug)]
pub struct Games {
    /// Openings, then reserves.
    pub sections: Vec<Section>,
}

/// Reads all games of a run; none where it has none. `progress` gets how many of the rows of [`Record::stock`] are
/// read.
///
/// # Errors
/// When files are of several rulesets, or a game cannot be followed.
pub fn read_games(record: &Record, progress: &mut dyn FnMut(u64)) -> Result<Option<Games>, ReportError> {
    let runs = match Runs::open(&record.root, std::slice::from_ref(&record.name), 0..=u64::MAX) {
        Err(StatsError::NoRun { .. } | StatsError::NoGames { .. }) => return Ok(None),
        runs => runs?,
    };
    let mut openings = Openings::new(Options { bands: BANDS, ..Options::default() }, &runs)?;
    let mut reserves = Reserves::new(&runs, BANDS, None)?;
    let skipped = runs.for_each(progress, |game| {
        openings.add(&game);
        reserves.add(&game)
    })?;
    openings.finish();
    let mut sections = openings.sections(TREE_LINES);
    sections.extend(reserves.finish()?.0);
    if let (Some(first), false) = (sections.first_mut(), skipped.0.is_empty()) {
        let (files, named) = (skipped.0.len(), skipped.first());
        let note = Phrase::new(
            format!("Files left out of all statistics of games: {files}{named}."),
            format!("ملفات تُركت من كل إحصاءات المباريات: {files}{}.", Phrase::ltr(named)),
        );
        first.blocks.insert(0, Block::Paragraph(note));
    }
    Ok(Some(Games { sections }))
}

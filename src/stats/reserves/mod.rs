//! When and how reserves are used: reinforcements, promotions, placings.
//!
//! Layout, lowest first:
//!
//! - `pieces`: the life of every piece of a game.
//! - `event`: a use of the reserve or another rank for a piece.
//! - `columns`, `file`: the table of events on disk.
//! - `observed`: a game as the measures see it, and what a measure is.
//! - `page`: what a question is, and words that all of them share.
//! - `rate`, `timing`, `places`, `ladder`, `standing`, `leftover`, `price`, `score`: one question each: `measure`
//!   counts, `page` shows.
//! - `terms`: what the words on the page mean.

mod columns;
mod event;
mod file;
mod ladder;
mod leftover;
mod observed;
mod page;
mod pieces;
mod places;
mod price;
mod rate;
mod score;
mod standing;
mod terms;
mod timing;

use std::path::{Path, PathBuf};

pub use columns::columns_table;

use self::{
    columns::Row,
    event::{ReserveKinds, events},
    file::EventFile,
    observed::{Observed, Scope},
    page::Question,
    pieces::Lives,
};
use super::{GameColumns, Runs, StatsError, seed_among_runs, weights_of_game};
use crate::page::{Block, Phrase, Section};

/// The reserve statistics of some runs, under way.
pub struct Reserves {
    scope: Scope,
    questions: Vec<(&'static str, Phrase, Box<dyn Question>)>,
    file: Option<EventFile>,
    events: u64,
}

impl Reserves {
    /// Statistics of `runs`, with generations in `bands` bands. The event table goes to `<folder>/events.parquet` where
    /// a folder is given.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn new(runs: &Runs, bands: usize, folder: Option<&Path>) -> Result<Self, StatsError> {
        let rules = runs.rules().clone();
        let file = folder.map(|folder| EventFile::create(folder, rules.as_ref(), runs.zone_kinds())).transpose()?;
        let scope = Scope {
            kinds: ReserveKinds::of(rules.as_ref()),
            bands: runs.bands(bands),
            zone_kinds: runs.zone_kinds().to_owned(),
            runs: runs.names().to_vec(),
            rules,
        };
        let questions: Vec<(&'static str, Phrase, Box<dyn Question>)> = vec![
            ("reserve-rate", Phrase::new("Reserves: how often", "الاحتياطي: كم مرة"), Box::<rate::Rate>::default()),
            ("reserve-timing", Phrase::new("Reserves: when", "الاحتياطي: متى"), Box::<timing::Timing>::default()),
            ("reserve-places", Phrase::new("Reserves: where", "الاحتياطي: أين"), Box::<places::Places>::default()),
            (
                "reserve-ladder",
                Phrase::new("Reserves: the ladder", "الاحتياطي: سلّم الرتب"),
                Box::<ladder::Ladder>::default(),
            ),
            (
                "reserve-survival",
                Phrase::new("Reserves: survival", "الاحتياطي: البقاء"),
                Box::<standing::Standing>::default(),
            ),
            (
                "reserve-left",
                Phrase::new("Reserves: what is left", "الاحتياطي: ما يبقى"),
                Box::<leftover::Leftover>::default(),
            ),
            (
                "reserve-price",
                Phrase::new("Reserves: what a use is worth", "الاحتياطي: ما يساويه الاستعمال"),
                Box::<price::Price>::default(),
            ),
            ("reserve-score", Phrase::new("Reserves: score", "الاحتياطي: النتيجة"), Box::<score::Score>::default()),
        ];
        Ok(Reserves { scope, questions, file, events: 0 })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the event table cannot be written, or a position does not show a board.
    pub fn add(&mut self, game: &GameColumns) -> Result<(), StatsError> {
        let rules = self.scope.rules.as_ref();
        let fault = |(field, reason): (&'static str, String)| StatsError::Game {
            run: game.run.to_string(),
            game: game.id().to_owned(),
            field,
            reason,
        };
        let lives = Lives::of(game, rules.grid()).map_err(fault)?;
        let events = events(game, &lives, &self.scope.kinds, rules, &self.scope.zone_kinds).map_err(fault)?;
        if let Some(file) = &mut self.file {
            for event in &events {
                file.push(&Row { game, event, rules })?;
            }
        }
        self.events += events.len() as u64;
        let number = self.scope.runs.iter().position(|run| *run == game.run).unwrap_or_default();
        let weights = weights_of_game(seed_among_runs(game.seed, number), game.generation, game.index);
        let groups = self.scope.groups_of(game.generation);
        let observed = Observed { game, lives: &lives, events: &events, weights: &weights, groups: &groups };
        for (_, _, question) in &mut self.questions {
            question.add(&observed, &self.scope);
        }
        Ok(())
    }

    /// Number of events so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What the games said, one section a question, with the words explained at the end; and the event table, if one
    /// was asked for.
    ///
    /// # Errors
    /// When the event table cannot be written.
    pub fn finish(self) -> Result<(Vec<Section>, Option<PathBuf>), StatsError> {
        let path = self.file.map(EventFile::finish).transpose()?;
        if self.scope.kinds.iter().next().is_none() {
            let block = Block::Paragraph(Phrase::new(
                "This game has no reserve and no promotion.",
                "ليس في هذه اللعبة احتياطي ولا ترقية.",
            ));
            let title = Phrase::new("Reserves", "الاحتياطي");
            return Ok((vec![Section { id: "reserves".to_owned(), title, blocks: vec![block] }], path));
        }
        let mut sections: Vec<Section> = self
            .questions
            .iter()
            .map(|(id, title, question)| Section {
                id: (*id).to_owned(),
                title: title.clone(),
                blocks: question.answer(&self.scope),
            })
            .filter(|section| !section.blocks.is_empty())
            .collect();
        if let Some(first) = sections.first_mut() {
            first.blocks.insert(0, self.scope.games_with());
        }
        sections.push(terms::section());
        Ok((sections, path))
    }
}

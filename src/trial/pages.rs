//! The results of a trial as text, as files and as a page.

use std::path::Path;

use super::{Trial, TrialError, results::Counted};
use crate::{
    disk::IoError,
    page::{Block, Page, Phrase, Section},
};

/// Rows of a table that are printed as text; the files have all.
const TEXT_ROWS: usize = 60;

/// What a trial came to.
pub struct TrialResults {
    page: Page,
    metadata: Vec<(String, String)>,
}

impl TrialResults {
    /// Tables and the figure of a trial, from its matches and the metrics of its runs.
    ///
    /// # Errors
    /// When metrics cannot be read.
    pub fn new(trial: &Trial) -> Result<TrialResults, TrialError> {
        let counted = Counted(trial);
        let section = |id: &str, title: Phrase, blocks: Vec<Block>| Section { id: id.to_owned(), title, blocks };
        let config = toml::to_string(trial.config()).expect("a trial serialises");
        let sections = vec![
            section(
                "verdicts",
                Phrase::new("What arms gain", "ما تكسبه الصيغ"),
                vec![trained(), Block::Figure(counted.verdicts()), Block::Table(counted.matches())],
            ),
            section(
                "runs",
                Phrase::new("How they were trained", "كيف دُرّبت"),
                vec![
                    Block::Table(counted.runs_table()?),
                    Block::Code { title: Phrase::new("The trial", "التجربة"), text: config },
                ],
            ),
        ];
        let ruleset = trial.ruleset();
        let page = Page {
            title: Phrase::new(
                format!("A trial of settings: {}", trial.name()),
                format!("تجربة إعدادات: {}", trial.name()),
            ),
            subtitle: Phrase::same(ruleset.to_string()),
            lead: Vec::new(),
            sections,
        };
        let metadata = [
            ("maydan.trial", trial.name().to_owned()),
            ("maydan.game", ruleset.game.clone()),
            ("maydan.ruleset", ruleset.hash.clone()),
        ];
        Ok(TrialResults { page, metadata: metadata.map(|(key, value)| (key.to_owned(), value)).into() })
    }

    /// What is known, laid out to be read.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// The tables as text.
    pub fn to_text(&self) -> String {
        self.page.tables_to_text(TEXT_ROWS)
    }

    /// Writes every table as CSV and Parquet, and `index.html`, into a folder.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, folder: &Path) -> Result<(), IoError> {
        self.page.write_with_tables(folder, &self.metadata)
    }
}

fn trained() -> Block {
    Block::Paragraph(Phrase::new(
        "Every arm was trained with every seed, at equal cost, in an order that turns with each seed (A B, B A, A B). Its last network met that of the first arm \
         with the same seed, and the other players named; each opening was played with both colours.",
        "دُرّبت كل صيغة بكل بذرة وبكلفة واحدة، بترتيب ينعكس مع كل بذرة. ولعبت شبكتها الأخيرة أمام شبكة الصيغة الأولى بالبذرة نفسها وأمام سائر اللاعبين المذكورين، وكل افتتاح باللونين.",
    ))
}

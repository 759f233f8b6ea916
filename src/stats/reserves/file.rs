//! The event table on disk: a row an event, written as games go by.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_schema::{Field, Schema};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::{metadata::KeyValue, properties::WriterProperties},
};

use super::columns::{Events, Row};
use crate::{
    data::column::{Table, TableBuilder},
    disk::{IoError, PartialFile},
    game::TextGame,
    stats::StatsError,
};

/// Events held in memory before they are written.
const BATCH: usize = 1 << 14;

/// A table of events under way. It appears under its name once it is [finished](EventFile::finish).
pub struct EventFile {
    path: PathBuf,
    schema: Arc<Schema>,
    writer: ArrowWriter<PartialFile>,
    /// Events that are not written yet.
    waiting: TableBuilder<Events>,
}

impl EventFile {
    /// Begins `<folder>/events.parquet`. Its metadata names the ruleset, and what each column means.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn create(folder: &Path, rules: &dyn TextGame, zone_kinds: &str) -> Result<EventFile, StatsError> {
        let path = folder.join("events.parquet");
        let fields: Vec<Field> = Events::columns()
            .map(|column| {
                column.field().with_metadata(HashMap::from([("meaning".to_owned(), column.meaning.to_owned())]))
            })
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let ruleset = rules.ruleset();
        let pairs = [
            ("maydan.table", "reserve events"),
            ("maydan.game", ruleset.game.as_str()),
            ("maydan.ruleset", ruleset.hash.as_str()),
            ("maydan.options", &ruleset.options.to_string()),
            ("maydan.zone_kinds", zone_kinds),
        ];
        let pairs = pairs.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_key_value_metadata(Some(pairs.to_vec()));
        let file = PartialFile::create(&path)?;
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties.build()));
        let writer = writer.map_err(io::Error::other).map_err(IoError::at(&path))?;
        Ok(EventFile { path, schema, writer, waiting: TableBuilder::default() })
    }

    /// Adds an event.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push(&mut self, row: &Row<'_>) -> Result<(), StatsError> {
        self.waiting.push(row);
        if self.waiting.len() == BATCH { self.flush() } else { Ok(()) }
    }

    /// Writes what waits and gives the file its name.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<PathBuf, StatsError> {
        self.flush()?;
        let file = self.writer.into_inner().map_err(io::Error::other).map_err(IoError::at(&self.path))?;
        file.finish()?;
        Ok(self.path)
    }

    fn flush(&mut self) -> Result<(), StatsError> {
        let batch = self.waiting.take(self.schema.clone());
        let written = self.writer.write(&batch).map_err(io::Error::other);
        Ok(written.map_err(IoError::at(&self.path))?)
    }
}

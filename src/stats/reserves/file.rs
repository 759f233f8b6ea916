//! The event table on disk: a row an event, written as games go by.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{Float64Builder, ListBuilder, StringBuilder, UInt32Builder, UInt64Builder},
};
use arrow_schema::{DataType, Field, Schema};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::{metadata::KeyValue, properties::WriterProperties},
};

use super::columns::{COLUMNS, Row, Type, Value};
use crate::{
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
    columns: Vec<Builder>,
    waiting: usize,
}

impl EventFile {
    /// Begins `<folder>/events.parquet`. Its metadata names the ruleset, and what each column means.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn create(folder: &Path, rules: &dyn TextGame, zone_kinds: &str) -> Result<EventFile, StatsError> {
        let path = folder.join("events.parquet");
        let fields: Vec<Field> = COLUMNS
            .iter()
            .map(|column| {
                let field = Field::new(column.name, arrow_type(column.ty), true);
                field.with_metadata(HashMap::from([("meaning".to_owned(), column.meaning.to_owned())]))
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
        let columns = COLUMNS.iter().map(|column| Builder::new(column.ty)).collect();
        Ok(EventFile { path, schema, writer, columns, waiting: 0 })
    }

    /// Adds an event.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push(&mut self, row: &Row<'_>) -> Result<(), StatsError> {
        for (column, builder) in COLUMNS.iter().zip(&mut self.columns) {
            builder.push((column.value)(row));
        }
        self.waiting += 1;
        if self.waiting == BATCH { self.flush() } else { Ok(()) }
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
        let arrays: Vec<ArrayRef> = self.columns.iter_mut().map(Builder::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).expect("columns of the schema");
        self.waiting = 0;
        let written = self.writer.write(&batch).map_err(io::Error::other);
        Ok(written.map_err(IoError::at(&self.path))?)
    }
}

fn arrow_type(ty: Type) -> DataType {
    match ty {
        Type::Text => DataType::Utf8,
        Type::Count => DataType::UInt64,
        Type::Number => DataType::Float64,
        Type::Counts => DataType::List(Arc::new(Field::new_list_field(DataType::UInt32, true))),
    }
}

/// A column under way.
enum Builder {
    Text(StringBuilder),
    Count(UInt64Builder),
    Number(Float64Builder),
    Counts(ListBuilder<UInt32Builder>),
}

impl Builder {
    fn new(ty: Type) -> Builder {
        match ty {
            Type::Text => Builder::Text(StringBuilder::new()),
            Type::Count => Builder::Count(UInt64Builder::new()),
            Type::Number => Builder::Number(Float64Builder::new()),
            Type::Counts => Builder::Counts(ListBuilder::new(UInt32Builder::new())),
        }
    }

    fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Builder::Text(texts), Value::Text(text)) => texts.append_value(text),
            (Builder::Text(texts), Value::Letter(letter)) => {
                texts.append_value(char::from(letter).encode_utf8(&mut [0; 4]))
            }
            (Builder::Text(texts), _) => texts.append_null(),
            (Builder::Count(counts), Value::Count(count)) => counts.append_value(count),
            (Builder::Count(counts), _) => counts.append_null(),
            (Builder::Number(numbers), Value::Number(number)) => numbers.append_value(number),
            (Builder::Number(numbers), _) => numbers.append_null(),
            (Builder::Counts(lists), Value::Counts(counts)) => {
                lists.values().append_slice(counts);
                lists.append(true);
            }
            (Builder::Counts(lists), _) => lists.append(false),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Text(texts) => Arc::new(texts.finish()),
            Builder::Count(counts) => Arc::new(counts.finish()),
            Builder::Number(numbers) => Arc::new(numbers.finish()),
            Builder::Counts(lists) => Arc::new(lists.finish()),
        }
    }
}

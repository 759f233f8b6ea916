//! From a file back to columns. Nothing in a file is trusted: what is damaged, foreign or of other rules comes back as
//! an error that names it.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{
            ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
        },
    },
    file::metadata::ParquetMetaDataReader,
};

use super::{
    DataError, Manifest,
    compact::{Compact, kind},
    guard::guarded,
    pages::check_pages,
    schema::{self, SCHEMA_VERSION, key},
    seal,
};
use crate::{
    disk::{self, IoError},
    game::Ruleset,
};

/// Rows decoded at a time.
const BATCH_ROWS: usize = 4096;
/// Most bytes of a value of the metadata: the options of a ruleset take some hundred.
const LONGEST_VALUE: usize = 10_000;
/// Elements of Parquet's schema for a column: a list has three.
const MOST_ELEMENTS_A_COLUMN: u64 = 3;

/// A file of games as its footer describes it.
#[derive(Clone, Debug)]
pub struct FileInfo {
    pub path: PathBuf,
    pub manifest: Manifest,
    /// Number of rows.
    pub rows: u64,
}

/// Reads a file's footer and checks that it is ours.
///
/// # Errors
/// When the file cannot be read, is damaged or is not a file of games of this schema.
pub fn inspect(path: &Path) -> Result<FileInfo, DataError> {
    let footer = seal::read_footer(path)?;
    let (_, info) = guarded(path, || decode_footer(path, &footer))??;
    Ok(info)
}

/// Reads the named columns of a file, in the order of the schema, a few thousand rows at a time. The whole file is
/// checked against its checksums.
///
/// # Errors
/// When the file cannot be read, is damaged or is not a file of games of this schema.
///
/// # Panics
/// When a name is no column of the [schema].
pub fn read_columns(path: &Path, names: &[&str]) -> Result<(FileInfo, Vec<RecordBatch>), DataError> {
    let (info, reader) = open_columns(path, names)?;
    let batches: Result<Vec<RecordBatch>, _> = guarded(path, || reader.collect())?;
    let batches = batches.map_err(|error| DataError::damaged(path, error))?;
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    if rows as u64 != info.rows {
        return Err(DataError::damaged(path, format!("its footer promises {} rows, {rows} are there", info.rows)));
    }
    Ok((info, batches))
}

/// Like [`read_columns`], with the rows still to be decoded.
pub(super) fn open_columns(path: &Path, names: &[&str]) -> Result<(FileInfo, ParquetRecordBatchReader), DataError> {
    for name in names {
        assert!(schema::columns().any(|column| column.name == *name), "`{name}` is no column");
    }
    let bytes = Bytes::from(fs::read(path).map_err(IoError::at(path))?);
    let footer = seal::open_file(path, &bytes)?;
    let (metadata, info) = guarded(path, || decode_footer(path, &footer))??;
    guarded(path, || check_pages(path, &bytes, metadata.metadata()))??;
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(bytes, metadata);
    let mask = ProjectionMask::columns(builder.parquet_schema(), names.iter().copied());
    let builder = builder.with_batch_size(BATCH_ROWS).with_projection(mask);
    let reader = guarded(path, || builder.build())?;
    Ok((info, reader.map_err(|error| DataError::damaged(path, error))?))
}

/// What a run's folder holds.
#[derive(Debug, Default)]
pub struct Scan {
    /// Files in order of generation and name.
    pub files: Vec<FileInfo>,
    /// Files left out, one error each.
    pub complaints: Vec<DataError>,
}

/// Looks at the footer of every file of the given generations in a run's data folder. Damaged and foreign files are
/// left out and complained of.
///
/// # Errors
/// When a folder cannot be listed, or a file holds games of another ruleset or encoding than `ruleset` and `encoding`.
pub fn scan(run_dir: &Path, generations: Range<u64>, ruleset: &Ruleset, encoding: u32) -> Result<Scan, DataError> {
    let mut scan = Scan::default();
    for path in list_files(run_dir, generations)? {
        match inspect(&path).and_then(|info| check_identity(&info, ruleset, encoding).map(|()| info)) {
            Ok(info) => scan.files.push(info),
            Err(error @ DataError::Ruleset { .. }) => return Err(error),
            Err(error) => scan.complaints.push(error),
        }
    }
    Ok(scan)
}

/// The Parquet files of the given generations, in order of generation and name. Files that are still being written do
/// not count.
///
/// # Errors
/// When a folder cannot be listed.
pub fn list_files(run_dir: &Path, generations: Range<u64>) -> Result<Vec<PathBuf>, DataError> {
    let mut files = Vec::new();
    for generation in disk::generations(run_dir)?.into_iter().filter(|number| generations.contains(number)) {
        files.extend(disk::chunks(&disk::generation_dir(run_dir, generation))?);
    }
    Ok(files)
}

/// Checks that a file holds games of the given rules and encoding.
///
/// # Errors
/// Names both where they differ.
pub fn check_identity(info: &FileInfo, ruleset: &Ruleset, encoding: u32) -> Result<(), DataError> {
    let found = &info.manifest.ruleset;
    if (&found.game, &found.hash) != (&ruleset.game, &ruleset.hash) {
        return Err(DataError::ruleset(&info.path, ruleset, found));
    }
    if info.manifest.encoding != encoding {
        return Err(DataError::foreign(&info.path, key::ENCODING, encoding, info.manifest.encoding));
    }
    Ok(())
}

/// Decodes a footer and checks that it is one of ours.
fn decode_footer(path: &Path, footer: &[u8]) -> Result<(ArrowReaderMetadata, FileInfo), DataError> {
    // The decoder calls itself for each level of a schema, whatever their number.
    let elements = schema_elements(footer).ok_or_else(|| DataError::damaged(path, "its footer cannot be read"))?;
    if elements > MOST_ELEMENTS_A_COLUMN * schema::columns().count() as u64 {
        return Err(DataError::foreign(path, "columns", "those of the schema", format!("{elements} elements")));
    }
    let metadata = ParquetMetaDataReader::decode_metadata(footer)
        .and_then(|metadata| ArrowReaderMetadata::try_new(Arc::new(metadata), ArrowReaderOptions::new()))
        .map_err(|e| DataError::damaged(path, e))?;
    let file = metadata.metadata().file_metadata();
    let pairs = file.key_value_metadata();
    let value = |key: &str| {
        let pair = pairs.into_iter().flatten().find(|pair| pair.key == key);
        let value = pair
            .and_then(|pair| pair.value.as_deref())
            .ok_or_else(|| DataError::foreign(path, "metadata", format!("`{key}`"), "none"))?;
        if value.len() > LONGEST_VALUE {
            return Err(DataError::foreign(path, key, format!("at most {LONGEST_VALUE} bytes"), value.len()));
        }
        Ok(value)
    };
    let version: u32 = number(path, key::SCHEMA, value(key::SCHEMA)?)?;
    if version != SCHEMA_VERSION {
        return Err(DataError::foreign(path, key::SCHEMA, SCHEMA_VERSION, version));
    }
    let expected = schema::schema();
    if metadata.schema().fields() != expected.fields() {
        let found = metadata.schema().fields();
        let odd = expected.fields().iter().find(|field| found.iter().all(|other| other != *field));
        let odd = odd.map_or("no further column", |field| field.name());
        return Err(DataError::foreign(path, "columns", format!("`{odd}` of the schema"), "another"));
    }
    let options = value(key::OPTIONS)?;
    let options =
        toml::Table::from_str(options).map_err(|e| DataError::foreign(path, key::OPTIONS, "TOML", e.message()))?;
    let manifest = Manifest {
        ruleset: Ruleset { game: value(key::GAME)?.to_owned(), hash: value(key::RULESET)?.to_owned(), options },
        encoding: number(path, key::ENCODING, value(key::ENCODING)?)?,
        height: number(path, key::HEIGHT, value(key::HEIGHT)?)?,
        width: number(path, key::WIDTH, value(key::WIDTH)?)?,
        planes: number(path, key::PLANES, value(key::PLANES)?)?,
        scalars: number(path, key::SCALARS, value(key::SCALARS)?)?,
        actions: number(path, key::ACTIONS, value(key::ACTIONS)?)?,
        seed: number(path, key::SEED, value(key::SEED)?)?,
        generation: number(path, key::GENERATION, value(key::GENERATION)?)?,
        checkpoint: value(key::CHECKPOINT)?.to_owned(),
        first_game: number(path, key::FIRST_GAME, value(key::FIRST_GAME)?)?,
        games: number(path, key::GAMES, value(key::GAMES)?)?,
        full_rows: number(path, key::FULL_ROWS, value(key::FULL_ROWS)?)?,
        cheap_rows: number(path, key::CHEAP_ROWS, value(key::CHEAP_ROWS)?)?,
        action_kinds: value(key::ACTION_KINDS)?.split_whitespace().map(str::to_owned).collect(),
        zone_kinds: value(key::ZONE_KINDS)?.to_owned(),
    };
    let rows =
        u64::try_from(file.num_rows()).map_err(|_| DataError::damaged(path, "its number of rows is negative"))?;
    let info = FileInfo { path: path.to_owned(), manifest, rows };
    check_claims(&info)?;
    Ok((metadata, info))
}

/// Elements of the schema that a footer has: its second field is their list.
fn schema_elements(footer: &[u8]) -> Option<u64> {
    let mut most = 0;
    Compact(footer).fields(|rest, number, field| {
        if (number, field) == (2, kind::LIST) {
            most = most.max({ *rest }.list()?.0);
        }
        rest.skip(field)
    })?;
    Some(most)
}

/// Holds the numbers of a footer against each other, so that they can be added up.
fn check_claims(info: &FileInfo) -> Result<(), DataError> {
    let FileInfo { path, manifest, rows } = info;
    let searched = manifest.full_rows.saturating_add(manifest.cheap_rows);
    let last_game = manifest.first_game.saturating_add(manifest.games);
    for (key, found, most) in [
        (key::GENERATION, manifest.generation, u32::MAX.into()),
        (key::FIRST_GAME, last_game, u32::MAX.into()),
        (key::GAMES, manifest.games, *rows),
        (key::FULL_ROWS, searched, *rows),
    ] {
        if found > most {
            return Err(DataError::foreign(path, key, format!("at most {most}"), found));
        }
    }
    Ok(())
}

fn number<T: FromStr>(path: &Path, key: &str, text: &str) -> Result<T, DataError> {
    text.parse().map_err(|_| DataError::foreign(path, key, "a number", format!("`{text}`")))
}

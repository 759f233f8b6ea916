//! What the pages of a file claim, added up before any of them is decoded: a few bytes can stand for gigabytes.

use std::{path::Path, sync::Arc};

use bytes::Bytes;
use parquet::{
    basic::Type,
    column::page::{Page, PageReader as _},
    errors::ParquetError,
    file::{
        metadata::{ColumnChunkMetaData, ParquetMetaData},
        serialized_reader::SerializedPageReader,
    },
};

use super::{
    DataError,
    compact::{Compact, kind},
};

/// Most bytes that a file may become in memory for each of its own. A file of self-play becomes 17 times as large.
const EXPANSION: u64 = 200;
/// And besides, for files whose games are all alike: those of 60,000 rows.
const ALWAYS: u64 = 1 << 28;

/// Bytes of a number with its levels in memory, at most.
const ENTRY: u64 = 16;

/// Encodings of pages that a writer of ours makes: PLAIN, and numbers of words in a dictionary.
const PLAIN: i64 = 0;
const OF_A_DICTIONARY: [i64; 2] = [2, 8];

/// Types of pages.
const DATA: i64 = 0;
const DICTIONARY: i64 = 2;

/// Refuses a file whose pages would take much more memory than the file is long.
///
/// # Errors
/// When they would, or are pages that no writer of ours makes.
///
/// # Panics
/// When the places of the pages make no sense.
pub fn check_pages(path: &Path, file: &Bytes, metadata: &ParquetMetaData) -> Result<(), DataError> {
    let most = EXPANSION.saturating_mul(file.len() as u64).saturating_add(ALWAYS);
    let mut left = most;
    for group in metadata.row_groups() {
        for column in group.columns() {
            let unread = |_| DataError::damaged(path, format!("column `{}` has odd pages", column.column_path()));
            left = match within(left, file, column).map_err(unread)? {
                Some(left) => left,
                None => {
                    let reason = format!("its pages would take more than {most} bytes of memory");
                    return Err(DataError::damaged(path, reason));
                }
            };
        }
    }
    Ok(())
}

/// A page that no writer of ours makes.
struct Odd;

impl From<ParquetError> for Odd {
    fn from(_: ParquetError) -> Self {
        Odd
    }
}

/// What is left of `budget` bytes after the pages of a column; none where they take more.
fn within(mut budget: u64, file: &Bytes, column: &ColumnChunkMetaData) -> Result<Option<u64>, Odd> {
    let (start, length) = column.byte_range();
    let end = start.checked_add(length).ok_or(Odd)?;
    let mut rest = Compact(file.get(start as usize..end as usize).ok_or(Odd)?);
    let mut longest_word = None;
    let mut is_first = true;
    while !rest.0.is_empty() {
        let page = Header::read(&mut rest).ok_or(Odd)?;
        rest.0 = rest.0.get(page.packed as usize..).ok_or(Odd)?;
        let value = match (page.kind, page.encoding) {
            (DICTIONARY, _) if is_first => 0,
            (DATA, PLAIN) => 0,
            (DATA, encoding) if OF_A_DICTIONARY.contains(&encoding) => longest_word.ok_or(Odd)?,
            _ => return Err(Odd),
        };
        let entries = u64::from(page.values).saturating_mul(ENTRY + value);
        match budget.checked_sub(entries.saturating_add(page.unpacked.into())) {
            Some(left) => budget = left,
            None => return Ok(None),
        }
        if page.kind == DICTIONARY {
            longest_word = Some(longest(file, column)?);
        }
        is_first = false;
    }
    Ok(Some(budget))
}

/// Length of the longest word of a column's dictionary; 0 for a dictionary of numbers.
fn longest(file: &Bytes, column: &ColumnChunkMetaData) -> Result<u64, Odd> {
    let mut pages = SerializedPageReader::new(Arc::new(file.clone()), column, 0, None)?;
    let Some(Page::DictionaryPage { buf, .. }) = pages.get_next_page()? else { return Err(Odd) };
    if column.column_type() != Type::BYTE_ARRAY {
        return Ok(0);
    }
    let (mut words, mut longest) = (&buf[..], 0);
    while let Some((length, rest)) = words.split_first_chunk() {
        let length = u32::from_le_bytes(*length);
        words = rest.get(length as usize..).ok_or(Odd)?;
        longest = longest.max(length.into());
    }
    Ok(longest)
}

/// The header of a page.
struct Header {
    kind: i64,
    encoding: i64,
    /// Bytes in the file, and after decompression.
    packed: u32,
    unpacked: u32,
    /// Entries, those of lists included.
    values: u32,
}

impl Header {
    /// The header, by the numbers of its fields in Parquet's definition (`parquet.thrift`).
    fn read(from: &mut Compact<'_>) -> Option<Header> {
        let [mut kind, mut unpacked, mut packed, mut values, mut encoding] = [-1; 5];
        from.fields(|rest, number, field| {
            match (number, field) {
                (1, kind::I32) => kind = rest.number()?,
                (2, kind::I32) => unpacked = rest.number()?,
                (3, kind::I32) => packed = rest.number()?,
                // Of a data page and of a dictionary; version 2 of data pages is never written.
                (5 | 7, kind::STRUCT) => rest.fields(|rest, number, field| {
                    match (number, field) {
                        (1, kind::I32) => values = rest.number()?,
                        (2, kind::I32) => encoding = rest.number()?,
                        _ => rest.skip(field)?,
                    }
                    Some(())
                })?,
                _ => rest.skip(field)?,
            }
            Some(())
        })?;
        let count = |number: i64| i32::try_from(number).ok().and_then(|number| u32::try_from(number).ok());
        Some(Header { kind, encoding, packed: count(packed)?, unpacked: count(unpacked)?, values: count(values)? })
    }
}

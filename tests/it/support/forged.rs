//! Files of games that say what no game says: values of a file's columns and keys are replaced, and the file is written
//! with Parquet's own writer and sealed as ours are.

use std::{fs, path::Path, sync::Arc};

use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array};
use arrow_select::{concat::concat_batches, take::take};
use maydan::data::{read_columns, schema};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::{
        metadata::{KeyValue, ParquetMetaDataReader},
        properties::WriterProperties,
    },
};

/// Bytes before the footer: eight of a mark, then two checksums.
const SEAL: usize = 16;
const MARK: &[u8; 8] = b"maydan\x00\x01";

/// Computes the checksums of a file anew, which has room for them.
pub fn seal(bytes: &mut [u8]) {
    let footer = footer(bytes);
    let seal = footer - SEAL;
    let (before, after) = (crc32fast::hash(&bytes[..seal]), crc32fast::hash(&bytes[footer..]));
    bytes[seal..seal + 8].copy_from_slice(MARK);
    bytes[seal + 8..seal + 12].copy_from_slice(&before.to_le_bytes());
    bytes[seal + 12..footer].copy_from_slice(&after.to_le_bytes());
}

/// Where the footer begins; the seal is before it.
pub fn footer(bytes: &[u8]) -> usize {
    let trailer = bytes.len() - 8;
    trailer - u32::from_le_bytes(bytes[trailer..trailer + 4].try_into().unwrap()) as usize
}

/// The content of a file of games, to be changed.
#[derive(Clone)]
pub struct Forgery {
    pub rows: RecordBatch,
    /// Keys of the footer and their values.
    pub keys: Vec<(String, String)>,
    /// Rows of each group.
    pub group: usize,
}

impl Forgery {
    /// What a file says.
    pub fn of(path: &Path) -> Forgery {
        let columns: Vec<&str> = schema::columns().map(|column| column.name).collect();
        let (_, batches) = read_columns(path, &columns).unwrap();
        let bytes = fs::read(path).unwrap();
        let metadata = ParquetMetaDataReader::decode_metadata(&bytes[footer(&bytes)..bytes.len() - 8]).unwrap();
        let keys = metadata.file_metadata().key_value_metadata().unwrap().iter();
        let keys = keys.filter(|pair| pair.key.starts_with("maydan."));
        Forgery {
            rows: concat_batches(&batches[0].schema(), &batches).unwrap(),
            keys: keys.map(|pair| (pair.key.clone(), pair.value.clone().unwrap())).collect(),
            group: usize::MAX,
        }
    }

    /// With another value of a key.
    pub fn key(mut self, key: &str, value: &str) -> Forgery {
        let known = self.keys.iter_mut().find(|(name, _)| name == key).unwrap_or_else(|| panic!("{key}"));
        value.clone_into(&mut known.1);
        self
    }

    /// With another column.
    pub fn column(mut self, name: &str, change: impl FnOnce(&ArrayRef) -> ArrayRef) -> Forgery {
        let place = self.rows.schema().index_of(name).unwrap();
        let mut columns = self.rows.columns().to_vec();
        columns[place] = change(&columns[place]);
        self.rows = RecordBatch::try_new(self.rows.schema(), columns).unwrap();
        self
    }

    /// The rows of these numbers alone.
    pub fn picked(mut self, numbers: impl IntoIterator<Item = u32>) -> Forgery {
        let numbers: UInt32Array = numbers.into_iter().collect();
        let columns = self.rows.columns().iter().map(|column| take(column, &numbers, None).unwrap());
        self.rows = RecordBatch::try_new(self.rows.schema(), columns.collect()).unwrap();
        self
    }

    /// The file, with the same rows so many times, a few of which are held in memory.
    pub fn write(&self, path: &Path, times: usize) {
        let properties = WriterProperties::builder()
            .set_created_by("maydan".to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).unwrap()))
            .set_offset_index_disabled(true)
            .set_dictionary_page_size_limit(1 << 24)
            .set_max_row_group_row_count(Some(self.group))
            .build();
        let mut writer = ArrowWriter::try_new(Vec::new(), self.rows.schema(), Some(properties)).unwrap();
        for _ in 0..times {
            writer.write(&self.rows).unwrap();
        }
        writer.flush().unwrap();
        for (key, value) in &self.keys {
            writer.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
        }
        writer.write_all(&[0; SEAL]).unwrap();
        let mut bytes = writer.into_inner().unwrap();
        seal(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

/// The same value in every row, whatever was there.
pub fn all<A: Array + 'static>(array: impl Fn(usize) -> A) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    move |column| Arc::new(array(column.len()))
}

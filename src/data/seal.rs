//! Sixteen bytes between a file's data and its Parquet footer, where no reader of Parquet looks: a mark and a checksum
//! of each. They show at once whether a file is ours and whole, before a decoder, which may panic on what is not, gets
//! to see it.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use bytes::Bytes;

use super::DataError;
use crate::disk::IoError;

/// Bytes of a seal: mark, CRC-32 of all that comes before the seal, CRC-32 of all that comes after it; both
/// little-endian.
pub const LENGTH: usize = 16;

const MARK: &[u8; 8] = b"maydan\x00\x01";

/// What every Parquet file ends with: the length of the footer, little-endian, and a mark.
const TRAILER: usize = 8;
const PARQUET_MARK: &[u8; 4] = b"PAR1";

/// Writes the seal of a file that left [`LENGTH`] bytes before its footer.
///
/// # Panics
/// When `bytes` is not such a file.
pub fn seal(bytes: &mut [u8]) {
    let end = bytes.len() - TRAILER - footer_length(&bytes[bytes.len() - TRAILER..]).expect("a Parquet file");
    let (before, after) = (crc32fast::hash(&bytes[..end - LENGTH]), crc32fast::hash(&bytes[end..]));
    let seal = &mut bytes[end - LENGTH..end];
    seal[..8].copy_from_slice(MARK);
    seal[8..12].copy_from_slice(&before.to_le_bytes());
    seal[12..].copy_from_slice(&after.to_le_bytes());
}

/// Checks a whole file and gives its footer.
///
/// # Errors
/// When it is damaged or not ours.
pub fn open_file(path: &Path, bytes: &Bytes) -> Result<Bytes, DataError> {
    let tail = bytes.slice(tail_start(path, bytes.len() as u64, trailer(path, bytes)?)? as usize..);
    let footer = open_tail(path, &tail)?;
    let data = &bytes[..bytes.len() - tail.len()];
    if crc32fast::hash(data).to_le_bytes() != tail[8..12] {
        return Err(DataError::damaged(path, "its content does not have its checksum"));
    }
    Ok(footer)
}

/// Checks the footer of a file, without reading more than it must, and gives it.
///
/// # Errors
/// When it cannot be read, is damaged or not ours.
pub fn read_footer(path: &Path) -> Result<Bytes, DataError> {
    let mut file = File::open(path).map_err(IoError::at(path))?;
    let length = file.metadata().map_err(IoError::at(path))?.len();
    let mut read_from = |start: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut bytes)).map_err(IoError::at(path))?;
        Ok::<_, IoError>(Bytes::from(bytes))
    };
    let end = read_from(length.saturating_sub(TRAILER as u64))?;
    let tail = read_from(tail_start(path, length, trailer(path, &end)?)?)?;
    open_tail(path, &tail)
}

/// Length of the footer by the last bytes of a file.
fn trailer(path: &Path, bytes: &[u8]) -> Result<usize, DataError> {
    let start = bytes.len().saturating_sub(TRAILER);
    footer_length(&bytes[start..]).ok_or_else(|| DataError::damaged(path, "it does not end as Parquet does"))
}

fn footer_length(trailer: &[u8]) -> Option<usize> {
    let (length, mark) = trailer.split_first_chunk::<4>()?;
    (mark == PARQUET_MARK).then_some(u32::from_le_bytes(*length) as usize)
}

/// Where the seal begins.
fn tail_start(path: &Path, file: u64, footer: usize) -> Result<u64, DataError> {
    file.checked_sub((LENGTH + footer + TRAILER) as u64)
        .ok_or_else(|| DataError::damaged(path, "it is too short for its footer"))
}

/// Checks seal and footer.
fn open_tail(path: &Path, tail: &Bytes) -> Result<Bytes, DataError> {
    if tail.len() < LENGTH + TRAILER || tail[..8] != MARK[..] {
        return Err(DataError::foreign(path, "seal", "that of a file of games", "none"));
    }
    if crc32fast::hash(&tail[LENGTH..]).to_le_bytes() != tail[12..LENGTH] {
        return Err(DataError::damaged(path, "its footer does not have its checksum"));
    }
    Ok(tail.slice(LENGTH..tail.len() - TRAILER))
}

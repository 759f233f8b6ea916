//! TensorBoard event files of scalars, written by hand: the format is two small protobuf messages in TFRecord frames.
//!
//! A frame is the length of the data (u64, little endian), its masked CRC-32C, the data, and the data's masked CRC-32C
//! (tensorflow/core/lib/io/record_writer.h). The data is an `Event` (tensorflow/core/util/event.proto): `wall_time = 1:
//! double`, `step = 2: int64`, `file_version = 3: string` in the first event, `summary = 5: Summary` in the others,
//! whose `value = 1` holds `tag = 1: string` and `simple_value = 2: float`.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
};

/// An event file under construction.
#[derive(Debug)]
pub struct EventFile {
    file: File,
}

impl EventFile {
    /// Creates a new event file in `folder`, named by `time` (seconds since 1970) and the process. TensorBoard joins
    /// the files of a folder, so a resumed run simply begins another.
    ///
    /// # Errors
    /// When the file cannot be created or written.
    pub fn create(folder: &Path, time: f64) -> io::Result<Self> {
        let name = format!("events.out.tfevents.{:010}.maydan.{}", time as u64, std::process::id());
        let mut file = EventFile { file: OpenOptions::new().create(true).append(true).open(folder.join(name))? };
        file.frame(&event(time, 0, 3, b"brain.Event:2"))?;
        Ok(file)
    }

    /// Appends the values of some scalars at `step`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn scalars<'a>(
        &mut self,
        time: f64,
        step: u64,
        values: impl IntoIterator<Item = (&'a str, f64)>,
    ) -> io::Result<()> {
        let mut summary = Vec::new();
        for (tag, value) in values {
            let mut scalar = Vec::new();
            bytes_field(&mut scalar, 1, tag.as_bytes());
            scalar.push(2 << 3 | FIXED32);
            scalar.extend((value as f32).to_le_bytes());
            bytes_field(&mut summary, 1, &scalar);
        }
        self.frame(&event(time, step, 5, &summary))
    }

    fn frame(&mut self, data: &[u8]) -> io::Result<()> {
        let length = (data.len() as u64).to_le_bytes();
        let mut frame = Vec::with_capacity(data.len() + 16);
        frame.extend(length);
        frame.extend(masked_crc(&length).to_le_bytes());
        frame.extend(data);
        frame.extend(masked_crc(data).to_le_bytes());
        self.file.write_all(&frame)?;
        self.file.flush()
    }
}

/// Protobuf wire types.
const VARINT: u8 = 0;
const FIXED64: u8 = 1;
const BYTES: u8 = 2;
const FIXED32: u8 = 5;

/// An `Event` with one field of bytes.
fn event(time: f64, step: u64, field: u8, content: &[u8]) -> Vec<u8> {
    let mut data = vec![1 << 3 | FIXED64];
    data.extend(time.to_le_bytes());
    data.push(2 << 3 | VARINT);
    varint(&mut data, step);
    bytes_field(&mut data, field, content);
    data
}

fn bytes_field(out: &mut Vec<u8>, field: u8, content: &[u8]) {
    out.push(field << 3 | BYTES);
    varint(out, content.len() as u64);
    out.extend(content);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// CRC-32C, turned and shifted, so that a frame within a frame does not look like its own checksum.
fn masked_crc(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xA282_EAD8)
}

/// CRC-32 with Castagnoli's polynomial, bit by bit: a few hundred bytes a generation need no table.
fn crc32c(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0x82F6_3B78 } else { 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of CRC-32C and the test vectors of RFC 3720, B.4.
    #[test]
    fn checksum_matches_published_vectors() {
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8A91_36AA);
        assert_eq!(crc32c(&[0xFF; 32]), 0x62A8_AB43);
        assert_eq!(crc32c(&(0..32).collect::<Vec<u8>>()), 0x46DD_794E);
    }

    #[test]
    fn varints() {
        let bytes = |value| {
            let mut out = Vec::new();
            varint(&mut out, value);
            out
        };
        assert_eq!((bytes(0), bytes(127), bytes(300)), (vec![0], vec![127], vec![0xAC, 0x02]));
        assert_eq!(bytes(u64::MAX).len(), 10);
    }
}

//! TensorBoard event files of scalars: protobuf messages in TFRecord frames.
//!
//! A frame is the length of the data (u64, little endian), its masked CRC-32C, the data, and the data's masked CRC-32C
//! (tensorflow/core/lib/io/record_writer.h). The data is an `Event`.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use prost::{Message, Oneof};

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
        file.write(Event::new(time, 0, Content::FileVersion("brain.Event:2".to_owned())))?;
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
        let scalar = |(tag, value): (&str, f64)| Scalar { tag: tag.to_owned(), simple_value: Some(value as f32) };
        let summary = Summary { value: values.into_iter().map(scalar).collect() };
        self.write(Event::new(time, step, Content::Summary(summary)))
    }

    fn write(&mut self, event: Event) -> io::Result<()> {
        let data = event.encode_to_vec();
        let length = (data.len() as u64).to_le_bytes();
        let mut frame = Vec::with_capacity(data.len() + 16);
        frame.extend(length);
        frame.extend(masked_crc(&length).to_le_bytes());
        frame.extend(&data);
        frame.extend(masked_crc(&data).to_le_bytes());
        self.file.write_all(&frame)?;
        self.file.flush()
    }
}

/// The parts of tensorflow/core/util/event.proto that scalars take. A number is written even when it is 0.
#[derive(Clone, PartialEq, Message)]
struct Event {
    /// Seconds since 1970.
    #[prost(double, optional, tag = "1")]
    wall_time: Option<f64>,
    #[prost(int64, optional, tag = "2")]
    step: Option<i64>,
    #[prost(oneof = "Content", tags = "3, 5")]
    what: Option<Content>,
}

impl Event {
    fn new(time: f64, step: u64, what: Content) -> Self {
        Event { wall_time: Some(time), step: Some(step as i64), what: Some(what) }
    }
}

#[derive(Clone, PartialEq, Oneof)]
enum Content {
    /// In the first event of a file.
    #[prost(string, tag = "3")]
    FileVersion(String),
    #[prost(message, tag = "5")]
    Summary(Summary),
}

/// tensorflow/core/framework/summary.proto.
#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<Scalar>,
}

#[derive(Clone, PartialEq, Message)]
struct Scalar {
    #[prost(string, tag = "1")]
    tag: String,
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
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
}

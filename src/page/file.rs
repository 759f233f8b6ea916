//! Tables as CSV and Parquet, figures as SVG: files that appear whole or not at all.

use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::{metadata::KeyValue, properties::WriterProperties},
};

use super::{Cell, Column, Figure, Kind, Language, Panel, Phrase, Table, sheet};
use crate::disk::{IoError, write_file};

/// Rows turned into columns at a time.
const BATCH_ROWS: usize = 65_536;

impl Table {
    /// Writes `<folder>/<name>.csv`: a line of column names, then a line a row.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write_csv(&self, folder: &Path) -> Result<(), IoError> {
        write_file(&folder.join(format!("{}.csv", self.name)), |file| {
            let mut writer = csv::Writer::from_writer(file);
            writer.write_record(self.columns.iter().map(|column| &column.name))?;
            for row in &self.rows {
                writer.write_record(row.iter().map(unrounded))?;
            }
            writer.flush()
        })
    }

    /// Writes `<folder>/<name>.parquet`, compressed with zstd, with `metadata` as key-value pairs of its footer.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write_parquet(&self, folder: &Path, metadata: &[(String, String)]) -> Result<(), IoError> {
        let fields: Vec<Field> =
            self.columns.iter().map(|column| Field::new(&column.name, data_type(column.kind), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let pairs = metadata.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        let properties = WriterProperties::builder()
            .set_created_by("maydan".to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_key_value_metadata(Some(pairs))
            .build();
        write_file(&folder.join(format!("{}.parquet", self.name)), |file| {
            let mut writer = ArrowWriter::try_new(file, schema.clone(), Some(properties))?;
            for rows in self.rows.chunks(BATCH_ROWS) {
                let columns = self.columns.iter().enumerate().map(|(at, column)| array(column, rows, at)).collect();
                let batch = RecordBatch::try_new(schema.clone(), columns).map_err(io::Error::other)?;
                writer.write(&batch)?;
            }
            writer.close()?;
            Ok(())
        })
    }
}

impl Figure {
    /// Writes `<folder>/<name>.svg` in English and `<folder>/<name>.ar.svg` in Arabic, named as the table of the figure's
    /// data, on white, with the title of its page above it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write_svg(&self, folder: &Path, title: &Phrase) -> Result<(), IoError> {
        let panel = Panel { title: self.title.clone(), plot: Ok(self.plot.clone()) };
        for (language, end) in [(Language::English, "svg"), (Language::Arabic, "ar.svg")] {
            write_file(&folder.join(format!("{}.{end}", self.data.name)), |file| {
                file.write_all(sheet(title, std::slice::from_ref(&panel), language).as_bytes())
            })?;
        }
        Ok(())
    }
}

/// A cell with all its digits.
fn unrounded(cell: &Cell) -> String {
    match cell {
        Cell::Number(number) if number.is_nan() => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::AtLeast(_) => f64::INFINITY.to_string(),
        Cell::Empty | Cell::Text(_) | Cell::Words(_) | Cell::Count(_) => Kind::Text.print(cell),
    }
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Text => DataType::Utf8,
        Kind::Count => DataType::UInt64,
        Kind::Number { .. } | Kind::Percent { .. } => DataType::Float64,
    }
}

/// The cells of column `at`.
fn array(column: &Column, rows: &[Vec<Cell>], at: usize) -> ArrayRef {
    let cells = rows.iter().map(|row| &row[at]);
    match column.kind {
        Kind::Text => {
            let text = |cell: &Cell| (*cell != Cell::Empty).then(|| unrounded(cell));
            Arc::new(cells.map(text).collect::<StringArray>())
        }
        Kind::Count => {
            let count = |cell: &Cell| if let Cell::Count(count) = cell { Some(*count) } else { None };
            Arc::new(cells.map(count).collect::<UInt64Array>())
        }
        Kind::Number { .. } | Kind::Percent { .. } => Arc::new(cells.map(Cell::number).collect::<Float64Array>()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use arrow_array::Array;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;
    use crate::page::Phrase;

    fn table() -> Table {
        let columns = vec![
            Column::new("action", Phrase::same("action"), Kind::Text),
            Column::new("games", Phrase::same("games"), Kind::Count),
            Column::new("score", Phrase::same("score"), Kind::Percent { decimals: 1 }),
        ];
        let mut table = Table::new("first_moves", Phrase::same("t"), Phrase::same("n"), columns);
        table.push(vec!["e2,\"e4\"\nنقلة".into(), 3_u64.into(), (1.0 / 3.0).into()]);
        table.push(vec![Cell::Empty, Cell::Empty, f64::NAN.into()]);
        table.push(vec!["".into(), u64::MAX.into(), f64::INFINITY.into()]);
        table
    }

    #[test]
    fn a_csv_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        table().write_csv(&folder.path().join("new")).unwrap();
        let mut reader = csv::Reader::from_path(folder.path().join("new/first_moves.csv")).unwrap();
        assert_eq!(reader.headers().unwrap(), vec!["action", "games", "score"]);
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows[0], ["e2,\"e4\"\nنقلة", "3", "0.3333333333333333"]);
        assert_eq!(rows[1], ["", "", ""]);
        assert_eq!(rows[2], ["", "18446744073709551615", "inf"]);
    }

    #[test]
    fn a_parquet_file_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        table().write_parquet(folder.path(), &[("maydan.game".to_owned(), "toy".to_owned())]).unwrap();
        let file = File::open(folder.path().join("first_moves.parquet")).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let pairs = builder.metadata().file_metadata().key_value_metadata().unwrap();
        assert!(pairs.iter().any(|pair| pair.key == "maydan.game" && pair.value.as_deref() == Some("toy")));
        let batch = builder.build().unwrap().next().unwrap().unwrap();
        let texts: &StringArray = batch.column(0).as_any().downcast_ref().unwrap();
        let counts: &UInt64Array = batch.column(1).as_any().downcast_ref().unwrap();
        let shares: &Float64Array = batch.column(2).as_any().downcast_ref().unwrap();
        assert_eq!(texts.iter().collect::<Vec<_>>(), [Some("e2,\"e4\"\nنقلة"), None, Some("")]);
        assert_eq!(counts.iter().collect::<Vec<_>>(), [Some(3), None, Some(u64::MAX)]);
        assert_eq!(shares.iter().collect::<Vec<_>>(), [Some(1.0 / 3.0), None, Some(f64::INFINITY)]);
        assert!(shares.is_null(1), "not a number is null");
    }

    #[test]
    fn a_table_without_rows_has_its_columns() {
        let folder = tempfile::tempdir().unwrap();
        let table = Table { rows: Vec::new(), ..table() };
        table.write_csv(folder.path()).unwrap();
        table.write_parquet(folder.path(), &[]).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("first_moves.csv")).unwrap(), "action,games,score\n");
        let file = File::open(folder.path().join("first_moves.parquet")).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        assert_eq!(builder.schema().fields().len(), 3);
    }
}

//! The games of a file, one by one: only one game and a few thousand rows are in memory, whatever the file's length.

use std::path::Path;

use arrow_array::{Array, RecordBatch, UInt32Array};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

use super::{DataError, FileInfo, column::array, guard::guarded, reader::open_columns};

/// What every reader of games needs to tell one game from the next.
const FRAME: [&str; 3] = ["game_index", "ply", "game_plies"];

/// The rows of one whole game, in the order of its plies, at least one.
#[derive(Clone, Debug)]
pub struct GameRows(RecordBatch);

impl GameRows {
    /// Number of plies.
    pub fn plies(&self) -> usize {
        self.0.num_rows()
    }

    /// The game's index within its generation.
    pub fn index(&self) -> u32 {
        self.column::<UInt32Array>("game_index").value(0)
    }

    /// A column, as an array of the type that the [schema](super::schema) gives it.
    ///
    /// # Panics
    /// When the column was not asked for or holds something else.
    pub fn column<A: Array + 'static>(&self, name: &str) -> &A {
        array(&self.0, name)
    }
}

/// Opens a file for its games, with the named columns. The whole file is checked against its checksums first.
///
/// # Errors
/// When the file cannot be read, is damaged or is not a file of games of this schema; while iterating, when the rows of
/// a game are not whole.
pub fn read_games(path: &Path, names: &[&str]) -> Result<(FileInfo, GameReader), DataError> {
    let names: Vec<&str> = FRAME.iter().chain(names).copied().collect();
    let (info, reader) = open_columns(path, &names)?;
    Ok((info.clone(), GameReader { info, reader: Some(reader), rest: None, row: 0, games: 0, last: None }))
}

/// The games of a file. Ends after the first error.
pub struct GameReader {
    info: FileInfo,
    /// None after an error: the decoder of a damaged page says the same for ever.
    reader: Option<ParquetRecordBatchReader>,
    /// Rows that are decoded and not yet given out.
    rest: Option<RecordBatch>,
    /// Number of the next row.
    row: usize,
    /// Games so far.
    games: u64,
    /// Index of the last of them.
    last: Option<u32>,
}

impl Iterator for GameReader {
    type Item = Result<GameRows, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rest.take().map(Ok).or_else(|| self.decode()).or_else(|| self.end().map(Err))? {
            Ok(first) => {
                let game = self.game(first);
                if game.is_err() {
                    self.stop();
                }
                Some(game)
            }
            Err(error) => {
                self.stop();
                Some(Err(error))
            }
        }
    }
}

impl GameReader {
    fn decode(&mut self) -> Option<Result<RecordBatch, DataError>> {
        let reader = self.reader.as_mut()?;
        let path = &self.info.path;
        let batch = guarded(path, || reader.find(|batch| batch.as_ref().map_or(true, |b| b.num_rows() > 0)));
        match batch {
            Ok(batch) => batch.map(|batch| batch.map_err(|error| DataError::damaged(path, error))),
            Err(error) => Some(Err(error)),
        }
    }

    /// What is wrong with the number of games, once.
    fn end(&mut self) -> Option<DataError> {
        self.reader.take()?;
        let promised = self.info.manifest.games;
        let found = self.games;
        (found != promised).then(|| self.fault("game_index", format!("{promised} games promised, {found} are there")))
    }

    fn stop(&mut self) {
        self.rest = None;
        self.reader = None;
    }

    /// Gathers the game that begins with the first of `rows`, and keeps what follows it.
    fn game(&mut self, rows: RecordBatch) -> Result<GameRows, DataError> {
        let plies = array::<UInt32Array>(&rows, "game_plies").value(0) as usize;
        let (mut parts, mut missing) = (Vec::new(), plies);
        let mut next = Some(rows);
        while missing > 0 {
            let batch = match next.take() {
                Some(batch) => batch,
                None => match self.decode() {
                    Some(batch) => batch?,
                    None => return Err(self.fault("game_plies", format!("{plies} promised, {missing} are missing"))),
                },
            };
            let taken = missing.min(batch.num_rows());
            if taken < batch.num_rows() {
                self.rest = Some(batch.slice(taken, batch.num_rows() - taken));
            }
            parts.push(batch.slice(0, taken));
            missing -= taken;
        }
        let game = match parts.as_slice() {
            [] => return Err(self.fault("game_plies", "a game has at least one".to_owned())),
            [whole] => whole.clone(),
            parts => guarded(&self.info.path, || concat_batches(&parts[0].schema(), parts))?
                .map_err(|e| DataError::damaged(&self.info.path, e))?,
        };
        let game = GameRows(game);
        let [plies, indices]: [&UInt32Array; 2] = ["ply", "game_index"].map(|name| game.column(name));
        let index = game.index();
        if (0..game.plies()).any(|i| plies.value(i) as usize != i || indices.value(i) != index) {
            return Err(self.fault("ply", "the rows are not those of one game in order".to_owned()));
        }
        if let Some(last) = self.last.replace(index).filter(|&last| last >= index) {
            return Err(self.fault("game_index", format!("expected more than {last}, found {index}")));
        }
        self.row += game.plies();
        self.games += 1;
        Ok(game)
    }

    fn fault(&self, field: &'static str, reason: String) -> DataError {
        DataError::row(&self.info.path, self.row, field, reason)
    }
}

//! Floor 5: games on disk: the Parquet schema, the writer, the replay window, the batch reader.

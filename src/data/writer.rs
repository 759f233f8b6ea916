//! From finished games to a file: the same games give the same bytes.

use std::{io::Write, path::Path};

use arrow_array::RecordBatch;
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties},
    },
    schema::types::ColumnPath,
};

use super::{
    DataError,
    column::{TableBuilder, Type},
    record::{Decision, DecisionKind, GameRecord, Manifest},
    schema::{self, Games, Row, SCHEMA_VERSION, key},
    seal,
};
use crate::disk::write_file;

/// Writes whole games to `path`, which appears complete or not at all. `manifest` gets the index and number of the
/// games, and what their rows teach.
///
/// # Errors
/// When the disk refuses.
///
/// # Panics
/// When a decision's lists differ in length, which is a bug of the caller.
pub fn write_games(path: &Path, manifest: &Manifest, games: &[GameRecord]) -> Result<(), DataError> {
    let bytes = encode_games(manifest, games);
    Ok(write_file(path, |file| file.write_all(&bytes))?)
}

/// The bytes of the file that holds whole games: the same games give the same bytes.
///
/// # Panics
/// As [`write_games`].
pub fn encode_games(manifest: &Manifest, games: &[GameRecord]) -> Vec<u8> {
    let batch = record_batch(manifest, games);
    // Writing to memory cannot fail, and the batch was built from the very schema.
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties())).expect("a valid schema");
    writer.write(&batch).expect("columns of the schema");
    writer.flush().expect("memory");
    for (key, value) in metadata(manifest, games) {
        writer.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
    }
    writer.write_all(&[0; seal::LENGTH]).expect("memory");
    let mut bytes = writer.into_inner().expect("memory");
    seal::seal(&mut bytes);
    bytes
}

fn properties() -> WriterProperties {
    let builder = WriterProperties::builder()
        .set_created_by("maydan".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).expect("3 is a zstd level")))
        // Files are read whole or by column, never by page; and the seal must stand right before the footer.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false);
    // A dictionary makes most columns larger; it pays where many rows share a text.
    schema::columns()
        .filter(|column| column.ty == Type::Word)
        .fold(builder, |builder, column| builder.set_column_dictionary_enabled(ColumnPath::from(column.name), true))
        .build()
}

fn metadata(manifest: &Manifest, games: &[GameRecord]) -> Vec<(&'static str, String)> {
    vec![
        (key::SCHEMA, SCHEMA_VERSION.to_string()),
        (key::GAME, manifest.ruleset.game.clone()),
        (key::RULESET, manifest.ruleset.hash.clone()),
        (key::OPTIONS, manifest.ruleset.options.to_string()),
        (key::ENCODING, manifest.encoding.to_string()),
        (key::HEIGHT, manifest.height.to_string()),
        (key::WIDTH, manifest.width.to_string()),
        (key::PLANES, manifest.planes.to_string()),
        (key::SCALARS, manifest.scalars.to_string()),
        (key::ACTIONS, manifest.actions.to_string()),
        (key::SEED, manifest.seed.to_string()),
        (key::GENERATION, manifest.generation.to_string()),
        (key::CHECKPOINT, manifest.checkpoint.clone()),
        (key::FIRST_GAME, games.first().map_or(0, |game| game.index).to_string()),
        (key::GAMES, games.len().to_string()),
        (key::FULL_ROWS, rows(games, DecisionKind::Full).to_string()),
        (key::CHEAP_ROWS, rows(games, DecisionKind::Cheap).to_string()),
        (key::ACTION_KINDS, manifest.action_kinds.join(" ")),
        (key::ZONE_KINDS, manifest.zone_kinds.clone()),
    ]
}

fn rows(games: &[GameRecord], kind: DecisionKind) -> usize {
    games.iter().flat_map(|game| &game.decisions).filter(|decision| decision.kind == kind).count()
}

fn record_batch(manifest: &Manifest, games: &[GameRecord]) -> RecordBatch {
    let mut rows = TableBuilder::<Games>::default();
    for game in games {
        for (ply, decision) in game.decisions.iter().enumerate() {
            assert_lengths(decision);
            rows.push(&Row { manifest, game, ply });
        }
    }
    rows.take(schema::schema())
}

fn assert_lengths(decision: &Decision) {
    let legal = decision.legal.len();
    assert_eq!(decision.legal_kinds.len(), legal, "one kind a legal action");
    for list in [decision.policy.len(), decision.visits.len(), decision.q.len()] {
        assert!(list == if decision.kind.is_searched() { legal } else { 0 }, "one entry a legal action");
    }
}

//! From finished games to a file: the same games give the same bytes.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{
        ArrayBuilder, BinaryBuilder, BooleanBuilder, Float32Builder, Int8Builder, ListBuilder, StringBuilder,
        UInt8Builder, UInt16Builder, UInt32Builder,
    },
};
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
    record::{Decision, GameRecord, Manifest},
    schema::{self, SCHEMA_VERSION, Type, key},
    seal,
};
use crate::game::Wdl;

/// The folder of a generation inside a run's data folder: `gen-000042`.
pub fn generation_dir(run_dir: &Path, generation: u64) -> PathBuf {
    run_dir.join(format!("gen-{generation:06}"))
}

/// File number `chunk` of a generation: `0007.parquet`.
pub fn chunk_path(generation_dir: &Path, chunk: u64) -> PathBuf {
    generation_dir.join(format!("{chunk:04}.parquet"))
}

/// Writes whole games to `path`, which appears complete or not at all. `manifest` gets the index and number of the games.
///
/// # Errors
/// When the disk refuses.
///
/// # Panics
/// When a decision's lists differ in length, which is a bug of whoever made the record.
pub fn write_games(path: &Path, manifest: &Manifest, games: &[GameRecord]) -> Result<(), DataError> {
    let bytes = encode_games(manifest, games);
    let io = || DataError::io(path);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(io())?;
    let temporary = path.with_extension("parquet.tmp");
    let mut file = File::create(&temporary).map_err(io())?;
    file.write_all(&bytes).map_err(io())?;
    file.sync_all().map_err(io())?;
    fs::rename(&temporary, path).map_err(io())?;
    // The rename itself lies in the folder, which is synced where the system can.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(io())?;
    }
    Ok(())
}

/// The bytes of the file that holds `games`.
fn encode_games(manifest: &Manifest, games: &[GameRecord]) -> Vec<u8> {
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
    // A dictionary makes most columns larger; it pays where a text takes one of a few values.
    schema::columns()
        .filter(|column| column.ty == Type::Text && !["position", "action"].contains(&column.name))
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
        (key::SEED, manifest.seed.to_string()),
        (key::GENERATION, manifest.generation.to_string()),
        (key::CHECKPOINT, manifest.checkpoint.clone()),
        (key::FIRST_GAME, games.first().map_or(0, |game| game.index).to_string()),
        (key::GAMES, games.len().to_string()),
        (key::ACTION_KINDS, manifest.action_kinds.join(" ")),
        (key::ZONE_KINDS, manifest.zone_kinds.clone()),
    ]
}

fn record_batch(manifest: &Manifest, games: &[GameRecord]) -> RecordBatch {
    let mut columns = Columns::default();
    for game in games {
        for (ply, decision) in game.decisions.iter().enumerate() {
            columns.push(manifest, game, ply, decision);
        }
    }
    RecordBatch::try_new(schema::schema(), columns.finish()).expect("columns in the order of the schema")
}

/// One builder a column, in the order of the schema.
#[derive(Default)]
struct Columns {
    planes: BinaryBuilder,
    scalars: ListBuilder<Float32Builder>,
    legal: ListBuilder<UInt32Builder>,
    policy: ListBuilder<Float32Builder>,
    value: Int8Builder,
    root: [Float32Builder; 3],
    moves_left: UInt32Builder,
    decision: StringBuilder,
    mirror: BooleanBuilder,
    game_id: StringBuilder,
    generation: UInt32Builder,
    game_index: UInt32Builder,
    ply: UInt32Builder,
    side: StringBuilder,
    position: StringBuilder,
    action: StringBuilder,
    action_kind: StringBuilder,
    legal_kinds: ListBuilder<UInt8Builder>,
    zones: [ListBuilder<UInt8Builder>; 2],
    chosen: UInt16Builder,
    visits: ListBuilder<UInt32Builder>,
    q: ListBuilder<Float32Builder>,
    chosen_visits: UInt32Builder,
    total_visits: UInt32Builder,
    chosen_prior: Float32Builder,
    net: [Float32Builder; 3],
    result: StringBuilder,
    reason: StringBuilder,
    game_plies: UInt32Builder,
    overruled: StringBuilder,
    checkpoint: StringBuilder,
    ruleset: StringBuilder,
}

impl Columns {
    fn push(&mut self, manifest: &Manifest, game: &GameRecord, ply: usize, decision: &Decision) {
        let legal = decision.legal.len();
        assert_eq!(decision.legal_kinds.len(), legal, "one kind a legal action");
        for list in [decision.policy.len(), decision.visits.len(), decision.q.len()] {
            assert!(list == if decision.kind.is_searched() { legal } else { 0 }, "one entry a legal action");
        }
        let bytes: Vec<u8> = game.rows.bits(ply).iter().flat_map(|word| word.to_le_bytes()).collect();
        self.planes.append_value(bytes);
        self.scalars.append_value(game.rows.scalars(ply).iter().copied().map(Some));
        self.legal.append_value(decision.legal.iter().copied().map(Some));
        self.policy.append_value(decision.policy.iter().copied().map(Some));
        self.value.append_value(game.outcome.value_for(decision.side) as i8);
        append_wdl(&mut self.root, decision.root_wdl);
        self.moves_left.append_value((game.decisions.len() - ply) as u32);
        self.decision.append_value(decision.kind.name());
        self.mirror.append_value(decision.mirror);

        self.game_id.append_value(format!("{:06}-{:06}", manifest.generation, game.index));
        self.generation.append_value(manifest.generation as u32);
        self.game_index.append_value(game.index as u32);
        self.ply.append_value(ply as u32);
        self.side.append_value(decision.side.name());
        self.position.append_value(&decision.position);
        self.action.append_value(&decision.action);
        let kind = usize::from(decision.legal_kinds[decision.chosen]);
        self.action_kind.append_value(&manifest.action_kinds[kind]);
        self.legal_kinds.append_value(decision.legal_kinds.iter().copied().map(Some));
        for (column, zone) in self.zones.iter_mut().zip(&decision.zones) {
            column.append_value(zone.iter().copied().map(Some));
        }
        self.chosen.append_value(decision.chosen as u16);
        self.visits.append_value(decision.visits.iter().copied().map(Some));
        self.q.append_value(decision.q.iter().copied());
        self.chosen_visits.append_value(decision.visits.get(decision.chosen).copied().unwrap_or(0));
        self.total_visits.append_value(decision.visits.iter().sum());
        self.chosen_prior.append_option(decision.prior);
        append_wdl(&mut self.net, decision.net_wdl);
        self.result.append_value(game.outcome.result_name());
        self.reason.append_value(game.outcome.reason.name());
        self.game_plies.append_value(game.decisions.len() as u32);
        self.overruled.append_option(game.overruled.map(|outcome| outcome.result_name()));
        self.checkpoint.append_value(&manifest.checkpoint);
        self.ruleset.append_value(&manifest.ruleset.hash);
    }

    fn finish(mut self) -> Vec<ArrayRef> {
        let [root_win, root_draw, root_loss] = &mut self.root;
        let [zone_white, zone_black] = &mut self.zones;
        let [net_win, net_draw, net_loss] = &mut self.net;
        let builders: Vec<&mut dyn ArrayBuilder> = vec![
            &mut self.planes,
            &mut self.scalars,
            &mut self.legal,
            &mut self.policy,
            &mut self.value,
            root_win,
            root_draw,
            root_loss,
            &mut self.moves_left,
            &mut self.decision,
            &mut self.mirror,
            &mut self.game_id,
            &mut self.generation,
            &mut self.game_index,
            &mut self.ply,
            &mut self.side,
            &mut self.position,
            &mut self.action,
            &mut self.action_kind,
            &mut self.legal_kinds,
            zone_white,
            zone_black,
            &mut self.chosen,
            &mut self.visits,
            &mut self.q,
            &mut self.chosen_visits,
            &mut self.total_visits,
            &mut self.chosen_prior,
            net_win,
            net_draw,
            net_loss,
            &mut self.result,
            &mut self.reason,
            &mut self.game_plies,
            &mut self.overruled,
            &mut self.checkpoint,
            &mut self.ruleset,
        ];
        builders.into_iter().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect()
    }
}

fn append_wdl(columns: &mut [Float32Builder; 3], wdl: Option<Wdl>) {
    for (i, column) in columns.iter_mut().enumerate() {
        column.append_option(wdl.map(|wdl| wdl.to_array()[i]));
    }
}

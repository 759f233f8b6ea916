//! Files of games: read back exactly, and never trusted.

use crate::support::{by_hand::by_hand, toy};

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use arrow_array::{Array, RecordBatch, cast::AsArray, types::*};
use maydan::{
    data::{self, DataError, Samples, TrainingBatch, WindowConfig, read_columns, replay, schema},
    encode::Rows,
    game::{Encode, Facts, Game, Playable, shatara::Shatara},
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig},
};
use toy::TicTacToe;

/// Plays one file of games.
fn play<R: Playable>(game: &Game<R>, run_dir: &Path, number: u64, games: u64) -> PathBuf {
    let mut config = SelfPlayConfig { games, games_per_file: games, shards: 1, slots: 8, ..SelfPlayConfig::default() };
    config.search.playouts = 6;
    config.search.considered_actions = 4;
    config.playout_cap.full_share = 0.5;
    config.playout_cap.cheap_playouts = 2;
    config.opening.max_plies = 4;
    config.max_plies = 40;
    let generation = Generation { game, config: &config, seed: 11, number, checkpoint: "uniform", run_dir };
    let played =
        generation.run(&|_| Ok(Box::new(Uniform { batch_size: 8 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert!(played.complete);
    data::chunk_path(&data::generation_dir(run_dir, number), 0)
}

fn all_columns(path: &Path) -> RecordBatch {
    let names: Vec<&str> = schema::columns().map(|column| column.name).collect();
    let (info, mut batches) = read_columns(path, &names).unwrap();
    assert_eq!((batches.len(), info.rows), (1, batches[0].num_rows() as u64));
    batches.remove(0)
}

#[test]
fn the_readme_is_the_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/README.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, schema::readme()).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap();
    assert!(found == schema::readme(), "data/README.md is out of date: run this test with UPDATE_GOLDEN=1");
}

#[test]
fn the_columns_of_a_row_agree() {
    let dir = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let batch = all_columns(&play(&game, dir.path(), 0, 6));
    let text = |name: &str, row: usize| batch[name].as_string::<i32>().value(row).to_owned();
    let count = |name: &str, row: usize| batch[name].as_primitive::<UInt32Type>().value(row) as usize;
    let mut seen = std::collections::BTreeSet::new();
    let mut legal = Vec::new();
    for row in 0..batch.num_rows() {
        let position = game.parse_position(&text("position", row)).unwrap();
        game.legal_actions(&position, &mut legal);
        let chosen = usize::from(batch["chosen"].as_primitive::<UInt16Type>().value(row));
        let action = legal[chosen];
        assert_eq!(text("action", row), action.to_string());
        let indices = batch["legal"].as_list::<i32>().value(row);
        let expected: Vec<u32> = legal.iter().map(|&a| game.rules().action_index(&position, a) as u32).collect();
        assert_eq!(indices.as_primitive::<UInt32Type>().values(), &expected[..]);
        let kinds = batch["legal_kinds"].as_list::<i32>().value(row);
        let kind = usize::from(kinds.as_primitive::<UInt8Type>().value(chosen));
        assert_eq!(text("action_kind", row), Shatara::ACTION_KINDS[kind]);
        assert_eq!(kind, game.rules().action_kind(&position, action));
        let side = game.side_to_move(&position);
        assert_eq!(text("side", row), side.to_string());
        let value = batch["value"].as_primitive::<Int8Type>().value(row);
        let result = text("result", row);
        assert_eq!(
            value,
            if result == "draw" {
                0
            } else if result == side.to_string() {
                1
            } else {
                -1
            }
        );
        assert_eq!(count("ply", row) + count("moves_left", row), count("game_plies", row));
        let zone = batch["zone_white"].as_list::<i32>().value(row);
        assert_eq!(
            zone.as_primitive::<UInt8Type>().values(),
            &game.rules().zone(&position, maydan::game::Side::White)[..]
        );

        let decision = text("decision", row);
        let searched = decision == "full" || decision == "cheap";
        let visits = batch["visits"].as_list::<i32>().value(row);
        let visits = visits.as_primitive::<UInt32Type>().values();
        assert_eq!(visits.len(), if searched { legal.len() } else { 0 });
        assert_eq!(visits.iter().sum::<u32>() as usize, count("total_visits", row));
        assert_eq!(visits.get(chosen).map_or(0, |&v| v as usize), count("chosen_visits", row));
        let q = batch["q"].as_list::<i32>().value(row);
        let q = q.as_primitive::<Float32Type>();
        assert!((0..q.len()).all(|i| q.is_valid(i) == (visits[i] > 0) || q.value(i).abs() == 1.0 || q.value(i) == 0.0));
        assert_eq!(batch["root_win"].is_valid(row), searched);
        assert_eq!(batch["net_win"].is_valid(row), decision != "forced");
        seen.insert(decision);
    }
    assert!(["full", "cheap", "opening"].iter().all(|&kind| seen.contains(kind)), "{seen:?}");
}

#[test]
fn games_are_rebuilt_exactly() {
    let dir = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let path = play(&game, dir.path(), 5, 6);
    let batch = all_columns(&path);
    let actions = batch["action"].as_string::<i32>();
    let games = replay(&game, &path).unwrap();
    assert_eq!(games.len(), 6);
    let mut row = 0;
    for replayed in &games {
        assert_eq!((replayed.generation, replayed.start), (5, game.start()));
        let mut position = replayed.start;
        for &action in &replayed.actions {
            assert_eq!(action.to_string(), actions.value(row));
            game.apply(&mut position, action);
            row += 1;
        }
        assert_eq!(position, replayed.end);
    }
    assert_eq!(row, batch.num_rows());
}

/// The lambda of value targets that are the rows' own searches.
const OWN_VALUES: f32 = 0.0;

#[test]
fn samples_are_the_searched_rows() {
    let dir = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let path = play(&game, dir.path(), 0, 4);
    let columns = all_columns(&path);
    let samples = Samples::read(&path, game.ruleset(), game.layout(), &WindowConfig::default(), OWN_VALUES).unwrap();
    let decisions = columns["decision"].as_string::<i32>();
    let searched: Vec<usize> =
        (0..columns.num_rows()).filter(|&row| ["full", "cheap"].contains(&decisions.value(row))).collect();
    assert_eq!(samples.len(), searched.len());

    let mut batch = TrainingBatch::new(game.layout());
    for (i, &row) in searched.iter().enumerate() {
        samples.add_to(&mut batch, i, None);
        let position = game.parse_position(columns["position"].as_string::<i32>().value(row)).unwrap();
        let mut expected = Rows::new(game.layout());
        expected.push(&game, &position, 0);
        assert_eq!(batch.rows.bits(i), expected.bits(0));
        assert_eq!(batch.policy_mask[i], if decisions.value(row) == "full" { 1.0 } else { 0.0 });
        let value = f32::from(columns["value"].as_primitive::<Int8Type>().value(row));
        assert_eq!(batch.wdl[i].value(), value);
        assert_eq!(batch.search_wdl[i].win, columns["root_win"].as_primitive::<Float32Type>().value(row));
        let policy = &batch.policy[batch.offsets[i]..batch.offsets[i + 1]];
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
    assert_eq!(batch.len(), searched.len());
}

#[test]
fn without_cheap_rows_the_full_ones_are_left_with_the_same_values() {
    let dir = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let path = play(&game, dir.path(), 0, 4);
    let drawn = |cheap_rows| {
        let window = WindowConfig { cheap_rows, ..WindowConfig::default() };
        let samples = Samples::read(&path, game.ruleset(), game.layout(), &window, 0.5).unwrap();
        let mut batch = TrainingBatch::new(game.layout());
        (0..samples.len()).for_each(|i| samples.add_to(&mut batch, i, None));
        let values = batch.search_wdl.into_iter().zip(batch.policy_mask);
        values.collect::<Vec<_>>()
    };
    let (all, full) = (drawn(true), drawn(false));
    assert!(full.len() < all.len());
    assert_eq!(full, all.into_iter().filter(|(_, mask)| *mask == 1.0).collect::<Vec<_>>());
}

#[test]
fn a_mirrored_row_is_the_row_of_the_mirrored_position() {
    let dir = tempfile::tempdir().unwrap();
    let game = TicTacToe::game();
    let path = play(&game, dir.path(), 0, 10);
    let samples = Samples::read(&path, game.ruleset(), game.layout(), &WindowConfig::default(), OWN_VALUES).unwrap();
    let mirrored = maydan::encode::mirror_actions(&game);
    let (mut plain, mut turned) = (TrainingBatch::new(game.layout()), TrainingBatch::new(game.layout()));
    for i in 0..samples.len() {
        samples.add_to(&mut plain, i, None);
        samples.add_to(&mut turned, i, Some(&mirrored));
        // Columns of the toy's board: bits 0, 3, 6 and 2, 5, 8 change places.
        for (&a, &b) in plain.rows.bits(i).iter().zip(turned.rows.bits(i)) {
            assert_eq!(b, (a & 0o111) << 2 | a & 0o222 | (a & 0o444) >> 2);
        }
        // What is legal is what is free.
        let taken = turned.rows.bits(i)[0] | turned.rows.bits(i)[1];
        let legal = &turned.legal[turned.offsets[i]..turned.offsets[i + 1]];
        assert!(legal.iter().all(|&square| taken >> square & 1 == 0));
    }
    assert_eq!(plain.policy, turned.policy);
}

#[test]
fn damage_anywhere_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let game = TicTacToe::game();
    let path = play(&game, dir.path(), 0, 10);
    let whole = fs::read(&path).unwrap();
    let broken = dir.path().join("broken.parquet");
    for length in (0..whole.len()).step_by(97) {
        fs::write(&broken, &whole[..length]).unwrap();
        assert!(matches!(read_columns(&broken, &["ply"]), Err(DataError::Damaged { .. })), "cut to {length} bytes");
    }
    for place in (0..whole.len() - 1000).step_by(17).chain(whole.len() - 1000..whole.len()) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::write(&broken, &bytes).unwrap();
        assert!(read_columns(&broken, &["ply"]).is_err(), "byte {place} of {} changed", whole.len());
        // What only looks at the footer sees what is wrong there.
        if place >= whole.len() - 1000 {
            assert!(data::inspect(&broken).is_err(), "byte {place} of {} changed", whole.len());
        }
    }
}

#[test]
fn foreign_files_are_complained_of_and_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let game = TicTacToe::game();
    let path = play(&game, dir.path(), 0, 4);
    play(&game, dir.path(), 1, 4);
    let folder = path.parent().unwrap();
    fs::write(folder.join("0001.parquet"), "not Parquet").unwrap();
    fs::write(folder.join("0002.parquet.partial"), "half").unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    foreign_parquet(&folder.join("0003.parquet"));
    let scan = data::scan(dir.path(), 0..2, game.ruleset(), 1).unwrap();
    assert_eq!(scan.files.iter().map(|file| file.manifest.generation).collect::<Vec<_>>(), [0, 1]);
    let complaints: Vec<String> = scan.complaints.iter().map(ToString::to_string).collect();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].contains("0001.parquet: not a whole Parquet file"), "{complaints:?}");
    assert!(complaints[1].contains("0003.parquet: not a file of games: seal"), "{complaints:?}");
    assert_eq!(data::scan(&dir.path().join("nowhere"), 0..9, game.ruleset(), 1).unwrap().files.len(), 0);
}

/// Parquet of somebody else's.
fn foreign_parquet(path: &Path) {
    let column = std::sync::Arc::new(arrow_array::Int32Array::from(vec![1, 2, 3])) as arrow_array::ArrayRef;
    let batch = RecordBatch::try_from_iter([("n", column)]).unwrap();
    let file = fs::File::create(path).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn rulesets_are_not_mixed() {
    let dir = tempfile::tempdir().unwrap();
    let standard = Shatara::game(&toml::Table::new()).unwrap();
    let without = Shatara::game(&toml::from_str("ladder = false").unwrap()).unwrap();
    let path = play(&standard, dir.path(), 0, 2);
    let version = standard.layout().version;
    for error in [
        data::scan(dir.path(), 0..1, without.ruleset(), version).map(|_| ()).unwrap_err(),
        replay(&without, &path).map(|_| ()).unwrap_err(),
        Samples::read(&path, without.ruleset(), without.layout(), &WindowConfig::default(), OWN_VALUES)
            .map(|_| ())
            .unwrap_err(),
    ] {
        let message = error.to_string();
        assert!(matches!(error, DataError::Ruleset { .. }));
        for named in ["0000.parquet", &standard.ruleset().to_string(), &without.ruleset().to_string()] {
            assert!(message.contains(named), "{message}");
        }
    }
    let error = data::scan(dir.path(), 0..1, standard.ruleset(), version + 1).unwrap().complaints.remove(0);
    assert!(error.to_string().contains("maydan.encoding"), "{error}");
}

#[test]
fn an_action_that_the_rules_do_not_allow_is_named_with_its_row() {
    let dir = tempfile::tempdir().unwrap();
    let game = TicTacToe::game();
    play(&game, dir.path(), 0, 3);
    let record = by_hand(&[4, 0], None);
    let manifest = data::Manifest::new(&game, 0, 0, "hand");
    let path = dir.path().join("hand.parquet");
    data::write_games(&path, &manifest, std::slice::from_ref(&record)).unwrap();
    assert_eq!(replay(&game, &path).unwrap()[0].actions, [4, 0]);

    type Spoil = fn(&mut data::GameRecord);
    let faults: [(&str, Spoil); 4] = [
        ("row 1: action: `4` is not a legal action", |record| record.decisions[1].action = "4".into()),
        ("row 1: position: expected `....x.... b`", |record| record.decisions[1].position = "...x..... b".into()),
        ("row 0: position: position field `placement`", |record| record.decisions[0].position = "? w".into()),
        ("row 1: result: the rules do not end the game in white checkmate", |record| {
            record.outcome = maydan::game::Outcome::win(maydan::game::Side::White, maydan::game::Reason::Checkmate);
        }),
    ];
    for (expected, spoil) in faults {
        let mut spoilt = record.clone();
        spoil(&mut spoilt);
        data::write_games(&path, &manifest, &[spoilt]).unwrap();
        let message = replay(&game, &path).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains("hand.parquet") && message.contains(expected), "{message}");
    }
}

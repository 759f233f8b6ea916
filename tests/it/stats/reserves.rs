//! Reserve statistics against a slow second way: pieces followed by the actions themselves, numbers taken from the rows
//! one by one.

use crate::support::played;

use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
    process::Command,
};

use arrow_array::{Array, RecordBatch, cast::AsArray, types::*};
use maydan::{
    board::Square,
    data::{list_files, read_columns, replay},
    game::{
        Facts, Game, Playable, Reason, Side,
        omega::advanced::OmegaAdvanced,
        registry::{self, GameVisitor, IDS},
        shatara::{ActionKind, Shatara},
    },
    stats::{
        Runs,
        reserves::{Reserves, columns_table},
    },
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// Plays a small run called `run` and gives the paths of its files.
fn play<R: Playable>(game: &Game<R>, root: &Path, games: u64) -> Vec<PathBuf> {
    let run_dir = root.join("data/run");
    played::play(game, &run_dir, 1, games);
    list_files(&run_dir, 0..1).unwrap()
}

/// The event table of the run in `root`.
fn event_table(root: &Path) -> Vec<RecordBatch> {
    let runs = Runs::open(root, &["run".to_owned()], 0..=u64::MAX).unwrap();
    let mut reserves = Reserves::new(&runs, 5, Some(root)).unwrap();
    let skipped = runs.for_each(&mut |_| {}, |game| reserves.add(&game)).unwrap();
    assert!(skipped.0.is_empty());
    let events = reserves.events();
    let path = reserves.finish().unwrap().1.unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().build().unwrap();
    let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>() as u64, events);
    batches
}

/// What both ways must agree on.
#[derive(Debug, PartialEq)]
struct Event {
    kind: String,
    side: String,
    action: String,
    ranks: (Option<char>, char, char),
    zones: (Vec<u32>, Vec<u32>),
    captured: Option<u64>,
    legal: (u64, u64),
    values: [Option<f64>; 3],
    score: Option<f64>,
}

#[test]
fn events_are_those_of_pieces_followed_by_hand() {
    let root = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let files = play(&game, root.path(), 60);
    let expected: BTreeMap<_, _> = files.iter().flat_map(|path| followed(&game, path)).collect();
    let mut found = BTreeMap::new();
    for batch in event_table(root.path()) {
        for row in 0..batch.num_rows() {
            let text = |name: &str| {
                let column = batch[name].as_string::<i32>();
                (!column.is_null(row)).then(|| column.value(row).to_owned())
            };
            let letter = |name: &str| text(name).map(|text| text.chars().next().unwrap());
            let count = |name: &str| {
                let column = batch[name].as_primitive::<UInt64Type>();
                (!column.is_null(row)).then(|| column.value(row))
            };
            let number = |name: &str| {
                let column = batch[name].as_primitive::<Float64Type>();
                (!column.is_null(row)).then(|| column.value(row))
            };
            let pieces = |name: &str| {
                let list = batch[name].as_list::<i32>().value(row);
                list.as_primitive::<UInt32Type>().values().to_vec()
            };
            let event = Event {
                kind: text("kind").unwrap(),
                side: text("side").unwrap(),
                action: text("action").unwrap(),
                ranks: (letter("from_rank"), letter("to_rank").unwrap(), letter("final_rank").unwrap()),
                zones: (pieces("zone_before"), pieces("zone_after")),
                captured: count("captured_ply"),
                legal: (count("legal").unwrap(), count("legal_same_kind").unwrap()),
                values: [number("root_value"), number("q"), number("delta_q")],
                score: number("score"),
            };
            assert_eq!(text("square").unwrap(), event.action[2..4], "{event:?}");
            found.insert((text("game").unwrap(), count("ply").unwrap()), event);
        }
    }
    assert!(expected.len() > 300, "{}", expected.len());
    let kinds = |kind: &str| expected.values().filter(|event| event.kind == kind).count();
    assert!(kinds("ladder") > 20 && kinds("reinforcement") > 20 && kinds("promotion") > 0);
    assert!(expected.values().any(|event| event.values[2].is_some()));
    assert!(
        expected.values().any(|event| event.score.is_none()) && expected.values().any(|event| event.score.is_some())
    );
    assert_eq!(found.len(), expected.len());
    for (key, event) in &expected {
        assert_eq!(found.get(key), Some(event), "{key:?}");
    }
}

/// The events of a file, by following each piece from square to square by the actions.
fn followed(game: &Game<Shatara>, path: &Path) -> BTreeMap<(String, u64), Event> {
    let names = ["game_id", "ply", "legal_kinds", "chosen", "q", "root_win", "root_loss"];
    let (_, batches) = read_columns(path, &names).unwrap();
    let [rows] = batches.as_slice() else { panic!("one batch") };
    let (mut row, mut events) = (0, BTreeMap::new());
    for replayed in replay(game, path).unwrap() {
        let plies = replayed.actions.len();
        let mut position = replayed.start;
        let mut positions = vec![position];
        for &action in &replayed.actions {
            game.apply(&mut position, action);
            positions.push(position);
        }
        let boards: Vec<String> = positions.iter().map(|position| position.to_string()).collect();
        let letter = |number: usize, square: Square| piece_at(boards[number].split('[').next().unwrap(), square);
        for (ply, &action) in replayed.actions.iter().enumerate() {
            let (before, after) = (&positions[ply], &positions[ply + 1]);
            let side = game.side_to_move(before);
            let (kind, from_rank) = match action.kind() {
                ActionKind::Promotion(_) => ("promotion", Some('P')),
                ActionKind::Ladder(_) => ("ladder", letter(ply, action.from())),
                ActionKind::Reinforcement => ("reinforcement", None),
                _ => {
                    row += 1;
                    continue;
                }
            };
            let mut square = action.to();
            let (mut captured, mut final_rank) = (None, letter(ply + 1, square).unwrap());
            for (later, &next) in replayed.actions.iter().enumerate().skip(ply + 1) {
                let own = game.side_to_move(&positions[later]) == side;
                let castled = match (own && next.kind() == ActionKind::Castling, square.to_string().as_str()) {
                    (true, "h1") if next.to().to_string() == "g1" => Some("f1"),
                    (true, "a1") if next.to().to_string() == "c1" => Some("d1"),
                    (true, "h8") if next.to().to_string() == "g8" => Some("f8"),
                    (true, "a8") if next.to().to_string() == "c8" => Some("d8"),
                    _ => None,
                };
                if let Some(to) = castled {
                    square = to.parse().unwrap();
                } else if own && next.kind() != ActionKind::Reinforcement && next.from() == square {
                    square = next.to();
                    final_rank = letter(later + 1, square).unwrap();
                } else if !own
                    && next.kind() != ActionKind::Reinforcement
                    && letter(later + 1, square).is_none_or(|piece| piece.is_ascii_uppercase() != (side == Side::White))
                {
                    captured = Some(later as u64);
                    break;
                }
            }
            let list = |name: &str| rows[name].as_list::<i32>().value(row);
            let kinds = list("legal_kinds").as_primitive::<UInt8Type>().values().to_vec();
            let chosen = usize::from(rows["chosen"].as_primitive::<UInt16Type>().value(row));
            let number = |name: &str| {
                let column = rows[name].as_primitive::<Float32Type>();
                (!column.is_null(row)).then(|| f64::from(column.value(row)))
            };
            let q: Vec<Option<f64>> =
                list("q").as_primitive::<Float32Type>().iter().map(|value| value.map(f64::from)).collect();
            let own = q.get(chosen).copied().flatten();
            let best = (0..q.len())
                .filter(|&i| kinds[i] < 4)
                .filter_map(|i| q[i])
                .fold(None, |best: Option<f64>, value| Some(best.map_or(value, |best| best.max(value))));
            let zone = |position| game.rules().zone(position, side).into_iter().map(u32::from).collect();
            let event = Event {
                kind: kind.to_owned(),
                side: side.to_string(),
                action: action.to_string(),
                ranks: (
                    from_rank.map(|rank| rank.to_ascii_uppercase()),
                    letter(ply + 1, action.to()).unwrap().to_ascii_uppercase(),
                    final_rank.to_ascii_uppercase(),
                ),
                zones: (zone(before), zone(after)),
                captured,
                legal: (kinds.len() as u64, kinds.iter().filter(|&&other| other == kinds[chosen]).count() as u64),
                values: [
                    number("root_win").and_then(|win| Some(win - number("root_loss")?)),
                    own,
                    own.and_then(|own| Some(own - best?)),
                ],
                score: (replayed.outcome.reason != Reason::CutOff)
                    .then(|| f64::midpoint(1.0, f64::from(replayed.outcome.value_for(side)))),
            };
            events.insert((rows["game_id"].as_string::<i32>().value(row).to_owned(), ply as u64), event);
            row += 1;
        }
        assert_eq!(positions.len(), plies + 1);
    }
    events
}

/// The letter on a square of an 8x8 placement.
fn piece_at(placement: &str, square: Square) -> Option<char> {
    let name = square.to_string();
    let (file, rank) = (name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1');
    let row = placement.split('/').nth(7 - usize::from(rank)).unwrap();
    let places = row.chars().flat_map(|letter| match letter.to_digit(10) {
        Some(run) => vec![None; run as usize],
        None => vec![Some(letter)],
    });
    places.collect::<Vec<_>>()[usize::from(file)]
}

#[test]
fn every_game_has_an_event_for_each_action_of_a_reserve_kind() {
    struct Count;
    impl GameVisitor for Count {
        type Output = ();

        fn visit<R: Playable>(self, game: Game<R>) {
            let root = tempfile::tempdir().unwrap();
            let files = play(&game, root.path(), 6);
            let batches: Vec<RecordBatch> =
                files.iter().flat_map(|path| read_columns(path, &["action_kind"]).unwrap().1).collect();
            let kinds = batches.iter().flat_map(|batch| batch["action_kind"].as_string::<i32>().iter().flatten());
            let expected = kinds.filter(|kind| R::RESERVE_KINDS.contains(kind)).count();
            let decided = event_table(root.path()).into_iter().map(|batch| {
                batch["decision"].as_string::<i32>().iter().flatten().filter(|decision| *decision != "waiting").count()
            });
            assert_eq!(decided.sum::<usize>(), expected, "{}", game.ruleset());
        }
    }
    for id in IDS {
        registry::with_game(id, &toml::Table::new(), Count).unwrap();
    }
}

/// A piece that comes on in the place of another: which one's move brought it, and where it stands.
#[test]
fn a_fool_enters_by_another_mans_first_move() {
    let root = tempfile::tempdir().unwrap();
    play(&OmegaAdvanced::game(&toml::Table::new()).unwrap(), root.path(), 20);
    let mut entries = 0;
    for batch in event_table(root.path()) {
        let [kinds, actions, squares, ranks, came, brought] =
            ["kind", "action", "square", "to_rank", "from_rank", "by_rank"].map(|name| batch[name].as_string::<i32>());
        for row in (0..batch.num_rows()).filter(|&row| kinds.value(row) == "entry") {
            let (action, from, to) = (actions.value(row), &actions.value(row)[..2], &actions.value(row)[2..4]);
            let mover = match &from[..1] {
                "a" | "j" => "C",
                "b" | "i" => "R",
                "c" | "h" => "N",
                "d" | "g" => "B",
                "e" => "Q",
                "f" => "K",
                _ => "W",
            };
            let rook = match (mover, &to[..1]) {
                ("K", "h") => from.replace('f', "i"),
                ("K", "d") => from.replace('f', "b"),
                _ => to.to_owned(),
            };
            let square = if action.ends_with('f') { from } else { &rook };
            assert_eq!((squares.value(row), brought.value(row), ranks.value(row)), (square, mover, "F"), "{action}");
            assert!(came.is_null(row), "{action}");
            entries += 1;
        }
    }
    assert!(entries > 20, "{entries}");
}

#[test]
fn the_page_on_statistics_has_the_columns() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/statistics.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, found) = page.split_at(page.find("| column | type |").unwrap_or(page.len()));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, format!("{head}{}", columns_table())).unwrap();
    } else {
        assert_eq!(found, columns_table(), "docs/statistics.md is out of date: run this test with UPDATE_GOLDEN=1");
    }
}

#[test]
fn the_command_prints_and_writes() {
    let root = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    play(&game, root.path(), 8);
    let maydan = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root.path()).args(arguments).output().unwrap()
    };
    let output = maydan(&["stats", "reserves", "run", "--out", "here", "--rows", "3"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for part in [
        "run: shatara (",
        "8 games, ",
        "When reserves are used",
        "more rows",
        "Transitions of the ladder",
        "What a use is worth to the search",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for file in ["events.parquet", "first_uses.csv", "first_uses.parquet", "advantage_by_ply.csv", "reserves.html"] {
        assert!(root.path().join("here").join(file).is_file(), "{file}");
    }
    let page = std::fs::read_to_string(root.path().join("here/reserves.html")).unwrap();
    assert!(page.contains("uniformly random actions") && page.contains("نقلات عشوائية منتظمة"));
    assert!(!page.contains("src=\"http") && !page.contains("<link"), "the page needs no network");

    let unknown = maydan(&["stats", "reserves", "nobody"]);
    assert_eq!(unknown.status.code(), Some(2));
    let error = String::from_utf8(unknown.stderr).unwrap();
    assert!(error.starts_with("error: nobody: no games: expected the name of a run in ./data"), "{error}");
}

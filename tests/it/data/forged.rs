//! Files that are whole and say what no game says: everything that reads games ends with them, in success or in an error
//! of one line.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use arrow_array::{
    Array, ArrayRef, BinaryArray, Float32Array, Int8Array, ListArray, StringArray, UInt16Array, UInt32Array,
    types::{Float32Type, UInt8Type, UInt32Type},
};
use maydan::{
    browse::{Query, Shelf},
    data::{self, DataError, Samples, WindowConfig, inspect, read_columns, replay},
    game::{Game, shatara::Shatara},
    stats::{
        GameFormat, Runs, StatsError, Temperature,
        effect::Effects,
        openings::{Explore, Openings, Options},
        reserves::Reserves,
    },
};

use crate::support::{
    forged::{Forgery, all, seal},
    played::play,
};

/// Letters that change what a terminal shows, a megabyte of them.
fn long_text() -> String {
    "\u{1b}[2Jx\n".repeat(1 << 17)
}

fn words(word: &str) -> impl FnOnce(&ArrayRef) -> ArrayRef + use<> {
    let word = word.to_owned();
    move |column| Arc::new(StringArray::from(vec![word.as_str(); column.len()]))
}

fn floats(number: f32) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    all(move |rows| Float32Array::from(vec![number; rows]))
}

fn counts(number: u32) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    all(move |rows| UInt32Array::from(vec![number; rows]))
}

/// Every entry of the lists, whose lengths stay.
fn entries(number: f32) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    move |column| {
        let lists = column.as_any().downcast_ref::<ListArray>().unwrap();
        let entries = (0..lists.len()).map(|row| Some(vec![Some(number); lists.value_length(row) as usize]));
        Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(entries))
    }
}

fn whole_entries(number: u32) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    move |column| {
        let lists = column.as_any().downcast_ref::<ListArray>().unwrap();
        let entries = (0..lists.len()).map(|row| Some(vec![Some(number); lists.value_length(row) as usize]));
        Arc::new(ListArray::from_iter_primitive::<UInt32Type, _, _>(entries))
    }
}

/// Lists of so many entries.
fn lists(length: usize) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    move |column| {
        let entries = (0..column.len()).map(|_| Some(vec![Some(1.0); length]));
        Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(entries))
    }
}

fn whole_lists(length: usize) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    move |column| {
        let entries = (0..column.len()).map(|_| Some(vec![Some(1); length]));
        Arc::new(ListArray::from_iter_primitive::<UInt32Type, _, _>(entries))
    }
}

fn byte_lists(length: usize, byte: u8) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    move |column| {
        let entries = (0..column.len()).map(|_| Some(vec![Some(byte); length]));
        Arc::new(ListArray::from_iter_primitive::<UInt8Type, _, _>(entries))
    }
}

fn planes(length: usize) -> impl FnOnce(&ArrayRef) -> ArrayRef {
    all(move |rows| BinaryArray::from(vec![&vec![0x55; length][..]; rows]))
}

/// Beginnings of the names of files that nobody can know to be wrong, or of columns that nobody here reads.
const BELIEVED: [&str; 22] = [
    "checkpoint",
    "ruleset: ",
    "overruled",
    "net_win",
    "policy_kl",
    "zone_",
    "generation",
    "seed",
    "action_kinds ",
    "chosen_prior: NaN",
    "chosen_prior: inf",
    "scalars: -1",
    "q: -1",
    "legal: ",
    "visits: ",
    "chosen_visits: 0",
    "total_visits: 4294967295",
    "moves_left: 1",
    "groups of a row",
    "first_game 0",
    // They say how much there is to train on, which is counted again.
    "full_rows 0",
    "cheap_rows 0",
];

/// Every kind of file, by name. `whole` is one that says what it should.
fn forgeries(whole: &Forgery) -> Vec<(String, Forgery)> {
    let rows = whole.rows.num_rows() as u32;
    let with = |name: &str, column: &str, change: Box<dyn FnOnce(&ArrayRef) -> ArrayRef>| {
        (format!("{column}: {name}"), whole.clone().column(column, change))
    };
    let mut made = Vec::new();
    for column in ["position", "action", "game_id", "side", "action_kind", "decision", "result", "reason"] {
        made.push(with("a megabyte", column, Box::new(words(&long_text()))));
        made.push(with("nothing", column, Box::new(words(""))));
    }
    for column in ["checkpoint", "ruleset", "overruled"] {
        made.push(with("a megabyte", column, Box::new(words(&long_text()))));
    }
    made.push(with("of a terminal", "game_id", Box::new(words("\u{1b}[2J"))));
    made.push(with("illegal", "action", Box::new(words("a1h8"))));
    made.push(with("of another game", "position", Box::new(words("8/8/8/8 w 0 1"))));
    for number in [f32::NAN, f32::INFINITY, -1.0, 1e38] {
        for column in ["scalars", "policy", "q"] {
            made.push(with(&number.to_string(), column, Box::new(entries(number))));
        }
        for column in ["root_win", "root_draw", "root_loss", "chosen_prior", "net_win", "policy_kl"] {
            made.push(with(&number.to_string(), column, Box::new(floats(number))));
        }
    }
    for number in [0, 1, u32::MAX] {
        for column in ["ply", "game_plies", "game_index", "moves_left", "generation", "chosen_visits", "total_visits"] {
            made.push(with(&number.to_string(), column, Box::new(counts(number))));
        }
        for column in ["legal", "visits"] {
            made.push(with(&number.to_string(), column, Box::new(whole_entries(number))));
        }
    }
    for length in [0, 1, 5000] {
        for column in ["scalars", "policy", "q"] {
            made.push(with(&format!("{length} entries"), column, Box::new(lists(length))));
        }
        for column in ["legal", "visits"] {
            made.push(with(&format!("{length} entries"), column, Box::new(whole_lists(length))));
        }
        for column in ["legal_kinds", "zone_white", "zone_black"] {
            made.push(with(&format!("{length} entries"), column, Box::new(byte_lists(length, 255))));
        }
    }
    for length in [0, 3, 8, 1 << 16] {
        made.push(with(&format!("{length} bytes"), "planes", Box::new(planes(length))));
    }
    made.push(with("2", "value", Box::new(all(|rows| Int8Array::from(vec![2; rows])))));
    made.push(with("65535", "chosen", Box::new(all(|rows| UInt16Array::from(vec![u16::MAX; rows])))));
    made.push(("rows backwards".to_owned(), whole.clone().picked((0..rows).rev())));
    made.push(("every row twice".to_owned(), whole.clone().picked((0..rows).flat_map(|row| [row, row]))));
    made.push(("every game twice".to_owned(), whole.clone().picked((0..rows).chain(0..rows))));
    made.push(("half of the rows".to_owned(), whole.clone().picked(0..rows / 2)));
    made.push(("no rows".to_owned(), whole.clone().picked([])));
    made.push(("groups of a row".to_owned(), Forgery { group: 1, ..whole.clone() }));
    for key in ["generation", "first_game", "games", "full_rows", "cheap_rows", "seed"] {
        for number in ["0", "4294967296", "18446744073709551615", "-1"] {
            let forgery = whole.clone().key(&format!("maydan.{key}"), number);
            made.push((format!("{key} {number}"), forgery));
        }
    }
    for (key, value) in [
        ("ruleset", "0000000000000000"),
        ("game", "go"),
        ("game", &long_text()),
        ("options", "max_plies = 4294967295"),
        ("options", &"[".repeat(100_000)),
        ("action_kinds", ""),
        ("zone_kinds", &"P".repeat(100_000)),
        ("checkpoint", &long_text()),
        ("encoding", "7"),
    ] {
        let forgery = whole.clone().key(&format!("maydan.{key}"), value);
        made.push((format!("{key} {}", &value[..value.len().min(20)]), forgery));
    }
    made
}

fn shatara() -> Game<Shatara> {
    Shatara::game(&toml::Table::new()).unwrap()
}

/// An error is a short line that a terminal shows as it is.
fn check(name: &str, error: &str) {
    let is_plain = !error.contains(char::is_control) && error.len() < 2000 && !error.is_empty();
    assert!(is_plain, "{name}: {} letters: {:?}", error.len(), &error[..error.len().min(500)]);
}

/// Everything that is asked of the games of a run; what was wrong with it.
fn ask(root: &Path, path: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let open = || Runs::open(root, &["run".to_owned()], 0..=u64::MAX);
    let game = shatara();
    let samples = |cheap_rows| {
        let window = WindowConfig { cheap_rows, ..WindowConfig::default() };
        Samples::read(path, game.ruleset(), game.layout(), &window, 0.9)
    };
    wrong.extend(samples(true).err().map(|error| error.to_string()));
    wrong.extend(samples(false).err().map(|error| error.to_string()));
    wrong.extend(replay(&game, path).err().map(|error| error.to_string()));

    let mut see = |result: Result<maydan::stats::Skipped, StatsError>| match result {
        Ok(skipped) => wrong.extend(skipped.0.iter().map(ToString::to_string)),
        Err(error) => wrong.push(error.to_string()),
    };
    match open() {
        Err(error) => see(Err(error)),
        Ok(runs) => {
            let mut openings = Openings::new(Options { min_count: 1, ..Options::default() }, &runs).unwrap();
            let mut explore = Explore::new(&runs.rules().start(), &runs).unwrap();
            let mut reserves = Reserves::new(&runs, 5, None).unwrap();
            let ruleset = runs.rules().ruleset().clone();
            let read = runs.for_each(&mut |_| {}, |game| {
                openings.add(&game);
                explore.add(&game);
                for format in ["record", "pgn", "jsonl"] {
                    format.parse::<GameFormat>().unwrap().text(&game, &ruleset);
                }
                reserves.add(&game)
            });
            openings.finish();
            openings.sections(10);
            explore.table();
            let events = reserves.events();
            see(read);
            // The random play beside it takes long, and depends on nothing in the file but the longest game.
            if events == 0 {
                reserves.finish().unwrap();
            }
        }
    }
    if let Ok(runs) = open() {
        let runs = runs.with_searches();
        let mut effects = Effects::new(&runs, Some(Temperature { start: 1.0, plies: 8, end: 0.0 })).unwrap();
        see(runs.for_each(&mut |_| {}, |game| {
            effects.add(&game);
            Ok(())
        }));
        effects.section();
    }

    let shelf = Shelf::new(root, &["run".to_owned()]).unwrap();
    shelf.refresh();
    wrong.extend(shelf.runs()[0].fault.clone());
    let listed = shelf.list(&Query { run: "run".to_owned(), ..Query::default() }).unwrap();
    for game in listed.games {
        match shelf.game("run", game.generation, game.index) {
            Ok(found) => assert!(found.is_some()),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    wrong
}

/// A run of one file, which says what it should.
fn run() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let run = root.path().join("data/run");
    play(&shatara(), &run, 1, 4);
    let [first, second] = [0, 1].map(|chunk| data::chunk_path(&data::generation_dir(&run, 0), chunk));
    fs::remove_file(second).unwrap();
    (root, first)
}

#[test]
fn whatever_the_values_are_reading_ends() {
    let (root, path) = run();
    let whole = Forgery::of(&path);
    whole.write(&path, 1);
    assert_eq!(ask(root.path(), &path), [""; 0], "a file that is forged as it was");
    let mut believed = Vec::new();
    for (name, forgery) in forgeries(&whole) {
        forgery.write(&path, 1);
        let wrong = ask(root.path(), &path);
        wrong.iter().for_each(|error| check(&name, error));
        if wrong.is_empty() {
            believed.push(name);
        }
    }
    believed.retain(|name| !BELIEVED.iter().any(|known| name.starts_with(known)));
    assert!(believed.is_empty(), "{believed:?}");
}

/// Programs do with a whole folder of them what they do with one damaged file: they leave it out and say so.
#[test]
fn commands_leave_forged_files_out() {
    let (root, path) = run();
    let whole = Forgery::of(&path);
    let folder = path.parent().unwrap();
    let same_rules = |name: &str| !["ruleset", "game ", "options"].iter().any(|key| name.starts_with(key));
    let forgeries = forgeries(&whole).into_iter().filter(|(name, _)| same_rules(name));
    let files = forgeries.enumerate().map(|(number, (_, forgery))| {
        forgery.write(&folder.join(format!("{:04}.parquet", number + 1)), 1);
    });
    assert!(files.count() > 100);
    let start = shatara().start().to_string();
    for arguments in [
        &["stats", "openings", "run"][..],
        &["stats", "effect", "run", "--drawn-plies", "8"],
        &["stats", "explore", "run", &start],
        &["games", "run", "--format", "pgn"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        let output = command.current_dir(root.path()).args(arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!([Some(0), Some(2)].contains(&output.status.code()), "{arguments:?}: {errors}");
        assert!(errors.lines().count() > 50 && !errors.contains("panicked"), "{arguments:?}: {errors}");
        errors.lines().for_each(|line| check(&arguments.join(" "), line));
        assert!(!output.stdout.contains(&0x1b), "{arguments:?}: what a terminal obeys");
    }
}

/// Some kilobytes that stand for millions of rows, or for gigabytes of letters.
#[test]
fn a_file_is_not_much_larger_in_memory() {
    let (root, path) = run();
    let whole = Forgery::of(&path);
    whole.write(&path, 200);
    let games = read_columns(&path, &["ply"]).unwrap().0.manifest.games;
    assert_eq!(games, 2, "the same games again and again are no forgery");
    let promises = ["games", "full_rows", "cheap_rows"];
    let whole = promises.iter().fold(whole.picked([0]), |forgery, key| forgery.key(&format!("maydan.{key}"), "0"));
    let empty = whole.clone().column("scalars", lists(0)).column("policy", lists(0)).column("q", lists(0));
    let empty = empty.column("legal", whole_lists(0)).column("visits", whole_lists(0)).column("planes", planes(0));
    let empty = empty.column("legal_kinds", byte_lists(0, 0)).column("position", words(""));
    let many_rows = empty.clone().picked(vec![0; 5000]);
    let long = whole.clone().picked(vec![0; 10]);
    for (name, forgery, times) in [
        ("rows", many_rows, 200),
        ("words", long.clone().column("game_id", words(&"x".repeat(1 << 20))), 40),
        ("texts", long.clone().column("position", words(&"x".repeat(1 << 20))), 40),
        ("planes", long.clone().column("planes", planes(1 << 20)), 40),
        ("entries", long.column("zone_white", byte_lists(1 << 20, 0)), 5),
    ] {
        forgery.write(&path, times);
        let length = fs::metadata(&path).unwrap().len();
        assert!(length < 200_000, "{name}: {length} bytes");
        let error = read_columns(&path, &["ply"]).unwrap_err().to_string();
        assert!(error.contains("bytes of memory"), "{name}: {error}");
        let wrong = ask(root.path(), &path);
        assert!(!wrong.is_empty());
        wrong.iter().for_each(|error| check(name, error));
    }
}

/// A schema of groups within groups, which a decoder that calls itself would follow to the end of its stack.
#[test]
fn a_deep_schema_is_refused() {
    const DEPTH: u32 = 1_000_000;
    // Of Parquet's footer: the version, and the schema as a list of so many elements.
    let mut footer = vec![0x15, 2, 0x19, 0xfc];
    let mut size = DEPTH + 1;
    while size >= 0x80 {
        footer.push(size as u8 | 0x80);
        size >>= 7;
    }
    footer.push(size as u8);
    // Each has a name and one child; then a leaf, no rows, no groups.
    for _ in 0..DEPTH {
        footer.extend([0x48, 1, b'a', 0x15, 2, 0]);
    }
    footer.extend([0x15, 2, 0x25, 0, 0x18, 1, b'a', 0, 0x16, 0, 0x19, 0x0c, 0]);
    let mut bytes = b"PAR1".to_vec();
    bytes.extend([0; 16]);
    bytes.extend(&footer);
    bytes.extend((footer.len() as u32).to_le_bytes());
    bytes.extend(b"PAR1");
    seal(&mut bytes);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep.parquet");
    fs::write(&path, bytes).unwrap();
    let error = inspect(&path).unwrap_err();
    assert!(matches!(error, DataError::Foreign { .. }), "{error}");
    assert!(error.to_string().contains("found 1000001 elements"), "{error}");
}

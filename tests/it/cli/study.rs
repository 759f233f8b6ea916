//! `maydan study` as a user runs it, with a search that knows the rules alone.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use arrow_array::{RecordBatch, cast::AsArray};
use maydan::{
    data::read_columns,
    disk::ConfigChange,
    study::{Role, Study, StudyConfig},
};

const STUDY: &str = r#"
game = "shatara"
seed = 5
[play]
games = 6
games_per_file = 2
max_plies = 40
batch_size = 8
search = { playouts = 4, considered_actions = 4 }
opening = { max_plies = 0 }
[[variant]]
name = "no-ladder"
rules = { ladder = false }
[[variant]]
name = "think"
playouts = 8
[[restriction]]
name = "late"
kinds = ["ladder", "reinforcement"]
before_ply = 30
"#;

/// A folder with a study and what comes of it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(study: &str) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write(study);
        place
    }

    fn write(&self, study: &str) {
        fs::write(self.path("tiny.toml"), study).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        command.args(["study", "tiny.toml"]).args(arguments).current_dir(self.folder.path());
        command.output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs what must be refused as the user's mistake, and gives the last line of standard error.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        complaint.lines().last().unwrap().to_owned()
    }

    /// Every file below a folder by its path, but locks.
    fn files(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("lock") {
                    let name = path.strip_prefix(self.folder.path()).unwrap().to_owned();
                    files.insert(name, fs::read(path).unwrap());
                }
            }
        }
        files
    }

    /// The rows of an arm's games.
    fn rows(&self, arm: &str, columns: &[&str]) -> Vec<RecordBatch> {
        let folder = self.path(&format!("data/tiny/{arm}/gen-000000"));
        let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.iter().flat_map(|file| read_columns(file, columns).unwrap().1).collect()
    }

    /// A table of the results, a map for each row.
    fn table(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path(&format!("studies/tiny/{name}.csv"))).unwrap();
        reader.deserialize().map(|row| row.unwrap()).collect()
    }
}

#[test]
fn a_study_that_was_cut_short_goes_on_to_the_same_bytes() {
    let whole = Place::new(STUDY);
    let text = whole.done(&[]);
    for title in
        ["The arms", "Outcomes", "First-move edge", "Branching", "Use of the reserve", "The price of a restriction"]
    {
        assert!(text.contains(title), "{title}: {text}");
    }
    let (games, results) = (whole.files("data"), whole.files("studies"));
    assert!(results.keys().any(|path| path.ends_with("index.html")));

    // Lost: a file of one arm, all of another, and a file is damaged.
    let lost = |name: &str| whole.path("data/tiny").join(name);
    fs::remove_file(lost("base/gen-000000/0001.parquet")).unwrap();
    fs::remove_dir_all(lost("late-white")).unwrap();
    fs::write(lost("no-ladder/gen-000000/0002.parquet"), b"PAR1").unwrap();
    assert_eq!(whole.done(&[]), text);
    assert_eq!(whole.files("data"), games);
    assert_eq!(whole.files("studies"), results);

    // Fewer games first, more later.
    let grown = Place::new(STUDY);
    grown.done(&["--games", "4", "--set", "play.shards=1"]);
    assert_eq!(grown.done(&[]), text);
    assert_eq!(grown.files("data"), games);
}

#[test]
fn what_is_forbidden_is_not_played_and_what_is_allowed_is() {
    let place = Place::new(STUDY);
    place.done(&[]);
    let mut allowed = 0;
    for side in ["white", "black"] {
        let batches = place.rows(&format!("late-{side}"), &["ply", "side", "action_kind"]);
        let mut early = 0;
        for batch in &batches {
            let plies = batch.column_by_name("ply").unwrap().as_primitive::<arrow_array::types::UInt32Type>();
            let [sides, kinds] =
                ["side", "action_kind"].map(|name| batch.column_by_name(name).unwrap().as_string::<i32>());
            for row in 0..batch.num_rows() {
                let reserve = ["ladder", "reinforcement"].contains(&kinds.value(row));
                let bound = sides.value(row) == side && plies.value(row) < 30;
                assert!(!(reserve && bound), "{side} at ply {}", plies.value(row));
                early += usize::from(bound);
                allowed += usize::from(reserve);
            }
        }
        assert_eq!(early, 3 * 15);
    }
    assert!(allowed > 0);
    let kinds: Vec<RecordBatch> = place.rows("no-ladder", &["action_kind"]);
    assert!(kinds.iter().all(|batch| batch.column(0).as_string::<i32>().iter().all(|kind| kind != Some("ladder"))));
}

/// White's result in each game of an arm: `white`, `draw`, `black` or `cut_off`, by index.
fn results(place: &Place, arm: &str) -> BTreeMap<u32, String> {
    let mut results = BTreeMap::new();
    for batch in place.rows(arm, &["game_index", "result", "reason"]) {
        let index = batch["game_index"].as_primitive::<arrow_array::types::UInt32Type>();
        let [result, reason] = ["result", "reason"].map(|name| batch[name].as_string::<i32>());
        for row in 0..batch.num_rows() {
            let result = if reason.value(row) == "cut_off" { "cut_off" } else { result.value(row) };
            results.insert(index.value(row), result.to_owned());
        }
    }
    results
}

/// The tables against counts made here from the same files. Some games end and some are cut off.
#[test]
fn the_tables_count_the_games() {
    let place = Place::new(&STUDY.replace("max_plies = 40", "max_plies = 220").replace("games = 6", "games = 10"));
    place.done(&[]);
    let mut seen = [0.0; 4];
    for row in place.table("outcomes") {
        let found = results(&place, &row["arm"]);
        let counts =
            ["white", "draw", "black", "cut_off"].map(|name| found.values().filter(|r| *r == name).count() as f64);
        let (mut plies, mut legal) = (0.0, 0.0);
        let mut with_ladder = std::collections::BTreeSet::new();
        for batch in &place.rows(&row["arm"], &["legal", "action_kind", "game_index"]) {
            let index = batch["game_index"].as_primitive::<arrow_array::types::UInt32Type>();
            for i in 0..batch.num_rows() {
                if batch["action_kind"].as_string::<i32>().value(i) == "ladder" {
                    with_ladder.insert(index.value(i));
                }
                plies += 1.0;
                legal += batch["legal"].as_list::<i32>().value_length(i) as f64;
            }
        }
        let games: f64 = counts.iter().sum();
        let cell = |table: &str, column: &str| -> Option<f64> {
            place.table(table).iter().find(|other| other["arm"] == row["arm"]).unwrap()[column].parse().ok()
        };
        let of = |table: &str, column: &str| cell(table, column).unwrap();
        assert_eq!(row["games"].parse::<f64>().unwrap(), games);
        for ((name, count), seen) in ["white", "draw", "black", "cut_off"].iter().zip(counts).zip(&mut seen) {
            assert!((row[*name].parse::<f64>().unwrap() - count / games).abs() < 1e-12);
            *seen += count;
        }
        let ended = games - counts[3];
        let edge = (ended > 0.0).then(|| (counts[0] + counts[1] / 2.0) / ended - 0.5);
        assert_eq!(cell("edge", "edge").is_some(), edge.is_some());
        assert!(edge.is_none_or(|edge| (of("edge", "edge") - edge).abs() < 1e-12));
        assert!((of("length", "length") - plies / games).abs() < 1e-12);
        assert!((of("branching", "branching") - legal / plies).abs() < 1e-12);
        let reserve = place.table("reserve");
        let ladder = reserve.iter().find(|other| other["arm"] == row["arm"] && other["kind"] == "ladder").unwrap();
        assert!((ladder["games_share"].parse::<f64>().unwrap() - with_ladder.len() as f64 / games).abs() < 1e-12);
    }
    assert!(seen[3] > 0.0 && seen[..3].iter().sum::<f64>() > 0.0, "{seen:?}");

    // A pair with a game that was cut off has no result.
    let (white, black) = (results(&place, "late-white"), results(&place, "late-black"));
    let ended = white.iter().filter(|(index, result)| *result != "cut_off" && black[index] != "cut_off").count();
    let price = &place.table("restrictions")[0];
    let found = ["restriction", "playouts", "max_plies", "pairs", "cut_off"].map(|name| price[name].as_str());
    assert_eq!(found, ["late", "4", "220", &ended.to_string(), &(white.len() - ended).to_string()]);
}

/// The table of both sides of the restricted arms against counts made here.
#[test]
fn each_side_uses_its_own_reserve() {
    let place = Place::new(STUDY);
    place.done(&[]);
    let mut found = 0;
    for row in place.table("reserve_by_side") {
        let restricted = row["arm"].strip_prefix("late-").unwrap();
        let other = if restricted == "white" { "black" } else { "white" };
        let side = if row["side"] == "restricted" { restricted } else { other };
        let mut games = std::collections::BTreeSet::new();
        for batch in place.rows(&row["arm"], &["game_index", "side", "action_kind"]) {
            let index = batch["game_index"].as_primitive::<arrow_array::types::UInt32Type>();
            let [sides, kinds] = ["side", "action_kind"].map(|name| batch[name].as_string::<i32>());
            games.extend(
                (0..batch.num_rows())
                    .filter(|&i| sides.value(i) == side && kinds.value(i) == row["kind"])
                    .map(|i| index.value(i)),
            );
        }
        assert!((row["games_share"].parse::<f64>().unwrap() - games.len() as f64 / 3.0).abs() < 1e-12, "{row:?}");
        found += games.len();
    }
    assert!(found > 0);
}

#[test]
fn each_budget_is_held_against_its_own_base() {
    let place = Place::new(&STUDY.replace("batch_size = 8", "batch_size = 8\nbudgets = [2, 6]"));
    assert!(place.refused(&[]).contains("[[variant]] `think` playouts: expected none beside [play] budgets"));
    place.write(&STUDY.replace("batch_size = 8", "batch_size = 8\nbudgets = [2, 6]").replace("playouts = 8", ""));
    place.done(&[]);
    let lengths = place.table("length");
    let length = |arm: &str| {
        let row = lengths.iter().find(|row| row["arm"] == arm).unwrap();
        ["length", "difference"].map(|name| row[name].parse::<f64>().ok())
    };
    for budget in ["2", "6"] {
        let (base, other) = (length(&format!("base-{budget}")), length(&format!("no-ladder-{budget}")));
        assert_eq!(base[1], None);
        assert!((other[1].unwrap() - (other[0].unwrap() - base[0].unwrap())).abs() < 1e-9);
    }
    let prices = place.table("restrictions");
    assert_eq!(prices.iter().map(|row| row["playouts"].as_str()).collect::<Vec<_>>(), ["2", "6"]);
}

/// White must use its reserve from ply 20 on: at its first chance it does.
#[test]
fn what_must_be_done_is_done() {
    const MUST: &str = "[[restriction]]\nname = \"soon\"\nkinds = [\"reinforcement\", \"ladder\"]\nmust_by_ply = 20\n";
    let study = &STUDY[..STUDY.find("[[variant]]").unwrap()];
    let place = Place::new(&format!("{study}{MUST}"));
    place.done(&[]);
    let mut forced = 0;
    for batch in place.rows("soon-white", &["ply", "side", "position", "action_kind", "legal_kinds"]) {
        let ply = batch["ply"].as_primitive::<arrow_array::types::UInt32Type>();
        let [side, position, kind] = ["side", "position", "action_kind"].map(|name| batch[name].as_string::<i32>());
        for row in 0..batch.num_rows() {
            let unused = position.value(row).contains("[PPPPPPPPNNBBRRQ");
            let kinds = batch["legal_kinds"].as_list::<i32>().value(row);
            let mut kinds = kinds.as_primitive::<arrow_array::types::UInt8Type>().values().to_vec();
            kinds.dedup();
            if side.value(row) == "white" && ply.value(row) >= 20 && unused && kinds.iter().any(|kind| *kind >= 5) {
                assert!(["reinforcement", "ladder"].contains(&kind.value(row)) && kinds.iter().all(|kind| *kind >= 5));
                forced += 1;
            }
        }
    }
    assert!(forced > 0);
}

#[test]
fn an_arm_that_changed_is_refused_until_it_may_be_played_anew() {
    let place = Place::new(STUDY);
    place.done(&[]);
    let before = place.files("data");
    place.write(&STUDY.replace("playouts = 8", "playouts = 6"));
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("-playouts = 8\n+playouts = 6\n"), "{complaint}");
    assert!(complaint.contains("think/arm.toml"), "{complaint}");
    assert_eq!(place.files("data"), before);

    place.done(&["--allow-config-change"]);
    for (path, bytes) in place.files("data") {
        assert_eq!(before[&path] == bytes, !path.starts_with("data/tiny/think"), "{}", path.display());
    }
    // An arm more is no change of those that are there.
    place.write(&format!("{}\n[[variant]]\nname = \"more\"\n", STUDY.replace("playouts = 8", "playouts = 6")));
    assert!(place.done(&[]).contains("more"));
}

#[test]
fn mistakes_are_told_in_one_line() {
    let place = Place::new(STUDY);
    let with = |addition: &str| format!("{STUDY}\n{addition}\n");
    for (study, expected) in [
        (with("[[variant]]\nname = \"x\"\nrule = { ladder = false }"), "unknown field `rule`"),
        (
            with("[[variant]]\nname = \"x\"\nrules = { ladders = false }"),
            "arm `x`: rules of `shatara`: unknown option `ladders`",
        ),
        (with("[[variant]]\nname = \"a/b\""), "[[variant]] name: expected letters"),
        (with("[[variant]]\nname = \"base\""), "found two arms `base`"),
        (
            with("[[restriction]]\nname = \"x\"\nkinds = [\"laddr\"]"),
            "arm `x-white`: rules of `shatara`: `kinds`: expected some of quiet",
        ),
        (with("[[variant]]\nname = \"x\"\nnetwork = \"nowhere\""), "arm `x`: nowhere/checkpoint.toml"),
        (with("[[variant]]\nname = \"x\"\nplayouts = 0"), "`x` playouts: expected 1 to 1000000, found 0"),
        (STUDY.replace("batch_size = 8", "budgets = [0]"), "[play] budgets: expected 1 to 1000000, found 0"),
        (
            with("[[restriction]]\nname = \"x\"\nkinds = [\"ladder\"]\nmust_by_ply = 3\nbefore_ply = 9"),
            "arm `x-white`: rules of `shatara`: `must_by_ply`: expected no `from_ply` and no `before_ply`",
        ),
        (STUDY.replace("games = 6", "games = 0"), "[play] games: expected 1"),
        (
            STUDY.replace("max_plies = 40", "precision = \"auto\""),
            "[play] precision: expected `f32`, `bf16` or `int8`, found `auto`",
        ),
        (STUDY.replace("shatara", "go"), "unknown game `go`"),
        ("game = 1".to_owned(), "tiny.toml"),
    ] {
        place.write(&study);
        let complaint = place.refused(&[]);
        assert!(complaint.starts_with("error: ") && complaint.contains(expected), "{complaint}");
    }
    place.write(STUDY);
    assert!(place.refused(&["--set", "play.gmes=3"]).contains("gmes"));
    assert!(!place.path("studies").exists());
}

/// The studies that come with the project: they open, with the network that comes with it, and the first explains every
/// key.
#[test]
fn shipped_studies_open() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let mut files: Vec<PathBuf> =
        fs::read_dir(root.join("configs/studies")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 2);
    for file in &files {
        let network = format!("play.network={}", root.join("models/shatara-small").display());
        let config = StudyConfig::load(file, &[network]).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let study = Study::open(config, name, folder.path(), ConfigChange::Refuse).unwrap();
        assert!(study.arms()[0].arm.role == Role::Base);
        assert_eq!(study.arms()[0].trained_under.as_ref(), Some(study.arms()[0].rules.ruleset()));
    }
    let manual = fs::read_to_string(root.join("configs/studies/shatara-stock.toml")).unwrap();
    let mut play = toml::Table::try_from(maydan::study::PlayConfig::default()).unwrap();
    play.remove("search");
    let mut keys: Vec<String> = Vec::new();
    for (key, value) in play {
        match value {
            toml::Value::Table(table) => keys.extend(table.keys().cloned()),
            _ => keys.push(key),
        }
    }
    let lines: Vec<&str> = manual.lines().collect();
    for key in keys {
        let place = lines.iter().position(|line| line.starts_with(&format!("{key} = ")));
        let place = place.unwrap_or_else(|| panic!("{key} is not in the manual"));
        assert!(lines[place - 1].starts_with("# "), "{key} is not explained");
    }
}

/// A network of a few weights, trained for one arm under its rules and then used in an arm of other rules.
#[cfg(feature = "torch")]
#[test]
fn a_network_is_trained_for_an_arm_and_plays_under_other_rules() {
    const RUN: &str = r#"
game = "shatara"
run = { batch_size = 8 }
model = { blocks = 1, channels = 8, policy_channels = 8, value_channels = 8, value_hidden = 8 }
selfplay = { games = 2, games_per_file = 2, slots = 2, max_plies = 20, search = { playouts = 2 } }
sampler = { passes = 4.0 }
train = { batch_size = 16, threads = 1, warmup_steps = 1 }
evaluate = { every = 0 }
"#;
    const OWN: &str = r#"
[[variant]]
name = "own"
rules = { promotion_stock = "consume" }
train = { config = "run.toml", generations = 1 }
"#;
    const LENT: &str = r#"
[[variant]]
name = "lent"
rules = { ladder = false }
network = "models/tiny-own/gen-000001"
"#;
    let place = Place::new(&format!("{STUDY}{OWN}"));
    assert!(place.refused(&["--games", "2"]).contains("run.toml"));
    fs::write(place.path("run.toml"), RUN).unwrap();
    place.done(&["--games", "2"]);
    assert!(place.path("models/tiny-own/gen-000001/checkpoint.toml").exists());

    place.write(&format!("{STUDY}{OWN}{LENT}"));
    place.done(&["--games", "2"]);
    let arms = place.table("arms");
    let trained: BTreeMap<&str, &str> =
        arms.iter().map(|row| (row["arm"].as_str(), row["trained_under"].as_str())).collect();
    assert_eq!((trained["base"], trained["own"]), ("", ""));
    assert_eq!(trained["lent"], "promotion_stock: \"consume\" / \"exchange\", ladder: true / false");

    // A side that is restricted adapts: each arm has a network of its own, trained under the restriction.
    let adapt =
        "[[restriction]]\nname = \"adapt\"\nkinds = [\"ladder\"]\ntrain = { config = \"run.toml\", generations = 1 }\n";
    place.write(&format!("{STUDY}{adapt}"));
    place.done(&["--games", "2"]);
    for side in ["white", "black"] {
        let run = format!("tiny-adapt-{side}");
        let config = fs::read_to_string(place.path(&format!("models/{run}/config.toml"))).unwrap();
        assert!(config.contains("[rules.restriction]") && config.contains(&format!("side = \"{side}\"")), "{config}");
        let games = place.path(&format!("data/{run}/gen-000000/0000.parquet"));
        for batch in read_columns(&games, &["side", "action_kind"]).unwrap().1 {
            let [sides, kinds] = ["side", "action_kind"].map(|name| batch[name].as_string::<i32>());
            assert!((0..batch.num_rows()).all(|i| sides.value(i) != side || kinds.value(i) != "ladder"));
        }
    }
    let arms = place.table("arms");
    let row = |arm: &str| arms.iter().find(|row| row["arm"] == arm).unwrap();
    assert_eq!(row("adapt-white")["trained_under"], "");
    assert!(row("adapt-white")["network"].contains("tiny-adapt-white"));

    // Another network in its place would be another arm.
    place.write(&format!("{STUDY}{OWN}{LENT}"));
    fs::write(place.path("run.toml"), RUN.replace("game = \"shatara\"", "game = \"chess\"")).unwrap();
    assert!(place.refused(&["--games", "2"]).contains("game: expected shatara, which the study is about, found chess"));
}

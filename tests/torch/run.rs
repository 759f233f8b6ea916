//! The loop as a user runs it: whole, in halves, by other settings, and over a damaged disk.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::OnceLock,
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::support::processor::has_avx512;

pub const CONFIG: &str = r#"
game = "shatara"
[run]
generations = 2
batch_size = 8
[model]
blocks = 1
channels = 8
policy_channels = 8
value_channels = 8
value_hidden = 8
[selfplay]
games = 6
games_per_file = 2
shards = 1
slots = 1
max_plies = 20
[selfplay.search]
playouts = 8
considered_actions = 2
[sampler]
passes = 24.0
[train]
batch_size = 16
threads = 1
warmup_steps = 5
[evaluate]
every = 2
opponents = ["random"]
games = 2
playouts = 2
"#;

/// A folder with a configuration and the run that comes of it.
pub struct Place {
    pub folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tiny.toml"), CONFIG).unwrap();
        Place { folder }
    }

    fn command(&self, subcommand: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        command.args([subcommand, "tiny.toml"]).args(arguments).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, subcommand: &str, arguments: &[&str]) -> Output {
        self.command(subcommand, arguments).output().unwrap()
    }

    /// Runs a command that must succeed, and gives its standard output.
    pub fn done(&self, subcommand: &str, arguments: &[&str]) -> String {
        let output = self.run(subcommand, arguments);
        assert!(output.status.success(), "{subcommand}: {}", complaint(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that must be refused as the user's mistake, and gives its standard error.
    fn refused(&self, subcommand: &str, arguments: &[&str]) -> String {
        let output = self.run(subcommand, arguments);
        assert_eq!(output.status.code(), Some(2), "{subcommand} {arguments:?}: {}", complaint(&output));
        complaint(&output)
    }

    pub fn model(&self, name: &str) -> PathBuf {
        self.folder.path().join("models/tiny").join(name)
    }

    pub fn data(&self, name: &str) -> PathBuf {
        self.folder.path().join("data/tiny").join(name)
    }

    pub fn events(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.model("metrics.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// What a run is in the end: each file of games and of the checkpoints, byte for byte.
    pub fn artefacts(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        for top in ["models/tiny", "data/tiny"] {
            for folder in names(&self.folder.path().join(top)).iter().filter(|name| name.starts_with("gen-")) {
                let folder = format!("{top}/{folder}");
                for name in names(&self.folder.path().join(&folder)) {
                    let path = format!("{folder}/{name}");
                    found.insert(path.clone(), fs::read(self.folder.path().join(path)).unwrap());
                }
            }
        }
        found
    }

    /// Lets a run go on until `reached` something; `None` when it came to its end before anybody looked.
    pub fn run_until(&self, arguments: &[&str], reached: impl Fn() -> bool) -> Option<Child> {
        let mut child = self.command("train", arguments).spawn().unwrap();
        while !reached() {
            if child.try_wait().unwrap().is_some() {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        Some(child)
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect(),
        Err(_) => Vec::new(),
    };
    names.sort();
    names
}

pub fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn is_one_line(text: &str) -> bool {
    text.ends_with('\n') && text.lines().count() == 1 && text.starts_with("error: ")
}

/// The artefacts of a run that was not interrupted.
pub fn unbroken() -> &'static BTreeMap<String, Vec<u8>> {
    static ARTEFACTS: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    ARTEFACTS.get_or_init(|| {
        let place = Place::new();
        place.done("train", &[]);
        place.artefacts()
    })
}

/// Compares names first: a whole dump of bytes says nothing to anybody.
pub fn assert_same(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    let differing: Vec<_> = found.keys().filter(|name| found[*name] != expected[*name]).collect();
    assert!(differing.is_empty(), "{differing:?} differ");
}

#[test]
fn a_whole_run_leaves_everything_it_promises() {
    let place = Place::new();
    let printed = place.done("train", &[]);
    for generation in ["gen-000000", "gen-000001", "gen-000002"] {
        assert_eq!(names(&place.model(generation)), ["checkpoint.toml", "weights.safetensors"]);
    }
    for generation in ["gen-000000", "gen-000001"] {
        assert_eq!(names(&place.data(generation)), ["0000.parquet", "0001.parquet", "0002.parquet"]);
    }
    assert_eq!(names(&place.data("")).len(), 2, "the last network plays no games");
    assert!(names(&place.model("")).iter().any(|name| name.starts_with("events.out.tfevents.")));
    let svg = fs::read_to_string(place.model("curves.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains("policy"));

    let sizes: Vec<&str> = printed.lines().filter(|line| line.starts_with("sizes: network ")).collect();
    assert!(sizes.len() == 1 && sizes[0].contains("MiB; memory about "), "{printed}");

    let summaries: Vec<&str> = printed.lines().filter(|line| line.contains(" games of ")).collect();
    assert_eq!(summaries.len(), 2, "{printed}");
    for part in [" of 2  6 games of 20 plies", "white/draw/black", "plies/s", " left"] {
        assert!(summaries.iter().all(|line| line.contains(part)), "{part}: {printed}");
    }
    let losses: Vec<&str> = printed.lines().filter(|line| line.contains("loss: ")).collect();
    assert_eq!(losses.len(), 2, "{printed}");
    for part in ["policy ", "value ", "window", "MiB"] {
        assert!(losses.iter().all(|line| line.contains(part)), "{part}: {printed}");
    }
    for (what, path) in [("run ", "models/tiny"), ("games ", "data/tiny"), ("curves ", "models/tiny/curves.svg")] {
        assert!(printed.lines().rev().take(3).any(|line| line.starts_with(what) && line.ends_with(path)), "{printed}");
    }

    let events = place.events();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    for kind in ["selfplay", "train", "match", "ratings"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    let played = events.iter().find(|event| event["event"] == "selfplay").unwrap();
    let positive = [
        "games",
        "plies_per_second",
        "evaluations_per_second",
        "batch_fill",
        "evaluation_share",
        "game_length",
        "full_searches",
        "prior_entropy",
        "target_entropy",
    ];
    for key in positive {
        assert!(played[key].as_f64().unwrap() > 0.0, "{key}: {played}");
    }
    let sum = |key: &str| played[key].as_object().unwrap().values().map(|count| count.as_f64().unwrap()).sum::<f64>();
    assert_eq!((sum("results"), sum("reasons"), sum("actions")), (6.0, 6.0, played["plies"].as_f64().unwrap()));
    assert!((sum("action_shares") - 1.0).abs() < 1e-9);
    for kind in ["reinforcement", "promotion"] {
        assert!(played["actions"][kind].is_u64() && played["action_shares"][kind].is_f64(), "{kind}: {played}");
    }
    assert!(
        played["policy_kl"].is_f64() && played["cache_hits"].is_f64() && played["resignations"]["wrong"].is_u64(),
        "{played}"
    );

    let artefacts = place.artefacts();
    let files = names(&place.model(""));
    let again = place.done("train", &["--resume"]);
    assert!(!again.contains("gen "), "nothing is left to do: {again}");
    assert_same(&place.artefacts(), &artefacts);
    assert_eq!((place.events(), names(&place.model(""))), (events, files));
}

#[test]
fn matches_between_baselines_are_played_once_for_all_runs() {
    let place = Place::new();
    let train = |rules: &str| {
        for folder in [place.model(""), place.data("")] {
            fs::remove_dir_all(folder).ok();
        }
        let opponents = "evaluate.opponents=[\"random\", \"alphabeta:1\"]";
        let said = place.done("train", &["--set", opponents, "--set", "evaluate.pool_games=2", "--set", rules]);
        let rated = place.events().pop().unwrap();
        let players: Vec<&str> =
            rated["players"].as_array().unwrap().iter().map(|player| player["player"].as_str().unwrap()).collect();
        assert!(players.contains(&"alphabeta:1@40%") && players.contains(&"gen-000002"), "{players:?}");
        (said, rated["players"].clone())
    };
    let (first, rated) = train("rules.max_plies=100");
    assert!(first.contains("baselines: 13 matches of 2 games"), "{first}");
    let (second, again) = train("rules.max_plies=100");
    assert!(second.contains("Elo ") && !second.contains("baselines"), "{second}");
    assert_eq!(again, rated);
    // Those of the standard rules come with the program.
    let (standard, _) = train("rules.max_plies=512");
    assert!(standard.contains("Elo ") && !standard.contains("baselines"), "{standard}");
}

#[test]
fn a_bundle_among_the_opponents_is_a_player_of_the_scale() {
    let place = Place::new();
    let at = |path: &str| place.folder.path().join(path);
    let export = |generation: &str| {
        let checkpoint = format!("models/tiny/{generation}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
        command.args(["export", &checkpoint, "-o", "bot.maydan"]).current_dir(place.folder.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", complaint(&output));
        let metadata = fs::read_to_string(at(&checkpoint).join("checkpoint.toml")).unwrap();
        let id = metadata.lines().find_map(|line| line.strip_prefix("id = \"")).unwrap();
        format!("bot-{}@2", &id[..8])
    };
    let opponents = "evaluate.opponents=[\"bot.maydan\", \"alphabeta:1\"]";
    let options = ["--set", opponents, "--set", "evaluate.pool_games=2", "--set", "rules.max_plies=100"];
    let train = |run: &str| {
        let said = place.done("train", &[&["--run", run], &options[..]].concat());
        let text = fs::read_to_string(at("models").join(run).join("metrics.jsonl")).unwrap();
        (said, text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<Value>>())
    };

    let error = place.refused("train", &options);
    assert!(is_one_line(&error) && error.contains("[evaluate] opponents: network `bot.maydan`: expected"), "{error}");
    assert!(!place.model("config.toml").exists(), "a mistyped bundle is not kept");
    place.done("train", &["--set", "rules.max_plies=100", "--set", "evaluate.every=0"]);
    let first = export("gen-000001");
    let (said, events) = train("one");
    assert!(said.contains("baselines: 14 matches of 2 games"), "13 of the ladder and one of the network: {said}");
    let met: Vec<&Value> = events.iter().filter(|event| event["event"] == "match").map(|e| &e["opponent"]).collect();
    assert_eq!(met, [first.as_str(), "alphabeta:1"]);
    let rated = events.last().unwrap()["players"].as_array().unwrap();
    let bot = rated.iter().find(|player| player["player"] == first.as_str()).expect("a rated player");
    assert!(bot["generation"].is_null() && bot["pairs"] == 2, "its match with alphabeta:1 and the run's: {bot}");

    let (said, _) = train("two");
    assert!(said.contains("Elo ") && !said.contains("baselines"), "{said}");
    let second = export("gen-000002");
    assert_ne!(second, first);
    let (said, events) = train("three");
    assert!(said.contains("baselines: 1 matches of 2 games"), "another network is another player: {said}");
    assert!(events.iter().any(|event| event["opponent"] == second.as_str()));

    fs::remove_file(at("bot.maydan")).unwrap();
    let error = place.refused("train", &[&["--run", "three"], &options[..]].concat());
    assert!(is_one_line(&error) && error.contains("opponents: network `bot.maydan`"), "{error}");
}

#[test]
fn the_halves_by_turns_do_what_the_whole_does() {
    let place = Place::new();
    assert!(place.refused("learn", &[]).contains("generation 0: expected its 6 games (selfplay.games), found 0"));
    for _ in 0..2 {
        place.done("selfplay", &[]);
        place.done("learn", &[]);
    }
    assert_same(&place.artefacts(), unbroken());
    place.done("train", &[]);
    assert_same(&place.artefacts(), unbroken());
}

#[test]
fn how_the_network_runs_is_measured_once_and_kept() {
    let place = Place::new();
    let automatic = ["--set", "run.precision=auto", "--set", "run.backend=auto", "--set", "run.generations=1"];
    place.done("train", &automatic);
    let settled = |place: &Place| place.events().into_iter().filter(|event| event["event"] == "evaluator").collect();
    let first: Vec<Value> = settled(&place);
    assert_eq!(first.len(), 1, "{first:?}");
    let speeds = first[0]["positions_per_second"].as_object().unwrap();
    assert!(speeds.values().all(|speed| speed.as_f64().unwrap() > 0.0), "{speeds:?}");
    // Without AVX-512 one way is left, and there is nothing to measure.
    assert!(if has_avx512() { speeds.len() >= 2 } else { speeds.is_empty() }, "{speeds:?}");

    // A second session measures nothing; a configuration that says what it wants does not either, and gets it.
    let more = ["--allow-config-change", "--set", "run.generations=2"];
    place.done("train", &[&automatic[..4], &more].concat());
    assert_eq!(settled(&place), first);
    let fused = ["--set", "run.backend=fused", "--allow-config-change", "--set", "run.generations=3"];
    place.done("train", &fused);
    let now: Vec<Value> = settled(&place);
    assert_eq!((now.len(), now[1]["plan"].as_str()), (2, Some("f32_fused")));
    assert!(now[1]["positions_per_second"].as_object().unwrap().is_empty());
}

#[test]
fn a_plan_that_the_processor_lacks_is_settled_anew() {
    let place = Place::new();
    let session = |generations: &str| {
        let generations = format!("run.generations={generations}");
        let automatic = ["--set", "run.precision=auto", "--set", "run.backend=auto", "--allow-config-change"];
        let mut command = place.command("train", &[&automatic[..], &["--set", &generations]].concat());
        let output = command.env("ONEDNN_MAX_CPU_ISA", "AVX2").output().unwrap();
        assert!(output.status.success(), "{}", complaint(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let plans = || -> Vec<String> {
        let events = place.events().into_iter().filter(|event| event["event"] == "evaluator");
        events.map(|event| event["plan"].as_str().unwrap().to_owned()).collect()
    };
    session("1");
    assert_eq!(plans(), ["f32"], "no other is left to choose from");
    // As if the run had begun on a processor with more instructions.
    let metrics = place.model("metrics.jsonl");
    let text = fs::read_to_string(&metrics).unwrap();
    fs::write(&metrics, text.replace(r#""plan":"f32""#, r#""plan":"bf16_fused""#)).unwrap();
    let lost = "evaluator: f32, as configured; bf16 fused, chosen before, is not to be had on this processor";
    let printed = session("2");
    assert_eq!(printed.lines().filter(|line| *line == lost).count(), 1, "{printed}");
    assert_eq!(plans(), ["bf16_fused", "f32"]);
    assert!(!session("3").contains("evaluator"), "settled for good");
}

#[test]
fn fewer_games_in_mid_generation_leave_none_beyond() {
    let place = Place::new();
    place.done("selfplay", &[]);
    let all = place.artefacts();
    let fewer = ["--set", "selfplay.games=3", "--allow-config-change"];
    let error = place.refused("learn", &fewer);
    assert!(error.contains("generation 0: expected its 3 games (selfplay.games), found 6"), "{error}");
    let output = place.run("selfplay", &fewer);
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(complaint(&output).contains("selfplay.games is now 3; files beyond, removed: 1"), "{}", complaint(&output));
    let fresh = Place::new();
    fresh.done("selfplay", &fewer[..2]);
    assert_same(&place.artefacts(), &fresh.artefacts());
    place.done("learn", &fewer[..2]);
    fs::remove_dir_all(place.model("gen-000001")).unwrap();
    // More games again are the same games again.
    place.done("selfplay", &["--allow-config-change"]);
    assert_same(&place.artefacts(), &all);
}

#[test]
fn the_benchmark_prints_ceiling_ratio_errors_shares_and_memory() {
    let place = Place::new();
    let arguments =
        ["--seconds", "0.3", "--shards", "1,2", "--set", "run.precision=bf16", "--set", "selfplay.games_per_file=1"];
    let text = place.done("bench", &arguments);
    for part in
        ["shatara (", "1x8,", "bf16, as configured", "error against f32 on 512", "policy max", "ceiling", "memory  "]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.len() == 9 && words[3].ends_with('%'))
        .collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ["1", "2"], "{text}");
    let shares = text.lines().find(|line| line.starts_with("one shard's time")).unwrap();
    for part in ["evaluate", "search", "rules", "encode", "write"] {
        assert!(shares.contains(part), "{shares}");
    }
    assert!(place.refused("bench", &["--seconds", "0"]).contains("--seconds: expected 0.1 to 3600, found 0"));
    assert!(place.refused("bench", &["--shards", "0"]).contains("--shards"));
}

#[test]
fn a_second_process_on_a_run_is_refused() {
    let place = Place::new();
    let endless = ["--set", "run.generations=0"];
    let mut child =
        place.run_until(&endless, || place.data("gen-000000/0000.parquet").exists()).expect("it has no end");
    let error = place.refused("train", &endless);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_one_line(&error) && error.contains("models/tiny: another process"), "{error}");
}

#[test]
fn a_changed_configuration_is_shown_and_needs_a_word() {
    let place = Place::new();
    place.done("selfplay", &[]);
    let changed = ["--set", "train.learning_rate=0.001"];
    let error = place.refused("learn", &changed);
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines.contains(&"-learning_rate = 0.003") && lines.contains(&"+learning_rate = 0.001"), "{error}");
    assert!(lines[lines.len() - 1].starts_with("error: ./models/tiny/config.toml: the run exists"), "{error}");

    let larger = ["--allow-config-change", "--set", "model.blocks=2"];
    let error = place.refused("learn", &larger);
    assert!(is_one_line(&error) && error.contains("[model] blocks: expected 1"), "{error}");
    let other_rules = ["--allow-config-change", "--set", "rules.max_plies=30"];
    let error = place.refused("learn", &other_rules);
    assert!(is_one_line(&error) && error.contains("ruleset.options.max_plies: expected 30, found 512"), "{error}");

    place.done("learn", &["--set", "train.learning_rate=0.001", "--allow-config-change"]);
    assert!(place.model("gen-000001").exists());
    place.done("selfplay", &changed);
}

#[test]
fn what_a_crash_leaves_behind_does_no_harm() {
    let place = Place::new();
    place.done("selfplay", &[]);
    let chunk = place.data("gen-000000/0001.parquet");
    let whole = fs::read(&chunk).unwrap();
    fs::write(&chunk, &whole[..whole.len() / 2]).unwrap();
    fs::write(place.data("gen-000000/0002.parquet.partial"), b"PAR1").unwrap();
    for stray in ["gen-000001.partial", "training/gen-000001.partial", "training/gen-000000.replaced"] {
        fs::create_dir_all(place.model(stray)).unwrap();
        fs::write(place.model(stray).join("weights.safetensors"), b"half").unwrap();
    }
    let mut metrics = fs::read(place.model("metrics.jsonl")).unwrap();
    metrics.extend(br#"{"time":1,"event":"tra"#);
    fs::write(place.model("metrics.jsonl"), metrics).unwrap();
    place.done("train", &[]);
    assert_same(&place.artefacts(), unbroken());
    assert!(!place.events().is_empty());
}

#[test]
fn damage_is_named_and_a_lost_optimiser_survived() {
    let place = Place::new();
    place.done("train", &["--set", "run.generations=1"]);
    let on = ["--allow-config-change"];

    let chunk = place.data("gen-000000/0001.parquet");
    fs::write(&chunk, &fs::read(&chunk).unwrap()[..1000]).unwrap();
    fs::remove_dir_all(place.model("training")).unwrap();
    let output = place.run("train", &on);
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(complaint(&output).contains("gen-000000/0001.parquet: not a whole Parquet file"), "{}", complaint(&output));
    assert!(complaint(&output).contains("generation 1: no optimiser"), "{}", complaint(&output));

    let weights = place.model("gen-000002/weights.safetensors");
    let mut bytes = fs::read(&weights).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&weights, &bytes).unwrap();
    let error = place.refused("train", &[]);
    assert!(is_one_line(&error) && error.contains("gen-000002/weights.safetensors: id: expected"), "{error}");
    fs::remove_file(&weights).unwrap();
    let error = place.refused("train", &[]);
    assert!(is_one_line(&error) && error.contains("gen-000002/weights.safetensors"), "{error}");
}

#[test]
fn mistakes_are_printed_in_one_line_and_leave_nothing_behind() {
    let place = Place::new();
    for (arguments, expected) in [
        (["--set", "train.sped=3"], "sped"),
        (["--set", "selfplay.games=0"], "[selfplay] games: expected 1"),
        (["--set", "evaluate.opponents=[\"strong\"]"], "`strong`"),
        (["--set", "run.device=tpu"], "`tpu`"),
        (["--set", "rules.colour=3"], "colour"),
        (["--run", "../elsewhere"], "run name `../elsewhere`"),
        (["--minutes", "NaN"], "--minutes"),
    ] {
        let error = place.refused("train", &arguments);
        assert!(is_one_line(&error) && error.contains(expected), "{error}");
    }
    let endless = ["--set", "run.generations=0", "--set", "window.maximum_rows=1000000000000000"];
    for command in ["train", "bench"] {
        let error = place.refused(command, &endless);
        assert!(is_one_line(&error) && error.contains("[window] maximum_rows: expected a size for the "), "{error}");
        assert!(error.contains("MiB of this machine's memory, found 1000000000000000, about "), "{error}");
    }
    fs::remove_file(place.folder.path().join("tiny.toml")).unwrap();
    let error = place.refused("train", &[]);
    assert!(is_one_line(&error) && error.contains("tiny.toml: cannot be read"), "{error}");
    assert!(names(place.folder.path()).is_empty());
}

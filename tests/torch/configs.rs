//! The files in configs/: they load, and they are the manual of the configuration.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use maydan::{
    game::{
        Game, Playable, Ruleset,
        registry::{self, GameVisitor},
    },
    pipeline::{Config, Sizes},
    trial::{MatchesConfig, TrialConfig},
};

/// The files, in order of their names.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    assert!(files.len() >= 4 && files.iter().all(|file| file.extension().is_some_and(|e| e == "toml")), "{files:?}");
    files
}

/// `make demo GAME=<id>` works for every game.
#[test]
fn every_game_has_a_demo() {
    for id in registry::IDS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("configs/{id}-demo.toml"));
        assert_eq!(Config::load(&path, &[]).unwrap().game, *id);
    }
}

fn manual() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/shatara.toml")).unwrap()
}

struct RulesetOf;

impl GameVisitor for RulesetOf {
    type Output = Ruleset;

    fn visit<R: Playable>(self, game: Game<R>) -> Ruleset {
        game.ruleset().clone()
    }
}

fn ruleset(config: &Config) -> Ruleset {
    registry::with_game(&config.game, &config.rules, RulesetOf).unwrap()
}

/// A line `key = value`, switched off by a leading `# ` or not.
struct Entry {
    /// With its section: `run.seed`.
    key: String,
    /// On the line, or on the line above where that is not itself an entry that is switched off.
    explained: bool,
    off: bool,
}

/// The entries of a file in their order. Every value of these files stands on its key's line.
fn entries(text: &str) -> Vec<Entry> {
    let name = |text: &str| {
        let (key, _) = text.split_once(" = ")?;
        (!key.is_empty() && key.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_'))
            .then(|| key.to_owned())
    };
    let (mut section, mut above, mut found) = (String::new(), false, Vec::new());
    for line in text.lines() {
        if let Some(title) = line.strip_prefix('[') {
            section = format!("{}.", title.strip_suffix(']').unwrap());
            above = false;
            continue;
        }
        let (off, content) = line.strip_prefix("# ").map_or((false, line), |content| (true, content));
        match name(content) {
            Some(key) => {
                let explained = above || content.contains(" # ");
                found.push(Entry { key: format!("{section}{key}"), explained, off });
                above = false;
            }
            None => above = line.starts_with('#'),
        }
    }
    found
}

/// Paths of all keys of a table, those of its tables included.
fn keys(table: &toml::Table, prefix: &str, found: &mut BTreeSet<String>) {
    for (key, value) in table {
        let path = format!("{prefix}{key}");
        match value {
            toml::Value::Table(inner) => keys(inner, &format!("{path}."), found),
            _ => assert!(found.insert(path)),
        }
    }
}

#[test]
fn every_file_loads_and_its_rules_resolve() {
    for file in files() {
        // A machine without a GPU must be able to check the configuration made for one.
        let config = Config::load(&file, &["run.device=cpu".to_owned()]).unwrap();
        assert_eq!(ruleset(&config).game, config.game, "{}", file.display());
    }
}

struct SizesOf<'a>(&'a Config);

impl GameVisitor for SizesOf<'_> {
    type Output = Sizes;

    fn visit<R: Playable>(self, game: Game<R>) -> Sizes {
        Sizes::of(&game, self.0).unwrap()
    }
}

fn sizes(config: &Config) -> Sizes {
    registry::with_game(&config.game, &config.rules, SizesOf(config)).unwrap()
}

/// Bytes of memory that a configuration is held against, whatever the machine of the test has.
const GIB: u64 = 1 << 30;

#[test]
fn every_file_fits_a_machine_of_its_kind() {
    for file in files() {
        let memory = if file.ends_with("shatara-gpu.toml") { 64 * GIB } else { 8 * GIB };
        let sizes = sizes(&Config::load(&file, &["run.device=cpu".to_owned()]).unwrap());
        assert_eq!(sizes.fit(memory), Ok(()), "{}: {sizes}", file.display());
        assert!(!sizes.to_string().contains('\n'), "{sizes}");
    }
}

#[test]
fn a_run_without_room_is_refused_with_the_key_to_blame() {
    for (sets, key) in [
        (&["model.channels=1024", "model.blocks=64"][..], "[model] channels"),
        (&["selfplay.slots=65536", "selfplay.search.playouts=400"], "[selfplay] slots"),
        (&["selfplay.search.playouts=1000000"], "[selfplay] slots"),
        (&["selfplay.shards=4096", "selfplay.slots=1"], "[selfplay] cache_positions"),
        (&["selfplay.cache_positions=268435456"], "[selfplay] cache_positions"),
        (&["selfplay.games=1000000", "selfplay.games_per_file=1000000"], "[selfplay] games_per_file"),
        (&["run.batch_size=65536", "selfplay.shards=64"], "[run] batch_size"),
        (&["window.maximum_rows=1000000000000"], "[window] maximum_rows"),
        (&["sampler.prefetch=1000", "train.batch_size=8192"], "[sampler] prefetch"),
        (&["train.batch_size=65536"], "[train] batch_size"),
        (&["evaluate.playouts=1000000"], "[evaluate] playouts"),
    ] {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let sizes = sizes(&Config::parse(&manual(), "shatara.toml", &sets).unwrap());
        let error = sizes.fit(8 * GIB).expect_err(key);
        assert_eq!((error.field.as_str(), error.to_string().lines().count()), (key, 1), "{sets:?}: {error}");
        assert!(error.expected.contains("8192 MiB") && error.found.contains("about "), "{error}");
    }
}

/// Numbers of games are no memory: they are played one after another.
#[test]
fn a_generation_may_have_any_number_of_games() {
    let most = ["selfplay.games=100000000".to_owned(), "evaluate.games=1000000".to_owned()];
    let sizes = sizes(&Config::parse(&manual(), "shatara.toml", &most).unwrap());
    assert_eq!(sizes.fit(8 * GIB), Ok(()), "{sizes}");
}

/// Every number of the manual, as large as numbers get: refused as it is read, or its sizes are told at once.
#[test]
fn the_largest_numbers_are_refused_or_told() {
    let some = ["fleet.tries=5".to_owned()];
    let whole: toml::Table = Config::parse(&manual(), "shatara.toml", &some).unwrap().to_toml().parse().unwrap();
    let mut names = BTreeSet::new();
    keys(&whole, "", &mut names);
    let (mut refused, mut told) = (0, 0);
    for name in names {
        for value in ["9223372036854775807", "65536", "1e300", "1.0", "0"] {
            match Config::parse(&manual(), "shatara.toml", &[format!("{name}={value}")]) {
                Err(error) => {
                    refused += 1;
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                }
                Ok(config) if config.rules.is_empty() && config.game == "shatara" => {
                    told += 1;
                    assert!(sizes(&config).to_string().starts_with("sizes: network "), "{name}={value}");
                }
                Ok(_) => {}
            }
        }
    }
    assert!(refused > 50 && told > 50, "{refused} refused, {told} told");
}

#[test]
fn every_key_is_explained_where_it_stands_and_stands_once() {
    for file in files() {
        let mut seen = BTreeSet::new();
        for entry in entries(&fs::read_to_string(&file).unwrap()) {
            assert!(entry.explained, "{}: {} has no comment", file.display(), entry.key);
            assert!(seen.insert(entry.key.clone()), "{}: {} stands twice", file.display(), entry.key);
        }
        assert!(seen.contains("game"), "{}: no game", file.display());
    }
}

#[test]
fn every_section_is_introduced() {
    for file in files() {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for at in (0..lines.len()).filter(|&at| lines[at].starts_with('[')) {
            assert!(lines[at - 1].starts_with("# "), "{}: {} has no introduction", file.display(), lines[at]);
        }
    }
}

#[test]
fn the_manual_holds_every_key_and_no_other() {
    // A fleet's section is written only where something in it is set.
    let config = Config::parse(&manual(), "shatara.toml", &["fleet.tries=5".to_owned()]).unwrap();
    let mut expected = BTreeSet::new();
    keys(&config.to_toml().parse().unwrap(), "", &mut expected);
    keys(&ruleset(&config).options, "rules.", &mut expected);
    // Written only where it is set, since bundles and checkpoints have the same table.
    expected.insert("model.module".to_owned());
    let found: BTreeSet<String> = entries(&manual()).into_iter().map(|entry| entry.key).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_manual_tells_the_values_of_the_preset() {
    let config = Config::parse(&manual(), "shatara.toml", &[]).unwrap();
    let off: BTreeMap<String, bool> = entries(&manual()).into_iter().map(|entry| (entry.key, entry.off)).collect();
    assert!(off.iter().all(|(key, &off)| off == key.starts_with("rules.")), "{off:?}");
    // With every option of the rules switched on nothing changes.
    let on: String = manual()
        .lines()
        .map(|line| {
            let switched = line
                .strip_prefix("# ")
                .filter(|content| entries(content).len() == 1 && content.parse::<toml::Table>().is_ok());
            format!("{}\n", switched.unwrap_or(line))
        })
        .collect();
    let switched_on = Config::parse(&on, "shatara.toml", &[]).unwrap();
    assert_eq!(switched_on.rules.len(), ruleset(&config).options.len());
    assert_eq!(ruleset(&switched_on), ruleset(&config));
}

/// The trials that come with the project: they load, every arm has a configuration, and every key is explained.
#[test]
fn shipped_trials_load() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/trials");
    let files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    for file in files {
        let mut trial = TrialConfig::load(&file, &[]).unwrap();
        let configuration = Path::new(env!("CARGO_MANIFEST_DIR")).join(&trial.config);
        trial.config = configuration.display().to_string();
        for arm in &trial.arm {
            assert!(trial.run(arm, 7).is_ok_and(|run| run.run.seed == 7), "{}: {}", file.display(), arm.name);
        }
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with('#') && text.contains("maydan trial configs/trials/"), "{}", file.display());
    }
    let text = fs::read_to_string(folder.join("cutoff.toml")).unwrap();
    let keys = toml::Table::try_from(MatchesConfig::default()).unwrap();
    for key in
        keys.keys().map(String::as_str).chain(["config", "set", "seeds", "minutes", "evaluations", "from", "elo"])
    {
        assert!(text.contains(&format!("{key} = ")), "cutoff.toml explains every key, but not `{key}`");
    }
}

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
    pipeline::Config,
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
    let config = Config::parse(&manual(), "shatara.toml", &[]).unwrap();
    let mut expected = BTreeSet::new();
    keys(&config.to_toml().parse().unwrap(), "", &mut expected);
    keys(&ruleset(&config).options, "rules.", &mut expected);
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

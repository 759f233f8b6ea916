//! The file of a trial. `configs/trials/` has an example that explains every key.

use std::{collections::BTreeSet, path::Path};

use serde::{Deserialize, Serialize};

use crate::{
    console::{ConfigError, read_config},
    disk::check_name,
    evaluate::{PlayerSpec, match_search},
    model::{Backend, Precision},
    pipeline::{Budget, Config},
    search::SearchConfig,
};

/// A trial: what all arms share, and what each does differently. The first arm is the reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialConfig {
    /// The configuration of a run, which arms change.
    pub config: String,
    /// Changes of every arm, `section.key=value`.
    #[serde(default)]
    pub set: Vec<String>,
    /// A run of every arm for each.
    #[serde(default = "three")]
    pub seeds: Vec<u64>,
    /// Minutes of self-play and training of a run. This or `evaluations`.
    pub minutes: Option<f64>,
    /// Evaluations of self-play of a run.
    pub evaluations: Option<f64>,
    /// A run whose newest checkpoint and games all arms begin with; none to begin with random networks.
    pub from: Option<String>,
    /// The matches at the end.
    #[serde(default, rename = "match")]
    pub matches: MatchesConfig,
    /// When an arm is given up half-way.
    pub stop: Option<StopConfig>,
    pub arm: Vec<ArmConfig>,
}

/// The matches between networks at the end of their runs: `[match]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchesConfig {
    /// Games of an arm against the reference, for each seed; even.
    pub games: u64,
    /// Whom every network meets too: baselines, bundles, checkpoints, other programs.
    pub opponents: Vec<String>,
    /// Games against each of them; even.
    pub opponent_games: u64,
    /// Playouts of a network before each move.
    pub playouts: u32,
    /// What its search does differently from that of matches; keys of `[selfplay.search]`.
    pub search: toml::Table,
    /// Random plies that open each pair of games.
    pub opening_plies: u32,
    /// Where networks compute: `cpu`, `cuda` or `cuda:N`.
    pub device: String,
    /// Numbers that they compute in.
    pub precision: Precision,
    /// How libtorch runs them.
    pub backend: Backend,
}

/// When an arm is given up: `[stop]`. At half its cost it meets the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopConfig {
    /// Elo that it is behind.
    pub elo: f64,
    /// Games of that match; even.
    pub games: u64,
}

/// An arm: `[[arm]]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmConfig {
    pub name: String,
    /// Its changes, laid over those of every arm.
    #[serde(default)]
    pub set: Vec<String>,
}

fn three() -> Vec<u64> {
    vec![1, 2, 3]
}

impl Default for MatchesConfig {
    fn default() -> Self {
        MatchesConfig {
            games: 400,
            opponents: Vec::new(),
            opponent_games: 100,
            playouts: 100,
            search: toml::Table::new(),
            opening_plies: 4,
            device: "cpu".to_owned(),
            precision: Precision::F32,
            backend: Backend::Eager,
        }
    }
}

impl MatchesConfig {
    /// The search of networks in matches.
    ///
    /// # Errors
    /// `field: expected X, found Y`.
    pub fn search(&self) -> Result<SearchConfig, String> {
        match_search(self.playouts).changed(&self.search)
    }
}

impl TrialConfig {
    /// Reads a file and lays `overrides` (`section.key=value`) over it.
    ///
    /// # Errors
    /// Names the file, the key and what was expected.
    pub fn load(path: &Path, overrides: &[String]) -> Result<TrialConfig, ConfigError> {
        let config: TrialConfig = read_config(path, overrides)?;
        let error = |reason| ConfigError::File { file: path.display().to_string(), reason };
        config.validate().map_err(error)?;
        Ok(config)
    }

    /// What a run may cost.
    pub fn budget(&self) -> Budget {
        match (self.minutes, self.evaluations) {
            (Some(minutes), _) => Budget::Seconds(60.0 * minutes),
            (None, evaluations) => Budget::Evaluations(evaluations.unwrap_or_default()),
        }
    }

    /// The configuration of one run.
    ///
    /// # Errors
    /// When the file of runs cannot be used, or a change is none.
    pub fn run(&self, arm: &ArmConfig, seed: u64) -> Result<Config, ConfigError> {
        let own = ["run.generations=0".to_owned(), "evaluate.every=0".to_owned(), format!("run.seed={seed}")];
        let fork = self.from.iter().map(|origin| format!("run.fork={origin:?}"));
        let changes: Vec<String> = self.set.iter().chain(&arm.set).cloned().chain(own).chain(fork).collect();
        Config::load(Path::new(&self.config), &changes)
    }

    /// What the results depend on besides the runs, as TOML: a trial goes on only with the same.
    pub fn identity(&self) -> String {
        let TrialConfig { minutes, evaluations, from, matches, stop, .. } = self.clone();
        #[derive(Serialize)]
        struct Identity {
            minutes: Option<f64>,
            evaluations: Option<f64>,
            from: Option<String>,
            reference: String,
            r#match: MatchesConfig,
            stop: Option<StopConfig>,
        }
        let reference = self.arm.first().map_or(String::new(), |arm| arm.name.clone());
        let identity = Identity { minutes, evaluations, from, reference, r#match: matches, stop };
        toml::to_string(&identity).expect("a trial serialises")
    }

    fn validate(&self) -> Result<(), String> {
        let positive = |name: &str, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(format!("{name}: expected a number above 0, found {value}")),
        };
        match (self.minutes, self.evaluations) {
            (Some(minutes), None) => positive("minutes", minutes)?,
            (None, Some(evaluations)) => positive("evaluations", evaluations)?,
            (None, None) => return Err("minutes: expected this or `evaluations`, found neither".to_owned()),
            (Some(_), Some(_)) => return Err("minutes: expected this or `evaluations`, found both".to_owned()),
        }
        if self.arm.len() < 2 {
            return Err(format!("[[arm]]: expected at least two, found {}", self.arm.len()));
        }
        let mut names = BTreeSet::new();
        for arm in &self.arm {
            if check_name(&arm.name).is_err() {
                let expected = "letters, digits, `-`, `_` and `.`, not beginning with `.`";
                return Err(format!("[[arm]] name: expected {expected}, found `{}`", arm.name));
            }
            if !names.insert(&arm.name) {
                return Err(format!("[[arm]] name: expected each arm once, found two arms `{}`", arm.name));
            }
        }
        if self.seeds.is_empty() || self.seeds.iter().collect::<BTreeSet<_>>().len() < self.seeds.len() {
            return Err(format!("seeds: expected at least one, each once, found {:?}", self.seeds));
        }
        let even = |name: &str, games: u64| match games > 0 && games.is_multiple_of(2) && games <= 1_000_000 {
            true => Ok(()),
            false => Err(format!("{name}: expected an even number, 2 to 1000000, found {games}")),
        };
        even("[match] games", self.matches.games)?;
        even("[match] opponent_games", self.matches.opponent_games)?;
        self.matches.search().map_err(|error| format!("[match] {error}"))?;
        if self.matches.opening_plies > 1000 {
            return Err(format!("[match] opening_plies: expected at most 1000, found {}", self.matches.opening_plies));
        }
        for name in &self.matches.opponents {
            name.parse::<PlayerSpec>().map_err(|error| format!("[match] opponents: {error}"))?;
        }
        if let Some(stop) = self.stop {
            positive("[stop] elo", stop.elo)?;
            even("[stop] games", stop.games)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<TrialConfig, String> {
        let config: TrialConfig = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        config.validate().map(|()| config)
    }

    const GOOD: &str = "config = 'c.toml'\nminutes = 2\n[[arm]]\nname = 'a'\n[[arm]]\nname = 'b'\n";

    #[test]
    fn every_mistake_is_named() {
        assert_eq!(checked(GOOD).unwrap().budget(), Budget::Seconds(120.0));
        for (from, to, part) in [
            ("minutes = 2", "", "found neither"),
            ("minutes = 2", "minutes = 2\nevaluations = 1e6", "found both"),
            ("minutes = 2", "minutes = -1", "minutes: expected a number above 0"),
            ("name = 'b'", "name = 'a'", "two arms `a`"),
            ("name = 'b'", "name = '../b'", "[[arm]] name"),
            ("minutes = 2", "minutes = 2\nseeds = [1, 1]", "seeds"),
            ("minutes = 2", "minutes = 2\nmatch = { games = 3 }", "[match] games"),
            ("minutes = 2", "minutes = 2\nmatch = { search = { playots = 3 } }", "playots"),
            ("minutes = 2", "minutes = 2\nmatch = { opponents = ['alphabeta:x'] }", "alphabeta:x"),
            ("minutes = 2", "minutes = 2\nstop = { elo = 0, games = 2 }", "[stop] elo"),
        ] {
            let error = checked(&GOOD.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn more_seeds_and_arms_do_not_make_it_another_trial() {
        let one = checked(GOOD).unwrap();
        let more =
            checked(&format!("{}\n[[arm]]\nname = 'c'\n", GOOD.replace("minutes", "seeds = [7]\nminutes"))).unwrap();
        assert_eq!(one.identity(), more.identity());
        assert_ne!(one.identity(), checked(&GOOD.replace("minutes = 2", "minutes = 3")).unwrap().identity());
    }
}

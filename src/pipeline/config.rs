//! The configuration of a run: one TOML file, a section for each room. `configs/shatara.toml` explains every key.

use std::{fmt::Display, net::SocketAddr, path::Path};

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::evaluation::EvaluateConfig;
use crate::{
    console::{ConfigError, parse_config, read_config},
    data::{SamplerConfig, WindowConfig},
    game::FieldError,
    model::{Backend, ModelConfig, Precision, device, gpus},
    selfplay::SelfPlayConfig,
    train::TrainConfig,
};

/// Everything a run depends on, its checkpoints and games aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The game's id.
    pub game: String,
    #[serde(default)]
    pub run: RunConfig,
    /// Options of the ruleset that differ from the game's preset.
    #[serde(default)]
    pub rules: toml::Table,
    #[serde(default)]
    pub model: ModelConfig,
    #[serde(default)]
    pub selfplay: SelfPlayConfig,
    #[serde(default, deserialize_with = "window")]
    pub window: WindowConfig,
    #[serde(default)]
    pub sampler: SamplerConfig,
    #[serde(default)]
    pub train: TrainConfig,
    #[serde(default)]
    pub evaluate: EvaluateConfig,
    #[serde(default, skip_serializing_if = "is_default")]
    pub fleet: FleetConfig,
}

/// Section `[window]`; a key that moved from it is refused with its new place.
fn window<'de, D: Deserializer<'de>>(deserializer: D) -> Result<WindowConfig, D::Error> {
    WindowConfig::deserialize(deserializer).map_err(|error| {
        if error.to_string().contains("unknown field `value_lambda`") {
            D::Error::custom("value_lambda: expected in [train], beside value_mix, found in [window]")
        } else {
            error
        }
    })
}

/// What stands for every GPU in `[run] devices`.
pub const ALL: &str = "all";

/// The most generations that the network which plays can be behind.
const MOST_LAG: u64 = 64;

/// One device or a list of them.
fn devices<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected \"all\", a device, or a list of devices")]
    enum Devices {
        One(String),
        List(Vec<String>),
    }
    Ok(match Devices::deserialize(deserializer)? {
        Devices::One(device) => vec![device],
        Devices::List(devices) => devices,
    })
}

/// What the loop itself needs to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    /// Keys every stream of random numbers.
    pub seed: u64,
    /// Generations to make; 0 goes on until stopped.
    pub generations: u64,
    /// Where the network is trained and measured, and plays unless `devices` says otherwise: `cpu`, or `cuda` for the
    /// first GPU, `cuda:1` for the second.
    pub device: String,
    /// Where it plays against itself: the threads of self-play share these out. `all` alone: every GPU; empty:
    /// `device`.
    #[serde(deserialize_with = "devices")]
    pub devices: Vec<String>,
    /// Generations that the network which plays is behind: generation g is played by checkpoint g - lag, or 0, while
    /// the learner trains. 0: the learner waits for the games, and the games for the learner.
    pub lag: u64,
    /// Rows that one call of the network takes; calls are padded to it, so that results do not depend on how full they
    /// are.
    pub batch_size: usize,
    /// Numbers that the network computes in during self-play: `f32`, `bf16`, or `auto` for the faster on this machine.
    pub precision: Precision,
    /// How it is run during self-play: `eager`, `fused`, or `auto` for the faster on this machine.
    pub backend: Backend,
    /// Checkpoints kept with their optimiser; of older ones only the weights that play stay.
    pub keep_optimisers: u64,
    /// Network that the run begins with: a bundle, or a checkpoint or run by folder or name; empty for a random one. With
    /// a larger `[model]` it is grown ([`Weights::grown`](crate::model::Weights::grown)).
    pub from: String,
    /// Run, by its name, whose games and newest network this one goes on from; empty for none.
    pub fork: String,
    /// Options of the rules that may differ from those of the network of `from`.
    pub other_rules: Vec<String>,
}

impl Default for RunConfig {
    fn default() -> Self {
        RunConfig {
            seed: 1,
            generations: 0,
            device: "cpu".into(),
            devices: Vec::new(),
            lag: 0,
            batch_size: 32,
            precision: Precision::F32,
            backend: Backend::Eager,
            keep_optimisers: 2,
            from: String::new(),
            fork: String::new(),
            other_rules: Vec::new(),
        }
    }
}

impl RunConfig {
    /// The devices that self-play shares out, by name; at least one.
    ///
    /// # Errors
    /// When one is no device or not there.
    pub fn playing_devices(&self) -> Result<Vec<String>, FieldError> {
        match self.devices.as_slice() {
            [] => Ok(vec![self.device.clone()]),
            [all] if all == ALL => {
                let names: Vec<String> = (0..gpus()).map(|index| format!("cuda:{index}")).collect();
                if names.is_empty() { Err(FieldError::new("devices", "a GPU", "none")) } else { Ok(names) }
            }
            names => {
                for name in names {
                    device(name).map_err(|error| FieldError { field: "devices".to_owned(), ..error })?;
                }
                Ok(names.to_vec())
            }
        }
    }
}

/// How workers on other machines play (`--fleet`). Changes nothing in the games where all compute alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FleetConfig {
    /// Where the server that the run starts listens.
    pub listen: SocketAddr,
    /// The name or address by which other machines reach this one; the machine's own name if empty.
    pub host: String,
    /// Whether connections to it are encrypted, by a certificate of our own making or by one that is named.
    pub tls: bool,
    /// Files of the certificate and its key (PEM); our own making if empty.
    pub certificate: String,
    pub certificate_key: String,
    /// Seconds after which a file of games is given to another worker, unless plies were played meanwhile.
    pub lease: u64,
    /// Workers that may come to an end at a file, before this process tries it itself.
    pub tries: u64,
    /// Share of the files that are held against the network, 0 to 1. All are held against the rules.
    pub check: f64,
    /// Which machines may play.
    pub arithmetic: Arithmetic,
    /// Where files of games and networks go: `nats`, through the server, or the address of a store.
    pub store: String,
}

/// What stands for no store in [`FleetConfig::store`].
const THROUGH_SERVER: &str = "nats";

/// Which machines may play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// Those that compute as this one does, to the last bit: the run is the one that this machine would make alone.
    #[default]
    One,
    /// All: the games are those of the network, and another time others.
    Any,
}

impl Default for FleetConfig {
    fn default() -> Self {
        FleetConfig {
            listen: SocketAddr::from(([0, 0, 0, 0], 4222)),
            host: String::new(),
            tls: false,
            certificate: String::new(),
            certificate_key: String::new(),
            lease: 30,
            tries: 4,
            check: 0.01,
            arithmetic: Arithmetic::default(),
            store: THROUGH_SERVER.to_owned(),
        }
    }
}

impl FleetConfig {
    /// The store that files go through, if it is not the server.
    pub fn store(&self) -> Option<&str> {
        Some(self.store.as_str()).filter(|&store| store != THROUGH_SERVER)
    }

    fn validate(&self) -> Result<(), String> {
        let counts = [("lease", self.lease, 1..=86_400), ("tries", self.tries, 1..=1000)];
        for (field, found, range) in counts {
            if !range.contains(&found) {
                return Err(format!("{field}: expected {} to {}, found {found}", range.start(), range.end()));
            }
        }
        let fit = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        if !self.host.chars().all(fit) {
            return Err(format!("host: expected a name or an address, found `{}`", self.host));
        }
        if self.certificate.is_empty() != self.certificate_key.is_empty() {
            return Err("certificate: expected certificate and certificate_key, or neither, found one".to_owned());
        }
        if !self.certificate.is_empty() && !self.tls {
            return Err("certificate: expected tls = true beside it, found false".to_owned());
        }
        if self.store().is_some_and(|store| !store.contains("://")) {
            return Err(format!("store: expected `{THROUGH_SERVER}` or an address, found `{}`", self.store));
        }
        if !(0.0..=1.0).contains(&self.check) {
            return Err(format!("check: expected 0 to 1, found {}", self.check));
        }
        Ok(())
    }
}

/// Whether a section holds nothing that was set: runs of before it was known have none.
fn is_default<T: Default + PartialEq>(section: &T) -> bool {
    *section == T::default()
}

impl Config {
    /// Reads a file and lays `overrides` (`section.key=value`) over it.
    ///
    /// # Errors
    /// Names the file, the key and what was expected.
    pub fn load(path: &Path, overrides: &[String]) -> Result<Config, ConfigError> {
        let config: Config = read_config(path, overrides)?;
        config.checked(&path.display().to_string())
    }

    /// [`load`](Config::load) from text; `file` is what errors call it.
    ///
    /// # Errors
    /// As [`load`](Config::load).
    pub fn parse(text: &str, file: &str, overrides: &[String]) -> Result<Config, ConfigError> {
        let config: Config = parse_config(text, file, overrides)?;
        config.checked(file)
    }

    fn checked(self, file: &str) -> Result<Config, ConfigError> {
        self.validate().map_err(|reason| ConfigError::File { file: file.to_owned(), reason })?;
        Ok(self)
    }

    /// The resolved configuration as TOML, every key written.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration serialises")
    }

    fn validate(&self) -> Result<(), String> {
        fn section<E: Display>(name: &str) -> impl Fn(E) -> String {
            move |reason| format!("[{name}] {reason}")
        }
        if self.run.batch_size == 0 || self.run.batch_size > 1 << 16 {
            return Err(format!("[run] batch_size: expected 1 to 65536, found {}", self.run.batch_size));
        }
        device(&self.run.device).map_err(section("run"))?;
        self.run.playing_devices().map_err(section("run"))?;
        if self.run.lag > MOST_LAG {
            return Err(format!("[run] lag: expected 0 to {MOST_LAG}, found {}", self.run.lag));
        }
        let RunConfig { from, fork, lag, .. } = &self.run;
        if !fork.is_empty() && !from.is_empty() {
            return Err(format!("[run] from: expected none beside fork, found {from:?}"));
        }
        // The networks that are behind are not there.
        if !fork.is_empty() && *lag > 0 {
            return Err(format!("[run] lag: expected 0 beside fork, found {lag}"));
        }
        self.evaluate.validate().map_err(section("evaluate"))?;
        self.fleet.validate().map_err(section("fleet"))?;
        self.model.validate().map_err(section("model"))?;
        if !self.model.module.is_empty() {
            if !self.run.from.is_empty() {
                return Err(format!("[run] from: expected none beside [model] module, found {:?}", self.run.from));
            }
            // Our own training knows our own networks alone.
            if self.train.command.is_empty() {
                return Err("[train] command: expected a program that trains [model] module, found none".to_owned());
            }
        }
        self.selfplay.validate().map_err(section("selfplay"))?;
        self.window.validate().map_err(section("window"))?;
        self.sampler.validate().map_err(section("sampler"))?;
        self.train.validate().map_err(section("train"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_reach_nested_keys_and_keep_their_type() {
        let config = Config::parse(
            "game = \"shatara\"\n[run]\nseed = 1\n",
            "a.toml",
            &["run.seed=7".into(), "rules.promotion_stock=consume".into(), "run.device=\"cpu\"".into()],
        )
        .unwrap();
        assert_eq!(config.run.seed, 7);
        assert_eq!(config.rules["promotion_stock"].as_str(), Some("consume"));
    }

    #[test]
    fn errors_are_one_line_and_name_file_and_key() {
        for (text, overrides, expected) in [
            ("game = \"shatara\"\n[run]\nsed = 1\n", vec![], "sed"),
            ("game = \"shatara\"\n[run]\nseed = \"x\"\n", vec![], "seed"),
            ("game = \"shatara\"\n[run\n", vec![], "[run"),
            ("game = \"shatara\"\n", vec!["run.batch_size=0".to_owned()], "batch_size"),
            ("game = \"shatara\"\n[evaluate]\nopponents = [\"strong\"]\n", vec![], "`strong`"),
            (
                "game = \"shatara\"\n",
                vec!["evaluate.opponents=[\"previous\"]".to_owned()],
                "opponents: expected `random`",
            ),
            (
                "game = \"shatara\"\n",
                vec!["evaluate.opponents=[\"a.maydan\"]".to_owned()],
                "opponents: expected `random`, or another baseline",
            ),
            (
                "game = \"shatara\"\n[evaluate]\npool_games = 0\n",
                vec!["evaluate.opponents=[\"greedy\"]".to_owned()],
                "found greedy",
            ),
            ("game = \"shatara\"\n", vec!["run.device=tpu".to_owned()], "`tpu`"),
            ("game = \"shatara\"\n[model]\nmodule = \"a.pt\"\n", vec![], "[train] command: expected a program"),
            (
                "game = \"shatara\"\n[model]\nmodule = \"a.pt\"\n",
                vec!["run.from=b".to_owned()],
                "[run] from: expected none beside [model] module",
            ),
            (
                "game = \"shatara\"\n[run]\nfork = \"a\"\n",
                vec!["run.from=b".to_owned()],
                "[run] from: expected none beside fork",
            ),
            ("game = \"shatara\"\n[run]\nfork = \"a\"\n", vec!["run.lag=1".to_owned()], "lag: expected 0 beside fork"),
            ("game = \"shatara\"\n", vec!["game.x=0".to_owned()], "`game` is no section"),
            ("[run]\nseed = 1\n", vec![], "game"),
        ] {
            let message = Config::parse(text, "a.toml", &overrides).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
            assert!(message.contains("a.toml") || message.contains("--set"), "{message}");
            assert!(!message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn the_precision_of_training_is_read() {
        let precision = |text: &str| Config::parse(text, "a.toml", &[]).map(|config| config.train.precision);
        assert_eq!(precision("game = \"chess\"\n").unwrap(), Precision::Auto);
        for (name, expected) in [("auto", Precision::Auto), ("f32", Precision::F32), ("bf16", Precision::Bf16)] {
            assert_eq!(precision(&format!("game = \"chess\"\n[train]\nprecision = \"{name}\"\n")).unwrap(), expected);
        }
        let error = precision("game = \"chess\"\n[train]\nprecision = \"f16\"\n").unwrap_err().to_string();
        assert!(error.contains("f16") && error.contains("bf16") && error.contains("a.toml"), "{error}");
        let error = precision("game = \"chess\"\n[train]\nprecision = \"int8\"\n").unwrap_err().to_string();
        assert!(error.contains("precision: expected `auto`, `f32` or `bf16`, found `int8`"), "{error}");
    }

    #[test]
    fn an_option_that_is_gone_is_read_where_it_is_off() {
        let config =
            |value| Config::parse(&format!("game = \"chess\"\n[model]\npolicy_arrivals = {value}\n"), "a.toml", &[]);
        assert_eq!(config("false").unwrap(), Config::parse("game = \"chess\"\n", "a.toml", &[]).unwrap());
        let error = config("true").unwrap_err().to_string();
        assert!(error.contains("policy_arrivals: expected `false`, all that is left of it, found `true`"), "{error}");
        assert!(!config("false").unwrap().to_toml().contains("policy_arrivals"));
    }

    #[test]
    fn a_key_that_moved_is_refused_with_its_new_place() {
        let error = |text: &str| Config::parse(text, "a.toml", &[]).unwrap_err().to_string();
        let moved = error("game = \"chess\"\n[window]\nvalue_lambda = 0.9\n");
        assert!(moved.starts_with("a.toml: value_lambda: expected in [train], beside value_mix, found in [window]"));
        assert!(!moved.contains('\n'), "{moved}");
        let other = error("game = \"chess\"\n[window]\nminimum_rows = \"x\"\n");
        assert!(other.ends_with("(at `minimum_rows = \"x\"`)"), "{other}");
        let config = Config::parse("game = \"chess\"\n", "a.toml", &["train.value_lambda=0.5".to_owned()]);
        assert_eq!(config.unwrap().train.value_lambda, 0.5);
    }

    #[test]
    fn the_resolved_text_reads_back() {
        let config = Config::parse("game = \"chess\"\n", "a.toml", &[]).unwrap();
        assert_eq!(Config::parse(&config.to_toml(), "b.toml", &[]).unwrap(), config);
    }
}

//! How freely a run drew its actions, from the configuration that is kept with it.

use std::path::Path;

use serde::Deserialize;

use super::StatsError;
use crate::console::read_config;

/// How actions were drawn from the search's policy: in proportion to `policy^(1 / temperature)`; at temperature 0 the
/// search's own choice.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Temperature {
    /// Temperature of the first plies, 0 to 100.
    pub start: f64,
    /// How many plies those are.
    pub plies: u32,
    /// Temperature afterwards, 0 to 100.
    pub end: f64,
}

/// What this module reads of a configuration.
#[derive(Deserialize)]
struct Config {
    /// Of a run.
    selfplay: Option<Section>,
    /// Of an arm of a study.
    play: Option<Section>,
}

#[derive(Deserialize)]
struct Section {
    temperature: Temperature,
}

impl Temperature {
    /// The temperature at which the games in `folder` were played: that of `models/<run>/config.toml` for the games of a
    /// run in `data/<run>`, that of `arm.toml` for the games of an arm of a study. None where there is neither.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub(super) fn of(folder: &Path) -> Result<Option<Temperature>, StatsError> {
        let run = folder.file_name().and_then(|name| Some(folder.parent()?.parent()?.join("models").join(name)));
        let files = [Some(folder.join("arm.toml")), run.map(|run| run.join("config.toml"))];
        let Some(file) = files.into_iter().flatten().find(|file| file.is_file()) else { return Ok(None) };
        let config: Config = read_config(&file, &[])?;
        Ok(config.play.or(config.selfplay).map(|section| section.temperature))
    }

    /// The temperature at a ply.
    pub fn at(&self, ply: usize) -> f64 {
        if ply < self.plies as usize { self.start } else { self.end }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn it_is_read_from_the_configuration_beside_the_games() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("data/run");
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(Temperature::of(&folder).unwrap(), None);
        let models = root.path().join("models/run");
        fs::create_dir_all(&models).unwrap();
        let config = models.join("config.toml");
        fs::write(&config, "game = \"x\"\n[selfplay.temperature]\nstart = 1.0\nplies = 24\nend = 0.5\n").unwrap();
        let found = Temperature::of(&folder).unwrap().unwrap();
        assert_eq!((found.at(23), found.at(24)), (1.0, 0.5));
        fs::write(folder.join("arm.toml"), "[play.temperature]\nstart = 2.0\nplies = 3\nend = 0.0\n").unwrap();
        assert_eq!(Temperature::of(&folder).unwrap().unwrap().start, 2.0);
        fs::remove_file(folder.join("arm.toml")).unwrap();
        fs::write(&config, "[selfplay.temperature]\nstart = \"hot\"").unwrap();
        let error = Temperature::of(&folder).unwrap_err().to_string();
        assert!(error.contains("config.toml") && error.contains("start"), "{error}");
    }
}

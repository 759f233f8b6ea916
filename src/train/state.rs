//! A trainer on disk: a folder with all that decides its next step, so that a resumed run goes on bit by bit as an
//! unbroken one would (on a CPU, with the same number of threads).

use std::{path::Path, sync::Arc};

use serde::{Deserialize, Serialize};
use tch::{Device, Tensor};

use super::{
    config::{OptimiserKind, TrainConfig},
    error::TrainError,
    trainer::Trainer,
};
use crate::{
    disk::write_folder,
    game::Ruleset,
    model::{Architecture, CheckpointError, ModelConfig, NetworkShape, read_toml, read_weights},
};

/// Version of the folder's layout.
const FORMAT: u32 = 1;

const STATE_FILE: &str = "trainer.toml";
const WEIGHTS_FILE: &str = "weights.safetensors";
const AVERAGE_FILE: &str = "average.safetensors";
const MOMENT1_FILE: &str = "moment1.safetensors";
const MOMENT2_FILE: &str = "moment2.safetensors";

/// Content of `trainer.toml`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    format: u32,
    steps: u64,
    samples: u64,
    optimiser: OptimiserKind,
    network: NetworkShape,
    model: ModelConfig,
    ruleset: Ruleset,
}

impl Trainer {
    /// Writes everything that the next step depends on, save the config; whole or not at all. A folder of that name is
    /// replaced.
    ///
    /// # Errors
    /// When the disk refuses, or libtorch fails.
    pub fn save(&self, folder: &Path, ruleset: &Ruleset) -> Result<(), TrainError> {
        let architecture = self.network.architecture();
        let state = State {
            format: FORMAT,
            steps: self.steps,
            samples: self.samples,
            optimiser: self.config.optimiser,
            network: *architecture.shape(),
            model: architecture.config().clone(),
            ruleset: ruleset.clone(),
        };
        let state = toml::to_string(&state).expect("a trainer's state serialises as TOML");
        let tensors = [
            (WEIGHTS_FILE, self.network.parameters()),
            (AVERAGE_FILE, &self.average),
            (MOMENT1_FILE, &self.optimiser.moment1),
            (MOMENT2_FILE, &self.optimiser.moment2),
        ];
        let content = |(name, tensor)| Ok((name, self.gather(tensor)?.to_safetensors()));
        let contents = tensors.into_iter().map(content).collect::<Result<Vec<_>, TrainError>>()?;
        let mut files = vec![(STATE_FILE, state.as_bytes())];
        files.extend(contents.iter().map(|(name, content)| (*name, content.as_slice())));
        Ok(write_folder(folder, &files).map_err(CheckpointError::from)?)
    }

    /// The optimiser that a training was [saved](Trainer::save) under.
    ///
    /// # Errors
    /// Names the file when it is missing or damaged.
    pub fn saved_optimiser(folder: &Path) -> Result<OptimiserKind, TrainError> {
        Ok(read_toml::<State>(&folder.join(STATE_FILE), FORMAT)?.optimiser)
    }

    /// Takes training up where [`save`](Trainer::save) left it. The config may differ from the one it was saved under,
    /// but for the optimiser's kind.
    ///
    /// # Errors
    /// Names the file and the field that is missing, damaged, or of another network, ruleset or optimiser.
    pub fn load(
        folder: &Path,
        config: TrainConfig,
        architecture: &Arc<Architecture>,
        ruleset: &Ruleset,
        device: Device,
    ) -> Result<Self, TrainError> {
        let file = folder.join(STATE_FILE);
        let state: State = read_toml(&file, FORMAT)?;
        let expect = |field: &str, same: bool, expected: String, found: String| match same {
            true => Ok(()),
            false => Err(CheckpointError::mismatch(&file, format!("{field}: expected {expected}, found {found}"))),
        };
        let (shape, model, optimiser) = (architecture.shape(), architecture.config(), config.optimiser);
        expect("ruleset", state.ruleset == *ruleset, ruleset.to_string(), state.ruleset.to_string())?;
        expect("network", state.network == *shape, format!("{shape:?}"), format!("{:?}", state.network))?;
        expect("model", state.model == *model, format!("{model:?}"), format!("{:?}", state.model))?;
        expect("optimiser", state.optimiser == optimiser, format!("{optimiser:?}"), format!("{:?}", state.optimiser))?;

        let read = |name: &str| read_weights(&folder.join(name), architecture).map(|(weights, _)| weights);
        let mut trainer = Trainer::new(config, &read(WEIGHTS_FILE)?, device)?;
        let fill = |tensor: &mut Tensor, name: &str| -> Result<(), TrainError> {
            Ok(tensor.f_copy_(&Tensor::f_from_slice(read(name)?.values())?)?)
        };
        fill(&mut trainer.average, AVERAGE_FILE)?;
        fill(&mut trainer.optimiser.moment1, MOMENT1_FILE)?;
        fill(&mut trainer.optimiser.moment2, MOMENT2_FILE)?;
        (trainer.steps, trainer.samples) = (state.steps, state.samples);
        Ok(trainer)
    }
}

//! Checkpoints: what is written is read, and what does not fit is refused by name.

use crate::support::toy;

use std::{fs, path::Path, sync::Arc};

use maydan::{
    game::{FieldError, Ruleset},
    model::{Architecture, Checkpoint, Counters, ModelConfig, Weights},
};
use toy::TicTacToe;

fn small() -> ModelConfig {
    ModelConfig { blocks: 2, channels: 8, ..ModelConfig::default() }
}

fn checkpoint(seed: u64) -> Checkpoint {
    let game = TicTacToe::game();
    let architecture = Architecture::of(small(), game.layout()).unwrap();
    let counters = Counters { games: 7, plies: 50, steps: 3, samples: 96 };
    Checkpoint::new(Weights::random(Arc::new(architecture), seed), game.ruleset().clone(), 4, counters)
}

/// The one line that loading a saved checkpoint gives after `damage` was done to it.
fn refusal(damage: impl Fn(&Path)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gen-000004");
    checkpoint(1).save(&path).unwrap();
    damage(&path);
    let text = Checkpoint::load(&path).expect_err("a damaged checkpoint").to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn replace(file: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(old), "{old} in {text}");
    fs::write(file, text.replacen(old, new, 1)).unwrap();
}

#[test]
fn what_is_saved_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gen-000004");
    let saved = checkpoint(1);
    saved.save(&path).unwrap();
    let loaded = Checkpoint::load(&path).unwrap();
    assert_eq!(loaded, saved);
    assert_eq!(&Checkpoint::load_metadata(&path).unwrap(), saved.metadata());
    assert_eq!(loaded.metadata().check_game(&TicTacToe::game()), Ok(()));
    assert_ne!(checkpoint(2).metadata().id, saved.metadata().id);
}

#[test]
fn saving_again_replaces_and_leaves_nothing_beside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("best");
    fs::create_dir_all(folder.path().join("best.partial/rubbish")).unwrap();
    checkpoint(1).save(&path).unwrap();
    checkpoint(2).save(&path).unwrap();
    assert_eq!(Checkpoint::load(&path).unwrap(), checkpoint(2));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn fresh_weights_are_the_same_everywhere() {
    assert_eq!(checkpoint(1).metadata().id, "20d8e17f7149ec68");
}

#[test]
fn damaged_weights_are_refused_by_name() {
    let weights = |path: &Path| path.join("weights.safetensors");
    let cut = refusal(|path| {
        let content = fs::read(weights(path)).unwrap();
        fs::write(weights(path), &content[..content.len() / 2]).unwrap();
    });
    assert!(cut.contains("weights.safetensors: expected a whole safetensors file"), "{cut}");
    let flipped = refusal(|path| {
        let mut content = fs::read(weights(path)).unwrap();
        let last = content.len() - 4;
        content[last] ^= 1;
        fs::write(weights(path), content).unwrap();
    });
    assert!(flipped.contains("weights.safetensors: id: expected"), "{flipped}");
    let swollen = refusal(|path| fs::write(weights(path), vec![0; 10_000_000]).unwrap());
    assert!(swollen.contains("size: expected at most"), "{swollen}");
    let header = refusal(|path| fs::write(weights(path), u64::MAX.to_le_bytes()).unwrap());
    assert!(header.contains("expected a whole safetensors file"), "{header}");
    let gone = refusal(|path| fs::remove_file(weights(path)).unwrap());
    assert!(gone.contains("weights.safetensors"), "{gone}");
}

#[test]
fn weights_of_another_network_are_refused_by_tensor() {
    let other = |config: ModelConfig| {
        let architecture = Architecture::of(config, TicTacToe::game().layout()).unwrap();
        let file = Weights::random(Arc::new(architecture), 1).to_safetensors();
        refusal(|path| fs::write(path.join("weights.safetensors"), &file).unwrap())
    };
    let narrow = other(ModelConfig { channels: 4, ..small() });
    assert!(narrow.contains("stem.weight: expected F32 [8, 3, 3, 3], found F32 [4, 3, 3, 3]"), "{narrow}");
    let shallow = other(ModelConfig { blocks: 1, ..small() });
    assert!(shallow.contains("block1.conv1.weight: expected a tensor [8, 8, 3, 3], found none"), "{shallow}");
    let deep = other(ModelConfig { blocks: 3, value_channels: 1, policy_channels: 1, ..small() });
    assert!(deep.contains("policy.conv.weight: expected F32 [32, 8, 1, 1]"), "{deep}");
}

#[test]
fn an_unknown_tensor_is_refused() {
    let one = [0u8; 4];
    let view = || safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![1], &one).unwrap();
    let file = safetensors::serialize([("a", view()), ("b", view())], None).unwrap();
    let architecture = Architecture::of(small(), TicTacToe::game().layout()).unwrap();
    let error = Weights::from_safetensors(Arc::new(architecture.clone()), &file).unwrap_err().to_string();
    assert!(error.starts_with("stem.weight: expected a tensor"), "{error}");

    let whole = Weights::random(Arc::new(architecture.clone()), 1).to_safetensors();
    let parsed = safetensors::SafeTensors::deserialize(&whole).unwrap();
    let mut tensors = parsed.tensors();
    tensors.push(("stem.spare".to_owned(), view()));
    let file = safetensors::serialize(tensors, None).unwrap();
    let error = Weights::from_safetensors(Arc::new(architecture), &file).unwrap_err().to_string();
    assert_eq!(error, "stem.spare: expected no such tensor, found one");
}

#[test]
fn wrong_metadata_are_refused_by_field() {
    let refused = |old: &str, new: &str| refusal(|path| replace(&path.join("checkpoint.toml"), old, new));
    let cases = [
        ("format = 1", "format = 9", "format: expected 1, found 9"),
        ("format = 1", "", "format: expected 1, found none"),
        ("generation = 4", "generation = -4", "line 3:"),
        ("generation = 4", "generations = 4", "unknown field `generations`"),
        ("blocks = 2", "blocks = 1000000000000", "model.blocks: expected 1 to 64, found 1000000000000"),
        ("height = 3", "height = 4000000000", "network.height: expected 1 to 32, found 4000000000"),
        ("hash = \"", "hash = \"0", "ruleset.hash: expected"),
        ("[ruleset]", "[ruleset", "line "),
    ];
    for (old, new, expected) in cases {
        let error = refused(old, new);
        assert!(error.contains("checkpoint.toml: ") && error.contains(expected), "{old} -> {new}: {error}");
    }
}

#[test]
fn another_game_ruleset_or_encoding_is_refused() {
    let game = TicTacToe::game();
    let mut metadata = checkpoint(1).metadata().clone();
    metadata.network.encoding = 2;
    assert_eq!(metadata.check_game(&game), Err(FieldError::new("network.encoding", 1, 2)));
    metadata.ruleset = Ruleset::new("tictactoe", &toml::Table::from_iter([("size".to_owned(), 4.into())]));
    assert_eq!(metadata.check_game(&game), Err(FieldError::new("ruleset.options.size", "none", 4)));
    assert_eq!(metadata.check_game_but(&game, &["size".to_owned()]), Err(FieldError::new("network.encoding", 1, 2)));
    metadata.ruleset = Ruleset::new("chess", &toml::Table::new());
    assert_eq!(metadata.check_game(&game), Err(FieldError::new("ruleset.game", "tictactoe", "chess")));

    let folder = tempfile::tempdir().unwrap();
    let own = checkpoint(1);
    let foreign = Checkpoint::new(own.weights().unwrap().clone(), metadata.ruleset, 0, Counters::default());
    own.save(&folder.path().join("own")).unwrap();
    foreign.save(&folder.path().join("foreign")).unwrap();
    assert_eq!(Checkpoint::load_for(&folder.path().join("own"), &game).unwrap(), own);
    let error = Checkpoint::load_for(&folder.path().join("foreign"), &game).unwrap_err().to_string();
    assert!(error.ends_with("checkpoint.toml: ruleset.game: expected tictactoe, found chess"), "{error}");
}

//! The batches of the Python package are the batches that training draws, bit by bit. Skipped where Python has no
//! `maydan`; `MAYDAN_PYTHON` chooses the Python.

use crate::support::played;

use std::{env, fmt::Write as _, process::Command};

use maydan::{
    data::{ReplayBuffer, Sampler, SamplerConfig, TrainingBatch, WindowConfig},
    game::{
        Game, Playable, Wdl,
        registry::{GameVisitor, with_game},
    },
};
use sha2::{Digest, Sha256};

const BATCH: usize = 16;
const SEED: u64 = 7;
const LAMBDA: f32 = 0.9;

const SCRIPT: &str = r#"
import hashlib, sys
import maydan

window = maydan.Window(maydan.Game(sys.argv[1]), sys.argv[2], 2, window={"minimum_rows": 100}, value_lambda=0.9)
for batch in window.batches(1, 6, batch_size=16, seed=7):
    legal = batch["is_legal"]
    parts = [batch["planes"], batch["legal"][legal], legal.sum(axis=1), batch["policy"][legal], batch["policy_mask"]]
    parts += [batch[name] for name in ["wdl", "search_wdl", "has_result", "moves_left", "moves_left_mask", "ply"]]
    print(hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest())
"#;

struct Compared;

impl GameVisitor for Compared {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let python = env::var_os("MAYDAN_PYTHON").unwrap_or_else(|| "python3".into());
        let has_maydan = Command::new(&python).args(["-c", "import maydan"]).output();
        if !has_maydan.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: no maydan in {}", python.display());
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        played::play(&game, dir.path(), 3, 8);
        let window = WindowConfig { minimum_rows: 100, ..WindowConfig::default() };
        let mut buffer = ReplayBuffer::new(game.ruleset().clone(), game.layout(), window, LAMBDA);
        assert!(buffer.refresh(dir.path(), 2).unwrap().is_empty());
        let sampler = Sampler::new(&game, &buffer, SamplerConfig::default(), BATCH, SEED, 2).unwrap();
        let expected = (1..6).fold(String::new(), |mut lines, step| {
            writeln!(lines, "{}", digest(&sampler.batch(step))).unwrap();
            lines
        });
        let mut command = Command::new(&python);
        command.args(["-c", SCRIPT, &game.ruleset().game]).arg(dir.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{}", game.ruleset());
    }
}

/// SHA-256 over the parts of a batch, in the script's order.
fn digest(batch: &TrainingBatch) -> String {
    let layout = batch.rows.layout();
    let mut planes = vec![0.0; batch.len() * layout.channels() * layout.squares()];
    batch.rows.unpack_all(&mut planes);
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let whole = |values: &mut dyn Iterator<Item = i64>| values.flat_map(i64::to_le_bytes).collect::<Vec<u8>>();
    let chances = |wdl: &[Wdl]| floats(&wdl.iter().flat_map(|wdl| wdl.to_array()).collect::<Vec<f32>>());
    let parts = [
        floats(&planes),
        whole(&mut batch.legal.iter().map(|&action| action.into())),
        whole(&mut batch.offsets.windows(2).map(|row| (row[1] - row[0]) as i64)),
        floats(&batch.policy),
        floats(&batch.policy_mask),
        chances(&batch.wdl),
        chances(&batch.search_wdl),
        batch.has_result.iter().map(|&has| has.into()).collect(),
        floats(&batch.moves_left),
        floats(&batch.moves_left_mask),
        whole(&mut batch.plies.iter().map(|&ply| ply.into())),
    ];
    let mut sha = Sha256::new();
    parts.iter().for_each(|part| sha.update(part));
    sha.finalize().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn batches_of_the_python_package_are_those_of_the_library() {
    for id in ["shatara", "omega", "shatra"] {
        with_game(id, &toml::Table::new(), Compared).unwrap();
    }
}

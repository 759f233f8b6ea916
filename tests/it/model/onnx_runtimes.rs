//! The ONNX graph says what our evaluators say, in the runtimes that other programs use: onnxruntime in Python (with
//! `onnx.checker` before it) and onnxruntime-web in Node. Each is skipped where it is not installed; `MAYDAN_PYTHON`
//! chooses the Python, `NODE_PATH` shows Node its packages.
#![cfg(any(feature = "torch", feature = "engine"))]

use crate::support::suite;

use std::{env, fs, path::Path, process::Command, sync::Arc};

use maydan::{
    encode::Rows,
    export::{Runtime, runtimes},
    game::{
        Game, Playable, random,
        registry::{self, GameVisitor},
    },
    model::{Architecture, Checkpoint, Counters, Evaluations, ModelConfig, Pooling, Weights, to_onnx},
};
use rand::Rng as _;
use suite::walk::random_games;

const POOLINGS: [(&str, Pooling); 3] =
    [("global", Pooling::Global), ("squeeze_excite", Pooling::SqueezeExcite), ("none", Pooling::None)];

/// Rows that a folder holds at most.
const ROWS: usize = 32;

#[test]
fn python_computes_the_same() {
    let python = env::var_os("MAYDAN_PYTHON").unwrap_or_else(|| "python3".into());
    let has_onnx = Command::new(&python).args(["-c", "import onnx, onnxruntime, numpy"]).output();
    if !has_onnx.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no onnx, onnxruntime and numpy in {}", python.display());
        return;
    }
    compare(Command::new(&python).arg("tests/external/onnx_python.py"));
}

#[test]
fn node_computes_the_same() {
    let has_web = Command::new("node").args(["-e", "require.resolve('onnxruntime-web')"]).output();
    if !has_web.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no node with onnxruntime-web in NODE_PATH");
        return;
    }
    compare(Command::new("node").arg("tests/external/onnx_web.cjs"));
}

/// Hands a folder of networks with what they say to a script, which compares.
fn compare(script: &mut Command) {
    let root = tempfile::tempdir().unwrap();
    for game in registry::IDS {
        registry::with_game(game, &toml::Table::new(), WriteNetworks(root.path())).unwrap();
    }
    let compared = script.arg(root.path()).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stderr));
    println!("{}", String::from_utf8_lossy(&compared.stdout));
}

struct WriteNetworks<'a>(&'a Path);

impl GameVisitor for WriteNetworks<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let rows = rows(&game);
        for (name, pooling) in POOLINGS {
            let checkpoint = checkpoint(&game, pooling);
            let folder = self.0.join(format!("{}-{name}", game.ruleset().game));
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("model.onnx"), to_onnx(checkpoint.weights().unwrap(), game.ruleset())).unwrap();
            let layout = game.layout();
            let shape = [rows.len(), layout.channels(), layout.height, layout.width];
            fs::write(folder.join("shape.json"), serde_json::to_vec(&shape).unwrap()).unwrap();
            let mut planes = vec![0.0; shape.iter().product()];
            rows.unpack_all(&mut planes);
            write_floats(&folder.join("planes"), &planes);
            for runtime in runtimes(&checkpoint).unwrap() {
                write_answers(&folder, &rows, runtime);
            }
        }
    }
}

/// Positions of random games.
fn rows<R: Playable>(game: &Game<R>) -> Rows {
    let mut rows = Rows::new(game.layout());
    for visit in random_games(game, 4, 200).iter().step_by(5).take(ROWS) {
        rows.push(game, &visit.position, visit.repetitions);
    }
    assert!(rows.len() > 10, "random games are longer");
    rows
}

/// A network none of whose weights is 0, as fresh biases are.
fn checkpoint<R: Playable>(game: &Game<R>, pooling: Pooling) -> Checkpoint {
    let sizes = ModelConfig { blocks: 2, channels: 16, ..ModelConfig::default() };
    let config = ModelConfig { pooling, pooling_every: 1, ..sizes };
    let architecture = Arc::new(Architecture::of(config, game.layout()).unwrap());
    let mut rng = random::stream("test", 1, 0, 0);
    let fresh = Weights::random(architecture.clone(), 1);
    let values = fresh.values().iter().map(|value| value + 0.2 * (rng.random::<f32>() - 0.5)).collect();
    Checkpoint::new(Weights::new(architecture, values), game.ruleset().clone(), 0, Counters::default())
}

fn write_answers(folder: &Path, rows: &Rows, mut runtime: Runtime) {
    let [mut policy, mut value, mut moves_left] = [const { Vec::new() }; 3];
    for i in 0..rows.len() {
        let mut row = Rows::new(rows.layout());
        row.push_packed(rows.bits(i), rows.scalars(i)).unwrap();
        let mut evaluations = Evaluations::default();
        runtime.evaluator.evaluate(&row, &mut evaluations).unwrap();
        policy.extend(evaluations.logits.to_vec(0));
        value.extend(evaluations.wdl[0].to_array());
        moves_left.push(evaluations.moves_left[0]);
    }
    for (output, numbers) in [("policy", policy), ("value", value), ("moves_left", moves_left)] {
        write_floats(&folder.join(format!("{output}.{}", runtime.name)), &numbers);
    }
}

fn write_floats(path: &Path, numbers: &[f32]) {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    fs::write(path, bytes).unwrap();
}

//! Networks of another architecture: modules of TorchScript, in files such as PyTorch writes.

use crate::run::{Place, complaint};

use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    process::{Command, Output},
};

use maydan::{
    encode::{Rows, sample},
    game::{
        Game, Playable,
        registry::{self, GameVisitor},
    },
    model::{Evaluations, Evaluator, LibtorchEvaluator, Module, ModuleNote, NetworkShape, Plan, write_planes},
};
use tch::{Device, Kind, Tensor};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Positions of a game, with what a module's file says of it.
fn shatara() -> (Rows, ModuleNote) {
    struct Facts;
    impl GameVisitor for Facts {
        type Output = (Rows, ModuleNote);
        fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
            let (ruleset, network) = (game.ruleset().clone(), NetworkShape::from(game.layout()));
            (sample(&game), ModuleNote { ruleset, network })
        }
    }
    registry::with_game("shatara", &toml::Table::new(), Facts).unwrap()
}

/// Numbers that are not alike.
fn numbers(shape: &[i64], phase: f64) -> Tensor {
    let count: i64 = shape.iter().product();
    (Tensor::arange(count, (Kind::Float, Device::Cpu)) * 0.7 + phase).sin().reshape(shape)
}

/// Policy, win-draw-loss and moves left of planes `[B, C, H, W]`, from each square by itself.
fn network(planes: &Tensor, shape: &NetworkShape) -> [Tensor; 3] {
    let [channels, actions] = [shape.channels, shape.action_planes].map(|size| size as i64);
    let seen = planes.mean_dim([2, 3].as_slice(), false, planes.kind());
    let number = |sizes: &[i64], phase| numbers(sizes, phase).to_kind(planes.kind());
    let policy = planes.conv2d(&number(&[actions, channels, 1, 1], 0.1), None::<Tensor>, 1, 0, 1, 1).flatten(1, -1);
    let wdl = seen.matmul(&number(&[channels, 3], 0.2));
    let moves_left = seen.matmul(&number(&[channels, 1], 0.3)).squeeze_dim(1) * 20.0;
    [policy, wdl, moves_left]
}

/// The pickled object of a module without weights.
const OBJECT: &[u8] = b"\x80\x02c__torch__\nNet\nq\x00)\x81}(X\x08\x00\x00\x00trainingq\x01\x89\
    X\x16\x00\x00\x00_is_full_backward_hookq\x02Nubq\x03.";

/// The three outputs as they should be, and their type.
const THREE: [&str; 2] = ["policy, wdl, moves_left", "Tuple[Tensor, Tensor, Tensor]"];

/// Writes a module of [`network`] that gives the outputs that are named, of this type; with a note.
fn write(path: &Path, shape: &NetworkShape, [outputs, kind]: [&str; 2], note: Option<&str>) {
    let NetworkShape { channels, action_planes, .. } = shape;
    let numbers = |count: usize, phase: f64, sizes: &str| {
        let angles = format!("torch.add(torch.mul(torch.arange({count}), 0.7), {phase})");
        format!("torch.type_as(torch.reshape(torch.sin({angles}), [{sizes}]), planes)")
    };
    let policy = numbers(action_planes * channels, 0.1, &format!("{action_planes}, {channels}, 1, 1"));
    let wdl = numbers(channels * 3, 0.2, &format!("{channels}, 3"));
    let moves_left = numbers(*channels, 0.3, &format!("{channels}, 1"));
    let code = format!(
        "class Net(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  _is_full_backward_hook : Optional[bool]
  def forward(self: __torch__.Net, planes: Tensor) -> {kind}:
    seen = torch.mean(planes, [2, 3])
    policy = torch.flatten(torch.conv2d(planes, {policy}), 1)
    wdl = torch.matmul(seen, {wdl})
    moves_left = torch.mul(torch.squeeze(torch.matmul(seen, {moves_left}), 1), 20.)
    _0 = ({outputs})
    return _0
"
    );
    let mut files = vec![
        ("data.pkl", OBJECT),
        ("code/__torch__.py", code.as_bytes()),
        ("constants.pkl", b"\x80\x02)."),
        ("version", b"3\n"),
    ];
    files.extend(note.map(|note| ("extra/maydan.json", note.as_bytes())));
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    for (name, content) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        zip.start_file(format!("net/{name}"), options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
}

/// A folder with a module that says what it plays, `net.pt`.
fn place() -> (Place, ModuleNote) {
    let (place, (_, note)) = (Place::new(), shatara());
    let text = serde_json::to_string(&note).unwrap();
    write(&place.folder.path().join("net.pt"), &note.network, THREE, Some(&text));
    (place, note)
}

fn run(place: &Place, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maydan")).args(arguments).current_dir(place.folder.path()).output().unwrap()
}

fn refused(place: &Place, arguments: &[&str]) -> String {
    let output = run(place, arguments);
    let text = complaint(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_module_says_in_every_plan_what_it_computes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.pt");
    let (rows, ModuleNote { network: shape, .. }) = shatara();
    write(&path, &shape, THREE, None);
    let module = Module::read(&path, shape).unwrap();
    let squares = shape.height * shape.width;
    let mut planes = vec![0.0f32; rows.len() * shape.inputs()];
    write_planes(&rows, &mut planes, |value| value);
    let sizes = [rows.len(), shape.height, shape.width, shape.channels].map(|size| size as i64);
    let [policy, wdl, moves_left] = network(&Tensor::from_slice(&planes).view(sizes).permute([0, 3, 1, 2]), &shape);
    let wdl = wdl.softmax(1, Kind::Float);
    // Plans in an order in which one that fuses comes before one that does not.
    for (plan, tolerance) in [(Plan::F32Fused, 1e-5), (Plan::F32, 1e-5), (Plan::Bf16Fused, 0.2), (Plan::Bf16, 0.2)] {
        let mut evaluator =
            LibtorchEvaluator::of(&module.clone().into(), Device::Cpu, plan, rows.len() + 3, None).unwrap();
        let mut found = Evaluations::default();
        for _ in 0..4 {
            evaluator.evaluate(&rows, &mut found).unwrap();
        }
        for row in 0..rows.len() {
            let at = row as i64;
            for action in (0..shape.actions()).step_by(squares / 3) {
                let expected = policy.double_value(&[at, action as i64]);
                assert!((f64::from(found.logits.get(row, action)) - expected).abs() < tolerance, "{plan:?}");
            }
            for (outcome, &chance) in found.wdl[row].to_array().iter().enumerate() {
                assert!((f64::from(chance) - wdl.double_value(&[at, outcome as i64])).abs() < tolerance, "{plan:?}");
            }
            let plies = moves_left.double_value(&[at]).max(0.0);
            assert!((f64::from(found.moves_left[row]) - plies).abs() < 20.0 * tolerance, "{plan:?}");
        }
    }
}

#[test]
fn a_module_that_is_none_is_refused_by_name_and_shape() {
    let (place, note) = place();
    let at = |name: &str| place.folder.path().join(name);
    let play = |file: &str| refused(&place, &["match", file, "random", "--games", "2", "--playouts", "2"]);
    let text = serde_json::to_string(&note).unwrap();
    let three = THREE[1];
    let cases = [
        ("narrow", "torch.narrow(policy, 1, 0, 9), wdl, moves_left", three, "policy: expected [2, 4800], found [2, 9]"),
        ("wide", "policy, torch.repeat(wdl, [1, 2]), moves_left", three, "wdl: expected [2, 3], found [2, 6]"),
        ("square", "policy, wdl, torch.unsqueeze(moves_left, 1)", three, "moves_left: expected [2], found [2, 1]"),
        (
            "one",
            "policy",
            "Tensor",
            "expected a tuple of policy, wdl, moves_left, or a dict with these names, found one",
        ),
        ("two", "policy, wdl", "Tuple[Tensor, Tensor]", "found 2 outputs that are not three tensors"),
        (
            "whole",
            "policy, torch.floor_divide(torch.ones([2, 3], dtype=3), 2), moves_left",
            three,
            "wdl: expected floats",
        ),
        ("partial", "{\"policy\": policy, \"wdl\": wdl}", "Dict[str, Tensor]", "found no `moves_left`"),
        ("broken", "torch.matmul(policy, wdl), wdl, moves_left", three, "the module fails: RuntimeError: "),
        ("nothing", "torch.no_such_thing(policy), wdl, moves_left", three, "the module fails: "),
    ];
    for (name, outputs, kind, expected) in cases {
        let file = format!("{name}.pt");
        write(&at(&file), &note.network, [outputs, kind], Some(&text));
        let complaint = play(&file);
        assert!(complaint.contains(expected), "{name}: {complaint}");
    }
    write(&at("mute.pt"), &note.network, THREE, None);
    assert!(play("mute.pt").contains("expected maydan.json in it"), "{}", play("mute.pt"));
    for (name, text, expected) in [
        ("words.pt", "{}".to_owned(), "maydan.json: missing field `ruleset`"),
        ("other.pt", text.replace(&note.ruleset.hash, "0123456789abcdef"), "ruleset.hash: expected"),
        ("huge.pt", text.replace("\"channels\":", "\"channels\":999"), "network.channels: expected 1 to 4096"),
    ] {
        write(&at(name), &note.network, THREE, Some(&text));
        assert!(play(name).contains(expected), "{name}: {}", play(name));
    }
    fs::write(at("junk.pt"), "PK junk").unwrap();
    assert!(play("junk.pt").contains("expected a whole archive"), "{}", play("junk.pt"));
    fs::write(at("text.pt"), "a text").unwrap();
    assert!(play("text.pt").contains("expected a traced module of TorchScript"), "{}", play("text.pt"));
    let half = fs::read(at("net.pt")).unwrap();
    fs::write(at("half.pt"), &half[..half.len() / 2]).unwrap();
    assert!(play("half.pt").contains("half.pt: "), "{}", play("half.pt"));
    let eight = refused(&place, &["match", "net.pt", "random", "--precision", "int8", "--games", "2"]);
    assert!(eight.contains("precision: expected `auto`, `f32` or `bf16` with a traced module"), "{eight}");
    assert!(refused(&place, &["export", "net.pt", "-o", "x.maydan"]).contains("expected a checkpoint or a run"));
}

#[test]
fn a_module_plays_in_matches_and_as_an_engine() {
    let (place, note) = place();
    let games = |file: &str| {
        let played = run(&place, &["match", file, "random", "--games", "4", "--playouts", "8", "--games-file", "-"]);
        assert!(played.status.success(), "{}", complaint(&played));
        String::from_utf8(played.stdout).unwrap().replace(file, "net")
    };
    let dict = ["{\"wdl\": wdl, \"moves_left\": moves_left, \"policy\": policy}", "Dict[str, Tensor]"];
    let text = serde_json::to_string(&note).unwrap();
    write(&place.folder.path().join("dict.pt"), &note.network, dict, Some(&text));
    assert_eq!(games("net.pt"), games("dict.pt"));
    let mut engine = Command::new(env!("CARGO_BIN_EXE_maydan"))
        .args(["engine", "net.pt", "--protocol", "uci"])
        .current_dir(place.folder.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    engine.stdin.take().unwrap().write_all(b"uci\nposition startpos\ngo nodes 20\n").unwrap();
    let output = String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap();
    assert!(output.contains("\nbestmove "), "{output}");
}

/// Reads the order and hands the same module on, or with `spoilt` there something else.
const PROGRAM: &str = r#"
import json, os, pathlib, shutil, sys
order = json.load(open(sys.argv[1]))
assert order["weights"].endswith("module.pt") and order["output"].endswith("command.pt")
print(json.dumps({"step": order["steps"], "losses": {"total": 1.0}}))
shutil.copy("spoilt.pt" if os.path.exists("spoilt.pt") else order["weights"], order["output"])
"#;

const COMMAND: &str = r#"train.command=["python3", "train.py"]"#;

#[test]
fn a_run_plays_with_a_module_and_gives_it_to_a_program() {
    let (place, note) = place();
    let at = |name: &str| place.folder.path().join(name);
    fs::write(at("train.py"), PROGRAM).unwrap();
    let module = "model.module=net.pt";
    let holdout = "window.holdout=3";
    let without = complaint(&place.run("train", &["--set", module]));
    assert!(without.contains("[train] command: expected a program that trains [model] module"), "{without}");
    write(&at("spoilt.pt"), &note.network, ["policy, moves_left, wdl", THREE[1]], None);
    // What is not the game's is refused before the run begins.
    let spoilt = complaint(&place.run("train", &["--set", "model.module=spoilt.pt", "--set", COMMAND]));
    assert!(spoilt.contains("spoilt.pt: evaluator: wdl: expected [8, 3], found [8]"), "{spoilt}");
    // Nor is one that was traced for so many rows.
    let fixed = format!("torch.reshape(policy, [8, {}]), wdl, moves_left", note.network.actions());
    write(&at("fixed.pt"), &note.network, [&fixed, THREE[1]], None);
    let fixed = complaint(&place.run("train", &["--set", "model.module=fixed.pt", "--set", COMMAND]));
    assert!(fixed.contains("fixed.pt: evaluator: the module fails: "), "{fixed}");
    let other = complaint(&place.run("train", &["--set", module, "--set", COMMAND, "--set", "game=omega"]));
    assert!(other.contains("net.pt: maydan.json: network: expected"), "{other}");
    let chess = complaint(&place.run("train", &["--set", module, "--set", COMMAND, "--set", "game=chess"]));
    assert!(chess.contains("net.pt: ruleset.game: expected chess, found shatara"), "{chess}");
    assert!(!place.model("config.toml").exists());

    // What a program wrote is, too, and the games stay.
    let settings = ["--set", module, "--set", COMMAND, "--set", holdout];
    let failed = complaint(&place.run("train", &settings));
    assert!(failed.contains("command.pt: evaluator: wdl: expected [8, 3], found [8]"), "{failed}");
    let played = place.artefacts();
    assert!(!place.model("gen-000001").exists() && played.keys().any(|name| name.starts_with("data/")));
    fs::remove_file(at("spoilt.pt")).unwrap();
    // The file of the beginning is not needed any more.
    fs::rename(at("net.pt"), at("moved.pt")).unwrap();
    place.done("train", &settings);
    let after = place.artefacts();
    assert!(played.iter().all(|(name, content)| after[name] == *content), "games were played again");
    let text = fs::read_to_string(place.model("gen-000002/checkpoint.toml")).unwrap();
    assert!(text.contains("module = \"torchscript\"") && !text.contains("[model]"), "{text}");
    assert_eq!(fs::read(at("moved.pt")).unwrap(), fs::read(place.model("gen-000002/module.pt")).unwrap());
    let events = place.events();
    let held_out: Vec<_> = events.iter().filter(|event| event["event"] == "holdout").collect();
    assert!(!held_out.is_empty(), "{events:?}");
    assert!(held_out.iter().all(|event| event["losses"]["policy"].as_f64().unwrap() > 0.0));

    let report = run(&place, &["report", "tiny"]);
    assert!(report.status.success(), "{}", complaint(&report));
    let sized = complaint(&place.run("train", &["--set", COMMAND, "--set", holdout, "--allow-config-change"]));
    assert!(sized.contains("[model] module: expected one of another architecture"), "{sized}");
    let bundle = refused(&place, &["export", "tiny", "-o", "x.maydan"]);
    assert!(bundle.contains("network: expected one of ours"), "{bundle}");
    let bench = refused(&place, &["bench", "tiny.toml", "--set", module, "--set", COMMAND]);
    assert!(bench.contains("[model] module: expected none"), "{bench}");

    // Threads share the games out, and change none.
    let two = Place::new();
    fs::copy(at("moved.pt"), two.folder.path().join("net.pt")).unwrap();
    fs::write(two.folder.path().join("train.py"), PROGRAM).unwrap();
    two.done("train", &[&settings[..], &["--set", "selfplay.shards=2", "--set", "selfplay.slots=3"]].concat());
    let games = |place: &Place| {
        let mut found = place.artefacts();
        found.retain(|name, _| name.starts_with("data/"));
        found
    };
    assert!(games(&two) == games(&place), "games depend on the threads");
}

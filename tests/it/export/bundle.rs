//! The bundles that come with the project: they load, come out as documented and play; damaged ones are refused in one
//! line.
#![cfg(any(feature = "torch", feature = "engine"))]

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use maydan::{
    export::{Bundle, FileInfo, REFERENCES},
    model::Checkpoint,
};
use serde_json::{Value, json};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

const GAMES: [&str; 5] = ["shatara", "omega", "omega-advanced", "shatra", "shatar"];

fn shipped(game: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("models/{game}.maydan"))
}

fn maydan(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maydan")).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a call that fails complains of: one line, exit code 2.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn shipped_bundles_come_out_as_told_and_play() {
    for game in GAMES {
        let path = shipped(game);
        assert!(fs::metadata(&path).unwrap().len() < 2_000_000);
        let bundle = Bundle::read(&path).unwrap();
        assert_eq!((bundle.manifest().ruleset.game.as_str(), bundle.references().len()), (game, REFERENCES));
        let path = path.to_str().unwrap();
        let verified = text(&maydan(&["bot", path, "verify"]));
        assert!(verified.contains("20 positions: policy within"), "{verified}");
        assert!(text(&maydan(&["bot", path, "show"])).starts_with(&format!("{game} (")));
        let played = text(&maydan(&["match", path, "random", "--games", "2", "--playouts", "4"]));
        assert!(played.contains("Elo of A over B"), "{played}");
    }
}

#[test]
fn a_checkpoint_and_its_bundle_are_the_same_player() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/shatara-small");
    let bundle = folder.path().join("new/bot.maydan");
    let (checkpoint, path) = (checkpoint.to_str().unwrap(), bundle.to_str().unwrap());
    text(&maydan(&["export", checkpoint, "-o", path, "--playouts", "64"]));
    let written = Bundle::read(&bundle).unwrap();
    assert_eq!(written.manifest().play.playouts, 64);
    let metadata = Checkpoint::load_metadata(Path::new(checkpoint)).unwrap();
    assert_eq!(*written.checkpoint().metadata(), metadata);
    let again = folder.path().join("again.maydan");
    written.write(&again).unwrap();
    assert_eq!(fs::read(&bundle).unwrap(), fs::read(&again).unwrap());
    let games = |player: &str| {
        let output = text(&maydan(&["match", player, "greedy", "--games", "2", "--playouts", "8"]));
        output.lines().filter(|line| !line.starts_with("A: ")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(games(path), games(checkpoint));
}

#[test]
fn damaged_bundles_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot.maydan");
    let name = path.to_str().unwrap();
    let refused = |action: &str, part: &str| {
        let line = complaint(&maydan(&["bot", name, action]));
        assert!(line.contains("bot.maydan: ") && line.contains(part), "{part:?} in {line}");
    };
    refused("show", "No such file");
    for (content, part) in [(&b""[..], "zip archive"), (b"PK\x05\x06", "zip archive"), (&[0x50; 4096], "zip archive")] {
        fs::write(&path, content).unwrap();
        refused("show", part);
    }

    let whole = fs::read(shipped("shatar")).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    refused("show", "zip archive");
    // One bit of the weights, as a disk might turn it.
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&path, &damaged).unwrap();
    refused("show", "model.");

    type Damage = fn(&mut BTreeMap<String, Vec<u8>>);
    let damages: [(&str, &str, Damage); 10] = [
        ("show", "manifest.json: expected a file of that name, found none", |files| {
            drop(files.remove("manifest.json"))
        }),
        ("show", "reference.json: expected a file of that name", |files| drop(files.remove("reference.json"))),
        ("show", "expected no such file", |files| drop(files.insert("more.txt".to_owned(), Vec::new()))),
        ("show", "model.onnx: sha256: expected", |files| files.get_mut("model.onnx").unwrap()[1000] ^= 1),
        ("show", "LICENSE: size: expected", |files| files.get_mut("LICENSE").unwrap().push(b'!')),
        ("show", "manifest.json: format: expected 1, found 2", |files| {
            edit(files, |manifest| manifest["format"] = json!(2))
        }),
        ("show", "ruleset.hash: expected", |files| edit(files, |m| m["ruleset"]["options"]["max_plies"] = json!(9))),
        ("show", "network.model.channels: expected 4 to 1024", |files| {
            edit(files, |manifest| manifest["network"]["model"]["channels"] = json!(1_000_000_000));
        }),
        ("verify", "manifest.json: input: expected that of shatar", |files| {
            edit(files, |manifest| manifest["input"]["planes"][0]["name"] = json!("nothing"));
        }),
        ("verify", "reference.json: position 0: value: expected at most", |files| {
            let mut positions: Value = serde_json::from_slice(&files["reference.json"]).unwrap();
            positions[0]["value"] = json!([0.0, 0.0, 1.0]);
            replace(files, "reference.json", serde_json::to_vec(&positions).unwrap());
        }),
    ];
    fs::write(&path, &whole).unwrap();
    let files = unpack(&path);
    for (action, part, damage) in damages {
        let mut files = files.clone();
        damage(&mut files);
        pack(&path, &files);
        refused(action, part);
    }
    let mut other = files.clone();
    replace(&mut other, "model.onnx", unpack(&shipped("shatara"))["model.onnx"].clone());
    pack(&path, &other);
    refused("verify", "model.onnx: expected the graph of model.safetensors");
}

fn unpack(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    (0..archive.len())
        .map(|i| {
            let mut file = archive.by_index(i).unwrap();
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            (file.name().unwrap().to_string(), content)
        })
        .collect()
}

fn pack(path: &Path, files: &BTreeMap<String, Vec<u8>>) {
    let mut archive = ZipWriter::new(File::create(path).unwrap());
    for (name, content) in files {
        archive.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored)).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap();
}

fn edit(files: &mut BTreeMap<String, Vec<u8>>, change: impl FnOnce(&mut Value)) {
    let mut manifest: Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    change(&mut manifest);
    files.insert("manifest.json".to_owned(), serde_json::to_vec(&manifest).unwrap());
}

/// Puts another content in, and states it in the manifest.
fn replace(files: &mut BTreeMap<String, Vec<u8>>, name: &str, content: Vec<u8>) {
    let info = serde_json::to_value(FileInfo::of(&content)).unwrap();
    edit(files, |manifest| manifest["files"][name] = info);
    files.insert(name.to_owned(), content);
}

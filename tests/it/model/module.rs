//! Networks of another architecture as ONNX graphs. Ours, which the export writes, stands for any.
#![cfg(feature = "engine")]

use std::{fs, path::Path, sync::Arc};

use maydan::{
    encode::sample,
    game::{
        Game, Playable, Ruleset,
        registry::{self, GameVisitor},
    },
    model::{
        Architecture, Checkpoint, Content, Counters, Evaluations, Evaluator, ModelConfig, Module, ModuleFormat,
        ModuleNote, NetworkShape, PortableEvaluator, Weights, to_onnx,
    },
};

/// Weights of a small network of a game, with what a module's file says of it.
fn small(game: &str) -> (Weights, ModuleNote) {
    struct Small;
    impl GameVisitor for Small {
        type Output = (Weights, ModuleNote);
        fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
            let network = NetworkShape::from(game.layout());
            let model = ModelConfig { blocks: 1, channels: 8, ..ModelConfig::default() };
            let architecture = Architecture::new(model, network).unwrap();
            let ruleset = game.ruleset().clone();
            (Weights::random(Arc::new(architecture), 1), ModuleNote { ruleset, network })
        }
    }
    registry::with_game(game, &toml::Table::new(), Small).unwrap()
}

/// A graph with a property at its end: a field with the number 14, and in it a key and a value.
fn with_note(graph: &[u8], note: &str) -> Vec<u8> {
    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        let (mut out, mut length) = (vec![number << 3 | 2], content.len());
        while length > 127 {
            out.push((length & 127) as u8 | 128);
            length >>= 7;
        }
        out.push(length as u8);
        [out.as_slice(), content].concat()
    }
    let property = [field(1, b"maydan.json"), field(2, note.as_bytes())].concat();
    [graph, &field(14, &property)].concat()
}

fn evaluate(mut evaluator: PortableEvaluator, game: &str) -> Evaluations {
    struct Evaluate<'a>(&'a mut PortableEvaluator);
    impl GameVisitor for Evaluate<'_> {
        type Output = Evaluations;
        fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
            let mut out = Evaluations::default();
            let rows = sample(&game);
            self.0.evaluate(&rows, &mut out).unwrap();
            out
        }
    }
    registry::with_game(game, &toml::Table::new(), Evaluate(&mut evaluator)).unwrap()
}

fn refusal(content: &[u8], shape: NetworkShape) -> String {
    let refused = |problem: String| problem.lines().next().unwrap().to_owned();
    match Module::new(content.to_vec(), shape) {
        Ok(module) => match PortableEvaluator::of_module(&module, 4) {
            Ok(_) => panic!("a graph that is none was taken"),
            Err(error) => refused(error.to_string()),
        },
        Err(error) => refused(error),
    }
}

#[test]
fn a_graph_says_what_its_network_says() {
    for game in ["shatara", "omega"] {
        let (weights, note) = small(game);
        let graph = to_onnx(&weights, &note.ruleset);
        let module = Module::new(graph, note.network).unwrap();
        let ours = evaluate(PortableEvaluator::new(&weights, &note.ruleset, 1024).unwrap(), game);
        assert!(evaluate(PortableEvaluator::of_module(&module, 1024).unwrap(), game) == ours, "{game}");
    }
}

#[test]
fn a_module_is_kept_in_a_checkpoint_with_what_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let (weights, note) = small("shatara");
    let text = serde_json::to_string(&note).unwrap();
    let file = folder.path().join("net.onnx");
    fs::write(&file, with_note(&to_onnx(&weights, &note.ruleset), &text)).unwrap();
    let (module, ruleset): (Module, Ruleset) = Module::read_with_note(&file).unwrap();
    assert_eq!((&ruleset, *module.shape(), module.format()), (&note.ruleset, note.network, ModuleFormat::Onnx));
    assert_eq!(module.note().unwrap(), Some(note));

    let saved = Checkpoint::new(module.clone(), ruleset, 3, Counters::default());
    let path = folder.path().join("gen-000003");
    saved.save(&path).unwrap();
    assert_eq!(fs::read(path.join("module.onnx")).unwrap(), module.content());
    let loaded = Checkpoint::load(&path).unwrap();
    assert!(loaded == saved && loaded.weights().is_none() && loaded.content() == &Content::Module(module));
    let metadata = Checkpoint::load_metadata(&path).unwrap();
    assert_eq!((metadata.model, metadata.module), (None, Some(ModuleFormat::Onnx)));

    let refused = |damage: &dyn Fn(&Path)| {
        saved.save(&path).unwrap();
        damage(&path);
        Checkpoint::load(&path).unwrap_err().to_string()
    };
    let change = |old: &str, new: &str| {
        let (old, new) = (old.to_owned(), new.to_owned());
        move |path: &Path| {
            let text = fs::read_to_string(path.join("checkpoint.toml")).unwrap();
            assert!(text.contains(&old));
            fs::write(path.join("checkpoint.toml"), text.replacen(&old, &new, 1)).unwrap();
        }
    };
    let problem = refused(&change("module = \"onnx\"\n", ""));
    assert!(problem.contains("model: expected either `model` or `module`, found neither"), "{problem}");
    let problem = refused(&change("[network]", "[model]\nblocks = 1\n[network]"));
    assert!(problem.contains("model: expected either `model` or `module`, found both"), "{problem}");
    let problem = refused(&change("\"onnx\"", "\"pickle\""));
    assert!(problem.contains("pickle"), "{problem}");
    let problem = refused(&|path| {
        let file = path.join("module.onnx");
        let content = fs::read(&file).unwrap();
        fs::write(&file, [content.as_slice(), b"\x22\x01x"].concat()).unwrap();
    });
    assert!(problem.contains("module.onnx: id: expected"), "{problem}");
    let problem = refused(&|path| fs::remove_file(path.join("module.onnx")).unwrap());
    assert!(problem.contains("module.onnx"), "{problem}");
}

#[test]
fn a_graph_that_is_none_is_refused() {
    let (weights, note) = small("shatara");
    let graph = to_onnx(&weights, &note.ruleset);
    let neither = "expected a traced module of TorchScript (`torch.jit.save`) or an ONNX model, found neither";
    for content in [&b""[..], b"a text", b"\x08\x08", &graph[..40]] {
        assert_eq!(refusal(content, note.network), neither);
    }
    // Any other beginning of the file is no graph either: an error, and no panic.
    for end in (0..graph.len()).step_by(997) {
        refusal(&graph[..end], note.network);
    }
    let other = small("omega").1.network;
    assert!(refusal(&graph, other).contains("evaluator"), "{}", refusal(&graph, other));
    let more = NetworkShape { action_planes: note.network.action_planes + 1, ..note.network };
    let problem = refusal(&graph, more);
    assert_eq!(problem, "evaluator: policy: expected 19456 numbers of 4 rows, found 19200");
    let renamed = String::from_utf8_lossy(&graph).contains("moves_left");
    assert!(renamed);
    let unnamed: Vec<u8> = replaced(&graph, b"moves_left", b"moves_lost");
    assert!(refusal(&unnamed, note.network).contains("expected an output `moves_left`, found none"));
}

/// `content` with every `old` a `new` of the same length.
fn replaced(content: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut content = content.to_vec();
    for at in 0..content.len() - old.len() {
        if content[at..].starts_with(old) {
            content[at..at + new.len()].copy_from_slice(new);
        }
    }
    content
}

//! The validation sets that come with the project: positions and actions of the standard rules, and the shipped network
//! nearer to the searches than one that knows nothing.
#![cfg(any(feature = "torch", feature = "engine"))]

use std::{
    fs,
    path::{Path, PathBuf},
};

use maydan::{
    evaluate::{Contender, ValidationSet, match_search, validate},
    export::Bundle,
    game::{
        Game, Playable,
        registry::{GameVisitor, with_game},
    },
    model::{Evaluator, Uniform, backend::BackendConfig},
};

/// How far White is ahead, at least, in centipawns.
const AHEAD: i32 = 900;

/// A file or folder of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn network(game: &str) -> Contender {
    let path = project(&format!("models/{game}.maydan"));
    let checkpoint = Bundle::read(&path).unwrap().into_checkpoint();
    Contender::network(checkpoint, BackendConfig::default(), match_search(1), 1).unwrap()
}

fn uniform() -> Contender {
    let evaluator = |batch_size| -> Result<Box<dyn Evaluator>, _> { Ok(Box::new(Uniform { batch_size })) };
    Contender::Network { evaluator: Box::new(evaluator), leaves: 1, search: match_search(1) }
}

struct Shipped;

impl GameVisitor for Shipped {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let folder = project("data/validation").join(&game.ruleset().game);
        let set = ValidationSet::read(&folder.join("positions.jsonl")).unwrap();
        assert_eq!((&set.header.ruleset, set.header.playouts), (game.ruleset(), 800));
        assert_eq!(set.questions.len(), 2000);
        let measured = |network: &Contender| validate(&game, network, &set).unwrap().unwrap();
        let [nothing, shipped] = [uniform(), network(&game.ruleset().game)].map(|network| measured(&network));
        assert!(shipped.policy_kl.high < nothing.policy_kl.low, "{shipped:?} {nothing:?}");
        assert!(shipped.value_r2.low > 0.0, "{shipped:?}");

        let won = fs::read_to_string(folder.join("won.txt")).unwrap();
        assert_eq!(won.lines().count(), 200);
        let level = game.rules().material(&game.start());
        for text in won.lines() {
            let position = game.parse_position(text).unwrap();
            assert!(game.rules().material(&position) - level >= AHEAD, "{text}");
        }
    }
}

#[test]
fn each_shipped_network_has_a_set_that_tells_it_from_one_that_knows_nothing() {
    for game in ["shatara", "omega", "omega-advanced", "shatra", "shatar"] {
        with_game(game, &toml::Table::new(), Shipped).unwrap();
    }
}

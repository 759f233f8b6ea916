//! What a hand on the board must know of every action, and an eye of every position, on random games of every game.

use std::collections::BTreeSet;

use maydan::game::{
    TextGame,
    gesture::{Gesture, Origin},
    random::stream,
    registry::IDS,
    text_game::{Scene, text_game},
};
use proptest::prelude::*;
use rand::Rng as _;

/// Plies of a random game.
const PLIES: usize = 150;

fn names(rules: &dyn TextGame) -> BTreeSet<String> {
    let (rows, columns) = rules.grid();
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    places.filter_map(|(row, column)| rules.square(row, column)).map(|square| square.name).collect()
}

/// Every legal action is a gesture of its own: a piece of the side to move stands where it begins, and nothing else has
/// the same squares and choice.
fn check(rules: &dyn TextGame, names: &BTreeSet<String>, position: &str, scene: &Scene) {
    let mut gestures = BTreeSet::new();
    for piece in &scene.pieces {
        assert!(names.contains(&piece.square), "{position}: {piece:?}");
    }
    for (square, mark) in &scene.marks {
        assert!(scene.pieces.iter().any(|piece| piece.square == *square), "{position}: {mark:?} on {square}");
    }
    for action in &scene.legal {
        let Some(gesture) = Gesture::of(&action.action) else {
            assert_eq!(action.action, "0000", "{position}");
            continue;
        };
        assert!(names.contains(gesture.to), "{position}: {action:?}");
        match gesture.from {
            Origin::Square(from) => {
                let piece = scene.pieces.iter().find(|piece| piece.square == from);
                assert!(piece.is_some_and(|piece| piece.side == scene.side), "{position}: {action:?}");
            }
            Origin::Zone(kind) => {
                let place = rules.zone_kinds().find(kind).expect("a kind of the zone");
                assert!(scene.zones[scene.side.index()][place] > 0, "{position}: {action:?}");
            }
        }
        let key = (format!("{:?}", gesture.from), gesture.to, gesture.choice);
        assert!(gestures.insert(key), "{position}: two actions like {action:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_action_is_a_gesture(seed: u64, game in 0..IDS.len()) {
        let rules = text_game(IDS[game], &toml::Table::new()).unwrap();
        let names = names(rules.as_ref());
        let mut rng = stream("gestures", seed, 0, 0);
        let mut position = rules.start();
        for _ in 0..PLIES {
            let scene = rules.scene(&position).unwrap();
            prop_assert_eq!(&scene.legal, &rules.legal(&position).unwrap());
            check(rules.as_ref(), &names, &position, &scene);
            if scene.legal.is_empty() {
                break;
            }
            // Half of the time what uses a reserve, where there is such an action: it is rare otherwise.
            let rare: Vec<_> =
                scene.legal.iter().filter(|action| rules.reserve_kinds().contains(&action.kind)).collect();
            let action = match rare[..] {
                [_, ..] if rng.random() => rare[rng.random_range(0..rare.len())],
                _ => &scene.legal[rng.random_range(0..scene.legal.len())],
            };
            position = rules.after(&position, &action.action).unwrap();
        }
    }
}

#[test]
fn every_square_has_a_name_of_its_own() {
    for (id, squares) in
        [("shatara", 64), ("chess", 64), ("shatar", 64), ("omega", 104), ("omega-advanced", 104), ("shatra", 62)]
    {
        assert_eq!(names(text_game(id, &toml::Table::new()).unwrap().as_ref()).len(), squares, "{id}");
    }
}

#[test]
fn marks_are_seen() {
    let scene = |game: &str, position: &str| text_game(game, &toml::Table::new()).unwrap().scene(position).unwrap();
    let marks = |scene: Scene| {
        let marks = scene.marks.into_iter().map(|(square, mark)| format!("{square} {mark}"));
        marks.collect::<Vec<_>>()
    };
    let position = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR[PPNBppnb] w KQkq - e4e5 2 2";
    assert_eq!(marks(scene("shatara", position)), ["e4 climber", "e5 climber"]);
    let rows = "F**********1/*5k4*/*10*/*10*/*4f5*/*10*/*10*/*10*/*10*/*10*/*1R2QK4*/1**********1";
    assert_eq!(
        marks(scene("omega-advanced", &format!("{rows}[] w b0e0f0 - N- 0 9"))),
        ["b0 unmoved", "e0 unmoved", "f0 unmoved", "e6 like_N"]
    );
    assert_eq!(marks(scene("omega-advanced", &format!("{rows}[] w e0f0 - -Q 0 9"))), ["w4 like_Q"]);
    let start = text_game("shatra", &toml::Table::new()).unwrap().start();
    assert_eq!(marks(scene("shatra", &start)).iter().filter(|mark| mark.ends_with("reserve")).count(), 20);
    let rows = "**3**/**3**/**3**/***1***/6k/7/3p3/3K3/3p3/7/***1***/**3**/**3**/**3**";
    assert_eq!(marks(scene("shatra", &format!("{rows}[] w - - d7:d6 0 9"))), ["d7 jumper", "d6 jumped"]);
}

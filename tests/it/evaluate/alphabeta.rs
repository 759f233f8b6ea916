//! The alpha-beta baseline against a search that prunes nothing.

use std::collections::BTreeSet;

use maydan::{
    evaluate::{Batcher, Contender, FixedDepth, Thought, Turn, opening},
    game::{Game, History, Playable, random::stream, shatara::Shatara},
    search::AlphaBeta,
};

fn game() -> Game<Shatara> {
    Shatara::game(&toml::Table::new()).unwrap()
}

/// Value for the side to move, and the actions that reach it, of the last position of `history`.
fn minimax<R: Playable>(
    game: &Game<R>,
    rules: AlphaBeta,
    position: &R::Position,
    history: &mut History,
    ply: u32,
    mut mobility: [i32; 2],
) -> (i32, Vec<R::Action>) {
    let side = game.side_to_move(position);
    let mut legal = Vec::new();
    game.legal_actions(position, &mut legal);
    mobility[side.index()] = legal.len() as i32;
    if ply > 0
        && let Some(outcome) = history.outcome(game, position, &legal)
    {
        return (outcome.value_for(side) as i32 * (1_000_000 - ply as i32), Vec::new());
    }
    if ply == rules.depth {
        let (own, other) = (mobility[side.index()], mobility[(!side).index()]);
        let material = game.rules().material(position) * if side.index() == 0 { 1 } else { -1 };
        return (material + rules.mobility * (own - other), Vec::new());
    }
    let values: Vec<i32> = legal
        .iter()
        .map(|&action| {
            let mut next = *position;
            game.apply(&mut next, action);
            history.push(game, &next);
            let (value, _) = minimax(game, rules, &next, history, ply + 1, mobility);
            history.pop();
            if game.side_to_move(&next) == side { value } else { -value }
        })
        .collect();
    let best = *values.iter().max().expect("a game that goes on has legal actions");
    (best, legal.iter().zip(&values).filter(|&(_, &value)| value == best).map(|(&action, _)| action).collect())
}

/// What the baseline plays over many seeds.
fn chosen<R: Playable>(
    game: &Game<R>,
    rules: AlphaBeta,
    position: &R::Position,
    history: &History,
    seeds: u64,
) -> BTreeSet<R::Action> {
    let (contender, mut legal) = (Contender::FixedDepth(FixedDepth { search: rules, random: 0 }), Vec::new());
    game.legal_actions(position, &mut legal);
    let turn = Turn { game, position, history, legal: &legal };
    let mut batcher = Batcher::new(game, None);
    let choose = |seed| match contender.player().think(&turn, &mut stream("test", seed, 0, 0), &mut batcher) {
        Thought::Chosen(choice) => choice.action,
        Thought::Waiting | Thought::Forfeit(_) => panic!("a baseline waits for nothing and does not forfeit"),
    };
    (0..seeds).map(choose).collect()
}

#[test]
fn pruning_loses_nothing() {
    let game = game();
    for (depth, positions) in [(1, 12), (2, 8), (3, 2)] {
        for number in 0..positions {
            let (mut position, rules) = (game.start(), AlphaBeta::new(depth));
            let mut history = History::new(&game, &position);
            for action in opening(&game, 4 * number, 5, u64::from(number)) {
                game.apply(&mut position, action);
                history.push(&game, &position);
            }
            let (most, best) = minimax(&game, rules, &position, &mut history, 0, [0; 2]);
            let chosen = chosen(&game, rules, &position, &history, 3);
            assert!(chosen.iter().all(|action| best.contains(action)), "{}", position.to_string());
            values_near_the_best_are_exact(&game, rules, &position, &mut history, most);
        }
    }
}

/// `most` is the value of the best action.
fn values_near_the_best_are_exact<R: Playable>(
    game: &Game<R>,
    rules: AlphaBeta,
    position: &R::Position,
    history: &mut History,
    most: i32,
) {
    const MARGIN: i32 = 60;
    let mut legal = Vec::new();
    game.legal_actions(position, &mut legal);
    let found = rules.values(game, position, history, &legal, MARGIN);
    assert_eq!(found.len(), legal.len());
    let mut mobility = [0; 2];
    let side = game.side_to_move(position);
    mobility[side.index()] = legal.len() as i32;
    for (place, value) in found {
        let mut next = *position;
        game.apply(&mut next, legal[place]);
        history.push(game, &next);
        let (exact, _) = minimax(game, rules, &next, history, 1, mobility);
        history.pop();
        let exact = if game.side_to_move(&next) == side { exact } else { -exact };
        if exact >= most - MARGIN {
            assert_eq!(value, exact, "{position}");
        } else {
            assert!((exact..most - MARGIN).contains(&value), "{position}: {value}, {exact}");
        }
    }
}

#[test]
fn equals_are_all_chosen_some_time() {
    let game = game();
    let start = game.start();
    let mut history = History::new(&game, &start);
    let (value, best) = minimax(&game, FixedDepth::greedy().search, &start, &mut history, 0, [0; 2]);
    assert_eq!((value, best.len()), (0, 20));
    let chosen = chosen(&game, FixedDepth::greedy().search, &start, &history, 400);
    assert_eq!(chosen, best.into_iter().collect());
}

#[test]
fn the_shortest_mate_is_found() {
    let game = game();
    for (position, mate) in
        [("6k1/5ppp/8/8/8/8/8/R5K1[] w - - - 0 1", "a1a8"), ("7k/8/5K2/8/8/8/8/6Q1[] w - - - 0 1", "g1g7")]
    {
        let position = game.parse_position(position).unwrap();
        let action = game.parse_action(&position, mate).unwrap();
        let history = History::new(&game, &position);
        for rules in [FixedDepth::greedy().search, AlphaBeta::new(1), AlphaBeta::new(3)] {
            assert_eq!(chosen(&game, rules, &position, &history, 3), BTreeSet::from([action]), "{rules:?}");
        }
    }
}

/// A rook against a queen: the third occurrence of the position saves White, where the move that leads to it would
/// otherwise lose the rook.
#[test]
fn a_draw_by_repetition_is_seen() {
    let game = game();
    let mut position = game.parse_position("6k1/8/8/3q4/8/8/R7/6K1[] b - - a2 0 1").unwrap();
    let mut history = History::new(&game, &position);
    for text in ["d5d6", "a2a3", "d6d5", "a3a2", "d5d6", "a2a3", "d6d5"] {
        let action = game.parse_action(&position, text).unwrap();
        game.apply(&mut position, action);
        history.push(&game, &position);
    }
    let repeating = game.parse_action(&position, "a3a2").unwrap();
    let forgetful = History::new(&game, &position);
    for depth in 2..=3 {
        assert_eq!(chosen(&game, AlphaBeta::new(depth), &position, &history, 3), BTreeSet::from([repeating]));
        assert!(!chosen(&game, AlphaBeta::new(depth), &position, &forgetful, 20).contains(&repeating));
    }
}

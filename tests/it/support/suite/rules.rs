//! Legal actions, strings, keys, ends.

use std::collections::{BTreeMap, BTreeSet};

use maydan::game::{Game, History, Outcome, Playable, batch, random};
use rand::Rng as _;

use super::{
    walk::{random_game, seeds, visits},
    witness::{Symmetry, Witness},
};

/// The legal actions are those that the slow reference finds, each leads where it says, and no two share a string.
pub fn the_witness_knows_the_same_actions<R: Playable>(game: &Game<R>, witness: &Witness) {
    for visit in visits(game, witness, 3, 60) {
        let text = visit.position.to_string();
        let expected = (witness.successors)(&game.ruleset().options, &text);
        let found: BTreeMap<String, String> =
            (visit.legal.iter()).map(|&action| (action.to_string(), after(game, &visit.position, action))).collect();
        assert_eq!(found.len(), visit.legal.len(), "two actions of {text} share a string");
        let missing: Vec<&String> = expected.keys().filter(|action| !found.contains_key(*action)).collect();
        let surplus: Vec<&String> = found.keys().filter(|action| !expected.contains_key(*action)).collect();
        assert!(missing.is_empty() && surplus.is_empty(), "{text}: missing {missing:?}, surplus {surplus:?}");
        for (action, next) in &found {
            assert_eq!(*next, expected[action], "after {action} in {text}");
        }
        assert_eq!(game.count_legal_actions(&visit.position), visit.legal.len() as u64, "{text}");
        assert!(
            !visit.legal.is_empty() || game.outcome(&visit.position, &visit.legal, 0).is_some(),
            "{text} has no end"
        );
    }
}

/// A position read from its string is the same value in every field, and its keys, made from nothing, are those kept
/// action by action; the strings of actions are read as the actions.
pub fn strings_round_trip_and_keys_are_fresh<R: Playable>(game: &Game<R>, witness: &Witness) {
    for visit in visits(game, witness, 4, 200) {
        let text = visit.position.to_string();
        let read = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read, visit.position, "{text}");
        assert_eq!(game.counters(&read).repetition_key, game.counters(&visit.position).repetition_key, "{text}");
        assert_eq!(game.counters(&read).key(), game.counters(&visit.position).key(), "{text}");
        for &action in visit.legal.iter().step_by(1 + visit.legal.len() / 4) {
            assert_eq!(game.parse_action(&read, &action.to_string()), Ok(action), "{text}");
        }
        assert!(game.parse_action(&read, "no action").is_err());
    }
}

/// Positions with different strings have different keys; the counters count for `key` alone.
pub fn keys_tell_positions_apart<R: Playable>(game: &Game<R>, witness: &Witness) {
    let (mut keys, mut bare_keys) = (BTreeMap::new(), BTreeMap::new());
    for visit in visits(game, witness, 12, 200) {
        let text = visit.position.to_string();
        // The counters are the last fields, and the only ones that are numbers.
        let fields: Vec<&str> = text.split(' ').filter(|field| field.parse::<u32>().is_err()).collect();
        let bare = fields.join(" ");
        let (key, bare_key) = (game.counters(&visit.position).key(), game.counters(&visit.position).repetition_key);
        assert_eq!(*keys.entry(text.clone()).or_insert(key), key, "{text}");
        assert_eq!(*bare_keys.entry(bare.clone()).or_insert(bare_key), bare_key, "{bare}");
    }
    for keys in [keys, bare_keys] {
        let distinct: BTreeSet<u64> = keys.values().copied().collect();
        assert_eq!(distinct.len(), keys.len(), "two positions share a key");
    }
}

/// The list of legal actions has no action twice and is a function of the position alone.
pub fn actions_are_unique_and_in_a_fixed_order<R: Playable>(game: &Game<R>, witness: &Witness) {
    let mut again = Vec::new();
    for visit in visits(game, witness, 2, 200) {
        let distinct: BTreeSet<R::Action> = visit.legal.iter().copied().collect();
        assert_eq!(distinct.len(), visit.legal.len());
        // What was in the list before does not matter.
        let read = game.parse_position(&visit.position.to_string()).unwrap();
        game.legal_actions(&read, &mut again);
        assert_eq!(again, visit.legal);
    }
}

/// With the colours swapped the actions, what they lead to, the ends and the material are the same for the other side.
pub fn swapped_colours_swap_the_game<R: Playable>(game: &Game<R>, witness: &Witness) {
    for visit in visits(game, witness, 2, 100) {
        let text = visit.position.to_string();
        let swapped = turned(game, &visit.position, &witness.swap);
        assert_ne!(game.side_to_move(&swapped), game.side_to_move(&visit.position), "{text}");
        assert_eq!(game.rules().material(&swapped), -game.rules().material(&visit.position), "{text}");
        let mut legal = Vec::new();
        game.legal_actions(&swapped, &mut legal);
        let found: BTreeSet<String> = legal.iter().map(|&action| action.to_string()).collect();
        let expected: BTreeSet<String> =
            (visit.legal.iter()).map(|&action| (witness.swap.action)(&action.to_string())).collect();
        assert_eq!(found, expected, "{text}");
        let other = |outcome: Outcome| Outcome { winner: outcome.winner.map(|side| !side), ..outcome };
        let (end, swapped_end) = (game.outcome(&visit.position, &visit.legal, 0), game.outcome(&swapped, &legal, 0));
        // The ply limit alone distinguishes White's turn from Black's.
        if end.is_none_or(|end| end.reason != maydan::game::Reason::MaxPlies)
            && swapped_end.is_none_or(|end| end.reason != maydan::game::Reason::MaxPlies)
        {
            assert_eq!(swapped_end, end.map(other), "{text}");
        }
    }
}

/// The calls over slices answer as the calls one by one.
pub fn batched_calls_are_single_calls<R: Playable>(game: &Game<R>, witness: &Witness) {
    let visits = visits(game, witness, 4, 150);
    let visits: Vec<_> = visits.iter().filter(|visit| !visit.legal.is_empty()).collect();
    let mut positions: Vec<R::Position> = visits.iter().map(|visit| visit.position).collect();
    let lists = batch::legal_actions(game, &positions);
    let chosen: Vec<R::Action> = visits.iter().map(|visit| *visit.legal.last().unwrap()).collect();
    batch::apply(game, &mut positions, &chosen);
    for (i, visit) in visits.iter().enumerate() {
        assert_eq!(lists.get(i), visit.legal);
        let mut next = visit.position;
        game.apply(&mut next, chosen[i]);
        assert_eq!(positions[i], next);
    }
}

/// Whatever a user types is read or refused; what is read is written so that it reads the same, and can be played on
/// from.
pub fn damaged_strings_are_read_or_refused<R: Playable>(game: &Game<R>, witness: &Witness) {
    let mut rng = random::stream("suite-damage", 0, 0, 0);
    let visits = visits(game, witness, 3, 120);
    let mut letters: BTreeSet<char> = visits.iter().flat_map(|visit| chars(&visit.position)).collect();
    letters.extend("09é\u{0}\t/*[]-@:".chars());
    let letters: Vec<char> = letters.into_iter().collect();
    let mut read_again = 0;
    for visit in &visits {
        let mut text = chars(&visit.position);
        for _ in 0..rng.random_range(1..4) {
            let [at, other] = [(); 2].map(|()| rng.random_range(0..text.len()));
            let letter = letters[rng.random_range(0..letters.len())];
            match rng.random_range(0..4) {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                2 => text.swap(at, other),
                _ => text.truncate(at + 1),
            }
        }
        let text: String = text.into_iter().collect();
        let Ok(read) = game.parse_position(&text) else { continue };
        read_again += 1;
        assert_eq!(game.parse_position(&read.to_string()), Ok(read), "{text:?}");
        for visit in random_game(game, read, 0, 3) {
            for action in visit.legal {
                let mut next = visit.position;
                game.apply(&mut next, action);
                assert_eq!(game.parse_position(&next.to_string()), Ok(next), "in {text:?}");
            }
        }
    }
    assert!(read_again > 0, "no damaged string is a position");
}

/// Every game of random actions ends, by the adjudications if by nothing else; plies are counted by turns of the sides.
pub fn every_game_ends<R: Playable>(game: &Game<R>, witness: &Witness) {
    let starts = [game.start()].into_iter().chain(seeds(game, witness));
    for (number, start) in starts.enumerate() {
        let mut rng = random::stream("suite-ends", 0, 0, number as u64);
        let mut position = start;
        let mut history = History::new(game, &position);
        let mut legal = Vec::new();
        loop {
            game.legal_actions(&position, &mut legal);
            if history.outcome(game, &position, &legal).is_some() {
                break;
            }
            let (side, ply) = (game.side_to_move(&position), game.ply(&position));
            game.apply(&mut position, legal[rng.random_range(0..legal.len())]);
            history.push(game, &position);
            let turned = u32::from(game.side_to_move(&position) != side);
            assert_eq!(game.ply(&position), ply + turned, "{}", position);
            assert!(history.len() < 10_000, "a game that does not end");
        }
    }
}

/// The position on the other side of a symmetry.
pub fn turned<R: Playable>(game: &Game<R>, position: &R::Position, symmetry: &Symmetry) -> R::Position {
    let text = (symmetry.position)(&position.to_string());
    game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn after<R: Playable>(game: &Game<R>, position: &R::Position, action: R::Action) -> String {
    let mut next = *position;
    game.apply(&mut next, action);
    next.to_string()
}

fn chars(position: &impl ToString) -> Vec<char> {
    position.to_string().chars().collect()
}

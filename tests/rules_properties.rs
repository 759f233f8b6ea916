//! Properties of the rules on random games under many rulesets.

mod reference;

use std::collections::BTreeSet;

use maydan::game::{
    Game, History, batch, random,
    shatara::{Action, ActionKind, Position, Shatara},
};
use rand::Rng;
use reference::Reference;

/// Every option away from its default at least once.
const RULESETS: &[&str] = &[
    "",
    "promotion_after = 'move_ever'",
    "promotion_after = 'move_ever'\npromotion_stock = 'unlimited'",
    "promotion_stock = 'consume'\nreserve = 'PPNBRQ'",
    "promotion_stock = 'unlimited'\nreserve = 'PP'",
    "support_actions_may_check = true",
    "support_actions_may_check = true\npromotion_after = 'move_ever'\npromotion_stock = 'consume'",
    "max_arena_pieces = 14\nmax_arena_pawns = 5",
    "max_arena_pieces = 20\nmax_arena_pawns = 10\nreserve = 'PPPPPPPPPPPPPPPPNNNNBBBBRRRRQQ'",
    "ladder = false",
    "reinforcement = false\npawn_moves_are_progress = true",
    "reserve = ''",
];

/// Places where castling, en passant, pins and checks are near.
const SEEDS: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[PPNBRppnbrq] w KQkq - a6b6g6f6d5e5e4b4c3h3 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8[PPNpn] w - - b5d6f4h5b4 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1[NBRQnbrq] w kq - a7b6f6g6h6a5b5a4b4c4e4f3b2f1 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N[PNBRQpnbrq] b - - a7b7c7f2g2h2 0 1",
    "8/8/8/1k6/2pP4/8/8/B2K4[PNBRQpnbrq] b - d3 c4d4a1 0 1",
    // Rooks that are listed as moved though their rights stand: contradictory, but no field is refused for it.
    "r3k2r/8/8/8/8/8/8/R3K2R[PQQpqq] w KQkq - a1h1a8h8 0 1",
    "4k3/8/2n1b3/1P1r1P2/8/3R4/3P4/3K4[PPPNNBBRRQppqq] w - - b5f5c6e6d5d3 5 20",
];

fn rulesets() -> Vec<Shatara> {
    let tables = RULESETS.iter().map(|text| text.parse().unwrap());
    let mut games: Vec<Shatara> = tables.map(|table| Shatara::from_options(&table).unwrap()).collect();
    games.push(Shatara::chess_from_options(&toml::Table::new()).unwrap());
    games
}

/// Positions of random games under one ruleset, from the start and from the places above, each with its legal actions.
fn random_positions(game: &Shatara, games: u64, plies: usize, mut look: impl FnMut(&Position, &[Action])) {
    let mut starts = vec![game.start()];
    starts.extend(SEEDS.iter().map(|text| game.parse_position(text).unwrap()));
    let mut legal = Vec::new();
    for (i, start) in starts.into_iter().enumerate() {
        for number in 0..games {
            let mut rng = random::stream("rules-properties", i as u64, 0, number);
            let mut position = start;
            for _ in 0..plies {
                game.legal_actions(&position, &mut legal);
                look(&position, &legal);
                if legal.is_empty() {
                    break;
                }
                game.apply(&mut position, legal[rng.random_range(0..legal.len())]);
            }
        }
    }
}

fn strings(game: &Shatara, position: &Position, legal: &[Action]) -> BTreeSet<String> {
    legal.iter().map(|&action| game.action_string(position, action)).collect()
}

/// The legal set, and every position after a legal action, are those of the slow reference.
#[test]
fn legal_actions_are_those_of_the_reference() {
    let (mut kinds, mut blocking) = (BTreeSet::new(), 0);
    for game in rulesets() {
        random_positions(&game, 1, 60, |position, legal| {
            let text = game.position_string(position);
            let expected_position = Reference::read(game.rules(), &text);
            assert_eq!(expected_position.write(), text);
            let expected_actions = expected_position.actions();
            let found = strings(&game, position, legal);
            assert_eq!(found.len(), legal.len(), "{text}: two actions share a string");
            assert!(found.iter().eq(expected_actions.keys()), "{:?} {text}", game.rules());
            assert_eq!(game.count_legal_actions(position), legal.len() as u64, "{text}");
            for &action in legal {
                let mut next = *position;
                game.apply(&mut next, action);
                let expected = expected_actions[&game.action_string(position, action)].write();
                assert_eq!(game.position_string(&next), expected, "{action} in {text}");
                kinds.insert(Shatara::ACTION_KINDS[game.action_kind(position, action)]);
                blocking += usize::from(expected_position.in_check() && action.kind() == ActionKind::Reinforcement);
            }
            let ended = game.outcome(position, legal).filter(|_| legal.is_empty()).map(|outcome| outcome.to_string());
            let mated = if expected_position.in_check() { "checkmate" } else { "stalemate" };
            assert!(ended.is_none_or(|ended| ended.ends_with(mated)), "{text}");
        });
    }
    assert_eq!(kinds.len(), Shatara::ACTION_KINDS.len(), "the games show every kind of action: {kinds:?}");
    assert!(blocking > 0, "the games show a reinforcement that blocks a check");
}

/// A position read from its string is the same value: every field, and the key that was kept action by action is the fresh one.
#[test]
fn strings_and_keys_round_trip() {
    for game in rulesets() {
        random_positions(&game, 4, 150, |position, legal| {
            let text = game.position_string(position);
            let read = game.parse_position(&text).unwrap();
            assert_eq!(read, *position, "{text}");
            assert_eq!(game.repetition_key(&read), game.repetition_key(position), "{text}");
            assert_eq!(game.key(&read), game.key(position), "{text}");
            if let Some(&action) = legal.first() {
                let text = game.action_string(position, action);
                assert_eq!(game.parse_action(position, &text), Ok(action));
            }
        });
    }
}

/// Positions with different strings have different keys; the counters count for `key` alone.
#[test]
fn keys_tell_positions_apart() {
    let game = Shatara::from_options(&toml::Table::new()).unwrap();
    let (mut texts, mut keys) = (BTreeSet::new(), BTreeSet::new());
    let (mut bare_texts, mut bare_keys) = (BTreeSet::new(), BTreeSet::new());
    random_positions(&game, 20, 150, |position, _| {
        let text = game.position_string(position);
        bare_texts.insert(text.rsplitn(3, ' ').last().unwrap().to_owned());
        texts.insert(text);
        keys.insert(game.key(position));
        bare_keys.insert(game.repetition_key(position));
    });
    assert_eq!(texts.len(), keys.len());
    assert_eq!(bare_texts.len(), bare_keys.len());
    assert!(bare_texts.len() <= texts.len());
}

/// The same position with colours swapped and ranks turned over.
fn swapped(text: &str) -> String {
    let fields: Vec<&str> = text.split(' ').collect();
    let swap = |text: &str| -> String {
        text.chars().map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }).collect()
    };
    let (placement, zones) = fields[0].split_once('[').unwrap();
    let rows: Vec<String> = placement.rsplit('/').map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling = if fields[2] == "-" { "-".to_owned() } else { swap(fields[2]) };
    let (white, black): (Vec<char>, Vec<char>) = castling.chars().partition(|c| c.is_uppercase());
    let castling: String = white.into_iter().chain(black).collect();
    let (ep, moved) = (turned(fields[3]), turned(fields[4]));
    format!("{}[{} {side} {castling} {ep} {moved} {} {}", rows.join("/"), swap(zones), fields[5], fields[6])
}

fn turned(squares: &str) -> String {
    squares.chars().map(|c| c.to_digit(10).map_or(c, |rank| char::from_digit(9 - rank, 10).unwrap())).collect()
}

#[test]
fn swapped_colours_swap_the_actions() {
    for game in rulesets() {
        random_positions(&game, 3, 80, |position, legal| {
            let mirror = game.parse_position(&swapped(&game.position_string(position))).unwrap();
            let mut mirrored = Vec::new();
            game.legal_actions(&mirror, &mut mirrored);
            let expected: BTreeSet<String> = strings(&game, position, legal).iter().map(|text| turned(text)).collect();
            assert_eq!(strings(&game, &mirror, &mirrored), expected, "{position:?}");
            assert_eq!(game.material(&mirror), -game.material(position));
        });
    }
}

#[test]
fn batched_calls_are_single_calls() {
    let game = Shatara::from_options(&toml::Table::new()).unwrap();
    let (mut positions, mut chosen, mut after) = (Vec::new(), Vec::new(), Vec::new());
    random_positions(&game, 2, 120, |position, legal| {
        if let Some(&action) = legal.last() {
            let mut next = *position;
            game.apply(&mut next, action);
            positions.push(*position);
            chosen.push(action);
            after.push(next);
        }
    });
    let lists = batch::legal_actions(&game, &positions);
    for (i, position) in positions.iter().enumerate() {
        let mut legal = Vec::new();
        game.legal_actions(position, &mut legal);
        assert_eq!(lists.get(i), legal);
    }
    batch::apply(&game, &mut positions, &chosen);
    assert_eq!(positions, after);
}

/// Whatever a user types is read or refused; what is read is written so that it reads the same.
#[test]
fn damaged_strings_are_read_or_refused() {
    let games = [
        Shatara::from_options(&toml::Table::new()).unwrap(),
        Shatara::chess_from_options(&toml::Table::new()).unwrap(),
    ];
    let letters: Vec<char> = "PNBRQKpnbrqk12345678w-/[] abcdefgh0é\u{0}\t".chars().collect();
    for game in games {
        let mut rng = random::stream("rules-damage", 0, 0, 0);
        random_positions(&game, 1, 60, |position, _| {
            let mut text: Vec<char> = game.position_string(position).chars().collect();
            for _ in 0..rng.random_range(1..4) {
                let (at, letter) = (rng.random_range(0..text.len()), letters[rng.random_range(0..letters.len())]);
                match rng.random_range(0..3) {
                    0 => text[at] = letter,
                    1 => text.insert(at, letter),
                    _ => text.truncate(at + 1),
                }
            }
            let text: String = text.into_iter().collect();
            if let Ok(read) = game.parse_position(&text) {
                assert_eq!(game.parse_position(&game.position_string(&read)), Ok(read), "{text:?}");
                let mut legal = Vec::new();
                game.legal_actions(&read, &mut legal);
                for action in legal {
                    let mut next = read;
                    game.apply(&mut next, action);
                    assert_eq!(game.parse_position(&game.position_string(&next)), Ok(next), "{action} in {text:?}");
                }
            }
        });
    }
}

/// Every game of random actions ends, whatever the rules, by the adjudications if by nothing else.
#[test]
fn every_game_ends() {
    for game in rulesets() {
        let mut rng = random::stream("rules-ends", 0, 0, 0);
        let mut position = game.start();
        let mut history = History::new(&game, &position);
        let mut legal = Vec::new();
        loop {
            game.legal_actions(&position, &mut legal);
            if history.outcome(&game, &position, &legal).is_some() {
                break;
            }
            game.apply(&mut position, legal[rng.random_range(0..legal.len())]);
            history.push(&game, &position);
            assert!(game.ply(&position) as usize == history.len() - 1 && history.len() <= 513);
        }
    }
}

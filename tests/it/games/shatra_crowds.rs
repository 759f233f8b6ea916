//! Altai Shatra on boards set up at random, where more happens at once than games bring about: the legal actions and
//! what they lead to are the witness's.

use crate::support::witnesses;

use std::collections::BTreeMap;

use maydan::game::{random, shatra::Shatra};
use rand::{
    Rng,
    seq::{IndexedRandom as _, SliceRandom as _},
};
use witnesses::witness;

/// Boards set up for each ruleset; about two of three are positions.
const BOARDS: usize = 1_000;
/// Plies played from each.
const PLIES: usize = 12;

#[test]
fn the_witness_agrees_on_boards_set_up_at_random() {
    for (stream, options) in ["king_refusal = 'king'", "king_refusal = 'any'"].into_iter().enumerate() {
        let game = Shatra::game(&options.parse().unwrap()).unwrap();
        let mut rng = random::stream("shatra-crowds", 0, 0, stream as u64);
        let (mut compared, mut series) = (0, 0);
        for _ in 0..BOARDS {
            let Ok(mut position) = game.parse_position(&crowd(&mut rng)) else { continue };
            for _ in 0..PLIES {
                let text = position.to_string();
                assert_eq!(game.parse_position(&text), Ok(position));
                let mut legal = Vec::new();
                game.legal_actions(&position, &mut legal);
                let after = |&action| {
                    let mut next = position;
                    game.apply(&mut next, action);
                    (action.to_string(), next.to_string())
                };
                let found: BTreeMap<String, String> = legal.iter().map(after).collect();
                assert_eq!(found, (witness("shatra").successors)(&game.ruleset().options, &text), "{text}");
                compared += 1;
                series += usize::from(position.series().is_some());
                let Some(&action) = legal.choose(&mut rng) else { break };
                game.apply(&mut position, action);
            }
        }
        assert!(compared > 3 * BOARDS && series > BOARDS / 2, "{compared} positions, {series} in a series");
    }
}

/// What may be a position: pieces anywhere, any of those at home in the initial reserve, any series under way.
fn crowd(rng: &mut impl Rng) -> String {
    let share = *[0.15, 0.3, 0.5, 0.8].choose(rng).unwrap();
    let squares: Vec<(u32, char)> =
        BOARD.iter().flat_map(|&(rank, files)| files.chars().map(move |file| (rank, file))).collect();
    let mut pieces = BTreeMap::new();
    for &square in &squares {
        if rng.random_bool(share) {
            pieces.insert(square, *['P', 'P', 'Q', 'R', 'B', 'p', 'p', 'q', 'r', 'b'].choose(rng).unwrap());
        }
    }
    for king in ['K', 'k'] {
        pieces.insert(*squares.choose(rng).unwrap(), king);
    }
    let side = *['w', 'b'].choose(rng).unwrap();
    let stock: String = "QRBqrb".chars().filter(|_| rng.random_bool(0.2)).collect();
    let kept = if rng.random_bool(0.5) { 0.5 } else { 0.0 };
    let mut reserve = String::new();
    let (mut own, mut enemies) = (Vec::new(), Vec::new());
    for (&(rank, file), piece) in &pieces {
        let square = format!("{file}{rank}");
        if (rank <= 4 && piece.is_uppercase() || rank >= 11 && piece.is_lowercase()) && rng.random_bool(kept) {
            reserve += &square;
        }
        if piece.is_uppercase() == (side == 'w') { own.push(square) } else { enemies.push(square) }
    }
    let mut series = "-".to_owned();
    if rng.random_bool(0.3) {
        enemies.shuffle(rng);
        enemies.truncate(rng.random_range(1..6));
        series = format!("{}:{}", own.choose(rng).unwrap(), enemies.concat());
    }
    let row = |&(rank, files): &(u32, &str)| {
        let place = |file| if files.contains(file) { pieces.get(&(rank, file)).copied().unwrap_or('.') } else { '*' };
        let marks: String = ('a'..='g').map(place).collect();
        (1..=7).rev().fold(marks, |marks, run| marks.replace(&".".repeat(run), &run.to_string()))
    };
    let rows: Vec<String> = BOARD.iter().rev().map(row).collect();
    let reserve = if reserve.is_empty() { "-" } else { &reserve };
    format!("{}[{stock}] {side} {reserve} - {series} 3 7", rows.join("/"))
}

/// Ranks and their files.
const BOARD: [(u32, &str); 14] = [
    (1, "cde"),
    (2, "cde"),
    (3, "cde"),
    (4, "d"),
    (5, "abcdefg"),
    (6, "abcdefg"),
    (7, "abcdefg"),
    (8, "abcdefg"),
    (9, "abcdefg"),
    (10, "abcdefg"),
    (11, "d"),
    (12, "cde"),
    (13, "cde"),
    (14, "cde"),
];

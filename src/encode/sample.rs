//! A sample of the positions of a game.

use super::Rows;
use crate::game::{Encode, Game, random, random_game::random_game};

/// Positions of a sample: enough that another as large shows little that is new.
const POSITIONS: usize = 512;

/// Plies of a game that count.
const PLIES: usize = 120;

/// 512 positions of random games, the same whenever they are asked for.
pub fn sample<R: Encode>(game: &Game<R>) -> Rows {
    let mut rows = Rows::new(game.layout());
    for number in 0.. {
        random_game(game, &mut random::stream("sample", 1, 0, number), PLIES, |position, history, _, _| {
            if rows.len() < POSITIONS {
                rows.push(game, position, history.repetitions(game, position));
            }
        });
        if rows.len() == POSITIONS {
            break;
        }
    }
    rows
}

//! Tic-tac-toe solved: every position with its value and its best actions, as rows to learn from.

use std::collections::BTreeMap;

use maydan::{
    data::TrainingBatch,
    game::{Game, Outcome},
};

use crate::support::toy::{Grid, TicTacToe};

/// A position with legal actions.
pub struct Solved {
    pub position: Grid,
    /// 1, 0 or -1 for the side to move under best play.
    pub value: i32,
    /// Actions that keep the value.
    pub best: Vec<u8>,
}

/// All reachable positions that are not over, in the order of their strings.
pub fn solve(game: &Game<TicTacToe>) -> Vec<Solved> {
    let mut all = BTreeMap::new();
    value(game, game.start(), &mut all);
    all.into_values().collect()
}

fn value(game: &Game<TicTacToe>, position: Grid, all: &mut BTreeMap<String, Solved>) -> i32 {
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    if let Some(Outcome { winner, .. }) = game.outcome(&position, &legal, 0) {
        return if winner.is_none() { 0 } else { -1 };
    }
    let name = position.to_string();
    if let Some(solved) = all.get(&name) {
        return solved.value;
    }
    let values: Vec<i32> = (legal.iter())
        .map(|&action| {
            let mut next = position;
            game.apply(&mut next, action);
            -value(game, next, all)
        })
        .collect();
    let value = *values.iter().max().unwrap();
    let best = legal.iter().zip(&values).filter(|(_, v)| **v == value).map(|(&action, _)| action).collect();
    all.insert(name, Solved { position, value, best });
    value
}

/// Positions as a training batch, the policy spread evenly over the best actions.
pub fn batch<'a>(game: &Game<TicTacToe>, positions: impl IntoIterator<Item = &'a Solved>) -> TrainingBatch {
    let mut batch = TrainingBatch::new(game.layout());
    let mut legal = Vec::new();
    for solved in positions {
        let position = &solved.position;
        game.legal_actions(position, &mut legal);
        batch.rows.push(game, position, 0);
        let share = 1.0 / solved.best.len() as f32;
        batch.legal.extend(legal.iter().map(|&action| u32::from(action)));
        batch.policy.extend(legal.iter().map(|action| if solved.best.contains(action) { share } else { 0.0 }));
        batch.offsets.push(batch.legal.len());
        let mut wdl = [0.0; 3];
        wdl[(1 - solved.value) as usize] = 1.0;
        batch.wdl.push(wdl.into());
        batch.search_wdl.push(wdl.into());
        batch.moves_left.push(legal.len() as f32);
        batch.moves_left_mask.push(1.0);
        batch.policy_mask.push(1.0);
    }
    batch
}

//! Calls over slices of positions, spread over rayon's threads.

use rayon::prelude::*;

use super::{Game, Rules};

/// Positions that one thread takes at a time: enough to make the hand-over free, few enough to share 1,000 positions
/// out.
const CHUNK: usize = 256;

/// The legal actions of many positions: those of position `i` are `actions[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionLists<A> {
    /// One more than there are positions.
    pub offsets: Vec<usize>,
    pub actions: Vec<A>,
}

impl<A> ActionLists<A> {
    /// The actions of position `i`.
    pub fn get(&self, i: usize) -> &[A] {
        &self.actions[self.offsets[i]..self.offsets[i + 1]]
    }
}

/// The legal actions of each position.
pub fn legal_actions<R: Rules>(game: &Game<R>, positions: &[R::Position]) -> ActionLists<R::Action> {
    let parts: Vec<(Vec<usize>, Vec<R::Action>)> = positions
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut counts, mut all, mut list) = (Vec::with_capacity(chunk.len()), Vec::new(), Vec::new());
            for position in chunk {
                game.legal_actions(position, &mut list);
                counts.push(list.len());
                all.extend_from_slice(&list);
            }
            (counts, all)
        })
        .collect();
    let total = parts.iter().map(|(_, actions)| actions.len()).sum();
    let mut lists =
        ActionLists { offsets: Vec::with_capacity(positions.len() + 1), actions: Vec::with_capacity(total) };
    lists.offsets.push(0);
    for (counts, actions) in parts {
        for count in counts {
            lists.offsets.push(lists.offsets[lists.offsets.len() - 1] + count);
        }
        lists.actions.extend(actions);
    }
    lists
}

/// Plays `actions[i]` in `positions[i]`.
///
/// # Panics
/// When the slices differ in length.
pub fn apply<R: Rules>(game: &Game<R>, positions: &mut [R::Position], actions: &[R::Action]) {
    assert_eq!(positions.len(), actions.len(), "one action a position");
    positions.par_chunks_mut(CHUNK).zip(actions.par_chunks(CHUNK)).for_each(|(positions, actions)| {
        for (position, &action) in positions.iter_mut().zip(actions) {
            game.apply(position, action);
        }
    });
}

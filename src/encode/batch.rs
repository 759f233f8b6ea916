//! Many positions at once, straight to what the network sees.

use ndarray::{ArrayViewMut4, Axis, parallel::prelude::*};

use super::Rows;
use crate::game::{Encode, Game};

/// Positions that one thread takes at a time at least: fewer cost less than handing them over.
const CHUNK: usize = 64;

/// Writes positions, each with the number of times it occurred before, into `out`, `[B, C, H, W]`, over rayon's
/// threads.
///
/// # Panics
/// When the shape of `out` is another or its memory is not in standard order.
pub fn encode<R: Encode>(game: &Game<R>, positions: &[(R::Position, u32)], mut out: ArrayViewMut4<'_, f32>) {
    let layout = game.layout();
    let shape = [positions.len(), layout.channels(), layout.height, layout.width];
    assert_eq!(out.shape(), shape, "a batch is [B, C, H, W]");
    out.axis_iter_mut(Axis(0)).into_par_iter().zip(positions).with_min_len(CHUNK).for_each_init(
        || Rows::new(layout),
        |row, (mut out, (position, repetitions))| {
            row.clear();
            row.push(game, position, *repetitions);
            row.unpack(0, out.as_slice_mut().expect("memory of a batch is in standard order"));
        },
    );
}

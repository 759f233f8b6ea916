//! From packed rows to the input of the network.

use crate::encode::Rows;

/// Writes all rows as `[B, H, W, C]`, channels last: what convolutions read fastest, and where the few bits that are
/// set cost one write each. `number` gives a value in the numbers of `out`, whose default is 0. The holes of a board
/// stay 0 in every plane.
///
/// # Panics
/// When `out` is not B * H * W * C long.
pub fn write_planes<T: Copy + Default>(rows: &Rows, out: &mut [T], number: impl Fn(f32) -> T) {
    let layout = rows.layout();
    let (squares, channels) = (layout.squares(), layout.channels());
    let (bit_planes, words) = (layout.bit_planes.len(), layout.words_per_plane());
    assert_eq!(out.len(), rows.len() * squares * channels, "the output has B * H * W * C values");
    let one = number(1.0);
    let mut scalars = vec![T::default(); layout.scalars.len()];
    out.fill(T::default());
    for (i, row) in out.chunks_exact_mut(squares * channels).enumerate() {
        let planes = rows.bits(i);
        for (at, &word) in planes.iter().enumerate() {
            let (plane, first) = (at / words, at % words * 64);
            for square in set_bits(word, first, squares) {
                row[square * channels + plane] = one;
            }
        }
        for (scalar, &value) in scalars.iter_mut().zip(rows.scalars(i)) {
            *scalar = number(value);
        }
        match layout.board {
            None => {
                for square in row.chunks_exact_mut(channels) {
                    square[bit_planes..].copy_from_slice(&scalars);
                }
            }
            Some(board) => {
                for (word, first) in planes[board * words..(board + 1) * words].iter().zip((0..).step_by(64)) {
                    for square in set_bits(*word, first, squares) {
                        row[square * channels + bit_planes..(square + 1) * channels].copy_from_slice(&scalars);
                    }
                }
            }
        }
    }
}

/// Squares of a word of a plane, whose lowest bit is square `first` of `squares`. Bits beyond the last square mean
/// nothing; rows read from a file may have some all the same.
fn set_bits(word: u64, first: usize, squares: usize) -> impl Iterator<Item = usize> {
    let mut bits = if squares - first >= 64 { word } else { word & ((1 << (squares - first)) - 1) };
    std::iter::from_fn(move || {
        let square = (bits != 0).then(|| first + bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        square
    })
}

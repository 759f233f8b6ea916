//! From packed rows to the input of the network.

use crate::encode::Rows;

/// Writes all rows as `[B, H, W, C]`, channels last: what convolutions read fastest, and where the few bits that are set cost one write each.
///
/// # Panics
/// When `out` is not B * H * W * C long.
pub fn write_planes(rows: &Rows, out: &mut [f32]) {
    let layout = rows.layout();
    let (squares, channels) = (layout.squares(), layout.channels());
    let (bit_planes, words) = (layout.bit_planes.len(), layout.words_per_plane());
    assert_eq!(out.len(), rows.len() * squares * channels, "the output has B * H * W * C values");
    out.fill(0.0);
    for (i, row) in out.chunks_exact_mut(squares * channels).enumerate() {
        for (at, &word) in rows.bits(i).iter().enumerate() {
            let (plane, first) = (at / words, at % words * 64);
            // Bits beyond the last square mean nothing; rows read from a file may have some all the same.
            let mut bits = if squares - first >= 64 { word } else { word & ((1 << (squares - first)) - 1) };
            while bits != 0 {
                row[(first + bits.trailing_zeros() as usize) * channels + plane] = 1.0;
                bits &= bits - 1;
            }
        }
        let scalars = rows.scalars(i);
        for square in row.chunks_exact_mut(channels) {
            square[bit_planes..].copy_from_slice(scalars);
        }
    }
}

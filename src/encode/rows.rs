//! A batch of encoded positions, packed: bit planes as words, scalars as numbers.

use thiserror::Error;

use super::mirror::mirror_planes;
use crate::game::{Encode, Game, Layout, RowMut};

/// Words and scalars that are no row of a layout.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RowError {
    #[error("row: expected {expected} {part}, found {found}")]
    Length { part: &'static str, expected: usize, found: usize },
    #[error("row: scalar `{name}`: expected a finite number, found {found}")]
    Scalar { name: &'static str, found: f32 },
}

/// Encoded positions on their way to an evaluator or a file: `[B]` rows, each of the layout's words and scalars.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    layout: &'static Layout,
    bits: Vec<u64>,
    scalars: Vec<f32>,
    len: usize,
}

impl Rows {
    pub fn new(layout: &'static Layout) -> Self {
        Rows { layout, bits: Vec::new(), scalars: Vec::new(), len: 0 }
    }

    pub fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// Number of rows B.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the rows and keeps the memory.
    pub fn clear(&mut self) {
        self.bits.clear();
        self.scalars.clear();
        self.len = 0;
    }

    /// Adds a position that occurred `repetitions` times before.
    pub fn push<R: Encode>(&mut self, game: &Game<R>, position: &R::Position, repetitions: u32) {
        let row = self.push_blank();
        game.encode(position, repetitions, row);
    }

    /// Adds a row of zeros to be written to (also used to pad a batch).
    pub fn push_blank(&mut self) -> RowMut<'_> {
        let (bits, scalars) = (self.bits.len(), self.scalars.len());
        self.bits.resize(bits + self.layout.words(), 0);
        self.scalars.resize(scalars + self.layout.scalars.len(), 0.0);
        self.len += 1;
        RowMut { bits: &mut self.bits[bits..], scalars: &mut self.scalars[scalars..] }
    }

    /// Adds a row as it stands in a file: its words, `[bit planes, words per plane]`, and its scalars.
    ///
    /// # Errors
    /// When either part is not of the layout's length, or a scalar is not finite; no row is then added.
    pub fn push_packed(&mut self, bits: &[u64], scalars: &[f32]) -> Result<(), RowError> {
        let length = |part, expected, found| {
            if expected == found { Ok(()) } else { Err(RowError::Length { part, expected, found }) }
        };
        length("words", self.layout.words(), bits.len())?;
        length("scalars", self.layout.scalars.len(), scalars.len())?;
        if let Some(i) = scalars.iter().position(|value| !value.is_finite()) {
            return Err(RowError::Scalar { name: &self.layout.scalars[i].name, found: scalars[i] });
        }
        self.bits.extend_from_slice(bits);
        self.scalars.extend_from_slice(scalars);
        self.len += 1;
        Ok(())
    }

    /// Words of row `i`, `[bit planes, words per plane]`.
    pub fn bits(&self, i: usize) -> &[u64] {
        let words = self.layout.words();
        &self.bits[i * words..(i + 1) * words]
    }

    /// Scalars of row `i`.
    pub fn scalars(&self, i: usize) -> &[f32] {
        let scalars = self.layout.scalars.len();
        &self.scalars[i * scalars..(i + 1) * scalars]
    }

    /// Mirrors row `i` left to right; its actions change by [`mirror_actions`](super::mirror_actions). Only for a
    /// position in which the rules are symmetric ([`mirror_applies`](Encode::mirror_applies)).
    pub fn mirror(&mut self, i: usize) {
        let words = self.layout.words();
        mirror_planes(self.layout, &mut self.bits[i * words..(i + 1) * words]);
    }

    /// Writes row `i` as the network sees it, `[C, H, W]`: scalars on every square of the board, holes 0 in every
    /// plane.
    ///
    /// # Panics
    /// When `out` is not C * H * W long.
    pub fn unpack(&self, i: usize, out: &mut [f32]) {
        let squares = self.layout.squares();
        assert_eq!(out.len(), self.layout.channels() * squares, "a row has C * H * W values");
        let (planes, constants) = out.split_at_mut(self.layout.bit_planes.len() * squares);
        let words = self.bits(i).chunks_exact(self.layout.words_per_plane());
        for (plane, words) in planes.chunks_exact_mut(squares).zip(words) {
            for (values, &word) in plane.chunks_mut(64).zip(words) {
                unpack_word(word, values);
            }
        }
        for (plane, &value) in constants.chunks_exact_mut(squares).zip(self.scalars(i)) {
            match self.layout.board {
                None => plane.fill(value),
                Some(board) => {
                    let board = &planes[board * squares..(board + 1) * squares];
                    plane.iter_mut().zip(board).for_each(|(out, &square)| *out = value * square);
                }
            }
        }
    }

    /// Writes all rows as the network sees them, `[B, C, H, W]`.
    ///
    /// # Panics
    /// When `out` is not B * C * H * W long.
    pub fn unpack_all(&self, out: &mut [f32]) {
        let row = self.layout.channels() * self.layout.squares();
        assert_eq!(out.len(), self.len * row, "a batch has B * C * H * W values");
        for (i, out) in out.chunks_exact_mut(row).enumerate() {
            self.unpack(i, out);
        }
    }
}

/// The values of each byte's bits, lowest first. Copied from here they cost a third of what shifting them out does.
static BYTES: [[f32; 8]; 256] = {
    let mut table = [[0.0; 8]; 256];
    let mut i = 0;
    while i < 256 * 8 {
        table[i / 8][i % 8] = ((i / 8) >> (i % 8) & 1) as f32;
        i += 1;
    }
    table
};

/// Writes the lowest bits of `word`, as many as `out` has values (at most 64).
#[inline]
fn unpack_word(word: u64, out: &mut [f32]) {
    let bytes = word.to_le_bytes();
    let (eights, rest) = out.as_chunks_mut();
    for (values, byte) in eights.iter_mut().zip(bytes) {
        *values = BYTES[usize::from(byte)];
    }
    if !rest.is_empty() {
        rest.copy_from_slice(&BYTES[usize::from(bytes[eights.len()])][..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::game::PlaneInfo;

    /// 9 x 9, so that a plane takes two words and the second is partly used.
    static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout {
        version: 1,
        height: 9,
        width: 9,
        board: None,
        bit_planes: (0..3).map(|i| PlaneInfo::new(format!("p{i}"), "a plane", "present")).collect(),
        scalars: vec![PlaneInfo::new("s0", "a scalar", "one"), PlaneInfo::new("s1", "another", "one")],
        action_planes: Vec::new(),
    });

    fn two_rows() -> Rows {
        let mut rows = Rows::new(&LAYOUT);
        rows.push_packed(&[1 | 1 << 63, 1 | 1 << 16, 0, 0, u64::MAX, 0x1ffff], &[0.5, -2.0]).unwrap();
        rows.push_packed(&[0, 0, 1 << 9, 0, 0, 0], &[0.0, 3.0]).unwrap();
        rows
    }

    #[test]
    fn unpacking_puts_each_bit_on_its_square() {
        let rows = two_rows();
        let mut out = vec![f32::NAN; 2 * 5 * 81];
        rows.unpack_all(&mut out);
        let planes: Vec<&[f32]> = out.chunks(81).collect();
        let set = |plane: &[f32]| (0..81).filter(|&square| plane[square] == 1.0).collect::<Vec<_>>();
        assert!(out.iter().all(|value| value.is_finite()));
        assert_eq!(set(planes[0]), [0, 63, 64, 80]);
        assert_eq!(set(planes[1]), [0; 0]);
        assert_eq!(set(planes[2]), (0..81).collect::<Vec<_>>());
        assert_eq!(planes[3], [0.5; 81]);
        assert_eq!(planes[4], [-2.0; 81]);
        assert_eq!(set(planes[6]), [9]);
        assert_eq!(planes[9], [3.0; 81]);
    }

    #[test]
    fn a_row_of_another_layout_is_refused() {
        let mut rows = two_rows();
        let before = rows.clone();
        let error = rows.push_packed(&[0; 5], &[0.0; 2]).unwrap_err();
        assert_eq!(error.to_string(), "row: expected 6 words, found 5");
        let error = rows.push_packed(&[0; 6], &[0.0; 3]).unwrap_err();
        assert_eq!(error.to_string(), "row: expected 2 scalars, found 3");
        let error = rows.push_packed(&[0; 6], &[0.0, f32::NAN]).unwrap_err();
        assert_eq!(error.to_string(), "row: scalar `s1`: expected a finite number, found NaN");
        assert_eq!(rows, before);
    }

    #[test]
    fn mirroring_touches_one_row() {
        let mut rows = two_rows();
        rows.mirror(1);
        assert_eq!(rows.bits(0), two_rows().bits(0));
        assert_eq!(rows.bits(1), [0, 0, 1 << 17, 0, 0, 0]);
    }
}

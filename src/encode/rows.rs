//! A batch of encoded positions, packed: bit planes as words, scalars as numbers.

use crate::game::{Encode, Layout, RowMut};

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
    pub fn push<G: Encode>(&mut self, game: &G, position: &G::Position, repetitions: u32) {
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

    /// Writes row `i` as the network sees it, `[C, H, W]`.
    ///
    /// # Panics
    /// When `out` is not C * H * W long.
    pub fn unpack(&self, i: usize, out: &mut [f32]) {
        let squares = self.layout.squares();
        assert_eq!(out.len(), self.layout.channels() * squares, "a row has C * H * W values");
        let (planes, constants) = out.split_at_mut(self.layout.bit_planes.len() * squares);
        let words = self.bits(i).chunks_exact(self.layout.words_per_plane());
        for (plane, words) in planes.chunks_exact_mut(squares).zip(words) {
            for (square, value) in plane.iter_mut().enumerate() {
                *value = (words[square / 64] >> (square % 64) & 1) as f32;
            }
        }
        for (plane, &value) in constants.chunks_exact_mut(squares).zip(self.scalars(i)) {
            plane.fill(value);
        }
    }
}

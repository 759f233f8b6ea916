//! The left-right mirror of a row and of the action space. A game says where its rules allow it
//! ([`mirror_applies`](Encode::mirror_applies)); there the scalars of a row stay as they are.

use crate::game::{Encode, Game, Layout};

/// Mirrors a row's planes of bits, `[bit planes, words per plane]`, in place: column `c` becomes `W - 1 - c`. Its own
/// inverse.
///
/// # Panics
/// When `bits` is not as long as the layout says.
pub fn mirror_planes(layout: &Layout, bits: &mut [u64]) {
    assert_eq!(bits.len(), layout.words(), "a row has the layout's words");
    for plane in bits.chunks_exact_mut(layout.words_per_plane()) {
        if layout.width == 8 {
            // Eight columns fill bytes, so each byte is turned round where it stands.
            for word in plane {
                *word = word.reverse_bits().swap_bytes();
            }
        } else {
            mirror_plane(plane, layout.height, layout.width);
        }
    }
}

/// Mirrors one plane of any width.
fn mirror_plane(plane: &mut [u64], height: usize, width: usize) {
    for row in 0..height {
        for column in 0..width / 2 {
            let (a, b) = (row * width + column, row * width + width - 1 - column);
            if (plane[a / 64] >> (a % 64) ^ plane[b / 64] >> (b % 64)) & 1 == 1 {
                plane[a / 64] ^= 1 << (a % 64);
                plane[b / 64] ^= 1 << (b % 64);
            }
        }
    }
}

/// The mirrored index of every action index, `[A]`: [`mirror_action`](Encode::mirror_action) as a table, for code that
/// knows no game.
pub fn mirror_actions<R: Encode>(game: &Game<R>) -> Vec<u32> {
    (0..game.layout().actions()).map(|index| game.rules().mirror_action(index) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PlaneInfo;

    fn layout(height: usize, width: usize) -> Layout {
        let plane = PlaneInfo::new("p", "a plane", "present");
        Layout {
            version: 1,
            height,
            width,
            board: None,
            bit_planes: vec![plane],
            scalars: Vec::new(),
            action_planes: Vec::new(),
        }
    }

    #[test]
    fn a_board_of_eight_columns_turns_in_its_bytes() {
        let mut bits = [0x8040_2010_0804_0201];
        mirror_planes(&layout(8, 8), &mut bits);
        assert_eq!(bits, [0x0102_0408_1020_4080]);
    }

    #[test]
    fn any_width_agrees_with_bytes() {
        let mut bits = [0x0123_4567_89ab_cdef];
        let mut slow = bits;
        mirror_planes(&layout(8, 8), &mut bits);
        mirror_plane(&mut slow, 8, 8);
        assert_eq!(bits, slow);
    }

    #[test]
    fn a_row_may_straddle_two_words() {
        // Row 9 of a board 7 wide has squares 63 to 69; the leftmost is the last bit of the first word.
        let mut bits = [1 << 63, 0];
        mirror_planes(&layout(10, 7), &mut bits);
        assert_eq!(bits, [0, 1 << 5]);
        mirror_planes(&layout(10, 7), &mut bits);
        assert_eq!(bits, [1 << 63, 0]);
    }
}

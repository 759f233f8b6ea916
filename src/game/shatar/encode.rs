//! What the game looks like to a network. PLANES.md has the tables.

use std::sync::LazyLock;

use super::{Action, Kind, Position, Shatar, movegen};
use crate::{
    board::{Bitboard, Square},
    game::{
        Context, Encode, Layout, PlaneInfo, RowMut, Side,
        attacked::{Attacked, attack_planes},
        encoding::limit_plane,
        ways,
    },
};

/// Plies without progress that 1.0 stands for.
const CLOCK_SCALE: f32 = 100.0;

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let kinds = ["qayins", "noyans", "temes", "bers", "viziers", "khans"];
    let pieces = ["own", "enemy"].into_iter().flat_map(|owner| {
        kinds.map(|kind| PlaneInfo::new(format!("{owner}_{kind}"), format!("{owner} pieces of this kind"), "present"))
    });
    let scalars = vec![
        PlaneInfo::new("clock", "plies since progress", format!("{CLOCK_SCALE} plies")),
        limit_plane(),
        PlaneInfo::new("black", "Black is to move", "yes"),
        PlaneInfo::new("repeated", "the position occurred before", "once or more"),
        PlaneInfo::new("repeated_twice", "the position occurred before", "twice or more"),
    ];
    Layout {
        version: 3,
        height: 8,
        width: 8,
        board: None,
        bit_planes: pieces.chain(attack_planes(&kinds)).collect(),
        scalars,
        action_planes: ways::planes(),
    }
});

#[doc = include_str!("PLANES.md")]
impl Encode for Shatar {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn encode(&self, position: &Position, context: Context, row: RowMut<'_>) {
        let side = position.side_to_move();
        let turned = |set: Bitboard| if side == Side::White { set.0 } else { set.flip().0 };
        let (owners, pieces) = ([side, !side], position.pieces());
        let placed = owners.into_iter().flat_map(|owner| Kind::ALL.map(|kind| pieces.of(owner, kind)));
        let attacks = owners.into_iter().flat_map(|owner| {
            let reach = |kind, from| movegen::reach(owner, kind, from, pieces.occupied());
            Attacked::<_, { Kind::ALL.len() }>::of(pieces, owner, reach).planes()
        });
        row.bits.iter_mut().zip(placed.chain(attacks)).for_each(|(plane, squares)| *plane = turned(squares));
        row.scalars.copy_from_slice(&[
            position.clock as f32 / CLOCK_SCALE,
            context.limit,
            side.index() as f32,
            f32::from(u8::from(context.repetitions >= 1)),
            f32::from(u8::from(context.repetitions >= 2)),
        ]);
    }

    fn action_index(&self, position: &Position, action: Action) -> usize {
        let seen = |square: Square| if position.side_to_move() == Side::White { square } else { square.flip() };
        let (from, to) = (seen(action.from()), seen(action.to()));
        64 * ways::plane(from, to) + from.index()
    }

    fn mirror_applies(&self, _: &Position) -> bool {
        true
    }

    fn mirror_action(&self, index: usize) -> usize {
        64 * ways::mirror(index / 64) + ((index % 64) ^ 7)
    }
}

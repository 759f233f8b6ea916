//! What the game looks like to a network: planes of a position, indices of its actions. PLANES.md has the tables.

use std::sync::LazyLock;

use super::{
    Action, ActionKind, Kind, Position, Shatara, check,
    position::{Castling, Wing},
};
use crate::{
    board::{Bitboard, Square},
    game::{
        Context, Encode, Layout, PlaneInfo, RowMut, Side,
        attacked::{Attacked, attack_planes},
        encoding::limit_plane,
        ways,
    },
};

// Numbers of planes of bits.
const OWN_PIECES: usize = 0;
const ENEMY_PIECES: usize = 6;
const OWN_MOVED: usize = 12;
const ENEMY_MOVED: usize = 13;
const EN_PASSANT: usize = 14;
const ATTACKS: usize = 15;

/// Pieces of the zone by kind, P N B R Q, that 1.0 stands for: those of a second set. Powers of two, so that the
/// quotient is exact.
const ZONE_SCALE: [f32; 5] = [8.0, 2.0, 2.0, 2.0, 1.0];
/// Plies without progress that 1.0 stands for.
const CLOCK_SCALE: f32 = 100.0;

/// The direction of a pawn that promotes, by files to the east plus 1.
const PROMOTION_NAMES: [&str; 3] = ["nw", "n", "ne"];

// Numbers of the first plane of each sort of action.
const UNDERPROMOTION: usize = ways::COUNT;
const LADDER: usize = UNDERPROMOTION + 9;
const REINFORCEMENT: usize = LADDER + 1;

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let kinds = ["pawns", "knights", "bishops", "rooks", "queens", "kings"];
    let mut bit_planes = Vec::new();
    for owner in ["own", "enemy"] {
        bit_planes.extend(kinds.map(|kind| {
            PlaneInfo::new(format!("{owner}_{kind}"), format!("{owner} pieces of this kind in the arena"), "present")
        }));
    }
    bit_planes.extend(["own", "enemy"].map(|owner| {
        let meaning = format!("{owner} pieces that count as moved, so that they may climb the ladder");
        PlaneInfo::new(format!("{owner}_moved"), meaning, "present")
    }));
    let meaning = "square passed over by a double step, where an en passant capture is legal";
    bit_planes.push(PlaneInfo::new("en_passant", meaning, "present"));
    bit_planes.extend(attack_planes(&kinds));

    let mut scalars = Vec::new();
    for owner in ["own", "enemy"] {
        scalars.extend(["king", "queen"].map(|wing| {
            let meaning = format!("{owner} right to castle on the {wing}'s side");
            PlaneInfo::new(format!("{owner}_castling_{wing}"), meaning, "right kept")
        }));
    }
    for owner in ["own", "enemy"] {
        scalars.extend(kinds.iter().zip(ZONE_SCALE).map(|(kind, scale)| {
            let meaning = format!("number of {kind} in the {owner} support zone");
            PlaneInfo::new(format!("{owner}_zone_{kind}"), meaning, scale.to_string())
        }));
    }
    scalars.extend([
        PlaneInfo::new("clock", "plies since progress", format!("{CLOCK_SCALE} plies")),
        limit_plane(),
        PlaneInfo::new("black", "Black is to move", "yes"),
        PlaneInfo::new("repeated", "the position occurred before", "once or more"),
        PlaneInfo::new("repeated_twice", "the position occurred before", "twice or more"),
    ]);

    let mut action_planes = ways::planes();
    for kind in ["knight", "bishop", "rook"] {
        let meaning = format!("pawn's move to the last rank, becoming a {kind}");
        action_planes.extend(PROMOTION_NAMES.map(|way| PlaneInfo::new(format!("{kind}_{way}"), &meaning, "")));
    }
    action_planes.extend([
        PlaneInfo::new("ladder", "ladder promotion of the piece on this square", ""),
        PlaneInfo::new("reinforcement", "a pawn from the zone placed on this square", ""),
    ]);

    Layout { version: 3, height: 8, width: 8, board: None, bit_planes, scalars, action_planes }
});

#[doc = include_str!("PLANES.md")]
impl Encode for Shatara {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn encode(&self, position: &Position, context: Context, row: RowMut<'_>) {
        let pieces = position.pieces();
        let (own, enemy) = (position.side, !position.side);
        let (own_pieces, enemy_pieces) = (pieces.side(own), pieces.side(enemy));
        let turned = |set: Bitboard| if own == Side::White { set.0 } else { set.flip().0 };
        for kind in Kind::ALL {
            let all = pieces.kind(kind);
            row.bits[OWN_PIECES + kind.index()] = turned(all & own_pieces);
            row.bits[ENEMY_PIECES + kind.index()] = turned(all & enemy_pieces);
        }
        row.bits[OWN_MOVED] = turned(position.moved & own_pieces);
        row.bits[ENEMY_MOVED] = turned(position.moved & enemy_pieces);
        row.bits[EN_PASSANT] = position.en_passant.map_or(0, |square| turned(Bitboard::of(square)));
        let attacks = [own, enemy].into_iter().flat_map(|side| {
            let reach = |kind, from| check::reach(side, kind, from, pieces.occupied());
            Attacked::<_, { Kind::ALL.len() }>::of(pieces, side, reach).planes()
        });
        row.bits[ATTACKS..].iter_mut().zip(attacks).for_each(|(plane, squares)| *plane = turned(squares));

        let right = |side, wing| f32::from(u8::from(position.castling.has(side, wing)));
        let (castling, rest) = row.scalars.split_at_mut(4);
        castling.copy_from_slice(&[
            right(own, Wing::King),
            right(own, Wing::Queen),
            right(enemy, Wing::King),
            right(enemy, Wing::Queen),
        ]);
        let (zones, counters) = rest.split_at_mut(10);
        for (out, side) in zones.chunks_exact_mut(5).zip([own, enemy]) {
            for ((out, &number), scale) in out.iter_mut().zip(&position.zones[side.index()]).zip(ZONE_SCALE) {
                *out = f32::from(number) / scale;
            }
        }
        counters.copy_from_slice(&[
            position.clock as f32 / CLOCK_SCALE,
            context.limit,
            own.index() as f32,
            f32::from(u8::from(context.repetitions >= 1)),
            f32::from(u8::from(context.repetitions >= 2)),
        ]);
    }

    fn action_index(&self, position: &Position, action: Action) -> usize {
        let seen = |square: Square| if position.side == Side::White { square } else { square.flip() };
        let (from, to) = (seen(action.from()), seen(action.to()));
        let plane = match action.kind() {
            ActionKind::Promotion(kind) if kind != Kind::Queen => {
                UNDERPROMOTION + 3 * (kind.index() - Kind::Knight.index()) + (to.file() + 1 - from.file())
            }
            ActionKind::Ladder(_) => LADDER,
            ActionKind::Reinforcement => REINFORCEMENT,
            ActionKind::Move | ActionKind::Castling | ActionKind::EnPassant | ActionKind::Promotion(_) => {
                ways::plane(from, to)
            }
        };
        64 * plane + from.index()
    }

    fn mirror_applies(&self, position: &Position) -> bool {
        position.castling == Castling::default()
    }

    fn mirror_action(&self, index: usize) -> usize {
        let (plane, square) = (index / 64, index % 64);
        let mirrored = match plane {
            0..UNDERPROMOTION => ways::mirror(plane),
            UNDERPROMOTION..LADDER => {
                let (kind, way) = ((plane - UNDERPROMOTION) / 3, (plane - UNDERPROMOTION) % 3);
                UNDERPROMOTION + 3 * kind + 2 - way
            }
            _ => plane,
        };
        64 * mirrored + (square ^ 7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_numbers_are_the_layout() {
        let named = |planes: &[PlaneInfo], i: usize| planes[i].name.clone();
        assert_eq!(named(&LAYOUT.bit_planes, ENEMY_PIECES + Kind::Queen.index()), "enemy_queens");
        assert_eq!(named(&LAYOUT.bit_planes, EN_PASSANT), "en_passant");
        assert_eq!(named(&LAYOUT.bit_planes, ATTACKS), "own_pawns_attack");
        assert_eq!(named(&LAYOUT.action_planes, UNDERPROMOTION + 8), "rook_ne");
        assert_eq!(named(&LAYOUT.action_planes, LADDER), "ladder");
        assert_eq!(named(&LAYOUT.action_planes, REINFORCEMENT), "reinforcement");
        assert_eq!(LAYOUT.action_planes.len(), REINFORCEMENT + 1);
    }
}

//! What the game looks like to a network. PLANES.md has the tables.

use std::sync::LazyLock;

use super::{Action, Bitboard, Kind, OmegaAdvanced, Piece, Position, pair::Pair, position::LAST_ENTRY, ways};
use crate::game::{
    Context, Encode, Layout, PlaneInfo, RowMut,
    attacked::attack_planes,
    omega::{
        attacks,
        encode::{BOARD_WORDS, WORDS, attacked, counter_planes, counters, mirrored, place, seen, write_plane},
        square::SIDE,
    },
};

/// The plane of bits of the board, after those of pieces, of squares passed over and of unmoved pieces.
const BOARD: usize = 2 * Piece::ALL.len() + 2;

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let pieces = ["own", "enemy"].into_iter().flat_map(|owner| {
        Piece::ALL.map(|piece| {
            PlaneInfo::new(format!("{owner}_{}s", piece.name()), format!("{owner} pieces of this kind"), "present")
        })
    });
    let passed = "squares passed over by the last move's pawn, where an en passant capture is legal";
    let mut bit_planes: Vec<PlaneInfo> = pieces.collect();
    bit_planes.push(PlaneInfo::new("passed", passed, "present"));
    bit_planes.push(PlaneInfo::new(
        "unmoved",
        "pieces of both sides, other than pawns, that have never moved",
        "present",
    ));
    bit_planes.push(PlaneInfo::new("board", "the squares of the board; 0 in its holes", "a square"));
    bit_planes.extend(attack_planes(&Piece::ALL.map(|piece| format!("{}s", piece.name()))));
    let mut scalars = Vec::new();
    for owner in ["own", "enemy"] {
        let meaning = format!("moves in which the {owner} fool in hand may still enter; 0 when it is not in hand");
        scalars.push(PlaneInfo::new(format!("{owner}_fool_in_hand"), meaning, format!("{LAST_ENTRY} moves")));
    }
    for owner in ["own", "enemy"] {
        scalars.extend(Kind::ALL.map(|kind| {
            let meaning = format!("{owner} fools are of this kind now");
            PlaneInfo::new(format!("{owner}_fools_are_{}s", kind.name()), meaning, "yes")
        }));
    }
    scalars.extend(counter_planes());
    let (board, action_planes) = (Some(BOARD), ways::planes());
    Layout { version: 3, height: SIDE, width: SIDE, board, bit_planes, scalars, action_planes }
});

#[doc = include_str!("PLANES.md")]
impl Encode for OmegaAdvanced {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn encode(&self, position: &Position, context: Context, row: RowMut<'_>) {
        let side = position.side_to_move();
        let mut planes = row.bits.chunks_exact_mut(WORDS);
        let mut write = |set: Bitboard| write_plane(planes.next().expect("the layout's planes"), set, side);
        for owner in [side, !side] {
            Piece::ALL.into_iter().for_each(|piece| write(position.of(owner, piece)));
        }
        write(position.passed());
        write(position.unmoved());
        planes.next().expect("the plane of the board").copy_from_slice(&BOARD_WORDS);
        for owner in [side, !side] {
            let mut attacked = attacked::<{ Piece::ALL.len() }>(position.pieces(), owner);
            for from in position.fools(owner) {
                let squares = position
                    .fools_are(owner)
                    .map_or(Bitboard::EMPTY, |kind| attacks::attack(owner, kind, from, position.pieces().occupied()));
                attacked.add(Piece::Fool.index(), squares);
            }
            attacked.planes().zip(&mut planes).for_each(|(squares, plane)| write_plane(plane, squares, side));
        }
        let yes = |fact: bool| f32::from(u8::from(fact));
        let owners = [side, !side];
        let entries = (LAST_ENTRY + 1).saturating_sub(position.fullmove()) as f32 / LAST_ENTRY as f32;
        let hands = owners.into_iter().map(|owner| entries * yes(position.has_fool_in_hand(owner)));
        let kinds =
            owners.into_iter().flat_map(|owner| Kind::ALL.map(|kind| yes(position.fools_are(owner) == Some(kind))));
        let rest = counters(position.clock(), side, context);
        row.scalars.iter_mut().zip(hands.chain(kinds).chain(rest)).for_each(|(out, value)| *out = value);
    }

    fn action_index(&self, position: &Position, action: Action) -> usize {
        let side = position.side_to_move();
        let (from, to) = (seen(side, action.from()), seen(side, action.to()));
        let is_guarding = || {
            let pair = Pair::of_move(action.from(), action.to(), position.unmoved());
            pair.is_some_and(|pair| pair.kind == Kind::Queen)
        };
        let (plane, at) = ways::plane(action, from, to, is_guarding);
        SIDE * SIDE * plane + place(at)
    }

    /// What king and queen can do with the rooks distinguishes the wings, and nothing else does.
    fn mirror_applies(&self, position: &Position) -> bool {
        position.is_symmetric()
    }

    fn mirror_action(&self, index: usize) -> usize {
        mirrored(index, ways::mirror)
    }
}

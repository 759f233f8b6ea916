//! What the game looks like to a network. PLANES.md has the tables.

use std::sync::LazyLock;

use super::{Action, Bitboard, Kind, Omega, Pieces, Position, Square, attacks, castling::Castling, square::SIDE, ways};
use crate::game::{
    Context, Encode, Layout, PlaneInfo, RowMut, Side,
    attacked::{Attacked, attack_planes},
    encoding::limit_plane,
};

// Numbers of planes of bits after the pieces'.
const PASSED: usize = 2 * Kind::ALL.len();
const BOARD: usize = PASSED + 1;

/// Words of a plane of 144 places.
pub(super) const WORDS: usize = (SIDE * SIDE).div_ceil(64);

/// The place of each square as each side sees it: cheaper to read than to divide for.
static PLACES: [[u8; Square::PLACES]; 2] = {
    let mut places = [[0; Square::PLACES]; 2];
    let mut i = 0;
    while i < Square::COUNT {
        let square = Square::new(i);
        places[0][i] = place(square) as u8;
        places[1][i] = place(square.flip()) as u8;
        i += 1;
    }
    places
};

/// The plane of the board, which is the same in every row.
pub(super) const BOARD_WORDS: [u64; WORDS] = {
    let mut words = [0; WORDS];
    let mut i = 0;
    while i < Square::COUNT {
        let place = place(Square::new(i));
        words[place / 64] |= 1 << (place % 64);
        i += 1;
    }
    words
};

/// Plies without progress that 1.0 stands for.
const CLOCK_SCALE: f32 = 100.0;

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let pieces = ["own", "enemy"].into_iter().flat_map(|owner| {
        Kind::ALL.map(|kind| {
            PlaneInfo::new(format!("{owner}_{}s", kind.name()), format!("{owner} pieces of this kind"), "present")
        })
    });
    let passed = "squares passed over by the last move's pawn, where an en passant capture is legal";
    let mut bit_planes: Vec<PlaneInfo> = pieces.collect();
    bit_planes.push(PlaneInfo::new("passed", passed, "present"));
    bit_planes.push(PlaneInfo::new("board", "the squares of the board; 0 in its holes", "a square"));
    bit_planes.extend(attack_planes(&Kind::ALL.map(|kind| format!("{}s", kind.name()))));
    let mut scalars = Vec::new();
    for owner in ["own", "enemy"] {
        scalars.extend(["i", "b"].map(|file| {
            let meaning = format!("{owner} right to castle with the rook of the {file} file");
            PlaneInfo::new(format!("{owner}_castling_{file}"), meaning, "right kept")
        }));
    }
    scalars.extend(counter_planes());
    let (board, action_planes) = (Some(BOARD), ways::planes());
    Layout { version: 3, height: SIDE, width: SIDE, board, bit_planes, scalars, action_planes }
});

#[doc = include_str!("PLANES.md")]
impl Encode for Omega {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn encode(&self, position: &Position, context: Context, row: RowMut<'_>) {
        let side = position.side_to_move();
        let mut planes = row.bits.chunks_exact_mut(WORDS);
        let mut write = |set: Bitboard| write_plane(planes.next().expect("the layout's planes"), set, side);
        for owner in [side, !side] {
            Kind::ALL.into_iter().for_each(|kind| write(position.pieces().of(owner, kind)));
        }
        write(position.passed());
        planes.next().expect("the plane of the board").copy_from_slice(&BOARD_WORDS);
        for owner in [side, !side] {
            let attacked = attacked::<{ Kind::ALL.len() }>(position.pieces(), owner);
            attacked.planes().zip(&mut planes).for_each(|(squares, plane)| write_plane(plane, squares, side));
        }
        let ways = Castling::ALL
            .iter()
            .filter(|way| way.side == side)
            .chain(Castling::ALL.iter().filter(|way| way.side != side));
        for (out, way) in row.scalars.iter_mut().zip(ways) {
            *out = f32::from(u8::from(position.rights().has(way)));
        }
        let counters = counters(position.clock, side, context);
        row.scalars[Castling::ALL.len()..].copy_from_slice(&counters);
    }

    fn action_index(&self, position: &Position, action: Action) -> usize {
        let side = position.side_to_move();
        let (from, to) = (seen(side, action.from()), seen(side, action.to()));
        SIDE * SIDE * ways::plane(from, to, action.promotion()) + place(from)
    }

    /// The king stands beside the middle, but of that the rules take notice only to castle.
    fn mirror_applies(&self, position: &Position) -> bool {
        !position.rights().any()
    }

    fn mirror_action(&self, index: usize) -> usize {
        mirrored(index, ways::mirror)
    }
}

/// The last planes of numbers: what the position counts, whose turn it is, and repetition.
pub(super) fn counter_planes() -> [PlaneInfo; 5] {
    [
        PlaneInfo::new("clock", "plies since progress", format!("{CLOCK_SCALE} plies")),
        limit_plane(),
        PlaneInfo::new("black", "Black is to move", "yes"),
        PlaneInfo::new("repeated", "the position occurred before", "once or more"),
        PlaneInfo::new("repeated_twice", "the position occurred before", "twice or more"),
    ]
}

/// Values of [`counter_planes`].
pub(super) fn counters(clock: u32, side: Side, context: Context) -> [f32; 5] {
    let yes = |fact: bool| f32::from(u8::from(fact));
    [
        clock as f32 / CLOCK_SCALE,
        context.limit,
        side.index() as f32,
        yes(context.repetitions >= 1),
        yes(context.repetitions >= 2),
    ]
}

/// Squares that the pieces of `owner` attack, kind by kind.
pub(super) fn attacked<const KINDS: usize>(pieces: &Pieces, owner: Side) -> Attacked<Bitboard, KINDS> {
    Attacked::of(pieces, owner, |kind, from| attacks::attack(owner, kind, from, pieces.occupied()))
}

/// Sets the squares in a plane of bits, as `side` sees them.
#[inline]
pub(super) fn write_plane(plane: &mut [u64], set: Bitboard, side: Side) {
    for square in set {
        let place = usize::from(PLACES[side.index()][square.index()]);
        plane[place / 64] |= 1 << (place % 64);
    }
}

/// The index of an action seen in a mirror, which turns planes of actions into others.
pub(super) fn mirrored(index: usize, plane_mirrored: impl Fn(usize) -> usize) -> usize {
    let (plane, place) = (index / (SIDE * SIDE), index % (SIDE * SIDE));
    let (row, column) = (place / SIDE, place % SIDE);
    SIDE * SIDE * plane_mirrored(plane) + SIDE * row + SIDE - 1 - column
}

/// A square as a side sees it, its own first rank below.
#[inline]
pub(super) fn seen(side: Side, square: Square) -> Square {
    if side == Side::White { square } else { square.flip() }
}

/// Number of a square's place on the grid, `row * 12 + column`.
#[inline]
pub(super) const fn place(square: Square) -> usize {
    SIDE * square.row() + square.column()
}

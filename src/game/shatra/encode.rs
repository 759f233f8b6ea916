//! What the game looks like to a network. PLANES.md has the tables.

use std::sync::LazyLock;

use super::{
    Action, Bitboard, Kind, Position, Shatra, Square,
    jumps::Jumper,
    square::{COLUMNS, ROWS},
    ways,
};
use crate::game::{
    Context, Encode, Layout, PlaneInfo, RowMut, Side,
    attacked::{Attacked, attack_planes},
    encoding::limit_plane,
};

// Numbers of planes of bits after the pieces'.
const RESERVES: usize = 2 * Kind::ALL.len();
const PASSED: usize = RESERVES + 2;
const JUMPER: usize = PASSED + 1;
const JUMPED: usize = JUMPER + 1;
/// Places in a series are numbered from 1 in binary; there are at most 61.
const ORDER_BITS: usize = 6;
const BOARD: usize = JUMPED + 1 + ORDER_BITS;
/// By kind and twice, of each side.
const ATTACKED: usize = BOARD + 1;

const PLACES: usize = ROWS * COLUMNS;
/// Words of a plane.
const WORDS: usize = PLACES.div_ceil(64);

/// The place of each square as each side sees it: cheaper to read than to work out.
static PLACE_SEEN: [[u8; Square::COUNT]; 2] = {
    let mut places = [[0; Square::COUNT]; 2];
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
const BOARD_WORDS: [u64; WORDS] = {
    let mut words = [0; WORDS];
    let mut i = 0;
    while i < Square::COUNT {
        let place = place(Square::new(i));
        words[place / 64] |= 1 << (place % 64);
        i += 1;
    }
    words
};

/// Pieces of a kind in a stock that 1.0 stands for: those of the start. A power of two, so that the quotient is exact.
const STOCK_SCALE: f32 = 2.0;
/// Plies without progress that 1.0 stands for.
const CLOCK_SCALE: f32 = 100.0;

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let owners = ["own", "enemy"];
    let pieces = owners.into_iter().flat_map(|owner| {
        Kind::ALL.map(|kind| {
            PlaneInfo::new(format!("{owner}_{}s", kind.name()), format!("{owner} pieces of this kind"), "present")
        })
    });
    let mut bit_planes: Vec<PlaneInfo> = pieces.collect();
    bit_planes.extend(owners.map(|owner| {
        PlaneInfo::new(format!("{owner}_reserve"), format!("{owner} pieces of the initial reserve"), "present")
    }));
    let passed = "square passed over by a double step, where an en passant capture is legal";
    bit_planes.push(PlaneInfo::new("passed", passed, "present"));
    bit_planes.push(PlaneInfo::new("jumper", "the piece whose series is under way", "present"));
    bit_planes.push(PlaneInfo::new("jumped", "pieces jumped in this series, which leave at its end", "present"));
    bit_planes.extend((0..ORDER_BITS).map(|bit| {
        let meaning = "a bit of the number, from 1, of the jump over this piece";
        PlaneInfo::new(format!("jumped_{}", 1 << bit), meaning, "the bit is set")
    }));
    bit_planes.push(PlaneInfo::new("board", "the squares of the board; 0 in its holes", "a square"));
    bit_planes.extend(attack_planes(&Kind::ALL.map(|kind| format!("{}s", kind.name()))));
    let mut scalars = Vec::new();
    for owner in owners {
        scalars.extend(Kind::STOCK.map(Kind::name).map(|kind| {
            let meaning = format!("number of {kind}s in the {owner} stock");
            PlaneInfo::new(format!("{owner}_stock_{kind}s"), meaning, STOCK_SCALE.to_string())
        }));
    }
    scalars.extend([
        PlaneInfo::new("clock", "plies since progress", format!("{CLOCK_SCALE} plies")),
        limit_plane(),
        PlaneInfo::new("black", "Black is to move", "yes"),
        PlaneInfo::new("repeated", "the position occurred before", "once or more"),
        PlaneInfo::new("repeated_twice", "the position occurred before", "twice or more"),
    ]);
    let (board, action_planes) = (Some(BOARD), ways::planes());
    Layout { version: 3, height: ROWS, width: COLUMNS, board, bit_planes, scalars, action_planes }
});

#[doc = include_str!("PLANES.md")]
impl Encode for Shatra {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn encode(&self, position: &Position, context: Context, row: RowMut<'_>) {
        let side = position.side_to_move();
        let mut write = |plane: usize, set: Bitboard| {
            for square in set {
                let place = usize::from(PLACE_SEEN[side.index()][square.index()]);
                row.bits[plane * WORDS + place / 64] |= 1 << (place % 64);
            }
        };
        for (i, owner) in [side, !side].into_iter().enumerate() {
            for kind in Kind::ALL {
                write(i * Kind::ALL.len() + kind.index(), position.pieces().of(owner, kind));
            }
            write(RESERVES + i, position.reserve(owner));
        }
        position.passed().into_iter().for_each(|square| write(PASSED, square.into()));
        if let Some(series) = position.series() {
            write(JUMPER, series.jumper().into());
            write(JUMPED, series.jumped_set());
            for (i, square) in series.jumped().enumerate() {
                let bits = (0..ORDER_BITS).filter(|&bit| (i + 1) >> bit & 1 == 1);
                bits.for_each(|bit| write(JUMPED + 1 + bit, square.into()));
            }
        }
        let attacked = [side, !side].into_iter().flat_map(|owner| attacked(position, owner).planes());
        attacked.enumerate().for_each(|(i, squares)| write(ATTACKED + i, squares));
        row.bits[BOARD * WORDS..][..WORDS].copy_from_slice(&BOARD_WORDS);

        let yes = |fact: bool| f32::from(u8::from(fact));
        let stock = [side, !side].into_iter().flat_map(|owner| position.stock(owner));
        let stock = stock.map(|number| f32::from(number) / STOCK_SCALE);
        let counters = [
            position.clock as f32 / CLOCK_SCALE,
            context.limit,
            side.index() as f32,
            yes(context.repetitions >= 1),
            yes(context.repetitions >= 2),
        ];
        row.scalars.iter_mut().zip(stock.chain(counters)).for_each(|(out, value)| *out = value);
    }

    fn action_index(&self, position: &Position, action: Action) -> usize {
        let side = position.side_to_move();
        let (from, to) = (seen(side, action.from()), seen(side, action.to()));
        let (plane, square) = ways::plane(action.kind(), from, to, action.promotion());
        PLACES * plane + place(square)
    }

    /// Where several pawns of a side wait, the files on which they become pieces are distinguished (§7).
    fn mirror_applies(&self, position: &Position) -> bool {
        ![Side::White, Side::Black].into_iter().any(|side| position.waiting(side).many())
    }

    fn mirror_action(&self, index: usize) -> usize {
        let (plane, place) = (index / PLACES, index % PLACES);
        let (row, column) = (place / COLUMNS, place % COLUMNS);
        PLACES * ways::mirror(plane) + COLUMNS * row + COLUMNS - 1 - column
    }
}

/// Squares that the pieces of `owner` attack, kind by kind: those over which one could jump if an enemy stood there.
/// Pieces that were jumped in the series under way stand in the way and jump no more.
fn attacked(position: &Position, owner: Side) -> Attacked<Bitboard, { Kind::ALL.len() }> {
    let jumped = position.series().map_or(Bitboard::EMPTY, |series| series.jumped_set());
    Attacked::of(position.pieces(), owner, |kind, at| match jumped.has(at) {
        true => Bitboard::EMPTY,
        false => Jumper::new(position, owner, kind, at).attack(),
    })
}

/// A square as a side sees it, its own home below.
#[inline]
fn seen(side: Side, square: Square) -> Square {
    if side == Side::White { square } else { square.flip() }
}

/// Number of a square's place on the grid, `row * 7 + column`.
#[inline]
const fn place(square: Square) -> usize {
    COLUMNS * square.row() + square.column()
}

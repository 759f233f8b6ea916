//! What a piece attacks from a square, and the lines between squares.
//!
//! Every table is a `static` computed by the compiler: reading one needs no initialisation and no check for it.

use super::{Bitboard, Square, magics};

/// Squares a knight's jump away.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares a king's step away.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares that a pawn attacks; `side` is 0 for pawns that go up the board, 1 for those that come down.
///
/// # Panics
/// When `side` is above 1.
#[inline]
pub fn pawn(side: usize, square: Square) -> Bitboard {
    PAWN[side][square.index()]
}

/// Squares that a bishop sees, up to and with the first occupied one each way.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[square.index()].attacks(occupied)
}

/// Squares that a rook sees, up to and with the first occupied one each way.
///
/// ```
/// # use maydan::board::{Square, attacks};
/// let d4 = Square::at(3, 3);
/// let pieces = [Square::at(3, 5), Square::at(1, 3)].into_iter().collect();
/// assert_eq!(attacks::rook(d4, pieces).to_string(), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . x . . . .
/// . . . x . . . .
/// . x x . x x x x
/// . . . x . . . .
/// . . . x . . . .
/// . . . x . . . .
/// ");
/// ```
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK[square.index()].attacks(occupied)
}

/// Squares strictly between two squares of one rank, file or diagonal; empty for any others.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares; empty when there is none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The file and rank through a square, itself included.
#[inline]
pub fn orthogonals(square: Square) -> Bitboard {
    Bitboard::file(square.file()).or(Bitboard::rank(square.rank()))
}

/// The diagonal through a square that climbs to the right, the square included.
#[inline]
pub fn diagonal(square: Square) -> Bitboard {
    DIAGONAL[square.index()]
}

/// The diagonal through a square that climbs to the left, the square included.
#[inline]
pub fn antidiagonal(square: Square) -> Bitboard {
    ANTIDIAGONAL[square.index()]
}

static KNIGHT: [Bitboard; 64] = leaper(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaper(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

static DIAGONAL: [Bitboard; 64] = lines(1);
static ANTIDIAGONAL: [Bitboard; 64] = lines(-1);

static LINE: [[Bitboard; 64]; 64] = pairs().0;
static BETWEEN: [[Bitboard; 64]; 64] = pairs().1;

/// Squares one of `jumps` (files, ranks) away from each square.
const fn leaper(jumps: &[(i32, i32)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < jumps.len() {
            if let Some(to) = step(from, jumps[i]) {
                table[from] = table[from].or(Bitboard::of(Square::new(to)));
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// The square `(files, ranks)` away, if the board goes that far.
const fn step(from: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (from as i32 % 8 + files, from as i32 / 8 + ranks);
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 { Some((rank * 8 + file) as usize) } else { None }
}

/// The diagonal through each square that goes `files` to the right for each rank up.
const fn lines(files: i32) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let up = ray(square, (files, 1));
        let down = ray(square, (-files, -1));
        table[square] = up.or(down).or(Bitboard::of(Square::new(square)));
        square += 1;
    }
    table
}

/// Squares from `from` to the edge, `from` left out.
const fn ray(from: usize, direction: (i32, i32)) -> Bitboard {
    let (mut squares, mut at) = (Bitboard::EMPTY, from);
    while let Some(next) = step(at, direction) {
        squares = squares.or(Bitboard::of(Square::new(next)));
        at = next;
    }
    squares
}

/// [`LINE`] and [`BETWEEN`].
const fn pairs() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    let (mut line, mut between) = ([[Bitboard::EMPTY; 64]; 64], [[Bitboard::EMPTY; 64]; 64]);
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = DIRECTIONS[i];
            let whole = ray(from, (files, ranks)).or(ray(from, (-files, -ranks))).or(Bitboard::of(Square::new(from)));
            let (mut passed, mut at) = (Bitboard::EMPTY, from);
            while let Some(to) = step(at, (files, ranks)) {
                line[from][to] = whole;
                between[from][to] = passed;
                passed = passed.or(Bitboard::of(Square::new(to)));
                at = to;
            }
            i += 1;
        }
        from += 1;
    }
    (line, between)
}

/// How to find the attacks of a slider on one square: a multiplication packs the pieces that can block it into an index
/// ("magic bitboards").
#[derive(Clone, Copy)]
struct Slider {
    /// Squares whose pieces can block the slider.
    blockers: u64,
    magic: u64,
    /// Where this square's part of [`SLIDER_ATTACKS`] begins.
    offset: u32,
    shift: u32,
}

impl Slider {
    #[inline]
    fn attacks(self, occupied: Bitboard) -> Bitboard {
        SLIDER_ATTACKS[self.index(occupied.0)]
    }

    #[inline]
    const fn index(self, occupied: u64) -> usize {
        self.offset as usize + ((occupied & self.blockers).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

static BISHOP: [Slider; 64] = BISHOP_SLIDERS;
static ROOK: [Slider; 64] = ROOK_SLIDERS;
const BISHOP_SLIDERS: [Slider; 64] = sliders(&magics::BISHOP, [(1, 1), (-1, 1)], 0);
const ROOK_SLIDERS: [Slider; 64] = sliders(&magics::ROOK, [(1, 0), (0, 1)], BISHOP_SETS);

/// Sets of blockers, summed over the squares: bishops, then rooks.
const BISHOP_SETS: usize = 5_248;
const ROOK_SETS: usize = 102_400;

/// Attacks of bishops, then of rooks, for every set of blockers. A second of the compiler's time.
#[allow(long_running_const_eval)]
static SLIDER_ATTACKS: [Bitboard; BISHOP_SETS + ROOK_SETS] = slider_attacks();

/// The two lines that a slider on `square` commands, both ways.
const fn slider_lines(square: usize, directions: [(i32, i32); 2]) -> [u64; 2] {
    let (mut both, mut i) = ([0; 2], 0);
    while i < 2 {
        let (files, ranks) = directions[i];
        both[i] = ray(square, (files, ranks)).or(ray(square, (-files, -ranks))).0;
        i += 1;
    }
    both
}

const fn sliders(magics: &[u64; 64], directions: [(i32, i32); 2], mut offset: usize) -> [Slider; 64] {
    let mut table = [Slider { blockers: 0, magic: 0, offset: 0, shift: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mut blockers = 0;
        let lines = slider_lines(square, directions);
        let mut i = 0;
        while i < 2 {
            // A piece on the last square of a line hides nothing.
            let (files, ranks) = directions[i];
            let ends = [last(square, (files, ranks)), last(square, (-files, -ranks))];
            blockers |= lines[i] & !ends[0] & !ends[1];
            i += 1;
        }
        table[square] =
            Slider { blockers, magic: magics[square], offset: offset as u32, shift: 64 - blockers.count_ones() };
        offset += 1 << blockers.count_ones();
        square += 1;
    }
    table
}

/// The last square before the edge, as a set of one or none.
const fn last(from: usize, direction: (i32, i32)) -> u64 {
    let (mut set, mut at) = (0, from);
    while let Some(next) = step(at, direction) {
        set = 1 << next;
        at = next;
    }
    set
}

const fn slider_attacks() -> [Bitboard; BISHOP_SETS + ROOK_SETS] {
    let mut table = [Bitboard::EMPTY; BISHOP_SETS + ROOK_SETS];
    let mut square = 0;
    while square < 64 {
        fill(&mut table, square, BISHOP_SLIDERS[square], slider_lines(square, [(1, 1), (-1, 1)]));
        fill(&mut table, square, ROOK_SLIDERS[square], slider_lines(square, [(1, 0), (0, 1)]));
        square += 1;
    }
    table
}

const fn fill(table: &mut [Bitboard], square: usize, slider: Slider, lines: [u64; 2]) {
    let mut occupied: u64 = 0;
    loop {
        let attacks = Bitboard(along(square, occupied, lines[0]) | along(square, occupied, lines[1]));
        let entry = &mut table[slider.index(occupied)];
        assert!(entry.is_empty() || entry.0 == attacks.0, "a magic gives two sets with different attacks one index");
        *entry = attacks;
        // The next subset of the blockers in counting order.
        occupied = occupied.wrapping_sub(slider.blockers) & slider.blockers;
        if occupied == 0 {
            return;
        }
    }
}

/// What a slider on `square` sees along one line: subtracting its bit twice flips the bits up to the first piece above
/// it, and in the reversed word the same holds below it ("hyperbola quintessence").
const fn along(square: usize, occupied: u64, line: u64) -> u64 {
    let pieces = occupied & line;
    let up = pieces.wrapping_sub(2 << square);
    let down = pieces.reverse_bits().wrapping_sub(2 << (63 - square)).reverse_bits();
    (up ^ down) & line
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};

    use super::*;

    const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const OBLIQUE: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

    /// What a slider sees, square by square.
    fn walk(from: Square, occupied: Bitboard, directions: [(i32, i32); 4]) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for direction in directions {
            let mut at = from.index();
            while let Some(next) = step(at, direction) {
                at = next;
                seen |= Square::new(at).into();
                if occupied.has(Square::new(at)) {
                    break;
                }
            }
        }
        seen
    }

    #[test]
    fn sliders_see_what_a_walk_sees() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for square in Square::all() {
            for _ in 0..300 {
                // Thin and dense boards alike.
                let occupied = Bitboard(rng.random::<u64>() & rng.random::<u64>() | Bitboard::of(square).0);
                for occupied in [occupied, !occupied, Bitboard::EMPTY, Bitboard::ALL] {
                    assert_eq!(rook(square, occupied), walk(square, occupied, STRAIGHT), "{square}\n{occupied}");
                    assert_eq!(bishop(square, occupied), walk(square, occupied, OBLIQUE), "{square}\n{occupied}");
                }
            }
        }
    }

    #[test]
    fn lines_run_through_both_squares() {
        for (a, b) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
            let aligned = (bishop(a, Bitboard::EMPTY) | rook(a, Bitboard::EMPTY)).has(b);
            let (line, between) = (line(a, b), between(a, b));
            assert_eq!(line.has(a) && line.has(b), aligned, "{a} {b}");
            assert_eq!(line.is_empty(), !aligned);
            // A piece on b stops a slider on a just behind the squares between.
            let seen = if a.file() == b.file() || a.rank() == b.rank() { rook } else { bishop };
            let expected = if aligned { seen(a, b.into()) & seen(b, a.into()) & line } else { Bitboard::EMPTY };
            assert_eq!(between, expected & !Bitboard::of(a) & !Bitboard::of(b), "{a} {b}");
        }
    }

    #[test]
    fn leapers_stay_on_the_board() {
        let count = |table: fn(Square) -> Bitboard| Square::all().map(|square| table(square).count()).sum::<u32>();
        assert_eq!((count(knight), count(king)), (336, 420));
        assert_eq!((count(|square| pawn(0, square)), count(|square| pawn(1, square))), (98, 98));
        assert_eq!(
            (knight(Square::at(1, 0)) | pawn(0, Square::at(7, 4)) | pawn(1, Square::at(0, 7))).to_string(),
            "\
. . . . . . . .
. x . . . . . .
. . . . . . x .
. . . . . . . .
. . . . . . . .
x . x . . . . .
. . . x . . . .
. . . . . . . .
"
        );
    }
}

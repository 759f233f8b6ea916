//! Words of Zobrist keys: a fixed random word for each fact that a position string can state. A position's key is the
//! XOR of the words of its facts.

/// Word `n` of the SplitMix64 sequence from 0 (Steele, Lea and Flood 2014).
pub(super) const fn word(n: u64) -> u64 {
    mix((n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// `N` words from number `first` on.
pub(super) const fn words<const N: usize>(first: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = word(first + i as u64);
        i += 1;
    }
    table
}

/// Words for a piece of each side and of `KINDS` kinds on each of `SQUARES` squares, from number 0 on.
pub(super) const fn pieces<const KINDS: usize, const SQUARES: usize>() -> [[[u64; SQUARES]; KINDS]; 2] {
    let mut table = [[[0; SQUARES]; KINDS]; 2];
    let mut i = 0;
    while i < 2 * KINDS * SQUARES {
        table[i / (KINDS * SQUARES)][i / SQUARES % KINDS][i % SQUARES] = word(i as u64);
        i += 1;
    }
    table
}

/// `key` with the two counters of a position.
#[inline]
pub(super) const fn with_counters(key: u64, clock: u32, fullmove: u32) -> u64 {
    mix(key ^ mix(((clock as u64) << 32 | fullmove as u64) + 1))
}

const fn mix(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

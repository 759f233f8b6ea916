//! Generations in groups of about the same size, so that what changes while a run learns can be seen without a column
//! for each generation.

use std::ops::RangeInclusive;

/// The generations of a run cut into bands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bands {
    first: u64,
    generations: u64,
    count: u64,
}

impl Bands {
    /// Cuts `generations` into `count` bands, or into one a generation where there are fewer.
    ///
    /// # Panics
    /// When either is empty.
    pub fn new(generations: RangeInclusive<u64>, count: usize) -> Self {
        assert!(!generations.is_empty() && count > 0, "bands of nothing");
        let (first, last) = generations.into_inner();
        let generations = last - first + 1;
        Bands { first, generations, count: generations.min(count as u64) }
    }

    /// Number of bands.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Never: there is at least one.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The band of a generation, from 0. Generations outside count to the nearest band.
    pub fn of(&self, generation: u64) -> usize {
        let after = generation.saturating_sub(self.first).min(self.generations - 1);
        (u128::from(after) * u128::from(self.count) / u128::from(self.generations)) as usize
    }

    /// The generations of a band.
    pub fn range(&self, band: usize) -> RangeInclusive<u64> {
        let start = |band: u128| {
            let offset = (band * u128::from(self.generations)).div_ceil(u128::from(self.count));
            self.first + offset as u64
        };
        start(band as u128)..=start(band as u128 + 1) - 1
    }

    /// The generations of a band in words, `12-23` or `7`.
    pub fn name(&self, band: usize) -> String {
        let (first, last) = self.range(band).into_inner();
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cover_every_generation_once() {
        for (generations, count) in [(0..=83, 5), (3..=3, 5), (0..=4, 5), (10..=22, 4), (0..=6, 3)] {
            let bands = Bands::new(generations.clone(), count);
            let mut next = *generations.start();
            for band in 0..bands.len() {
                let range = bands.range(band);
                assert_eq!(*range.start(), next);
                next = range.end() + 1;
                for generation in range {
                    assert_eq!(bands.of(generation), band, "{generations:?} {count} {generation}");
                }
            }
            assert_eq!(next, generations.end() + 1);
        }
        assert_eq!(Bands::new(0..=83, 5).name(0), "0-16");
        assert_eq!(Bands::new(3..=3, 5).name(0), "3");
    }
}

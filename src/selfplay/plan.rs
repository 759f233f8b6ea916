//! Which games a generation has, in which files they go, and which of them are still to be played. Takes memory for the
//! files that are there, however many are to come.

use std::{collections::BTreeSet, ops::Range};

use super::SelfPlayConfig;

/// How games are shared out among files: each file holds as many in a row, the last one what is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Files {
    games: u64,
    games_per_file: u64,
}

impl Files {
    pub fn new(config: &SelfPlayConfig) -> Self {
        Files { games: config.games, games_per_file: config.games_per_file }
    }

    /// The number of the file that a game goes to.
    pub fn of(self, game: u64) -> u64 {
        game / self.games_per_file
    }

    /// The games of a file; none of a file beyond the last.
    pub fn games(self, file: u64) -> Range<u64> {
        let first = file.saturating_mul(self.games_per_file).min(self.games);
        first..first.saturating_add(self.games_per_file).min(self.games)
    }
}

/// The games that are in no file yet, in order, as they are handed out.
#[derive(Debug)]
pub(super) struct Plan {
    files: Files,
    /// Numbers of the files that are there.
    whole: BTreeSet<u64>,
    /// The first game that was not looked at yet.
    next: u64,
}

impl Plan {
    pub fn new(files: Files, whole: BTreeSet<u64>) -> Self {
        Plan { files, whole, next: 0 }
    }

    /// Games of the files that are there.
    pub fn games_there(&self) -> u64 {
        self.whole.iter().map(|&file| self.files.games(file)).map(|games| games.end - games.start).sum()
    }
}

impl Iterator for Plan {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while self.next < self.files.games {
            let file = self.files.of(self.next);
            if !self.whole.contains(&file) {
                self.next += 1;
                return Some(self.next - 1);
            }
            self.next = self.files.games(file).end;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(games: u64, games_per_file: u64, whole: &[u64]) -> Plan {
        let config = SelfPlayConfig { games, games_per_file, ..SelfPlayConfig::default() };
        Plan::new(Files::new(&config), whole.iter().copied().collect())
    }

    #[test]
    fn games_of_whole_files_are_passed_over() {
        let found = plan(7, 2, &[0, 2]);
        assert_eq!(found.games_there(), 4);
        assert_eq!(found.collect::<Vec<_>>(), [2, 3, 6]);
        assert_eq!(plan(7, 2, &[3]).games_there(), 1);
        assert_eq!(plan(3, 5, &[]).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(plan(2, 1, &[0, 1]).next(), None);
    }

    #[test]
    fn the_largest_generation_takes_no_memory_before_it_is_played() {
        let mut plan = plan(100_000_000, 1, &[0]);
        assert_eq!((plan.games_there(), plan.next(), plan.next()), (1, Some(1), Some(2)));
        assert_eq!(plan.files.games(u64::MAX), 100_000_000..100_000_000);
    }
}

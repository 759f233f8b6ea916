//! Which games a generation has, in which files they go, and which of them are still to be played. Takes memory for the
//! files that are there, however many are to come.

use std::{collections::BTreeSet, fmt, ops::Range, str::FromStr};

use super::SelfPlayConfig;

/// A share of a generation's files: every so-many-th of them, so that parts are alike however many games there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 1.
    number: u64,
    of: u64,
}

impl Part {
    /// All files.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// Games of the part in a generation.
    pub fn games(self, config: &SelfPlayConfig) -> u64 {
        Files::new(config).games_of(self)
    }

    /// Whether a file is of the part.
    pub fn has(self, file: u64) -> bool {
        file % self.of == self.number - 1
    }
}

/// `NUMBER/PARTS`, as in `3/16`.
impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected NUMBER/PARTS, as in `3/16`, found `{text}`");
        let (number, of) = text.split_once('/').ok_or_else(expected)?;
        let (number, of) = (number.parse().map_err(|_| expected())?, of.parse().map_err(|_| expected())?);
        if (1..=of).contains(&number) { Ok(Part { number, of }) } else { Err(expected()) }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

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

    /// Games of all files of a part.
    fn games_of(self, part: Part) -> u64 {
        let files = self.games.div_ceil(self.games_per_file);
        let own = (files + part.of - part.number) / part.of;
        let last = files.saturating_sub(1);
        let short = if files > 0 && part.has(last) { files * self.games_per_file - self.games } else { 0 };
        own * self.games_per_file - short
    }
}

impl SelfPlayConfig {
    /// The games of a file of a generation; none of a file beyond the last.
    pub fn games_of_file(&self, file: u64) -> Range<u64> {
        Files::new(self).games(file)
    }
}

/// The games of a part that are in no file yet, in order, as they are handed out.
#[derive(Debug)]
pub(super) struct Plan {
    files: Files,
    part: Part,
    /// Numbers of the part's files that are there.
    whole: BTreeSet<u64>,
    /// The first game that was not looked at yet.
    next: u64,
}

impl Plan {
    /// `there` are numbers of files that are there, of this part and of others.
    pub fn new(files: Files, part: Part, there: impl IntoIterator<Item = u64>) -> Self {
        Plan { files, part, whole: there.into_iter().filter(|&file| part.has(file)).collect(), next: 0 }
    }

    /// Games of the part whose files are not there.
    pub fn games_missing(&self) -> u64 {
        self.files.games_of(self.part) - self.games_there()
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
            if self.part.has(file) && !self.whole.contains(&file) {
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
        Plan::new(Files::new(&config), Part::WHOLE, whole.iter().copied())
    }

    #[test]
    fn parts_have_every_game_once() {
        for (games, games_per_file) in [(1, 1), (7, 2), (8, 2), (9, 4), (100, 7), (3, 5)] {
            let files = Files::new(&SelfPlayConfig { games, games_per_file, ..SelfPlayConfig::default() });
            for of in 1..=9 {
                let mut all = Vec::new();
                for number in 1..=of {
                    let own = Plan::new(files, Part { number, of }, [0, 1]);
                    let (there, missing) = (own.games_there(), own.games_missing());
                    let played: Vec<u64> = own.collect();
                    assert_eq!(missing, played.len() as u64, "{games} games, part {number}/{of}");
                    assert_eq!(there + missing, files.games_of(Part { number, of }));
                    all.extend(played);
                }
                all.sort_unstable();
                assert_eq!(all, plan(games, games_per_file, &[0, 1]).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_part_as_typed() {
        assert_eq!("3/16".parse::<Part>().unwrap().to_string(), "3/16");
        assert_eq!("1/1".parse(), Ok(Part::WHOLE));
        for text in ["", "3", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1/99999999999999999999"] {
            assert!(text.parse::<Part>().unwrap_err().contains("as in `3/16`"), "{text}");
        }
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

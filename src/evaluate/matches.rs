//! Matches: two players, paired openings, the record of every game and the score.
//!
//! Games run on several threads, and on each thread several at a time, so that positions to evaluate come in batches. A
//! game is a function of the seed and its number alone, and results count in the order of their numbers: the report is
//! the same for every number of threads.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Contender, opening,
    table::{Table, run_tables},
};
use crate::{
    estimate::{Interval, PairCounts, Sprt, SprtError, Verdict},
    game::{Game, Outcome, Playable, Reason, Side},
    model::EvaluatorError,
    search::SettingError,
};

/// Most games that a thread plays at once against another program: each has a process of its own, with its own memory.
const AGAINST_PROGRAM: usize = 8;

/// How a match is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatchConfig {
    /// Games; an odd number is rounded up, since each opening is played twice.
    pub games: u64,
    /// Random plies before the players take over.
    pub opening_plies: u32,
    pub seed: u64,
    /// Worker threads.
    pub threads: usize,
    /// Rows that an evaluator takes at a time. A thread plays so many games at once, or twice as many when both players
    /// have networks, and at most 8 against another program.
    pub batch_size: usize,
    /// Draw at this ply even where the rules set no limit, so that every game ends.
    pub max_plies: usize,
    /// Stop as soon as this test has its verdict.
    pub sprt: Option<Sprt>,
}

impl Default for MatchConfig {
    fn default() -> Self {
        MatchConfig { games: 100, opening_plies: 4, seed: 1, threads: 2, batch_size: 16, max_plies: 1024, sprt: None }
    }
}

/// A match that cannot be played so. Each prints as one line.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MatchConfigError {
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error(transparent)]
    Sprt(#[from] SprtError),
}

impl MatchConfig {
    /// # Errors
    /// Names the field that cannot be.
    pub fn validate(&self) -> Result<(), MatchConfigError> {
        let setting = |field, expected: String, found: u64| {
            Err(MatchConfigError::Setting(SettingError { field, expected, found: found.to_string() }))
        };
        let at_least_one = [
            ("games", self.games),
            ("threads", self.threads as u64),
            ("batch_size", self.batch_size as u64),
            ("max_plies", self.max_plies as u64),
        ];
        for (name, value) in at_least_one {
            if value == 0 {
                return setting(name, "at least 1".to_owned(), 0);
            }
        }
        for (name, value, most) in [("threads", self.threads, 1024), ("batch_size", self.batch_size, 65_536)] {
            if value > most {
                return setting(name, format!("at most {most}"), value as u64);
            }
        }
        if self.opening_plies > 1000 {
            return setting("opening_plies", "at most 1000".to_owned(), self.opening_plies.into());
        }
        self.sprt.map_or(Ok(()), |sprt| Ok(sprt.validate()?))
    }
}

/// One game of a match, as a line of the games file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game; games 2k and 2k + 1 share an opening with colours swapped.
    pub game: u64,
    pub white: String,
    pub black: String,
    /// Where it began; none for the game's start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The random plies, in the rules' strings.
    pub opening: Vec<String>,
    /// The players' plies after them.
    pub moves: Vec<String>,
    /// `white`, `black` or `draw`.
    pub result: String,
    pub reason: Reason,
    /// What went wrong, in a game that was forfeited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl GameRecord {
    /// The name of the player that lost.
    pub fn loser(&self) -> Option<&str> {
        match Outcome::winner_of(&self.result).ok()?? {
            Side::White => Some(&self.black),
            Side::Black => Some(&self.white),
        }
    }
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    fn add(&mut self, half_points: usize) {
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] += 1;
    }

    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Share of the points, 0 to 1; one half of nothing.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }
}

/// What a match says, from the first player's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchReport {
    /// With White, with Black.
    pub by_colour: [Tally; 2],
    pub pairs: PairCounts,
    /// Verdict of the test, where one was asked for.
    pub verdict: Option<Verdict>,
}

impl MatchReport {
    /// Both colours together.
    pub fn total(&self) -> Tally {
        let [white, black] = self.by_colour;
        Tally { wins: white.wins + black.wins, draws: white.draws + black.draws, losses: white.losses + black.losses }
    }

    /// Elo of the first player over the second with its 95% interval; `n` counts pairs.
    pub fn estimate(&self) -> Interval {
        self.pairs.estimate()
    }

    /// Adds the two games of a pair, first player White in the first; half points 0 to 2 each.
    fn add_pair(&mut self, half_points: [usize; 2], sprt: Option<Sprt>) {
        self.by_colour[0].add(half_points[0]);
        self.by_colour[1].add(half_points[1]);
        self.pairs.add(half_points[0] + half_points[1]);
        self.verdict = sprt.map(|sprt| sprt.verdict(&self.pairs));
    }
}

/// The first player's half points in a game.
fn half_points(outcome: Outcome, first_side: Side) -> usize {
    (outcome.value_for(first_side) + 1.0) as usize
}

/// Plays a match between `contenders`, called `names` in the records. `each` sees every game that counts, in order,
/// with the report so far (which counts whole pairs). Once `stop` is set the match ends soon, and the report has fewer
/// games than were asked for.
///
/// # Errors
/// When an evaluator fails.
///
/// # Panics
/// When the configuration is not valid.
pub fn play_match<R: Playable>(
    game: &Game<R>,
    contenders: [&Contender; 2],
    names: [&str; 2],
    config: &MatchConfig,
    stop: &AtomicBool,
    each: impl FnMut(&GameRecord, &MatchReport),
) -> Result<MatchReport, EvaluatorError> {
    play_match_from(game, &[], contenders, names, config, stop, each)
}

/// A match whose pairs of games begin at these positions, one after the other and then again from the first; at the
/// game's start where there are none. Other programs know no start but the game's.
///
/// # Errors
/// As [`play_match`].
///
/// # Panics
/// As [`play_match`], and when another program is to play from a position.
pub fn play_match_from<R: Playable>(
    game: &Game<R>,
    positions: &[R::Position],
    contenders: [&Contender; 2],
    names: [&str; 2],
    config: &MatchConfig,
    stop: &AtomicBool,
    mut each: impl FnMut(&GameRecord, &MatchReport),
) -> Result<MatchReport, EvaluatorError> {
    config.validate().expect("a valid configuration");
    assert!(positions.is_empty() || !contenders.iter().any(|contender| contender.blocks()), "a start that all know");
    let games = config.games.next_multiple_of(2);
    let next_game = AtomicU64::new(0);
    let decided = AtomicBool::new(false);
    let over = || stop.load(Ordering::Relaxed) || decided.load(Ordering::Relaxed);
    let take = || {
        let number = next_game.fetch_add(1, Ordering::Relaxed);
        (number < games).then(|| {
            if positions.is_empty() {
                let opening = opening(game, config.opening_plies, config.seed, number / 2);
                return Table::new(game, number, contenders, game.start(), opening, config);
            }
            let position = positions[(number / 2 % positions.len() as u64) as usize];
            Table::new(game, number, contenders, position, Vec::new(), config)
        })
    };
    let threads = (config.threads as u64).min(games);
    let most = if contenders.iter().any(|contender| contender.blocks()) { AGAINST_PROGRAM } else { usize::MAX };
    let batch_size = config.batch_size.min(most).min(usize::try_from(games).unwrap_or(usize::MAX));
    tracing::info!("{games} games of {} against {} on {threads} threads, seed {}", names[0], names[1], config.seed);
    let share = usize::try_from(games.div_ceil(threads)).unwrap_or(usize::MAX);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, take, over) = (sender.clone(), &take, &over);
            scope.spawn(move || {
                let finished = |table: Table<R>, outcome| {
                    let first_side = table.first_side();
                    let record = table.record(game, names, outcome);
                    sender.send(Ok((record, half_points(outcome, first_side)))).is_ok()
                };
                if let Err(error) = run_tables(game, contenders, batch_size, share, take, finished, over) {
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);

        let mut report = MatchReport::default();
        let mut early: BTreeMap<u64, (GameRecord, usize)> = BTreeMap::new();
        let mut next = 0;
        let result = receiver.iter().try_for_each(|finished| {
            let (record, points) = finished?;
            early.insert(record.game, (record, points));
            while early.contains_key(&next) && early.contains_key(&(next + 1)) && !over() {
                let pair = [next, next + 1].map(|number| early.remove(&number).expect("both games of the pair are in"));
                report.add_pair([pair[0].1, pair[1].1], config.sprt);
                pair.iter().for_each(|(record, _)| each(record, &report));
                next += 2;
                if matches!(report.verdict, Some(Verdict::H0 | Verdict::H1)) {
                    decided.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        });
        decided.store(true, Ordering::Relaxed);
        drop(receiver);
        result.map(|()| report)
    })
}

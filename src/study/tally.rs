//! Counts of the results of the games of an arm.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    path::Path,
};

use super::{PreparedArm, Study};
use crate::{
    console::Progress,
    estimate::{Hill, Interval, Ratio, Weights},
    game::{Side, TextGame, random::stream},
    stats::{GameColumns, Runs, Skipped, StatsError, openings::Decisions, weights_of_game},
};

/// Plies that distinguish openings.
pub const OPENING_PLIES: [usize; 2] = [2, 4];

/// Counts over the games of an arm.
#[derive(Debug, Default)]
pub struct Tally {
    /// Games won by White, drawn, won by Black, of those that were not cut off.
    pub results: [u64; 3],
    /// Indices of the games that were cut off, which have no result.
    pub cut_off: BTreeSet<usize>,
    /// Games by why they ended.
    pub reasons: BTreeMap<String, u64>,
    /// Plies by games.
    pub length: Ratio,
    /// Legal actions by decisions.
    pub branching: Ratio,
    /// Actions of the first plies, as many as the longest of [`OPENING_PLIES`], by how they were chosen.
    pub first_plies: Decisions,
    /// Games by their first plies, as many as in [`OPENING_PLIES`].
    pub openings: [BTreeMap<String, u64>; 2],
    /// For each of the game's kinds of action that use the reserve: by either side, by White, by Black.
    pub uses: [Vec<Use>; 3],
    /// White's half points by index of the game; none where there is no such game, or it was cut off.
    pub half_points: Vec<Option<u8>>,
    /// Files that could not be read.
    pub skipped: Skipped,
}

/// How a kind of action is used.
#[derive(Debug)]
pub struct Use {
    pub kind: &'static str,
    /// Games in which it is used.
    pub games: u64,
    /// Its plies by all plies of those who are counted.
    pub share: Ratio,
    /// Ply of the first use by games in which there is one.
    pub first: Ratio,
}

impl Tally {
    /// Nothing counted yet, under some rules.
    fn new(rules: &dyn TextGame) -> Tally {
        let unused = |&kind| Use { kind, games: 0, share: Ratio::default(), first: Ratio::default() };
        let uses = [(); 3].map(|()| rules.reserve_kinds().iter().map(unused).collect());
        Tally { uses, ..Tally::default() }
    }

    /// Adds a game; `kinds` are the game's kinds of action.
    fn add(&mut self, game: &GameColumns, kinds: &[&str], weights: &Weights) {
        let plies = game.plies();
        let index = game.index as usize;
        if game.was_ended() {
            let (result, points) = match game.winner {
                Some(Side::White) => (0, 2),
                None => (1, 1),
                Some(Side::Black) => (2, 0),
            };
            self.results[result] += 1;
            self.half_points.resize(self.half_points.len().max(index + 1), None);
            self.half_points[index] = Some(points);
        } else {
            self.cut_off.insert(index);
        }
        *self.reasons.entry(game.reason.clone()).or_default() += 1;
        self.length.add(weights, plies as f64, 1.0);
        self.branching.add(weights, (0..plies).map(|ply| game.legal(ply)).sum::<usize>() as f64, plies as f64);
        for ply in 0..plies.min(OPENING_PLIES[1]) {
            self.first_plies += Decisions::of(game, ply);
        }
        for (openings, length) in self.openings.iter_mut().zip(OPENING_PLIES) {
            let opening: Vec<&str> = (0..plies.min(length)).map(|ply| game.action(ply)).collect();
            *openings.entry(opening.join(" ")).or_default() += 1;
        }
        for (uses, who) in self.uses.iter_mut().zip([None, Some(Side::White), Some(Side::Black)]) {
            let own: Vec<usize> = (0..plies).filter(|&ply| who.is_none_or(|who| game.side(ply) == who)).collect();
            for usage in uses {
                let of_kind = |ply: &&usize| kinds[usize::from(game.kind(**ply))] == usage.kind;
                let (count, first) = (own.iter().filter(of_kind).count(), own.iter().find(of_kind));
                usage.share.add(weights, count as f64, own.len() as f64);
                if let Some(&first) = first {
                    usage.games += 1;
                    usage.first.add(weights, first as f64, 1.0);
                }
            }
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum::<u64>() + self.cut_off.len() as u64
    }

    /// Shares of games won by White, drawn, won by Black, cut off.
    pub fn outcomes(&self) -> [Option<Interval>; 4] {
        let [white, draws, black] = self.results;
        [white, draws, black, self.cut_off.len() as u64].map(|count| Interval::share(count, self.games()))
    }

    /// Share of all games that one side won.
    pub fn decisive(&self) -> Option<Interval> {
        let [white, _, black] = self.results;
        Interval::share(white + black, self.games())
    }

    /// White's points a game, over games with a result.
    pub fn score(&self) -> Option<Interval> {
        let [wins, draws, losses] = self.results;
        Interval::score(wins, draws, losses)
    }

    /// Points a game of one side, over games with a result.
    pub fn score_of(&self, side: Side) -> Option<Interval> {
        let [white, draws, black] = self.results;
        match side {
            Side::White => Interval::score(white, draws, black),
            Side::Black => Interval::score(black, draws, white),
        }
    }

    /// Diversity of the first plies, as many as in [`OPENING_PLIES`], also in samples of `size` games.
    pub fn diversity(&self, size: u64) -> [Option<Hill>; 2] {
        [0, 1].map(|i| {
            let mut rng = stream("diversity", OPENING_PLIES[i] as u64, 0, 0);
            Hill::of(self.openings[i].values().copied(), size, &mut rng)
        })
    }
}

impl Study {
    /// Counts the games of all arms, which must have been [played](Study::play).
    ///
    /// # Errors
    /// When games of an arm cannot be read.
    pub fn count(&self) -> Result<Vec<Tally>, StatsError> {
        self.arms().iter().map(|arm| self.tally(arm)).collect()
    }

    /// Counts as many games of an arm as the study asks for; there may be more from when it asked for more.
    fn tally(&self, PreparedArm { arm, rules, .. }: &PreparedArm) -> Result<Tally, StatsError> {
        let folder = self.folder(arm).display().to_string();
        let runs = Runs::open_under(Some(rules.clone()), Path::new(""), &[folder], 0..=0)?;
        let progress = Progress::new(format!("{} counted", arm.name), runs.rows());
        let mut tally = Tally::new(rules.as_ref());
        let each = |game: GameColumns| -> Result<(), Infallible> {
            if game.index < arm.games {
                tally.add(&game, rules.action_kinds(), &weights_of_game(self.config().seed, arm.number, game.index));
            }
            Ok(())
        };
        let Ok(skipped) = runs.for_each(&mut |rows| progress.show(rows, || "rows".to_owned()), each);
        tally.skipped = skipped;
        Ok(tally)
    }
}

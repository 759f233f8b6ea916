//! Ratings of named players: the matches of runs, and of the pool of baselines, on one scale.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::metrics::{FitEvent, MatchEvent, MisfitEvent, RatedPlayer, RatingsEvent};
use crate::{
    disk::generation_of,
    estimate::{Interval, PairCounts, Pairing, Ratings},
    evaluate::Pool,
};

/// The player whose rating is 0.
pub const ANCHOR: &str = "random";
/// Keys the bootstrap of the test of fit.
const SEED: u64 = 1;
/// Matches that are named when ratings do not explain them.
const NAMED: usize = 3;

/// Players in the order in which they came, and their ratings.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    pairings: Vec<Pairing>,
    ratings: Ratings,
}

impl Standings {
    /// Rates the players of a run and of the pool.
    pub fn of_run<'a>(matches: impl Iterator<Item = &'a MatchEvent>, pool: Option<&Pool>) -> Standings {
        let own = matches.map(|event| (event.player.clone(), event.opponent.clone(), PairCounts(event.pairs)));
        Standings::new(own, pool)
    }

    /// Rates players by their matches, each with its first player's results, and those of the pool.
    pub fn new(matches: impl Iterator<Item = (String, String, PairCounts)>, pool: Option<&Pool>) -> Standings {
        let (mut names, mut index) = (Vec::new(), BTreeMap::new());
        let mut index = |name: String| {
            *index.entry(name).or_insert_with_key(|name| {
                names.push(name.clone());
                names.len() - 1
            })
        };
        index(ANCHOR.to_owned());
        let baselines = pool.into_iter().flat_map(Pool::matches);
        let baselines = baselines.map(|played| (played.player.clone(), played.opponent.clone(), played.pairs));
        let pairings: Vec<Pairing> = baselines
            .chain(matches)
            .map(|(first, second, pairs)| Pairing { first: index(first), second: index(second), pairs })
            .collect();
        let ratings = Ratings::new(names.len(), &pairings);
        Standings { names, pairings, ratings }
    }

    /// Names of the players, the anchor first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Elo of one player less that of another; none where a name is no player's or no chain of matches joins the two.
    pub fn difference(&self, first: &str, second: &str) -> Option<Interval> {
        let index = |name: &str| self.names.iter().position(|known| known == name);
        self.ratings.difference(index(first)?, index(second)?)
    }

    /// The ratings as a run reports them. `generation` is that of the newest network.
    pub fn event(&self, generation: u64) -> RatingsEvent {
        let number = |elo: f64| elo.is_finite().then_some(elo);
        let rated = self.names.par_iter().enumerate().filter_map(|(player, name)| {
            let rating = self.ratings.difference(player, 0)?;
            let own = generation_of(last_part(name));
            let before = own.and_then(|own| self.measured_before(name, own));
            let gain = before.and_then(|before| self.ratings.difference(player, before));
            let gain = gain.map(|gain| [gain.estimate, gain.low, gain.high].map(number));
            let [gain, gain_low, gain_high] = gain.unwrap_or_default();
            Some(RatedPlayer {
                player: name.clone(),
                generation: own,
                elo: number(rating.estimate),
                low: number(rating.low),
                high: number(rating.high),
                pairs: rating.n,
                gain,
                gain_low,
                gain_high,
            })
        });
        RatingsEvent { generation, players: rated.collect(), fit: self.fit() }
    }

    /// The network of the same run that was measured last before generation `own`.
    fn measured_before(&self, name: &str, own: u64) -> Option<usize> {
        let run = run_of(name);
        let earlier = self.names.iter().enumerate().filter(|(_, other)| run_of(other) == run);
        let earlier = earlier.filter_map(|(player, other)| Some((generation_of(last_part(other))?, player)));
        earlier.filter(|&(generation, _)| generation < own).max().map(|(_, player)| player)
    }

    fn fit(&self) -> Option<FitEvent> {
        let test = self.ratings.fit_test(SEED)?;
        let named = self.ratings.misfits().into_iter().take(NAMED).map(|misfit| MisfitEvent {
            player: self.names[misfit.first].clone(),
            opponent: self.names[misfit.second].clone(),
            games: 2 * misfit.pairs,
            score: misfit.observed,
            expected: misfit.expected,
        });
        Some(FitEvent { deviance: test.deviance, freedom: test.freedom as u64, p: test.p, misfits: named.collect() })
    }

    /// Pairs of games behind the ratings.
    pub fn pairs(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.pairs.pairs()).sum()
    }
}

/// `gen-000042` of `run/gen-000042`.
fn last_part(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}

/// `run` of `run/gen-000042`.
fn run_of(name: &str) -> Option<&str> {
    name.rsplit_once('/').map(|(run, _)| run)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(player: &str, opponent: &str, pairs: [u64; 5]) -> MatchEvent {
        MatchEvent { player: player.to_owned(), opponent: opponent.to_owned(), pairs, ..MatchEvent::default() }
    }

    #[test]
    fn a_network_is_held_against_the_one_measured_before_it() {
        let matches = [
            event("gen-000008", "random", [1, 0, 5, 0, 4]),
            event("gen-000016", "random", [0, 0, 3, 0, 7]),
            event("gen-000016", "gen-000008", [1, 0, 5, 0, 4]),
        ];
        let standings = Standings::of_run(matches.iter(), None);
        let rated = standings.event(16);
        let names: Vec<&str> = rated.players.iter().map(|player| player.player.as_str()).collect();
        assert_eq!(names, ["random", "gen-000008", "gen-000016"]);
        assert_eq!((rated.players[1].gain, rated.players[1].pairs), (None, 20));
        let (gain, difference) = (&rated.players[2], standings.difference("gen-000016", "gen-000008").unwrap());
        assert_eq!((gain.gain, gain.gain_low), (Some(difference.estimate), Some(difference.low)));
        assert!(rated.fit.as_ref().is_some_and(|fit| fit.freedom == 1 && fit.p > 0.05), "{:?}", rated.fit);
    }

    /// Two networks that score alike against `random` but not against each other.
    #[test]
    fn matches_that_contradict_each_other_are_named() {
        let matches = [
            event("gen-000008", "random", [50, 0, 100, 0, 50]),
            event("gen-000016", "random", [50, 0, 100, 0, 50]),
            event("gen-000016", "gen-000008", [0, 0, 100, 0, 100]),
        ];
        let fit = Standings::of_run(matches.iter(), None).event(16).fit.unwrap();
        assert!(fit.p < 0.01, "{fit:?}");
        let worst = &fit.misfits[0];
        assert_eq!((worst.player.as_str(), worst.opponent.as_str()), ("gen-000016", "gen-000008"));
        assert!(worst.score == 0.75 && worst.expected < 0.7, "{worst:?}");
    }

    /// An unbounded number is none, which JSON has.
    #[test]
    fn a_swept_player_has_one_bound() {
        let rated = Standings::of_run([event("gen-000008", "random", [0, 0, 0, 0, 10])].iter(), None).event(8);
        let network = &rated.players[1];
        assert!(network.elo.is_none() && network.high.is_none() && network.low.is_some_and(|low| low > 100.0));
        assert_eq!(rated.fit, None);
    }
}

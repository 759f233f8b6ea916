//! What a run may cost, what its generations did, and how far that goes.

use std::collections::BTreeMap;

use super::metrics::Event;

/// What all sessions of a run together may cost. A generation begins only if at least half of it is expected to fit, so
/// that runs that are held against each other keep to their budget on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// Seconds of self-play, training and matches; those between the baselines of the rules are not counted.
    Seconds(f64),
    /// Evaluations of self-play.
    Evaluations(f64),
}

impl Budget {
    /// A part of it, a share of 0 to 1.
    #[must_use]
    pub fn part(self, share: f64) -> Budget {
        match self {
            Budget::Seconds(seconds) => Budget::Seconds(share * seconds),
            Budget::Evaluations(evaluations) => Budget::Evaluations(share * evaluations),
        }
    }

    /// The share of it that was spent when checkpoint `generation` was made, 0 to 1.
    pub fn progress(self, costs: &BTreeMap<u64, Cost>, generation: u64) -> f64 {
        let (most, cost) = self.terms();
        let spent: f64 = costs.range(..generation).map(|(_, of)| cost(of)).sum();
        if most > 0.0 { (spent / most).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// The checkpoint with which it is spent: another generation like the one before it would exceed it by more than
    /// half of itself. None while there is room.
    pub fn checkpoint(self, costs: &BTreeMap<u64, Cost>) -> Option<u64> {
        let (most, cost) = self.terms();
        let mut spent = 0.0;
        costs.iter().find_map(|(generation, of)| {
            spent += cost(of);
            // The next generation need not be measured as this one was.
            let next = cost(&Cost { seconds: of.seconds - of.matches, ..*of });
            (spent + next / 2.0 >= most).then_some(generation.saturating_add(1))
        })
    }

    fn terms(self) -> (f64, fn(&Cost) -> f64) {
        match self {
            Budget::Seconds(seconds) => (seconds, |cost| cost.seconds),
            Budget::Evaluations(evaluations) => (evaluations, |cost| cost.evaluations),
        }
    }
}

/// The length of a run, and how far a session goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length {
    /// What the whole run may cost, which the learning rate and the measurements follow.
    pub whole: Budget,
    /// The share of it at which the session ends, 0 to 1.
    pub until: f64,
}

impl From<Budget> for Length {
    /// To the end of the run.
    fn from(whole: Budget) -> Self {
        Length { whole, until: 1.0 }
    }
}

/// What a generation cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Of self-play, training and matches.
    pub seconds: f64,
    /// The part of them that is of matches.
    pub matches: f64,
    /// Of self-play.
    pub evaluations: f64,
}

/// What each generation cost by a run's journal: what a killed session did without reporting it is not counted.
pub fn costs<'a>(events: impl Iterator<Item = &'a Event>) -> BTreeMap<u64, Cost> {
    let mut costs: BTreeMap<u64, Cost> = BTreeMap::new();
    for event in events {
        let (generation, of) = match event {
            Event::Selfplay(of) => {
                let evaluations = of.evaluations_per_second * of.seconds;
                (of.generation, Cost { seconds: of.own_seconds(), matches: 0.0, evaluations })
            }
            Event::Train(of) => (of.generation, Cost { seconds: of.seconds, ..Cost::default() }),
            Event::Match(of) => (of.generation, Cost { seconds: of.seconds, matches: of.seconds, ..Cost::default() }),
            _ => continue,
        };
        let cost = costs.entry(generation).or_default();
        cost.seconds += of.seconds;
        cost.matches += of.matches;
        cost.evaluations += of.evaluations;
    }
    costs
}

/// Where a run will end, by what it cost so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// That it will have made.
    pub generations: u64,
    pub seconds_left: f64,
}

impl Outlook {
    /// Of a run that has made `made` generations and ends with `generations` of them (0: with none), or with its length.
    pub fn of(costs: &BTreeMap<u64, Cost>, generations: u64, whole: Option<Budget>, made: u64) -> Option<Self> {
        let by_length = whole.map(|whole| whole.progress(costs, made)).filter(|&progress| progress > 0.0);
        let by_length = by_length.map(|progress| ((made as f64 / progress).round() as u64).max(made));
        let generations = (by_length.into_iter().chain((generations > 0).then_some(generations))).min()?;
        let spent: f64 = costs.range(..made).map(|(_, cost)| cost.seconds).sum();
        let left = generations.saturating_sub(made) as f64;
        Some(Outlook { generations, seconds_left: left * spent / made.max(1) as f64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_begins_while_half_of_it_fits() {
        let costs = BTreeMap::from(
            [5, 6].map(|generation| (generation, Cost { seconds: 10.0, matches: 0.0, evaluations: 4.0 })),
        );
        assert_eq!(Budget::Seconds(25.1).checkpoint(&costs), None);
        assert_eq!(Budget::Seconds(25.0).checkpoint(&costs), Some(7));
        assert_eq!(Budget::Seconds(25.0).part(0.5).checkpoint(&costs), Some(6));
        assert_eq!(Budget::Evaluations(10.1).checkpoint(&costs), None);
        assert_eq!(Budget::Evaluations(20.0).part(0.5).checkpoint(&costs), Some(7));
        assert_eq!(Budget::Seconds(1.0).checkpoint(&BTreeMap::new()), None);
    }

    #[test]
    fn the_outlook_is_that_of_whatever_ends_the_run_first() {
        let costs = BTreeMap::from(
            [0, 1].map(|generation| (generation, Cost { seconds: 10.0, matches: 0.0, evaluations: 4.0 })),
        );
        let outlook = |generations, seconds_left| Some(Outlook { generations, seconds_left });
        assert_eq!(Outlook::of(&costs, 0, None, 2), None);
        assert_eq!(Outlook::of(&costs, 5, None, 2), outlook(5, 30.0));
        assert_eq!(Outlook::of(&costs, 5, Some(Budget::Seconds(40.0)), 2), outlook(4, 20.0));
        assert_eq!(Outlook::of(&costs, 0, Some(Budget::Evaluations(80.0)), 2), outlook(20, 180.0));
        assert_eq!(Outlook::of(&costs, 2, None, 2), outlook(2, 0.0));
    }

    #[test]
    fn the_matches_of_a_generation_are_spent_and_not_expected_of_the_next() {
        let costs = BTreeMap::from([(0, Cost { seconds: 10.0, matches: 6.0, evaluations: 0.0 })]);
        assert_eq!(Budget::Seconds(12.1).checkpoint(&costs), None);
        assert_eq!(Budget::Seconds(12.0).checkpoint(&costs), Some(1));
    }
}

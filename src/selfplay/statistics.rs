//! Statistics of the games of one generation.

use serde::{Deserialize, Serialize};

use super::slot::{Finished, PolicyNats};
use crate::{
    data::DecisionKind,
    game::{Outcome, Reason},
    search::FEW_VISITS,
};

/// Counts over finished games and the work done for them. Files that were there before are not in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Games finished.
    pub games: u64,
    /// Plies of those games.
    pub plies: u64,
    /// Plies of the shortest and the longest game; 0 while there is none.
    pub shortest: u64,
    pub longest: u64,
    /// Games won by White, drawn, won by Black.
    pub results: [u64; 3],
    /// Games by reason of their end, in the order of [`Reason::ALL`].
    pub reasons: [u64; Reason::ALL.len()],
    /// Plies by kind of decision, in the order of [`DecisionKind::ALL`].
    pub decisions: [u64; DecisionKind::ALL.len()],
    /// Policy targets of full searches on actions of at most [`FEW_VISITS`] visits, in all.
    pub few_visits_mass: f64,
    /// Divergence and entropies of the policies of full searches, in all.
    pub policies: PolicyNats,
    /// Plies by kind of action, in the order of [`Facts::ACTION_KINDS`](crate::game::Facts::ACTION_KINDS).
    pub action_kinds: Vec<u64>,
    /// Games played out to check adjudications.
    pub resignations: Checks,
    pub agreements: Checks,
    /// Playouts of the finished games.
    pub playouts: u64,
    /// Plies decided and playouts run, in games and searches that may not be finished.
    pub plies_decided: u64,
    pub playouts_run: u64,
    /// Positions evaluated, in games that may not be finished.
    pub evaluations: u64,
    /// Rows that the evaluators' batches had room for.
    pub batch_rows: u64,
    /// Evaluations found in a cache and not.
    pub cache_hits: u64,
    pub cache_misses: u64,
    /// Seconds since the start.
    pub seconds: f64,
    /// Seconds that the shards spent in all, and within them in their evaluators.
    pub shard_seconds: f64,
    pub evaluation_seconds: f64,
    /// Seconds that the thread that collects games spent writing them.
    pub writing_seconds: f64,
}

/// Adjudications that were not carried out, and how many of them would have been wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checks {
    pub games: u64,
    pub wrong: u64,
}

/// The work of a shard since its last report.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Round {
    pub plies: u64,
    pub playouts: u64,
    pub evaluations: u64,
    pub batch_rows: u64,
    pub cache_hits: u64,
    pub cache_misses: u64,
    pub seconds: f64,
    pub evaluation_seconds: f64,
}

impl Statistics {
    /// Mean plies of a game.
    pub fn mean_plies(&self) -> Option<f64> {
        ratio(self.plies, self.games)
    }

    /// Games that one side won.
    pub fn decided_games(&self) -> u64 {
        self.results[0] + self.results[2]
    }

    /// Plies decided by a full search.
    pub fn full_searches(&self) -> u64 {
        self.decisions[place(&DecisionKind::ALL, DecisionKind::Full)]
    }

    /// Mean share of a full search's policy target on actions of at most [`FEW_VISITS`] visits.
    pub fn mass_on_few_visits(&self) -> Option<f64> {
        let full = self.full_searches();
        (full > 0).then(|| self.few_visits_mass / full as f64)
    }

    /// Mean divergence and entropies of the policies of a full search.
    pub fn mean_policies(&self) -> Option<PolicyNats> {
        let (PolicyNats { divergence, prior_entropy, target_entropy }, full) = (self.policies, self.full_searches());
        let mean = |sum: f64| sum / full as f64;
        (full > 0).then(|| PolicyNats {
            divergence: mean(divergence),
            prior_entropy: mean(prior_entropy),
            target_entropy: mean(target_entropy),
        })
    }

    /// Share of the batches' rows that held a position.
    pub fn batch_fill(&self) -> Option<f64> {
        ratio(self.evaluations, self.batch_rows)
    }

    /// Share of look-ups that a cache answered.
    pub fn cache_hit_share(&self) -> Option<f64> {
        ratio(self.cache_hits, self.cache_hits + self.cache_misses)
    }

    /// What was added since `earlier`, as far as rates need it: counts of work and seconds. Counts by kind stay those
    /// of all games.
    pub fn since(mut self, earlier: &Statistics) -> Self {
        let fields: [(&mut u64, u64); 6] = [
            (&mut self.plies_decided, earlier.plies_decided),
            (&mut self.playouts_run, earlier.playouts_run),
            (&mut self.evaluations, earlier.evaluations),
            (&mut self.batch_rows, earlier.batch_rows),
            (&mut self.cache_hits, earlier.cache_hits),
            (&mut self.cache_misses, earlier.cache_misses),
        ];
        fields.into_iter().for_each(|(now, before)| *now -= before);
        self.seconds -= earlier.seconds;
        self.shard_seconds -= earlier.shard_seconds;
        self.evaluation_seconds -= earlier.evaluation_seconds;
        self.writing_seconds -= earlier.writing_seconds;
        self
    }

    /// The work alone that was added since `earlier`, without any game.
    #[must_use]
    pub fn work_since(&self, earlier: &Statistics) -> Self {
        let now = self.clone().since(earlier);
        Statistics {
            plies_decided: now.plies_decided,
            playouts_run: now.playouts_run,
            evaluations: now.evaluations,
            batch_rows: now.batch_rows,
            cache_hits: now.cache_hits,
            cache_misses: now.cache_misses,
            shard_seconds: now.shard_seconds,
            evaluation_seconds: now.evaluation_seconds,
            writing_seconds: now.writing_seconds,
            ..Statistics::default()
        }
    }

    /// Adds games and work that were counted elsewhere; seconds since the start stay this one's.
    pub fn add(&mut self, other: &Statistics) {
        let shortest = [self, other].map(|of: &Statistics| if of.games == 0 { u64::MAX } else { of.shortest });
        self.shortest = shortest.into_iter().min().filter(|&plies| plies < u64::MAX).unwrap_or(0);
        self.longest = self.longest.max(other.longest);
        let counts: [(&mut u64, u64); 10] = [
            (&mut self.games, other.games),
            (&mut self.plies, other.plies),
            (&mut self.playouts, other.playouts),
            (&mut self.plies_decided, other.plies_decided),
            (&mut self.playouts_run, other.playouts_run),
            (&mut self.evaluations, other.evaluations),
            (&mut self.batch_rows, other.batch_rows),
            (&mut self.cache_hits, other.cache_hits),
            (&mut self.cache_misses, other.cache_misses),
            (&mut self.resignations.games, other.resignations.games),
        ];
        counts.into_iter().for_each(|(own, others)| *own = own.saturating_add(others));
        self.resignations.wrong += other.resignations.wrong;
        self.agreements.games += other.agreements.games;
        self.agreements.wrong += other.agreements.wrong;
        add_each(&mut self.results, &other.results);
        add_each(&mut self.reasons, &other.reasons);
        add_each(&mut self.decisions, &other.decisions);
        if self.action_kinds.len() < other.action_kinds.len() {
            self.action_kinds.resize(other.action_kinds.len(), 0);
        }
        add_each(&mut self.action_kinds, &other.action_kinds);
        self.few_visits_mass += other.few_visits_mass;
        self.policies += other.policies;
        self.shard_seconds += other.shard_seconds;
        self.evaluation_seconds += other.evaluation_seconds;
        self.writing_seconds += other.writing_seconds;
    }

    pub(super) fn add_round(&mut self, round: Round) {
        self.plies_decided += round.plies;
        self.playouts_run += round.playouts;
        self.evaluations += round.evaluations;
        self.batch_rows += round.batch_rows;
        self.cache_hits += round.cache_hits;
        self.cache_misses += round.cache_misses;
        self.shard_seconds += round.seconds;
        self.evaluation_seconds += round.evaluation_seconds;
    }

    /// Those of one game.
    pub(super) fn of_game(finished: &Finished) -> Self {
        let record = &finished.record;
        let plies = record.decisions.len() as u64;
        let mut statistics = Statistics {
            games: 1,
            plies,
            shortest: plies,
            longest: plies,
            playouts: finished.playouts,
            policies: finished.policies,
            ..Statistics::default()
        };
        statistics.results[place(&Outcome::RESULTS, record.outcome.winner)] = 1;
        statistics.reasons[place(&Reason::ALL, record.outcome.reason)] = 1;
        for decision in &record.decisions {
            statistics.decisions[place(&DecisionKind::ALL, decision.kind)] += 1;
            if decision.kind == DecisionKind::Full {
                let few = decision.policy.iter().zip(&decision.visits).filter(|&(_, &visits)| visits <= FEW_VISITS);
                statistics.few_visits_mass += few.map(|(&share, _)| f64::from(share)).sum::<f64>();
            }
            let kind = usize::from(decision.legal_kinds[decision.chosen]);
            if statistics.action_kinds.len() <= kind {
                statistics.action_kinds.resize(kind + 1, 0);
            }
            statistics.action_kinds[kind] += 1;
        }
        if let Some(Outcome { winner, reason }) = record.overruled {
            let wrong = u64::from(winner != record.outcome.winner);
            let is_resignation = reason == Reason::Resignation;
            let checks = if is_resignation { &mut statistics.resignations } else { &mut statistics.agreements };
            *checks = Checks { games: 1, wrong };
        }
        statistics
    }
}

fn add_each(own: &mut [u64], others: &[u64]) {
    own.iter_mut().zip(others).for_each(|(own, &others)| *own = own.saturating_add(others));
}

fn place<T: PartialEq>(all: &[T], one: T) -> usize {
    all.iter().position(|other| *other == one).expect("the list is complete")
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

//! Statistics of the games of one generation.

use serde::Serialize;

use super::slot::{Finished, PolicyNats};
use crate::{
    data::DecisionKind,
    game::{Outcome, Reason},
    search::FEW_VISITS,
};

/// Counts over finished games and the work done for them. Files that were there before are not in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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

    pub(super) fn add_game(&mut self, finished: &Finished) {
        let record = &finished.record;
        let plies = record.decisions.len() as u64;
        self.shortest = if self.games == 0 { plies } else { self.shortest.min(plies) };
        self.longest = self.longest.max(plies);
        self.games += 1;
        self.plies += plies;
        self.playouts += finished.playouts;
        self.policies += finished.policies;
        self.results[place(&Outcome::RESULTS, record.outcome.winner)] += 1;
        self.reasons[place(&Reason::ALL, record.outcome.reason)] += 1;
        for decision in &record.decisions {
            self.decisions[place(&DecisionKind::ALL, decision.kind)] += 1;
            if decision.kind == DecisionKind::Full {
                let few = decision.policy.iter().zip(&decision.visits).filter(|&(_, &visits)| visits <= FEW_VISITS);
                self.few_visits_mass += few.map(|(&share, _)| f64::from(share)).sum::<f64>();
            }
            let kind = usize::from(decision.legal_kinds[decision.chosen]);
            if self.action_kinds.len() <= kind {
                self.action_kinds.resize(kind + 1, 0);
            }
            self.action_kinds[kind] += 1;
        }
        if let Some(Outcome { winner, reason }) = record.overruled {
            let checks = if reason == Reason::Resignation { &mut self.resignations } else { &mut self.agreements };
            checks.games += 1;
            checks.wrong += u64::from(winner != record.outcome.winner);
        }
    }
}

fn place<T: PartialEq>(all: &[T], one: T) -> usize {
    all.iter().position(|other| *other == one).expect("the list is complete")
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

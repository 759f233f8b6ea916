//! A game that stops whenever it needs an evaluation.

use std::ops::AddAssign;

use rand::Rng as _;
use serde::{Deserialize, Serialize};

use super::{
    SelfPlayConfig,
    adjudicator::{Adjudicator, Moment},
    material,
};
use crate::{
    data::{Decision, DecisionKind, GameRecord},
    encode::Rows,
    game::{Encode, Facts, Game, History, Material, Outcome, Reason, random},
    model::Evaluations,
    search::{Cache, Search, SearchConfig, SearchResult, Step, sample},
};

/// Why [`Slot::advance`] returned.
#[derive(Debug)]
pub enum Advance {
    /// The slot needs the evaluation of one position: [`Slot::push_row`], then [`Slot::supply`].
    Evaluate,
    /// The game is over; [`Slot::start`] begins another.
    Finished(Finished),
    /// There is no game.
    Idle,
}

/// A finished game, and what it took.
#[derive(Debug)]
pub struct Finished {
    pub record: GameRecord,
    /// Playouts of all its searches.
    pub playouts: u64,
    /// The sums over its full searches.
    pub policies: PolicyNats,
}

/// What full searches made of the network's policies, in nats: sums over searches, or the means of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PolicyNats {
    /// Divergence KL of the policy targets from the network's policies.
    pub divergence: f64,
    /// Entropy of the network's policies.
    pub prior_entropy: f64,
    /// Entropy of the targets.
    pub target_entropy: f64,
}

/// A place where one game after another is played, in the same memory.
#[derive(Debug)]
pub struct Slot<R: Encode + Facts> {
    search: Search<R>,
    playing: Option<Playing<R>>,
    legal: Vec<R::Action>,
    /// Plies decided so far.
    plies: u64,
    /// The part of it that was already reported, see [`Slot::take_effort`].
    reported: Effort,
}

/// Decisions made and playouts run, in games and searches that may not be finished.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub plies: u64,
    pub playouts: u64,
}

/// A game under way. Its random numbers are its own, so that it depends on nothing but the seed, its number and the
/// network.
#[derive(Debug)]
struct Playing<R: Encode + Facts> {
    index: u64,
    /// Whether positions are valued by their material, not by the network.
    by_material: bool,
    rng: random::Rng,
    position: R::Position,
    history: History,
    /// Plies that are drawn from the network's policy.
    opening_plies: u32,
    /// Number of the turn, counted from 0: the plies of one side in a row are one turn.
    turn: u32,
    /// The decision that the search is busy with.
    deciding: Option<DecisionKind>,
    adjudicator: Adjudicator,
    decisions: Vec<Decision>,
    rows: Rows,
    playouts: u64,
    policies: PolicyNats,
}

impl<R: Encode + Facts + Material> Slot<R> {
    pub fn new() -> Self {
        Slot { search: Search::new(), playing: None, legal: Vec::new(), plies: 0, reported: Effort::default() }
    }

    /// Begins game `index` of a generation.
    pub fn start(&mut self, game: &Game<R>, config: &SelfPlayConfig, seed: u64, generation: u64, index: u64) {
        let mut rng = random::stream("selfplay", seed, generation, index);
        let opening_plies = rng.random_range(config.opening.min_plies..=config.opening.max_plies);
        let adjudicator = Adjudicator::new(&config.adjudication, rng.random());
        let position = game.start();
        game.legal_actions(&position, &mut self.legal);
        self.playing = Some(Playing {
            index,
            by_material: config.material.plays(generation),
            rng,
            position,
            history: History::new(game, &position),
            opening_plies,
            turn: 0,
            deciding: None,
            adjudicator,
            decisions: Vec::new(),
            rows: Rows::new(game.layout()),
            playouts: 0,
            policies: PolicyNats::default(),
        });
    }

    /// Plays until an evaluation is needed that `cache` does not hold, or the game is over.
    pub fn advance(&mut self, game: &Game<R>, config: &SelfPlayConfig, cache: &mut Cache<R>) -> Advance {
        let Some(playing) = &mut self.playing else { return Advance::Idle };
        loop {
            let kind = match playing.deciding {
                Some(kind) => kind,
                None => {
                    let kind = playing.decision_kind(config, self.legal.len());
                    if kind != DecisionKind::Forced && !playing.by_material {
                        let search = playing.search(config, kind);
                        self.search.begin(game, &search, &playing.position, &playing.history, &mut playing.rng);
                    }
                    playing.deciding = Some(kind);
                    kind
                }
            };
            let result = match kind {
                DecisionKind::Forced => None,
                DecisionKind::Opening if playing.by_material => {
                    Some(material::even(game, &playing.position, &self.legal, &mut playing.rng))
                }
                _ if playing.by_material => {
                    let Playing { position, history, rng, .. } = playing;
                    Some(material::search(game, position, history, &self.legal, config.material.depth, rng))
                }
                _ if self.search.step(game, cache) == Step::Evaluate => return Advance::Evaluate,
                _ => Some(self.search.result()),
            };
            playing.deciding = None;
            self.plies += 1;
            let (action, verdict) = playing.decide(game, config, kind, &self.legal, result.as_ref());
            let side = game.side_to_move(&playing.position);
            game.apply(&mut playing.position, action);
            playing.turn += u32::from(game.side_to_move(&playing.position) != side);
            playing.history.push(game, &playing.position);
            game.legal_actions(&playing.position, &mut self.legal);
            let capped = playing.decisions.len() >= config.max_plies as usize;
            let outcome = playing
                .history
                .outcome(game, &playing.position, &self.legal)
                .or(verdict)
                .or(capped.then_some(Outcome::draw(Reason::CutOff)));
            match outcome {
                None => self.search.advance(action),
                Some(outcome) => return self.finish(outcome),
            }
        }
    }

    /// What was done since this was asked last.
    pub fn take_effort(&mut self) -> Effort {
        let all = Effort { plies: self.plies, playouts: self.search.all_playouts() };
        let reported = std::mem::replace(&mut self.reported, all);
        Effort { plies: all.plies - reported.plies, playouts: all.playouts - reported.playouts }
    }

    /// Adds the position that needs an evaluation to a batch.
    ///
    /// # Panics
    /// When none does.
    pub fn push_row(&self, game: &Game<R>, rows: &mut Rows) {
        let pending = self.search.pending();
        rows.push(game, pending.position, pending.repetitions);
    }

    /// Hands over that evaluation, row `row` of `evaluations`.
    ///
    /// # Panics
    /// When none was needed.
    pub fn supply(&mut self, game: &Game<R>, cache: &mut Cache<R>, evaluations: &Evaluations, row: usize) {
        self.search.supply_rows(game, cache, evaluations, row);
    }

    fn finish(&mut self, outcome: Outcome) -> Advance {
        let Some(playing) = self.playing.take() else { return Advance::Idle };
        let record = GameRecord {
            index: playing.index,
            outcome,
            overruled: playing.adjudicator.overruled(),
            decisions: playing.decisions,
            rows: playing.rows,
        };
        Advance::Finished(Finished { record, playouts: playing.playouts, policies: playing.policies })
    }
}

impl PolicyNats {
    /// Of one search.
    fn of<A: Copy>(result: &SearchResult<A>) -> Self {
        let [divergence, prior_entropy, target_entropy] =
            [result.divergence(), result.prior_entropy(), result.target_entropy()].map(f64::from);
        PolicyNats { divergence, prior_entropy, target_entropy }
    }
}

impl AddAssign for PolicyNats {
    fn add_assign(&mut self, other: Self) {
        self.divergence += other.divergence;
        self.prior_entropy += other.prior_entropy;
        self.target_entropy += other.target_entropy;
    }
}

impl<R: Encode + Facts + Material> Default for Slot<R> {
    fn default() -> Self {
        Slot::new()
    }
}

impl<R: Encode + Facts> Playing<R> {
    fn decision_kind(&mut self, config: &SelfPlayConfig, legal: usize) -> DecisionKind {
        if legal == 1 {
            DecisionKind::Forced
        } else if self.decisions.len() < self.opening_plies as usize {
            DecisionKind::Opening
        } else if self.decisions.len() >= config.full_until() as usize {
            DecisionKind::Cheap
        } else if config.playout_cap.full_share >= 1.0 || self.rng.random::<f32>() < config.playout_cap.full_share {
            DecisionKind::Full
        } else {
            DecisionKind::Cheap
        }
    }

    /// The search of a decision that needs one.
    fn search(&self, config: &SelfPlayConfig, kind: DecisionKind) -> SearchConfig {
        match kind {
            DecisionKind::Opening => config.opening_search(),
            DecisionKind::Cheap => config.cheap_search(self.decisions.len() as u32),
            _ => config.search,
        }
    }

    /// Picks the action and records the decision; says also whether the values end the game with it. `result` is
    /// missing where the action is forced.
    fn decide(
        &mut self,
        game: &Game<R>,
        config: &SelfPlayConfig,
        kind: DecisionKind,
        legal: &[R::Action],
        result: Option<&SearchResult<R::Action>>,
    ) -> (R::Action, Option<Outcome>) {
        let ply = self.decisions.len() as u32;
        let side = game.side_to_move(&self.position);
        let chosen = result.map_or(0, |result| self.choose(config, kind, result));
        let searched = result.filter(|_| kind.is_searched());
        let at = Moment { ply, turn: self.turn, side };
        let verdict = searched.and_then(|result| self.adjudicator.hear(&config.adjudication, at, result.value()));
        self.playouts += result.map_or(0, |result| u64::from(result.playouts));
        if let (DecisionKind::Full, Some(result)) = (kind, searched) {
            self.policies += PolicyNats::of(result);
        }

        let position = &self.position;
        let actions = searched.map_or(&[][..], |result| &result.actions);
        self.rows.push(game, position, self.history.repetitions(game, position));
        self.decisions.push(Decision {
            kind,
            side,
            position: position.to_string(),
            action: legal[chosen].to_string(),
            mirror: game.rules().mirror_applies(position),
            zones: [
                game.rules().zone(position, crate::game::Side::White),
                game.rules().zone(position, crate::game::Side::Black),
            ],
            legal: legal.iter().map(|&action| game.rules().action_index(position, action) as u32).collect(),
            legal_kinds: legal.iter().map(|&action| game.rules().action_kind(position, action) as u8).collect(),
            chosen,
            policy: actions.iter().map(|action| action.policy).collect(),
            visits: actions.iter().map(|action| action.visits).collect(),
            q: actions.iter().map(|a| (a.visits > 0 || a.proof.is_known()).then_some(a.q)).collect(),
            prior: result.map(|result| result.actions[chosen].prior),
            policy_kl: searched.map(SearchResult::divergence),
            root_wdl: searched.map(|result| result.wdl),
            net_wdl: result.map(|result| result.raw_wdl),
        });
        (legal[chosen], verdict)
    }

    fn choose(&mut self, config: &SelfPlayConfig, kind: DecisionKind, result: &SearchResult<R::Action>) -> usize {
        let ply = self.decisions.len() as u32;
        if kind == DecisionKind::Opening {
            let priors = || result.actions.iter().map(|action| action.prior);
            let likeliest =
                || priors().enumerate().fold((0, 0.0), |best, (i, p)| if p > best.1 { (i, p) } else { best }).0;
            return match config.opening.temperature {
                0.0 => likeliest(),
                temperature => sample(priors(), temperature, &mut self.rng).unwrap_or_else(likeliest),
            };
        }
        let temperature =
            if ply < config.temperature.plies { config.temperature.start } else { config.temperature.end };
        result.sample(temperature, &mut self.rng)
    }
}

//! The search itself: a state machine that stops whenever it needs an evaluation, and holds no evaluator.

use super::{
    Cache, Evaluation, Leaves, Pending, Proof, RootAction, SearchConfig, SearchResult,
    flight::Flight,
    rule::Rule,
    selection::Selection,
    solver::{self, keeps_value},
    tree::{Edge, Leaf, NodeIndex, ROOT, Tree},
    utility::{Choices, Utility},
};
use crate::game::{Game, History, Rules, Wdl, random::Rng};

/// Why [`Search::step`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It needs the evaluations of [`Search::waiting`]; hand them over with [`Search::supply`] or
    /// [`Search::supply_rows`].
    Evaluate,
    /// It is done; ask for [`Search::result`].
    Done,
}

/// Where a walk down the tree came to.
enum Descent {
    /// A leaf, or a result that is known.
    Leaf,
    Ended,
    /// A leaf that another playout waits for already.
    Collision,
}

/// One search at a time, over and over, in the same memory.
///
/// ```text
/// search.begin(game, &config, &position, &history, rng);
/// while search.step(game, cache) == Step::Evaluate {
///     rows.push(game, search.pending().position, search.pending().repetitions);    // of many searches, in one batch
///     evaluator.evaluate(&rows, &mut evaluations)?;
///     search.supply_rows(game, cache, &evaluations, row);
/// }
/// let result = search.result();
/// search.advance(action);                                                          // keeps the tree below it
/// ```
///
/// One tree can wait for several evaluations at once ([`gather`](Search::gather)): playouts under way count as visits
/// without a value wherever actions are chosen (Liu et al. 2020, "Watch the Unobserved", where it costs less strength
/// than a virtual loss), so that the next playout goes elsewhere. The more of them, the fuller the batch, and the less
/// each knows of the others.
///
/// A tree that is kept keeps its visits: they count in every q, in the scale of sigma, in PUCT's formula and its
/// target. They do not count for the budget nor for sequential halving, which shares out the new playouts as if the
/// root were fresh. Each search draws new noise.
///
/// All randomness is drawn in [`begin`](Search::begin). Results depend on the arguments alone, and where a search waits
/// for one evaluation at a time never on what the cache holds (as long as it holds answers of the same evaluator).
#[derive(Clone, Debug)]
pub struct Search<R: Rules> {
    config: SearchConfig,
    tree: Tree<R>,
    /// The other half of the memory: where the subtree goes that is kept.
    spare: Tree<R>,
    /// Positions of the game and of the playout under way.
    history: History,
    /// Length of the history at the root.
    root_length: usize,
    /// Whether the tree hangs below the action played since the last search, so that the next one may keep it.
    advanced: bool,
    rule: Selection,
    /// The root and its repetitions, until it is a node.
    root: Option<(R::Position, u32)>,
    /// The playout under way.
    flight: Flight<R>,
    /// Playouts that wait for an evaluation, where the caller has no leaves of its own.
    pub(super) leaves: Leaves<R>,
    /// Playouts that wait, whoever has them.
    pub(super) under_way: u32,
    pub(super) logits: Vec<f32>,
    scratch: Vec<f32>,
    playouts: u32,
    evaluations: u32,
    /// Playouts of all searches so far.
    all_playouts: u64,
}

impl<R: Rules> Default for Search<R> {
    fn default() -> Self {
        Search::new()
    }
}

impl<R: Rules> Search<R> {
    pub fn new() -> Self {
        Search {
            config: SearchConfig::default(),
            tree: Tree::new(),
            spare: Tree::new(),
            history: History::default(),
            root_length: 0,
            advanced: false,
            rule: Selection::new(SearchConfig::default().mode),
            root: None,
            flight: Flight::new(),
            leaves: Leaves::default(),
            under_way: 0,
            logits: Vec::new(),
            scratch: Vec::new(),
            playouts: 0,
            evaluations: 0,
            all_playouts: 0,
        }
    }

    /// Sets a search of `position`, the last of `history`, going. Draws as many numbers from `rng` as the position has
    /// legal actions, however the search goes on (none when the mode's noise is off).
    ///
    /// The tree of the last search is kept when [`SearchConfig::reuse_tree`] is set and [`advance`](Search::advance)
    /// has led to this position in the same game; otherwise it is forgotten. The root is searched even if an
    /// adjudication ends the game there.
    ///
    /// # Panics
    /// When the position has no legal action.
    pub fn begin(
        &mut self,
        game: &Game<R>,
        config: &SearchConfig,
        position: &R::Position,
        history: &History,
        rng: &mut Rng,
    ) {
        self.abandon();
        self.config = *config;
        self.history.clone_from(history);
        self.root_length = history.len();
        (self.playouts, self.evaluations) = (0, 0);
        let repetitions = history.repetitions(game, position);
        let known = self.advanced && config.reuse_tree && !self.tree.is_empty() && {
            let root = self.tree.node(ROOT);
            root.position == *position && root.repetitions == repetitions
        };
        self.advanced = false;
        if !known {
            self.tree.clear();
        }
        let legal = &mut self.flight.legal;
        game.legal_actions(position, legal);
        assert!(!legal.is_empty(), "a search needs a position with legal actions");
        let kept = if known { self.tree.edges(ROOT) } else { &[] };
        self.rule.begin(config, legal.len(), kept, rng);
        self.root = (!known).then_some((*position, repetitions));
    }

    /// Replaces the noise that [`begin`](Search::begin) drew, to repeat a search known from elsewhere: a Gumbel
    /// variable or a share of the Dirichlet draw for each legal action.
    ///
    /// # Panics
    /// When `noise` has not one value a legal action of the root.
    pub fn set_root_noise(&mut self, noise: &[f32]) {
        let drawn = self.rule.noise_mut();
        assert_eq!(noise.len(), drawn.len(), "one value a legal action");
        drawn.copy_from_slice(noise);
    }

    /// Runs playouts until one needs an evaluation that `cache` does not hold, or the search is over. Called again
    /// without an evaluation supplied, it answers the same.
    ///
    /// # Panics
    /// When no search was begun.
    pub fn step(&mut self, game: &Game<R>, cache: &mut Cache<R>) -> Step {
        self.gather(game, cache, 1)
    }

    /// Runs playouts until `most` of them wait for evaluations that `cache` does not hold, or there is nothing else to
    /// do before these are known, or the search is over. The root's evaluation is waited for alone.
    ///
    /// # Panics
    /// When no search was begun, or `most` is 0.
    pub fn gather(&mut self, game: &Game<R>, cache: &mut Cache<R>, most: usize) -> Step {
        let mut leaves = std::mem::take(&mut self.leaves);
        let step = self.gather_into(&mut leaves, game, cache, most);
        self.leaves = leaves;
        step
    }

    /// [`gather`](Search::gather) for one of several callers that share the search: the playouts that begin now wait
    /// in `leaves`. Where those of others must be over first, [`Step::Evaluate`] comes with nothing that waits here.
    ///
    /// # Panics
    /// When no search was begun, or `most` is 0.
    pub fn gather_into(&mut self, leaves: &mut Leaves<R>, game: &Game<R>, cache: &mut Cache<R>, most: usize) -> Step {
        assert!(most > 0, "a search waits for one evaluation at least");
        if leaves.is_empty() {
            self.give_up(leaves);
        }
        if let Some((position, repetitions)) = self.root {
            if self.under_way > 0 {
                return Step::Evaluate;
            }
            self.flight.path.clear();
            self.flight.leaf = Some((position, repetitions));
            if self.expand_or_wait(leaves, game, cache) {
                return Step::Evaluate;
            }
        }
        while leaves.len() < most {
            if self.is_over() {
                self.give_up(leaves);
                return Step::Done;
            }
            if self.begun() >= self.config.playouts || leaves.collisions.len() > leaves.len() {
                break;
            }
            match self.descend(game) {
                Descent::Ended => {}
                Descent::Leaf => {
                    self.expand_or_wait(leaves, game, cache);
                }
                Descent::Collision => {
                    self.tree.mark(&self.flight.path, 1);
                    leaves.collisions.push(self.flight.path.clone());
                }
            }
        }
        Step::Evaluate
    }

    /// The positions that wait for evaluations, after [`Step::Evaluate`].
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = Pending<'_, R>> {
        self.leaves.iter()
    }

    /// The only position that waits for an evaluation, after [`step`](Search::step) has answered [`Step::Evaluate`].
    ///
    /// # Panics
    /// When none does.
    pub fn pending(&self) -> Pending<'_, R> {
        self.waiting().next().expect("a search that waits for an evaluation")
    }

    /// Playouts of the search under way.
    pub fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Playouts that are over or wait, whoever for.
    pub fn begun(&self) -> u32 {
        self.playouts + self.under_way
    }

    /// Playouts of all searches so far.
    pub fn all_playouts(&self) -> u64 {
        self.all_playouts
    }

    /// Lets the search under way run on until it has made `playouts` playouts in all: a search without a known end
    /// goes on piece by piece. For PUCT, whose choices do not look at the budget.
    pub fn allow(&mut self, playouts: u32) {
        self.config.playouts = playouts;
    }

    /// The tree as it stands.
    pub fn tree(&self) -> &Tree<R> {
        &self.tree
    }

    /// Moves the root along `action`, which was played there: the tree below it is kept for the next
    /// [`begin`](Search::begin), the rest forgotten. A search under way is abandoned.
    pub fn advance(&mut self, action: R::Action) {
        self.abandon();
        let child = (!self.tree.is_empty() && self.config.reuse_tree)
            .then(|| self.tree.edges(ROOT).iter().find(|edge| edge.action == action)?.child())
            .flatten();
        match child {
            None => self.tree.clear(),
            Some(child) => {
                self.tree.copy_subtree(child, &mut self.spare);
                std::mem::swap(&mut self.tree, &mut self.spare);
            }
        }
        self.advanced = true;
    }

    /// Forgets everything but the memory it stands in, as before another game.
    pub fn reset(&mut self) {
        self.abandon();
        self.advanced = false;
        self.tree.clear();
    }

    fn is_over(&self) -> bool {
        assert!(!self.tree.is_empty(), "a search that was begun");
        self.playouts >= self.config.playouts || self.config.solver && self.tree.proof(ROOT).is_known()
    }

    /// Gives up the playouts that wait in `leaves`: of one of several callers, when it leaves the search.
    pub fn give_up(&mut self, leaves: &mut Leaves<R>) {
        for path in leaves.paths() {
            self.tree.mark(path, -1);
        }
        self.under_way -= leaves.len() as u32;
        leaves.clear();
    }

    /// Gives up the playouts that wait.
    fn abandon(&mut self) {
        let mut leaves = std::mem::take(&mut self.leaves);
        self.give_up(&mut leaves);
        self.leaves = leaves;
        assert_eq!(self.under_way, 0, "callers that share a search give up their leaves before it ends");
        self.root = None;
    }

    /// Walks from the root to a leaf that is not evaluated yet, or to a known result, which is backed up at once.
    fn descend(&mut self, game: &Game<R>) -> Descent {
        self.flight.path.clear();
        let descent = self.walk(game);
        while self.history.len() > self.root_length {
            self.history.pop();
        }
        descent
    }

    fn walk(&mut self, game: &Game<R>) -> Descent {
        let mut node = ROOT;
        loop {
            let chosen = self.select(node);
            self.flight.path.push((node, chosen));
            let edge = &self.tree.edges(node)[chosen as usize];
            if let (Some(wdl), Some(plies)) = (edge.proof.wdl(), edge.proof.plies()) {
                let side = self.tree.node(node).side;
                let plies = f32::from(plies) - 1.0;
                self.back_up(Leaf { side, value: wdl.value(), draw: wdl.draw, plies, proof: Proof::Unknown });
                return Descent::Ended;
            }
            if let Some(child) = edge.child() {
                self.history.push(game, &self.tree.node(child).position);
                node = child;
                continue;
            }
            if edge.in_flight > 0 {
                return Descent::Collision;
            }
            let mut position = self.tree.node(node).position;
            game.apply(&mut position, edge.action);
            self.history.push(game, &position);
            let repetitions = self.history.repetitions(game, &position);
            game.legal_actions(&position, &mut self.flight.legal);
            let Some(outcome) = game.outcome(&position, &self.flight.legal, repetitions) else {
                assert!(!self.flight.legal.is_empty(), "rules give a position without legal actions an outcome");
                self.flight.leaf = Some((position, repetitions));
                return Descent::Leaf;
            };
            let side = game.side_to_move(&position);
            let proof = Proof::of_outcome(outcome, side);
            let draw = if outcome.winner.is_none() { 1.0 } else { 0.0 };
            self.back_up(Leaf { side, value: outcome.value_for(side), draw, plies: 0.0, proof });
            return Descent::Ended;
        }
    }

    fn select(&mut self, node: NodeIndex) -> u32 {
        let choices = choices(&self.tree, &self.config, node);
        let (config, scratch) = (&self.config, &mut self.scratch);
        let chosen = if node == ROOT {
            self.rule.select_root(config, self.playouts + self.under_way, &choices, scratch)
        } else {
            self.rule.select(config, &choices, scratch)
        };
        chosen.expect("a node that is not proven has an action that does not lose")
    }

    /// Goes on with the playout that has come to a leaf: it waits, unless `cache` knows the answer. Says whether it
    /// waits.
    fn expand_or_wait(&mut self, leaves: &mut Leaves<R>, game: &Game<R>, cache: &mut Cache<R>) -> bool {
        let (position, repetitions) = self.flight.leaf();
        if let Some(evaluation) = cache.get(game, position, repetitions) {
            let mut flight = std::mem::replace(&mut self.flight, Flight::new());
            self.expand(game, &flight, evaluation);
            flight.leaf = None;
            self.flight = flight;
            return false;
        }
        self.evaluations += 1;
        self.tree.mark(&self.flight.path, 1);
        leaves.push(&mut self.flight);
        self.under_way += 1;
        true
    }

    /// Makes the leaf of a playout a node, and ends the playout.
    pub(super) fn expand(&mut self, game: &Game<R>, flight: &Flight<R>, evaluation: Evaluation<'_>) {
        let (position, repetitions) = flight.leaf();
        let node = self.tree.push(game, position, repetitions, &flight.legal, evaluation);
        let Some(&(parent, edge)) = flight.path.last() else {
            self.root = None;
            return;
        };
        self.tree.link(parent, edge, node);
        let Evaluation { wdl, moves_left: plies, .. } = evaluation;
        let side = self.tree.node(node).side;
        self.end(&flight.path, Leaf { side, value: wdl.value(), draw: wdl.draw, plies, proof: Proof::Unknown });
    }

    /// Ends the playout under way.
    fn back_up(&mut self, leaf: Leaf) {
        let path = std::mem::take(&mut self.flight.path);
        self.end(&path, leaf);
        self.flight.path = path;
    }

    fn end(&mut self, path: &[(NodeIndex, u32)], leaf: Leaf) {
        self.tree.back_up(path, leaf, &self.config);
        self.playouts += 1;
        self.all_playouts += 1;
    }

    /// What the search found: at [`Step::Done`], or the state of things so far.
    ///
    /// # Panics
    /// Before the root is evaluated.
    pub fn result(&self) -> SearchResult<R::Action> {
        assert!(!self.tree.is_empty(), "a root that is evaluated");
        let (config, root, edges) = (&self.config, self.tree.node(ROOT), self.tree.edges(ROOT));
        let proof = if config.solver { self.tree.proof(ROOT) } else { Proof::Unknown };
        let keep = |edge: &Edge<R::Action>| keeps_value(config, proof, edge);

        let mut policy = Vec::new();
        let choices = choices(&self.tree, config, ROOT);
        self.rule.policy(config, &choices, keep, &mut policy);
        let best = solver::fastest(proof, edges).or_else(|| self.rule.winner(config, &choices, keep));
        let missing = Choices { utility: Utility::default(), ..choices }.mixed(keep);
        let actions = edges.iter().zip(policy).map(|(edge, policy)| RootAction {
            action: edge.action,
            prior: edge.prior,
            visits: edge.visits,
            q: edge.q().unwrap_or(missing),
            proof: edge.proof,
            policy,
        });
        let (wdl, moves_left) = self.averages(proof, keep);
        SearchResult {
            mode: config.mode,
            actions: actions.collect(),
            best: best.expect("a root keeps an action") as usize,
            wdl,
            raw_wdl: root.raw_wdl,
            moves_left,
            proof,
            playouts: self.playouts,
            evaluations: self.evaluations,
        }
    }

    /// Win, draw and loss and the plies to the end at the root: the evaluation's and the playouts' mean, without the
    /// playouts through actions that would not be chosen now.
    fn averages(&self, proof: Proof, keep: impl Fn(&Edge<R::Action>) -> bool) -> (Wdl, f32) {
        if let (Some(wdl), Some(plies)) = (proof.wdl(), proof.plies()) {
            return (wdl, f32::from(plies));
        }
        let root = self.tree.node(ROOT);
        let (mut visits, mut value, mut draw, mut plies) =
            (1.0, root.raw_value(), root.raw_wdl.draw, root.raw_moves_left);
        for edge in self.tree.edges(ROOT).iter().filter(|edge| keep(edge)) {
            let n = edge.visits as f32;
            visits += n;
            plies += edge.plies_sum;
            match edge.proof.wdl() {
                Some(wdl) => (value, draw) = (value + n * wdl.value(), draw + n * wdl.draw),
                None => (value, draw) = (value + edge.value_sum, draw + edge.draw_sum),
            }
        }
        (Wdl::from_value(value / visits, draw / visits), plies / visits)
    }
}

/// The actions of a node as the side to move there values them.
fn choices<'a, R: Rules>(
    tree: &'a Tree<R>,
    config: &SearchConfig,
    node: NodeIndex,
) -> Choices<'a, R::Position, R::Action> {
    let at = tree.node(node);
    let utility = Utility::new(config, at.side, tree.node(ROOT).side);
    Choices { node: at, edges: tree.edges(node), utility }
}

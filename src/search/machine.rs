//! The search itself: a state machine that stops whenever it needs an evaluation, and holds no evaluator.

use super::{
    Cache, Evaluation, Proof, RootAction, SearchConfig, SearchResult,
    cache::gather_logits,
    rule::Rule,
    selection::Selection,
    solver::{self, keeps_value},
    tree::{Edge, Leaf, NodeIndex, ROOT, Tree, mixed_value},
};
use crate::{
    game::{Encode, Game, History, Rules, Wdl, random::Rng},
    model::Evaluations,
};

/// Why [`Search::step`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It needs the evaluation of [`Search::pending`]; hand it over with [`Search::supply`] or [`Search::supply_row`].
    Evaluate,
    /// It is done; ask for [`Search::result`].
    Done,
}

/// The position whose evaluation a search waits for.
#[derive(Debug)]
pub struct Pending<'a, R: Rules> {
    pub position: &'a R::Position,
    /// How often it occurred before.
    pub repetitions: u32,
    /// Its legal actions; never empty.
    pub legal: &'a [R::Action],
}

/// One search at a time, over and over, in the same memory.
///
/// ```text
/// search.begin(game, &config, &position, &history, rng);
/// while search.step(game, cache) == Step::Evaluate {
///     rows.push(game, search.pending().position, search.pending().repetitions);    // of many searches, in one batch
///     evaluator.evaluate(&rows, &mut evaluations)?;
///     search.supply_row(game, cache, &evaluations, row);
/// }
/// let result = search.result();
/// search.advance(action);                                                          // keeps the tree below it
/// ```
///
/// A tree that is kept keeps its visits: they count in every q, in the scale of sigma, in PUCT's formula and its
/// target. They do not count for the budget nor for sequential halving, which shares out the new playouts as if the
/// root were fresh. Each search draws new noise.
///
/// All randomness is drawn in [`begin`](Search::begin). Results depend on the arguments alone, never on what the cache
/// holds (as long as it holds answers of the same evaluator).
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
    /// Node and edge of each choice of the playout under way, from the root down.
    path: Vec<(NodeIndex, u32)>,
    /// Position and repetitions of the leaf to evaluate; its legal actions are in `legal`.
    leaf: Option<(R::Position, u32)>,
    /// Whether the caller was asked for the leaf's evaluation: the cache does not hold it.
    asked: bool,
    legal: Vec<R::Action>,
    logits: Vec<f32>,
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
            path: Vec::new(),
            leaf: None,
            asked: false,
            legal: Vec::new(),
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
        self.config = *config;
        self.history.clone_from(history);
        self.root_length = history.len();
        self.path.clear();
        (self.leaf, self.asked) = (None, false);
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
        game.legal_actions(position, &mut self.legal);
        assert!(!self.legal.is_empty(), "a search needs a position with legal actions");
        let kept = if known { self.tree.edges(ROOT) } else { &[] };
        self.rule.begin(config, self.legal.len(), kept, rng);
        if !known {
            self.leaf = Some((*position, repetitions));
        }
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
        loop {
            if self.asked {
                return Step::Evaluate;
            }
            if let Some((position, repetitions)) = self.leaf {
                match cache.get(game, &position, repetitions) {
                    Some(evaluation) => self.expand(game, evaluation),
                    None => {
                        self.asked = true;
                        self.evaluations += 1;
                    }
                }
            } else if self.is_over() {
                return Step::Done;
            } else {
                self.descend(game);
            }
        }
    }

    /// The position that waits for an evaluation, after [`Step::Evaluate`].
    ///
    /// # Panics
    /// When none does.
    pub fn pending(&self) -> Pending<'_, R> {
        let (position, repetitions) = self.leaf.as_ref().expect("a search that waits for an evaluation");
        Pending { position, repetitions: *repetitions, legal: &self.legal }
    }

    /// Answers for the pending position, and remembers the answer in `cache`.
    ///
    /// # Panics
    /// When no position is pending, or there is not one logit a legal action.
    pub fn supply(&mut self, game: &Game<R>, cache: &mut Cache<R>, evaluation: Evaluation<'_>) {
        let (position, repetitions) = self.leaf.expect("a search that waits for an evaluation");
        assert_eq!(evaluation.logits.len(), self.legal.len(), "one logit a legal action");
        cache.insert(game, &position, repetitions, evaluation);
        self.asked = false;
        self.expand(game, evaluation);
    }

    /// Playouts of the search under way.
    pub fn playouts(&self) -> u32 {
        self.playouts
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
        (self.leaf, self.asked) = (None, false);
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
        (self.leaf, self.asked, self.advanced) = (None, false, false);
        self.tree.clear();
    }

    fn is_over(&self) -> bool {
        assert!(!self.tree.is_empty(), "a search that was begun");
        self.playouts >= self.config.playouts || self.config.solver && self.tree.proof(ROOT).is_known()
    }

    /// Walks from the root to a leaf that is not evaluated yet (left in `leaf`, with its legal actions in `legal` and
    /// the path to it in `history`), or to a known result, which is backed up at once.
    fn descend(&mut self, game: &Game<R>) {
        self.path.clear();
        let mut node = ROOT;
        loop {
            let chosen = self.select(node);
            self.path.push((node, chosen));
            let edge = &self.tree.edges(node)[chosen as usize];
            if let (Some(wdl), Some(plies)) = (edge.proof.wdl(), edge.proof.plies()) {
                let side = self.tree.node(node).side;
                let plies = f32::from(plies) - 1.0;
                return self.back_up(Leaf { side, value: wdl.value(), draw: wdl.draw, plies, proof: Proof::Unknown });
            }
            if let Some(child) = edge.child() {
                self.history.push(game, &self.tree.node(child).position);
                node = child;
                continue;
            }
            let mut position = self.tree.node(node).position;
            game.apply(&mut position, edge.action);
            self.history.push(game, &position);
            let repetitions = self.history.repetitions(game, &position);
            game.legal_actions(&position, &mut self.legal);
            let Some(outcome) = game.outcome(&position, &self.legal, repetitions) else {
                assert!(!self.legal.is_empty(), "rules give a position without legal actions an outcome");
                self.leaf = Some((position, repetitions));
                return;
            };
            let side = game.side_to_move(&position);
            let proof = Proof::of_outcome(outcome, side);
            let draw = if outcome.winner.is_none() { 1.0 } else { 0.0 };
            return self.back_up(Leaf { side, value: outcome.value_for(side), draw, plies: 0.0, proof });
        }
    }

    fn select(&mut self, node: NodeIndex) -> u32 {
        let (config, at, edges, scratch) =
            (&self.config, self.tree.node(node), self.tree.edges(node), &mut self.scratch);
        let chosen = if node == ROOT {
            self.rule.select_root(config, self.playouts, at, edges, scratch)
        } else {
            self.rule.select(config, at, edges, scratch)
        };
        chosen.expect("a node that is not proven has an action that does not lose")
    }

    /// Makes the leaf a node.
    fn expand(&mut self, game: &Game<R>, evaluation: Evaluation<'_>) {
        let (position, repetitions) = self.leaf.take().expect("a leaf");
        let node = self.tree.push(game, &position, repetitions, &self.legal, evaluation);
        let Some(&(parent, edge)) = self.path.last() else { return };
        self.tree.link(parent, edge, node);
        let Evaluation { wdl, moves_left: plies, .. } = evaluation;
        let side = self.tree.node(node).side;
        self.back_up(Leaf { side, value: wdl.value(), draw: wdl.draw, plies, proof: Proof::Unknown });
    }

    /// Ends a playout.
    fn back_up(&mut self, leaf: Leaf) {
        self.tree.back_up(&self.path, leaf, &self.config);
        self.playouts += 1;
        self.all_playouts += 1;
        while self.history.len() > self.root_length {
            self.history.pop();
        }
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
        self.rule.policy(config, root, edges, keep, &mut policy);
        let best = solver::fastest(proof, edges).or_else(|| self.rule.winner(config, root, edges, keep));
        let missing = mixed_value(root, edges, 0.0, keep);
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

impl<R: Encode> Search<R> {
    /// [`supply`](Search::supply) from row `row` of a batch.
    ///
    /// # Panics
    /// When no position is pending or the batch has no such row.
    pub fn supply_row(&mut self, game: &Game<R>, cache: &mut Cache<R>, evaluations: &Evaluations, row: usize) {
        let mut logits = std::mem::take(&mut self.logits);
        let pending = self.pending();
        gather_logits(game, pending.position, pending.legal, &evaluations.logits, row, &mut logits);
        let (wdl, moves_left) = (evaluations.wdl[row], evaluations.moves_left[row]);
        self.supply(game, cache, Evaluation { logits: &logits, wdl, moves_left });
        self.logits = logits;
    }
}

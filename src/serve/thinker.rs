//! The search thread of a bot: runs searches, reports progress, and stops at the limits or on request.

use std::{
    ops::ControlFlow,
    sync::mpsc::Sender,
    time::{Duration, Instant},
};

use super::{
    Decision, Limits, Options, Report, Thought, Variation,
    options::MOST_PLAYOUTS,
    prospect::{Prospect, Rival},
    thought::Control,
};
use crate::{
    evaluate::match_search,
    game::{Game, History, Playable, perft::perft, random::Rng},
    model::EvaluatorError,
    search::{Cache, Crew, Proof, ROOT, RootAction, Search, SearchConfig, SearchResult, sample},
};

/// Most playouts between two looks at whether to go on: those that need no evaluation may be many.
const SLICE: u32 = 256;
/// Most moves of a variation in a report.
const LONGEST_VARIATION: usize = 32;
/// Most evaluations that are remembered, in positions: beyond, memory goes to the tree.
const REMEMBERED: usize = 1 << 18;
/// How much less than the best an action may be worth that is drawn for variety: win less loss, so that it is 5
/// hundredths of a point.
const CLEARLY_WORSE: f32 = 0.1;
/// A count below this depth is not interrupted.
const WHOLE: u32 = 2;

/// A game so far.
#[derive(Clone, Debug)]
pub(super) struct GameLine<R: Playable> {
    pub(super) actions: Vec<R::Action>,
    /// One more than actions: the first is where the game began.
    pub(super) positions: Vec<R::Position>,
    pub(super) history: History,
}

impl<R: Playable> GameLine<R> {
    pub(super) fn new(game: &Game<R>, start: R::Position) -> Self {
        GameLine { actions: Vec::new(), positions: vec![start], history: History::new(game, &start) }
    }

    pub(super) fn position(&self) -> &R::Position {
        &self.positions[self.positions.len() - 1]
    }

    pub(super) fn push(&mut self, game: &Game<R>, action: R::Action) {
        let mut position = *self.position();
        game.apply(&mut position, action);
        self.actions.push(action);
        self.positions.push(position);
        self.history.push(game, &position);
    }

    pub(super) fn pop(&mut self) -> bool {
        let popped = self.actions.pop().is_some();
        if popped {
            self.positions.pop();
            self.history.pop();
        }
        popped
    }

    /// What was played since `earlier`, if that is where this game was once.
    fn since(&self, earlier: &GameLine<R>) -> Option<&[R::Action]> {
        let goes_on = self.positions[0] == earlier.positions[0];
        self.actions.strip_prefix(earlier.actions.as_slice()).filter(|_| goes_on)
    }
}

/// What to think about.
pub(super) enum Task<R: Playable> {
    Search {
        line: GameLine<R>,
        options: Options,
        limits: Limits,
    },
    /// Leaves below each legal action, so deep.
    Count {
        position: R::Position,
        depth: u32,
    },
    /// Make what searches by these options need, and say when it is there.
    Prepare {
        options: Options,
        ready: Sender<()>,
    },
    /// Another game begins.
    Forget,
}

/// Tree, evaluator and what it said, kept from move to move.
pub(super) struct Thinker<R: Playable> {
    game: Game<R>,
    crew: Crew,
    search: Search<R>,
    cache: Cache<R>,
    /// MiB that the cache was made for.
    hash: u32,
    rng: Rng,
    /// The game at whose end the tree hangs.
    known: Option<GameLine<R>>,
}

impl<R: Playable> Thinker<R> {
    pub(super) fn new(game: Game<R>, crew: Crew, rng: Rng) -> Self {
        Thinker { game, crew, search: Search::new(), cache: Cache::new(0), hash: 0, rng, known: None }
    }

    /// Does a task, and passes its reports to `report`.
    pub(super) fn work(&mut self, task: Task<R>, control: &Control, report: &mut dyn FnMut(Thought)) {
        match task {
            Task::Search { line, options, limits } => {
                let end = match self.think(line, &options, &limits, control, report) {
                    Ok(decision) => Thought::Chosen(decision),
                    Err(error) => Thought::Failed(error.to_string()),
                };
                report(end);
            }
            Task::Count { position, depth } => report(Thought::Counted(self.divide(&position, depth, control))),
            Task::Prepare { options, ready } => {
                // The search will fail the same way, and be asked why.
                let _ = self.provide(&options);
                let _ = ready.send(());
            }
            Task::Forget => {
                self.search.reset();
                self.known = None;
            }
        }
    }

    fn think(
        &mut self,
        line: GameLine<R>,
        options: &Options,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Thought),
    ) -> Result<Decision, EvaluatorError> {
        self.provide(options)?;
        self.follow(&line);
        let began = Instant::now();
        let level = if options.playouts == 0 { MOST_PLAYOUTS } else { options.playouts };
        let most = limits.nodes.map_or(level, |nodes| nodes.min(level));
        let config =
            SearchConfig { solver: true, contempt: options.contempt as f32 / 100.0, ..match_search(SLICE.min(most)) };
        let Thinker { game, crew, search, cache, rng, .. } = self;
        search.begin(game, &config, line.position(), &line.history, rng);
        let room = options.hash as usize * (1 << 20) / 2;
        let shown = options.multi_pv as usize;
        let (mut reported_at, mut reported_after) = (0, Duration::ZERO);
        let mut checked = Duration::ZERO;
        let mut ends_early = false;
        crew.run(game, search, cache, |search| {
            let playouts = search.playouts();
            let depth = if limits.depth.is_some() { depth(search) } else { 0 };
            let is_full = playouts >= most || search.tree().bytes() >= room;
            let is_known = search.tree().proof(ROOT).is_known();
            let is_over = control.ends(limits, depth, prospect(search, limits, began.elapsed()));
            let is_due =
                options.pace.is_some_and(|pace| playouts > reported_at && began.elapsed() >= reported_after + pace);
            ends_early = is_full || is_known;
            if is_over || ends_early || is_due || playouts >= (2 * reported_at).max(1) {
                (reported_at, reported_after) = (playouts, began.elapsed());
                report(Thought::Report(self::report(game, search, reported_after, shown)));
            }
            if is_over {
                ends_early = false;
                return ControlFlow::Break(());
            }
            checked = control.spent().unwrap_or_default();
            search.allow((search.begun() + SLICE).min(most));
            if ends_early { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if ends_early {
            control.wait(limits);
        }
        // After its usual time the thought went on for as long as the choice was open.
        let late = control.late(limits).min(control.spent().unwrap_or_default().saturating_sub(checked));
        let result = self.search.result();
        let temperature = options.temperature_after(line.actions.len());
        let chosen = result.actions[choose(&result, temperature, &mut self.rng)].action;
        let position = line.position();
        let answer = self.answer(position, chosen);
        let action = chosen.to_string();
        self.known = Some(line);
        Ok(Decision { action, answer, thought: control.spent(), late })
    }

    /// Threads, and memory: half of it for the tree, the rest for what the evaluator said (of which the table is rounded
    /// up, at most to the double).
    fn provide(&mut self, options: &Options) -> Result<(), EvaluatorError> {
        if self.hash != options.hash {
            // A position with the evaluations of some 50 actions, and what comes with them.
            let entry = size_of::<R::Position>() + 320;
            self.cache = Cache::new((options.hash as usize * (1 << 20) / 4 / entry).min(REMEMBERED));
            self.hash = options.hash;
        }
        self.crew.set_threads(options.threads as usize)
    }

    /// Keeps of the tree what the actions since the last search lead to. The same position again is searched anew.
    fn follow(&mut self, line: &GameLine<R>) {
        let played = self.known.take().and_then(|known| line.since(&known).map(<[_]>::to_vec));
        match played {
            Some(played) if !played.is_empty() => played.into_iter().for_each(|action| self.search.advance(action)),
            _ => self.search.reset(),
        }
    }

    /// What the other side is expected to do after `chosen`, where its turn is next.
    fn answer(&self, position: &R::Position, chosen: R::Action) -> Option<String> {
        let tree = self.search.tree();
        let child = tree.edges(ROOT).iter().find(|edge| edge.action == chosen)?.child()?;
        let next = tree.node(child);
        let edge = tree.expected(child).filter(|_| next.side != self.game.side_to_move(position))?;
        Some(edge.action.to_string())
    }

    /// Leaves below each legal action, `None` when it was stopped.
    fn divide(&self, position: &R::Position, depth: u32, control: &Control) -> Option<Vec<(String, u64)>> {
        let mut actions = Vec::new();
        self.game.legal_actions(position, &mut actions);
        let below = |&action: &R::Action| {
            let mut next = *position;
            self.game.apply(&mut next, action);
            Some((action.to_string(), self.count(&next, depth.saturating_sub(1), control)?))
        };
        actions.iter().map(below).collect()
    }

    fn count(&self, position: &R::Position, depth: u32, control: &Control) -> Option<u64> {
        if control.is_stopped() {
            return None;
        }
        if depth <= WHOLE {
            return Some(perft(&self.game, position, depth));
        }
        let mut actions = Vec::new();
        self.game.legal_actions(position, &mut actions);
        actions.iter().try_fold(0u64, |leaves, &action| {
            let mut next = *position;
            self.game.apply(&mut next, action);
            Some(leaves.saturating_add(self.count(&next, depth - 1, control)?))
        })
    }
}

/// Index of the action to play. What is clearly worse than the best is not drawn. A single playout has looked at one action
/// alone: then it is drawn from what the evaluator expects.
fn choose<A: Copy>(result: &SearchResult<A>, temperature: f32, rng: &mut Rng) -> usize {
    if temperature <= 0.0 || result.proof.is_known() {
        return result.best;
    }
    let visits: u32 = result.actions.iter().map(|action| action.visits).sum();
    let weight = |action: &RootAction<A>| match action.proof {
        Proof::Loss(_) => 0.0,
        _ if visits <= 1 => action.prior,
        _ if action.q < result.best().q - CLEARLY_WORSE => 0.0,
        _ => action.policy,
    };
    sample(result.actions.iter().map(weight), temperature, rng).unwrap_or(result.best)
}

/// Whether more time may change the choice, after so long a search.
fn prospect<R: Playable>(search: &Search<R>, limits: &Limits, elapsed: Duration) -> Prospect {
    let (Some(usual), Some(_)) = (limits.time, limits.longest) else { return Prospect::Usual };
    let rest = usual.as_secs_f64() / elapsed.as_secs_f64().max(1e-6) - 1.0;
    let to_come = (rest > 0.0).then(|| f64::from(search.playouts()) * rest);
    let edges = search.tree().edges(ROOT).iter();
    let rivals = edges.filter(|edge| !edge.proof.is_loss()).map(|edge| Rival { visits: edge.visits, q: edge.q() });
    Prospect::of(rivals, to_come)
}

fn report<R: Playable>(game: &Game<R>, search: &Search<R>, time: Duration, shown: usize) -> Report {
    let (result, tree) = (search.result(), search.tree());
    let variation = |(place, i): (usize, usize)| {
        let edge = &tree.edges(ROOT)[i];
        (place == 0 || edge.is_explored()).then(|| {
            let line = || tree.principal_variation(Some(i)).take(LONGEST_VARIATION);
            let grid_string = |position, action| game.rules().grid_string(position, action);
            Variation {
                actions: line().map(|(_, edge)| edge.action.to_string()).collect(),
                on_grid: line().map(|(node, edge)| grid_string(&node.position, edge.action)).collect(),
                visits: edge.visits,
                prior: edge.prior,
                wdl: edge.wdl().unwrap_or(result.wdl),
                proof: edge.proof,
            }
        })
    };
    let variations =
        tree.ranking(result.best).into_iter().enumerate().take(shown.max(1)).map_while(variation).collect();
    Report { playouts: search.playouts(), time, wdl: result.wdl, variations }
}

/// Actions of the principal variation.
fn depth<R: Playable>(search: &Search<R>) -> u32 {
    search.tree().principal_variation(None).take(LONGEST_VARIATION).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Wdl, random::stream},
        search::Mode,
    };

    #[test]
    fn chance_plays_nothing_that_is_clearly_worse() {
        let action = |action, visits: u32, q| {
            let policy = visits as f32 / 1000.0;
            RootAction { action, prior: 0.25, visits, q, proof: Proof::Unknown, policy }
        };
        let wdl = Wdl { win: 0.6, draw: 0.3, loss: 0.1 };
        let result = SearchResult {
            mode: Mode::Puct,
            actions: vec![action('a', 200, 0.5), action('b', 150, 0.42), action('c', 190, 0.38), action('d', 0, 0.45)],
            best: 0,
            wdl,
            raw_wdl: wdl,
            moves_left: 20.0,
            proof: Proof::Unknown,
            playouts: 540,
            evaluations: 540,
        };
        let mut rng = stream("variety", 1, 0, 0);
        let mut drawn = |temperature| {
            let mut times = [0; 4];
            (0..400).for_each(|_| times[choose(&result, temperature, &mut rng)] += 1);
            times
        };
        let [best, sound, worse, unseen] = drawn(10.0);
        assert!(best > 100 && sound > 100 && worse == 0 && unseen == 0, "{best} {sound} {worse} {unseen}");
        assert_eq!(drawn(0.0), [400, 0, 0, 0]);
    }
}

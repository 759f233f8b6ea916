//! A search that waits for several leaves at once: nothing is lost or counted twice, the answers do not depend on who
//! computes them, and the actions are as good.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use maydan::{
    encode::Rows,
    game::{Encode, Game, History, random, shatara::Shatara, shatra::Shatra},
    model::{Evaluations, Evaluator, EvaluatorError, MakeEvaluator},
    search::{Cache, Crew, Mode, ROOT, Search, SearchConfig, SearchResult, Step, Tree, leaves_after},
};

use crate::support::{connect_four, noisy, opinionated};

use connect_four::{
    board::Board,
    game::ConnectFour,
    solver::Solver,
    yardstick::{Question, questions},
};
use noisy::Noisy;
use opinionated::Opinionated;

fn configs() -> [SearchConfig; 3] {
    let base = SearchConfig { playouts: 150, considered_actions: 4, ..SearchConfig::default() };
    [base, SearchConfig { mode: Mode::Puct, ..base }, SearchConfig { mode: Mode::Puct, solver: false, ..base }]
}

/// Searches on to the end, waiting for at most so many leaves.
fn finish<R: Encode>(
    game: &Game<R>,
    search: &mut Search<R>,
    cache: &mut Cache<R>,
    evaluator: &mut dyn Evaluator,
    leaves: usize,
) -> SearchResult<R::Action> {
    let (mut rows, mut evaluations) = (Rows::new(game.layout()), Evaluations::default());
    while search.gather(game, cache, leaves) == Step::Evaluate {
        assert!((1..=leaves).contains(&search.waiting().len()));
        rows.clear();
        search.waiting().for_each(|leaf| rows.push(game, leaf.position, leaf.repetitions));
        evaluator.evaluate(&rows, &mut evaluations).unwrap();
        search.supply_rows(game, cache, &evaluations, 0);
    }
    search.result()
}

/// That every playout through an edge is one through its node below, but for the first, and that none is under way.
fn check_counts<R: Encode>(tree: &Tree<R>) {
    let mut nodes = vec![ROOT];
    while let Some(node) = nodes.pop() {
        for edge in tree.edges(node) {
            assert_eq!(edge.tries(), edge.visits);
            let Some(child) = edge.child() else { continue };
            let below: u32 = tree.edges(child).iter().map(|edge| edge.visits).sum();
            // A proven action is not searched on, but visited all the same.
            assert!(edge.visits == 1 + below || edge.proof.is_known() && edge.visits > below, "{edge:?}: {below}");
            nodes.push(child);
        }
    }
}

/// Three searches one after the other, each at the position that the one before chose.
fn check_game<R: Encode>(game: &Game<R>) {
    for config in configs() {
        for (leaves, cached) in [(1, 0), (2, 100), (7, 0), (40, 1000)] {
            let mut search = Search::new();
            let mut cache = Cache::new(cached);
            let mut rng = random::stream("leaves", 0, 0, 0);
            let mut position = game.start();
            let mut history = History::new(game, &position);
            for _ in 0..3 {
                search.begin(game, &config, &position, &history, &mut rng);
                let kept: u32 = match search.tree().is_empty() {
                    true => 0,
                    false => search.tree().edges(ROOT).iter().map(|edge| edge.visits).sum(),
                };
                let result = finish(game, &mut search, &mut cache, &mut Opinionated::default(), leaves);
                assert!(result.proof.is_known() || result.playouts == config.playouts);
                let visits: u32 = result.actions.iter().map(|action| action.visits).sum();
                assert_eq!(visits, kept + result.playouts);
                check_counts(search.tree());
                let action = result.best().action;
                search.advance(action);
                game.apply(&mut position, action);
                history.push(game, &position);
            }
        }
    }
}

#[test]
fn no_playout_is_lost_or_counted_twice() {
    let options = toml::Table::new();
    check_game(&ConnectFour::game());
    check_game(&Shatara::game(&options).unwrap());
    check_game(&Shatra::game(&options).unwrap());
}

/// A search that is broken off leaves no trace in the tree that the next one keeps.
#[test]
fn playouts_that_are_given_up_leave_no_trace() {
    let game = ConnectFour::game();
    let config = SearchConfig { mode: Mode::Puct, playouts: 100, ..SearchConfig::default() };
    let (mut search, mut cache) = (Search::new(), Cache::new(0));
    let (mut rng, mut position) = (random::stream("leaves", 0, 0, 1), game.start());
    let mut history = History::new(&game, &position);
    search.begin(&game, &config, &position, &history, &mut rng);
    let action = finish(&game, &mut search, &mut cache, &mut Opinionated::default(), 4).best().action;
    search.allow(200);
    assert_eq!(search.gather(&game, &mut cache, 9), Step::Evaluate);
    assert!(search.waiting().len() > 4);
    search.advance(action);
    assert_eq!(search.waiting().len(), 0);
    game.apply(&mut position, action);
    history.push(&game, &position);
    search.begin(&game, &config, &position, &history, &mut rng);
    check_counts(search.tree());
    finish(&game, &mut search, &mut cache, &mut Opinionated::default(), 4);
    check_counts(search.tree());
}

fn opinionated() -> Arc<MakeEvaluator> {
    Arc::new(|_| Ok(Box::new(Opinionated::default())))
}

/// Of a search alone: enough for it to wait for several leaves.
const PLAYOUTS: u32 = 1500;

fn alone() -> SearchConfig {
    SearchConfig { mode: Mode::Puct, playouts: PLAYOUTS, dirichlet_fraction: 0.0, ..SearchConfig::default() }
}

fn begin(search: &mut Search<ConnectFour>, config: &SearchConfig, position: &Board) {
    let game = ConnectFour::game();
    let history = History::new(&game, position);
    search.begin(&game, config, position, &history, &mut random::stream("leaves", 0, 0, 2));
}

/// Runs a search of the start with a crew to its end, and looks whether the tree is in order.
fn with_crew(crew: &mut Crew) -> Result<SearchResult<u8>, EvaluatorError> {
    let game = ConnectFour::game();
    let (mut search, mut cache) = (Search::new(), Cache::new(1000));
    begin(&mut search, &alone(), &game.start());
    let ended = crew.run(&game, &mut search, &mut cache, |search| match search.playouts() < PLAYOUTS {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    check_counts(search.tree());
    ended.map(|()| search.result())
}

#[test]
fn a_crew_of_one_searches_the_same_way_every_time() {
    let game = ConnectFour::game();
    let (mut search, mut cache) = (Search::new(), Cache::new(1000));
    begin(&mut search, &alone(), &game.start());
    let mut evaluator = Opinionated::default();
    let by_hand = loop {
        let leaves = leaves_after(search.playouts(), 16);
        if search.playouts() == PLAYOUTS {
            break finish(&game, &mut search, &mut cache, &mut evaluator, 1);
        }
        let _ = search.gather(&game, &mut cache, leaves);
        let (mut rows, mut evaluations) = (Rows::new(game.layout()), Evaluations::default());
        search.waiting().for_each(|leaf| rows.push(&game, leaf.position, leaf.repetitions));
        evaluator.evaluate(&rows, &mut evaluations).unwrap();
        search.supply_rows(&game, &mut cache, &evaluations, 0);
    };
    let mut crew = Crew::new(opinionated(), game.layout()).unwrap();
    assert_eq!(with_crew(&mut crew).unwrap(), by_hand);
    assert_eq!(with_crew(&mut crew).unwrap(), by_hand);
}

#[test]
fn threads_that_share_a_tree_lose_no_playout() {
    let mut crew = Crew::new(opinionated(), ConnectFour::game().layout()).unwrap();
    for threads in [2, 5, 1] {
        crew.set_threads(threads).unwrap();
        let result = with_crew(&mut crew).unwrap();
        let visits: u32 = result.actions.iter().map(|action| action.visits).sum();
        assert_eq!((result.playouts, visits), (PLAYOUTS, PLAYOUTS));
    }
}

/// Searches that end by a proof while other threads wait, that are broken off anywhere, and that are allowed more.
#[test]
fn threads_leave_a_search_together() {
    let game = ConnectFour::game();
    let mut crew = Crew::new(opinionated(), game.layout()).unwrap();
    crew.set_threads(3).unwrap();
    let (mut search, mut cache) = (Search::new(), Cache::new(1000));
    for question in questions(20, 30..=36, 5, &mut Solver::new(18)) {
        begin(&mut search, &SearchConfig { playouts: 1, ..alone() }, &question.board);
        let mut looks = 0;
        let look = |search: &mut Search<ConnectFour>| {
            looks += 1;
            search.allow(search.begun() + 10);
            match search.tree().proof(ROOT).is_known() || looks == 10_000 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        crew.run(&game, &mut search, &mut cache, look).unwrap();
        assert_eq!(search.begun(), search.playouts());
        let value = question.values.iter().max().map(|&value| value as f32);
        assert_eq!(search.tree().proof(ROOT).wdl().map(|wdl| wdl.value()), value);
        check_counts(search.tree());
    }
}

/// An evaluator that fails at its fourth call.
struct Failing(Arc<AtomicUsize>);

impl Evaluator for Failing {
    fn batch_size(&self) -> usize {
        16
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        match self.0.fetch_add(1, Ordering::Relaxed) {
            3 => Err(EvaluatorError::Refused("out of order".to_owned())),
            _ => Opinionated::default().evaluate(rows, out),
        }
    }
}

#[test]
fn a_crew_works_on_after_a_failure() {
    for threads in [1, 2] {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let make: Arc<MakeEvaluator> = Arc::new(move |_| Ok(Box::new(Failing(Arc::clone(&counted)))));
        let mut crew = Crew::new(make, ConnectFour::game().layout()).unwrap();
        crew.set_threads(threads).unwrap();
        assert_eq!(with_crew(&mut crew).unwrap_err().to_string(), "evaluator: out of order");
        assert_eq!(with_crew(&mut crew).unwrap().playouts, PLAYOUTS);
    }
}

/// The share of positions in which a search keeps the value, where the values that it is given are truth and noise.
fn kept(questions: &[Question], leaves: usize) -> f64 {
    let game = ConnectFour::game();
    let config = SearchConfig {
        mode: Mode::Puct,
        playouts: 200,
        dirichlet_fraction: 0.0,
        solver: false,
        ..SearchConfig::default()
    };
    let mut evaluator = Noisy::new(0.5, 0.5, 0);
    let kept = questions.iter().filter(|question| {
        let (mut search, mut cache) = (Search::new(), Cache::new(0));
        let history = History::new(&game, &question.board);
        search.begin(&game, &config, &question.board, &history, &mut random::stream("leaves", 0, 0, 3));
        question.is_kept_by(finish(&game, &mut search, &mut cache, &mut evaluator, leaves).best)
    });
    kept.count() as f64 / questions.len() as f64
}

#[test]
fn many_leaves_choose_as_well_as_one() {
    let questions = questions(300, 22..=30, 5, &mut Solver::new(18));
    let [one, many] = [1, 16].map(|leaves| kept(&questions, leaves));
    assert!(many > one - 0.04, "{one} with one leaf, {many} with sixteen");
}

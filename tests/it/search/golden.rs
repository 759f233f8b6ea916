//! Our trees against those that mctx grew on the same problems, node by node and in the same order
//! (`golden/mctx_trees.py` made them).

use std::collections::HashMap;

use maydan::{
    game::{Game, History, Side, random},
    search::{Cache, Mode, ROOT, Search, SearchConfig},
};
use serde::Deserialize;

use crate::support::search_explicit;

use search_explicit::{Explicit, Place, finish};

#[derive(Deserialize)]
struct Problem {
    name: String,
    config: SearchConfig,
    legal: Vec<usize>,
    noise: Vec<f32>,
    action: usize,
    action_weights: Vec<f32>,
    nodes: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    index: i64,
    side: usize,
    result: Option<i32>,
    #[serde(default)]
    visits: u32,
    #[serde(default)]
    raw_value: f32,
    #[serde(default)]
    value: f32,
    #[serde(default)]
    logits: Vec<f32>,
    #[serde(default)]
    children: Vec<i64>,
    #[serde(default)]
    child_visits: Vec<u32>,
    #[serde(default)]
    child_q: Vec<f32>,
}

fn problems() -> Vec<Problem> {
    serde_json::from_str(include_str!("../../golden/mctx_trees.json")).expect("the golden file")
}

/// The problem as a game that knows the way only as far as mctx went; a step beyond leads to a place that does not
/// exist.
fn game(problem: &Problem) -> Game<Explicit> {
    const BEYOND: usize = usize::MAX;
    let place_of: HashMap<i64, usize> = problem.nodes.iter().enumerate().map(|(i, node)| (node.index, i)).collect();
    let place = |(i, node): (usize, &Recorded)| {
        let all: Vec<usize> = (0..node.children.len()).collect();
        let legal = if i == 0 { &problem.legal } else { &all };
        let to = |&action: &usize| (action, place_of.get(&node.children[action]).copied().unwrap_or(BEYOND));
        Place {
            side: [Side::White, Side::Black][node.side],
            result: node.result,
            actions: legal.iter().map(to).collect(),
            logits: legal.iter().filter_map(|&action| node.logits.get(action).copied()).collect(),
            value: node.raw_value,
        }
    };
    Explicit::game(problem.nodes.iter().enumerate().map(place).collect(), 0)
}

fn search(problem: &Problem, config: &SearchConfig, game: &Game<Explicit>) -> Search<Explicit> {
    let mut search = Search::new();
    search.begin(game, config, &0, &History::new(game, &0), &mut random::stream("golden", 0, 0, 0));
    let noise: Vec<f32> = problem.legal.iter().map(|&action| problem.noise[action]).collect();
    search.set_root_noise(&noise);
    finish(game, &mut search, &mut Cache::new(0));
    search
}

fn assert_near(ours: f32, theirs: f32, what: &str, problem: &Problem, node: usize) {
    assert!((ours - theirs).abs() < 1e-5, "{}, node {node}: {what} is {ours}, mctx has {theirs}", problem.name);
}

fn assert_same_tree(problem: &Problem, search: &Search<Explicit>) {
    let name = &problem.name;
    let tree = search.tree();
    let recorded: Vec<(usize, &Recorded)> =
        problem.nodes.iter().enumerate().filter(|(_, node)| node.result.is_none()).collect();
    assert_eq!(tree.len(), recorded.len(), "{name}: number of nodes");
    for (i, &(place, theirs)) in recorded.iter().enumerate() {
        let (ours, edges) = (tree.node(i as u32), tree.edges(i as u32));
        assert_eq!(ours.position, place, "{name}: node {i} is another position, so the order of expansion differs");
        assert_near(ours.raw_value(), theirs.raw_value, "the raw value", problem, i);
        assert_near(tree.value(i as u32), theirs.value, "the value", problem, i);
        assert_eq!(1 + edges.iter().map(|e| e.visits).sum::<u32>(), theirs.visits, "{name}, node {i}: visits");
        for edge in edges {
            assert_eq!(edge.visits, theirs.child_visits[edge.action], "{name}, node {i}: visits of {}", edge.action);
            if let Some(q) = edge.q() {
                assert_near(q, theirs.child_q[edge.action], "q", problem, i);
            }
            if let Some(child) = edge.child() {
                let (to, _) = recorded[child as usize];
                assert_eq!(problem.nodes[to].index, theirs.children[edge.action], "{name}, node {i}: child");
            }
        }
    }
}

#[test]
fn trees_agree_with_mctx() {
    for problem in problems() {
        let game = game(&problem);
        let config = SearchConfig { solver: false, ..problem.config };
        let search = search(&problem, &config, &game);
        assert_same_tree(&problem, &search);

        let result = search.result();
        assert_eq!(search.tree().edges(ROOT).len(), problem.legal.len());
        for action in &result.actions {
            assert_near(action.policy, problem.action_weights[action.action], "the policy target", &problem, 0);
        }
        if config.mode == Mode::Gumbel {
            assert_eq!(result.best().action, problem.action, "{}: the action to play", problem.name);
        }
    }
}

#[test]
fn the_solver_changes_nothing_where_no_game_ends() {
    let mut compared = 0;
    for problem in problems().iter().filter(|problem| problem.nodes.iter().all(|node| node.result.is_none())) {
        let config = SearchConfig { solver: true, ..problem.config };
        assert_same_tree(problem, &search(problem, &config, &game(problem)));
        compared += 1;
    }
    assert!(compared >= 4, "{compared} problems without ends");
}

//! The search as a machine: the same numbers whatever drives it, budgets kept, trees carried from move to move.

use maydan::{
    encode::Rows,
    game::{History, Wdl, random},
    model::{Evaluations, Evaluator, EvaluatorError},
    search::{Cache, Mode, ROOT, Search, SearchConfig, SearchResult, Searcher, Step},
};

use crate::support::{opinionated, toy};

use opinionated::Opinionated;
use toy::TicTacToe;

fn configs() -> [SearchConfig; 3] {
    let base = SearchConfig { playouts: 40, considered_actions: 4, solver: false, ..SearchConfig::default() };
    [
        base,
        SearchConfig { mode: Mode::Puct, ..base },
        SearchConfig { solver: true, rescale_values: true, c_scale: 0.1, ..base },
    ]
}

/// The results of a game played by searches that follow each other.
fn play(config: SearchConfig, cache: usize, evaluator: &mut Opinionated) -> Vec<SearchResult<u8>> {
    let game = TicTacToe::game();
    let mut rng = random::stream("machine", 1, 2, 3);
    let mut searcher = Searcher::new(&game, config, cache);
    let mut position = game.start();
    let mut history = History::new(&game, &position);
    let (mut results, mut legal) = (Vec::new(), Vec::new());
    game.legal_actions(&position, &mut legal);
    while history.outcome(&game, &position, &legal).is_none() {
        let result = searcher.search(&position, &history, evaluator, &mut rng).unwrap();
        let action = result.actions[result.sample(1.0, &mut rng)].action;
        searcher.advance(action);
        game.apply(&mut position, action);
        history.push(&game, &position);
        game.legal_actions(&position, &mut legal);
        results.push(result);
    }
    results
}

/// All that a result says but how it was paid for.
fn free(results: Vec<SearchResult<u8>>) -> Vec<SearchResult<u8>> {
    results.into_iter().map(|result| SearchResult { evaluations: 0, ..result }).collect()
}

#[test]
fn the_cache_saves_evaluations_and_changes_no_result() {
    for config in configs() {
        let (mut without, mut tiny, mut large) =
            (Opinionated::default(), Opinionated::default(), Opinionated::default());
        let expected = free(play(config, 0, &mut without));
        assert_eq!(free(play(config, 8, &mut tiny)), expected);
        assert_eq!(free(play(config, 100_000, &mut large)), expected);
        assert!(large.rows < without.rows, "{} evaluations with a cache, {} without", large.rows, without.rows);
    }
}

#[test]
fn searches_in_lockstep_find_what_they_find_alone() {
    let game = TicTacToe::game();
    let start = game.start();
    let history = History::new(&game, &start);
    for config in configs() {
        let alone: Vec<_> = (0..5)
            .map(|i| {
                let mut searcher = Searcher::new(&game, config, 0);
                let mut rng = random::stream("lockstep", 0, 0, i);
                searcher.search(&start, &history, &mut Opinionated::default(), &mut rng).unwrap()
            })
            .collect();

        let mut cache = Cache::new(1000);
        let mut searches: Vec<Search<TicTacToe>> = vec![Search::new(); 5];
        for (i, search) in searches.iter_mut().enumerate() {
            search.begin(&game, &config, &start, &history, &mut random::stream("lockstep", 0, 0, i as u64));
        }
        let (mut rows, mut evaluations) = (Rows::new(game.layout()), Evaluations::default());
        loop {
            rows.clear();
            let waiting: Vec<&mut Search<TicTacToe>> = searches
                .iter_mut()
                .filter_map(|s| (s.step(&game, &mut cache) == Step::Evaluate).then_some(s))
                .collect();
            if waiting.is_empty() {
                break;
            }
            waiting.iter().for_each(|s| rows.push(&game, s.pending().position, s.pending().repetitions));
            Opinionated::default().evaluate(&rows, &mut evaluations).unwrap();
            for (row, search) in waiting.into_iter().enumerate() {
                search.supply_rows(&game, &mut cache, &evaluations, row);
            }
        }
        let together: Vec<_> = searches.iter().map(Search::result).collect();
        assert_eq!(free(together), free(alone));
    }
}

#[test]
fn a_search_keeps_to_its_budget() {
    for config in configs() {
        for result in play(SearchConfig { reuse_tree: false, ..config }, 0, &mut Opinionated::default()) {
            assert!(result.evaluations <= result.playouts + 1);
            let visits: u32 = result.actions.iter().map(|action| action.visits).sum();
            assert_eq!(visits, result.playouts);
            assert!(result.proof.is_known() || result.playouts == config.playouts);
            let total: f32 = result.wdl.to_array().iter().sum();
            assert!((total - 1.0).abs() < 1e-5, "{:?}", result.wdl);
        }
    }
}

#[test]
fn the_tree_below_the_action_played_is_kept() {
    let game = TicTacToe::game();
    for config in configs() {
        let (mut cache, mut evaluations) = (Cache::new(0), Evaluations::default());
        let mut rng = random::stream("reuse", 0, 0, 0);
        let mut search = Search::new();
        let mut finish = |search: &mut Search<TicTacToe>| {
            let mut rows = Rows::new(game.layout());
            while search.step(&game, &mut cache) == Step::Evaluate {
                rows.clear();
                rows.push(&game, search.pending().position, search.pending().repetitions);
                Opinionated::default().evaluate(&rows, &mut evaluations).unwrap();
                search.supply_rows(&game, &mut cache, &evaluations, 0);
            }
            search.result()
        };
        let mut position = game.start();
        let mut history = History::new(&game, &position);
        search.begin(&game, &config, &position, &history, &mut rng);
        let first = finish(&mut search);

        let best = first.best().action;
        let before = search.tree().edges(ROOT)[first.best];
        let below = search.tree().value(before.child().unwrap());
        search.advance(best);
        game.apply(&mut position, best);
        history.push(&game, &position);
        assert_eq!(search.tree().node(ROOT).position, position);
        assert_eq!(search.tree().value(ROOT), below);
        let kept: u32 = search.tree().edges(ROOT).iter().map(|edge| edge.visits).sum();
        assert_eq!(kept + 1, before.visits);

        search.begin(&game, &config, &position, &history, &mut rng);
        let second = finish(&mut search);
        let visits: u32 = second.actions.iter().map(|action| action.visits).sum();
        assert_eq!(visits, kept + second.playouts, "the budget counts new playouts alone");

        // Without `advance` the next search of the very same position starts afresh, as a new game must.
        search.begin(&game, &config, &position, &history, &mut rng);
        assert!(search.tree().is_empty());
        finish(&mut search);
        // And a tree for another position is never taken for this one.
        search.advance(second.best().action);
        search.begin(&game, &config, &position, &history, &mut rng);
        assert!(search.tree().is_empty());
    }
}

#[test]
fn a_config_out_of_range_is_named() {
    let message = SearchConfig { playouts: 0, ..SearchConfig::default() }.validate().unwrap_err().to_string();
    assert_eq!(message, "playouts: expected 1 to 1000000, found 0");
    let message = SearchConfig { c_scale: f32::NAN, ..SearchConfig::default() }.validate().unwrap_err().to_string();
    assert_eq!(message, "c_scale: expected 0 to 1000, found NaN");
    for c_puct_deviation in [-0.4, 1e-30, 1.5, f32::NAN] {
        let error = SearchConfig { c_puct_deviation, ..SearchConfig::default() }.validate().unwrap_err().to_string();
        assert!(error.starts_with("c_puct_deviation: expected 0, or 0.001 to 1, found "), "{error}");
    }
    assert!(toml::from_str::<SearchConfig>("playout = 3").unwrap_err().message().contains("unknown field"));
    let config: SearchConfig = toml::from_str("mode = \"puct\"\nplayouts = 3").unwrap();
    assert_eq!((config.mode, config.playouts, config.validate()), (Mode::Puct, 3, Ok(())));
}

/// Judges positions by both sides' marks, White's first: the side of White's win, draw and loss, and the plies left.
struct ByMarks(fn(u64, u64) -> ([f32; 3], f32));

impl Evaluator for ByMarks {
    fn batch_size(&self) -> usize {
        16
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        out.logits.in_order(9).extend(std::iter::repeat_n(0.0, 9 * rows.len()));
        out.wdl.clear();
        out.moves_left.clear();
        for row in 0..rows.len() {
            let black = usize::from(rows.scalars(row)[0] == 1.0);
            let (wdl, plies) = (self.0)(rows.bits(row)[black], rows.bits(row)[1 - black]);
            let wdl = Wdl::from(wdl);
            out.wdl.push(if black == 1 { wdl.flipped() } else { wdl });
            out.moves_left.push(plies);
        }
        Ok(())
    }
}

/// With White on the first square the game is a draw, on the second it is nearly as often lost as won, else it is lost.
const RISKS: ByMarks = ByMarks(|white, _| match (white & 1, white >> 1 & 1) {
    (1, _) => ([0.0, 1.0, 0.0], 0.0),
    (_, 1) => ([0.45, 0.0, 0.55], 0.0),
    _ => ([0.0, 0.1, 0.9], 0.0),
});

/// A search from the start without noise and without proofs.
fn search(mut evaluator: ByMarks, config: SearchConfig) -> Search<TicTacToe> {
    let game = TicTacToe::game();
    let base = SearchConfig { considered_actions: 9, gumbel_scale: 0.0, solver: false, ..config };
    let config = SearchConfig { dirichlet_fraction: 0.0, ..base };
    let position = game.start();
    let (mut search, mut cache, mut rows) = (Search::new(), Cache::new(0), Rows::new(game.layout()));
    let (mut evaluations, mut rng) = (Evaluations::default(), random::stream("machine", 1, 2, 3));
    search.begin(&game, &config, &position, &History::new(&game, &position), &mut rng);
    while search.step(&game, &mut cache) == Step::Evaluate {
        rows.clear();
        rows.push(&game, search.pending().position, search.pending().repetitions);
        evaluator.evaluate(&rows, &mut evaluations).unwrap();
        search.supply_rows(&game, &mut cache, &evaluations, 0);
    }
    search
}

const MODES: [Mode; 2] = [Mode::Gumbel, Mode::Puct];

#[test]
fn a_side_that_dislikes_draws_takes_a_risk() {
    let best = |mode: Mode, draw_score: f32, contempt: f32| {
        let result = search(RISKS, SearchConfig { mode, draw_score, contempt, ..SearchConfig::default() }).result();
        let likeliest = result.actions.iter().max_by(|a, b| a.policy.total_cmp(&b.policy)).unwrap();
        assert_eq!(likeliest.action, result.best().action);
        (result.best().action, result.actions[0].q)
    };
    for mode in MODES {
        assert_eq!(best(mode, 0.0, 0.0), (0, 0.0), "{mode:?}");
        // What is reported stays win less loss.
        assert_eq!(best(mode, -0.4, 0.0), (1, 0.0), "{mode:?}");
        assert_eq!(best(mode, 0.0, 0.4), (1, 0.0), "{mode:?}");
        assert_eq!(best(mode, 0.4, 0.0).0, 0, "{mode:?}");
        assert_eq!(best(mode, 0.4, 0.4).0, 0, "{mode:?}");
    }
}

/// Black may answer with a draw, or with something a little better than one.
#[test]
fn contempt_expects_the_other_side_to_like_draws() {
    let evaluator = || ByMarks(|_, black| (if black & 1 == 1 { [0.0, 1.0, 0.0] } else { [0.45, 0.0, 0.55] }, 0.0));
    let draws = |mode: Mode, draw_score: f32, contempt: f32| {
        let search =
            search(evaluator(), SearchConfig { mode, playouts: 1000, draw_score, contempt, ..SearchConfig::default() });
        let answer = search.tree().principal_variation(Some(4)).nth(1).unwrap().1.action;
        answer == 0
    };
    for mode in MODES {
        let answers =
            [(0.0, 0.0), (0.0, 0.4), (0.0, -0.4), (-0.4, 0.0)].map(|(draw, contempt)| draws(mode, draw, contempt));
        assert_eq!(answers, [false, true, false, false], "{mode:?}");
    }
}

/// White wins wherever the mark goes, soonest on the sixth square, latest on the third; or loses so.
#[test]
fn moves_left_wins_sooner_and_loses_later() {
    let best = |mode: Mode, moves_left: f32, evaluator: ByMarks| {
        search(evaluator, SearchConfig { mode, moves_left, ..SearchConfig::default() }).result().best().action
    };
    fn length(white: u64) -> f32 {
        match (white >> 5 & 1, white >> 2 & 1) {
            (1, _) => 20.0,
            (_, 1) => 80.0,
            _ => 40.0,
        }
    }
    let won = || ByMarks(|white, _| ([0.95, 0.0, 0.05], length(white)));
    let lost = || ByMarks(|white, _| ([0.05, 0.0, 0.95], length(white)));
    let open = || ByMarks(|white, _| ([0.6, 0.0, 0.4], length(white)));
    for mode in MODES {
        let all = [won(), lost(), open()].map(|evaluator| best(mode, 0.2, evaluator));
        assert_eq!(all, [5, 2, 0], "{mode:?}");
        assert_eq!(best(mode, 0.0, won()), 0, "{mode:?}");
    }
}

/// White likes the first square and the third, and Black the fifth.
fn liked(white: u64, black: u64, scale: f32) -> ([f32; 3], f32) {
    let value = 0.5 * (white & 1) as f32 + 0.2 * (white >> 2 & 1) as f32 - 0.4 * (black >> 4 & 1) as f32;
    ([(1.0 + scale * value) / 2.0, 0.0, (1.0 - scale * value) / 2.0], 0.0)
}

/// With exploration in proportion to the deviation of values, it does not matter how large they all are.
#[test]
fn exploration_follows_the_deviation_of_values() {
    let visits = |evaluator: ByMarks, c_puct_init: f32, c_puct_deviation: f32| {
        let base = SearchConfig { mode: Mode::Puct, playouts: 30, fpu_reduction: 0.0, ..SearchConfig::default() };
        let config = SearchConfig { c_puct_init, c_puct_base: 1e9, c_puct_deviation, ..base };
        let search = search(evaluator, config);
        search.tree().edges(ROOT).iter().map(|edge| edge.visits).collect::<Vec<_>>()
    };
    let large = || ByMarks(|white, black| liked(white, black, 1.0));
    let small = || ByMarks(|white, black| liked(white, black, 0.1));
    let [of_large, of_small] = [large(), small()].map(|evaluator| visits(evaluator, 0.01, 0.005));
    assert!(of_large[0] > 2 * of_large[1], "{of_large:?}");
    let apart: u32 = of_large.iter().zip(&of_small).map(|(a, b)| a.abs_diff(*b)).sum();
    assert!(apart <= 2, "{of_large:?} {of_small:?}");
    let [of_large, of_small] = [large(), small()].map(|evaluator| visits(evaluator, 0.5, 0.0));
    let apart: u32 = of_large.iter().zip(&of_small).map(|(a, b)| a.abs_diff(*b)).sum();
    assert!(apart > 8, "{of_large:?} {of_small:?}");
}

//! Cache, kept tree and repetition together, on a game that goes in circles: what was said of a position when it was
//! new must not be taken for what is said of it when it comes again.

use crate::support::opinionated;

use maydan::{
    game::{
        Game, History, random,
        shatara::{Action, Shatara},
    },
    search::{Mode, SearchConfig, SearchResult, Searcher},
};
use opinionated::Opinionated;

/// Locked pawns: at first only the kings can move.
const CIRCLE: &str = "7k/5p1p/5P1P/8/8/p1p5/P1P5/K7[] w - - - 0 1";

/// What the searches of a game find, and how often one began at a position that had occurred before.
fn play(game: &Game<Shatara>, config: SearchConfig, cache: usize, number: u64) -> (Vec<SearchResult<Action>>, usize) {
    let mut rng = random::stream("circle", 0, 0, number);
    let mut searcher = Searcher::new(game, config, cache);
    let mut evaluator = Opinionated::default();
    let mut position = game.parse_position(CIRCLE).unwrap();
    let mut history = History::new(game, &position);
    let (mut results, mut repeated, mut legal) = (Vec::new(), 0, Vec::new());
    game.legal_actions(&position, &mut legal);
    while history.outcome(game, &position, &legal).is_none() && results.len() < 30 {
        repeated += usize::from(history.repetitions(game, &position) > 0);
        let result = searcher.search(&position, &history, &mut evaluator, &mut rng).unwrap();
        let action = result.actions[result.sample(1.0, &mut rng)].action;
        searcher.advance(action);
        game.apply(&mut position, action);
        history.push(game, &position);
        game.legal_actions(&position, &mut legal);
        results.push(SearchResult { evaluations: 0, ..result });
    }
    (results, repeated)
}

#[test]
fn the_cache_tells_a_repetition_from_a_first_visit() {
    let game = Shatara::chess(&toml::Table::new()).unwrap();
    let base = SearchConfig { playouts: 80, considered_actions: 4, solver: false, ..SearchConfig::default() };
    for config in [base, SearchConfig { mode: Mode::Puct, ..base }, SearchConfig { solver: true, ..base }] {
        assert!(config.reuse_tree);
        let mut all_repeated = 0;
        for number in 0..4 {
            let (expected, repeated) = play(&game, config, 0, number);
            all_repeated += repeated;
            for cache in [16, 100_000] {
                assert!(play(&game, config, cache, number).0 == expected, "a cache of {cache} changes {config:?}");
            }
        }
        assert!(all_repeated > 0, "no position came again");
    }
}

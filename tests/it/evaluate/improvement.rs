//! What a search adds to a policy, on tic-tac-toe with an evaluator that knows nothing.

use maydan::{
    evaluate::{Contender, Improvement, ImprovementConfig, improvement, match_search},
    model::Uniform,
    search::SearchConfig,
};

use crate::support::toy::TicTacToe;

fn measured(settings: &[SearchConfig], threads: usize) -> Vec<Improvement> {
    let network = Contender::Network {
        evaluator: Box::new(|batch_size| Ok(Box::new(Uniform { batch_size }))),
        leaves: 1,
        search: match_search(1),
    };
    let config = ImprovementConfig { positions: 60, plies: 1..=6, value_playouts: 200, repeats: 4, seed: 3, threads };
    improvement(&TicTacToe::game(), &network, settings, &config, &|_| {}).unwrap()
}

fn gumbel(playouts: u32) -> SearchConfig {
    SearchConfig { playouts, ..SearchConfig::default() }
}

#[test]
fn deeper_searches_gain_more_and_threads_change_nothing() {
    let settings = [gumbel(4), gumbel(64), gumbel(4)];
    let found = measured(&settings, 1);
    assert_eq!(found, measured(&settings, 3));
    let [shallow, deep, again] = &found[..] else { panic!("{found:?}") };
    assert!(shallow.gain.low > 0.0 && deep.over_first.low > 0.0, "{found:?}");
    assert!(deep.regret.estimate < shallow.regret.estimate, "{found:?}");
    assert_eq!((again.over_first.estimate, again.gain), (0.0, shallow.gain));
    assert_eq!(shallow.gain.n, 60);
}

#[test]
fn without_noise_searches_of_a_position_agree() {
    let quiet = SearchConfig { gumbel_scale: 0.0, ..gumbel(8) };
    let found = measured(&[quiet, gumbel(8)], 2);
    assert!(found[0].noise.estimate.abs() < 1e-6, "{found:?}");
    assert!(found[1].noise.estimate > 0.005, "{found:?}");
}

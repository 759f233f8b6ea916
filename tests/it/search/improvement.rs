//! Whether search makes a player better, measured where the truth is known: on Connect Four, with an evaluator whose
//! values are the truth and noise.

use std::sync::atomic::AtomicBool;

use maydan::{
    evaluate::{Contender, MatchConfig, match_search, play_match},
    game::{Game, History, random},
    search::{Mode, SearchConfig, SearchResult, Searcher},
};

use crate::support::{connect_four, noisy};

use connect_four::{
    game::ConnectFour,
    solver::Solver,
    yardstick::{Question, questions},
};
use noisy::Noisy;

/// Searches of self-play, noise at the root included: with some of the actions considered, with all of them, and PUCT.
/// Without proofs, which would make up for much that is wrong with the values.
fn configs() -> [SearchConfig; 3] {
    let base = SearchConfig { playouts: 32, considered_actions: 4, solver: false, ..SearchConfig::default() };
    [base, SearchConfig { considered_actions: 16, ..base }, SearchConfig { mode: Mode::Puct, ..base }]
}

fn asked(count: usize) -> Vec<Question> {
    questions(count, 22..=30, 3, &mut Solver::new(18))
}

/// Half of a value is truth; as much may be noise.
fn evaluator() -> Noisy {
    Noisy::new(0.5, 0.5, 0)
}

fn search(
    game: &Game<ConnectFour>,
    config: SearchConfig,
    question: &Question,
    evaluator: &mut Noisy,
    number: u64,
) -> SearchResult<u8> {
    let mut rng = random::stream("improvement", 0, 0, number);
    let history = History::new(game, &question.board);
    Searcher::new(game, config, 0).search(&question.board, &history, evaluator, &mut rng).unwrap()
}

/// J(p) = sum_a p(a) v(a), with the true values v: what playing by a policy is worth where all goes right afterwards.
fn worth(question: &Question, policy: impl Iterator<Item = f32>) -> f64 {
    question.values.iter().zip(policy).map(|(&value, share)| f64::from(value) * f64::from(share)).sum()
}

/// The claim of the paper behind the Gumbel search is that the target is no worse a policy than the prior (Danihelka et
/// al. 2022); PUCT makes none, but is of no use otherwise.
#[test]
fn the_target_is_a_better_policy_than_the_prior() {
    let (game, questions, mut evaluator) = (ConnectFour::game(), asked(300), evaluator());
    for config in configs() {
        let (mut prior, mut target) = (0.0, 0.0);
        for (question, number) in questions.iter().zip(0..) {
            let result = search(&game, config, question, &mut evaluator, number);
            prior += worth(question, result.actions.iter().map(|action| action.prior)) / questions.len() as f64;
            target += worth(question, result.policy()) / questions.len() as f64;
        }
        println!("J(prior) {prior:.3}, J(target) {target:.3}: {config:?}");
        assert!(target > prior + 0.2, "J(prior) {prior}, J(target) {target}: {config:?}");
    }
}

/// Searches of one position that differ in the noise at the root alone teach much the same: the mean divergence of
/// their targets from the mean target, in nats. Where only some actions are considered, noise chooses which.
#[test]
fn noise_at_the_root_changes_the_target_little() {
    const REPEATS: u64 = 4;
    let (game, questions, mut evaluator) = (ConnectFour::game(), asked(100), evaluator());
    for (config, most) in configs().into_iter().zip([0.6, 0.1, 0.1]) {
        let mut divergence = 0.0;
        for question in &questions {
            let targets: Vec<Vec<f32>> = (0..REPEATS)
                .map(|number| search(&game, config, question, &mut evaluator, number).policy().collect())
                .collect();
            let mean = |action: usize| targets.iter().map(|target| target[action]).sum::<f32>() / REPEATS as f32;
            for target in &targets {
                let terms = target.iter().enumerate().filter(|(_, share)| **share > 0.0);
                let sum: f32 = terms.map(|(action, &share)| share * (share / mean(action)).ln()).sum();
                divergence += f64::from(sum) / (REPEATS as usize * questions.len()) as f64;
            }
        }
        println!("divergence {divergence:.3}: {config:?}");
        assert!(divergence < most, "{divergence}: {config:?}");
    }
}

#[test]
fn more_playouts_win_more_points() {
    let game = ConnectFour::game();
    let player = |playouts| Contender::Network {
        evaluator: Box::new(|_| Ok(Box::new(Noisy::new(0.5, 0.5, 20)))),
        leaves: 1,
        search: SearchConfig { solver: false, ..match_search(playouts) },
    };
    let config = MatchConfig { games: 60, opening_plies: 8, ..MatchConfig::default() };
    let names = ["64 playouts", "8 playouts"];
    let go_on = AtomicBool::new(false);
    let report = play_match(&game, [&player(64), &player(8)], names, &config, &go_on, |_, _| {}).unwrap();
    let total = report.total();
    println!("{total:?}");
    assert!(total.score() > 0.6, "{total:?}");
}

//! The whole loop on a game whose truth is known: after some seconds of tiny generations tic-tac-toe is never lost
//! again.

use crate::support::{solved::solve, toy};

use std::sync::{Arc, atomic::AtomicBool};

use maydan::{
    console::Ending,
    data::{ReplayBuffer, Sampler},
    disk::ConfigChange,
    encode::Rows,
    evaluate::match_search,
    game::{Game, History, Side, random},
    model::{Checkpoint, Evaluations, Evaluator, LibtorchEvaluator, Plan, Weights},
    pipeline::{Config, Run},
    search::{Searcher, gather_logits},
    train::Trainer,
};
use tch::Device;
use toy::{Grid, TicTacToe};

const CONFIG: &str = r#"
game = "tictactoe"
[run]
seed = 1
generations = 24
batch_size = 32
[model]
blocks = 1
channels = 16
policy_channels = 16
value_channels = 16
value_hidden = 16
[selfplay]
games = 200
games_per_file = 200
shards = 1
slots = 32
[selfplay.opening]
max_plies = 6
temperature = 2.0
[selfplay.search]
playouts = 32
considered_actions = 9
[train]
batch_size = 64
threads = 1
warmup_steps = 20
[evaluate]
every = 0
"#;

/// So few that the search with a network that knows nothing loses, solver and all.
const PLAYOUTS: u32 = 24;

/// Lines that the network loses as `own` when it answers as it likes and the other side tries everything, and all lines
/// there are.
struct Lines<'a> {
    game: &'a Game<TicTacToe>,
    own: Side,
    evaluator: &'a mut dyn Evaluator,
    lost: usize,
    played: usize,
}

impl Lines<'_> {
    fn follow(&mut self, grid: &Grid) {
        let mut legal = Vec::new();
        self.game.legal_actions(grid, &mut legal);
        if let Some(outcome) = self.game.outcome(grid, &legal, 0) {
            self.lost += usize::from(outcome.winner == Some(!self.own));
            self.played += 1;
            return;
        }
        if self.game.side_to_move(grid) == self.own {
            legal = vec![self.answer(grid)];
        }
        for action in legal {
            let mut next = *grid;
            self.game.apply(&mut next, action);
            self.follow(&next);
        }
    }

    fn answer(&mut self, grid: &Grid) -> u8 {
        let config = match_search(PLAYOUTS);
        let mut rng = random::stream("toy", 0, 0, 0);
        let history = History::new(self.game, grid);
        let result = Searcher::new(self.game, config, 0).search(grid, &history, self.evaluator, &mut rng).unwrap();
        result.best().action
    }
}

fn lines(game: &Game<TicTacToe>, weights: &Weights) -> (usize, usize) {
    let mut evaluator = LibtorchEvaluator::new(weights, Device::Cpu, Plan::F32, 1).unwrap();
    let [white, black] = [Side::White, Side::Black].map(|own| {
        let mut lines = Lines { game, own, evaluator: &mut evaluator, lost: 0, played: 0 };
        lines.follow(&game.start());
        (lines.lost, lines.played)
    });
    (white.0 + black.0, white.1 + black.1)
}

/// What the network knows without a search, over all positions: the share in which its likeliest action keeps the value,
/// and the mean of its value times the true one over positions that are won or lost.
fn knowledge(game: &Game<TicTacToe>, weights: &Weights) -> (f64, f64) {
    let mut evaluator = LibtorchEvaluator::new(weights, Device::Cpu, Plan::F32, 64).unwrap();
    let (mut kept, mut decided, mut agreement) = (0, 0, 0.0);
    let all = solve(game);
    let mut legal = Vec::new();
    for part in all.chunks(64) {
        let (mut rows, mut evaluations) = (Rows::new(game.layout()), Evaluations::default());
        part.iter().for_each(|solved| rows.push(game, &solved.position, 0));
        evaluator.evaluate(&rows, &mut evaluations).unwrap();
        let mut logits = Vec::new();
        for (row, solved) in part.iter().enumerate() {
            game.legal_actions(&solved.position, &mut legal);
            gather_logits(game, &solved.position, &legal, &evaluations.logits, row, &mut logits);
            let likeliest = (0..legal.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap();
            kept += usize::from(solved.best.contains(&legal[likeliest]));
            if solved.value != 0 {
                decided += 1;
                agreement += f64::from(evaluations.wdl[row].value()) * f64::from(solved.value);
            }
        }
    }
    (kept as f64 / all.len() as f64, agreement / f64::from(decided))
}

/// A network trained on a run's games; with `negated`, on the contrary of their values.
fn trained(game: &Game<TicTacToe>, run: &Run<TicTacToe>, config: &Config, negated: bool) -> Weights {
    let mut buffer = ReplayBuffer::new(game.ruleset().clone(), game.layout(), config.window, config.train.value_lambda);
    assert!(buffer.refresh(run.directory().data(), u64::MAX - 1).unwrap().is_empty());
    let sampler = Sampler::new(game, &buffer, config.sampler, config.train.batch_size, 1, 0).unwrap();
    let fresh = Checkpoint::load_for(&run.directory().checkpoint(0), game).unwrap();
    let mut trainer = Trainer::new(config.train.clone(), fresh.weights().unwrap(), Device::Cpu).unwrap();
    for step in 0..600 {
        let mut batch = sampler.batch(step);
        if negated {
            for wdl in batch.wdl.iter_mut().chain(&mut batch.search_wdl) {
                *wdl = wdl.flipped();
            }
        }
        trainer.step(&batch).unwrap();
    }
    trainer.playing_weights().unwrap()
}

#[test]
fn the_trained_network_never_loses() {
    let folder = tempfile::tempdir().unwrap();
    let game = TicTacToe::game();
    let config = Config::parse(CONFIG, "toy", &[]).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let mut run = Run::open(game.clone(), config.clone(), folder.path(), "toy", ConfigChange::Refuse, stop).unwrap();
    assert_eq!(run.train(None).unwrap(), Ending::Done);
    let network = |generation| Checkpoint::load_for(&run.directory().checkpoint(generation), &game).unwrap();
    let (lost, played) = lines(&game, network(0).weights().unwrap());
    println!("untrained: {lost} of {played} lines lost");
    assert!(lost > 0, "the search alone never loses: too many playouts to tell");
    let (lost, played) = lines(&game, network(24).weights().unwrap());
    assert!(lost == 0 && played > 50, "{lost} of {played} lines lost");

    // The search hides what a head does not know; here each is on its own.
    let [(kept_before, agreed_before), (kept, agreed)] =
        [0, 24].map(|generation| knowledge(&game, network(generation).weights().unwrap()));
    println!("alone: values kept {kept_before:.3} -> {kept:.3}, agreement {agreed_before:.3} -> {agreed:.3}");
    assert!(kept > 0.8 && kept > kept_before + 0.1, "{kept_before} -> {kept}");
    assert!(agreed > 0.5 && agreed_before.abs() < 0.2, "{agreed_before} -> {agreed}");

    // The same games with the contrary of their values make a network that knows the contrary, and loses.
    let [right, wrong] = [false, true].map(|negated| trained(&game, &run, &config, negated));
    let [(_, right_agreed), (_, wrong_agreed)] = [&right, &wrong].map(|weights| knowledge(&game, weights));
    let [(right_lost, _), (wrong_lost, _)] = [&right, &wrong].map(|weights| lines(&game, weights));
    println!("agreement {right_agreed:.3}, negated {wrong_agreed:.3}; lost {right_lost}, negated {wrong_lost}");
    assert!(right_agreed > 0.5 && wrong_agreed < -0.5, "{right_agreed} {wrong_agreed}");
    assert!(wrong_lost > 2 * right_lost, "{wrong_lost} {right_lost}");
}

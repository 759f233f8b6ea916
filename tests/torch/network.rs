//! The network as an evaluator: what it says of a row depends on that row alone, and on the whole board.

use crate::support::{processor::has_avx512, solved, toy};

use std::sync::Arc;

use maydan::{
    encode::Rows,
    game::{Layout, PlaneInfo, random},
    model::{
        Architecture, Background, Evaluations, Evaluator, EvaluatorError, LibtorchEvaluator, ModelConfig, Network,
        NetworkShape, Plan, Pooling, Weights, device, write_planes,
    },
};
use rand::Rng as _;
use std::sync::LazyLock;
use tch::{Device, Kind, Tensor};
use toy::TicTacToe;

static LARGE: LazyLock<Layout> = LazyLock::new(|| {
    let planes = |n: usize| (0..n).map(|i| PlaneInfo::new(i.to_string(), "", "")).collect();
    Layout {
        version: 1,
        height: 12,
        width: 12,
        board: None,
        bit_planes: planes(20),
        scalars: planes(7),
        action_planes: planes(30),
    }
});

fn random_rows(layout: &'static Layout, count: usize) -> Rows {
    let mut random = random::stream("test", 3, 0, 0);
    let mut rows = Rows::new(layout);
    for _ in 0..count {
        let row = rows.push_blank();
        row.bits.iter_mut().for_each(|word| *word = random.random::<u64>() & random.random::<u64>());
        row.scalars.iter_mut().for_each(|value| *value = random.random());
    }
    rows
}

fn only(rows: &Rows, picked: &[usize]) -> Rows {
    let mut out = Rows::new(rows.layout());
    for &i in picked {
        let row = out.push_blank();
        row.bits.copy_from_slice(rows.bits(i));
        row.scalars.copy_from_slice(rows.scalars(i));
    }
    out
}

fn weights(layout: &Layout, config: ModelConfig) -> Weights {
    Weights::random(Arc::new(Architecture::of(config, layout).unwrap()), 1)
}

fn evaluator(weights: &Weights, batch_size: usize) -> LibtorchEvaluator {
    planned(weights, Plan::F32, batch_size)
}

fn planned(weights: &Weights, plan: Plan, batch_size: usize) -> LibtorchEvaluator {
    LibtorchEvaluator::new(weights, Device::Cpu, plan, batch_size).unwrap()
}

fn in_bytes(weights: &Weights, batch_size: usize, sample: &Rows) -> Result<LibtorchEvaluator, EvaluatorError> {
    LibtorchEvaluator::with_sample(weights, Device::Cpu, Plan::Int8, batch_size, sample)
}

fn evaluate(evaluator: &mut LibtorchEvaluator, rows: &Rows) -> Evaluations {
    let mut out = Evaluations::default();
    evaluator.evaluate(rows, &mut out).unwrap();
    out
}

const POOLINGS: [Pooling; 3] = [Pooling::Global, Pooling::SqueezeExcite, Pooling::None];

#[test]
fn planes_are_the_unpacked_rows_channels_last() {
    let rows = random_rows(&LARGE, 3);
    let (squares, channels) = (LARGE.squares(), LARGE.channels());
    let mut planes = vec![9.0; 3 * squares * channels];
    write_planes(&rows, &mut planes, |value| value);
    let mut unpacked = vec![0.0; squares * channels];
    for i in 0..3 {
        rows.unpack(i, &mut unpacked);
        for square in 0..squares {
            for channel in 0..channels {
                let found = planes[(i * squares + square) * channels + channel];
                assert_eq!(found, unpacked[channel * squares + square], "row {i} square {square} channel {channel}");
            }
        }
    }
}

#[test]
fn a_row_has_the_same_bits_alone_and_in_any_company() {
    let cases = [
        (Pooling::Global, 32, Plan::F32),
        (Pooling::SqueezeExcite, 16, Plan::Bf16),
        (Pooling::None, 24, Plan::F32),
        (Pooling::Global, 16, Plan::F32Fused),
        (Pooling::SqueezeExcite, 32, Plan::Bf16Fused),
        (Pooling::Global, 32, Plan::Bf16Fused),
        (Pooling::Global, 32, Plan::Int8),
        (Pooling::None, 24, Plan::Int8),
    ];
    // With AVX2 alone what is fused in 32 bits rounds by the place in the batch; `auto` leaves it out there.
    let rounds_alike = |plan: Plan| has_avx512() || !matches!(plan, Plan::F32Fused | Plan::Int8);
    for (pooling, channels, plan) in cases.into_iter().filter(|case| rounds_alike(case.2)) {
        let sizes = ModelConfig { blocks: 2, channels, ..ModelConfig::default() };
        let config = ModelConfig { pooling, pooling_every: 1, ..sizes };
        let rows = random_rows(&LARGE, 32);
        let mut evaluator = match plan {
            Plan::Int8 => in_bytes(&weights(&LARGE, config), 32, &rows).unwrap(),
            _ => planned(&weights(&LARGE, config), plan, 32),
        };
        let all = evaluate(&mut evaluator, &rows);
        for i in [0, 1, 5, 15, 16, 30, 31] {
            for company in [vec![i], vec![3, i, 7], (0..32).rev().collect()] {
                let out = evaluate(&mut evaluator, &only(&rows, &company));
                let at = company.iter().position(|&row| row == i).unwrap();
                let (found, expected) = (out.logits.to_vec(at), all.logits.to_vec(i));
                assert!(found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{plan:?}, row {i}");
                assert_eq!((out.wdl[at], out.moves_left[at]), (all.wdl[i], all.moves_left[i]), "{plan:?}, row {i}");
            }
        }
    }
}

#[test]
fn answers_have_the_shapes_and_ranges_that_the_trait_promises() {
    let game = TicTacToe::game();
    let mut evaluator = evaluator(&weights(game.layout(), ModelConfig::default()), 8);
    let positions = solved::solve(&game);
    let out = evaluate(&mut evaluator, &solved::batch(&game, &positions[..5]).rows);
    assert_eq!((out.logits.actions(), out.logits.rows(), out.wdl.len(), out.moves_left.len()), (9, 5, 5, 5));
    for (wdl, moves_left) in out.wdl.iter().zip(&out.moves_left) {
        let wdl = wdl.to_array();
        assert!((wdl.iter().sum::<f32>() - 1.0).abs() < 1e-5 && wdl.iter().all(|p| *p >= 0.0));
        assert!(*moves_left >= 0.0);
    }
    let none = evaluate(&mut evaluator, &Rows::new(game.layout()));
    assert_eq!((none.logits.rows(), none.wdl.len()), (0, 0));

    let mut out = Evaluations::default();
    let many = evaluator.evaluate(&solved::batch(&game, &positions[..9]).rows, &mut out).unwrap_err();
    assert_eq!(many.to_string(), "evaluator: expected at most 8 rows, found 9");
    let foreign = evaluator.evaluate(&random_rows(&LARGE, 1), &mut out).unwrap_err();
    assert!(foreign.to_string().contains("expected rows of NetworkShape"), "{foreign}");
}

#[test]
fn every_thread_may_have_its_own() {
    let weights = weights(&LARGE, ModelConfig { blocks: 1, channels: 8, ..ModelConfig::default() });
    let rows = random_rows(&LARGE, 4);
    let here = evaluate(&mut evaluator(&weights, 4), &rows);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| evaluate(&mut evaluator(&weights, 4), &rows))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), here);
        }
    });
}

/// libtorch's fusion has state that threads share.
#[test]
fn fused_networks_are_made_and_run_on_several_threads_at_once() {
    let weights = weights(&LARGE, ModelConfig { blocks: 1, channels: 8, ..ModelConfig::default() });
    let rows = random_rows(&LARGE, 4);
    let fused = || LibtorchEvaluator::new(&weights, Device::Cpu, Plan::F32Fused, 4).unwrap();
    let here = evaluate(&mut fused(), &rows);
    std::thread::scope(|scope| {
        let make = || (0..12).map(|_| evaluate(&mut fused(), &rows)).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(make)).collect();
        for thread in threads {
            assert!(thread.join().unwrap().iter().all(|answer| *answer == here));
        }
    });
}

/// On a board without holes and on one with.
#[test]
fn every_plan_says_nearly_what_f32_says() {
    let holey = Layout { board: Some(4), ..LARGE.clone() };
    let holey: &'static Layout = Box::leak(Box::new(holey));
    for (layout, pooling) in [&*LARGE, holey].into_iter().flat_map(|layout| POOLINGS.map(|pooling| (layout, pooling))) {
        let sizes = ModelConfig { blocks: 2, channels: 16, ..ModelConfig::default() };
        let config = ModelConfig { pooling, pooling_every: 1, ..sizes };
        let (weights, rows) = (weights(layout, config), random_rows(layout, 4));
        let exact = evaluate(&mut evaluator(&weights, 4), &rows);
        for (plan, limit) in [(Plan::F32Fused, 1e-4), (Plan::Bf16, 0.05), (Plan::Bf16Fused, 0.05), (Plan::Int8, 0.05)] {
            let mut evaluator = match (plan, pooling) {
                (Plan::Int8, Pooling::SqueezeExcite) => {
                    let error = in_bytes(&weights, 4, &rows).unwrap_err().to_string();
                    assert!(error.contains("expected pooling = `global` or `none`, found `squeeze_excite`"), "{error}");
                    continue;
                }
                (Plan::Int8, _) => in_bytes(&weights, 4, &rows).unwrap(),
                _ => planned(&weights, plan, 4),
            };
            let rough = evaluate(&mut evaluator, &rows);
            let numbers = |of: &Evaluations| -> Vec<f32> {
                let logits = (0..4).flat_map(|i| of.logits.to_vec(i));
                logits
                    .chain(of.wdl.iter().flat_map(|wdl| wdl.to_array()))
                    .chain(of.moves_left.iter().map(|plies| plies / 32.0))
                    .collect()
            };
            let apart = numbers(&exact).iter().zip(numbers(&rough)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < limit, "{} {pooling:?}: {apart}", plan.name());
        }
    }
}

/// What runs in the background of a GPU runs in the foreground of a processor, by the same two calls.
#[test]
fn the_halves_of_an_evaluation_are_the_whole() {
    let weights = weights(&LARGE, ModelConfig { blocks: 1, channels: 8, ..ModelConfig::default() });
    let (first, second) = (random_rows(&LARGE, 4), only(&random_rows(&LARGE, 4), &[2, 0]));
    let mut evaluator = evaluator(&weights, 4);
    assert!(evaluator.background().is_none(), "a processor computes while it is asked");
    let whole = [evaluate(&mut evaluator, &first), evaluate(&mut evaluator, &second)];
    let mut out = Evaluations::default();
    for (rows, expected) in [&first, &second].into_iter().zip(whole) {
        evaluator.start(rows).unwrap();
        let busy = evaluator.start(rows).unwrap_err();
        assert_eq!(busy.to_string(), "evaluator: expected one batch at a time, found another under way");
        evaluator.finish(&mut out).unwrap();
        assert_eq!(out, expected);
    }
    let idle = evaluator.finish(&mut out).unwrap_err();
    assert_eq!(idle.to_string(), "evaluator: expected a batch under way, found none");
}

/// With two blocks a corner of a 12x12 board is out of a 1x1 head's sight, save through pooling.
#[test]
fn pooling_carries_a_corner_to_every_square() {
    for (pooling, reaches) in POOLINGS.into_iter().zip([true, true, false]) {
        let config = ModelConfig { blocks: 2, channels: 16, pooling, pooling_every: 1, ..ModelConfig::default() };
        let network = Network::new(&weights(&LARGE, config), Device::Cpu).unwrap();
        let planes = Tensor::from_slice(&(0..27 * 144).map(|i| (i * 7 % 5) as f32 / 5.0).collect::<Vec<_>>());
        let planes = planes.view([1, 27, 12, 12]);
        let corner = planes.copy();
        let _ = corner.narrow(2, 0, 1).narrow(3, 0, 1).fill_(9.0);
        let trunk = |planes: &Tensor| tch::no_grad(|| network.fold().unwrap().trunk(planes).unwrap());
        let far = |x: &Tensor| x.narrow(2, 11, 1).narrow(3, 11, 1);
        let moved = (far(&trunk(&planes)) - far(&trunk(&corner))).abs().max().double_value(&[]);
        assert_eq!(moved > 1e-6, reaches, "{pooling:?}: {moved}");
    }
}

/// A board with holes all round it is to the network what the board is alone: the holes are nothing to convolutions,
/// pooling and heads.
#[test]
fn holes_are_as_the_outside_of_the_board() {
    let shape = |size, board| NetworkShape {
        encoding: 1,
        channels: 6,
        scalars: 2,
        height: size,
        width: size,
        board,
        action_planes: 3,
    };
    for pooling in POOLINGS {
        let config = ModelConfig { blocks: 3, channels: 8, pooling, pooling_every: 1, ..ModelConfig::default() };
        let alone = Arc::new(Architecture::new(config.clone(), shape(5, None)).unwrap());
        let values = Weights::random(alone.clone(), 1).values().to_vec();
        let holes = Arc::new(Architecture::new(config, shape(9, Some(3))).unwrap());
        let networks = [alone, holes].map(|of| Network::new(&Weights::new(of, values.clone()), Device::Cpu).unwrap());
        // Three planes of bits, the board, and two scalars, which end where the board does.
        let small = Tensor::from_slice(&(0..2 * 6 * 25).map(|i| (i * 7 % 5 > 2) as u8 as f32).collect::<Vec<_>>());
        let small = small.view([2, 6, 5, 5]);
        let _ = small.narrow(1, 3, 1).fill_(1.0);
        let _ = small.narrow(1, 4, 1).fill_(0.7);
        let _ = small.narrow(1, 5, 1).fill_(-0.4);
        let large = small.constant_pad_nd([2, 2, 2, 2]);
        // The value head's counts are of the pieces, and there are as many on the larger grid.
        let [a, b] = [(0, &small), (1, &large)]
            .map(|(i, planes)| tch::no_grad(|| networks[i].fold().unwrap().forward(planes).unwrap()));
        let inner = b.policy.narrow(2, 2, 5).narrow(3, 2, 5);
        for (a, b) in [(a.policy, inner), (a.wdl, b.wdl), (a.moves_left, b.moves_left)] {
            let apart = (&a - &b).abs().max().double_value(&[]);
            assert!(apart < 1e-5, "{pooling:?}: {apart}");
        }
    }
}

#[test]
fn the_value_head_is_told_how_many_pieces_there_are() {
    let config = ModelConfig { blocks: 1, channels: 8, value_channels: 4, value_hidden: 3, ..ModelConfig::default() };
    let architecture = Arc::new(Architecture::of(config, &LARGE).unwrap());
    // Everything is 0 but the first hidden unit's look at the counts and the first logit's look at that unit.
    let mut values = vec![0.0; architecture.len()];
    let mut at = 0;
    for parameter in architecture.parameters() {
        match parameter.name.as_str() {
            "value.hidden.weight" => values[at + 2 * 4..at + 2 * 4 + 27].fill(1.0),
            "value.wdl.weight" => values[at] = 1.0,
            _ => {}
        }
        at += parameter.len();
    }
    let network = Network::new(&Weights::new(architecture, values), Device::Cpu).unwrap();
    let planes = Tensor::zeros([1, 27, 12, 12], (Kind::Float, Device::Cpu));
    let _ = planes.narrow(1, 3, 1).narrow(2, 5, 2).narrow(3, 1, 8).fill_(1.0);
    let _ = planes.narrow(1, 26, 1).fill_(0.25);
    let wdl = tch::no_grad(|| network.fold().unwrap().forward(&planes).unwrap()).wdl;
    assert_eq!(Vec::<f32>::try_from(wdl.squeeze_dim(0)).unwrap(), [16.0 / 8.0 + 0.25, 0.0, 0.0]);
}

#[test]
fn gradients_flow_to_every_weight() {
    for (pooling, board) in POOLINGS.into_iter().flat_map(|pooling| [(pooling, None), (pooling, Some(1))]) {
        let sizes = ModelConfig { blocks: 2, channels: 8, ..ModelConfig::default() };
        let config = ModelConfig { pooling, pooling_every: 1, ..sizes };
        let shape = NetworkShape { board, ..NetworkShape::from(TicTacToe::game().layout()) };
        let weights = Weights::random(Arc::new(Architecture::new(config, shape).unwrap()), 1);
        let mut network = Network::new(&weights, Device::Cpu).unwrap();
        *network.parameters_mut() = network.parameters().set_requires_grad(true);
        let planes = Tensor::from_slice(&(0..8 * 27).map(|i| (i * 7 % 5 > 3) as u8 as f32).collect::<Vec<_>>());
        let heads = network.fold().unwrap().forward(&planes.view([8, 3, 3, 3])).unwrap();
        let loss = heads.policy.square().sum(Kind::Float)
            + heads.wdl.square().sum(Kind::Float)
            + heads.moves_left.sum(Kind::Float);
        let gradient = Tensor::run_backward(&[loss], &[network.parameters()], false, false).remove(0);
        let mut at = 0;
        for parameter in weights.architecture().parameters() {
            let part = gradient.narrow(0, at, parameter.len() as i64).abs().max().double_value(&[]);
            assert!(part > 0.0, "{pooling:?} {}", parameter.name);
            at += parameter.len() as i64;
        }
    }
}

#[test]
fn a_device_that_is_not_there_is_one_line() {
    assert_eq!(device("cpu"), Ok(Device::Cpu));
    let error = device("gpu").unwrap_err();
    assert_eq!(error.to_string(), "device: expected `cpu`, `cuda` or `cuda:N`, found `gpu`");
    assert!(device("cuda:999").unwrap_err().to_string().ends_with("found `cuda:999`"));
}

/// As where memory runs out: the search can stop, and the run be continued.
#[test]
fn what_libtorch_cannot_do_is_an_error_in_one_line() {
    let config = ModelConfig { blocks: 1, channels: 8, ..ModelConfig::default() };
    let network = Network::new(&weights(&LARGE, config), Device::Cpu).unwrap();
    // One row, read over and over, takes no memory; what is computed of so many would take more than can be addressed.
    let shape = NetworkShape::from(&*LARGE);
    let [channels, height, width] = [shape.channels, shape.height, shape.width].map(|size| size as i64);
    let row = Tensor::zeros([1, channels, height, width], (Kind::Float, Device::Cpu));
    let rows = row.expand([1 << 40, channels, height, width], false);
    let error = tch::no_grad(|| network.fold().unwrap().forward(&rows)).unwrap_err();
    let text = EvaluatorError::from(error).to_string();
    assert!(text.starts_with("evaluator: libtorch: ") && text.lines().count() == 1, "{text}");
}

#[test]
fn a_grown_network_says_what_the_small_one_says() {
    let rows = random_rows(&LARGE, 5);
    for pooling in POOLINGS {
        let size = |blocks, channels, policy_channels, value_channels, value_hidden| ModelConfig {
            blocks,
            channels,
            policy_channels,
            value_channels,
            value_hidden,
            pooling,
            ..ModelConfig::default()
        };
        let fresh = weights(&LARGE, size(2, 8, 6, 5, 7));
        let mut random = random::stream("test", 4, 0, 0);
        // Fresh biases are 0 and fresh kernels are centred but for chance: mistakes there would not show.
        let values = fresh.values().iter().map(|value| value + 0.2 * random.random::<f32>()).collect();
        let small = Weights::new(fresh.architecture().clone(), values);
        let expected = evaluate(&mut evaluator(&small, 5), &rows);
        let larger = [size(2, 8, 6, 5, 7), size(5, 8, 6, 5, 7), size(2, 24, 6, 5, 7), size(4, 16, 8, 9, 10)];
        for larger in larger {
            let architecture = Arc::new(Architecture::of(larger.clone(), &LARGE).unwrap());
            let [grown, other] = [1, 2].map(|seed| small.grown(architecture.clone(), seed).unwrap());
            assert_eq!(grown == other, larger == *small.architecture().config(), "what is new is random");
            let found = evaluate(&mut evaluator(&grown, 5), &rows);
            for row in 0..rows.len() {
                let (logits, others) = (expected.logits.to_vec(row), found.logits.to_vec(row));
                let off = logits.iter().zip(&others).map(|(a, b)| (a - b).abs() / (1.0 + a.abs())).fold(0.0, f32::max);
                assert!(off < 1e-4, "{larger:?}: policy is off by {off}");
                let wdl = expected.wdl[row].to_array().into_iter().zip(found.wdl[row].to_array());
                assert!(wdl.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) < 1e-4, "{larger:?}");
                assert!((expected.moves_left[row] - found.moves_left[row]).abs() < 1e-2, "{larger:?}");
            }
        }
        let refused = |small: &Weights, config: ModelConfig| {
            let architecture = Arc::new(Architecture::of(config, &LARGE).unwrap());
            small.grown(architecture, 1).unwrap_err().to_string()
        };
        assert_eq!(refused(&small, size(2, 7, 6, 5, 7)), "channels: expected at least 8, found 7");
        let other = ModelConfig { pooling_every: 1, ..size(2, 8, 6, 5, 7) };
        assert_eq!(refused(&small, other), "pooling_every: expected 2, found 1");
    }
}

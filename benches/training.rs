//! How much of the machine training uses: rows a second of the whole pipeline (rows drawn from Parquet's content,
//! mirrored, unpacked, learnt from) beside those of a bare step, which is forward, loss, backward and optimiser of the
//! same network on data that lies ready in memory.
//!
//! `cargo bench --bench training [-- BATCH_SIZE]`; the two take turns, and medians over the rounds are printed.

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Instant,
};

use maydan::{
    data::{Prefetch, ReplayBuffer, Sampler, SamplerConfig, TrainingBatch, WindowConfig},
    game::{Game, shatara::Shatara},
    model::{Architecture, ModelConfig, Network, Precision, Uniform, Weights, write_planes},
    selfplay::{Generation, SelfPlayConfig},
    train::{TrainConfig, Trainer},
};
use tch::{Device, Kind, Reduction, Tensor};

const NETWORKS: [(usize, usize); 2] = [(4, 32), (6, 64)];
const ROUNDS: usize = 7;
/// What one turn takes, about.
const TURN_SECONDS: f64 = 1.5;

fn main() {
    let batch_size = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(512);
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let game = Shatara::game(&toml::Table::new()).expect("the preset");
    play(&game, folder.path());
    let (window, lambda) = (WindowConfig::default(), TrainConfig::default().value_lambda);
    let mut buffer = ReplayBuffer::new(game.ruleset().clone(), game.layout(), window, lambda);
    assert!(buffer.refresh(folder.path(), 0).expect("games just written").is_empty());
    let config = SamplerConfig::default();
    let sampler = Arc::new(Sampler::new(&game, &buffer, config, batch_size, 1, 0).expect("rows"));
    let threads = thread::available_parallelism().map_or(1, |cores| cores.get());
    println!("batches of {batch_size} rows from {} rows on disk; {threads} threads", sampler.rows());
    println!("                  rows/s                     milliseconds a step");
    println!("network    bare  pipeline  ratio    decode (ahead)  forward+backward  optimiser  pipeline");
    for (blocks, channels) in NETWORKS {
        let model = ModelConfig { blocks, channels, ..ModelConfig::default() };
        let architecture = Architecture::of(model, game.layout()).expect("sizes in range");
        let weights = Weights::random(Arc::new(architecture), 1);
        for (precision, kind) in [(Precision::F32, Kind::Float), (Precision::Bf16, Kind::BFloat16)] {
            let config = TrainConfig { batch_size, precision, threads, ..TrainConfig::default() };
            let pipeline =
                Pipeline { trainer: Trainer::new(config, &weights, Device::Cpu).unwrap(), sampler: &sampler };
            let bare = Bare::new(&weights, &sampler.batch(0), kind, threads);
            let name = format!("{blocks}x{channels} {}", if kind == Kind::Float { "f32" } else { "bf16" });
            println!("{}", compare(&name, pipeline, bare, batch_size));
        }
    }
}

/// Games of random moves, on disk.
fn play(game: &Game<Shatara>, folder: &Path) {
    let mut config = SelfPlayConfig { games: 64, games_per_file: 16, max_plies: 200, ..SelfPlayConfig::default() };
    config.search.playouts = 4;
    let generation = Generation { game, config: &config, seed: 1, number: 0, checkpoint: "uniform", run_dir: folder };
    let evaluator = |_| Ok(Box::new(Uniform { batch_size: 32 }) as Box<_>);
    generation.run(&evaluator, &AtomicBool::new(false), &mut |_| {}).expect("games");
}

/// A line of the table.
fn compare(name: &str, mut pipeline: Pipeline<'_>, mut bare: Bare, batch_size: usize) -> String {
    bare.steps(2);
    let [gradient, optimiser] = bare.steps(4);
    let steps = ((4.0 * TURN_SECONDS / (gradient + optimiser)) as u64).max(4);
    pipeline.steps(2);
    let mut rounds: [Vec<f64>; 5] = Default::default();
    for _ in 0..ROUNDS {
        let mut shares = [0.0; 2];
        let bare = seconds(|| shares = bare.steps(steps));
        let whole = seconds(|| pipeline.steps(steps));
        let decode = seconds(|| pipeline.decode(steps));
        let round = [bare, whole, decode, shares[0], shares[1]];
        rounds.iter_mut().zip(round).for_each(|(all, time)| all.push(time / steps as f64));
    }
    let ratio = median(rounds[0].iter().zip(&rounds[1]).map(|(bare, whole)| bare / whole));
    let [bare, whole, decode, gradient, optimiser] = rounds.map(|times| median(times.into_iter()));
    let per_second = |time: f64| batch_size as f64 / time;
    format!(
        "{name:9} {:6.0} {:9.0} {ratio:6.2} {:17.1} {:17.1} {:10.1} {:9.1}",
        per_second(bare),
        per_second(whole),
        1e3 * decode,
        1e3 * gradient,
        1e3 * optimiser,
        1e3 * whole
    )
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Training as a run does it.
struct Pipeline<'a> {
    trainer: Trainer,
    sampler: &'a Arc<Sampler>,
}

impl Pipeline<'_> {
    /// The first batch is waited for, as at the beginning of a generation, and none is left over.
    fn steps(&mut self, steps: u64) {
        let mut preparation = self.trainer.preparation();
        let batches = self.sampler.batches(0..steps).map(move |batch| preparation.prepare(&batch));
        for batch in Prefetch::new(SamplerConfig::default().prefetch, batches) {
            self.trainer.learn(&batch.unwrap()).unwrap();
        }
    }

    /// What runs ahead of the steps, alone.
    fn decode(&self, steps: u64) {
        let mut preparation = self.trainer.preparation();
        self.sampler.batches(0..steps).for_each(|batch| drop(preparation.prepare(&batch).unwrap()));
    }
}

/// The least that a training step can be.
struct Bare {
    network: Network,
    moments: [Tensor; 2],
    batch: Resident,
    threads: usize,
}

/// A batch in memory.
struct Resident {
    /// `[B, C, H, W]`, channels last.
    planes: Tensor,
    /// Places of the legal actions in a row `[H, W, P]`, `[B, L]`, filled up with 0 where `filler`, and the policy over
    /// them.
    legal: Tensor,
    filler: Tensor,
    policy: Tensor,
    wdl: Tensor,
    moves_left: Tensor,
}

impl Bare {
    fn new(weights: &Weights, batch: &TrainingBatch, kind: Kind, threads: usize) -> Self {
        let mut network = Network::new(weights, Device::Cpu).unwrap();
        let moments = [network.parameters().zeros_like(), network.parameters().zeros_like()];
        *network.parameters_mut() = network.parameters().set_requires_grad(true);
        Bare { network, moments, batch: Resident::new(batch, kind), threads }
    }

    /// Seconds of forward and backward, and of the optimiser.
    fn steps(&mut self, steps: u64) -> [f64; 2] {
        tch::set_num_threads(1);
        let mut gradient = Tensor::new();
        (0..steps).fold([0.0; 2], |[gradients, optimiser], _| {
            let gradients = gradients + seconds(|| gradient = self.gradient());
            [gradients, optimiser + seconds(|| self.adamw(&gradient))]
        })
    }

    fn gradient(&self) -> Tensor {
        let rows = self.batch.planes.size()[0];
        let share = rows / self.threads as i64;
        let part = |network: Network, batch: Resident| {
            tch::set_num_threads(1);
            let loss = batch.loss(&network) / rows as f64;
            Tensor::run_backward(&[loss], &[network.parameters()], false, false).remove(0)
        };
        thread::scope(|scope| {
            let parts: Vec<_> = (0..self.threads as i64)
                .map(|i| {
                    let (network, batch) = (self.network.shallow_clone(), self.batch.narrow(i * share, share));
                    scope.spawn(move || part(network, batch))
                })
                .collect();
            parts.into_iter().map(|part| part.join().unwrap()).reduce(|a, b| a + b).unwrap()
        })
    }

    fn adamw(&mut self, gradient: &Tensor) {
        tch::no_grad(|| {
            let [first, second] = &mut self.moments;
            let _ = first.lerp_(gradient, 0.1);
            let _ = second.lerp_(&gradient.square(), 0.01);
            let change = &*first / (second.sqrt() + 1e-8) * 1e-4;
            let _ = self.network.parameters_mut().g_mul_scalar_(1.0 - 1e-6).g_sub_(&change);
        });
    }
}

impl Resident {
    fn new(batch: &TrainingBatch, kind: Kind) -> Self {
        let (layout, rows) = (batch.rows.layout(), batch.len());
        let [b, h, w, c] = [rows, layout.height, layout.width, layout.channels()];
        let mut planes = vec![0.0f32; b * h * w * c];
        write_planes(&batch.rows, &mut planes, |value| value);
        let longest = batch.offsets.windows(2).map(|row| row[1] - row[0]).max().unwrap();
        let squares = h * w;
        let mut legal = vec![0i64; rows * longest];
        let mut filler = vec![true; rows * longest];
        let mut policy = vec![0.0f32; rows * longest];
        for row in 0..rows {
            let actions = &batch.legal[batch.offsets[row]..batch.offsets[row + 1]];
            for (at, &action) in (row * longest..).zip(actions) {
                let place = action as usize % squares * layout.action_planes.len() + action as usize / squares;
                (legal[at], filler[at], policy[at]) = (place as i64, false, 1.0 / actions.len() as f32);
            }
        }
        let wide = |tensor: Tensor| tensor.view([rows as i64, -1]);
        let planes = Tensor::from_slice(&planes).view([b, h, w, c].map(|n| n as i64)).permute([0, 3, 1, 2]);
        Resident {
            planes: planes.to_kind(kind),
            legal: wide(Tensor::from_slice(&legal)),
            filler: wide(Tensor::from_slice(&filler)),
            policy: wide(Tensor::from_slice(&policy)),
            wdl: wide(Tensor::from_slice(&batch.wdl.iter().flat_map(|wdl| wdl.to_array()).collect::<Vec<_>>())),
            moves_left: Tensor::from_slice(&batch.moves_left) / 32.0,
        }
    }

    fn narrow(&self, first: i64, count: i64) -> Resident {
        let part = |tensor: &Tensor| tensor.narrow(0, first, count);
        Resident {
            planes: part(&self.planes),
            legal: part(&self.legal),
            filler: part(&self.filler),
            policy: part(&self.policy),
            wdl: part(&self.wdl),
            moves_left: part(&self.moves_left),
        }
    }

    fn loss(&self, network: &Network) -> Tensor {
        let heads =
            network.fold().and_then(|folded| folded.to_kind(self.planes.kind())?.forward(&self.planes)).unwrap();
        let logits = heads
            .policy
            .permute([0, 2, 3, 1])
            .flatten(1, -1)
            .gather(1, &self.legal, false)
            .to_kind(Kind::Float)
            .masked_fill(&self.filler, -1e9);
        let policy = (logits.log_softmax(1, Kind::Float) * &self.policy).sum(Kind::Float);
        let value = (heads.wdl.to_kind(Kind::Float).log_softmax(1, Kind::Float) * &self.wdl).sum(Kind::Float);
        let moves_left = heads.moves_left.to_kind(Kind::Float).huber_loss(&self.moves_left, Reduction::Sum, 1.0);
        moves_left - policy - value
    }
}

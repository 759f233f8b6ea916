//! What a run will take of memory and disk, from its configuration alone: told before it begins, and refused where the
//! machine has less.

use std::{fmt, fs, thread};

use super::config::Config;
use crate::{
    console::machine_memory,
    data::Samples,
    game::{Encode, FieldError, Game, Layout, random, random_game::random_game},
    model::Architecture,
    search::{Cache, Tree},
};

const MIB: f64 = (1 << 20) as f64;

/// Plies of a game that nothing ends before, and bytes on disk of one of them: means of the run in README.md, section
/// Strength. Other games differ.
const PLIES: f64 = 160.0;
const BYTES_ON_DISK: f64 = 260.0;

/// Bytes that a ply takes in a game that is not written yet: its texts and lists, and what it keeps of a legal action.
const PLY: f64 = 400.0;
const ACTION: f64 = 21.0;

/// Trees of a search, in playouts of one: what it kept from moves before, and the copy that the next move begins with.
const TREES: f64 = 4.0;

/// Outputs of a layer, in 32 bits, that a block keeps for its gradient (a step of 2048 rows through 6x64 was measured),
/// and that a pass has at once.
const KEPT_BY_A_BLOCK: f64 = 4.0;
const AT_ONCE: f64 = 6.0;

/// Copies of the weights: of checkpoints and the optimiser, of the evaluator of a shard, of a thread that trains.
const COPIES: f64 = 8.0;
const COPIES_OF_A_SHARD: f64 = 2.0;
const COPIES_OF_A_TRAINING_THREAD: f64 = 4.0;

/// A match: games that a thread plays at once, positions that each of its two players remembers.
const GAMES_AT_ONCE: f64 = 32.0;
const REMEMBERED: usize = 1 << 16;
const PLAYERS: f64 = 2.0;

/// A part of the memory, with the key that is to be lowered where it is too much.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    name: &'static str,
    key: &'static str,
    /// The key's value, and what it is multiplied with.
    found: String,
    bytes: f64,
}

/// What a run takes when its caches and its window are full. Legal actions and plies are counted as means, so it is no
/// bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Weights of the network.
    values: usize,
    parts: Vec<Part>,
    /// Bytes on disk that a generation adds.
    disk: f64,
}

impl Sizes {
    /// Takes next to no time or memory itself, whatever the configuration says.
    ///
    /// # Errors
    /// When the configuration describes no network.
    pub fn of<R: Encode>(game: &Game<R>, config: &Config) -> Result<Self, FieldError> {
        let values = match config.model.module.as_str() {
            "" => Architecture::of(config.model.clone(), game.layout())
                .map_err(|error| FieldError { field: format!("[model] {}", error.field), ..error })?
                .len(),
            // All of the file may be weights; a run that goes on does without it.
            file => fs::metadata(file).map_or(0, |file| file.len() as usize / 4),
        };
        let actions = mean_actions(game);
        let numbers = Numbers {
            config,
            layout: game.layout(),
            values: values as f64,
            actions: actions as f64,
            row: Samples::row_bytes(game.layout(), actions) as f64,
            node: Tree::<R>::node_bytes(actions) as f64,
            cache: &|positions| Cache::<R>::full_bytes(positions, actions) as f64,
        };
        let parts = vec![
            numbers.network(),
            numbers.trees(),
            numbers.caches(),
            numbers.games(),
            numbers.evaluation(),
            numbers.window(),
            numbers.batches(),
            numbers.training(),
            numbers.matches(),
        ];
        Ok(Sizes { values, parts, disk: numbers.disk() })
    }

    /// Refuses what has no room in this machine; where the system does not say how much there is, nothing.
    ///
    /// # Errors
    /// Names the key of the largest part, with both sizes.
    pub fn fit_this_machine(&self) -> Result<(), FieldError> {
        machine_memory().map_or(Ok(()), |memory| self.fit(memory))
    }

    /// Refuses what has no room in `memory` bytes.
    ///
    /// # Errors
    /// Names the key of the largest part, with both sizes.
    pub fn fit(&self, memory: u64) -> Result<(), FieldError> {
        let largest = self.parts.iter().max_by(|one, other| one.bytes.total_cmp(&other.bytes));
        match largest.filter(|_| self.bytes() > memory as f64) {
            None => Ok(()),
            Some(Part { key, found, bytes, .. }) => {
                let expected = format!("a size for the {:.0} MiB of this machine's memory", memory as f64 / MIB);
                let (part, all) = (bytes / MIB, self.bytes() / MIB);
                let found = format!("{found}, about {part:.0} MiB (the whole run: about {all:.0} MiB)");
                Err(FieldError::new(*key, expected, found))
            }
        }
    }

    fn bytes(&self) -> f64 {
        self.parts.iter().map(|part| part.bytes).sum()
    }
}

/// In one line.
impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<&Part> = self.parts.iter().filter(|part| part.bytes >= MIB).collect();
        parts.sort_by(|one, other| other.bytes.total_cmp(&one.bytes));
        let parts: Vec<String> = parts.iter().map(|part| format!("{} {:.0}", part.name, part.bytes / MIB)).collect();
        write!(
            f,
            "sizes: network {} values, {:.1} MiB; memory about {:.0} MiB beside libtorch's own when all is full ({}); \
             disk about {:.0} MiB a generation",
            self.values,
            4.0 * self.values as f64 / MIB,
            self.bytes() / MIB,
            parts.join(", "),
            (self.disk / MIB).max(1.0)
        )
    }
}

/// What sizes are computed from. All of them in floating point: a configuration may say more than an integer holds.
struct Numbers<'a> {
    config: &'a Config,
    layout: &'static Layout,
    /// Weights of the network.
    values: f64,
    /// Legal actions of a position.
    actions: f64,
    /// Bytes of a row of the window, of a node with its edges, of a cache by its positions.
    row: f64,
    node: f64,
    cache: &'a dyn Fn(usize) -> f64,
}

impl Numbers<'_> {
    fn network(&self) -> Part {
        let copies = COPIES
            + self.on_cpu()
                * (COPIES_OF_A_SHARD * self.shards()
                    + COPIES_OF_A_TRAINING_THREAD * self.config.train.cpu_threads() as f64);
        let model = &self.config.model;
        let (key, found) = match model.module.as_str() {
            "" => ("[model] channels", format!("{} x {} blocks", model.channels, model.blocks)),
            file => ("[model] module", file.to_owned()),
        };
        Part { name: "network", key, found, bytes: 4.0 * self.values * copies }
    }

    fn trees(&self) -> Part {
        let (slots, playouts) = (self.config.selfplay.slots, self.config.selfplay.search.playouts);
        let found = format!("{slots} x {} shards x {playouts} playouts", self.shards());
        let bytes = self.shards() * slots as f64 * self.tree(playouts);
        Part { name: "trees", key: "[selfplay] slots", found, bytes }
    }

    fn caches(&self) -> Part {
        let positions = self.config.selfplay.cache_positions;
        let found = format!("{positions} x {} shards", self.shards());
        Part {
            name: "caches",
            key: "[selfplay] cache_positions",
            found,
            bytes: self.shards() * (self.cache)(positions),
        }
    }

    /// Games that are played and games that wait for the others of their file.
    fn games(&self) -> Part {
        let selfplay = &self.config.selfplay;
        let waiting = selfplay.games.min(selfplay.games_per_file) as f64 + self.shards() * selfplay.slots as f64;
        let ply = PLY + ACTION * self.actions + self.row;
        Part {
            name: "games",
            key: "[selfplay] games_per_file",
            found: selfplay.games_per_file.to_string(),
            bytes: waiting * self.plies() * ply,
        }
    }

    fn evaluation(&self) -> Part {
        let rows = self.config.run.batch_size;
        let row = 2.0 * self.inputs() + self.on_cpu() * AT_ONCE * self.layer() + 2.0 * self.outputs();
        let found = format!("{rows} x {} shards", self.shards());
        Part { name: "evaluation", key: "[run] batch_size", found, bytes: self.shards() * rows as f64 * row }
    }

    /// The window of all rows that the run can play.
    fn window(&self) -> Part {
        let Config { run, selfplay, window, .. } = self.config;
        let taught = match window.cheap_rows {
            true => f64::from(selfplay.max_plies),
            false => f64::from(selfplay.playout_cap.full_share) * f64::from(selfplay.full_until()),
        };
        let played = run.generations as f64 * selfplay.games as f64 * taught;
        let rows = if run.generations == 0 { window.maximum_rows } else { window.rows(played as u64) };
        let bytes = rows as f64 * self.row;
        Part { name: "window", key: "[window] maximum_rows", found: window.maximum_rows.to_string(), bytes }
    }

    /// Batches made ready ahead of the training step.
    fn batches(&self) -> Part {
        let (prefetch, rows) = (self.config.sampler.prefetch, self.config.train.batch_size);
        let found = format!("{prefetch} x {rows} rows a batch");
        let bytes = (prefetch as f64 + 2.0) * rows as f64 * (self.inputs() + self.row);
        Part { name: "batches", key: "[sampler] prefetch", found, bytes }
    }

    /// What a training step keeps of its rows for the gradient; a program of the user's knows that itself.
    fn training(&self) -> Part {
        let (rows, blocks, channels) =
            (self.config.train.batch_size, self.config.model.blocks, self.config.model.channels);
        let row = (KEPT_BY_A_BLOCK * blocks as f64 + AT_ONCE) * self.layer() + 3.0 * self.outputs();
        let found = format!("{rows} x {blocks} blocks x {channels} channels");
        let ours = if self.config.train.command.is_empty() { 1.0 } else { 0.0 };
        Part { name: "training", key: "[train] batch_size", found, bytes: ours * self.on_cpu() * rows as f64 * row }
    }

    fn matches(&self) -> Part {
        let evaluate = &self.config.evaluate;
        let threads = thread::available_parallelism().map_or(1, |cores| cores.get()) as f64;
        let games = if evaluate.every == 0 { 0.0 } else { (threads * GAMES_AT_ONCE).min(evaluate.games as f64) };
        let caches = threads.min(games) * (self.cache)(REMEMBERED);
        let found = format!("{} in {games} games at once", evaluate.playouts);
        let bytes = PLAYERS * (games * self.tree(evaluate.playouts) + caches);
        Part { name: "matches", key: "[evaluate] playouts", found, bytes }
    }

    /// What a generation leaves on the disk: its games, and the network that it makes.
    fn disk(&self) -> f64 {
        self.config.selfplay.games as f64 * self.plies() * BYTES_ON_DISK + 4.0 * self.values
    }

    fn tree(&self, playouts: u32) -> f64 {
        TREES * (f64::from(playouts) + 1.0) * self.node
    }

    fn shards(&self) -> f64 {
        self.config.selfplay.threads() as f64
    }

    fn plies(&self) -> f64 {
        f64::from(self.config.selfplay.max_plies).min(PLIES)
    }

    /// 1 where the network computes in this machine's memory, 0 on a GPU.
    fn on_cpu(&self) -> f64 {
        if self.config.run.device == "cpu" { 1.0 } else { 0.0 }
    }

    /// Bytes of a row: as the network takes it, as a layer of its trunk gives it, as its policy gives it.
    fn inputs(&self) -> f64 {
        4.0 * (self.layout.squares() * self.layout.channels()) as f64
    }

    fn layer(&self) -> f64 {
        4.0 * (self.layout.squares() * self.config.model.channels) as f64
    }

    fn outputs(&self) -> f64 {
        4.0 * self.layout.actions() as f64
    }
}

/// Legal actions of a position of random games, in the mean.
fn mean_actions<R: Encode>(game: &Game<R>) -> usize {
    let (mut positions, mut actions) = (0, 0);
    for number in 0..8 {
        random_game(game, &mut random::stream("sizes", 1, 0, number), 100, |_, _, legal, _| {
            positions += 1;
            actions += legal.len();
        });
    }
    actions.div_ceil(positions.max(1))
}

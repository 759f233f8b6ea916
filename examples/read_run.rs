//! The games of a run, read back from their Parquet files.
//!
//! ```sh
//! cargo run --release --example read_run -- data/shatara-demo
//! ```
//!
//! The argument is a run's folder of games, `data/<run>`. Prints a line for each game: its id, result, reason, length
//! and how often each kind of action was played; and at the end the totals. `data/README.md` documents every column.

use std::{collections::BTreeMap, env, path::Path};

use anyhow::{Result, bail};
use arrow_array::StringArray;
use maydan::data::{GameRows, list_files, read_games};

/// The columns wanted; those that tell one game from the next are read anyway.
const COLUMNS: [&str; 4] = ["game_id", "action_kind", "result", "reason"];

/// Games and plies, counted.
#[derive(Default)]
struct Totals {
    games: u64,
    plies: u64,
    /// Games by result and reason.
    outcomes: BTreeMap<(String, String), u64>,
    /// Actions by kind.
    kinds: BTreeMap<String, u64>,
}

impl Totals {
    /// Prints one game and counts it.
    fn add(&mut self, game: &GameRows) {
        let word = |name: &str, ply: usize| word(game, name, ply);
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        for ply in 0..game.plies() {
            *kinds.entry(word("action_kind", ply)).or_default() += 1;
        }
        // What belongs to the whole game is the same in each of its rows.
        let (id, result, reason) = (word("game_id", 0), word("result", 0), word("reason", 0));
        println!("{id}  {result:<5}  {reason:<13}  {:>4} plies  {}", game.plies(), listed(&kinds));
        self.games += 1;
        self.plies += game.plies() as u64;
        *self.outcomes.entry((result, reason)).or_default() += 1;
        for (kind, count) in kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }

    fn print(&self) {
        println!("\n{} games, {:.1} plies a game", self.games, self.plies as f64 / self.games.max(1) as f64);
        for ((result, reason), count) in &self.outcomes {
            println!("{count:>8}  {result} ({reason})");
        }
        println!("actions: {}", listed(&self.kinds));
    }
}

/// A cell of a column of words.
fn word(game: &GameRows, name: &str, ply: usize) -> String {
    game.column::<StringArray>(name).value(ply).to_owned()
}

fn listed(counts: &BTreeMap<String, u64>) -> String {
    counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder] = arguments.as_slice() else {
        bail!("expected one argument, the folder of a run's games (data/<run>), found {}", arguments.len());
    };
    let files = list_files(Path::new(folder), 0..u64::MAX)?;
    if files.is_empty() {
        bail!("{folder}: expected folders gen-NNNNNN with files of games, found none");
    }
    let mut totals = Totals::default();
    for (number, path) in files.iter().enumerate() {
        // Opening a file checks all of it against its checksums.
        let (info, games) = read_games(path, &COLUMNS)?;
        if number == 0 {
            println!("{}, seed {}\n", info.manifest.ruleset, info.manifest.seed);
        }
        for game in games {
            totals.add(&game?);
        }
    }
    totals.print();
    Ok(())
}

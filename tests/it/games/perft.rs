//! Runs every table of `tests/perft/`; the format is described there.

use crate::support::{suite, witnesses};

use std::{fs, path::Path};

use maydan::game::{
    Game, Playable, RulesError,
    perft::{perft, walk},
    registry::{self, GameVisitor},
};
use suite::witness::Witness;
use witnesses::witness;

/// Leaves that a line may have and still be counted on every run.
const QUICK: u64 = 6_000_000;

/// Leaves that a line may have and still be walked: that plays every one of them.
const WALKED: u64 = 100_000;

#[derive(Default)]
struct Table {
    id: String,
    game: String,
    options: toml::Table,
    position: String,
    counts: Vec<(u32, u64)>,
    source: String,
}

fn read(text: &str) -> Vec<Table> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap().trim());
    let lines: Vec<&str> = lines.collect();
    let blocks = lines.split(|line| line.is_empty()).filter(|block| !block.is_empty());
    blocks
        .map(|block| {
            let mut table = Table { game: "shatara".to_owned(), ..Table::default() };
            for line in block {
                let (word, rest) = line.split_once(' ').unwrap_or_else(|| panic!("`{line}` has no value"));
                let rest = rest.trim().to_owned();
                match word {
                    "id" => table.id = rest,
                    "game" => table.game = rest,
                    "set" => table.options.extend(rest.parse::<toml::Table>().unwrap()),
                    "position" => table.position = rest,
                    "perft" => {
                        let (depth, count) = rest.split_once(' ').unwrap();
                        table.counts.push((depth.parse().unwrap(), count.trim().parse().unwrap()));
                    }
                    "source" => table.source = rest,
                    _ => panic!("`{word}` is no word of a perft table"),
                }
            }
            assert!(!table.position.is_empty() && !table.counts.is_empty() && !table.source.is_empty(), "{}", table.id);
            table
        })
        .collect()
}

fn position<R: Playable>(game: &Game<R>, table: &Table) -> R::Position {
    match table.position.as_str() {
        "start" => game.start(),
        text => game.parse_position(text).unwrap_or_else(|error| panic!("{}: {error}", table.id)),
    }
}

struct Count<'a> {
    table: &'a Table,
    leaves: std::ops::Range<u64>,
}

impl GameVisitor for Count<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let position = position(&game, self.table);
        for &(depth, count) in self.table.counts.iter().filter(|(_, count)| self.leaves.contains(count)) {
            assert_eq!(perft(&game, &position, depth), count, "{} at depth {depth}", self.table.id);
            if count < WALKED {
                assert_eq!(walk(&game, &position, depth), count, "{} at depth {depth}, walked", self.table.id);
            }
        }
    }
}

fn tables() -> Vec<Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "perft"));
    assert!(!files.is_empty());
    files.iter().flat_map(|file| read(&fs::read_to_string(file).unwrap())).collect()
}

fn run(leaves: std::ops::Range<u64>) -> Result<(), RulesError> {
    tables()
        .iter()
        .try_for_each(|table| registry::with_game(&table.game, &table.options, Count { table, leaves: leaves.clone() }))
}

#[test]
fn perft_tables() {
    run(0..QUICK).unwrap();
}

#[test]
#[ignore = "about a billion leaves: run with --release"]
fn deep_perft_tables() {
    run(QUICK..u64::MAX).unwrap();
}

/// The tables do not rest on the generators that they are there to test.
#[test]
fn the_witnesses_count_the_same() {
    struct Recount<'a>(&'a Table, &'static Witness);

    impl GameVisitor for Recount<'_> {
        type Output = ();

        fn visit<R: Playable>(self, game: Game<R>) {
            let Recount(table, witness) = self;
            let start = position(&game, table).to_string();
            for &(depth, leaves) in table.counts.iter().filter(|(_, leaves)| *leaves < 20_000) {
                let found = count(witness, &game.ruleset().options, &start, depth);
                assert_eq!(found, leaves, "{} at depth {depth}", table.id);
            }
        }
    }

    fn count(witness: &Witness, options: &toml::Table, position: &str, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => (witness.successors)(options, position).len() as u64,
            _ => {
                let successors = (witness.successors)(options, position);
                successors.values().map(|next| count(witness, options, next, depth - 1)).sum()
            }
        }
    }

    for table in &tables() {
        registry::with_game(&table.game, &table.options, Recount(table, witness(&table.game))).unwrap();
    }
}

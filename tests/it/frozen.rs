//! What must stay the same to the byte while code is rearranged: the hash of every ruleset, and the Parquet files that
//! self-play writes with a fixed seed. Saved games, checkpoints and bots carry these hashes; a change here makes a
//! user's old files foreign.
//!
//! The digests of the files lie in `tests/golden/frozen.txt`; `UPDATE_GOLDEN=1 cargo test --test it frozen` writes them
//! anew. They change with the rules, the encoding, the search, the random streams or the schema, and with the versions
//! of the `parquet`, `zstd`, `rand` and `rand_distr` crates.
//!
//! The evaluator's values are small fractions, which every machine adds and multiplies alike. `exp`, `ln` and `powf`
//! are the C library's, whose last bit may differ between processors. It rounds an `f32` from an `f64`; and of the
//! `f64`s only leading digits are kept, or compared with a random number. glibc gives these bytes with and without FMA.

use std::{collections::BTreeMap, fmt::Write, fs, path::Path, sync::atomic::AtomicBool};

use arrow_array::cast::AsArray;
use maydan::{
    data,
    encode::Rows,
    game::{
        Game, Playable, Restriction, Side,
        registry::{GameVisitor, IDS, with_game},
        shatara::Shatara,
    },
    model::{Evaluations, Evaluator, EvaluatorError},
    search::Mode,
    selfplay::{Generation, SelfPlayConfig},
};
use sha2::{Digest, Sha256};

/// The hash of the ruleset of `game` with `options`.
fn ruleset_hash(game: &str, options: &str) -> String {
    struct Hash;

    impl GameVisitor for Hash {
        type Output = String;

        fn visit<R: Playable>(self, game: Game<R>) -> String {
            game.ruleset().hash.clone()
        }
    }

    with_game(game, &options.parse().unwrap(), Hash).unwrap()
}

/// Reinforcements barred to White before ply 20.
fn restricted() -> Game<Shatara> {
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let kinds = vec!["reinforcement".to_owned()];
    let restriction = Restriction {
        side: Side::White,
        kinds,
        from_ply: None,
        before_ply: Some(20),
        becomes: None,
        must_by_ply: None,
    };
    game.restricted(Some(&restriction)).unwrap()
}

#[test]
fn ruleset_hashes_are_as_they_were() {
    const DEFAULT: &[(&str, &str)] = &[
        ("shatara", "a92979a0e63d9b47"),
        ("chess", "2add5b1249d78759"),
        ("shatar", "74a9b63c4b9b7c37"),
        ("omega", "52328818865e20d3"),
        ("omega-advanced", "0e96e879e7b73aca"),
        ("shatra", "78213084a6819b97"),
    ];
    assert_eq!(DEFAULT.iter().map(|(game, _)| *game).collect::<Vec<_>>(), IDS, "one line a game");
    for (game, expected) in DEFAULT {
        assert_eq!(ruleset_hash(game, ""), *expected, "{game}");
    }
    assert_eq!(ruleset_hash("shatara", "promotion_stock = 'unlimited'\nreserve = 'PP'"), "954cd1f394eb1c6e");
    assert_eq!(ruleset_hash("shatra", "king_refusal = 'any'\nmax_plies = 60"), "e71803b8e6f06b1f");
    assert_eq!(restricted().ruleset().hash, "8de426769be36d26");
}

/// An evaluator whose outputs are functions of the row's bits: multiples of 1/8 and 1/16, exact in any order of
/// summation.
struct Exact;

impl Evaluator for Exact {
    fn batch_size(&self) -> usize {
        8
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        *out = Evaluations::default();
        let actions = rows.layout().actions();
        let logits = out.logits.in_order(actions);
        for row in 0..rows.len() {
            let seed =
                rows.bits(row).iter().fold(1u64, |hash, &word| (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            // Number `place` of the row, 0 to `most`.
            let number = |place: usize, most: u64| {
                let mixed = (seed ^ place as u64).wrapping_mul(0xD134_2543_DE82_EF95);
                ((mixed >> 32) % (most + 1)) as f32
            };
            logits.extend((0..actions).map(|action| number(action, 15) / 8.0));
            let win = number(actions, 16);
            let loss = (16.0 - win).min(number(actions + 1, 16));
            out.wdl.push([win, 16.0 - win - loss, loss].map(|sixteenths| sixteenths / 16.0).into());
            out.moves_left.push(number(actions + 2, 60));
        }
        Ok(())
    }
}

/// Short games in which every column of the schema holds something.
fn config(mode: Mode) -> SelfPlayConfig {
    let mut config =
        SelfPlayConfig { games: 6, games_per_file: 4, shards: 2, slots: 2, max_plies: 60, ..SelfPlayConfig::default() };
    config.search.mode = mode;
    config.search.playouts = 12;
    config.search.considered_actions = 4;
    config.playout_cap.full_share = 0.5;
    config.playout_cap.cheap_playouts = 3;
    config.opening.max_plies = 4;
    config.temperature.plies = 10;
    config.temperature.end = 0.5;
    config.adjudication.resign_value = 0.3125;
    config.adjudication.resign_plies = 2;
    config.adjudication.draw_value = 0.125;
    config.adjudication.draw_plies = 3;
    config.adjudication.draw_from_ply = 20;
    config.adjudication.check_share = 0.4;
    config
}

/// A line for each file of games that self-play writes: its digest, and what is in it, so that a person sees how large
/// a change is.
fn shards<R: Playable>(name: &str, game: &Game<R>) -> String {
    let mut lines = String::new();
    for (rule, mode) in [("gumbel", Mode::Gumbel), ("puct", Mode::Puct)] {
        let dir = tempfile::tempdir().unwrap();
        let config = config(mode);
        let generation =
            Generation { game, config: &config, seed: 16, number: 2, checkpoint: "gen-000001", run_dir: dir.path() };
        let played = generation.run(&|_| Ok(Box::new(Exact)), &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert!(played.complete);
        for (number, path) in data::list_files(dir.path(), 2..3).unwrap().iter().enumerate() {
            let digest: String = Sha256::digest(fs::read(path).unwrap()).iter().map(|b| format!("{b:02x}")).collect();
            writeln!(lines, "{name} {rule} {number} {digest} {}", contents(path)).unwrap();
        }
    }
    lines
}

/// How often each word occurs in the columns that say how a game went.
fn contents(path: &Path) -> String {
    let (info, batches) = data::read_columns(path, &["decision", "reason", "overruled"]).unwrap();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for batch in &batches {
        for (column, words) in batch.schema().fields().iter().zip(batch.columns()) {
            for word in words.as_string::<i32>().iter().flatten() {
                *counts.entry(format!("{}:{word}", column.name())).or_default() += 1;
            }
        }
    }
    let counts: Vec<String> = counts.iter().map(|(word, count)| format!("{word}={count}")).collect();
    format!("rows={} {}", info.rows, counts.join(" "))
}

#[test]
fn files_of_games_are_as_they_were() {
    struct Shards(&'static str);

    impl GameVisitor for Shards {
        type Output = String;

        fn visit<R: Playable>(self, game: Game<R>) -> String {
            shards(self.0, &game)
        }
    }

    let mut found: String = IDS.iter().map(|&id| with_game(id, &toml::Table::new(), Shards(id)).unwrap()).collect();
    found += &shards("shatara-restricted", &restricted());
    let decisions = ["decision:opening", "decision:forced", "decision:cheap", "decision:full"];
    for word in decisions.into_iter().chain(["reason:resignation", "reason:agreement", "reason:cut_off", "overruled:"])
    {
        assert!(found.contains(word), "no row has {word}");
    }

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/frozen.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    for (found, golden) in found.lines().zip(golden.lines()) {
        assert_eq!(found, golden, "a file of games changed");
    }
    assert_eq!(found, golden, "lines of {}", path.display());
}

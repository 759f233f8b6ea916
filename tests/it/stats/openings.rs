//! Openings of small runs: held against a slow count of its own, and asked for as a user does.

use crate::support::{played, toy};

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::Path,
    process::{Command, Output},
    sync::Arc,
};

use maydan::{
    data::{self, replay},
    game::{Game, Playable, Reason, Side, shatar::Shatar, shatara::Shatara, text_game::AsText},
    page::Block,
    stats::{
        Runs,
        openings::{Edge, Openings, Options},
    },
};
use played::play;
use toy::TicTacToe;

const DEPTH: usize = 6;

fn shatara() -> Game<Shatara> {
    Shatara::game(&toml::Table::new()).unwrap()
}

/// Games, wins, draws, losses, games cut off.
type Counts = [u64; 5];

/// Position and action.
type Key = (String, String);

/// What each action was chosen in, and what it leads to, by replaying every game.
fn slow_count<R: Playable>(game: &Game<R>, run_dir: &Path) -> BTreeMap<Key, (Counts, BTreeSet<String>)> {
    let mut counts: BTreeMap<Key, (Counts, BTreeSet<String>)> = BTreeMap::new();
    for path in data::list_files(run_dir, 0..100).unwrap() {
        for replayed in replay(game, &path).unwrap() {
            let mut position = replayed.start;
            let mut passed = BTreeSet::new();
            for &action in replayed.actions.iter().take(DEPTH) {
                let key = (without_counters(position), action.to_string());
                let side = game.side_to_move(&position);
                game.apply(&mut position, action);
                if passed.insert(key.clone()) {
                    let (counts, to) = counts.entry(key).or_default();
                    to.insert(without_counters(position));
                    counts[0] += 1;
                    counts[match (replayed.outcome.reason, replayed.outcome.winner) {
                        (Reason::CutOff, _) => 4,
                        (_, Some(winner)) if winner == side => 1,
                        (_, None) => 2,
                        _ => 3,
                    }] += 1;
                }
            }
        }
    }
    counts
}

/// The toy writes no counters; all others write two.
fn without_counters(position: impl fmt::Display) -> String {
    let text = position.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    if fields.len() < 3 { text } else { fields[..fields.len() - 2].join(" ") }
}

fn count<R: Playable + Clone + 'static>(game: &Game<R>, root: &Path, options: Options) -> Openings {
    let rules = Arc::new(AsText::new(game.clone()));
    let runs = Runs::open_under(Some(rules), root, &["small".to_owned()], 0..=u64::MAX).unwrap();
    let mut openings = Openings::new(options, &runs).unwrap();
    let skipped = runs.for_each(&mut |_| {}, |game| {
        openings.add(&game);
        Ok::<(), ()>(())
    });
    assert!(skipped.unwrap().0.is_empty());
    openings.finish();
    openings
}

fn everything() -> Options {
    Options { depth: DEPTH, min_count: 1, ..Options::default() }
}

fn key(edge: &Edge) -> Key {
    (edge.position.to_string(), edge.action.to_string())
}

fn agrees<R: Playable + Clone + 'static>(game: &Game<R>, games: u64) {
    let root = tempfile::tempdir().unwrap();
    let run_dir = root.path().join("data/small");
    play(game, &run_dir, 2, games);
    let expected = slow_count(game, &run_dir);
    let openings = count(game, root.path(), everything());
    assert_eq!((openings.games(), openings.missed()), (2 * games, 0));
    let found: BTreeMap<Key, (Counts, BTreeSet<String>)> = openings
        .edges()
        .iter()
        .map(|edge| {
            let results = edge.record.results;
            let counts = [edge.record.games(), results.wins, results.draws, results.losses, results.cut_off];
            (key(edge), (counts, BTreeSet::from([edge.to.to_string()])))
        })
        .collect();
    assert_eq!(found, expected);
    let order: Vec<_> = openings.edges().iter().map(|e| (u64::MAX - e.record.games(), e.action.clone())).collect();
    assert!(order.is_sorted());
}

#[test]
fn counts_agree_with_a_replay_of_every_game() {
    agrees(&shatara(), 40);
    agrees(&Shatar::game(&toml::Table::new()).unwrap(), 20);
    agrees(&TicTacToe::game(), 40);
}

#[test]
fn a_position_is_one_by_whatever_moves_it_is_reached() {
    let root = tempfile::tempdir().unwrap();
    play(&TicTacToe::game(), &root.path().join("data/small"), 1, 200);
    let openings = count(&TicTacToe::game(), root.path(), everything());
    let mut leading: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    openings.edges().iter().for_each(|edge| leading.entry(&edge.to).or_default().push(edge));
    let crossings = leading.values().filter(|edges| edges.len() > 1).count();
    assert!(crossings > 50, "{crossings}");
    for (position, edges) in &leading {
        assert_eq!(edges.iter().filter(|edge| !edge.is_transposition).count(), 1, "{position}");
        // No game is at a full board, or three in a row, and goes on.
        let through: u64 = edges.iter().map(|edge| edge.record.games()).sum();
        let onwards = openings.edges().iter().find(|edge| *edge.position == **position);
        assert!(onwards.is_none_or(|edge| edge.position_games == Some(through)), "{position}");
    }
    let tree = openings.tree();
    let lines = tree.rows.len();
    assert_eq!(lines, openings.edges().len(), "each move of a reached position once");
    assert!(tree.to_text(usize::MAX).contains(" ="));
    // The section of the tree has a note and the tree, whose headings are a line too.
    let shown = |limit| match &openings.sections(limit)[0].blocks[1] {
        Block::Markup(markup) => markup.0.matches("class=\"line").count() - 1,
        other => panic!("{other:?}"),
    };
    assert_eq!(shown(usize::MAX), lines);
    assert!((1..=12).contains(&shown(12)));
}

#[test]
fn in_little_memory_frequent_moves_are_kept_and_counts_are_wrong_by_no_more_than_is_said() {
    let root = tempfile::tempdir().unwrap();
    play(&TicTacToe::game(), &root.path().join("data/small"), 2, 200);
    let exact = count(&TicTacToe::game(), root.path(), everything());
    for max_positions in [1, 10, 60] {
        let bounded = count(&TicTacToe::game(), root.path(), Options { max_positions, ..everything() });
        let missed = bounded.missed();
        assert!(missed > 0 && bounded.edges().len() <= max_positions);
        let found: BTreeMap<Key, u64> = bounded.edges().iter().map(|edge| (key(edge), edge.record.games())).collect();
        for edge in exact.edges() {
            let games = edge.record.games();
            let found = found.get(&key(edge));
            assert!(found.map_or(games <= missed, |&found| found <= games && games <= found + missed), "{edge:?}");
        }
        assert!(bounded.tree().note.en.contains(&format!("too small by up to {missed}")));
        let tables = bounded.tables_for_reading();
        let diversity = tables.iter().find(|table| table.name == "diversity").unwrap();
        assert!(diversity.rows.is_empty() && diversity.note.en.contains("are more than `--max-positions`"));
        let again = count(&TicTacToe::game(), root.path(), Options { max_positions, ..everything() });
        assert_eq!(again.graph_table(), bounded.graph_table());
    }
}

fn maydan(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root).arg("stats").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one line of a user's mistake.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
    text
}

#[test]
fn openings_as_a_user_asks_for_them() {
    let root = tempfile::tempdir().unwrap();
    play(&shatara(), &root.path().join("data/small"), 3, 20);
    let arguments = ["openings", "small", "--min-count", "2", "--bands", "2", "--out", "tables"];
    let output = text(&maydan(root.path(), &arguments));
    for part in [
        "small: shatara (a92979a0e63d9b47)\n60 games\n\nTree of openings\naction ",
        "First moves by generation",
        "Effective number of openings",
        "First-move advantage: White's score, by generation",
        "generations 0 to 2: n = 60 games, ",
        "drawn from the network's policy without a search: shares are of those searched",
        "How the first moves were chosen\nply  games  searched  searched_share",
    ] {
        assert!(output.contains(part), "{part:?} in {output}");
    }
    let tables = root.path().join("tables");
    let page = fs::read_to_string(tables.join("openings.html")).unwrap();
    assert!(page.contains("شجرة الافتتاحات") && page.contains("<details"), "{page}");
    let names: Vec<String> =
        ["openings", "first_moves", "second_moves_by_generation", "lengths", "diversity"].map(Into::into).into();
    for name in names {
        assert!(
            tables.join(format!("{name}.csv")).exists() && tables.join(format!("{name}.parquet")).exists(),
            "{name}"
        );
    }
    assert_eq!(output, text(&maydan(root.path(), &arguments)), "the same again");
    // Half of the games, by a folder's path.
    let late = text(&maydan(root.path(), &["openings", "data/small", "--generations", "1..", "--rows", "1"]));
    assert!(late.contains("40 games\n") && late.contains("generations 1 to 2"), "{late}");

    for (arguments, expected) in [
        (&["openings", "nothing"][..], "nothing: no games: expected the name of a run"),
        (&["openings", "small", "--depth", "0"], "--depth: expected 1 to 200 plies, found 0"),
        (&["openings", "small", "--min-count", "0"], "--min-count: expected at least 1, found 0"),
        (&["openings", "small", "--generations", "7"], "no whole file of games in these generations"),
        (&["openings", "small", "--generations", "3..1"], "expected the first and the last generation"),
        (&["explore", "small", "nonsense"], "POS: position field"),
    ] {
        let complaint = complaint(&maydan(root.path(), arguments));
        assert!(complaint.contains(expected), "{complaint}");
    }
}

#[test]
fn files_that_cannot_be_read_are_named_and_rulesets_are_not_mixed() {
    let root = tempfile::tempdir().unwrap();
    let (small, other) = (root.path().join("data/small"), root.path().join("data/other"));
    play(&shatara(), &small, 2, 8);
    play(&Shatara::game(&toml::from_str("ladder = false").unwrap()).unwrap(), &other, 1, 2);
    let first = data::chunk_path(&data::generation_dir(&small, 0), 0);
    let mut bytes = fs::read(&first).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&first, bytes).unwrap();
    fs::write(data::chunk_path(&data::generation_dir(&small, 1), 7), "not Parquet").unwrap();
    let output = maydan(root.path(), &["openings", "small"]);
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text(&output).contains("\n12 games\n"));
    for part in ["gen-000000/0000.parquet", "gen-000001/0007.parquet: not a whole Parquet file", "2 files skipped"] {
        assert!(complaints.contains(part), "{part:?} in {complaints}");
    }
    let complaint = complaint(&maydan(root.path(), &["openings", "small", "other"]));
    assert!(complaint.contains("other") && complaint.matches("shatara (").count() == 2, "{complaint}");
}

#[test]
fn one_position_explored() {
    let root = tempfile::tempdir().unwrap();
    let game = shatara();
    play(&game, &root.path().join("data/small"), 2, 20);
    let start = game.start().to_string();
    // Counters are as they like.
    let late = start.replace("0 1", "7 9");
    let output = text(&maydan(root.path(), &["explore", "small", &late, "--out", "tables"]));
    assert!(output.contains("\n40 of 40 games of small (100.0%), 40 times, at ply 0\nWhite won "), "{output}");
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for ((position, action), (counts, _)) in slow_count(&game, &root.path().join("data/small")) {
        if start.starts_with(&position) {
            expected.insert(action, counts[0]);
        }
    }
    let never = 20 - expected.len();
    assert!(output.contains(&format!("20 legal actions, {never} of them never played")), "{output}");
    let mut table = csv::Reader::from_path(root.path().join("tables/explore.csv")).unwrap();
    let found: BTreeMap<String, u64> =
        table.records().map(|row| row.unwrap()).map(|row| (row[0].to_owned(), row[1].parse().unwrap())).collect();
    assert_eq!(found, expected);

    let mut position = game.start();
    for action in ["a2a4", "h7h5", "h2h4", "a7a5", "g1f3", "b8c6"] {
        let action = game.parse_action(&position, action).unwrap();
        game.apply(&mut position, action);
    }
    assert_eq!(game.side_to_move(&position), Side::White);
    let unknown = position.to_string();
    let output = text(&maydan(root.path(), &["explore", "small", &unknown]));
    assert_eq!(output, format!("none of 40 games of small comes to\n{unknown}\n"));
}

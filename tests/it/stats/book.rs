//! Openings as books: Polyglot's format held against another program's keys and rules, text against the graph.

use crate::support::played;

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use maydan::game::{Game, Playable, shatar::Shatar, shatara::Shatara};
use played::play;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Move, Position as _, Role, fen::Fen, uci::UciMove, zobrist::Zobrist64,
};

/// A run of the games, its openings written with `--book`: the book, and the rows of `openings.csv`.
fn written<R: Playable + Clone + 'static>(
    game: &Game<R>,
    root: &Path,
    book: &str,
) -> (Vec<u8>, Vec<csv::StringRecord>) {
    play(game, &root.join("data/small"), 2, 30);
    let arguments =
        ["stats", "openings", "small", "--min-count", "1", "--depth", "12", "--out", "tables", "--book", book];
    let output = Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with(&format!("book   {book}\n")));
    let mut table = csv::Reader::from_path(root.join("tables/openings.csv")).unwrap();
    let columns = table.headers().unwrap().clone();
    let column = |name| columns.iter().position(|column| column == name).unwrap();
    let wanted = ["position", "action", "searched"].map(column);
    let rows = table.records().map(|row| row.unwrap());
    let rows = rows.map(|row| wanted.iter().map(|&column| &row[column]).collect()).collect();
    (fs::read(root.join(book)).unwrap(), rows)
}

/// An action of the format in a position: the rook is where castling goes to, as it is for shakmaty.
fn code(action: &Move) -> u16 {
    let promotion = match action.promotion() {
        None => 0,
        Some(role) => u16::from(role) - u16::from(Role::Pawn),
    };
    promotion << 12 | u16::from(action.from().unwrap()) << 6 | u16::from(action.to())
}

#[test]
fn chess_is_written_as_polyglot_reads_it() {
    let root = tempfile::tempdir().unwrap();
    let (book, rows) = written(&Shatara::chess(&toml::Table::new()).unwrap(), root.path(), "book.bin");
    let mut expected: BTreeMap<(u64, u16), u64> = BTreeMap::new();
    for row in &rows {
        // Neither reserves nor what is known of them besides are in a FEN.
        let fields: Vec<&str> = row[0].split(' ').take(4).collect();
        let position: Chess = (fields.join(" ").replace("[]", "") + " 0 1")
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let action = row[1].parse::<UciMove>().unwrap().to_move(&position).unwrap();
        let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
        *expected.entry((key, code(&action))).or_default() += row[2].parse::<u64>().unwrap();
    }
    expected.retain(|_, searched| *searched > 0);
    assert!(expected.len() > 100 && expected.values().any(|&searched| searched > 1));

    let (entries, rest) = book.as_chunks::<16>();
    assert!(rest.is_empty());
    let number = |bytes: &[u8]| bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
    let found: Vec<_> = entries
        .iter()
        .map(|entry| ((number(&entry[..8]), number(&entry[8..10]) as u16), number(&entry[10..12])))
        .collect();
    assert!(found.is_sorted_by_key(|&((key, _), searched)| (key, u64::MAX - searched)));
    assert_eq!(found.into_iter().collect::<BTreeMap<_, _>>(), expected);
}

#[test]
fn every_game_has_books_of_text() {
    let root = tempfile::tempdir().unwrap();
    let game = Shatar::game(&toml::Table::new()).unwrap();
    let (book, rows) = written(&game, root.path(), "book.tsv");
    let book = String::from_utf8(book).unwrap();
    let mut lines = book.lines();
    let ruleset = game.ruleset();
    assert_eq!(lines.next(), Some(&*format!("# maydan book 1, {} {}", ruleset.game, ruleset.hash)));
    assert_eq!(lines.next(), Some("position\taction\tsearched\tended\tscore"));
    let mut found = BTreeMap::new();
    for line in lines {
        let [position, action, searched, ended, score] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let position_of_rules = game.parse_position(&format!("{position} 0 1")).unwrap();
        game.parse_action(&position_of_rules, action).unwrap();
        assert_eq!(ended == "0", score.is_empty(), "{line}");
        assert!(score.is_empty() || (0.0..=1.0).contains(&score.parse().unwrap()), "{line}");
        found.insert((position.to_owned(), action.to_owned()), searched.to_owned());
    }
    let expected: BTreeMap<_, _> = rows
        .iter()
        .filter(|row| &row[2] != "0")
        .map(|row| ((row[0].to_owned(), row[1].to_owned()), row[2].to_owned()))
        .collect();
    assert!(expected.len() > 100);
    assert_eq!(found, expected);
}

#[test]
fn other_games_have_no_books_of_chess() {
    let root = tempfile::tempdir().unwrap();
    play(&Shatar::game(&toml::Table::new()).unwrap(), &root.path().join("data/small"), 1, 2);
    let arguments = ["stats", "openings", "small", "--book", "book.bin"];
    let output = Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root.path()).args(arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), complaint.lines().count()), (Some(2), 1), "{complaint}");
    assert!(complaint.contains("--book: expected games of chess for Polyglot's *.bin"), "{complaint}");
    assert!(complaint.contains("found shatar ("), "{complaint}");
    assert!(!root.path().join("book.bin").exists());
}

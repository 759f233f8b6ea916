//! Position strings that are refused, those that are read in another form than they are written, and how positions end.

use maydan::game::{
    Game, History, Outcome, Reason, Show,
    shatara::{Options, Shatara},
};

fn game(options: &str) -> Game<Shatara> {
    Shatara::game(&options.parse().unwrap()).unwrap()
}

fn chess() -> Game<Shatara> {
    Shatara::chess(&toml::Table::new()).unwrap()
}

/// A field, a part of the reason, and a string that is refused for it.
const BAD: &[(&str, &str, &str)] = &[
    ("placement", "missing", ""),
    ("placement", "missing", "   "),
    ("placement", "expected 8 rows, found 1", "4k3[] w - - - 0 1"),
    ("placement", "found 7", "4k3/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "expected 8 rows, found more", "4k3/8/8/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "more", "///////////////////////////////////[] w - - - 0 1"),
    ("placement", "row 8: expected 8 places, found 7", "4k2/8/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "row 8: more than 8 places", "4k4/8/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "row 8: more than 8 places", "4k3p/8/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "row 7: expected a run of 1 to 8, found `44`", "4k3/44/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "row 7: expected a run", "4k3/9/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "row 7: expected a run", "4k3/08/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "row 7: expected a run", "4k3/99999999999999999999/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "row 7: expected a square at place 1, found `*`", "4k3/*7/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "row 7: `é` is no piece", "4k3/é7/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "expected one white king, found 0", "4k3/8/8/8/8/8/8/8[] w - - - 0 1"),
    ("placement", "expected one black king, found 2", "4k2k/8/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "a pawn cannot stand on e8", "k3P3/8/8/8/8/8/8/4K3[] w - - - 0 1"),
    ("placement", "a pawn cannot stand on a1", "k7/8/8/8/8/8/8/p3K3[] w - - - 0 1"),
    ("zones", "missing", "4k3/8/8/8/8/8/8/4K3 w - - - 0 1"),
    ("zones", "expected `]`", "4k3/8/8/8/8/8/8/4K3[ w - - - 0 1"),
    ("zones", "expected `]`", "4k3/8/8/8/8/8/8/4K3[PP]x w - - - 0 1"),
    ("zones", "found `K`", "4k3/8/8/8/8/8/8/4K3[PK] w - - - 0 1"),
    ("zones", "found `2`", "4k3/8/8/8/8/8/8/4K3[P2] w - - - 0 1"),
    ("side", "missing", "4k3/8/8/8/8/8/8/4K3[]"),
    ("side", "expected `w` or `b`, found `W`", "4k3/8/8/8/8/8/8/4K3[] W - - - 0 1"),
    ("side", "black is in check and not to move", "4k3/8/8/8/8/8/8/4RK2[] w - - - 0 1"),
    ("side", "white is in check and not to move", "4k3/8/8/8/8/8/3p4/4K3[] b - - - 0 1"),
    ("side", "in check", "8/8/8/3kK3/8/8/8/8[] b - - - 0 1"),
    ("castling", "missing", "4k3/8/8/8/8/8/8/4K3[] w"),
    ("castling", "found `X`", "4k3/8/8/8/8/8/8/4K3[] w X - - 0 1"),
    ("castling", "found `KK`", "4k3/8/8/8/8/8/8/4K2R[] w KK - - 0 1"),
    ("castling", "in that order", "4k3/8/8/8/8/8/8/R3K2R[] w QK - - 0 1"),
    ("castling", "`K` needs the white king on e1 and a white rook on h1", "4k3/8/8/8/8/8/8/R3K3[] w K - - 0 1"),
    ("castling", "`q` needs the black king on e8", "r4k2/8/8/8/8/8/8/4K3[] w q - - 0 1"),
    ("castling", "`Q` needs", "4k3/8/8/8/8/8/8/r3K3[] w Q - - 0 1"),
    ("castling", "`K` needs a white rook that has not moved", "4k3/8/8/8/8/8/8/R3K2R[] w KQ - h1 0 1"),
    ("castling", "a8 is among the moved", "r3k3/8/8/8/8/8/8/4K3[] b q - a8 0 1"),
    ("ep", "missing", "4k3/8/8/8/8/8/8/4K3[] w -"),
    ("ep", "expected a square, a1 to h8, or `-`, found `e9`", "4k3/8/8/8/8/8/8/4K3[] w - e9 - 0 1"),
    ("ep", "no black pawn can just have passed e6", "4k3/8/8/8/8/8/8/4K3[] w - e6 - 0 1"),
    ("ep", "no black pawn can just have passed e3", "4k3/8/8/8/3pP3/8/8/4K3[] w - e3 - 0 1"),
    ("ep", "passed d3", "4k3/8/8/8/2pP4/8/3N4/4K3[] b - d3 - 0 1"),
    ("ep", "passed d3", "4k3/8/8/8/2pP4/3N4/8/4K3[] b - d3 - 0 1"),
    ("moved", "missing", "4k3/8/8/8/8/8/8/4K3[] w - -"),
    ("moved", "no pawn, knight, bishop or rook stands on e1", "4k3/8/8/8/8/8/8/4K3[] w - - e1 0 1"),
    ("moved", "stands on d4", "4k3/8/8/8/3Q4/8/8/4K3[] w - - d4 0 1"),
    ("moved", "stands on a1", "4k3/8/8/8/8/8/8/4K3[] w - - a1 0 1"),
    ("moved", "expected squares", "4k3/8/8/8/3N4/8/8/4K3[] w - - d4x 0 1"),
    ("moved", "expected squares", "4k3/8/8/8/3N4/8/8/4K3[] w - - é 0 1"),
    ("moved", "d4 is listed twice", "4k3/8/8/8/3N4/8/8/4K3[] w - - d4d4 0 1"),
    ("clock", "missing", "4k3/8/8/8/8/8/8/4K3[] w - - -"),
    ("clock", "found `-1`", "4k3/8/8/8/8/8/8/4K3[] w - - - -1 1"),
    ("clock", "found `+1`", "4k3/8/8/8/8/8/8/4K3[] w - - - +1 1"),
    ("clock", "found `999999999999999999999999...`", "4k3/8/8/8/8/8/8/4K3[] w - - - 99999999999999999999999999 1"),
    ("fullmove", "missing", "4k3/8/8/8/8/8/8/4K3[] w - - - 0"),
    ("fullmove", "1 to 9999999, found `0`", "4k3/8/8/8/8/8/8/4K3[] w - - - 0 0"),
    ("fullmove", "found `10000000`", "4k3/8/8/8/8/8/8/4K3[] w - - - 0 10000000"),
    ("fullmove", "expected to be the last field, found `x`", "4k3/8/8/8/8/8/8/4K3[] w - - - 0 1 x"),
    ("moved", "expected squares", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"),
];

#[test]
fn bad_positions_name_the_field() {
    let game = game("");
    for &(field, reason, text) in BAD {
        let error = game.parse_position(text).expect_err(text);
        assert_eq!(error.field, field, "{text}: {error}");
        assert!(error.reason.contains(reason), "{text}: {error}");
        assert_eq!(error.to_string().lines().count(), 1, "{text}");
    }
}

#[test]
fn huge_positions_are_refused_briefly() {
    let game = game("");
    let kings = "4k3/8/8/8/8/8/8/4K3";
    for text in [
        "8".repeat(1 << 20),
        "/".repeat(1 << 20),
        format!("{kings}[{}] w - - - 0 1", "P".repeat(256)),
        format!("{kings}[{}] w - - - 0 1", "p".repeat(1 << 20)),
        format!("{kings}[] {} - - - 0 1", "w".repeat(1 << 20)),
        format!("{kings}[] w {} - - 0 1", "K".repeat(1 << 20)),
        format!("{kings}[] w - - {} 0 1", "a1".repeat(1 << 20)),
        format!("{kings}[] w - - - {} 1", "1".repeat(1 << 20)),
        format!("{kings}[] w - - - 0 1{}", " 1".repeat(1 << 20)),
    ] {
        let error = game.parse_position(&text).unwrap_err().to_string();
        assert!(error.len() < 200, "{error}");
    }
}

/// What is read, and how it is written.
#[test]
fn every_position_has_one_string() {
    let cases = [
        // Zone letters and moved squares in any order.
        ("4k3/8/8/8/3N4/8/8/RB2K3[pQPqP] w - - d4b1a1 3 4", "4k3/8/8/8/3N4/8/8/RB2K3[PPQpq] w - - a1b1d4 3 4"),
        // An en passant square on which no pawn can capture, or none without exposing its king.
        ("4k3/8/8/8/4P3/8/8/4K3[] b - e3 - 0 1", "4k3/8/8/8/4P3/8/8/4K3[] b - - - 0 1"),
        ("8/8/8/8/k2pP2R/8/8/4K3[] b - e3 - 0 1", "8/8/8/8/k2pP2R/8/8/4K3[] b - - - 0 1"),
        ("8/8/8/8/k2pP3/8/8/4K3[] b - e3 - 0 1", "8/8/8/8/k2pP3/8/8/4K3[] b - e3 - 0 1"),
        // Above both limits of reinforcement.
        ("4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3[P] w - - - 0 1", "4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3[P] w - - - 0 1"),
    ];
    for (text, written) in cases {
        let game = game("");
        assert_eq!(game.parse_position(text).unwrap().to_string(), written);
    }
    let off = game("ladder = false");
    let read = off.parse_position("4k3/8/8/8/3N4/8/8/4K3[] w - - d4 0 1").unwrap();
    assert_eq!(read.to_string(), "4k3/8/8/8/3N4/8/8/4K3[] w - - - 0 1");
}

#[test]
fn chess_reads_plain_fen() {
    let game = chess();
    let read = game.parse_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    assert_eq!(read, game.start());
    assert_eq!(read.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - - 0 1");
    assert_eq!(game.parse_position(&read.to_string()), Ok(read));
    let error = game.parse_position("4k3/8/8/8/8/8/8/4K3 w - - - 0 1").unwrap_err();
    assert_eq!(error.field, "clock", "the field `moved` belongs to the form with zones");
    assert_eq!(game.parse_position("4k3/8/8/8/8/8/8/4K3[] w - - 0 1").unwrap_err().field, "moved");
}

/// Options, a position, and its outcome.
const ENDS: &[(&str, &str, &str)] = &[
    ("", "4k3/8/8/8/8/8/4P3/4K3[] w - - - 0 1", "ongoing"),
    ("", "R3k3/7R/8/8/8/8/8/4K3[] b - - - 0 1", "white checkmate"),
    ("", "7k/5Q2/8/8/8/8/8/K7[] b - - - 0 1", "draw stalemate"),
    ("", "7k/5Q2/8/8/8/8/8/K7[p] b - - - 0 1", "ongoing"),
    ("reinforcement = false", "7k/5Q2/8/8/8/8/8/K7[p] b - - - 0 1", "draw stalemate"),
    ("", "7k/5Q2/8/p7/P7/8/8/K7[n] b - - a5 0 1", "ongoing"),
    ("ladder = false", "7k/5Q2/8/p7/P7/8/8/K7[n] b - - a5 0 1", "draw stalemate"),
    ("", "7k/5Q2/8/p7/P7/8/8/K7[n] b - - - 0 1", "draw stalemate"),
    // No progress, before insufficient material and the ply limit.
    ("", "4k3/8/8/8/8/8/4P3/4K3[] w - - - 99 60", "ongoing"),
    ("", "4k3/8/8/8/8/8/4P3/4K3[] w - - - 100 60", "draw no_progress"),
    ("", "4k3/8/8/8/8/8/8/4K3[] w - - - 100 600", "draw no_progress"),
    ("no_progress_plies = 0", "4k3/8/8/8/8/8/4P3/4K3[] w - - - 5000 60", "ongoing"),
    // Checkmate before no progress.
    ("", "R3k3/7R/8/8/8/8/8/4K3[] b - - - 100 600", "white checkmate"),
    // Insufficient material.
    ("", "4k3/8/8/8/8/8/8/4K3[] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/4K3[NBRQnbrq] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/4K3[p] w - - - 0 1", "ongoing"),
    ("reinforcement = false", "4k3/8/8/8/8/8/8/4K3[p] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/3BK3[] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/3BK3[R] w - - - 0 1", "ongoing"),
    ("", "4k3/8/8/8/8/8/8/3BK3[r] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/3bK3[r] w - - - 0 1", "ongoing"),
    ("ladder = false", "4k3/8/8/8/8/8/8/3BK3[R] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/3NK3[R] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/3NK3[B] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/3NK3[BR] w - - - 0 1", "ongoing"),
    ("promotion_stock = 'unlimited'", "4k3/8/8/8/8/8/8/3NK3[] w - - - 0 1", "ongoing"),
    ("promotion_stock = 'unlimited'\nladder = false", "4k3/8/8/8/8/8/8/3NK3[] w - - - 0 1", "draw insufficient"),
    ("", "4k3/8/8/8/8/8/8/2BNK3[] w - - - 0 1", "ongoing"),
    ("", "3bk3/8/8/8/8/8/8/3NK3[] w - - - 0 1", "ongoing"),
    ("", "3rk3/8/8/8/8/8/8/4K3[] w - - - 0 1", "ongoing"),
    // The ply limit, after insufficient material.
    ("", "4k3/8/8/8/8/8/4P3/4K3[] b - - - 0 256", "ongoing"),
    ("", "4k3/8/8/8/8/8/4P3/4K3[] w - - - 0 257", "draw max_plies"),
    ("", "4k3/8/8/8/8/8/8/4K3[] w - - - 0 257", "draw insufficient"),
    ("max_plies = 3", "4k3/8/8/8/8/8/4P3/4K3[] b - - - 0 2", "draw max_plies"),
    ("max_plies = 0", "4k3/8/8/8/8/8/4P3/4K3[] w - - - 0 9999999", "ongoing"),
];

#[test]
fn positions_end_as_the_rules_say() {
    for &(options, text, expected) in ENDS {
        let game = game(options);
        let position = game.parse_position(text).unwrap();
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        let outcome = game.outcome(&position, &legal, 0).map_or("ongoing".to_owned(), |outcome| outcome.to_string());
        assert_eq!(outcome, expected, "{options} {text}");
    }
}

#[test]
fn counters_stop_at_their_greatest_value() {
    let game = game("no_progress_plies = 0\nmax_plies = 0");
    let mut position = game.parse_position("4k3/8/8/8/8/8/4P3/4K3[] b - - - 9999999 9999999").unwrap();
    for text in ["e8e7", "e1d1"] {
        let action = game.parse_action(&position, text).unwrap();
        game.apply(&mut position, action);
    }
    assert_eq!(position.to_string(), "8/4k3/8/8/8/8/4P3/3K4[] b - - - 9999999 9999999");
}

/// Plays `moves` from the start and returns how the game ended, and after how many of them.
fn ends(game: &Game<Shatara>, moves: &str) -> Option<(usize, Outcome)> {
    let mut position = game.start();
    let mut history = History::new(game, &position);
    let mut legal = Vec::new();
    for (i, text) in moves.split(' ').enumerate() {
        let action = game.parse_action(&position, text).unwrap();
        game.apply(&mut position, action);
        history.push(game, &position);
        game.legal_actions(&position, &mut legal);
        if let Some(outcome) = history.outcome(game, &position, &legal) {
            return Some((i + 1, outcome));
        }
    }
    None
}

/// The knights that return to their squares have moved, so the start itself does not recur; in `chess` it does.
#[test]
fn repetition_counts_the_moved_field() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    let moves = [shuffle; 4].join(" ");
    let draw = Outcome::draw(Reason::Repetition);
    assert_eq!(ends(&chess(), &moves), Some((8, draw)));
    // From the position after 1.Nf3 Nf6 on, both knights are listed.
    assert_eq!(ends(&game(""), &moves), Some((10, draw)));
    assert_eq!(ends(&game("repetition = 2"), &moves), Some((6, draw)));
    assert_eq!(ends(&game("repetition = 0"), &moves), None);
}

#[test]
fn illegal_actions_are_refused() {
    let game = game("");
    let start = game.start();
    for text in ["e2e5", "e2e4q", "P@e2", "p@e2", "e2e2n", "e1g1", "", "é", "E2E4", " e2e4"] {
        let error = game.parse_action(&start, text).unwrap_err();
        assert_eq!(error.action, text);
    }
}

#[test]
fn options_are_checked() {
    for (options, complaint) in [
        ("nonsense = 1", "unknown option `nonsense`"),
        ("reserve = 'PK'", "`reserve`: expected letters of PNBRQ, found 'K'"),
        ("reserve = 'p'", "`reserve`"),
        ("reserve = 7", "`reserve`"),
        ("max_arena_pieces = 65", "`max_arena_pieces`: expected 0 to 64, found 65"),
        ("max_arena_pawns = -1", "`max_arena_pawns`"),
        ("promotion_after = 'never'", "`promotion_after`"),
        ("promotion_stock = 'borrow'", "`promotion_stock`"),
        ("ladder = 1", "`ladder`"),
        ("repetition = 1", "`repetition`: expected 0 (off) or at least 2"),
        ("max_plies = 99999999999", "`max_plies`"),
        ("ladder = false\nmax_plies = 'x'", "`max_plies`"),
    ] {
        let error = Shatara::game(&options.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(complaint), "{options}: {error}");
    }
    let long = toml::Table::from_iter([("reserve".to_owned(), "P".repeat(256).into())]);
    assert!(Shatara::game(&long).unwrap_err().to_string().contains("at most 255"));
}

#[test]
fn equal_rules_have_one_identity() {
    let (mixed, ordered) = (game("reserve = 'QPNP'"), game("reserve = 'PPNQ'"));
    assert_eq!(mixed.ruleset(), ordered.ruleset());
    assert_eq!(mixed.start(), ordered.start());
    assert_ne!(mixed.ruleset().hash, game("").ruleset().hash);
    assert_eq!(game("").rules().options(), &Options::default());
    let as_chess = "reserve = ''\nladder = false\nreinforcement = false\npawn_moves_are_progress = true";
    assert_eq!(game(as_chess).rules().options(), chess().rules().options());
    assert_ne!(game(as_chess).ruleset().hash, chess().ruleset().hash, "the game's id is part of its identity");
}

#[test]
fn positions_are_drawn_for_people() {
    let game = game("");
    let position = game.parse_position("r3k2r/8/8/3p4/8/8/8/R3K2R[PPNQ] b KQkq - - 0 1").unwrap();
    let expected = "\
8  r . . . k . . r    zone  empty
7  . . . . . . . .
6  . . . . . . . .
5  . . . p . . . .
4  . . . . . . . .
3  . . . . . . . .
2  . . . . . . . .
1  R . . . K . . R    zone  PP N Q
   a b c d e f g h    black to move
";
    assert_eq!(game.rules().draw(&position), expected);
}

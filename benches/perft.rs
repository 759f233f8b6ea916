//! Leaves a second of every game, with the last actions counted and with every one played, beside other generators. Run
//! with `cargo bench --bench perft`; words after `--` choose among the tables, as `-- chess`.
//!
//! cozy-chess and shakmaty are built with the same flags. Sjaak II and Fairy-Stockfish are asked where they are
//! installed, over a pipe, and their own `perft` is taken as it is. Sjaak II spends most of its time on playing moves
//! to see whether they are legal: its figure is no count of the last moves from masks, as ours is.

mod measure;

use std::{fmt::Debug, hint::black_box};

use cozy_chess::Board;
use maydan::game::{
    Game, Rules,
    omega::{Omega, advanced::OmegaAdvanced},
    perft::{perft, walk},
    shatar::Shatar,
    shatara::Shatara,
    shatra::Shatra,
};
use measure::{Table, program::Program};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Shatar as Fairy-Stockfish can be configured for it: chess with pawns that capture as they move, without castling,
/// double step and promotion.
const SHATAR_VARIANT: &str = include_str!("../tests/external/shatar_fairy.ini");

fn main() {
    chess("start", START, 5, 4_865_609);
    chess("Kiwipete", KIWIPETE, 4, 4_085_603);
    shatara();
    shatar();
    omega();
    omega_advanced();
    shatra();
}

/// A ruleset without overrides.
fn game<R: Rules, E: Debug>(game: impl Fn(&toml::Table) -> Result<Game<R>, E>) -> Game<R> {
    game(&toml::Table::new()).expect("the presets are rulesets")
}

/// Lets every contender show that it counts the same.
fn checked(expected: u64, count: impl Fn() -> u64) -> impl FnMut() -> u64 {
    move || {
        let leaves = count();
        assert_eq!(leaves, expected, "leaves counted");
        leaves
    }
}

fn chess(name: &str, fen: &str, depth: u32, leaves: u64) {
    let chess = game(Shatara::chess);
    let ours = chess.parse_position(fen).expect("a position of chess");
    let cozy: Board = fen.parse().expect("a position of chess");
    let shakmaty: Chess = fen
        .parse::<Fen>()
        .ok()
        .and_then(|fen| fen.into_position(CastlingMode::Standard).ok())
        .expect("a position of chess");
    Table::new(
        format!("chess, {name}, depth {depth}, last moves counted"),
        "maydan",
        checked(leaves, || perft(&chess, &ours, depth)),
    )
    .against("cozy-chess", 1.0, checked(leaves, || cozy_perft(&cozy, depth)))
    .against("shakmaty", 1.5, checked(leaves, || shakmaty::perft(&shakmaty, depth)))
    .print();
    Table::new(
        format!("chess, {name}, depth {depth}, every leaf made"),
        "maydan",
        checked(leaves, || walk(&chess, &ours, depth)),
    )
    .against("cozy-chess", 1.0, checked(leaves, || cozy_walk(&cozy, depth)))
    .against("shakmaty", 1.0, checked(leaves, || shakmaty_walk(&shakmaty, depth)))
    .print();
}

fn shatara() {
    let (shatara, chess) = (game(Shatara::game), game(Shatara::chess));
    let (start, chess_start) = (shatara.start(), chess.start());
    Table::new("shatara, start, depth 5, last actions counted", "shatara", || perft(&shatara, &start, 5))
        .against("chess, start, depth 5", 0.7, || perft(&chess, &chess_start, 5))
        .print();
    Table::new("shatara, start, depth 5, every leaf made", "shatara", || walk(&shatara, &start, 5))
        .against("chess, start, depth 5", 0.7, || walk(&chess, &chess_start, 5))
        .print();
}

fn shatar() {
    let shatar = game(Shatar::game);
    let start = shatar.start();
    const LEAVES: u64 = 9_811_472;
    let count = || perft(&shatar, &start, 6);
    let mut table = Table::new("shatar, start, depth 6, last moves counted", "maydan", checked(LEAVES, count));
    let folder = tempfile::tempdir().expect("a folder for a variant");
    let variants = folder.path().join("variants.ini");
    std::fs::write(&variants, SHATAR_VARIANT).expect("a file for a variant");
    let greeting = format!(
        "setoption name VariantPath value {}\nsetoption name UCI_Variant value maydan-shatar\nposition startpos",
        variants.display()
    );
    if let Some(mut program) = Program::start("fairy-stockfish", &[], &greeting) {
        table = table.against("Fairy-Stockfish", 8.0, move || {
            let nodes = program.ask("go perft 6", |line| line.strip_prefix("Nodes searched: ")?.trim().parse().ok());
            assert_eq!(nodes, LEAVES, "leaves counted");
            nodes
        });
    }
    table.print();
    Table::new("shatar, start, depth 5, every leaf made", "maydan", || walk(&shatar, &start, 5)).print();
}

fn omega() {
    let omega = game(Omega::game);
    let start = omega.start();
    const LEAVES: u64 = 2_819_484;
    let mut table =
        Table::new("omega, start, depth 4, last moves counted", "maydan", checked(LEAVES, || perft(&omega, &start, 4)));
    if let Some(mut program) = Program::start("sjaakii", &["-xboard"], "variant omega\nforce") {
        table = table.against("Sjaak II", 10.0, move || {
            let read = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["4", nodes, _, _] => nodes.parse().ok(),
                _ => None,
            };
            let nodes = program.ask("perft 4", read);
            assert_eq!(nodes, LEAVES, "leaves counted");
            nodes
        });
    }
    table.print();
    Table::new("omega, start, depth 4, every leaf made", "maydan", || walk(&omega, &start, 4)).print();
}

fn omega_advanced() {
    /// Fools of both sides on the board, on corners and not.
    const FOOLS: &str = "F**********f/*3q2k3*/*p1pp2ppp1*/*10*/*4P2f2*/*2N7*/*3n6*/*5F4*/*10*/*PPP3PPPP*/*1R2QK2R1*/f**********F[] w - - NR 0 25";
    let (advanced, omega) = (game(OmegaAdvanced::game), game(Omega::game));
    let (start, omega_start) = (advanced.start(), omega.start());
    let fools = advanced.parse_position(FOOLS).expect("a position of Omega Chess Advanced");
    for (name, position, depth) in [("start", start, 4), ("six fools", fools, 3)] {
        Table::new(format!("omega-advanced, {name}, depth {depth}, last moves counted"), "omega-advanced", || {
            perft(&advanced, &position, depth)
        })
        .against("omega, start, depth 4", 0.5, || perft(&omega, &omega_start, 4))
        .print();
        Table::new(format!("omega-advanced, {name}, depth {depth}, every leaf made"), "omega-advanced", || {
            walk(&advanced, &position, depth)
        })
        .against("omega, start, depth 4", 0.5, || walk(&omega, &omega_start, 4))
        .print();
    }
}

fn shatra() {
    let shatra = game(Shatra::game);
    let start = shatra.start();
    Table::new("shatra, start, depth 3, last actions counted (aim 20 M/s)", "maydan", || perft(&shatra, &start, 3))
        .print();
    Table::new("shatra, start, depth 3, every leaf made", "maydan", || walk(&shatra, &start, 3)).print();
}

/// The perft of cozy-chess's own example.
fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for chosen in moves {
                let mut next = board.clone();
                next.play_unchecked(chosen);
                leaves += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

fn cozy_walk(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        for chosen in moves {
            let mut next = board.clone();
            next.play_unchecked(chosen);
            if depth > 1 {
                leaves += cozy_walk(&next, depth - 1);
            } else {
                black_box(&next);
                leaves += 1;
            }
        }
        false
    });
    leaves
}

fn shakmaty_walk(position: &Chess, depth: u32) -> u64 {
    let mut leaves = 0;
    for &chosen in &position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(chosen);
        if depth > 1 {
            leaves += shakmaty_walk(&next, depth - 1);
        } else {
            black_box(&next);
            leaves += 1;
        }
    }
    leaves
}

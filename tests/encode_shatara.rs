//! Planes and action indices of Shatara Arena and its `chess` preset.

mod suite;

use std::fmt::Write;

use maydan::{
    encode::{Rows, draw_row, layout_table},
    game::{Encode, Game, shatara::Shatara},
};
use suite::{
    encoding::{self, Symmetry},
    walk::{Visit, random_games},
};

/// Positions that random games seldom reach: every sort of action, and counters at their limits.
const RARE: &[&str] = &[
    "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R[PNBRQpnbrq] b KQkq - b6f6e5 3 2",
    "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R[PPp] b Kq - - 0 1",
    "n1n1k3/PPP5/8/8/8/8/ppp5/N1N1K3[] w - - - 0 1",
    "n1n1k3/PPP5/8/8/8/8/ppp5/N1N1K3[PNBRQpnbrq] b - - b7c7b2c2 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3[] w - d6 e5 0 9",
    "4k3/8/8/8/3Pp3/8/8/4K3[Pp] b - d3 d4e4 0 9",
    "6k1/2pp4/8/4R3/1N6/2B5/3P4/4K3[PPNBRQpnbrq] w - - b4c3e5 99 250",
    "4k3/2p5/8/4r3/1n6/2b5/3P4/6K1[PNBRQppnbrq] b - - b4c3 9999999 9999999",
    "4k3/8/8/8/8/8/8/4K3[] b - - - 9999999 9999999",
];

/// A game with options laid over the preset.
fn game(preset: &str, options: &str) -> Shatara {
    let options = options.parse().unwrap();
    match preset {
        "chess" => Shatara::chess_from_options(&options).unwrap(),
        _ => Shatara::from_options(&options).unwrap(),
    }
}

/// Rulesets whose legal actions differ.
fn games() -> Vec<Shatara> {
    vec![
        game("shatara", ""),
        game("chess", ""),
        game("shatara", "promotion_after = 'move_ever'\npromotion_stock = 'unlimited'\nmax_arena_pieces = 32"),
        game("shatara", "promotion_stock = 'consume'\nsupport_actions_may_check = true\nreserve = 'PPPNNNBBBRRRQQQ'"),
        game("shatara", "ladder = false\nmax_arena_pawns = 12\npawn_moves_are_progress = true"),
    ]
}

/// Positions of random games, and those that are rare.
fn visits(game: &Shatara) -> Vec<Visit<Shatara>> {
    let mut visits = random_games(game, 8, 200);
    for text in RARE {
        let position = game.parse_position(&without_unused(game, text)).unwrap();
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        visits.push(Visit { position, repetitions: 0, legal });
    }
    visits
}

/// A position string without moved squares where the ruleset has no ladder.
fn without_unused(game: &Shatara, text: &str) -> String {
    let mut fields: Vec<&str> = text.split(' ').collect();
    if !game.rules().ladder {
        fields[4] = "-";
    }
    fields.join(" ")
}

#[test]
fn actions_have_their_own_index() {
    for game in games() {
        encoding::actions_have_their_own_index(&game, &visits(&game));
    }
}

#[test]
fn every_plane_of_actions_is_used() {
    let mut used = vec![false; 75];
    for game in games() {
        for visit in random_games(&game, 60, 200).into_iter().chain(visits(&game)) {
            for action in visit.legal {
                used[game.action_index(&visit.position, action) / 64] = true;
            }
        }
    }
    let layout = games()[0].layout();
    let unused: Vec<&str> = (0..75).filter(|&i| !used[i]).map(|i| layout.action_planes[i].name.as_str()).collect();
    assert_eq!(layout.action_planes.len(), 75);
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn a_batch_is_its_rows() {
    for game in games() {
        encoding::a_batch_is_its_rows(&game, &visits(&game));
    }
}

#[test]
fn no_two_positions_encode_alike() {
    for game in [game("shatara", ""), game("chess", "")] {
        let visits = visits(&game);
        let rare = &visits[visits.len() - RARE.len()..];
        let bases: Vec<_> = visits.iter().step_by(97).chain(rare).map(|visit| visit.position).collect();
        let differing = encoding::no_two_positions_encode_alike(&game, &visits, &bases);
        let fields = ["placement", "zones", "side", "castling", "ep", "moved", "clock", "fullmove"];
        for (field, count) in fields.iter().zip(differing) {
            assert_eq!(count > 0, *field != "moved" || game.rules().ladder, "{field} of {}", game.ruleset());
        }
        encoding::repetitions_show(&game, &game.start());
    }
}

#[test]
fn colours_do_not_matter() {
    let swap = Symmetry { position: swap_colours, action: flip_ranks };
    for game in games() {
        encoding::colours_do_not_matter(&game, &visits(&game), &swap, &["black"]);
    }
}

#[test]
fn the_mirror_is_seen() {
    let mirror = Symmetry { position: mirror_position, action: mirror_action };
    for game in games() {
        let visits = visits(&game);
        let applied = encoding::the_mirror_is_seen(&game, &visits, &mirror);
        assert!(applied > 100 && applied < visits.len(), "{applied} of {}", visits.len());
    }
}

#[test]
fn a_position_is_drawn_as_the_network_sees_it() {
    let game = game("shatara", "");
    let text =
        "r1bqkb1r/ppp2ppp/2n2n2/8/3Pp3/2N2N2/PPP1PPPP/R1BQKB1R[PPPPPPPNBBRQpppppppnnbrrq] b KQk d3 c3f3d4e4c6f6 3 5";
    let position = game.parse_position(text).unwrap();
    let mut rows = Rows::new(game.layout());
    rows.push(&game, &position, 1);
    let mut drawing =
        format!("{text}\noccurred 1 time before\n\n{}\naction index = plane, row, column\n", draw_row(&rows, 0));
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    legal.sort_by_key(|&action| game.action_index(&position, action));
    for action in legal {
        let index = game.action_index(&position, action);
        let plane = &game.layout().action_planes[index / 64].name;
        let (row, column) = (index % 64 / 8, index % 8);
        writeln!(drawing, "{:5} {index:4} = {plane}, {row}, {column}", game.action_string(&position, action)).unwrap();
    }
    assert_eq!(drawing, include_str!("golden/shatara_encoding.txt"), "now:\n{drawing}");
}

#[test]
fn the_documented_table_is_the_layout() {
    let table = layout_table(game("shatara", "").layout());
    let documented = include_str!("../src/game/shatara/PLANES.md");
    assert!(documented.ends_with(&format!("\n\n{table}")), "PLANES.md should end with:\n\n{table}");
}

/// The position with the board turned and the colours swapped.
fn swap_colours(text: &str) -> String {
    let swapped: String = text.chars().map(swap_case).collect();
    let (board, state) = swapped.split_once('[').unwrap();
    let (zones, state) = state.split_once("] ").unwrap();
    let fields: Vec<&str> = state.split(' ').collect();
    let [_, castling, ep, moved, clock, fullmove] = fields[..] else { panic!("{text}") };
    let board: Vec<&str> = board.split('/').rev().collect();
    let side = if text.contains("] w ") { 'b' } else { 'w' };
    let castling: String = "KQkq-".chars().filter(|&right| castling.contains(right)).collect();
    let (ep, moved) = (flip_ranks(&ep.to_lowercase()), flip_ranks(&moved.to_lowercase()));
    format!("{}[{zones}] {side} {castling} {ep} {moved} {clock} {fullmove}", board.join("/"))
}

fn swap_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}

/// Squares, as they stand in an action or a field, seen from the other side of the board.
fn flip_ranks(text: &str) -> String {
    let flip = |c| if let '1'..='8' = c { (b'1' + b'8' - c as u8) as char } else { c };
    text.chars().map(flip).collect()
}

/// The position with its files turned round.
fn mirror_position(text: &str) -> String {
    let (board, state) = text.split_once('[').unwrap();
    let (zones, state) = state.split_once("] ").unwrap();
    let fields: Vec<&str> = state.split(' ').collect();
    let [side, castling, ep, moved, clock, fullmove] = fields[..] else { panic!("{text}") };
    let board: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let (ep, moved) = (mirror_files(ep), mirror_files(moved));
    format!("{}[{zones}] {side} {castling} {ep} {moved} {clock} {fullmove}", board.join("/"))
}

/// The action with its files turned round; the fifth letter is a rank of the ladder, not a file.
fn mirror_action(text: &str) -> String {
    format!("{}{}", mirror_files(&text[..4]), &text[4..])
}

fn mirror_files(text: &str) -> String {
    let mirror = |c| if let 'a'..='h' = c { (b'a' + b'h' - c as u8) as char } else { c };
    text.chars().map(mirror).collect()
}

//! Planes and action indices of Shatara Arena. What holds of every encoding is tested in `every_game.rs`.

use crate::support::{suite, witnesses};

use std::fmt::Write;

use maydan::{
    encode::{Rows, draw_row, layout_table},
    game::{Encode, Game, shatara::Shatara},
};
use suite::walk::{random_games, visits};
use witnesses::witness;

fn game(options: &str) -> Game<Shatara> {
    Shatara::game(&options.parse().unwrap()).unwrap()
}

#[test]
fn every_plane_of_actions_is_used() {
    let mut used = [false; 75];
    let witness = witness("shatara");
    for options in witness.options {
        let game = game(options);
        for visit in random_games(&game, 30, 200).into_iter().chain(visits(&game, witness, 1, 200)) {
            for action in visit.legal {
                used[game.rules().action_index(&visit.position, action) / 64] = true;
            }
        }
    }
    let game = game("");
    let layout = game.layout();
    let unused: Vec<&str> = (0..75).filter(|&i| !used[i]).map(|i| layout.action_planes[i].name.as_str()).collect();
    assert_eq!(layout.action_planes.len(), 75);
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn a_position_is_drawn_as_the_network_sees_it() {
    let game = game("");
    let text =
        "r1bqkb1r/ppp2ppp/2n2n2/8/3Pp3/2N2N2/PPP1PPPP/R1BQKB1R[PPPPPPPNBBRQpppppppnnbrrq] b KQk d3 c3f3d4e4c6f6 3 5";
    let position = game.parse_position(text).unwrap();
    let mut rows = Rows::new(game.layout());
    rows.push(&game, &position, 1);
    let mut drawing =
        format!("{text}\noccurred 1 time before\n\n{}\naction index = plane, row, column\n", draw_row(&rows, 0));
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    legal.sort_by_key(|&action| game.rules().action_index(&position, action));
    for action in legal {
        let index = game.rules().action_index(&position, action);
        let plane = &game.layout().action_planes[index / 64].name;
        let (row, column) = (index % 64 / 8, index % 8);
        writeln!(drawing, "{:5} {index:4} = {plane}, {row}, {column}", action.to_string()).unwrap();
    }
    assert_eq!(drawing, include_str!("../../golden/shatara_encoding.txt"), "now:\n{drawing}");
}

#[test]
fn the_documented_table_is_the_layout() {
    let table = layout_table(game("").layout());
    let documented = include_str!("../../../src/game/shatara/PLANES.md");
    assert!(documented.ends_with(&format!("\n\n{table}")), "PLANES.md should end with:\n\n{table}");
}

//! A game of tic-tac-toe as a record, written down without self-play.

use maydan::{
    data::{Decision, DecisionKind, GameRecord},
    encode::Rows,
    game::{Outcome, Reason, Wdl},
};

use super::toy::TicTacToe;

/// The game of these squares, agreed drawn. `net_wdl` is what the network is said to have said of each position.
pub fn by_hand(squares: &[u8], net_wdl: Option<Wdl>) -> GameRecord {
    let game = TicTacToe::game();
    let (mut position, mut decisions, mut rows) = (game.start(), Vec::new(), Rows::new(game.layout()));
    for &square in squares {
        rows.push(&game, &position, 0);
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        decisions.push(Decision {
            kind: DecisionKind::Opening,
            side: game.side_to_move(&position),
            position: position.to_string(),
            action: square.to_string(),
            mirror: true,
            zones: [Vec::new(), Vec::new()],
            legal: legal.iter().map(|&square| u32::from(square)).collect(),
            legal_kinds: vec![0; legal.len()],
            chosen: legal.iter().position(|&action| action == square).unwrap(),
            policy: Vec::new(),
            visits: Vec::new(),
            q: Vec::new(),
            prior: None,
            root_wdl: None,
            net_wdl,
            policy_kl: None,
        });
        game.apply(&mut position, square);
    }
    GameRecord { index: 0, outcome: Outcome::draw(Reason::Agreement), overruled: None, decisions, rows }
}

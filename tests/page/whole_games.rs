//! The page of `maydan serve` in Chromium: games of every kind played by clicks to their end. Skipped where Chromium is
//! not installed.

use crate::browser;

use browser::Client;
use maydan::{
    evaluate::{Batcher, FixedDepth, Player, Thought, Turn},
    game::{
        Game, History, Playable,
        random::stream,
        registry::{GameVisitor, with_game},
    },
    search::AlphaBeta,
};

/// Plays a whole game on the page, White by clicks and with some foresight, Black by the bot; the rules follow it.
struct ToTheEnd<'a>(&'a mut Client);

impl GameVisitor for ToTheEnd<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let client = self.0;
        let id = game.ruleset().game.clone();
        let (mut position, mut legal, mut played) = (game.start(), Vec::new(), 0);
        let mut history = History::new(&game, &position);
        let mut batcher = Batcher::new(&game, None);
        let mut player = FixedDepth { search: AlphaBeta::new(2), random: 0 };
        let mut rng = stream("page", 1, 0, 0);
        let outcome = loop {
            for action in &client.moves()[played..] {
                let action = game.parse_action(&position, action).unwrap();
                game.apply(&mut position, action);
                history.push(&game, &position);
                played += 1;
            }
            game.legal_actions(&position, &mut legal);
            if let Some(outcome) = history.outcome(&game, &position, &legal) {
                break outcome;
            }
            if played == 30 {
                client.browser.picture(&format!("game-{id}"));
            }
            let turn = Turn { game: &game, position: &position, history: &history, legal: &legal };
            let Thought::Chosen(choice) = player.think(&turn, &mut rng, &mut batcher) else { unreachable!() };
            client.play(&choice.action.to_string());
            client.wait_for_turn(played + 1);
        };
        client.browser.until("document.querySelector('#status').dataset.result !== ''");
        let shown: [String; 2] = client.browser.look(
            "[document.querySelector('#status').dataset.result, document.querySelector('#status').dataset.reason]",
        );
        assert_eq!(shown, [outcome.result_name().to_owned(), outcome.reason.to_string()], "{id}");
        assert_eq!(client.count(".source, .target"), 0, "nothing can be played any more");
        assert_eq!(
            client.browser.look::<String>("document.querySelector('#board').dataset.position"),
            position.to_string()
        );
        client.browser.picture(&format!("end-{id}"));
    }
}

fn play_to_the_end(game: &str) {
    let Some(mut client) = Client::arrive() else { return };
    client.begin(game, "");
    client.weaken();
    with_game(game, &toml::Table::new(), ToTheEnd(&mut client)).unwrap();
    client.browser.assert_well();
}

#[test]
fn shatara_to_the_end() {
    play_to_the_end("shatara");
}

#[test]
fn chess_to_the_end() {
    play_to_the_end("chess");
}

#[test]
fn omega_to_the_end() {
    play_to_the_end("omega");
}

#[test]
fn omega_advanced_to_the_end() {
    play_to_the_end("omega-advanced");
}

#[test]
fn shatar_to_the_end() {
    play_to_the_end("shatar");
}

#[test]
fn shatra_to_the_end() {
    play_to_the_end("shatra");
}

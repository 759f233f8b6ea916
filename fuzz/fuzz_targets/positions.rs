//! Position strings of every game: what is read is written back as a string that is read as the same position, and so
//! is each of its actions.

#![no_main]

use libfuzzer_sys::fuzz_target;
use maydan::game::{
    Game, Playable,
    registry::{GameVisitor, IDS, with_game},
};

struct Text<'a>(&'a str);

impl GameVisitor for Text<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let Ok(position) = game.parse_position(self.0) else { return };
        let text = position.to_string();
        assert!(game.parse_position(&text) == Ok(position), "{text} is read as another position");
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        for action in legal {
            let shown = action.to_string();
            assert!(game.parse_action(&position, &shown) == Ok(action), "{shown} in {text} is read as another action");
            let mut next = position;
            game.apply(&mut next, action);
        }
    }
}

// The first byte says the game.
fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    with_game(IDS[usize::from(choice) % IDS.len()], &toml::Table::new(), Text(text)).expect("a game of the registry");
});

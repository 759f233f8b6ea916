//! Lines from outside, in every protocol and game: the engine goes on to their end, and gives no control character
//! back.

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use maydan::{
    game::{
        Game, Playable,
        random::stream,
        registry::{GameVisitor, IDS, with_game},
    },
    model::Uniform,
    serve::{EngineError, ProtocolName, serve},
};

/// The lines of one conversation.
struct Conversation {
    protocol: Option<ProtocolName>,
    lines: Vec<u8>,
}

impl GameVisitor for Conversation {
    type Output = (Vec<u8>, Result<(), EngineError>);

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let mut out = Vec::new();
        let input = Cursor::new(self.lines);
        let end = serve(game, Uniform::make(), "uniform", self.protocol, stream("fuzz", 1, 0, 0), input, &mut out);
        (out, end)
    }
}

// The first byte says the game and the protocol, or that the first line is to tell it.
fuzz_target!(|data: &[u8]| {
    let Some((&choice, lines)) = data.split_first() else { return };
    let choice = usize::from(choice);
    let protocols = [None, Some(ProtocolName::Uci), Some(ProtocolName::Xboard), Some(ProtocolName::Ushi)];
    let (game, protocol) = (IDS[choice % IDS.len()], protocols[choice / IDS.len() % protocols.len()]);
    let conversation = Conversation { protocol, lines: lines.to_vec() };
    let (out, end) = with_game(game, &toml::Table::new(), conversation).expect("a game of the registry");
    assert!(matches!(end, Ok(()) | Err(EngineError::Game(_))), "{end:?}");
    let text = String::from_utf8(out).expect("text");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
});

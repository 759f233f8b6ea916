//! A game of random actions, by the rules of any registered game.
//!
//! ```sh
//! cargo run --example random_game -- [GAME [SEED]]
//! ```
//!
//! `GAME` is the id of a game (`shatara` by default; an unknown one is answered with the list of all), `SEED` a whole
//! number, 1 by default. Prints the start, every action, the last position with its string, and how the game ended. The
//! same seed gives the same game on every machine.

use std::env;

use anyhow::{Context, Result, bail};
use maydan::game::{
    Game, History, Playable, Side, random,
    registry::{GameVisitor, with_game},
};
use rand::seq::IndexedRandom;

/// Plays one game. The registry knows the game's type only when it has read the id, so code that is generic over the
/// game is handed to it as a visitor.
struct RandomGame {
    seed: u64,
}

impl GameVisitor for RandomGame {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        println!("{}\n", game.ruleset());
        let mut rng = random::stream("example", self.seed, 0, 0);
        let (mut position, mut legal) = (game.start(), Vec::new());
        println!("{}", game.rules().draw(&position));

        // A position alone does not know what came before it: repetition is decided by the history.
        let mut history = History::new(&game, &position);
        let outcome = loop {
            game.legal_actions(&position, &mut legal);
            if let Some(outcome) = history.outcome(&game, &position, &legal) {
                break outcome;
            }
            let action = *legal.choose(&mut rng).expect("a game without an outcome has legal actions");
            let side = game.side_to_move(&position);
            let number = game.counters(&position).fullmove;
            println!("{number:>4}{} {action}", if side == Side::White { ".  " } else { "..." });
            game.apply(&mut position, action);
            history.push(&game, &position);
        };

        println!("\n{}\n{position}", game.rules().draw(&position));
        println!("{} ({}) after {} actions", outcome.result_name(), outcome.reason, history.len() - 1);
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (id, seed) = match arguments.as_slice() {
        [] => ("shatara", 1),
        [id] => (id.as_str(), 1),
        [id, seed] => (id.as_str(), seed.parse().with_context(|| format!("SEED: expected a number, found `{seed}`"))?),
        _ => bail!("expected [GAME [SEED]], found {} arguments", arguments.len()),
    };
    with_game(id, &toml::Table::new(), RandomGame { seed })?;
    Ok(())
}

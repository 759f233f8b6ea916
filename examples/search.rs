//! A search without a network: every action has the same prior, every position counts as a draw, and the solver proves
//! what the ends of the game prove.
//!
//! ```sh
//! cargo run --release --example search -- [POSITION [PLAYOUTS]]
//! ```
//!
//! `POSITION` is a position string of Shatara Arena (a mate in two by default), `PLAYOUTS` a whole number, 2000 by
//! default. Prints the position, the value and what is proven of it, the ten best actions with visits, prior, q and
//! proof, and the principal variation.

use std::env;

use anyhow::{Context, Result, bail};
use maydan::{
    encode::Rows,
    game::{History, Show, random, shatara::Shatara},
    model::{Evaluations, Evaluator, Uniform},
    search::{Cache, Proof, Search, SearchConfig, Step},
};

const MATE_IN_TWO: &str = "7k/8/5K2/8/8/8/8/R7[] w - - - 0 1";

/// Actions shown.
const SHOWN: usize = 10;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (text, playouts) = match arguments.as_slice() {
        [] => (MATE_IN_TWO, 2000),
        [text] => (text.as_str(), 2000),
        [text, number] => {
            (text.as_str(), number.parse().with_context(|| format!("PLAYOUTS: expected a number, found `{number}`"))?)
        }
        _ => bail!("expected [POSITION [PLAYOUTS]], found {} arguments", arguments.len()),
    };
    // Without noise the search plays the best action known, as in a match.
    let config = SearchConfig { playouts, gumbel_scale: 0.0, ..SearchConfig::default() };
    config.validate()?;

    let game = Shatara::game(&toml::Table::new())?;
    let position = game.parse_position(text)?;
    let history = History::new(&game, &position);
    let mut legal = Vec::new();
    game.legal_actions(&position, &mut legal);
    println!("{}", game.rules().draw(&position));
    if let Some(outcome) = history.outcome(&game, &position, &legal) {
        println!("the game is over: {} ({})", outcome.result_name(), outcome.reason);
        return Ok(());
    }

    // A search holds no evaluator: it stops at each position that it wants evaluated, so that many searches can share
    // one batch. `Searcher` is this loop for a single search; here the tree is wanted too.
    let mut evaluator = Uniform { batch_size: 1 };
    let (mut search, mut cache) = (Search::new(), Cache::new(100_000));
    let (mut rows, mut evaluations) = (Rows::new(game.layout()), Evaluations::default());
    search.begin(&game, &config, &position, &history, &mut random::stream("example", 1, 0, 0));
    while search.step(&game, &mut cache) == Step::Evaluate {
        let pending = search.pending();
        rows.clear();
        rows.push(&game, pending.position, pending.repetitions);
        evaluator.evaluate(&rows, &mut evaluations)?;
        search.supply_rows(&game, &mut cache, &evaluations, 0);
    }

    let result = search.result();
    println!("value {:+.3}{} after {} playouts\n", result.value(), words(result.proof), result.playouts);
    println!("{:<8} {:>7} {:>7} {:>7}", "action", "visits", "prior", "q");
    let ranking = result.ranking();
    for action in ranking.iter().take(SHOWN).map(|&place| &result.actions[place]) {
        let name = action.action.to_string();
        println!("{name:<8} {:>7} {:>7.3} {:>+7.3}{}", action.visits, action.prior, action.q, words(action.proof));
    }
    if ranking.len() > SHOWN {
        println!("and {} more", ranking.len() - SHOWN);
    }

    let line = search.tree().principal_variation(Some(result.best));
    let line: Vec<String> = line.map(|(_, edge)| edge.action.to_string()).collect();
    println!("\nprincipal variation: {}", line.join(" "));
    Ok(())
}

/// What is proven, to end a line with.
fn words(proof: Proof) -> String {
    match proof {
        Proof::Unknown => String::new(),
        Proof::Win(plies) => format!("  proven win in {plies} plies"),
        Proof::Draw(plies) => format!("  proven draw in {plies} plies"),
        Proof::Loss(plies) => format!("  proven loss in {plies} plies"),
    }
}

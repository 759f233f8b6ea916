//! Positions a second of the calls over slices, on one thread and on two: 10,000 positions of random games of every
//! game. Run with `cargo bench --bench batch`; words after `--` choose among the tables.
//!
//! `apply` works on a copy of the positions, and the copying is measured with it.

mod measure;

use maydan::{
    encode,
    game::{
        Encode, Game, History, Playable, batch, random,
        registry::{GameVisitor, IDS, with_game},
    },
};
use measure::Table;
use ndarray::Array4;
use rand::seq::IndexedRandom;
use rayon::ThreadPool;

const POSITIONS: usize = 10_000;

fn main() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    let pools = [pool(1), pool(2)];
    for id in IDS {
        with_game(id, &toml::Table::new(), Calls(&pools)).expect("the presets are rulesets");
    }
}

struct Calls<'a>(&'a [ThreadPool; 2]);

impl GameVisitor for Calls<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let (positions, actions) = visited(&game);
        let plain: Vec<R::Position> = positions.iter().map(|&(position, _)| position).collect();
        let layout = game.layout();
        let mut planes = Array4::zeros((POSITIONS, layout.channels(), layout.height, layout.width));
        let mut next = plain.clone();
        self.print(&game, "legal_actions", || drop(batch::legal_actions(&game, &plain)));
        self.print(&game, "apply", || {
            next.copy_from_slice(&plain);
            batch::apply(&game, &mut next, &actions);
        });
        self.print(&game, "encode", || encode::encode(&game, &positions, planes.view_mut()));
    }
}

impl Calls<'_> {
    /// One call on each pool.
    fn print<R: Encode>(&self, game: &Game<R>, name: &str, call: impl FnMut() + Send) {
        let call = std::cell::RefCell::new(call);
        let on = |pool: &'_ ThreadPool| {
            let call = &mut *call.borrow_mut();
            pool.install(call);
            POSITIONS as u64
        };
        let [one, two] = self.0;
        Table::new(format!("{}, {name}", game.ruleset().game), "2 threads", || on(two))
            .beside("1 thread", || on(one))
            .print();
    }
}

/// A position with the times it occurred before.
type Seen<R> = (<R as maydan::game::Rules>::Position, u32);

/// Positions of random games that are not over, and an action in each.
fn visited<R: Encode>(game: &Game<R>) -> (Vec<Seen<R>>, Vec<R::Action>) {
    let mut rng = random::stream("batch", 1, 0, 0);
    let (mut positions, mut played, mut legal) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let mut position = game.start();
        let mut history = History::new(game, &position);
        loop {
            game.legal_actions(&position, &mut legal);
            if history.outcome(game, &position, &legal).is_some() {
                break;
            }
            if positions.len() == POSITIONS {
                return (positions, played);
            }
            let action = *legal.choose(&mut rng).expect("a game without an outcome has legal actions");
            positions.push((position, history.repetitions(game, &position)));
            played.push(action);
            game.apply(&mut position, action);
            history.push(game, &position);
        }
    }
}

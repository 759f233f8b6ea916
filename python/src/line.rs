//! A game under way: a start, the actions since, and what the rules say of where they led.

use std::{any::Any, fmt, sync::Arc};

use maydan::{
    encode::Rows,
    game::{Game, History, Outcome, Playable, Side, perft::perft},
};

/// A legal action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionFacts {
    /// Below the size of the action space.
    pub index: u32,
    pub text: String,
    /// One of the game's kinds of action.
    pub kind: &'static str,
}

/// A game under way whose type is known only at run time.
pub trait AnyLine: Send + Sync + fmt::Debug {
    /// For whoever knows the type.
    fn as_any(&self) -> &dyn Any;
    /// The position as a string.
    fn position(&self) -> String;
    /// The position that the game began in, as a string.
    fn start(&self) -> String;
    /// Strings of the actions since.
    fn actions(&self) -> Vec<String>;
    /// Whose turn it is.
    fn side(&self) -> Side;
    /// Plies from the start of a game, by the position's own counters.
    fn ply(&self) -> u32;
    /// How often the position occurred before.
    fn repetitions(&self) -> u32;
    /// How the game ended, if it did.
    fn outcome(&self) -> Option<Outcome>;
    /// The legal actions, in the game's order. An adjudicated end leaves them.
    fn legal(&self) -> Vec<ActionFacts>;
    /// Place of a legal action in [`legal`](AnyLine::legal), by its string.
    fn by_text(&self, text: &str) -> Option<usize>;
    /// Place of a legal action in [`legal`](AnyLine::legal), by its index.
    fn by_index(&self, index: u32) -> Option<usize>;
    /// The game after the legal action at `place`.
    ///
    /// # Panics
    /// When there is no such action.
    fn after(&self, place: usize) -> Box<dyn AnyLine>;
    /// The position as a row.
    fn row(&self) -> Rows;
    /// Whether the rules are symmetric left to right here.
    fn mirror_applies(&self) -> bool;
    /// The position drawn as text.
    fn draw(&self) -> String;
    /// White's zone and Black's by kind.
    fn zones(&self) -> [Vec<u8>; 2];
    /// Leaves of each legal action at a depth of at least 1; `None` once `stopped` says so, which is asked after each
    /// action of the first two plies.
    fn divide(&self, depth: u32, stopped: &mut dyn FnMut() -> bool) -> Option<Vec<(String, u64)>>;
}

/// [`AnyLine`] of a known game.
#[derive(Clone, Debug)]
pub struct Line<R: Playable> {
    game: Arc<Game<R>>,
    start: R::Position,
    actions: Vec<R::Action>,
    position: R::Position,
    history: History,
    legal: Vec<R::Action>,
    outcome: Option<Outcome>,
}

impl<R: Playable> Line<R> {
    pub fn new(game: Arc<Game<R>>, start: R::Position) -> Self {
        let history = History::new(&game, &start);
        let mut line =
            Line { game, start, actions: Vec::new(), position: start, history, legal: Vec::new(), outcome: None };
        line.judge();
        line
    }

    pub fn now(&self) -> &R::Position {
        &self.position
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// The legal actions themselves.
    pub fn legal_actions(&self) -> &[R::Action] {
        &self.legal
    }

    /// Plays the legal action at `place`.
    pub fn play(&mut self, place: usize) {
        let action = self.legal[place];
        self.game.apply(&mut self.position, action);
        self.history.push(&self.game, &self.position);
        self.actions.push(action);
        self.judge();
    }

    pub fn index(&self, action: R::Action) -> u32 {
        self.game.rules().action_index(&self.position, action) as u32
    }

    fn judge(&mut self) {
        self.game.legal_actions(&self.position, &mut self.legal);
        self.outcome = self.history.outcome(&self.game, &self.position, &self.legal);
    }
}

impl<R: Playable> AnyLine for Line<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn position(&self) -> String {
        self.position.to_string()
    }

    fn start(&self) -> String {
        self.start.to_string()
    }

    fn actions(&self) -> Vec<String> {
        self.actions.iter().map(ToString::to_string).collect()
    }

    fn side(&self) -> Side {
        self.game.side_to_move(&self.position)
    }

    fn ply(&self) -> u32 {
        self.game.ply(&self.position)
    }

    fn repetitions(&self) -> u32 {
        self.history.repetitions(&self.game, &self.position)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal(&self) -> Vec<ActionFacts> {
        let facts = |&action: &R::Action| ActionFacts {
            index: self.index(action),
            text: action.to_string(),
            kind: R::ACTION_KINDS[self.game.rules().action_kind(&self.position, action)],
        };
        self.legal.iter().map(facts).collect()
    }

    fn by_text(&self, text: &str) -> Option<usize> {
        self.legal.iter().position(|action| action.to_string() == text)
    }

    fn by_index(&self, index: u32) -> Option<usize> {
        self.legal.iter().position(|&action| self.index(action) == index)
    }

    fn after(&self, place: usize) -> Box<dyn AnyLine> {
        let mut next = self.clone();
        next.play(place);
        Box::new(next)
    }

    fn row(&self) -> Rows {
        let mut rows = Rows::new(self.game.layout());
        rows.push(&self.game, &self.position, self.repetitions());
        rows
    }

    fn mirror_applies(&self) -> bool {
        self.game.rules().mirror_applies(&self.position)
    }

    fn draw(&self) -> String {
        self.game.rules().draw(&self.position)
    }

    fn zones(&self) -> [Vec<u8>; 2] {
        [Side::White, Side::Black].map(|side| self.game.rules().zone(&self.position, side))
    }

    fn divide(&self, depth: u32, stopped: &mut dyn FnMut() -> bool) -> Option<Vec<(String, u64)>> {
        let mut counts = Vec::new();
        for &action in &self.legal {
            let mut next = self.position;
            self.game.apply(&mut next, action);
            let leaves = match depth {
                0 | 1 => 1,
                _ => {
                    let (mut replies, mut leaves) = (Vec::new(), 0);
                    self.game.legal_actions(&next, &mut replies);
                    for reply in replies {
                        if stopped() {
                            return None;
                        }
                        let mut after = next;
                        self.game.apply(&mut after, reply);
                        leaves += perft(&self.game, &after, depth - 2);
                    }
                    leaves
                }
            };
            counts.push((action.to_string(), leaves));
        }
        Some(counts)
    }
}

//! A game written out position by position, with what an evaluator would say of each: for tests that need to know every
//! number.

use maydan::{
    game::{Counters, Game, Outcome, Reason, Rules, Side},
    search::{Cache, Evaluation, Search, Step},
};

/// One position: a place in [`Explicit::places`].
#[derive(Clone, Debug)]
pub struct Place {
    pub side: Side,
    /// At an end of the game, its value for `side`.
    pub result: Option<i32>,
    /// Action and the place it leads to; places may lead back.
    pub actions: Vec<(usize, usize)>,
    /// One an action.
    pub logits: Vec<f32>,
    pub value: f32,
}

#[derive(Clone, Debug)]
pub struct Explicit {
    pub places: Vec<Place>,
}

impl Explicit {
    /// The game of these places, drawn at the occurrence `repetition` of a place; 0 for never.
    pub fn game(places: Vec<Place>, repetition: u32) -> Game<Explicit> {
        let options = toml::Table::from_iter([("repetition".to_owned(), toml::Value::from(repetition))]);
        Game::new(Explicit { places }, "explicit", &options)
    }
}

/// Steps `search` to its end with the values of the places.
pub fn finish(game: &Game<Explicit>, search: &mut Search<Explicit>, cache: &mut Cache<Explicit>) {
    while search.step(game, cache) == Step::Evaluate {
        let place = &game.rules().places[*search.pending().position];
        let v = place.value;
        let wdl = [v.max(0.0), 1.0 - v.abs(), (-v).max(0.0)].into();
        search.supply(game, cache, [Evaluation { logits: &place.logits, wdl, moves_left: 0.0 }]);
    }
}

impl Rules for Explicit {
    type Position = usize;
    type Action = usize;

    fn start(&self) -> usize {
        0
    }

    fn side_to_move(&self, position: &usize) -> Side {
        self.places[*position].side
    }

    fn counters(&self, position: &usize) -> Counters {
        Counters { reversible_plies: u32::MAX, ..Counters::new(*position as u64, 0, 1) }
    }

    fn legal_actions(&self, position: &usize, out: &mut Vec<usize>) {
        out.clear();
        out.extend(self.places[*position].actions.iter().map(|&(action, _)| action));
    }

    fn apply(&self, position: &mut usize, action: usize) {
        let actions = &self.places[*position].actions;
        *position = actions.iter().find(|&&(a, _)| a == action).expect("a legal action").1;
    }

    fn ending(&self, position: &usize, _: &[usize]) -> Option<Outcome> {
        let place = &self.places[*position];
        place.result.map(|value| match value {
            0 => Outcome::draw(Reason::Stalemate),
            1 => Outcome::win(place.side, Reason::Checkmate),
            _ => Outcome::win(!place.side, Reason::Checkmate),
        })
    }
}

//! A game written out position by position, with what an evaluator would say of each: for tests that need to know every number.

use maydan::{
    game::{Adjudication, Game, Outcome, PositionError, Reason, Ruleset, Side},
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
    /// Draw at this occurrence of a place; 0 for never.
    pub repetition: u32,
    ruleset: Ruleset,
}

impl Explicit {
    pub fn new(places: Vec<Place>, repetition: u32) -> Self {
        Explicit { places, repetition, ruleset: Ruleset::new("explicit", &toml::Table::new()) }
    }

    /// Steps `search` to its end with the values of the places.
    pub fn finish(&self, search: &mut Search<Explicit>, cache: &mut Cache<Explicit>) {
        while search.step(self, cache) == Step::Evaluate {
            let place = &self.places[*search.pending().position];
            let v = place.value;
            let wdl = [v.max(0.0), 1.0 - v.abs(), (-v).max(0.0)].into();
            search.supply(self, cache, Evaluation { logits: &place.logits, wdl, moves_left: 0.0 });
        }
    }
}

impl Game for Explicit {
    type Position = usize;
    type Action = usize;

    const ACTION_KINDS: &'static [&'static str] = &["go"];
    const ZONE_KINDS: &'static str = "";
    const RESERVE_KINDS: &'static [&'static str] = &[];
    const RULES_TEXT: &'static str = "Go from place to place.";

    fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    fn adjudication(&self) -> Adjudication {
        Adjudication { repetition: self.repetition, no_progress_plies: 0, max_plies: 0 }
    }

    fn start(&self) -> usize {
        0
    }

    fn parse_position(&self, text: &str) -> Result<usize, PositionError> {
        text.parse().map_err(|_| PositionError::new("place", "expected a number"))
    }

    fn position_string(&self, position: &usize) -> String {
        position.to_string()
    }

    fn action_string(&self, _: &usize, action: usize) -> String {
        action.to_string()
    }

    fn side_to_move(&self, position: &usize) -> Side {
        self.places[*position].side
    }

    fn legal_actions(&self, position: &usize, out: &mut Vec<usize>) {
        out.clear();
        out.extend(self.places[*position].actions.iter().map(|&(action, _)| action));
    }

    fn apply(&self, position: &mut usize, action: usize) {
        let actions = &self.places[*position].actions;
        *position = actions.iter().find(|&&(a, _)| a == action).expect("a legal action").1;
    }

    fn outcome(&self, position: &usize, _: &[usize]) -> Option<Outcome> {
        let place = &self.places[*position];
        place.result.map(|value| match value {
            0 => Outcome::draw(Reason::Stalemate),
            1 => Outcome::win(place.side, Reason::Checkmate),
            _ => Outcome::win(!place.side, Reason::Checkmate),
        })
    }

    fn repetition_key(&self, position: &usize) -> u64 {
        *position as u64
    }

    fn key(&self, position: &usize) -> u64 {
        *position as u64
    }

    fn reversible_plies(&self, _: &usize) -> u32 {
        u32::MAX
    }

    fn ply(&self, _: &usize) -> u32 {
        0
    }

    fn action_kind(&self, _: &usize, _: usize) -> usize {
        0
    }

    fn zone(&self, _: &usize, _: Side) -> Vec<u8> {
        Vec::new()
    }

    fn reserve(&self, _: &usize, _: Side) -> u32 {
        0
    }

    fn material(&self, _: &usize) -> i32 {
        0
    }

    fn draw(&self, position: &usize) -> String {
        position.to_string()
    }
}

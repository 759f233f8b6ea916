//! A game as everybody asks it: its rules with their identity, a restriction, a clock, and the adjudicated ends.

use std::sync::Arc;

use serde::Serialize;

use super::{
    ActionError, Adjudication, Clocks, Context, Counters, Encode, Facts, Layout, Notation, Outcome, PositionError,
    Reason, Restriction, RowMut, Rules, RulesError, Ruleset, Side, restriction::Ban,
};

/// The rules of one game with everything that stands around them: the one place where a [`Restriction`] takes actions
/// away, where a clock runs, and where adjudicated draws end a game.
///
/// What only some consumers need is asked of the rules themselves ([`rules`](Game::rules)), by the facet that says it.
#[derive(Clone, Debug)]
pub struct Game<R: Rules> {
    rules: R,
    ruleset: Ruleset,
    adjudication: Adjudication,
    ban: Option<Ban<R>>,
    clocks: Option<Arc<Clocks>>,
}

impl<R: Rules> Game<R> {
    /// The game called `id`. `options` is a struct that serialises every option; among them may be those of
    /// [`Adjudication`].
    pub fn new(rules: R, id: &str, options: &impl Serialize) -> Self {
        let ruleset = Ruleset::new(id, options);
        let adjudication = Adjudication::of(&ruleset);
        Game { rules, ruleset, adjudication, ban: None, clocks: None }
    }

    /// The same game with a clock on its rules and its encoding, to see where self-play spends its time.
    pub fn timed(self) -> Self {
        Game { clocks: Some(Arc::default()), ..self }
    }

    /// The clocks of a [`timed`](Game::timed) game.
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_deref()
    }

    /// The bare rules: they know nothing of a restriction, of the history or of adjudicated draws.
    #[inline]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// Identity of this ruleset: game id, resolved options, hash.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The adjudications in force.
    pub fn adjudication(&self) -> Adjudication {
        self.adjudication
    }

    /// The position in which every game starts.
    pub fn start(&self) -> R::Position {
        self.rules.start()
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self, position: &R::Position) -> Side {
        self.rules.side_to_move(position)
    }

    /// The position's counters and its key for repetition.
    #[inline]
    pub fn counters(&self, position: &R::Position) -> Counters {
        self.rules.counters(position)
    }

    /// Plies from the start by the position's own counters.
    #[inline]
    pub fn ply(&self, position: &R::Position) -> u32 {
        self.counters(position).ply(self.side_to_move(position))
    }

    /// Replaces the content of `out` by the legal actions, in an order that is the same on every platform. Adjudicated
    /// draws do not empty it.
    #[inline]
    pub fn legal_actions(&self, position: &R::Position, out: &mut Vec<R::Action>) {
        let mut list = || {
            self.rules.legal_actions(position, out);
            if let Some(ban) = &self.ban {
                ban.take_away(&self.rules, position, out);
            }
        };
        match &self.clocks {
            None => list(),
            Some(clocks) => clocks.rules.time(list),
        }
    }

    /// Number of legal actions, without listing them where the game can.
    #[inline]
    pub fn count_legal_actions(&self, position: &R::Position) -> u64 {
        if self.ban.as_ref().is_some_and(|ban| ban.binds(&self.rules, position)) {
            let mut actions = Vec::new();
            self.legal_actions(position, &mut actions);
            return actions.len() as u64;
        }
        match &self.clocks {
            None => self.rules.count_legal_actions(position),
            Some(clocks) => clocks.rules.time(|| self.rules.count_legal_actions(position)),
        }
    }

    /// Plays a legal action.
    #[inline]
    pub fn apply(&self, position: &mut R::Position, action: R::Action) {
        match &self.clocks {
            None => self.rules.apply(position, action),
            Some(clocks) => clocks.rules.time(|| self.rules.apply(position, action)),
        }
    }

    /// Reads the string of a legal action.
    ///
    /// # Errors
    /// When no legal action of the position has that string.
    pub fn parse_action(&self, position: &R::Position, text: &str) -> Result<R::Action, ActionError> {
        let mut actions = Vec::new();
        self.legal_actions(position, &mut actions);
        let named = actions.into_iter().find(|action| action.to_string() == text);
        named.ok_or_else(|| ActionError::new(text, position.to_string()))
    }

    /// How the game ended at a position that occurred `repetitions` times before, given its legal actions. Judged in
    /// this order: the game's own end, no progress, insufficient material, repetition, ply limit.
    #[inline]
    pub fn outcome(&self, position: &R::Position, legal: &[R::Action], repetitions: u32) -> Option<Outcome> {
        match &self.clocks {
            None => self.judge(position, legal, repetitions),
            Some(clocks) => clocks.rules.time(|| self.judge(position, legal, repetitions)),
        }
    }

    #[inline]
    fn judge(&self, position: &R::Position, legal: &[R::Action], repetitions: u32) -> Option<Outcome> {
        let ending = self.rules.ending(position, legal);
        if ending.is_some() {
            return ending;
        }
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        let (counters, limits) = (self.counters(position), self.adjudication);
        let reason = if reached(limits.no_progress_plies, counters.clock) {
            Reason::NoProgress
        } else if self.rules.is_dead(position) {
            Reason::Insufficient
        } else if reached(limits.repetition, repetitions + 1) {
            Reason::Repetition
        } else if reached(limits.max_plies, counters.ply(self.side_to_move(position))) {
            Reason::MaxPlies
        } else {
            return None;
        };
        Some(Outcome::draw(reason))
    }
}

impl<R: Notation> Game<R> {
    /// Reads a position string.
    ///
    /// # Errors
    /// Names the field and the reason when the text is no position of this game.
    pub fn parse_position(&self, text: &str) -> Result<R::Position, PositionError> {
        self.rules.parse_position(text)
    }
}

impl<R: Encode> Game<R> {
    /// The shape of the encoding, the same for every ruleset of the game.
    pub fn layout(&self) -> &'static Layout {
        self.rules.layout()
    }

    /// Writes a position that occurred `repetitions` times before as a row, on the clock if there is one
    /// ([`Encode::encode`]).
    #[inline]
    pub fn encode(&self, position: &R::Position, repetitions: u32, row: RowMut<'_>) {
        let context = Context { repetitions, limit: self.adjudication.nearness(self.counters(position).fullmove) };
        match &self.clocks {
            None => self.rules.encode(position, context, row),
            Some(clocks) => clocks.encode.time(|| self.rules.encode(position, context, row)),
        }
    }
}

impl<R: Facts> Game<R> {
    /// The game under a restriction that both sides know of; the game itself without one. The ruleset has the
    /// restriction among its options, under the name [`RESTRICTION`](super::RESTRICTION), so that its games are never
    /// mixed with others.
    ///
    /// The network does not know of it: it sees the position alone, and its priors count over the actions that are left.
    ///
    /// # Errors
    /// When the game has no such kind of action, `becomes` is not made of letters, no ply is left, or a side that must
    /// use its reserve has none.
    pub fn restricted(self, restriction: Option<&Restriction>) -> Result<Self, RulesError> {
        let Some(restriction) = restriction else { return Ok(self) };
        let ban = Ban::new(restriction, &self.rules, &self.ruleset.game)?;
        Ok(Game { ruleset: restriction.among_options_of(&self.ruleset), ban: Some(ban), ..self })
    }
}

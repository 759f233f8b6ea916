//! The columns of one whole game, and the position after its last action, which no row has.

use std::sync::Arc;

use arrow_array::{
    Array, Float32Array, ListArray, StringArray, UInt16Array, UInt32Array,
    cast::AsArray,
    types::{UInt8Type, UInt32Type},
};

use crate::{
    data::{DecisionKind, GameRows},
    game::{NameError, Outcome, Reason, Side, TextGame},
};

/// The columns that statistics read.
pub(super) const COLUMNS: [&str; 16] = [
    "game_id",
    "side",
    "position",
    "action",
    "action_kind",
    "legal_kinds",
    "decision",
    "chosen",
    "q",
    "chosen_visits",
    "total_visits",
    "chosen_prior",
    "root_win",
    "root_loss",
    "result",
    "reason",
];

/// The columns that only some statistics read: each has a number for each legal action.
pub(super) const SEARCHES: [&str; 2] = ["policy", "visits"];

/// Most characters of a position or an action: no game has positions of half that length.
const LONGEST_TEXT: usize = 1000;

/// Greatest probability and value, with what rounding may add.
const MOST: f32 = 1.01;

/// A column and what is wrong with it.
pub(super) type Fault = (&'static str, String);

/// A position without its counters, which every game writes last: equal for positions that are the same for repetition
/// and for an opening graph.
pub fn identity(position: &str) -> &str {
    position.rsplitn(3, ' ').nth(2).unwrap_or(position)
}

/// A game and where it comes from. Ply `i` is its row `i`.
#[derive(Clone, Debug)]
pub struct GameColumns {
    /// Name of the run.
    pub run: Arc<str>,
    /// Seed of the run.
    pub seed: u64,
    pub generation: u64,
    /// Index within the generation.
    pub index: u64,
    /// None for a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub reason: String,
    /// The position after the last action.
    end: String,
    sides: Vec<Side>,
    kinds: Vec<u8>,
    ids: StringArray,
    positions: StringArray,
    actions: StringArray,
    decisions: StringArray,
    legal_kinds: ListArray,
    chosen: UInt16Array,
    q: ListArray,
    visits: [UInt32Array; 2],
    prior: Float32Array,
    root: [Float32Array; 2],
    /// As [`SEARCHES`]; none where they were not read.
    searches: Option<[ListArray; 2]>,
}

impl GameColumns {
    /// Takes the rows of a game, checks what is used of them, and plays the last action. With `searches`, the rows have
    /// the columns [`SEARCHES`].
    pub(super) fn new(
        run: Arc<str>,
        seed: u64,
        generation: u64,
        rows: &GameRows,
        rules: &dyn TextGame,
        searches: bool,
    ) -> Result<GameColumns, Fault> {
        let plies = rows.plies();
        let [side_texts, kind_texts]: [&StringArray; 2] = ["side", "action_kind"].map(|name| rows.column(name));
        let mut sides = Vec::with_capacity(plies);
        let mut kinds = Vec::with_capacity(plies);
        let texts = ["position", "action"].map(|name| (name, rows.column::<StringArray>(name)));
        for i in 0..plies {
            for (name, text) in texts.map(|(name, column)| (name, column.value(i))) {
                if text.len() > LONGEST_TEXT || text.contains(|c: char| !c.is_ascii_graphic() && c != ' ') {
                    return Err((name, format!("expected at most {LONGEST_TEXT} letters, found {text}")));
                }
            }
            sides.push(side_texts.value(i).parse().map_err(unknown)?);
            let kind = rules.action_kinds().iter().position(|kind| *kind == kind_texts.value(i));
            kinds.push(kind.ok_or_else(|| ("action_kind", format!("unknown kind `{}`", kind_texts.value(i))))? as u8);
        }
        let winner = Outcome::winner_of(rows.column::<StringArray>("result").value(0)).map_err(unknown)?;
        let reason: Reason = rows.column::<StringArray>("reason").value(0).parse().map_err(unknown)?;
        let [positions, actions] = texts.map(|(_, column)| column.clone());
        let end = rules
            .after(positions.value(plies - 1), actions.value(plies - 1))
            .map_err(|error| ("action", error.to_string()))?;
        let game = GameColumns {
            run,
            seed,
            generation,
            index: u64::from(rows.index()),
            winner,
            reason: reason.name().to_owned(),
            end,
            sides,
            kinds,
            ids: rows.column::<StringArray>("game_id").clone(),
            positions,
            actions,
            decisions: rows.column::<StringArray>("decision").clone(),
            legal_kinds: rows.column::<ListArray>("legal_kinds").clone(),
            chosen: rows.column::<UInt16Array>("chosen").clone(),
            q: rows.column::<ListArray>("q").clone(),
            visits: ["chosen_visits", "total_visits"].map(|name| rows.column::<UInt32Array>(name).clone()),
            prior: rows.column::<Float32Array>("chosen_prior").clone(),
            root: ["root_win", "root_loss"].map(|name| rows.column::<Float32Array>(name).clone()),
            searches: searches.then(|| SEARCHES.map(|name| rows.column::<ListArray>(name).clone())),
        };
        let id = format!("{generation:06}-{:06}", game.index);
        if game.id() != id {
            return Err(("game_id", format!("expected {id}, found {}", game.id())));
        }
        (0..plies).try_for_each(|ply| game.check(ply, rules.action_kinds().len()))?;
        Ok(game)
    }

    /// Checks what the rules cannot tell: the numbers of a row, in a game of so many kinds of action.
    fn check(&self, ply: usize, kinds: usize) -> Result<(), Fault> {
        let decision: DecisionKind = self.decision(ply).parse().map_err(unknown)?;
        let legal = self.legal(ply);
        if self.chosen(ply) >= legal {
            return Err(("chosen", format!("expected a place below {legal}, found {}", self.chosen(ply))));
        }
        if let Some(kind) = self.legal_kinds(ply).into_iter().find(|&kind| usize::from(kind) >= kinds) {
            return Err(("legal_kinds", format!("expected numbers below {kinds}, found {kind}")));
        }
        let entries = if decision.is_searched() { legal } else { 0 };
        let searches = self.searches.iter().flatten().zip(SEARCHES);
        let mut lists = std::iter::once((&self.q, "q")).chain(searches);
        if let Some((_, field)) = lists.find(|(list, _)| list.value_length(ply) as usize != entries) {
            return Err((field, format!("expected {entries} entries, as `decision` and `legal_kinds` say")));
        }
        let [chosen, total] = [0, 1].map(|i| self.visits[i].value(ply));
        if chosen > total {
            return Err(("chosen_visits", format!("expected at most {total}, found {chosen}")));
        }
        let policy = self.searches.iter().flat_map(|_| self.policy(ply)).map(|p| ("policy", 0.0..=MOST, p));
        let prior = self.prior(ply).map(|p| ("chosen_prior", 0.0..=MOST, p as f32));
        let root = ["root_win", "root_loss"].into_iter().zip(&self.root);
        let root = root.filter(|(_, root)| !root.is_null(ply)).map(|(name, root)| (name, 0.0..=MOST, root.value(ply)));
        let q = self.q(ply).into_iter().flatten().map(|q| ("q", -MOST..=MOST, q));
        match q.chain(policy).chain(prior).chain(root).find(|(_, range, found)| !range.contains(found)) {
            Some((field, range, found)) => {
                Err((field, format!("expected {} to {}, found {found}", range.start(), range.end())))
            }
            None => Ok(()),
        }
    }

    /// Number of plies, at least one.
    pub fn plies(&self) -> usize {
        self.sides.len()
    }

    /// The game's id within its run, `000042-000123`.
    pub fn id(&self) -> &str {
        self.ids.value(0)
    }

    /// Points of a side: 1, 1/2 or 0.
    pub fn score(&self, side: Side) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == side)),
        }
    }

    /// Whether the rules or an adjudication that knows the rules ended the game, rather than self-play's own limit of
    /// plies.
    pub fn was_ended(&self) -> bool {
        self.reason != Reason::CutOff.name()
    }

    /// The side that acts at a ply.
    pub fn side(&self, ply: usize) -> Side {
        self.sides[ply]
    }

    /// The position before a ply's action; with `ply` the number of plies, the end of the game.
    pub fn position(&self, ply: usize) -> &str {
        if ply == self.plies() { &self.end } else { self.positions.value(ply) }
    }

    pub fn action(&self, ply: usize) -> &str {
        self.actions.value(ply)
    }

    /// The kind of the action, an index of the game's kinds.
    pub fn kind(&self, ply: usize) -> u8 {
        self.kinds[ply]
    }

    /// How the action was decided on: `full`, `cheap`, `opening` or `forced`.
    pub fn decision(&self, ply: usize) -> &str {
        self.decisions.value(ply)
    }

    /// The kinds of the legal actions.
    pub fn legal_kinds(&self, ply: usize) -> Vec<u8> {
        self.legal_kinds.value(ply).as_primitive::<UInt8Type>().values().to_vec()
    }

    /// Number of legal actions.
    pub fn legal(&self, ply: usize) -> usize {
        self.legal_kinds.value_length(ply) as usize
    }

    /// Which of the legal actions was played.
    pub fn chosen(&self, ply: usize) -> usize {
        usize::from(self.chosen.value(ply))
    }

    /// Values of the legal actions for the side to move, -1 to 1, where the search visited them; empty without a
    /// search.
    pub fn q(&self, ply: usize) -> Vec<Option<f32>> {
        self.q.value(ply).as_primitive::<arrow_array::types::Float32Type>().iter().collect()
    }

    /// The search's policy over the legal actions; empty without a search.
    ///
    /// # Panics
    /// When the games were read without [searches](super::Runs::with_searches).
    pub fn policy(&self, ply: usize) -> Vec<f32> {
        let [policy, _] = self.searches.as_ref().expect("games read with searches");
        policy.value(ply).as_primitive::<arrow_array::types::Float32Type>().values().to_vec()
    }

    /// The visits of the legal actions; empty without a search.
    ///
    /// # Panics
    /// As [`policy`](GameColumns::policy).
    pub fn visits(&self, ply: usize) -> Vec<u32> {
        let [_, visits] = self.searches.as_ref().expect("games read with searches");
        visits.value(ply).as_primitive::<UInt32Type>().values().to_vec()
    }

    /// The network's probability of the action; none when it was not asked.
    pub fn prior(&self, ply: usize) -> Option<f64> {
        number(&self.prior, ply)
    }

    /// Share of the search's visits that the action got; none without a search.
    pub fn visit_share(&self, ply: usize) -> Option<f64> {
        let [chosen, total] = [0, 1].map(|i| self.visits[i].value(ply));
        (total > 0).then(|| f64::from(chosen) / f64::from(total))
    }

    /// Whether the search has proved that the side to move wins or loses.
    pub fn is_decided(&self, ply: usize) -> bool {
        self.root.iter().any(|root| number(root, ply) == Some(1.0))
    }

    /// What the search expects for the side to move, win less loss, -1 to 1; none without a search.
    pub fn root_value(&self, ply: usize) -> Option<f64> {
        Some(number(&self.root[0], ply)? - number(&self.root[1], ply)?)
    }
}

fn unknown(error: NameError) -> Fault {
    (error.field, error.to_string())
}

/// An entry that is there and finite.
fn number(column: &Float32Array, row: usize) -> Option<f64> {
    (!column.is_null(row)).then(|| f64::from(column.value(row))).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_no_part_of_the_identity() {
        assert_eq!(identity("8/8[] w - - - 12 34"), "8/8[] w - - -");
        assert_eq!(identity("a b"), "a b");
        assert_eq!(identity(""), "");
    }
}

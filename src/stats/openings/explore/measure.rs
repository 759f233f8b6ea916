//! What games chose in one position, at whatever ply they came to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    game::{PositionError, Side, TextGame},
    stats::{
        GameColumns, Runs, identity,
        openings::record::{Decisions, Record, Results},
    },
};

/// One position and the games that came to it.
#[derive(Clone, Debug)]
pub struct Explore {
    pub(super) position: String,
    pub(super) legal: Vec<String>,
    pub(super) runs: Vec<Arc<str>>,
    pub(super) games: u64,
    /// Games through the position: for White.
    pub(super) results: Results,
    /// Each game's first choice of each action there.
    pub(super) choices: Decisions,
    pub(super) records: BTreeMap<String, Record>,
    /// How often games stood there at each ply.
    pub(super) plies: BTreeMap<usize, u64>,
}

impl Explore {
    /// Looks for `position`, in any way of writing it and whatever its counters.
    ///
    /// # Errors
    /// When the rules of `runs` know no such position.
    pub fn new(position: &str, runs: &Runs) -> Result<Self, PositionError> {
        let rules: &dyn TextGame = runs.rules().as_ref();
        let legal = rules.legal(position)?.into_iter().map(|legal| legal.action).collect();
        Ok(Explore {
            position: rules.normal(position)?,
            legal,
            runs: runs.names().to_vec(),
            games: 0,
            results: Results::default(),
            choices: Decisions::default(),
            records: BTreeMap::new(),
            plies: BTreeMap::new(),
        })
    }

    /// Looks through a game. It counts once for each action, however often the position comes back.
    pub fn add(&mut self, game: &GameColumns) {
        self.games += 1;
        let wanted = identity(&self.position);
        let mut chosen = BTreeSet::new();
        let mut came = false;
        for ply in (0..=game.plies()).filter(|&ply| identity(game.position(ply)) == wanted) {
            came = true;
            *self.plies.entry(ply).or_default() += 1;
            // At its end a game chooses nothing.
            if ply == game.plies() || !chosen.insert(game.action(ply)) {
                continue;
            }
            let record = Record::of(game, ply);
            self.choices += record.decisions;
            match self.records.get_mut(game.action(ply)) {
                Some(known) => *known += record,
                None => drop(self.records.insert(game.action(ply).to_owned(), record)),
            }
        }
        if came {
            self.results += Results::of(game, Side::White);
        }
    }

    /// Whether any game came to the position.
    pub fn is_known(&self) -> bool {
        self.results.games() > 0
    }

    /// The ply at which half of the visits had come.
    pub(super) fn median_ply(&self) -> usize {
        let half = self.plies.values().sum::<u64>().div_ceil(2);
        let mut passed = 0;
        let median = self.plies.iter().find(|(_, times)| {
            passed += **times;
            passed >= half
        });
        median.map_or(0, |(&ply, _)| ply)
    }
}

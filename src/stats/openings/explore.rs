//! What games chose in one position, at whatever ply they came to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    record::{Record, Results},
    tables::{record_cells, record_columns},
};
use crate::{
    game::{PositionError, Side, Spoken},
    page::{Column, Kind, Phrase, Table},
    stats::{GameColumns, Runs, identity},
};

/// One position and the games that came to it.
#[derive(Clone, Debug)]
pub struct Explore {
    position: String,
    legal: Vec<String>,
    runs: Vec<Arc<str>>,
    games: u64,
    /// Games through the position: for White.
    results: Results,
    records: BTreeMap<String, Record>,
    /// How often games stood there at each ply.
    plies: BTreeMap<usize, u64>,
}

impl Explore {
    /// Looks for `position`, in any way of writing it and whatever its counters.
    ///
    /// # Errors
    /// When the rules of `runs` know no such position.
    pub fn new(position: &str, runs: &Runs) -> Result<Self, PositionError> {
        let rules: &dyn Spoken = runs.rules().as_ref();
        let legal = rules.legal(position)?.into_iter().map(|legal| legal.action).collect();
        Ok(Explore {
            position: rules.normal(position)?,
            legal,
            runs: runs.names().to_vec(),
            games: 0,
            results: Results::default(),
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

    /// A few lines about the position: games, plies, results, what was never played.
    pub fn summary(&self) -> String {
        let Results { wins, draws, losses, cut_off } = self.results;
        let (through, of, runs) = (self.results.games(), self.games, self.runs.join(", "));
        if !self.is_known() {
            return format!("none of {of} games of {runs} comes to\n{}\n", self.position);
        }
        let never: Vec<&str> =
            self.legal.iter().map(String::as_str).filter(|action| !self.records.contains_key(*action)).collect();
        let times: u64 = self.plies.values().sum();
        let (first, last) = (self.plies.keys().next(), self.plies.keys().next_back());
        let share = 100.0 * through as f64 / of as f64;
        let mut text = format!("{}\n{through} of {of} games of {runs} ({share:.1}%), {times} times", self.position);
        match (first, last) {
            (Some(first), Some(last)) if first < last => {
                text += &format!(", at plies {first} to {last} (median {})", self.median_ply());
            }
            (Some(only), _) => text += &format!(", at ply {only}"),
            _ => {}
        }
        text +=
            &format!("\nWhite won {wins}, drew {draws}, lost {losses}; {cut_off} cut off by self-play's own limit\n");
        text += &format!("{} legal actions, {} of them never played", self.legal.len(), never.len());
        if !never.is_empty() {
            text += &format!(": {}", never.join(" "));
        }
        text.push('\n');
        text
    }

    /// The actions played, the most frequent first.
    pub fn table(&self) -> Table {
        let mut columns = vec![Column::new("action", Phrase::new("move", "النقلة"), Kind::Text)];
        columns.extend(record_columns());
        let note = Phrase::new(
            "Scores are of games with a result, for the side to move; Wilson-type 95% intervals.",
            "معدّل النقاط للمباريات ذات النتيجة، لصاحب الدور؛ فترات ثقة 95% على طريقة ويلسون.",
        );
        let title = Phrase::new("What was played", "ما لُعب");
        let mut table = Table::new("explore", title, note, columns);
        let mut records: Vec<_> = self.records.iter().collect();
        // The sort is stable: actions of as many games stay in the order of their strings.
        records.sort_by_key(|(_, record)| std::cmp::Reverse(record.games()));
        for (action, record) in records {
            let mut row = vec![action.as_str().into()];
            row.extend(record_cells(record, Some(self.results.games())));
            table.push(row);
        }
        table
    }

    fn median_ply(&self) -> usize {
        let half = self.plies.values().sum::<u64>().div_ceil(2);
        let mut passed = 0;
        let median = self.plies.iter().find(|(_, times)| {
            passed += **times;
            passed >= half
        });
        median.map_or(0, |(&ply, _)| ply)
    }
}

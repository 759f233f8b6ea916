//! A game in the list: what it can be found by, in few bytes.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use serde::Serialize;

use crate::{game::Side, stats::GameColumns};

/// Actions at the start of a game that it can be found by.
pub(super) const OPENING: usize = 16;

/// A game, with numbers in place of words that many games share.
#[derive(Clone, Debug)]
pub struct Entry {
    pub generation: u64,
    /// Index within the generation.
    pub index: u64,
    pub plies: u32,
    /// None for a draw.
    pub winner: Option<Side>,
    pub(super) reason: u32,
    pub(super) opening: Box<[u32]>,
    /// Actions by kind.
    pub(super) kinds: Box<[u16]>,
}

impl Entry {
    pub(super) fn new(game: &GameColumns, kinds: usize, lexicon: &mut Lexicon) -> Entry {
        let mut counts = vec![0_u16; kinds].into_boxed_slice();
        for ply in 0..game.plies() {
            let count = &mut counts[usize::from(game.kind(ply))];
            *count = count.saturating_add(1);
        }
        let opening = (0..game.plies().min(OPENING)).map(|ply| lexicon.number(game.action(ply)));
        Entry {
            generation: game.generation,
            index: game.index,
            plies: game.plies() as u32,
            winner: game.winner,
            opening: opening.collect(),
            reason: lexicon.number(&game.reason),
            kinds: counts,
        }
    }
}

/// Words that many games share, each kept once.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    numbers: HashMap<Arc<str>, u32>,
    words: Vec<Arc<str>>,
}

impl Lexicon {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let (word, number) = (Arc::<str>::from(word), self.words.len() as u32);
        self.words.push(Arc::clone(&word));
        self.numbers.insert(word, number);
        number
    }

    /// The number of a word that is known.
    pub(super) fn find(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    pub(super) fn word(&self, number: u32) -> &str {
        &self.words[number as usize]
    }
}

/// A game as the page lists it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Listed {
    pub generation: u64,
    pub index: u64,
    pub plies: u32,
    /// `white`, `black` or `draw`.
    pub result: &'static str,
    pub reason: String,
    pub opening: Vec<String>,
    /// Actions by the name of their kind, those that occur.
    pub kinds: BTreeMap<&'static str, u16>,
}

impl Listed {
    pub(super) fn new(entry: &Entry, kinds: &[&'static str], lexicon: &Lexicon) -> Listed {
        let counts = kinds.iter().copied().zip(entry.kinds.iter().copied());
        Listed {
            generation: entry.generation,
            index: entry.index,
            plies: entry.plies,
            result: crate::game::Outcome::name_of(entry.winner),
            reason: lexicon.word(entry.reason).to_owned(),
            opening: entry.opening.iter().map(|&action| lexicon.word(action).to_owned()).collect(),
            kinds: counts.filter(|&(_, count)| count > 0).collect(),
        }
    }
}

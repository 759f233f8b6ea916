//! Counts of many different things in bounded memory: the frequent ones are kept, the rare ones forgotten, and no count
//! gets more than is known.

use std::{borrow::Borrow, collections::HashMap, hash::Hash, ops::AddAssign};

/// What is known of a thing, and how often it was seen.
pub trait Counted: AddAssign + Sized {
    fn count(&self) -> u64;
}

impl Counted for u64 {
    fn count(&self) -> u64 {
        *self
    }
}

/// Lossy counting (Manku and Motwani, Approximate frequency counts over data streams, VLDB 2002), with buckets that end
/// when memory is full rather than after so many items: exact until then.
///
/// With `f` the count kept of a thing and [`missed`](Lossy::missed) `m`: it was seen at least `f` and at most `f + m`
/// times, and whatever was seen more than `m` times is kept. Each time that memory is full, the rarest quarter goes.
#[derive(Clone, Debug)]
pub struct Lossy<K, T> {
    entries: HashMap<K, Entry<T>>,
    limit: usize,
    missed: u64,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    value: T,
    /// How often the thing may have been seen before it was kept.
    missed: u64,
}

impl<T: Counted> Entry<T> {
    /// How often the thing may have been seen.
    fn at_most(&self) -> u64 {
        self.value.count() + self.missed
    }
}

impl<K: Hash + Eq, T: Counted> Lossy<K, T> {
    /// Keeps at most `limit` things.
    ///
    /// # Panics
    /// When that is none.
    pub fn new(limit: usize) -> Self {
        assert!(limit > 0, "room for nothing");
        Lossy { entries: HashMap::new(), limit, missed: 0 }
    }

    /// Sees `key` once more.
    pub fn add(&mut self, key: K, seen: T) {
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.value += seen;
            return;
        }
        if self.entries.len() == self.limit {
            self.forget();
        }
        self.entries.insert(key, Entry { value: seen, missed: self.missed });
    }

    /// By how much a count may be too small, and how often a thing was seen at most that is not kept; 0 while
    /// everything is.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// What is kept of a thing.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&T>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// The key that is kept and equal to `key`.
    pub fn key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.entries.get_key_value(key).map(|(key, _)| key)
    }

    /// All that is kept, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &T)> {
        self.entries.iter().map(|(key, entry)| (key, &entry.value))
    }

    /// Frees a quarter of the room, and more where things are equally rare.
    fn forget(&mut self) {
        let mut counts: Vec<u64> = self.entries.values().map(Entry::at_most).collect();
        let last_to_go = (self.limit / 4).max(1) - 1;
        self.missed = *counts.select_nth_unstable(last_to_go).1;
        self.entries.retain(|_, entry| entry.at_most() > self.missed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::Rng;

    use super::*;
    use crate::game::random::stream;

    /// Items as moves are: few frequent ones, many that come once.
    fn items() -> Vec<u32> {
        let mut rng = stream("lossy", 1, 0, 0);
        (0..20_000).map(|_| (1.0 / rng.random_range(1e-4..1.0_f64)) as u32).collect()
    }

    #[test]
    fn what_is_promised_holds() {
        let mut exact: BTreeMap<u32, u64> = BTreeMap::new();
        let limits = [1, 2, 7, 100, 1000];
        let mut kept: Vec<Lossy<u32, u64>> = limits.map(Lossy::new).into();
        for item in items() {
            *exact.entry(item).or_default() += 1;
            for (lossy, limit) in kept.iter_mut().zip(limits) {
                lossy.add(item, 1);
                assert!(lossy.entries.len() <= limit);
            }
        }
        for lossy in &kept {
            for (item, &count) in &exact {
                match lossy.get(item) {
                    Some(&found) => assert!(found <= count && count <= found + lossy.missed()),
                    None => assert!(count <= lossy.missed(), "{item}: {count}"),
                }
            }
        }
        // Some 250 different items: they fit into a thousand places; into a hundred, all but those seen a few times.
        assert_eq!(kept[4].missed(), 0);
        assert!((1..50).contains(&kept[3].missed()), "{}", kept[3].missed());
    }

    #[test]
    fn exact_until_full() {
        let mut lossy = Lossy::new(3);
        for key in ["a", "b", "a", "c", "a"] {
            lossy.add(key, 1_u64);
        }
        assert_eq!((lossy.missed(), lossy.get("a"), lossy.get("c")), (0, Some(&3), Some(&1)));
        lossy.add("d", 1);
        assert_eq!((lossy.missed(), lossy.get("a"), lossy.get("c"), lossy.get("d")), (1, Some(&3), None, Some(&1)));
    }
}

//! Counts over the games of a run, by generation.

use std::collections::BTreeMap;

use super::quantity::{OfRun, Quantity};
use crate::{
    estimate::{Interval, Ratio, Times},
    game::{Side, TextGame, words::Words},
    page::{Kind, Phrase},
    stats::{
        GameColumns, kind_name,
        openings::{Census, Decisions},
        seed_among_runs, weights_of_game,
    },
};

/// Plies of an opening.
const OPENING_PLIES: usize = 2;

/// Openings that are told apart at most.
const MAX_OPENINGS: usize = 1_000_000;

const SHARE: Kind = Kind::Percent { decimals: 1 };
const NUMBER: Kind = Kind::Number { decimals: 2 };

/// The numbers that are ratios of sums over games.
pub struct Ratios {
    /// Kinds of action that use the reserve, as numbers and as words.
    kinds: Vec<(u8, &'static str)>,
}

/// What a game adds to one ratio.
type Sums = [f64; 2];

impl Ratios {
    pub fn of(rules: &dyn TextGame) -> Self {
        let kinds = rules.action_kinds().iter().enumerate();
        Ratios {
            kinds: kinds
                .filter(|(_, kind)| rules.reserve_kinds().contains(kind))
                .map(|(at, &kind)| (at as u8, kind))
                .collect(),
        }
    }

    /// Name, title and kind of each, in the order of [`sums`](Ratios::sums).
    fn names(&self, words: &Words) -> Vec<(String, Phrase, Kind)> {
        let mut names = Vec::new();
        for (_, kind) in &self.kinds {
            let word = kind_name(words, kind);
            let title = Phrase::new(format!("{}: uses a game", word.en), format!("{}: استعمالات في المباراة", word.ar));
            names.push((format!("uses_{kind}"), title, NUMBER));
            let title = Phrase::new(
                format!("{}: sides that use it by the end", word.en),
                format!("{}: الأطراف التي استعملته حتى النهاية", word.ar),
            );
            names.push((format!("sides_{kind}"), title, SHARE));
        }
        let mut push = |name: &str, en: &str, ar: &str, kind| names.push((name.to_owned(), Phrase::new(en, ar), kind));
        push("white_score", "White's score in games with a result", "معدّل نقاط الأبيض في المباريات ذات النتيجة", SHARE);
        push("drawn", "games drawn", "مباريات انتهت بالتعادل", SHARE);
        push("decided", "games decided", "مباريات محسومة", SHARE);
        push("cut_off", "games cut off", "مباريات مقطوعة", SHARE);
        push("legal_actions", "legal actions a decision", "النقلات القانونية في القرار", NUMBER);
        names
    }

    /// Numerator and denominator that a game adds to each; its two sides together.
    fn sums(&self, game: &GameColumns) -> Vec<Sums> {
        let flag = |is: bool| f64::from(u8::from(is));
        let plies = game.plies();
        let mut sums = Vec::with_capacity(2 * self.kinds.len() + 5);
        for &(kind, _) in &self.kinds {
            let mut uses = [0.0; 2];
            for ply in (0..plies).filter(|&ply| game.kind(ply) == kind) {
                uses[usize::from(game.side(ply) == Side::Black)] += 1.0;
            }
            sums.push([uses[0] + uses[1], 1.0]);
            sums.push([uses.map(|uses| flag(uses > 0.0)).iter().sum(), 2.0]);
        }
        let ended = game.was_ended();
        sums.push([flag(ended) * game.score(Side::White), flag(ended)]);
        sums.push([flag(ended && game.winner.is_none()), 1.0]);
        sums.push([flag(ended && game.winner.is_some()), 1.0]);
        sums.push([flag(!ended), 1.0]);
        sums.push([(0..plies).map(|ply| game.legal(ply) as f64).sum(), plies as f64]);
        sums
    }
}

/// Counts over the games of a run.
pub struct Counts {
    seed: u64,
    ratios: Vec<Ratio>,
    generations: BTreeMap<u64, Generation>,
    census: Census,
}

#[derive(Default)]
struct Generation {
    games: u64,
    sums: Vec<Sums>,
    plies: Times,
    /// First moves that a search chose.
    first: BTreeMap<Box<str>, u64>,
}

impl Counts {
    pub fn new(ratios: &Ratios) -> Self {
        Counts {
            seed: 0,
            ratios: vec![Ratio::default(); 2 * ratios.kinds.len() + 5],
            generations: BTreeMap::new(),
            census: Census::new(OPENING_PLIES, MAX_OPENINGS),
        }
    }

    /// Counts a game of run number `run`.
    pub fn add(&mut self, game: &GameColumns, ratios: &Ratios, run: usize) {
        self.seed = game.seed;
        let weights = weights_of_game(seed_among_runs(game.seed, run), game.generation, game.index);
        let sums = ratios.sums(game);
        let generation = self.generations.entry(game.generation).or_default();
        generation.games += 1;
        generation.sums.resize(sums.len(), [0.0; 2]);
        for ((ratio, total), [numerator, denominator]) in self.ratios.iter_mut().zip(&mut generation.sums).zip(sums) {
            ratio.add(&weights, numerator, denominator);
            *total = [total[0] + numerator, total[1] + denominator];
        }
        let plies = game.plies() as u64;
        if game.was_ended() {
            generation.plies.end(plies)
        } else {
            generation.plies.censor(plies)
        }
        if Decisions::of(game, 0).searched > 0 {
            *generation.first.entry(game.action(0).into()).or_default() += 1;
        }
        self.census.add(game);
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.generations.values().map(|generation| generation.games).sum()
    }

    fn plies(&self) -> Times {
        let mut plies = Times::default();
        self.generations.values().for_each(|generation| plies.extend(&generation.plies));
        plies
    }

    /// One number of this run, run number `number`, from what each generation adds.
    fn of_run(
        &self,
        number: usize,
        kind: Kind,
        over_games: Option<Interval>,
        sums: impl Fn(&Generation) -> Sums,
    ) -> OfRun {
        let is_share = kind == SHARE;
        let generations = self.generations.iter().map(|(&at, generation)| (at, sums(generation)));
        OfRun { seed: self.seed, number: number as u64, is_share, over_games, generations: generations.collect() }
    }
}

/// Every number of every run.
pub fn quantities(counts: &[Counts], ratios: &Ratios, words: &Words) -> Vec<Quantity> {
    let each = |of: &dyn Fn(usize, &Counts) -> OfRun| -> Vec<OfRun> {
        counts.iter().enumerate().map(|(number, counts)| of(number, counts)).collect()
    };
    let names = ratios.names(words).into_iter().enumerate();
    let mut all: Vec<Quantity> = names
        .map(|(at, (name, title, kind))| {
            let runs = each(&|number, counts| {
                let ratio = &counts.ratios[at];
                let over_games = if kind == SHARE { ratio.share() } else { ratio.interval() };
                counts.of_run(number, kind, over_games, |generation| generation.sums[at])
            });
            Quantity { name, title, kind, runs }
        })
        .collect();

    let mut plies = Times::default();
    counts.iter().for_each(|counts| plies.extend(&counts.plies()));
    if let Some(limit) = plies.known_up_to() {
        let runs = each(&|number, counts| {
            let mean = counts.plies().restricted_mean(limit);
            counts.of_run(number, NUMBER, mean, |generation| {
                [generation.plies.sum_up_to(limit) as f64, generation.plies.n() as f64]
            })
        });
        let title = Phrase::new(format!("mean plies, up to {limit}"), format!("متوسّط أنصاف النقلات حتى {limit}"));
        all.push(Quantity { name: "restricted_mean".to_owned(), title, kind: NUMBER, runs });
    }
    all.extend(first_move(counts, &each));
    all.extend(openings(counts, &each));
    all
}

/// Makes a number of every run.
type Each<'a> = dyn Fn(&dyn Fn(usize, &Counts) -> OfRun) -> Vec<OfRun> + 'a;

/// The share of the first move that searches of all runs chose most often.
fn first_move(counts: &[Counts], each: &Each<'_>) -> Option<Quantity> {
    let mut chosen: BTreeMap<&str, u64> = BTreeMap::new();
    for (action, games) in counts.iter().flat_map(|counts| counts.generations.values()).flat_map(|g| &g.first) {
        *chosen.entry(action).or_default() += games;
    }
    let (&action, _) = chosen.iter().max_by_key(|(_, games)| **games)?;
    let of =
        |generation: &Generation| [generation.first.get(action).copied().unwrap_or(0), generation.first.values().sum()];
    let runs = each(&|number, counts| {
        let [games, all] = counts.generations.values().map(of).fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
        counts.of_run(number, SHARE, Interval::share(games, all), |generation| of(generation).map(|count| count as f64))
    });
    let title = Phrase::new(
        format!("first move `{action}` among searched first moves"),
        format!("النقلة الأولى `{action}` من النقلات الأولى المختارة بالبحث"),
    );
    Some(Quantity { name: format!("first_{action}"), title, kind: SHARE, runs })
}

/// The mean over generations of the effective number of openings, in samples of one size.
fn openings(counts: &[Counts], each: &Each<'_>) -> Option<Quantity> {
    if counts.iter().any(|counts| counts.census.gave_up()) {
        return None;
    }
    let size = counts.iter().map(|counts| counts.census.common_size()).min().filter(|&size| size > 1)?;
    let runs = each(&|number, counts| {
        let numbers: Vec<(u64, Interval)> =
            counts.census.hill(size).into_iter().map(|(generation, hill)| (generation, hill.rarefied[1])).collect();
        let n = numbers.len() as f64;
        let sum = |of: &dyn Fn(&Interval) -> f64| numbers.iter().map(|(_, number)| of(number)).sum::<f64>();
        let mean = sum(&|number| number.estimate) / n;
        // Generations are different games: variances add up.
        let half = |of: &dyn Fn(&Interval) -> f64| sum(&|number| of(number).powi(2)).sqrt() / n;
        let over_games = Interval {
            estimate: mean,
            low: mean - half(&|number| number.estimate - number.low),
            high: mean + half(&|number| number.high - number.estimate),
            n: counts.games(),
        };
        OfRun {
            seed: counts.seed,
            number: number as u64,
            is_share: false,
            over_games: (n > 0.0).then_some(over_games),
            generations: numbers.iter().map(|&(generation, number)| (generation, [number.estimate, 1.0])).collect(),
        }
    });
    let title = Phrase::new(
        format!("effective openings of {OPENING_PLIES} plies in {size} games of a generation, order 1"),
        format!("العدد الفعّال للافتتاحات بطول {OPENING_PLIES} في {size} من مباريات الجيل، الرتبة 1"),
    );
    Some(Quantity { name: "openings".to_owned(), title, kind: NUMBER, runs })
}

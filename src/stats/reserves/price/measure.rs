//! What the best use of the reserve is worth beside the best other action, by the search's values, less what labels put
//! on at random would give.

use std::collections::BTreeMap;

use crate::{
    estimate::{BestContrast, Interval, Ratio},
    stats::reserves::observed::{ALL, Measure, Observed, Scope},
};

/// Plies of one bin. Self-play draws the actions of its first plies by chance (`[selfplay.temperature]`, 24 plies in
/// every configuration that comes with maydan); a bin must not hold plies from before and after.
pub const PLIES: usize = 24;
/// Plies that have bins; later ones count in all plies alone. Bounds memory.
const BINNED: usize = 2064;

/// Contrasts by group, kind and bin of plies; no bin: all plies.
#[derive(Default)]
pub struct Price {
    contrasts: BTreeMap<(usize, u8, Option<usize>), Contrasts>,
}

#[derive(Default)]
struct Contrasts {
    decisions: u64,
    real: Ratio,
    placebo: Ratio,
}

/// The mean advantage of a kind at some decisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advantage {
    pub group: usize,
    pub kind: u8,
    /// Ply / [`PLIES`]; none: all plies.
    pub bin: Option<usize>,
    /// Full searches that visited an action of the kind and one of no reserve kind.
    pub decisions: u64,
    /// The best of the kind less the best of no reserve kind.
    pub real: Option<Interval>,
    /// The same under labels put on at random.
    pub placebo: Option<Interval>,
    /// What is left: 0 where the kind is as good as any other action.
    pub advantage: Option<Interval>,
}

impl Price {
    /// By group, kind and bin.
    pub fn advantages(&self) -> impl Iterator<Item = Advantage> {
        self.contrasts.iter().map(|(&(group, kind, bin), contrasts)| Advantage {
            group,
            kind,
            bin,
            decisions: contrasts.decisions,
            real: contrasts.real.interval(),
            placebo: contrasts.placebo.interval(),
            advantage: contrasts.real.minus(&contrasts.placebo),
        })
    }

    /// Number of decisions of a kind.
    pub fn decisions(&self, kind: u8) -> u64 {
        self.contrasts.get(&(ALL, kind, None)).map_or(0, |contrasts| contrasts.decisions)
    }
}

impl Measure for Price {
    fn add(&mut self, observed: &Observed<'_>, scope: &Scope) {
        let game = observed.game;
        let mut sums: BTreeMap<(u8, Option<usize>), (f64, f64, u64)> = BTreeMap::new();
        for ply in (0..game.plies()).filter(|&ply| game.decision(ply) == "full") {
            let visited: Vec<(u8, f64)> = game
                .legal_kinds(ply)
                .into_iter()
                .zip(game.q(ply))
                .filter_map(|(kind, q)| Some((kind, f64::from(q?))).filter(|(_, q)| q.is_finite()))
                .collect();
            let values = |of: &dyn Fn(u8) -> bool| -> Vec<f64> {
                visited.iter().filter(|(kind, _)| of(*kind)).map(|(_, q)| *q).collect()
            };
            let others = values(&|kind| !scope.kinds.contains(kind));
            for kind in scope.kinds.iter() {
                let Some(contrast) = BestContrast::of(&values(&|other| other == kind), &others) else { continue };
                let bins: &[_] = if ply < BINNED { &[None, Some(ply / PLIES)] } else { &[None] };
                for &bin in bins {
                    let sum = sums.entry((kind, bin)).or_default();
                    *sum = (sum.0 + contrast.real, sum.1 + contrast.placebo, sum.2 + 1);
                }
            }
        }
        for ((kind, bin), (real, placebo, decisions)) in sums {
            for &group in observed.groups {
                let contrasts = self.contrasts.entry((group, kind, bin)).or_default();
                contrasts.decisions += decisions;
                contrasts.real.add(observed.weights, real, decisions as f64);
                contrasts.placebo.add(observed.weights, placebo, decisions as f64);
            }
        }
    }
}

//! Generations without a network: games of a fixed-depth search by the material.

use rand::{Rng as _, seq::IndexedRandom};
use serde::{Deserialize, Serialize};

use crate::{
    game::{Game, History, Material, Wdl, random::Rng},
    search::{AlphaBeta, MATE, Mode, Proof, RootAction, SearchResult},
};

/// Who played, in place of the id of a checkpoint, where none did.
pub const BY_MATERIAL: &str = "material";

/// The first generations of a run, whose actions are those of [`AlphaBeta`]: `[selfplay.material]` of a configuration. A
/// random network's games say little about what is worth having.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MaterialConfig {
    /// How many generations those are, from generation 0 on; 0 for none.
    pub generations: u64,
    /// Plies that each of their searches looks ahead, 1 to [`MAX_DEPTH`](MaterialConfig::MAX_DEPTH).
    pub depth: u32,
}

impl Default for MaterialConfig {
    fn default() -> Self {
        MaterialConfig { generations: 0, depth: 2 }
    }
}

impl MaterialConfig {
    /// A search one ply deeper takes 7 to 8 times as long in Omega Chess.
    pub const MAX_DEPTH: u32 = 6;

    /// Whether a generation is played so.
    pub fn plays(&self, generation: u64) -> bool {
        generation < self.generations
    }

    /// Who plays a generation whose checkpoint is `checkpoint`: that, or [`BY_MATERIAL`].
    pub fn player<'a>(&self, generation: u64, checkpoint: &'a str) -> &'a str {
        if self.plays(generation) { BY_MATERIAL } else { checkpoint }
    }
}

/// Centipawns that are worth tanh 1 = 76% of [`MOST`].
const SCALE: f32 = 400.0;

/// What no surplus is worth: below the default of `adjudication.resign_value`, so that games show how one is won.
const MOST: f32 = 0.9;

/// Centipawns by which an action is worse for its probability to fall to 1/e.
const TEMPERATURE: f32 = 50.0;

/// Centipawns below the best action beyond which none is played, for which e^-4 is left.
const MARGIN: i32 = 200;

/// What the material of a position promises the side to move.
pub(super) fn wdl<R: Material>(game: &Game<R>, position: &R::Position) -> Wdl {
    let sign = 1 - 2 * game.side_to_move(position).index() as i32;
    promised(sign * game.rules().material(position))
}

/// What so many centipawns, or a mate, promise.
fn promised(value: i32) -> Wdl {
    let value = match value.abs() {
        mate if mate > MATE / 2 => value.signum() as f32,
        _ => MOST * (value as f32 / SCALE).tanh(),
    };
    Wdl::from_value(value, 1.0 - value.abs())
}

/// All actions alike, for the opening of a game.
pub(super) fn even<R: Material>(
    game: &Game<R>,
    position: &R::Position,
    legal: &[R::Action],
    rng: &mut Rng,
) -> SearchResult<R::Action> {
    let share = 1.0 / legal.len() as f32;
    let of = |&action| RootAction { action, prior: share, visits: 0, q: 0.0, proof: Proof::Unknown, policy: share };
    let wdl = wdl(game, position);
    SearchResult {
        mode: Mode::Gumbel,
        actions: legal.iter().map(of).collect(),
        best: rng.random_range(0..legal.len()),
        wdl,
        raw_wdl: wdl,
        moves_left: 0.0,
        proof: Proof::Unknown,
        playouts: 0,
        evaluations: 0,
    }
}

/// A search to `depth` plies. Its policy falls with the distance of an action's value from the best one; the best one is
/// drawn among equals. There are no playouts, and the policy that it began with takes all actions for alike.
pub(super) fn search<R: Material>(
    game: &Game<R>,
    position: &R::Position,
    history: &History,
    legal: &[R::Action],
    depth: u32,
    rng: &mut Rng,
) -> SearchResult<R::Action> {
    let mut result = even(game, position, legal, rng);
    let values = AlphaBeta::new(depth).values(game, position, history, legal, MARGIN);
    let most = values.iter().map(|&(_, value)| value).max().expect("a position with legal actions");
    let weight = |value: i32| if value < most - MARGIN { 0.0 } else { ((value - most) as f32 / TEMPERATURE).exp() };
    let total: f32 = values.iter().map(|&(_, value)| weight(value)).sum();
    for &(place, value) in &values {
        result.actions[place].policy = weight(value) / total;
    }
    let equals: Vec<usize> = values.iter().filter(|&&(_, value)| value == most).map(|&(place, _)| place).collect();
    result.best = *equals.choose(rng).expect("one action has the most");
    result.wdl = promised(most);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{random, shatara::Shatara},
        selfplay::SelfPlayConfig,
    };

    fn game() -> Game<Shatara> {
        Shatara::game(&toml::Table::new()).unwrap()
    }

    fn value(position: &str) -> f32 {
        let game = game();
        let wdl = wdl(&game, &game.parse_position(position).unwrap());
        assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6, "{wdl:?}");
        wdl.value()
    }

    fn searched(position: &str, depth: u32, seed: u64) -> SearchResult<<Shatara as crate::game::Rules>::Action> {
        let game = game();
        let position = game.parse_position(position).unwrap();
        let (mut legal, history) = (Vec::new(), History::new(&game, &position));
        game.legal_actions(&position, &mut legal);
        search(&game, &position, &history, &legal, depth, &mut random::stream("material", seed, 0, 0))
    }

    #[test]
    fn more_material_is_worth_more_to_its_side_and_never_so_much_that_the_other_resigns() {
        assert_eq!(value("r3k3/8/8/8/8/8/8/R3K3[] w - - - 0 1"), 0.0);
        let rook = value("4k3/8/8/8/8/8/8/R3K3[] w - - - 0 1");
        assert!((rook - 0.9 * (500.0f32 / 400.0).tanh()).abs() < 1e-6, "{rook}");
        assert_eq!(value("4k3/8/8/8/8/8/8/R3K3[] b - - - 0 1"), -rook);
        let queens = value("4k3/8/8/8/8/8/8/QQQQK3[] w - - - 0 1");
        assert!(queens > rook && queens < SelfPlayConfig::default().adjudication.resign_value, "{queens}");
    }

    #[test]
    fn a_search_takes_what_is_for_nothing_and_mates() {
        let taken = searched("4k3/8/8/3q4/8/8/8/3RK3[] w - - - 0 1", 2, 1);
        let best = taken.best();
        assert_eq!((best.action.to_string().as_str(), best.policy), ("d1d5", 1.0));
        assert!(taken.raw_value() < 0.0 && taken.value() > 0.5, "{taken:?}");
        let mate = searched("6k1/5ppp/8/8/8/8/8/R5K1[] w - - - 0 1", 2, 1);
        assert_eq!((mate.best().action.to_string().as_str(), mate.value()), ("a1a8", 1.0));
    }

    #[test]
    fn the_policy_falls_with_the_value_and_equals_are_drawn() {
        let game = game();
        let start = game.start();
        let position = &start.to_string();
        let mut legal = Vec::new();
        game.legal_actions(&start, &mut legal);
        let values = AlphaBeta::new(1).values(&game, &start, &History::new(&game, &start), &legal, MARGIN);
        let result = searched(position, 1, 1);
        let (best, most) = values
            .iter()
            .map(|&(place, value)| (result.actions[place].policy, value))
            .max_by_key(|best| best.1)
            .unwrap();
        for (place, value) in values {
            let expected = best * ((value - most) as f32 / 50.0).exp();
            assert!((result.actions[place].policy - expected).abs() < 1e-6, "{place} {value} of {most}");
        }
        assert!((result.policy().sum::<f32>() - 1.0).abs() < 1e-5);
        let bests: std::collections::BTreeSet<_> = (0..50).map(|seed| searched(position, 1, seed).best).collect();
        assert!(bests.len() > 1, "{bests:?}");
        assert!(bests.iter().all(|&index| result.actions[index].policy == best), "{bests:?}");
    }
}

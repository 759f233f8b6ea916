//! Generations without a network: the search values positions by the material.

use serde::{Deserialize, Serialize};

use crate::{
    game::{Game, Material, Wdl},
    search::{Cache, Evaluation, Search},
};

/// Who played, in place of the id of a checkpoint, where none did.
pub const BY_MATERIAL: &str = "material";

/// The first generations of a run, whose searches value positions by [`Material::material`], and take all actions for
/// alike: `[selfplay.material]` of a configuration. A random network's games say little about what is worth having.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MaterialConfig {
    /// How many generations those are, from generation 0 on; 0 for none.
    pub generations: u64,
    /// Playouts of each search in them, full or cheap, at least 1.
    pub playouts: u32,
}

impl Default for MaterialConfig {
    fn default() -> Self {
        MaterialConfig { generations: 0, playouts: 100 }
    }
}

impl MaterialConfig {
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

/// What the material of a position promises the side to move.
pub(super) fn wdl<R: Material>(game: &Game<R>, position: &R::Position) -> Wdl {
    let sign = 1 - 2 * game.side_to_move(position).index() as i32;
    let surplus = sign * game.rules().material(position);
    let value = MOST * (surplus as f32 / SCALE).tanh();
    Wdl::from_value(value, 1.0 - value.abs())
}

/// Answers for the one position that a search waits for.
pub(super) fn supply<R: Material>(search: &mut Search<R>, game: &Game<R>, cache: &mut Cache<R>) {
    let pending = search.pending();
    let wdl = wdl(game, pending.position);
    let logits = vec![0.0; pending.legal.len()];
    search.supply(game, cache, [Evaluation { logits: &logits, wdl, moves_left: 0.0 }]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{History, random, shatara::Shatara},
        search::{SearchConfig, Step},
        selfplay::SelfPlayConfig,
    };

    fn value(position: &str) -> f32 {
        let game = Shatara::game(&toml::Table::new()).unwrap();
        let wdl = wdl(&game, &game.parse_position(position).unwrap());
        assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6, "{wdl:?}");
        wdl.value()
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
    fn a_search_by_material_takes_what_is_for_nothing() {
        let game = Shatara::game(&toml::Table::new()).unwrap();
        let position = game.parse_position("4k3/8/8/3q4/8/8/8/3RK3[] w - - - 0 1").unwrap();
        let config = SearchConfig { playouts: 100, gumbel_scale: 0.0, ..SearchConfig::default() };
        let (mut search, mut cache) = (Search::new(), Cache::new(0));
        search.begin(
            &game,
            &config,
            &position,
            &History::new(&game, &position),
            &mut random::stream("material", 1, 0, 0),
        );
        while search.step(&game, &mut cache) == Step::Evaluate {
            supply(&mut search, &game, &mut cache);
        }
        let result = search.result();
        let best = result.best();
        assert_eq!(best.action.to_string(), "d1d5");
        assert!(best.q > 0.5, "{}", best.q);
    }
}

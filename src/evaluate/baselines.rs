//! The players without a network: random, and a fixed-depth search.

use rand::{Rng as _, seq::IndexedRandom};

use super::{Batcher, Choice, Player, Thought, Turn};
use crate::game::{Encode, Game, History, Material, random::Rng};

/// Chooses among the legal actions with equal probability.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl<R: Encode> Player<R> for Random {
    fn think(&mut self, turn: &Turn<'_, R>, rng: &mut Rng, _: &mut Batcher<R>) -> Thought<R::Action> {
        Thought::Chosen(Choice::bare(*turn.legal.choose(rng).expect("a turn has legal actions")))
    }
}

/// Fixed-depth alpha-beta search, the yardstick of this project.
///
/// Every line of `depth` plies is searched to its end, without extension, quiescence or table, so a result depends on
/// the position and its history alone. A leaf counts, in centipawns for the side to move, [`Material::material`] and
/// `mobility` for each legal action that the side has more than the other; each side's actions are those of its last
/// turn on the line. A win is worth a mate score less the plies to it, a draw 0; repetition counts the game's own
/// history and that of the line. Actions are tried in the order of the material they lead to. Equally good root actions
/// are chosen among with equal probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBeta {
    /// Plies, at least 1.
    pub depth: u32,
    /// Centipawns a legal action.
    pub mobility: i32,
    /// Chance of a uniformly random action at each turn, in percent: players between the depths, and between the
    /// shallowest and [`Random`].
    pub random: u32,
}

/// A win now; a win in `n` plies is worth `n` less.
const MATE: i32 = 1_000_000;

impl AlphaBeta {
    /// `alphabeta:DEPTH`, a legal action at 2 centipawns: of 0, 1, 2, 5, 10, 20 and 40 those that won their matches at
    /// depths 1 to 3 in Shatara Arena were 1 and 2, 70 to 270 Elo ahead of the 10 of Shannon's function (Programming a
    /// Computer for Playing Chess, 1950).
    pub fn new(depth: u32) -> Self {
        AlphaBeta { depth, mobility: 2, random: 0 }
    }

    /// `greedy`: the best material after its own action, mate where there is one.
    pub fn greedy() -> Self {
        AlphaBeta { mobility: 0, ..AlphaBeta::new(1) }
    }
}

impl<R: Encode + Material> Player<R> for AlphaBeta {
    fn think(&mut self, turn: &Turn<'_, R>, rng: &mut Rng, batcher: &mut Batcher<R>) -> Thought<R::Action> {
        if self.random > 0 && rng.random_range(0..100) < self.random {
            return Random.think(turn, rng, batcher);
        }
        let mut line = Line {
            game: turn.game,
            rules: *self,
            history: turn.history.clone(),
            lists: vec![Vec::new(); self.depth as usize + 1],
        };
        let mut mobility = [0; 2];
        mobility[turn.game.side_to_move(turn.position).index()] = turn.legal.len() as i32;
        let (mut best, mut choices) = (-MATE - 1, Vec::new());
        for (action, next) in line.ordered(turn.position, turn.legal) {
            let value = line.value_after(turn.position, &next, 1, best - 1, MATE + 1, mobility);
            if value > best {
                best = value;
                choices.clear();
            }
            if value == best {
                choices.push(action);
            }
        }
        Thought::Chosen(Choice::bare(*choices.choose(rng).expect("a turn has legal actions")))
    }
}

/// The line under search.
struct Line<'a, R: Material> {
    game: &'a Game<R>,
    rules: AlphaBeta,
    history: History,
    /// Memory for the legal actions at each ply.
    lists: Vec<Vec<R::Action>>,
}

impl<R: Material> Line<'_, R> {
    /// The actions with the positions they lead to, best material first, otherwise in the game's order.
    fn ordered(&self, position: &R::Position, legal: &[R::Action]) -> Vec<(R::Action, R::Position)> {
        let sign = self.sign(position);
        let mut next: Vec<(i32, R::Action, R::Position)> = legal
            .iter()
            .map(|&action| {
                let mut next = *position;
                self.game.apply(&mut next, action);
                (-sign * self.game.rules().material(&next), action, next)
            })
            .collect();
        next.sort_by_key(|&(loss, ..)| loss);
        next.into_iter().map(|(_, action, next)| (action, next)).collect()
    }

    /// 1 for White, -1 for Black.
    fn sign(&self, position: &R::Position) -> i32 {
        1 - 2 * self.game.side_to_move(position).index() as i32
    }

    /// Value for the side to move at `position` of `next`, which one of its actions led to, `ply` plies below the root:
    /// exact between `alpha` and `beta`, else a bound.
    fn value_after(
        &mut self,
        position: &R::Position,
        next: &R::Position,
        ply: u32,
        alpha: i32,
        beta: i32,
        mobility: [i32; 2],
    ) -> i32 {
        self.history.push(self.game, next);
        let value = if self.game.side_to_move(next) == self.game.side_to_move(position) {
            self.value(next, ply, alpha, beta, mobility)
        } else {
            -self.value(next, ply, -beta, -alpha, mobility)
        };
        self.history.pop();
        value
    }

    /// Value of `position` for its side to move.
    fn value(&mut self, position: &R::Position, ply: u32, mut alpha: i32, beta: i32, mut mobility: [i32; 2]) -> i32 {
        let side = self.game.side_to_move(position);
        let mut legal = std::mem::take(&mut self.lists[ply as usize]);
        self.game.legal_actions(position, &mut legal);
        mobility[side.index()] = legal.len() as i32;
        let value = if let Some(outcome) = self.history.outcome(self.game, position, &legal) {
            outcome.value_for(side) as i32 * (MATE - ply as i32)
        } else if ply == self.rules.depth {
            let surplus = mobility[side.index()] - mobility[(!side).index()];
            self.sign(position) * self.game.rules().material(position) + self.rules.mobility * surplus
        } else {
            let mut best = -MATE - 1;
            for (_, next) in self.ordered(position, &legal) {
                best = best.max(self.value_after(position, &next, ply + 1, alpha, beta, mobility));
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
            best
        };
        self.lists[ply as usize] = legal;
        value
    }
}

//! Fixed-depth alpha-beta: a search by the rules and the material alone, without an evaluator.

use crate::game::{Game, History, Material};

/// Every line of `depth` plies is searched to its end, without extension, quiescence or table, so a result depends on
/// the position and its history alone. A leaf counts, in centipawns for the side to move, [`Material::material`] and
/// `mobility` for each legal action that the side has more than the other; each side's actions are those of its last
/// turn on the line. A win is worth a mate score less the plies to it, a draw 0; repetition counts the game's own
/// history and that of the line. Actions are tried in the order of the material they lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBeta {
    /// Plies, at least 1.
    pub depth: u32,
    /// Centipawns a legal action.
    pub mobility: i32,
}

/// A win now; a win in `n` plies is worth `n` less.
pub const MATE: i32 = 1_000_000;

impl AlphaBeta {
    /// A legal action at 2 centipawns: of 0, 1, 2, 5, 10, 20 and 40 those that won their matches at depths 1 to 3 in
    /// Shatara Arena were 1 and 2, 70 to 270 Elo ahead of the 10 of Shannon's function (Programming a Computer for
    /// Playing Chess, 1950).
    pub fn new(depth: u32) -> Self {
        AlphaBeta { depth, mobility: 2 }
    }

    /// Values of the legal actions for the side to move, each with the action's place in `legal`, in the order in which
    /// they were searched. Those within `margin` centipawns of the best are exact; the others are no less than they
    /// should be, but farther from the best than `margin`.
    pub fn values<R: Material>(
        &self,
        game: &Game<R>,
        position: &R::Position,
        history: &History,
        legal: &[R::Action],
        margin: i32,
    ) -> Vec<(usize, i32)> {
        let lists = vec![Vec::new(); self.depth as usize + 1];
        let mut line = Line { game, rules: *self, history: history.clone(), lists };
        let mut mobility = [0; 2];
        mobility[game.side_to_move(position).index()] = legal.len() as i32;
        let (mut best, ordered) = (-MATE - 1, line.ordered(position, legal));
        let value_of = |(place, next)| {
            let value = line.value_after(position, &next, 1, best - margin - 1, MATE + 1, mobility);
            best = best.max(value);
            (place, value)
        };
        ordered.into_iter().map(value_of).collect()
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
    /// Places of the actions in `legal` with the positions they lead to, best material first, otherwise in the game's
    /// order.
    fn ordered(&self, position: &R::Position, legal: &[R::Action]) -> Vec<(usize, R::Position)> {
        let sign = self.sign(position);
        let after = |(place, &action): (usize, &R::Action)| {
            let mut next = *position;
            self.game.apply(&mut next, action);
            (-sign * self.game.rules().material(&next), place, next)
        };
        let mut next: Vec<(i32, usize, R::Position)> = legal.iter().enumerate().map(after).collect();
        next.sort_by_key(|&(loss, ..)| loss);
        next.into_iter().map(|(_, place, next)| (place, next)).collect()
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

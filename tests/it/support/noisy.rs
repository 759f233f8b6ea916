//! An evaluator of Connect Four that knows the truth and tells it through noise: a network whose strength is a number.

use maydan::{
    encode::Rows,
    game::Side,
    model::{Evaluations, Evaluator, EvaluatorError},
};

use super::connect_four::{
    board::{Board, COLUMNS, ROWS, STRIDE},
    solver::Solver,
};

/// Value of a position: a share of the truth and noise, which is the same whenever the position is seen. The policy is
/// noise alone, so that whatever a search knows of the actions comes from values.
pub struct Noisy {
    solver: Solver,
    /// The truth in a value, 0 to 1.
    truth: f32,
    /// Greatest size of the noise in a value; in a logit it is twice that.
    noise: f32,
    /// Below so many stones a value is noise alone, since positions of few stones take long to solve.
    stones: u32,
}

impl Noisy {
    pub fn new(truth: f32, noise: f32, stones: u32) -> Noisy {
        Noisy { solver: Solver::new(20), truth, noise, stones }
    }
}

impl Evaluator for Noisy {
    fn batch_size(&self) -> usize {
        16
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        let actions = rows.layout().actions();
        let logits = out.logits.in_order(actions);
        out.wdl.clear();
        out.moves_left.clear();
        for i in 0..rows.len() {
            let [own, other] = [rows.bits(i)[0], rows.bits(i)[1]];
            let board = Board::new([stones(own), stones(other)], Side::White).expect("a position");
            let noise = |k: u64| self.noise * made_up(own, other, k);
            logits.extend((0..actions).map(|action| 2.0 * noise(action as u64)));
            let known = board.occupied().count_ones() >= self.stones;
            let truth = if known { self.truth * self.solver.value(&board) as f32 } else { 0.0 };
            let value = (truth + noise(1000)).clamp(-1.0, 1.0);
            out.wdl.push([value.max(0.0), 1.0 - value.abs(), (-value).max(0.0)].into());
            out.moves_left.push(0.0);
        }
        Ok(())
    }
}

/// The squares of a plane as those of the board.
fn stones(plane: u64) -> u64 {
    (0..ROWS).map(|row| (plane >> (COLUMNS * row) & 0x7f) << (STRIDE * row)).sum()
}

/// Number `k` that belongs to a position, in [-1, 1), as good as drawn by chance.
fn made_up(own: u64, other: u64, k: u64) -> f32 {
    let mut hash = own ^ other.rotate_left(21) ^ k.rotate_left(48);
    // The finaliser of MurmurHash3.
    for factor in [0xFF51_AFD7_ED55_8CCD, 0xC4CE_B9FE_1A85_EC53] {
        hash = (hash ^ hash >> 33).wrapping_mul(factor);
    }
    ((hash ^ hash >> 33) >> 40) as f32 / (1 << 23) as f32 - 1.0
}

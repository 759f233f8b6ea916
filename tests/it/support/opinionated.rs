//! An evaluator with an opinion on everything.

use maydan::{
    encode::Rows,
    model::{Evaluations, Evaluator, EvaluatorError},
};

/// Opinions made up from the row: its bits and its scalars, repetitions among them.
#[derive(Default)]
pub struct Opinionated {
    /// Rows evaluated.
    pub rows: usize,
}

impl Evaluator for Opinionated {
    fn batch_size(&self) -> usize {
        64
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        self.rows += rows.len();
        let actions = rows.layout().actions();
        let logits = out.logits.in_order(actions);
        out.wdl.clear();
        out.moves_left.clear();
        for i in 0..rows.len() {
            let scalars = rows.scalars(i).iter().map(|scalar| u64::from(scalar.to_bits()));
            let words = rows.bits(i).iter().copied().chain(scalars);
            let seed = words.fold(17_u64, |hash, word| hash.wrapping_mul(31).wrapping_add(word));
            let number =
                |k: u64| (seed.wrapping_add(k).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f32 / (1 << 24) as f32;
            logits.extend((0..actions).map(|action| 2.0 * number(action as u64)));
            let (win, loss) = (number(1_000_001) / 2.0, number(1_000_002) / 2.0);
            out.wdl.push([win, 1.0 - win - loss, loss].into());
            out.moves_left.push(9.0 * number(1_000_003));
        }
        Ok(())
    }
}

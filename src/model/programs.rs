//! A network made ready for batches of several sizes: few rows, as when most games of a generation are over, do not cost
//! what many do.

use rand::Rng as _;
use tch::{Device, TchError, Tensor};

use super::{config::Plan, content::Content, program::Program};
use crate::game::random;

/// The fewest rows that a program is made for: smaller batches were slower where it was measured.
const FEWEST: usize = 16;

/// Programs of one network. The bits of a row do not depend on which of them computes it.
#[derive(Debug)]
pub(super) struct Programs {
    /// Each with its number of rows, the most first.
    all: Vec<(usize, Program)>,
}

impl Programs {
    /// The network for batches like `planes`, and on a processor for batches of half as many rows, of a quarter and so
    /// on, as far as they give each row the same bits. See [`Program::new`].
    ///
    /// # Errors
    /// As [`Program::new`].
    pub fn new(
        content: &Content,
        device: Device,
        plan: Plan,
        planes: &Tensor,
        sample: Option<&Tensor>,
    ) -> Result<Self, TchError> {
        let most = planes.size()[0];
        let largest = Program::new(content, device, plan, planes, sample)?;
        let mut all = vec![(most as usize, largest)];
        if device != Device::Cpu || matches!(content, Content::Module(_)) {
            return Ok(Programs { all });
        }
        let probe = probe(planes)?;
        let answers = all[0].1.run(&probe)?;
        let sizes = std::iter::successors(Some(most / 2), |rows| Some(rows / 2));
        for rows in sizes.take_while(|&rows| rows >= FEWEST as i64) {
            let program = Program::new(content, device, plan, &probe.f_narrow(0, 0, rows)?, sample)?;
            let gives_the_same = |first: i64| {
                let found = program.run(&probe.f_narrow(0, first, rows)?)?;
                found.f_equal(&answers.f_narrow(0, first, rows)?)
            };
            if !gives_the_same(0)? || !gives_the_same(most - rows)? {
                break;
            }
            all.push((rows as usize, program));
        }
        Ok(Programs { all })
    }

    /// The program for `rows` rows, and how many it computes.
    ///
    /// # Panics
    /// When no program takes so many.
    pub fn of(&self, rows: usize) -> (usize, &Program) {
        let fitting = self.all.iter().rev().find(|(most, _)| rows <= *most);
        let (most, program) = fitting.expect("no more rows than a batch has");
        (*most, program)
    }
}

/// Random bits in place of `planes`, so that no part of the arithmetic sees zeros alone.
fn probe(planes: &Tensor) -> Result<Tensor, TchError> {
    let (b, c, h, w) = planes.size4()?;
    let mut random = random::stream("probe", 0, 0, 0);
    let bits: Vec<f32> = (0..planes.numel()).map(|_| f32::from(u8::from(random.random_ratio(1, 4)))).collect();
    Tensor::f_from_slice(&bits)?.f_view([b, h, w, c])?.f_to_kind(planes.kind())?.f_permute([0, 3, 1, 2])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Architecture, ModelConfig, NetworkShape, Weights};

    #[test]
    fn every_program_gives_a_row_the_same_bits() {
        let shape =
            NetworkShape { encoding: 1, channels: 3, scalars: 1, height: 5, width: 4, board: None, action_planes: 2 };
        let config = ModelConfig { blocks: 2, channels: 16, ..ModelConfig::default() };
        let weights = Weights::random(Arc::new(Architecture::new(config, shape).unwrap()), 1);
        let blank = Tensor::zeros([72, 5, 4, 3], (tch::Kind::Float, Device::Cpu)).permute([0, 3, 1, 2]);
        let programs = Programs::new(&weights.into(), Device::Cpu, Plan::F32, &blank, None).unwrap();
        let planes = probe(&blank).unwrap();
        let answers = programs.all[0].1.run(&planes).unwrap();
        for rows in 1..=72 {
            let (most, program) = programs.of(rows);
            assert!(rows <= most && [72, 36, 18].contains(&most), "{rows} of {most}");
            let found = program.run(&planes.narrow(0, 0, most as i64)).unwrap();
            assert!(found.equal(&answers.narrow(0, 0, most as i64)), "{rows} of {most}");
        }
    }
}

//! Muon (Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks"): the step of a hidden layer's
//! matrix is its momentum with all singular values near 1, so that no direction of the layer is left behind.

use tch::{Kind, TchError, Tensor};

use crate::model::Parameter;

/// Steps of the iteration, and its polynomial `a x + b x^3 + c x^5`: singular values from 0.01 to 1 come between 0.7 and
/// 1.2.
const STEPS: usize = 5;
const POLYNOMIAL: [f64; 3] = [3.4445, -4.7750, 2.0315];

/// Root mean square of AdamW's steps over the learning rate, about, which those of a matrix are scaled to: one learning
/// rate and one weight decay do for both (Liu et al. 2025, "Muon is scalable for LLM training", section 2.2).
const STEP_SIZE: f64 = 0.2;

/// Matrices of one shape among the flat weights `[N]`, so that all of them are turned at once.
#[derive(Clone, Debug)]
pub struct Matrices {
    outputs: usize,
    /// Inputs of a layer, each place of a kernel counted.
    inputs: usize,
    /// Where the values of each begin.
    starts: Vec<usize>,
}

impl Matrices {
    /// The hidden layers' matrices, by shape, among weights that lie one after another. What reads the planes and what
    /// gives the answers is left to AdamW.
    pub fn of(parameters: &[Parameter]) -> Vec<Matrices> {
        let mut groups: Vec<Matrices> = Vec::new();
        let mut start = 0;
        for parameter in parameters {
            if parameter.decays && parameter.is_hidden() {
                let (outputs, inputs) = (parameter.shape[0], parameter.len() / parameter.shape[0]);
                match groups.iter_mut().find(|group| (group.outputs, group.inputs) == (outputs, inputs)) {
                    Some(group) => group.starts.push(start),
                    None => groups.push(Matrices { outputs, inputs, starts: vec![start] }),
                }
            }
            start += parameter.len();
        }
        groups
    }

    /// Writes the parts of `direction` `[N]`, by which the weights are to move, that are of these matrices, from those of
    /// `momentum` `[N]`.
    ///
    /// # Errors
    /// When libtorch fails, as when memory runs out; likewise below.
    pub fn point(&self, direction: &Tensor, momentum: &Tensor) -> Result<(), TchError> {
        let (outputs, inputs) = (self.outputs as i64, self.inputs as i64);
        let part = |tensor: &Tensor, start: usize| {
            tensor.f_narrow(0, start as i64, outputs * inputs)?.f_view([outputs, inputs])
        };
        let matrices = self.starts.iter().map(|&start| part(momentum, start)).collect::<Result<Vec<_>, _>>()?;
        let scale = STEP_SIZE * (self.outputs.max(self.inputs) as f64).sqrt();
        let steps = orthogonal(&Tensor::f_stack(&matrices, 0)?)?.f_mul_scalar(scale)?;
        self.starts.iter().enumerate().try_for_each(|(place, &start)| {
            part(direction, start)?.f_copy_(&steps.f_select(0, place as i64)?).map(drop)
        })
    }
}

/// Matrices `[M, outputs, inputs]` with the singular vectors of those given and singular values near 1, by an iteration
/// of Newton and Schulz.
fn orthogonal(matrices: &Tensor) -> Result<Tensor, TchError> {
    let tall = matrices.size()[1] > matrices.size()[2];
    let turned = |matrices: &Tensor| if tall { matrices.f_transpose(1, 2) } else { Ok(matrices.shallow_clone()) };
    let wide = turned(matrices)?;
    let norms = wide.f_square()?.f_sum_dim_intlist([1i64, 2].as_slice(), true, Kind::Float)?.f_sqrt()?;
    let [a, b, c] = POLYNOMIAL;
    let mut x = wide.f_div(&norms.f_clamp_min(f64::from(f32::MIN_POSITIVE))?)?;
    for _ in 0..STEPS {
        let gram = x.f_bmm(&x.f_transpose(1, 2)?)?;
        let odd = gram.f_mul_scalar(b)?.f_add(&gram.f_bmm(&gram)?.f_mul_scalar(c)?)?;
        x = x.f_mul_scalar(a)?.f_add(&odd.f_bmm(&x)?)?;
    }
    turned(&x)
}

#[cfg(test)]
mod tests {
    use tch::Device;

    use super::*;
    use crate::model::Init;

    #[test]
    fn singular_values_come_near_to_one_and_vectors_stay() {
        tch::manual_seed(1);
        for [rows, columns] in [[4, 9], [9, 4], [6, 6]] {
            let matrices = Tensor::randn([3, rows, columns], (Kind::Float, Device::Cpu));
            let found = orthogonal(&matrices).unwrap();
            for place in 0..3 {
                let (u, before, v) = matrices.select(0, place).svd(true, true);
                let turned = u.tr().matmul(&found.select(0, place)).matmul(&v);
                let values = Vec::<f32>::try_from(turned.diag(0)).unwrap();
                assert!(values.iter().all(|value| (0.6..1.3).contains(value)), "{before} became {values:?}");
                let rest = (&turned - Tensor::diag(&turned.diag(0), 0)).abs().max().double_value(&[]);
                assert!(rest < 1e-3, "the singular vectors turned by {rest}");
            }
        }
    }

    #[test]
    fn matrices_of_hidden_layers_are_found_by_their_shape() {
        let parameter = |name: &str, shape: &[usize]| Parameter {
            name: name.to_owned(),
            shape: shape.to_vec(),
            init: Init::Constant(0.0),
            decays: shape.len() > 1,
        };
        let parameters = [
            parameter("stem.weight", &[2, 3, 1, 1]),
            parameter("block0.conv1.weight", &[2, 1, 1, 2]),
            parameter("block0.conv1.gain", &[2]),
            parameter("block0.pool.weight", &[2, 4]),
            parameter("block0.conv2.weight", &[2, 2, 1, 1]),
            parameter("policy.logits.weight", &[5, 2, 1, 1]),
        ];
        let groups = Matrices::of(&parameters);
        let found: Vec<_> = groups.iter().map(|group| (group.outputs, group.inputs, group.starts.clone())).collect();
        assert_eq!(found, [(2, 2, vec![6, 20]), (2, 4, vec![12])]);

        let momentum = Tensor::arange(34, (Kind::Float, Device::Cpu)) + 1.0;
        let direction = Tensor::zeros([34], (Kind::Float, Device::Cpu));
        groups.iter().for_each(|group| group.point(&direction, &momentum).unwrap());
        let moved = Vec::<f32>::try_from(&direction).unwrap();
        let places: Vec<usize> = (0..34).filter(|&place| moved[place] != 0.0).collect();
        assert_eq!(places, [(6..10).collect::<Vec<_>>(), (12..24).collect()].concat());
        // Singular values near 1 are entries of root mean square 1 / sqrt(longer side).
        let square: f32 = moved[12..20].iter().map(|value| value * value).sum::<f32>() / 8.0;
        assert!((0.6..1.3).contains(&(square.sqrt() / STEP_SIZE as f32)), "{square}");
    }
}

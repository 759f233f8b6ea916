//! Which places of the grid are squares of the board, and what is pooled over them.

use tch::{TchError, Tensor};

use super::architecture::WALL;

/// Which places of the grid are squares. A hole is to the network what lies beyond the edge: 0 in all that a
/// convolution sees, and nothing to what is pooled.
pub(super) struct Board {
    /// None on a board without holes.
    holes: Option<Holes>,
}

struct Holes {
    /// 1 on a square and 0 in a hole, `[B, 1, H, W]`.
    squares: Tensor,
    /// For the channels of the trunk, `[B, C, H, W]`, see [`wall`]. A sum of whole tensors before a ReLU goes into the
    /// convolution before it, where a product after it, or a sum with one plane for all channels, would be another pass
    /// over the values, and a slow one.
    wall: Tensor,
    /// One over the share of squares, `[B, 1]`.
    scale: Tensor,
}

impl Board {
    pub fn seen_in(planes: &Tensor, plane: Option<i64>, channels: i64) -> Result<Self, TchError> {
        let Some(plane) = plane else { return Ok(Board { holes: None }) };
        let squares = planes.f_narrow(1, plane, 1)?.f_contiguous()?;
        let wall = wall(&squares, channels)?;
        // Rows that only fill a batch up show no board at all.
        let scale = average(&squares)?.f_clamp_min(1e-3)?.f_reciprocal()?;
        Ok(Board { holes: Some(Holes { squares, wall, scale }) })
    }

    /// `x` with zeros in the holes.
    pub fn only(&self, x: &Tensor) -> Result<Tensor, TchError> {
        match &self.holes {
            Some(holes) => x.f_mul(&holes.squares),
            None => Ok(x.shallow_clone()),
        }
    }

    /// `relu(x)` with zeros in the holes.
    pub fn relu(&self, x: Tensor) -> Result<Tensor, TchError> {
        self.walled(x)?.f_relu()
    }

    /// `x` with numbers far below zero in the holes.
    pub fn walled(&self, x: Tensor) -> Result<Tensor, TchError> {
        match &self.holes {
            Some(holes) if x.size()[1] == holes.wall.size()[1] => x.f_add(&holes.wall),
            Some(holes) => x.f_add(&wall(&holes.squares, x.size()[1])?),
            None => Ok(x),
        }
    }

    /// Mean over the squares of an `x` that is 0 in the holes, `[B, C]`.
    pub fn mean(&self, x: &Tensor) -> Result<Tensor, TchError> {
        self.scaled(average(x)?)
    }

    /// Means over the squares from those over the whole grid, `[B, C]`.
    pub fn scaled(&self, means: Tensor) -> Result<Tensor, TchError> {
        match &self.holes {
            Some(holes) => means.f_mul(&holes.scale),
            None => Ok(means),
        }
    }

    /// Mean and maximum over the squares of an `x` that is not negative and 0 in the holes, `[B, 2C]`.
    pub fn pool(&self, x: &Tensor) -> Result<Tensor, TchError> {
        let most = x.f_max_pool2d(grid(x)?, [1, 1], [0, 0], [1, 1], false)?.f_flatten(1, -1)?;
        Tensor::f_cat(&[self.mean(x)?, most], 1)
    }
}

/// 0 on a square and `-WALL` in a hole for each of so many channels, channels last, from 1 and 0 for all, `[B, 1, H,
/// W]`.
fn wall(squares: &Tensor, channels: i64) -> Result<Tensor, TchError> {
    let wall = squares.f_sub_scalar(1.0)?.f_mul_scalar(WALL)?;
    let wall = wall.f_permute([0, 2, 3, 1])?.f_expand([-1, -1, -1, channels], false)?;
    wall.f_contiguous()?.f_permute([0, 3, 1, 2])
}

/// H and W of `[B, C, H, W]`.
pub(super) fn grid(x: &Tensor) -> Result<[i64; 2], TchError> {
    let (_, _, height, width) = x.size4()?;
    Ok([height, width])
}

/// Mean over the whole grid, `[B, C]`. Pooling over the grid at once is the same as torch's `mean` and several times as
/// fast on channels-last numbers of 16 bits.
pub(super) fn average(x: &Tensor) -> Result<Tensor, TchError> {
    x.f_avg_pool2d(grid(x)?, [1, 1], [0, 0], false, true, None)?.f_flatten(1, -1)
}

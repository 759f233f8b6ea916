//! What is expected of a game: the chances of its three results.

use serde::{Deserialize, Serialize};

/// Probabilities of a win, a draw and a loss, from the point of view of one side: the side to move at the position that
/// they are of. They add up to 1. In files and messages a list of three numbers in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f32; 3]", into = "[f32; 3]")]
pub struct Wdl {
    pub win: f32,
    pub draw: f32,
    pub loss: f32,
}

impl Wdl {
    pub const WIN: Wdl = Wdl { win: 1.0, draw: 0.0, loss: 0.0 };
    pub const DRAW: Wdl = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };
    pub const LOSS: Wdl = Wdl { win: 0.0, draw: 0.0, loss: 1.0 };

    /// The probabilities behind a value (win less loss) and a probability of a draw, as means of many; what rounding
    /// takes beyond 0 to 1 is cut off.
    pub fn from_value(value: f32, draw: f32) -> Self {
        let win = ((1.0 - draw + value) / 2.0).clamp(0.0, 1.0);
        let loss = ((1.0 - draw - value) / 2.0).clamp(0.0, 1.0);
        Wdl { win, draw, loss }
    }

    /// Win less loss, in [-1, 1].
    pub fn value(self) -> f32 {
        self.win - self.loss
    }

    /// The same from the other side's point of view.
    pub fn flipped(self) -> Self {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// `[win, draw, loss]`.
    pub fn to_array(self) -> [f32; 3] {
        [self.win, self.draw, self.loss]
    }

    /// The three numbers, each by `f` from those of `self` and `other`.
    pub fn zip_with(self, other: Wdl, f: impl Fn(f32, f32) -> f32) -> Self {
        Wdl { win: f(self.win, other.win), draw: f(self.draw, other.draw), loss: f(self.loss, other.loss) }
    }

    /// Whether all three are numbers.
    pub fn is_finite(self) -> bool {
        self.win.is_finite() && self.draw.is_finite() && self.loss.is_finite()
    }
}

impl From<[f32; 3]> for Wdl {
    fn from([win, draw, loss]: [f32; 3]) -> Self {
        Wdl { win, draw, loss }
    }
}

impl From<Wdl> for [f32; 3] {
    fn from(wdl: Wdl) -> Self {
        wdl.to_array()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_sees_the_opposite() {
        let wdl = Wdl::from([0.5, 0.25, 0.25]);
        assert_eq!((wdl.value(), wdl.flipped().value()), (0.25, -0.25));
        assert_eq!(wdl.flipped().flipped(), wdl);
        assert_eq!((Wdl::WIN.flipped(), Wdl::DRAW.flipped()), (Wdl::LOSS, Wdl::DRAW));
        assert_eq!(Wdl::from_value(wdl.value(), wdl.draw), wdl);
    }

    #[test]
    fn a_list_of_three_in_text() {
        let wdl = Wdl::from([0.5, 0.125, 0.375]);
        let text = serde_json::to_string(&wdl).unwrap();
        assert_eq!(text, "[0.5,0.125,0.375]");
        assert_eq!(serde_json::from_str::<Wdl>(&text).unwrap(), wdl);
    }
}

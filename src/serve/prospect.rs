//! Whether more time may change a choice.

/// An action with less than one visit in so many of the leader's is not known well enough to be held against it.
const LEAST_SHARE: u32 = 4;

/// What time is given to a choice by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prospect {
    /// The usual time cannot change it.
    Settled,
    Usual,
    /// Another action looks better than the one that would be played.
    Open,
}

/// An action that may be played, as a search has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rival {
    pub visits: u32,
    /// Win less loss for the side to move; `None` while nothing is known.
    pub q: Option<f32>,
}

impl Prospect {
    /// The prospect of a choice between these actions, of which the most visited would be played. `to_come` is the
    /// number of playouts that the rest of the usual time allows, `None` once that is over.
    pub(super) fn of(rivals: impl Iterator<Item = Rival> + Clone, to_come: Option<f64>) -> Self {
        let Some((leader, best)) = rivals.clone().enumerate().max_by_key(|(_, rival)| rival.visits) else {
            return Prospect::Usual;
        };
        let mut others = rivals.enumerate().filter(|&(index, _)| index != leader).map(|(_, rival)| rival);
        let Some(second) = others.clone().map(|rival| rival.visits).max() else { return Prospect::Settled };
        if to_come.is_some_and(|to_come| f64::from(best.visits - second) > to_come) {
            return Prospect::Settled;
        }
        match others.any(|rival| rival.visits >= best.visits / LEAST_SHARE && rival.q > best.q) {
            true => Prospect::Open,
            false => Prospect::Usual,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rivals: &[(u32, f32)], to_come: Option<f64>) -> Prospect {
        let rivals = rivals.iter().map(|&(visits, q)| Rival { visits, q: (visits > 0).then_some(q) });
        Prospect::of(rivals, to_come)
    }

    #[test]
    fn a_choice_is_settled_where_nothing_can_catch_up() {
        assert_eq!(of(&[(0, 0.0)], Some(1e9)), Prospect::Settled, "no other action");
        assert_eq!(of(&[(50, 0.1), (150, 0.2)], Some(99.0)), Prospect::Settled);
        assert_eq!(of(&[(50, 0.1), (150, 0.2)], Some(100.0)), Prospect::Usual);
        // However good: it would be visited too late.
        assert_eq!(of(&[(50, 0.9), (150, 0.2)], Some(99.0)), Prospect::Settled);
        // Once the usual time is over, only better actions keep a search going.
        assert_eq!(of(&[(50, 0.1), (150, 0.2)], None), Prospect::Usual);
    }

    #[test]
    fn a_choice_is_open_where_a_known_action_looks_better() {
        for to_come in [None, Some(1e3)] {
            assert_eq!(of(&[(50, 0.3), (150, 0.2)], to_come), Prospect::Open);
            assert_eq!(of(&[(50, 0.2), (150, 0.2)], to_come), Prospect::Usual);
            assert_eq!(of(&[(20, 0.9), (150, 0.2)], to_come), Prospect::Usual, "too few visits");
            assert_eq!(of(&[(0, 0.9), (3, -0.5)], to_come), Prospect::Usual, "never visited");
        }
    }

    #[test]
    fn no_choice_has_the_usual_time() {
        assert_eq!(of(&[], Some(10.0)), Prospect::Usual);
    }
}

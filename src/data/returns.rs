//! What the rest of a game says of the value of a position: its result, and the values that the searches after it
//! found.

use crate::game::{Side, Wdl};

/// One row of a game, as far as its value goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub side: Side,
    /// Win, draw, loss by the search, for `side`; `None` without one.
    pub root: Option<Wdl>,
}

/// The value targets of one row, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// How the game ended; in a game that self-play cut off, what its last search expected.
    pub result: Wdl,
    /// The lambda-return: G(t) = (1 - lambda) * root(t) + lambda * G(t + 1), and the result after the last row (Sutton
    /// and Barto 2018, section 12.1). Rows without a search hand the later value on. Lambda 1 is the result, lambda 0
    /// the row's own search.
    pub lambda_return: Wdl,
}

/// The targets of a game's rows, in order. `result` is the last row's, for its side to move; `None` when the game was
/// cut off.
pub fn targets(steps: &[Step], result: Option<Wdl>, lambda: f32) -> Vec<Target> {
    let Some(last) = steps.last() else { return Vec::new() };
    let expected = || {
        let searched = steps.iter().rev().find_map(|step| Some((step.side, step.root?)));
        searched.map_or(Wdl::DRAW, |(side, root)| seen_by(last.side, side, root))
    };
    let result = result.unwrap_or_else(expected);
    let (mut side, mut target) = (last.side, Target { result, lambda_return: result });
    let mut targets: Vec<Target> = steps
        .iter()
        .rev()
        .map(|step| {
            target.result = seen_by(step.side, side, target.result);
            target.lambda_return = seen_by(step.side, side, target.lambda_return);
            side = step.side;
            if let Some(root) = step.root {
                let later = target.lambda_return;
                target.lambda_return = root.zip_with(later, |root, later| (1.0 - lambda) * root + lambda * later);
            }
            target
        })
        .collect();
    targets.reverse();
    targets
}

/// The probabilities of `owner` from the point of view of `viewer`.
fn seen_by(viewer: Side, owner: Side, wdl: Wdl) -> Wdl {
    if viewer == owner { wdl } else { wdl.flipped() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{Black, White};

    const WIN: Wdl = Wdl::WIN;
    const LOSS: Wdl = Wdl::LOSS;

    fn step(side: Side, root: Option<[f32; 3]>) -> Step {
        Step { side, root: root.map(Wdl::from) }
    }

    #[test]
    fn values_turn_with_the_side_to_move_and_not_with_the_ply() {
        let steps = [step(White, None), step(White, None), step(Black, None)];
        let found = targets(&steps, Some(WIN), 0.9);
        assert_eq!(found.iter().map(|target| target.result).collect::<Vec<_>>(), [LOSS, LOSS, WIN]);
        assert_eq!(found.iter().map(|target| target.lambda_return).collect::<Vec<_>>(), [LOSS, LOSS, WIN]);
    }

    #[test]
    fn lambda_weighs_the_searches_by_their_distance() {
        let steps = [step(White, Some([0.5, 0.25, 0.25])), step(Black, None), step(White, Some([0.0, 1.0, 0.0]))];
        let found = targets(&steps, Some(WIN), 0.5);
        assert_eq!(found[2].lambda_return, [0.5, 0.5, 0.0].into());
        assert_eq!(found[1].lambda_return, [0.0, 0.5, 0.5].into());
        assert_eq!(found[0].lambda_return, [0.5, 0.375, 0.125].into());
        let own = targets(&steps, Some(WIN), 0.0);
        assert_eq!(own[0].lambda_return, [0.5, 0.25, 0.25].into());
        let result = targets(&steps, Some(WIN), 1.0);
        assert_eq!(result[0].lambda_return, WIN);
    }

    #[test]
    fn a_game_cut_off_ends_in_what_its_last_search_expected() {
        let steps = [step(White, Some([0.5, 0.5, 0.0])), step(Black, Some([0.75, 0.25, 0.0])), step(White, None)];
        let found = targets(&steps, None, 1.0);
        assert_eq!(found[2].result, [0.0, 0.25, 0.75].into());
        assert_eq!(found[1].result, [0.75, 0.25, 0.0].into());
        assert_eq!(found[0].result, [0.0, 0.25, 0.75].into());
        assert_eq!(targets(&steps[2..], None, 1.0)[0].result, [0.0, 1.0, 0.0].into());
        assert!(targets(&[], None, 1.0).is_empty());
    }
}

//! Ends that the rules do not know: resignation, agreement, a cap on the plies.

use super::AdjudicationConfig;
use crate::game::{Outcome, Reason, Side};

/// When in a game a side looks at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Counted from 0, both sides together.
    pub ply: u32,
    /// Counted from 0: the plies of one side in a row, such as a series of captures, are one turn.
    pub turn: u32,
    pub side: Side,
}

/// Watches the values of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    /// Whether the game is played out whatever this finds.
    check: bool,
    /// Turns in a row in which each side thought its position lost.
    lost: [u32; 2],
    /// The side's last turn that counts there: a turn may have several plies.
    lost_in: [u32; 2],
    /// Plies in a row in which the side to move thought the position a draw.
    level: u32,
    overruled: Option<Outcome>,
}

impl Adjudicator {
    /// For a game that is played out (`check_roll` below the share of such games) or not; `check_roll` lies in [0, 1).
    pub fn new(config: &AdjudicationConfig, check_roll: f32) -> Self {
        Adjudicator {
            check: check_roll < config.check_share,
            lost: [0; 2],
            lost_in: [u32::MAX; 2],
            level: 0,
            overruled: None,
        }
    }

    /// How the game would have ended, in a game that is played out.
    pub fn overruled(&self) -> Option<Outcome> {
        self.overruled
    }

    /// Hears the value, in [-1, 1], that the side to move gives its position; says whether the game ends with this ply.
    pub fn hear(&mut self, config: &AdjudicationConfig, at: Moment, value: f32) -> Option<Outcome> {
        let Moment { ply, turn, side } = at;
        let (lost, lost_in) = (&mut self.lost[side.index()], &mut self.lost_in[side.index()]);
        if value > -config.resign_value {
            (*lost, *lost_in) = (0, u32::MAX);
        } else if *lost_in != turn {
            (*lost, *lost_in) = (*lost + 1, turn);
        }
        self.level = if ply >= config.draw_from_ply && value.abs() <= config.draw_value { self.level + 1 } else { 0 };
        let found = if config.resign_plies > 0 && *lost >= config.resign_plies {
            Some(Outcome::win(!side, Reason::Resignation))
        } else {
            (config.draw_plies > 0 && self.level >= config.draw_plies).then_some(Outcome::draw(Reason::Agreement))
        };
        if self.check {
            self.overruled = self.overruled.or(found);
            return None;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: AdjudicationConfig = AdjudicationConfig {
        resign_value: 0.9,
        resign_plies: 2,
        draw_value: 0.05,
        draw_plies: 3,
        draw_from_ply: 4,
        check_share: 0.5,
    };

    fn at(ply: u32, side: Side) -> Moment {
        Moment { ply, turn: ply, side }
    }

    #[test]
    fn a_series_of_plies_is_one_turn() {
        let mut judge = Adjudicator::new(&CONFIG, 0.5);
        for ply in 0..5 {
            assert_eq!(judge.hear(&CONFIG, Moment { ply, turn: 0, side: Side::White }, -1.0), None);
        }
        let next = Moment { ply: 6, turn: 2, side: Side::White };
        assert_eq!(judge.hear(&CONFIG, next, -1.0), Some(Outcome::win(Side::Black, Reason::Resignation)));
    }

    #[test]
    fn a_side_resigns_after_its_own_turns_in_a_row() {
        let mut judge = Adjudicator::new(&CONFIG, 0.5);
        let values =
            [(Side::White, -0.95), (Side::Black, 0.95), (Side::White, -0.8), (Side::Black, 0.9), (Side::White, -0.9)];
        for (ply, (side, value)) in (0..).zip(values) {
            assert_eq!(judge.hear(&CONFIG, at(ply, side), value), None);
        }
        assert_eq!(judge.hear(&CONFIG, at(5, Side::Black), 1.0), None);
        assert_eq!(judge.hear(&CONFIG, at(6, Side::White), -1.0), Some(Outcome::win(Side::Black, Reason::Resignation)));
    }

    #[test]
    fn a_draw_needs_level_plies_after_the_first_ones() {
        let mut judge = Adjudicator::new(&CONFIG, 0.9);
        for ply in 0..6 {
            assert_eq!(judge.hear(&CONFIG, at(ply, Side::White), 0.01), None);
        }
        assert_eq!(judge.hear(&CONFIG, at(6, Side::Black), -0.05), Some(Outcome::draw(Reason::Agreement)));
    }

    #[test]
    fn a_checked_game_goes_on_and_remembers_the_first_end() {
        let mut judge = Adjudicator::new(&CONFIG, 0.49);
        for ply in 0..2 {
            assert_eq!(judge.hear(&CONFIG, at(ply, Side::White), -1.0), None);
        }
        for ply in 4..9 {
            assert_eq!(judge.hear(&CONFIG, at(ply, Side::White), 0.0), None);
        }
        assert_eq!(judge.overruled(), Some(Outcome::win(Side::Black, Reason::Resignation)));
    }
}

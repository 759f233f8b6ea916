//! What XBoard must be taught of the game.

use super::Shatar;
use crate::game::XBoard;

impl XBoard for Shatar {
    fn variant_setup(&self) -> String {
        include_str!("xboard.txt").to_owned()
    }
}

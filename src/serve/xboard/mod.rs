//! XBoard's protocol, version 2 (Mann and Muller, <https://www.gnu.org/software/xboard/engine-intf.html>). Squares are
//! places on the grid of position strings, files from a and ranks from 1, whatever the game calls them.
//!
//! Layout, lowest first:
//!
//! - `control`: what the frontend said of time.
//! - `board`: positions as XBoard writes them.
//! - `legs`: moves as XBoard writes them.
//! - `hand`: the piece that a user has picked up, and where it may go.
//! - `talk`: the protocol's state, commands in and answers out.

mod board;
mod control;
mod hand;
mod legs;
#[cfg(test)]
mod shown;
mod talk;

pub(super) use talk::Xboard;

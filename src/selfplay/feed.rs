//! Where the threads of self-play get their games from: a plan that is known when they begin, or work that comes in while
//! they play.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::plan::Plan;

/// What a thread gets that asks for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The index of the next game to play.
    Game(u64),
    /// There is none now, and may be one soon.
    Wait,
    /// There is none any more.
    Over,
}

/// Games to be played, each handed out once; what all threads share.
pub trait Feed: Sync {
    /// The next game.
    fn next(&self) -> Next;
}

impl Feed for Mutex<Plan> {
    fn next(&self) -> Next {
        self.lock().unwrap_or_else(PoisonError::into_inner).next().map_or(Next::Over, Next::Game)
    }
}

/// All of these, in order.
impl Feed for Mutex<Range<u64>> {
    fn next(&self) -> Next {
        self.lock().unwrap_or_else(PoisonError::into_inner).next().map_or(Next::Over, Next::Game)
    }
}

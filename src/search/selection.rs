//! The rule that a configuration asks for.

use super::{Mode, SearchConfig, gumbel::Gumbel, puct::Puct, rule::Rule, tree::Edge, utility::Choices};
use crate::game::random::Rng;

/// The rule of a search, by its [`Mode`]. An enum and no `dyn`: one is asked at every node of every playout.
#[derive(Clone, Debug)]
pub(super) enum Selection {
    Gumbel(Gumbel),
    Puct(Puct),
}

impl Selection {
    pub fn new(mode: Mode) -> Self {
        match mode {
            Mode::Gumbel => Selection::Gumbel(Gumbel::default()),
            Mode::Puct => Selection::Puct(Puct::default()),
        }
    }

    fn mode(&self) -> Mode {
        match self {
            Selection::Gumbel(_) => Mode::Gumbel,
            Selection::Puct(_) => Mode::Puct,
        }
    }
}

/// Asks whichever rule it is.
macro_rules! delegate {
    ($self:ident, $rule:ident => $call:expr) => {
        match $self {
            Selection::Gumbel($rule) => $call,
            Selection::Puct($rule) => $call,
        }
    };
}

impl Rule for Selection {
    fn begin<A>(&mut self, config: &SearchConfig, actions: usize, kept: &[Edge<A>], rng: &mut Rng) {
        if self.mode() != config.mode {
            *self = Selection::new(config.mode);
        }
        delegate!(self, rule => rule.begin(config, actions, kept, rng));
    }

    fn noise_mut(&mut self) -> &mut [f32] {
        delegate!(self, rule => rule.noise_mut())
    }

    fn select_root<P, A>(
        &self,
        config: &SearchConfig,
        playout: u32,
        choices: &Choices<'_, P, A>,
        scratch: &mut Vec<f32>,
    ) -> Option<u32> {
        delegate!(self, rule => rule.select_root(config, playout, choices, scratch))
    }

    fn select<P, A>(&self, config: &SearchConfig, choices: &Choices<'_, P, A>, scratch: &mut Vec<f32>) -> Option<u32> {
        delegate!(self, rule => rule.select(config, choices, scratch))
    }

    fn policy<P, A>(
        &self,
        config: &SearchConfig,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
        out: &mut Vec<f32>,
    ) {
        delegate!(self, rule => rule.policy(config, choices, keep, out));
    }

    fn winner<P, A>(
        &self,
        config: &SearchConfig,
        choices: &Choices<'_, P, A>,
        keep: impl Fn(&Edge<A>) -> bool,
    ) -> Option<u32> {
        delegate!(self, rule => rule.winner(config, choices, keep))
    }
}

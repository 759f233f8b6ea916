//! From a game's id to its type: the one place that lists the games.

use super::RulesError;

/// Every game with the constructor of its ruleset from overrides. A new game is one line here.
macro_rules! games {
    ($($id:literal => $construct:path),+ $(,)?) => {
        /// Ids of all games.
        pub const IDS: &[&str] = &[$($id),+];

        /// Gives the game called `id`, with `overrides` laid over its preset, to `visitor`.
        ///
        /// # Errors
        /// Names an unknown game or option.
        pub fn with_game<V: GameVisitor>(id: &str, overrides: &toml::Table, visitor: V) -> Result<V::Output, RulesError> {
            match id {
                $($id => Ok(visitor.visit($construct(overrides)?)),)+
                _ => Err(RulesError::UnknownGame { found: id.to_owned(), expected: IDS.join(", ") }),
            }
        }
    };
}

games! {
    "shatara" => super::shatara::Shatara::from_options,
    "chess" => super::shatara::Shatara::chess_from_options,
    "shatar" => super::shatar::Shatar::from_options,
    "omega" => super::omega::Omega::from_options,
    "omega-advanced" => super::omega::advanced::OmegaAdvanced::from_options,
    "shatra" => super::shatra::Shatra::from_options,
}

/// Work that is generic over the game, done once the game's type is known.
pub trait GameVisitor {
    type Output;

    fn visit<G: super::Encode>(self, game: G) -> Self::Output;
}

//! From a game's id to its type: the one place that lists the games.

use super::{Encode, Facts, Game, Material, Notation, RESTRICTION, Restriction, RulesError, Show, XBoard};

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
    "shatara" => super::shatara::Shatara::game,
    "chess" => super::shatara::Shatara::chess,
    "shatar" => super::shatar::Shatar::game,
    "omega" => super::omega::Omega::game,
    "omega-advanced" => super::omega::advanced::OmegaAdvanced::game,
    "shatra" => super::shatra::Shatra::game,
}

/// [`with_game`] for the options of any ruleset: among them may be a [restriction](Restriction), as in that of a
/// [restricted](Game::restricted) game.
///
/// # Errors
/// Names an unknown game or option.
pub fn with_ruleset<V: GameVisitor>(id: &str, options: &toml::Table, visitor: V) -> Result<V::Output, RulesError> {
    struct Restricted<V>(Option<Restriction>, V);
    impl<V: GameVisitor> GameVisitor for Restricted<V> {
        type Output = Result<V::Output, RulesError>;

        fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
            Ok(self.1.visit(game.restricted(self.0.as_ref())?))
        }
    }
    let mut options = options.clone();
    let restriction = options.remove(RESTRICTION).map(toml::Value::try_into).transpose();
    let error = |e: toml::de::Error| RulesError::Option {
        game: id.to_owned(),
        reason: format!("`{RESTRICTION}`: {}", e.message().replace('\n', " ")),
    };
    with_game(id, &options, Restricted(restriction.map_err(error)?, visitor))?
}

/// Work that is generic over the game, done once the game's type is known.
pub trait GameVisitor {
    type Output;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output;
}

/// Every facet of a game: what the registry hands out.
pub trait Playable: Notation + Encode + Facts + Show + XBoard + Material {}

impl<R: Notation + Encode + Facts + Show + XBoard + Material> Playable for R {}

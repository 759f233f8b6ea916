//! Players as a user names them, with the rules that they play by.

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::options::RulesetOptions;
use crate::{
    evaluate::{Contender, PlayerSpec, match_search},
    game::{
        Encode, Ruleset,
        registry::{self, GameVisitor},
    },
    search::{Mode, SearchConfig},
};

/// Options of every command that seats players.
#[derive(Debug, Args)]
pub(super) struct PlayerOptions {
    /// Playouts of a network before each move
    #[arg(long, default_value_t = 200)]
    pub(super) simulations: u32,
    /// How a network searches
    #[arg(long = "search", value_name = "RULE", default_value = "puct")]
    rule: SearchRule,
    /// Id of the game; not needed with a checkpoint, which knows its own
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    #[command(flatten)]
    rules: RulesetOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchRule {
    /// PUCT without noise
    Puct,
    /// Sequential halving without noise
    Gumbel,
}

/// Players with the one ruleset that all of them play by.
pub(super) struct Seated {
    pub(super) ruleset: Ruleset,
    pub(super) contenders: Vec<Contender>,
}

impl PlayerOptions {
    /// Finds the players and their rules. A checkpoint brings its own; options given beside it must agree with them.
    ///
    /// # Errors
    /// When a checkpoint cannot be read, the game is not told, or two rulesets differ (both are named).
    pub(super) fn seat(&self, specs: &[PlayerSpec]) -> anyhow::Result<Seated> {
        let search = self.search()?;
        let mut known: Option<(Ruleset, &PlayerSpec)> = None;
        let mut contenders = Vec::new();
        for spec in specs {
            contenders.push(match (Contender::baseline(spec).ok(), spec) {
                (Some(baseline), _) => baseline,
                (None, PlayerSpec::Checkpoint(folder)) => {
                    let (ruleset, network) = checkpoint::load(folder, search)?;
                    if let Some((other, whose)) = known.as_ref().filter(|(other, _)| *other != ruleset) {
                        bail!("{whose} plays {other}, {spec} plays {ruleset}: expected one ruleset");
                    }
                    known = Some((ruleset, spec));
                    network
                }
                (None, _) => unreachable!("every other name is a baseline's"),
            });
        }
        let overrides = self.rules.overrides()?;
        let ruleset = match (&self.game, known) {
            (None, None) => bail!("--game: expected the id of a game, since no player is a checkpoint"),
            (Some(game), None) => registry::with_game(game, &overrides, Identity)?,
            (game, Some((own, whose))) => {
                let mut options = own.options.clone();
                options.extend(overrides);
                let asked = registry::with_game(game.as_ref().unwrap_or(&own.game), &options, Identity)?;
                if asked != own {
                    bail!("{whose} plays {own}, asked for was {asked}: expected one ruleset");
                }
                own
            }
        };
        Ok(Seated { ruleset, contenders })
    }

    fn search(&self) -> anyhow::Result<SearchConfig> {
        let mode = match self.rule {
            SearchRule::Puct => Mode::Puct,
            SearchRule::Gumbel => Mode::Gumbel,
        };
        let search = SearchConfig { mode, ..match_search(self.simulations) };
        search.validate().map_err(|message| anyhow::anyhow!("--{message}"))?;
        Ok(search)
    }
}

impl Seated {
    /// Gives the game to `visitor`.
    ///
    /// # Errors
    /// When the ruleset is of no known game.
    pub(super) fn with_game<V: GameVisitor>(&self, visitor: V) -> anyhow::Result<V::Output> {
        registry::with_game(&self.ruleset.game, &self.ruleset.options, visitor).context("the players' rules")
    }
}

/// The identity of a game's ruleset.
struct Identity;

impl GameVisitor for Identity {
    type Output = Ruleset;

    fn visit<G: Encode>(self, game: G) -> Ruleset {
        game.ruleset().clone()
    }
}

mod checkpoint {
    use std::path::Path;

    use super::{Contender, Ruleset, SearchConfig};

    pub(super) fn load(folder: &Path, _search: SearchConfig) -> anyhow::Result<(Ruleset, Contender)> {
        anyhow::bail!("checkpoint {}: this build has no libtorch", folder.display())
    }
}

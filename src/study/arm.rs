//! One arm of a study: rules, an optional restriction, and the network that plays.

use std::{collections::BTreeSet, path::PathBuf};

use super::config::{BASE, PlayerConfig, StudyConfig, TrainingConfig, UNIFORM};
use crate::{
    game::{Restriction, Side},
    pipeline::Training,
};

/// Games of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Its folder within the study's.
    pub name: String,
    /// Its place among the arms; keys its bootstrap.
    pub number: u64,
    /// Place of the arm that it is held against, which has the same budget.
    pub base: usize,
    pub role: Role,
    /// Options of the ruleset that differ from the game's preset.
    pub rules: toml::Table,
    pub player: PlayerChoice,
    /// Playouts a search.
    pub playouts: u32,
    pub games: u64,
}

/// What an arm is there for.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// What all others are held against.
    Base,
    Variant,
    /// One half of restriction number `of`, in which it lies on one side.
    Restriction {
        of: usize,
        restriction: Restriction,
    },
}

/// Who plays both sides.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerChoice {
    /// A search that knows the rules alone.
    Uniform,
    /// The network in a folder.
    Network(PathBuf),
    /// A network trained first, under the arm's rules and its restriction.
    Trained { run: String, training: TrainingConfig },
}

impl Arm {
    /// What is trained under the arm's rules.
    pub fn training<'a>(&'a self, training: &'a TrainingConfig) -> Training<'a> {
        let restriction = self.restriction();
        Training { config: &training.config, rules: &self.rules, restriction, generations: training.generations }
    }

    /// What one side may not do here.
    pub fn restriction(&self) -> Option<&Restriction> {
        match &self.role {
            Role::Restriction { restriction, .. } => Some(restriction),
            Role::Base | Role::Variant => None,
        }
    }
}

/// The arms of the study called `study`: the base, the variants, and two for each restriction; a set of these for each
/// budget, whose number of playouts ends their names.
///
/// # Errors
/// `name: ...` when two arms would share a name.
pub fn arms(study: &str, config: &StudyConfig) -> Result<Vec<Arm>, String> {
    let mut arms: Vec<Arm> = Vec::new();
    match config.play.budgets.as_slice() {
        [] => add_set(&mut arms, study, config, config.play.search.playouts, ""),
        budgets => {
            for &playouts in budgets {
                add_set(&mut arms, study, config, playouts, &format!("-{playouts}"));
            }
        }
    }
    let mut names = BTreeSet::new();
    match arms.iter().find(|arm| !names.insert(arm.name.as_str())) {
        None => Ok(arms),
        Some(arm) => Err(format!("name: expected each arm once, found two arms `{}`", arm.name)),
    }
}

/// Adds the base, the variants and the restrictions with so many playouts a search. A network that is trained for an
/// arm plays it with every budget.
fn add_set(arms: &mut Vec<Arm>, study: &str, config: &StudyConfig, playouts: u32, suffix: &str) {
    let play = &config.play;
    let base = arms.len();
    let mut add = |name: String, role: Role, rules: &toml::Table, player: &PlayerConfig| {
        let games = if matches!(role, Role::Restriction { .. }) { play.games.div_ceil(2) } else { play.games };
        let mut all_rules = config.rules.clone();
        all_rules.extend(rules.clone());
        arms.push(Arm {
            number: arms.len() as u64,
            base,
            role,
            rules: all_rules,
            player: match &player.train {
                Some(training) => PlayerChoice::Trained { run: format!("{study}-{name}"), training: training.clone() },
                None => match player.network.as_ref().unwrap_or(&play.network).as_str() {
                    UNIFORM => PlayerChoice::Uniform,
                    folder => PlayerChoice::Network(folder.into()),
                },
            },
            playouts: player.playouts.unwrap_or(playouts),
            games,
            name: name + suffix,
        });
    };
    add(BASE.to_owned(), Role::Base, &toml::Table::new(), &PlayerConfig::default());
    for variant in &config.variant {
        add(variant.name.clone(), Role::Variant, &variant.rules, &variant.player);
    }
    for (of, given) in config.restriction.iter().enumerate() {
        for side in [Side::White, Side::Black] {
            let restriction = Restriction {
                side,
                kinds: given.kinds.clone(),
                from_ply: given.from_ply,
                before_ply: given.before_ply,
                becomes: given.becomes.clone(),
                must_by_ply: given.must_by_ply,
            };
            let role = Role::Restriction { of, restriction };
            add(format!("{}-{side}", given.name), role, &toml::Table::new(), &given.player);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arms_of(text: &str) -> Result<Vec<Arm>, String> {
        arms("s", &toml::from_str(text).unwrap())
    }

    #[test]
    fn an_arm_is_the_base_with_its_changes() {
        let text = r#"
            game = "shatara"
            rules = { ladder = false }
            play = { games = 7, network = "models/a", search = { playouts = 9 } }
            variant = [
                { name = "stock", rules = { reserve = "P" }, network = "uniform" },
                { name = "own", train = { config = "c.toml", generations = 3 }, playouts = 4 },
            ]
            restriction = [{ name = "late", kinds = ["reinforcement"], before_ply = 20 }]
        "#;
        let arms = arms_of(text).unwrap();
        let names: Vec<(&str, u64, u32)> =
            arms.iter().map(|arm| (arm.name.as_str(), arm.games, arm.playouts)).collect();
        assert_eq!(names, [("base", 7, 9), ("stock", 7, 9), ("own", 7, 4), ("late-white", 4, 9), ("late-black", 4, 9)]);
        assert_eq!(arms[0].player, PlayerChoice::Network("models/a".into()));
        assert_eq!(arms[1].player, PlayerChoice::Uniform);
        assert!(matches!(&arms[2].player, PlayerChoice::Trained { run, .. } if run == "s-own"));
        assert_eq!(arms[1].rules, toml::from_str("ladder = false\nreserve = \"P\"").unwrap());
        assert_eq!(arms[3].rules, arms[0].rules);
        assert_eq!(arms[4].restriction().map(|r| (r.side, r.before_ply)), Some((Side::Black, Some(20))));
    }

    #[test]
    fn each_budget_has_arms_of_its_own() {
        let text = r#"
            game = "shatara"
            play = { budgets = [8, 32], games = 4 }
            variant = [{ name = "own", train = { config = "c.toml", generations = 3 } }]
            restriction = [{ name = "soon", kinds = ["reinforcement"], must_by_ply = 20 }]
        "#;
        let arms = arms_of(text).unwrap();
        let names: Vec<(&str, u32, usize)> =
            arms.iter().map(|arm| (arm.name.as_str(), arm.playouts, arm.base)).collect();
        let expected = [
            ("base-8", 8, 0),
            ("own-8", 8, 0),
            ("soon-white-8", 8, 0),
            ("soon-black-8", 8, 0),
            ("base-32", 32, 4),
            ("own-32", 32, 4),
            ("soon-white-32", 32, 4),
            ("soon-black-32", 32, 4),
        ];
        assert_eq!(names, expected);
        assert_eq!(arms[1].player, arms[5].player);
        assert_eq!(arms[2].restriction().and_then(|r| r.must_by_ply), Some(20));
    }

    #[test]
    fn two_arms_of_one_name_are_refused() {
        for text in [
            "game = \"chess\"\nvariant = [{ name = \"base\" }]",
            "game = \"chess\"\nvariant = [{ name = \"a-white\" }]\nrestriction = [{ name = \"a\", kinds = [\"quiet\"] }]",
        ] {
            assert!(arms_of(text).unwrap_err().contains("found two arms"), "{text}");
        }
    }
}

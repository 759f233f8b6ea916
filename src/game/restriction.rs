//! What one side may not do, to see what it is worth.

use serde::{Deserialize, Serialize};

use super::{Facts, Rules, RulesError, Ruleset, Side};

/// Name of a restriction among the options of a ruleset.
pub const RESTRICTION: &str = "restriction";

/// What one side may not do: actions of some kinds, before some ply, by which a piece becomes one of some ranks. A
/// condition that is not given always holds. Where it would leave no legal action, it does not bind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restriction {
    pub side: Side,
    /// Names of kinds of action ([`Facts::ACTION_KINDS`]), at least one.
    pub kinds: Vec<String>,
    /// Only before this ply of the game ([`Game::ply`](super::Game::ply)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_ply: Option<u32>,
    /// Only actions whose string ends with one of these letters, large or small: what the piece becomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
}

impl Restriction {
    /// The identity of a ruleset under this restriction.
    pub(super) fn among_options_of(&self, ruleset: &Ruleset) -> Ruleset {
        let mut options = ruleset.options.clone();
        let table = toml::Table::try_from(self).expect("a restriction serialises as a TOML table");
        options.insert(RESTRICTION.to_owned(), table.into());
        Ruleset::new(&ruleset.game, &options)
    }
}

/// A restriction that was checked.
#[derive(Clone, Debug)]
pub(super) struct Ban<R: Rules> {
    side: Side,
    /// Indices of [`Facts::ACTION_KINDS`].
    kinds: Vec<usize>,
    /// Plies from this one on are free.
    before_ply: u32,
    becomes: Option<String>,
    /// [`Facts::action_kind`]: as a value, so that who only plays need not ask for the facet.
    kind_of: fn(&R, &R::Position, R::Action) -> usize,
}

impl<R: Rules> Ban<R> {
    /// Checks a restriction of the game called `id`.
    ///
    /// # Errors
    /// When the game has no such kind of action, or `becomes` is not made of letters.
    pub(super) fn new(restriction: &Restriction, id: &str) -> Result<Self, RulesError>
    where
        R: Facts,
    {
        let error = |reason: String| RulesError::Option { game: id.to_owned(), reason };
        let expected = || format!("expected some of {}", R::ACTION_KINDS.join(", "));
        let kinds = restriction.kinds.iter().map(|name| {
            let kind = R::ACTION_KINDS.iter().position(|kind| kind == name);
            kind.ok_or_else(|| error(format!("`kinds`: {}, found `{name}`", expected())))
        });
        let kinds: Vec<usize> = kinds.collect::<Result<_, _>>()?;
        if kinds.is_empty() {
            return Err(error(format!("`kinds`: {}, found none", expected())));
        }
        if let Some(letters) = &restriction.becomes
            && (letters.is_empty() || !letters.chars().all(|c| c.is_ascii_alphabetic()))
        {
            return Err(error(format!("`becomes`: expected letters of pieces, found `{letters}`")));
        }
        Ok(Ban {
            side: restriction.side,
            kinds,
            before_ply: restriction.before_ply.unwrap_or(u32::MAX),
            becomes: restriction.becomes.clone(),
            kind_of: R::action_kind,
        })
    }

    /// Takes what is banned out of the legal actions of a position, unless that leaves none.
    pub(super) fn take_away(&self, rules: &R, position: &R::Position, legal: &mut Vec<R::Action>) {
        if self.binds(rules, position) && legal.iter().any(|&action| !self.is_banned(rules, position, action)) {
            legal.retain(|&action| !self.is_banned(rules, position, action));
        }
    }

    /// Whether it may ban something in a position.
    pub(super) fn binds(&self, rules: &R, position: &R::Position) -> bool {
        let side = rules.side_to_move(position);
        self.side == side && (self.before_ply == u32::MAX || rules.counters(position).ply(side) < self.before_ply)
    }

    fn is_banned(&self, rules: &R, position: &R::Position, action: R::Action) -> bool {
        let becomes = |letters: &String| {
            let text = action.to_string();
            text.chars().last().is_some_and(|last| letters.chars().any(|letter| letter.eq_ignore_ascii_case(&last)))
        };
        self.kinds.contains(&(self.kind_of)(rules, position, action)) && self.becomes.as_ref().is_none_or(becomes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, shatara::Shatara};

    fn base() -> Game<Shatara> {
        Shatara::game(&toml::Table::new()).unwrap()
    }

    fn restriction(kinds: &[&str]) -> Restriction {
        let kinds = kinds.iter().map(|&kind| kind.to_owned()).collect();
        Restriction { side: Side::White, kinds, before_ply: None, becomes: None }
    }

    /// The actions of a kind in a position, sorted.
    fn actions(game: &Game<Shatara>, position: &str, kind: &str) -> Vec<String> {
        let position = game.parse_position(position).unwrap();
        let mut legal = Vec::new();
        game.legal_actions(&position, &mut legal);
        assert_eq!(legal.len() as u64, game.count_legal_actions(&position));
        legal.retain(|&action| Shatara::ACTION_KINDS[game.rules().action_kind(&position, action)] == kind);
        let mut strings: Vec<String> = legal.iter().map(ToString::to_string).collect();
        strings.sort();
        strings
    }

    /// Knight c3 may become a bishop, the pawns of rank 2 are at home, and a pawn is missing that could come from the
    /// zone: ply 4.
    const WHITE: &str = "rnbqkbnr/2pppppp/8/pp6/8/2N5/1PPPPPPP/R1BQKBNR[PPNBRQppnbrq] w KQkq - c3a5 0 3";
    /// A pawn one step from the last rank.
    const PAWN: &str = "4k3/P7/8/8/8/8/8/4K3[] w - - - 0 40";

    #[test]
    fn what_is_banned_is_gone_and_all_else_is_there() {
        let game = base();
        assert_eq!(actions(&game, WHITE, "ladder"), ["c3c3b"]);
        let banned = game.clone().restricted(Some(&restriction(&["ladder"]))).unwrap();
        assert!(actions(&banned, WHITE, "ladder").is_empty());
        for kind in ["quiet", "capture", "reinforcement"] {
            assert_eq!(actions(&banned, WHITE, kind), actions(&game, WHITE, kind), "{kind}");
        }
        let black = Restriction { side: Side::Black, ..restriction(&["ladder"]) };
        let banned = game.restricted(Some(&black)).unwrap();
        assert_eq!(actions(&banned, WHITE, "ladder"), ["c3c3b"]);
    }

    #[test]
    fn a_ply_and_a_rank_bound_it() {
        let ban = |before_ply, becomes: Option<&str>| {
            let restriction = restriction(&["ladder", "promotion"]);
            let restriction = Restriction { before_ply, becomes: becomes.map(str::to_owned), ..restriction };
            base().restricted(Some(&restriction)).unwrap()
        };
        assert!(actions(&ban(Some(5), None), WHITE, "ladder").is_empty());
        assert_eq!(actions(&ban(Some(4), None), WHITE, "ladder"), ["c3c3b"]);
        assert_eq!(actions(&ban(None, Some("RQ")), WHITE, "ladder"), ["c3c3b"]);
        assert!(actions(&ban(None, Some("B")), WHITE, "ladder").is_empty());
        assert_eq!(actions(&ban(None, Some("RQ")), PAWN, "promotion"), ["a7a8b", "a7a8n"]);
    }

    #[test]
    fn it_does_not_bind_where_it_leaves_nothing() {
        let all = base().restricted(Some(&restriction(Shatara::ACTION_KINDS))).unwrap();
        let position = all.start();
        assert_eq!(all.count_legal_actions(&position), 20);
    }

    #[test]
    fn its_games_are_its_own() {
        let (game, one) = (base(), restriction(&["ladder"]));
        let plain = game.clone().restricted(None).unwrap();
        assert_eq!(plain.ruleset(), game.ruleset());
        let other = Restriction { before_ply: Some(9), ..one.clone() };
        let hashes = [&one, &other].map(|r| game.clone().restricted(Some(r)).unwrap().ruleset().clone());
        assert!(hashes[0].hash != game.ruleset().hash && hashes[0].hash != hashes[1].hash);
        let text = hashes[1].options.to_string();
        assert_eq!(Ruleset::new("shatara", &text.parse::<toml::Table>().unwrap()).hash, hashes[1].hash);
    }

    #[test]
    fn a_wrong_restriction_is_named() {
        let error = |restriction: &Restriction| base().restricted(Some(restriction)).unwrap_err().to_string();
        assert!(error(&restriction(&["laddr"])).contains("`kinds`: expected some of quiet, "));
        assert!(error(&restriction(&[])).ends_with("found none"));
        let letters = Restriction { becomes: Some("R1".to_owned()), ..restriction(&["ladder"]) };
        assert!(error(&letters).contains("`becomes`: expected letters of pieces, found `R1`"));
    }
}

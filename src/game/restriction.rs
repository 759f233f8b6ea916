//! What one side may not do, or must do, to see what it is worth.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Facts, Rules, RulesError, Ruleset, Side};

/// Name of a restriction among the options of a ruleset.
pub const RESTRICTION: &str = "restriction";

/// What one side may not do: actions of some kinds, from some ply on and before another, by which a piece becomes one of
/// some ranks. A condition that is not given always holds. Where it would leave no legal action, it does not bind.
///
/// With `must_by_ply` it is what the side must do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restriction {
    pub side: Side,
    /// Names of kinds of action ([`Facts::ACTION_KINDS`]), at least one.
    pub kinds: Vec<String>,
    /// Only from this ply of the game on ([`Game::ply`](super::Game::ply)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_ply: Option<u32>,
    /// Only before this ply of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_ply: Option<u32>,
    /// Only actions whose string ends with one of these letters, large or small: what the piece becomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
    /// From this ply of the game on, a side that has not used its reserve yet must take one of these actions, where one
    /// is legal. It has used its reserve once its zone, or the number of its pieces that wait on the board, is not what
    /// it was at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_by_ply: Option<u32>,
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
    /// The plies at which it binds.
    plies: Range<u32>,
    becomes: Option<String>,
    /// [`Facts::action_kind`]: as a value, so that who only plays need not ask for the facet.
    kind_of: fn(&R, &R::Position, R::Action) -> usize,
    /// Whether the named actions are an obligation: none for a ban.
    duty: Option<Duty<R>>,
}

/// What an obligation must know: whether the side's reserve is as it was at the start.
#[derive(Clone, Debug)]
struct Duty<R: Rules> {
    at_start: Reserve,
    reserve_of: fn(&R, &R::Position, Side) -> Reserve,
}

/// The zone of a side by kind, and its pieces that wait.
type Reserve = (Vec<u8>, u32);

impl<R: Rules> Ban<R> {
    /// Checks a restriction of the game called `id`.
    ///
    /// # Errors
    /// When the game has no such kind of action, `becomes` is not made of letters, no ply is left, or a side that must
    /// use its reserve has none.
    pub(super) fn new(restriction: &Restriction, rules: &R, id: &str) -> Result<Self, RulesError>
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
        let (from, before) = (restriction.from_ply, restriction.before_ply);
        let (plies, duty) = match restriction.must_by_ply {
            Some(_) if from.is_some() || before.is_some() => {
                return Err(error("`must_by_ply`: expected no `from_ply` and no `before_ply`, found both".to_owned()));
            }
            Some(ply) => {
                let reserve_of: fn(&R, &R::Position, Side) -> Reserve =
                    |rules, position, side| (rules.zone(position, side), rules.reserve(position, side));
                let at_start = reserve_of(rules, &rules.start(), restriction.side);
                if at_start.0.iter().all(|&count| count == 0) && at_start.1 == 0 {
                    return Err(error("`must_by_ply`: expected rules with a reserve, found none".to_owned()));
                }
                (ply..u32::MAX, Some(Duty { at_start, reserve_of }))
            }
            None => (from.unwrap_or(0)..before.unwrap_or(u32::MAX), None),
        };
        if plies.is_empty() {
            return Err(error(format!("`before_ply`: expected more than `from_ply`, found {}", plies.end)));
        }
        let becomes = restriction.becomes.clone();
        Ok(Ban { side: restriction.side, kinds, plies, becomes, kind_of: R::action_kind, duty })
    }

    /// Takes out of the legal actions of a position what the side may not do, unless that leaves none.
    pub(super) fn take_away(&self, rules: &R, position: &R::Position, legal: &mut Vec<R::Action>) {
        let banned = |&action: &R::Action| self.is_named(rules, position, action) != self.duty.is_some();
        if self.binds(rules, position) && !legal.iter().all(banned) {
            legal.retain(|action| !banned(action));
        }
    }

    /// Whether it may take something away in a position.
    pub(super) fn binds(&self, rules: &R, position: &R::Position) -> bool {
        let side = rules.side_to_move(position);
        let unused = |duty: &Duty<R>| (duty.reserve_of)(rules, position, side) == duty.at_start;
        self.side == side
            && (self.plies == (0..u32::MAX) || self.plies.contains(&rules.counters(position).ply(side)))
            && self.duty.as_ref().is_none_or(unused)
    }

    fn is_named(&self, rules: &R, position: &R::Position, action: R::Action) -> bool {
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
        Restriction { side: Side::White, kinds, from_ply: None, before_ply: None, becomes: None, must_by_ply: None }
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
    fn it_binds_from_a_ply_on() {
        let ban = |from_ply, before_ply| {
            let restriction = Restriction { from_ply: Some(from_ply), before_ply, ..restriction(&["ladder"]) };
            base().restricted(Some(&restriction)).unwrap()
        };
        assert!(actions(&ban(4, None), WHITE, "ladder").is_empty());
        assert_eq!(actions(&ban(5, None), WHITE, "ladder"), ["c3c3b"]);
        assert!(actions(&ban(4, Some(5)), WHITE, "ladder").is_empty());
    }

    /// The zone of `WHITE` lacks pieces that stood in it at the start; that of `UNUSED` is whole.
    #[test]
    fn what_must_be_done_is_all_that_is_left_until_it_is_done() {
        const UNUSED: &str = "rnbqkbnr/2pppppp/8/pp6/8/2N5/1PPPPPPP/R1BQKBNR[PPPPPPPPNNBBRRQppnbrq] w KQkq - c3a5 0 3";
        let must = |must_by_ply| {
            let restriction = Restriction { must_by_ply: Some(must_by_ply), ..restriction(&["ladder"]) };
            base().restricted(Some(&restriction)).unwrap()
        };
        let all = |game: &Game<Shatara>, text| game.count_legal_actions(&game.parse_position(text).unwrap());
        assert_eq!((all(&must(4), UNUSED), actions(&must(4), UNUSED, "ladder").len()), (1, 1));
        assert_eq!(all(&must(5), UNUSED), all(&base(), UNUSED));
        assert_eq!(all(&must(4), WHITE), all(&base(), WHITE));
        // No piece may climb at the start.
        assert_eq!(must(0).count_legal_actions(&must(0).start()), 20);
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
        let plies = Restriction { from_ply: Some(9), before_ply: Some(9), ..restriction(&["ladder"]) };
        assert!(error(&plies).contains("`before_ply`: expected more than `from_ply`, found 9"));
        let both = Restriction { must_by_ply: Some(9), before_ply: Some(9), ..restriction(&["ladder"]) };
        assert!(error(&both).contains("`must_by_ply`: expected no `from_ply`"));
        let chess = Shatara::game(&"reserve = \"\"".parse().unwrap()).unwrap();
        let must = Restriction { must_by_ply: Some(9), ..restriction(&["capture"]) };
        let error = chess.restricted(Some(&must)).unwrap_err().to_string();
        assert!(error.contains("`must_by_ply`: expected rules with a reserve"), "{error}");
    }
}

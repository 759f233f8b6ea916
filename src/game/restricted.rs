//! A game in which one side may not do everything that the rules allow, to see what it is worth.

use serde::{Deserialize, Serialize};

use super::{
    Adjudication, Encode, Game, Layout, Mark, Outcome, PositionError, RowMut, RulesError, Ruleset, Side, SquareInfo,
};

/// Name of the restriction among the options of a [`Restricted`] game's ruleset.
pub const RESTRICTION: &str = "restriction";

/// What one side may not do: actions of some kinds, before some ply, by which a man becomes one of some ranks. A condition that is not given always holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restriction {
    pub side: Side,
    /// Names of kinds of action ([`Game::ACTION_KINDS`]), at least one.
    pub kinds: Vec<String>,
    /// Only before this ply of the game ([`Game::ply`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_ply: Option<u32>,
    /// Only actions whose string ends with one of these letters, large or small: what the man becomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
}

/// A game that plays like the one in it, but for a [`Restriction`]; both sides know of it. Where it would leave no legal action, it does not bind.
///
/// Its ruleset has the restriction among its options, under the name [`RESTRICTION`], so that its games are never mixed with others. Without a
/// restriction it is the game itself.
#[derive(Clone, Debug)]
pub struct Restricted<G> {
    game: G,
    ban: Option<Ban>,
    ruleset: Ruleset,
}

/// A restriction that was checked.
#[derive(Clone, Debug)]
struct Ban {
    side: Side,
    /// Indices of [`Game::ACTION_KINDS`].
    kinds: Vec<usize>,
    /// Plies from this one on are free.
    before_ply: u32,
    becomes: Option<String>,
}

impl<G: Game> Restricted<G> {
    /// `game` under a restriction.
    ///
    /// # Errors
    /// When the game has no such kind of action, or `becomes` is not made of letters.
    pub fn new(game: G, restriction: Option<&Restriction>) -> Result<Self, RulesError> {
        let Some(restriction) = restriction else {
            return Ok(Restricted { ruleset: game.ruleset().clone(), ban: None, game });
        };
        let error = |reason: String| RulesError::Option { game: game.ruleset().game.clone(), reason };
        let expected = || format!("expected some of {}", G::ACTION_KINDS.join(", "));
        let kinds = restriction.kinds.iter().map(|name| {
            let kind = G::ACTION_KINDS.iter().position(|kind| kind == name);
            kind.ok_or_else(|| error(format!("`kinds`: {}, found `{name}`", expected())))
        });
        let kinds: Vec<usize> = kinds.collect::<Result<_, _>>()?;
        if kinds.is_empty() {
            return Err(error(format!("`kinds`: {}, found none", expected())));
        }
        if let Some(letters) = &restriction.becomes
            && (letters.is_empty() || !letters.chars().all(|c| c.is_ascii_alphabetic()))
        {
            return Err(error(format!("`becomes`: expected letters of men, found `{letters}`")));
        }
        let mut options = game.ruleset().options.clone();
        let table = toml::Table::try_from(restriction).expect("a restriction serialises as a TOML table");
        options.insert(RESTRICTION.to_owned(), table.into());
        let ruleset = Ruleset::new(&game.ruleset().game, &options);
        let before_ply = restriction.before_ply.unwrap_or(u32::MAX);
        let ban = Ban { side: restriction.side, kinds, before_ply, becomes: restriction.becomes.clone() };
        Ok(Restricted { game, ban: Some(ban), ruleset })
    }

    /// The game without the restriction.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The restriction, where it may bind in a position.
    fn ban(&self, position: &G::Position) -> Option<&Ban> {
        let holds = |ban: &&Ban| {
            ban.side == self.game.side_to_move(position)
                && (ban.before_ply == u32::MAX || self.game.ply(position) < ban.before_ply)
        };
        self.ban.as_ref().filter(holds)
    }

    fn is_banned(&self, ban: &Ban, position: &G::Position, action: G::Action) -> bool {
        let becomes = |letters: &String| {
            let text = self.game.action_string(position, action);
            text.chars().last().is_some_and(|last| letters.chars().any(|letter| letter.eq_ignore_ascii_case(&last)))
        };
        ban.kinds.contains(&self.game.action_kind(position, action)) && ban.becomes.as_ref().is_none_or(becomes)
    }
}

impl<G: Game> Game for Restricted<G> {
    type Position = G::Position;
    type Action = G::Action;

    const ACTION_KINDS: &'static [&'static str] = G::ACTION_KINDS;
    const RESERVE_KINDS: &'static [&'static str] = G::RESERVE_KINDS;
    const ZONE_KINDS: &'static str = G::ZONE_KINDS;
    const RULES_TEXT: &'static str = G::RULES_TEXT;

    fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }
    fn adjudication(&self) -> Adjudication {
        self.game.adjudication()
    }
    fn start(&self) -> G::Position {
        self.game.start()
    }
    fn parse_position(&self, text: &str) -> Result<G::Position, PositionError> {
        self.game.parse_position(text)
    }
    fn position_string(&self, position: &G::Position) -> String {
        self.game.position_string(position)
    }
    fn action_string(&self, position: &G::Position, action: G::Action) -> String {
        self.game.action_string(position, action)
    }
    fn xboard(&self) -> String {
        self.game.xboard()
    }
    fn grid_string(&self, position: &G::Position, action: G::Action) -> String {
        self.game.grid_string(position, action)
    }
    fn side_to_move(&self, position: &G::Position) -> Side {
        self.game.side_to_move(position)
    }
    fn legal_actions(&self, position: &G::Position, out: &mut Vec<G::Action>) {
        self.game.legal_actions(position, out);
        if let Some(ban) = self.ban(position)
            && out.iter().any(|&action| !self.is_banned(ban, position, action))
        {
            out.retain(|&action| !self.is_banned(ban, position, action));
        }
    }
    fn count_legal_actions(&self, position: &G::Position) -> u64 {
        if self.ban(position).is_none() {
            return self.game.count_legal_actions(position);
        }
        let mut actions = Vec::new();
        self.legal_actions(position, &mut actions);
        actions.len() as u64
    }
    fn apply(&self, position: &mut G::Position, action: G::Action) {
        self.game.apply(position, action);
    }
    fn outcome(&self, position: &G::Position, legal: &[G::Action]) -> Option<Outcome> {
        self.game.outcome(position, legal)
    }
    fn repetition_key(&self, position: &G::Position) -> u64 {
        self.game.repetition_key(position)
    }
    fn key(&self, position: &G::Position) -> u64 {
        self.game.key(position)
    }
    fn reversible_plies(&self, position: &G::Position) -> u32 {
        self.game.reversible_plies(position)
    }
    fn counts_for_repetition(&self, position: &G::Position) -> bool {
        self.game.counts_for_repetition(position)
    }
    fn ply(&self, position: &G::Position) -> u32 {
        self.game.ply(position)
    }
    fn action_kind(&self, position: &G::Position, action: G::Action) -> usize {
        self.game.action_kind(position, action)
    }
    fn zone(&self, position: &G::Position, side: Side) -> Vec<u8> {
        self.game.zone(position, side)
    }
    fn reserve(&self, position: &G::Position, side: Side) -> u32 {
        self.game.reserve(position, side)
    }
    fn material(&self, position: &G::Position) -> i32 {
        self.game.material(position)
    }
    fn draw(&self, position: &G::Position) -> String {
        self.game.draw(position)
    }
    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        self.game.square(row, column)
    }
    fn marks(&self, position: &G::Position) -> Vec<(String, Mark)> {
        self.game.marks(position)
    }
}

/// The network is not told of the restriction: it sees the position alone, and its priors count over the actions that are left.
impl<G: Encode> Encode for Restricted<G> {
    fn layout(&self) -> &'static Layout {
        self.game.layout()
    }
    fn encode(&self, position: &G::Position, repetitions: u32, row: RowMut<'_>) {
        self.game.encode(position, repetitions, row);
    }
    fn action_index(&self, position: &G::Position, action: G::Action) -> usize {
        self.game.action_index(position, action)
    }
    fn mirror_applies(&self, position: &G::Position) -> bool {
        self.game.mirror_applies(position)
    }
    fn mirror_action(&self, index: usize) -> usize {
        self.game.mirror_action(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::shatara::Shatara;

    fn base() -> Shatara {
        Shatara::from_options(&toml::Table::new()).unwrap()
    }

    fn restriction(kinds: &[&str]) -> Restriction {
        let kinds = kinds.iter().map(|&kind| kind.to_owned()).collect();
        Restriction { side: Side::White, kinds, before_ply: None, becomes: None }
    }

    /// The actions of a kind in a position, sorted.
    fn actions(game: &impl Game, position: &str, kind: &str) -> Vec<String> {
        fn words<G: Game>(game: &G, position: &str, kind: &str) -> Vec<String> {
            let position = game.parse_position(position).unwrap();
            let mut legal = Vec::new();
            game.legal_actions(&position, &mut legal);
            assert_eq!(legal.len() as u64, game.count_legal_actions(&position));
            legal.retain(|&action| G::ACTION_KINDS[game.action_kind(&position, action)] == kind);
            let mut words: Vec<String> =
                legal.into_iter().map(|action| game.action_string(&position, action)).collect();
            words.sort();
            words
        }
        words(game, position, kind)
    }

    /// Knight c3 may become a bishop, the pawns of rank 2 are at home, and a pawn is missing that could come from the zone: ply 4.
    const WHITE: &str = "rnbqkbnr/2pppppp/8/pp6/8/2N5/1PPPPPPP/R1BQKBNR[PPNBRQppnbrq] w KQkq - c3a5 0 3";
    /// A pawn one step from the last rank.
    const PAWN: &str = "4k3/P7/8/8/8/8/8/4K3[] w - - - 0 40";

    #[test]
    fn what_is_banned_is_gone_and_all_else_is_there() {
        let game = base();
        assert_eq!(actions(&game, WHITE, "ladder"), ["c3c3b"]);
        let banned = Restricted::new(game.clone(), Some(&restriction(&["ladder"]))).unwrap();
        assert!(actions(&banned, WHITE, "ladder").is_empty());
        for kind in ["quiet", "capture", "reinforcement"] {
            assert_eq!(actions(&banned, WHITE, kind), actions(&game, WHITE, kind), "{kind}");
        }
        let black = Restriction { side: Side::Black, ..restriction(&["ladder"]) };
        let banned = Restricted::new(game, Some(&black)).unwrap();
        assert_eq!(actions(&banned, WHITE, "ladder"), ["c3c3b"]);
    }

    #[test]
    fn a_ply_and_a_rank_bound_it() {
        let ban = |before_ply, becomes: Option<&str>| {
            let restriction = restriction(&["ladder", "promotion"]);
            let restriction = Restriction { before_ply, becomes: becomes.map(str::to_owned), ..restriction };
            Restricted::new(base(), Some(&restriction)).unwrap()
        };
        assert!(actions(&ban(Some(5), None), WHITE, "ladder").is_empty());
        assert_eq!(actions(&ban(Some(4), None), WHITE, "ladder"), ["c3c3b"]);
        assert_eq!(actions(&ban(None, Some("RQ")), WHITE, "ladder"), ["c3c3b"]);
        assert!(actions(&ban(None, Some("B")), WHITE, "ladder").is_empty());
        assert_eq!(actions(&ban(None, Some("RQ")), PAWN, "promotion"), ["a7a8b", "a7a8n"]);
    }

    #[test]
    fn it_does_not_bind_where_it_leaves_nothing() {
        let all = Restricted::new(base(), Some(&restriction(Shatara::ACTION_KINDS))).unwrap();
        let position = all.start();
        assert_eq!(all.count_legal_actions(&position), 20);
    }

    #[test]
    fn its_games_are_its_own() {
        let (game, one) = (base(), restriction(&["ladder"]));
        let plain = Restricted::new(game.clone(), None).unwrap();
        assert_eq!(plain.ruleset(), game.ruleset());
        let other = Restriction { before_ply: Some(9), ..one.clone() };
        let hashes = [&one, &other].map(|r| Restricted::new(game.clone(), Some(r)).unwrap().ruleset().clone());
        assert!(hashes[0].hash != game.ruleset().hash && hashes[0].hash != hashes[1].hash);
        let text = hashes[1].options.to_string();
        assert_eq!(Ruleset::new("shatara", &text.parse::<toml::Table>().unwrap()).hash, hashes[1].hash);
    }

    #[test]
    fn a_wrong_restriction_is_named() {
        let error = |restriction: &Restriction| Restricted::new(base(), Some(restriction)).unwrap_err().to_string();
        assert!(error(&restriction(&["laddr"])).contains("`kinds`: expected some of quiet, "));
        assert!(error(&restriction(&[])).ends_with("found none"));
        let letters = Restriction { becomes: Some("R1".to_owned()), ..restriction(&["ladder"]) };
        assert!(error(&letters).contains("`becomes`: expected letters of men, found `R1`"));
    }
}

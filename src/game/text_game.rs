//! The rules of a game in strings alone: for code that works on texts and need not be compiled once for every game,
//! such as statistics.

use thiserror::Error;

use super::{
    ActionError, Game, Mark, PositionError, RulesError, Ruleset, Side, SquareInfo, Words,
    placement::{Placement, side_of},
    random::Rng,
    random_game::random_game,
    registry::{self, GameVisitor, Playable},
};

/// A position or an action that the rules do not know.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextGameError {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Action(#[from] ActionError),
}

/// A legal action in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalAction {
    /// The action's string.
    pub action: String,
    /// One of the game's kinds of action.
    pub kind: &'static str,
}

/// A piece on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Name of its square.
    pub square: String,
    /// Its letter, upper case for both sides.
    pub kind: char,
    pub side: Side,
}

/// What there is to see of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Whose turn it is.
    pub side: Side,
    /// Row by row from White's side.
    pub pieces: Vec<Piece>,
    /// White's zone and Black's by kind, as many numbers as there are [zone kinds](TextGame::zone_kinds).
    pub zones: [Vec<u8>; 2],
    /// By the name of the square ([`marks`](super::Show::marks)).
    pub marks: Vec<(String, Mark)>,
    /// The legal actions, in the game's order.
    pub legal: Vec<LegalAction>,
}

/// One ply of a game of random actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomPly {
    /// Who acts.
    pub side: Side,
    /// The kinds of the legal actions, as indices of the game's kinds.
    pub kinds: Vec<u8>,
    /// Which of them comes.
    pub drawn: usize,
}

/// A game asked in strings.
pub trait TextGame: Send + Sync {
    /// Game id, options and hash.
    fn ruleset(&self) -> &Ruleset;
    /// Version of the planes and action indices.
    fn encoding(&self) -> u32;
    /// Rows and columns of the grid on which positions are written.
    fn grid(&self) -> (usize, usize);
    /// The square at (row, column) of the grid; `None` for a hole ([`square`](super::Show::square)).
    fn square(&self, row: usize, column: usize) -> Option<SquareInfo>;
    /// Letters of the kinds of pieces that a zone holds ([`ZONE_KINDS`](super::Facts::ZONE_KINDS)).
    fn zone_kinds(&self) -> &'static str;
    /// The rules in words ([`RULES_TEXT`](super::Show::RULES_TEXT)).
    fn text(&self) -> &'static str;
    /// The names of the game, its pieces and its kinds of action ([`WORDS`](super::Show::WORDS)).
    fn words(&self) -> &Words;
    /// Names of the kinds of action ([`ACTION_KINDS`](super::Facts::ACTION_KINDS)).
    fn action_kinds(&self) -> &'static [&'static str];
    /// Those that use the reserve or give a piece another rank ([`RESERVE_KINDS`](super::Facts::RESERVE_KINDS)).
    fn reserve_kinds(&self) -> &'static [&'static str];
    /// The position in which every game starts.
    fn start(&self) -> String;
    /// The one string of a position that may be written in another way.
    ///
    /// # Errors
    /// When the text is no position.
    fn normal(&self, position: &str) -> Result<String, PositionError>;
    /// The legal actions of a position, in the game's order.
    ///
    /// # Errors
    /// When the text is no position.
    fn legal(&self, position: &str) -> Result<Vec<LegalAction>, PositionError>;
    /// What there is to see of a position.
    ///
    /// # Errors
    /// When the text is no position.
    fn scene(&self, position: &str) -> Result<Scene, PositionError>;
    /// Pieces that wait to be brought on, White's and Black's ([`reserve`](super::Facts::reserve)).
    ///
    /// # Errors
    /// When the text is no position.
    fn reserve(&self, position: &str) -> Result<[u32; 2], PositionError>;
    /// The position after a legal action.
    ///
    /// # Errors
    /// When either text is none.
    fn after(&self, position: &str, action: &str) -> Result<String, TextGameError>;
    /// A [game of random actions](random_game), at most `most` of them.
    fn random_plies(&self, rng: &mut Rng, most: usize) -> Vec<RandomPly>;
}

/// The rules of the game called `id`, with `options` laid over its preset; among them may be a
/// [restriction](super::Restriction), as in the ruleset of a [restricted](Game::restricted) game.
///
/// # Errors
/// Names an unknown game or option.
pub fn text_game(id: &str, options: &toml::Table) -> Result<Box<dyn TextGame>, RulesError> {
    struct Boxed;
    impl GameVisitor for Boxed {
        type Output = Box<dyn TextGame>;

        fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
            Box::new(AsText::new(game))
        }
    }
    registry::with_ruleset(id, options, Boxed)
}

/// A game behind its strings.
#[derive(Clone, Debug)]
pub struct AsText<R: Playable> {
    game: Game<R>,
    words: Words,
}

impl<R: Playable> AsText<R> {
    pub fn new(game: Game<R>) -> Self {
        let words = Words::of(&game.ruleset().game, R::WORDS);
        AsText { game, words }
    }

    fn legal_in(&self, position: &R::Position) -> Vec<LegalAction> {
        let mut legal = Vec::new();
        self.game.legal_actions(position, &mut legal);
        let info = |action: R::Action| LegalAction {
            action: action.to_string(),
            kind: R::ACTION_KINDS[self.game.rules().action_kind(position, action)],
        };
        legal.into_iter().map(info).collect()
    }

    fn pieces(&self, position: &R::Position) -> Vec<Piece> {
        let (rows, columns) = self.grid();
        let placement = Placement::read(&position.to_string(), (rows, columns));
        let placement = placement.expect("a position's string shows its pieces");
        let pieces = placement.pieces().iter().enumerate().filter(|(_, letter)| **letter > 0);
        pieces
            .map(|(place, &letter)| Piece {
                square: self
                    .game
                    .rules()
                    .square(place / columns, place % columns)
                    .expect("pieces stand on squares")
                    .name,
                kind: letter.to_ascii_uppercase().into(),
                side: side_of(letter),
            })
            .collect()
    }
}

impl<R: Playable> TextGame for AsText<R> {
    fn ruleset(&self) -> &Ruleset {
        self.game.ruleset()
    }

    fn encoding(&self) -> u32 {
        self.game.layout().version
    }

    fn grid(&self) -> (usize, usize) {
        (self.game.layout().height, self.game.layout().width)
    }

    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        self.game.rules().square(row, column)
    }

    fn zone_kinds(&self) -> &'static str {
        R::ZONE_KINDS
    }

    fn text(&self) -> &'static str {
        R::RULES_TEXT
    }

    fn words(&self) -> &Words {
        &self.words
    }

    fn action_kinds(&self) -> &'static [&'static str] {
        R::ACTION_KINDS
    }

    fn reserve_kinds(&self) -> &'static [&'static str] {
        R::RESERVE_KINDS
    }

    fn start(&self) -> String {
        self.game.start().to_string()
    }

    fn normal(&self, position: &str) -> Result<String, PositionError> {
        Ok(self.game.parse_position(position)?.to_string())
    }

    fn legal(&self, position: &str) -> Result<Vec<LegalAction>, PositionError> {
        Ok(self.legal_in(&self.game.parse_position(position)?))
    }

    fn scene(&self, position: &str) -> Result<Scene, PositionError> {
        let position = self.game.parse_position(position)?;
        Ok(Scene {
            side: self.game.side_to_move(&position),
            pieces: self.pieces(&position),
            zones: [Side::White, Side::Black].map(|side| self.game.rules().zone(&position, side)),
            marks: self.game.rules().marks(&position),
            legal: self.legal_in(&position),
        })
    }

    fn reserve(&self, position: &str) -> Result<[u32; 2], PositionError> {
        let position = self.game.parse_position(position)?;
        Ok([Side::White, Side::Black].map(|side| self.game.rules().reserve(&position, side)))
    }

    fn after(&self, position: &str, action: &str) -> Result<String, TextGameError> {
        let mut position = self.game.parse_position(position)?;
        let action = self.game.parse_action(&position, action)?;
        self.game.apply(&mut position, action);
        Ok(position.to_string())
    }

    fn random_plies(&self, rng: &mut Rng, most: usize) -> Vec<RandomPly> {
        let mut plies = Vec::new();
        random_game(&self.game, rng, most, |position, _, legal, drawn| {
            let kinds = legal.iter().map(|&action| self.game.rules().action_kind(position, action) as u8).collect();
            plies.push(RandomPly { side: self.game.side_to_move(position), kinds, drawn });
        });
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_in_words() {
        let rules = text_game("shatara", &toml::Table::new()).unwrap();
        let start = rules.start();
        assert_eq!(rules.normal(&start).unwrap(), start);
        let legal = rules.legal(&start).unwrap();
        assert_eq!((legal.len(), legal[0].kind), (20, "quiet"));
        let after = rules.after(&start, "b1c3").unwrap();
        assert!(after.ends_with(" b KQkq - c3 1 1"), "{after}");
        assert!(matches!(rules.after(&start, "b1d2"), Err(TextGameError::Action(_))));
        assert!(matches!(rules.after("x", "b1d2"), Err(TextGameError::Position(_))));
        assert!(text_game("go", &toml::Table::new()).is_err());
    }

    #[test]
    fn a_random_game_is_told_ply_by_ply() {
        let rules = text_game("shatara", &toml::Table::new()).unwrap();
        let play = |game, most| rules.random_plies(&mut crate::game::random::stream("test", 1, 0, game), most);
        let plies = play(0, 30);
        assert_eq!((plies.len(), &plies), (30, &play(0, 30)));
        assert_ne!(plies, play(1, 30));
        assert_eq!((plies[0].side, plies[1].side, plies[0].kinds.as_slice()), (Side::White, Side::Black, &[0; 20][..]));
        let kinds = rules.action_kinds().len();
        assert!(
            plies.iter().all(|ply| ply.drawn < ply.kinds.len() && ply.kinds.iter().all(|&k| usize::from(k) < kinds))
        );
    }

    #[test]
    fn a_restriction_is_among_the_options() {
        let table = "side = 'black'\nkinds = ['quiet']\nbefore_ply = 4".parse::<toml::Table>().unwrap();
        let options = toml::Table::from_iter([("restriction".to_owned(), table.into())]);
        let rules = text_game("shatara", &options).unwrap();
        let again = text_game("shatara", &rules.ruleset().options).unwrap();
        assert_eq!(again.ruleset(), rules.ruleset());
        assert_ne!(rules.ruleset().hash, text_game("shatara", &toml::Table::new()).unwrap().ruleset().hash);
        for wrong in ["restriction = 1", "restriction = { side = 'red', kinds = ['quiet'] }"] {
            let error = text_game("shatara", &wrong.parse().unwrap()).err().unwrap().to_string();
            assert!(error.contains("`restriction`") && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn reserve_kinds_are_kinds() {
        for id in registry::IDS {
            let rules = text_game(id, &toml::Table::new()).unwrap();
            assert!(rules.reserve_kinds().iter().all(|kind| rules.action_kinds().contains(kind)), "{id}");
        }
    }
}

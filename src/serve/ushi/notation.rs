//! Moves as Shatrabase writes them: numbers of squares, `-` between them for a quiet move or a placing and `:` for a
//! capture, a letter where a pawn becomes another piece, `x` where a king is taken; the next jump of a series begins
//! with `:`, and `pass` stops it. It reads `a1` and the like too.

use super::spn::{Place, Spn};
use crate::game::text_game::TextGame;

/// An action of the rules, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParsedAction {
    /// `0000`
    Stop,
    /// `d5d6`, `d13d14q`, `d2@d6`
    Move { from: Place, to: Place, becomes: Option<char>, is_placing: bool },
}

impl ParsedAction {
    /// Reads an action's string.
    pub fn read(action: &str) -> Option<Self> {
        if action == "0000" {
            return Some(ParsedAction::Stop);
        }
        let (from, rest) = lettered(action)?;
        let is_placing = rest.starts_with('@');
        let (to, rest) = lettered(rest.strip_prefix('@').unwrap_or(rest))?;
        Some(ParsedAction::Move {
            from,
            to,
            becomes: rest.chars().next().map(|letter| letter.to_ascii_uppercase()),
            is_placing,
        })
    }

    /// The piece that it captures, if it does: the one between its squares, or the one that passed there.
    pub fn victim(self, board: &Spn) -> Option<Place> {
        let ParsedAction::Move { from, to, is_placing: false, .. } = self else { return None };
        let ((column, row), (to_column, to_row)) = (from.spot(), to.spot());
        let (columns, rows) = (to_column - column, to_row - row);
        let steps = columns.abs().max(rows.abs());
        let between = || (1..steps).filter_map(|i| Place::at(column + columns.signum() * i, row + rows.signum() * i));
        let standing = between().find(|&place| board.piece(place).is_some());
        let passing = || {
            let is_pawn = board.piece(from).is_some_and(|piece| piece.kind == 'P');
            between().find(|&place| is_pawn && board.passed == Some(place))
        };
        standing.or_else(passing)
    }
}

/// Writes an action of the position on `board`, all of it.
fn write(board: &Spn, parsed: ParsedAction) -> String {
    let ParsedAction::Move { from, to, becomes, .. } = parsed else { return "pass".to_owned() };
    let victim = parsed.victim(board);
    let sign = if victim.is_some() { ':' } else { '-' };
    let becomes = becomes.map(String::from).unwrap_or_default();
    let takes_king = victim.and_then(|place| board.piece(place)).is_some_and(|piece| piece.kind == 'K');
    format!("{}{sign}{}{becomes}{}", from.number(), to.number(), if takes_king { "x" } else { "" })
}

/// Actions in a row from a position string, as words: the jumps of a series after the first begin with `:`, in words of
/// their own.
pub(super) fn line(rules: &dyn TextGame, position: &str, actions: &[String]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut position = position.to_owned();
    for action in actions {
        let (Some(board), Some(parsed)) = (Spn::of_position(&position), ParsedAction::read(action)) else { break };
        let word = write(&board, parsed);
        let goes_on = board.jumper.is_some() && !words.is_empty();
        words.push(match word.find(':') {
            Some(at) if goes_on => word[at..].to_owned(),
            _ => word,
        });
        let Ok(next) = rules.after(&position, action) else { break };
        position = next;
    }
    words
}

/// Reads a move of Shatrabase's, with all its jumps: the actions of the rules, and the position behind them.
///
/// # Errors
/// What is wrong with it, in one line.
pub(super) fn read(rules: &dyn TextGame, position: &str, text: &str) -> Result<(Vec<String>, String), String> {
    let mut position = position.to_owned();
    let mut actions = Vec::new();
    let mut at = Spn::of_position(&position).and_then(|board| board.jumper);
    for Part { from, to, sign, becomes } in parts(text).ok_or_else(|| format!("`{text}` is no move"))? {
        let from = from.or(at);
        let fits = |board: &Spn, action: &str| match ParsedAction::read(action) {
            Some(ParsedAction::Stop) => sign == '0',
            Some(parsed @ ParsedAction::Move { from: start, to: end, becomes: other, .. }) => {
                let captures = parsed.victim(board).is_some();
                Some(start) == from
                    && Some(end) == to
                    && captures == (sign == ':')
                    && (becomes.is_none() || becomes == other)
            }
            None => false,
        };
        let board = Spn::of_position(&position);
        let legal = rules.legal(&position).unwrap_or_default();
        let found = legal.into_iter().find(|legal| board.as_ref().is_some_and(|board| fits(board, &legal.action)));
        let action = found.map(|found| found.action).ok_or_else(|| format!("`{text}` is not legal by these rules"))?;
        position = rules.after(&position, &action).map_err(|error| error.to_string())?;
        actions.push(action);
        at = to;
    }
    Ok((actions, position))
}

/// One jump, step, placing, or with the sign `0` a stop.
struct Part {
    /// `None` where the piece goes on.
    from: Option<Place>,
    to: Option<Place>,
    sign: char,
    becomes: Option<char>,
}

/// Takes a move apart; `None` when it is none.
fn parts(text: &str) -> Option<Vec<Part>> {
    if text == "pass" {
        return Some(vec![Part { from: None, to: None, sign: '0', becomes: None }]);
    }
    let mut rest = text;
    // The letter of the piece says nothing that its square does not.
    if rest.starts_with(|letter| "KQRBS".contains(letter)) {
        rest = &rest[1..];
    }
    let mut from = None;
    if !rest.starts_with(':') {
        let (place, after) = place(rest)?;
        (from, rest) = (Some(place), after);
    }
    let mut parts = Vec::new();
    while let Some(sign @ ('-' | ':')) = rest.chars().next() {
        let (to, after) = place(&rest[1..])?;
        let opened = after.strip_prefix(['=', '(']).unwrap_or(after);
        let becomes = opened.chars().next().filter(|letter| "QRBqrb".contains(*letter));
        rest = after;
        if becomes.is_some() {
            rest = opened[1..].strip_prefix(')').unwrap_or(&opened[1..]);
        }
        parts.push(Part { from, to: Some(to), sign, becomes: becomes.map(|letter| letter.to_ascii_uppercase()) });
        from = None;
    }
    (!parts.is_empty() && matches!(rest, "" | "x" | "X")).then_some(parts)
}

/// A square at the beginning of a text, by number or by name, and the rest.
fn place(text: &str) -> Option<(Place, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return lettered(text);
    }
    let (number, rest) = text.split_at(digits);
    Some((Place::numbered(number.parse().ok()?)?, rest))
}

/// A square by name at the beginning of a text, and the rest.
fn lettered(text: &str) -> Option<(Place, &str)> {
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let (name, rest) = text.split_at_checked(1 + digits)?;
    Some((Place::named(name)?, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::Rng as _;

    use super::*;
    use crate::game::{random, text_game::text_game};

    #[test]
    fn moves_are_read_in_every_way() {
        let rules = text_game("shatra", &toml::Table::new()).unwrap();
        let start = rules.start();
        for text in ["49-42", "d5-d6", "49-d6", "Sd5-d6"] {
            // 49 is d5.
            let (actions, after) = read(rules.as_ref(), &start, text).unwrap();
            assert_eq!((actions, after), (vec!["d5d6".to_owned()], rules.after(&start, "d5d6").unwrap()), "{text}");
        }
        assert_eq!(read(rules.as_ref(), &start, "61-42").unwrap().0, ["d1@d6"]);
        for text in
            ["", "-", "49", "49-", "49:42", "49-42-35", "49-63", "pass", ":42", "49-42Q", "49-42(", "é", "Ké", "4é-5"]
        {
            assert!(read(rules.as_ref(), &start, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_series_is_one_move() {
        // A white pawn takes two.
        let position = "**3**/**3**/**3**/***k***/7/7/2p4/7/2p4/3P3/***K***/**3**/**3**/**3**[QRRBBqrrbb] w - - - 0 1";
        let rules = text_game("shatra", &toml::Table::new()).unwrap();
        let position = rules.normal(position).unwrap();
        let (actions, end) = read(rules.as_ref(), &position, "49:33:21").unwrap();
        assert_eq!(actions, ["d5b7", "b7d9"]);
        assert_eq!(line(rules.as_ref(), &position, &actions), ["49:33", ":21"]);
        let middle = rules.after(&position, "d5b7").unwrap();
        assert_eq!(read(rules.as_ref(), &middle, ":21").unwrap().1, end);
        assert_eq!(read(rules.as_ref(), &middle, "b7:d9").unwrap().1, end);
        assert_eq!(line(rules.as_ref(), &middle, &actions[1..]), ["33:21"], "the first word is whole");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

        /// Every legal action of random games, written and read again, does the same; all jumps of a series in one word
        /// too.
        #[test]
        fn random_games_go_there_and_back(seed in any::<u64>()) {
            let rules = text_game("shatra", &toml::Table::new()).unwrap();
            let mut rng = random::stream("notation", seed, 0, 0);
            let mut position = rules.start();
            let (mut turn, mut begin) = (Vec::new(), position.clone());
            for _ in 0..160 {
                let legal = rules.legal(&position).unwrap();
                for action in &legal {
                    let words = line(rules.as_ref(), &position, std::slice::from_ref(&action.action));
                    let (read, after) = read(rules.as_ref(), &position, &words[0]).unwrap();
                    prop_assert_eq!(read.len(), 1);
                    // A step and a placing on the same square are one move to Shatrabase; the clock alone
                    // distinguishes them.
                    let expected = rules.after(&position, &action.action).unwrap();
                    let board = |text: &str| text.rsplit_once(' ').unwrap().0.rsplit_once(' ').unwrap().0.to_owned();
                    prop_assert_eq!(board(&after), board(&expected), "{} {}", &words[0], &action.action);
                }
                if legal.is_empty() {
                    break;
                }
                let action = legal[rng.random_range(0..legal.len())].action.clone();
                position = rules.after(&position, &action).unwrap();
                turn.push(action);
                if Spn::of_position(&position).unwrap().jumper.is_none() {
                    let words = line(rules.as_ref(), &begin, &turn);
                    if words.last().is_some_and(|word| word != "pass") {
                        prop_assert_eq!(read(rules.as_ref(), &begin, &words.concat()).unwrap().1, position.clone());
                    }
                    turn.clear();
                    begin.clone_from(&position);
                }
            }
        }
    }
}

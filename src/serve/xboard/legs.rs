//! Moves as XBoard writes them: legs with commas between. A piece that captures another than the one it lands on goes
//! there by way of it, one that is promoted where it stands goes by way of an empty square, and one that moves together
//! with another of its side by way of that one. To programs XBoard 4.9.1 sends the last as the moves of two pieces,
//! `f2d2,c2e2` for `f2c2,c2d2`, and without the letter of what comes on behind them.

use std::io::{self, Write};

use super::{super::Bot, board};

/// Most squares of a move, for XBoard has three legs.
pub(super) const LONGEST: usize = 4;

/// The squares that a piece goes by, and what it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) squares: Vec<String>,
    /// A letter, or nothing.
    pub(super) becomes: String,
}

/// What comes on behind pieces that move, where XBoard leaves it out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Behind {
    #[default]
    Nothing,
    /// A piece, wherever one may.
    Piece,
}

impl Path {
    /// Reads a move that takes a piece from square to square.
    pub(super) fn read(text: &str) -> Option<Path> {
        if let Some(path) = Path::of_two_pieces(text) {
            return Some(path);
        }
        let mut legs = text.split(',');
        let (from, to, becomes) = leg(legs.next()?)?;
        let mut path = Path { squares: vec![from.to_owned(), to.to_owned()], becomes: becomes.to_owned() };
        for text in legs {
            let (from, to, becomes) = leg(text)?;
            if path.squares.last().is_none_or(|last| last != from) || path.squares.len() == LONGEST {
                return None;
            }
            path.squares.push(to.to_owned());
            path.becomes = becomes.to_owned();
        }
        Some(path)
    }

    /// Reads the moves of two pieces as one that goes by way of the other. XBoard 4.9.1 writes Black's legs by way of
    /// an empty square so too, `a6a6,a5b6`, and then with squares that do not exist.
    fn of_two_pieces(text: &str) -> Option<Path> {
        let (first, second) = text.split_once(',')?;
        let ((from, to, becomes), (other, rest)) = (leg(first)?, square(second)?);
        let is_one_piece = other == to || rest.contains(',');
        (!is_one_piece)
            .then(|| Path { squares: [from, other, to].map(str::to_owned).to_vec(), becomes: becomes.to_owned() })
    }

    /// Whether the piece ends where it began: then it does not matter by way of what, and what it becomes need not be
    /// said.
    fn stays(&self) -> bool {
        self.squares.len() < LONGEST && self.squares.first() == self.squares.last()
    }

    fn means(&self, known: &Path) -> bool {
        if self.stays() && known.stays() {
            return self.squares[0] == known.squares[0] && (self.becomes.is_empty() || self.becomes == known.becomes);
        }
        self == known
    }

    /// What is left of a move that captures two pieces after `first` has captured one of them.
    fn after(&self, first: &Path) -> Option<Path> {
        let [from, over, rest @ ..] = &self.squares[..] else { return None };
        let [known_from, known_over, to] = &first.squares[..] else { return None };
        let becomes = match first.becomes.as_str() {
            "" => self.becomes.clone(),
            said if said == self.becomes => String::new(),
            _ => return None,
        };
        let goes_on = rest.len() > 1 && (from, over) == (known_from, known_over);
        goes_on.then(|| Path { squares: [std::slice::from_ref(to), rest].concat(), becomes })
    }
}

/// Plays what XBoard means, and gives the number of actions that it took; `None` when it means nothing legal.
pub(super) fn play(text: &str, behind: Behind, bot: &mut dyn Bot) -> Option<usize> {
    let legal = bot.on_grid();
    if let Some((action, _)) = legal.iter().find(|(_, shown)| shown == text) {
        return bot.play(action).ok().map(|()| 1);
    }
    if let Some(pair) = Path::of_two_pieces(text) {
        let behind = if pair.becomes.is_empty() { behind } else { Behind::Piece };
        let is_wanted = |way: &&Way<'_>| way.path.becomes.is_empty() == (behind == Behind::Nothing);
        let ways: Vec<Way<'_>> = ways(&pair, &legal).collect();
        if let Some(way) = ways.iter().find(is_wanted).or(ways.first()) {
            return bot.play(way.action).ok().map(|()| 1);
        }
    }
    follow(&Path::read(text)?, bot)
}

/// What to write for a move where another bot receives it from XBoard, which hands on the moves of two pieces without
/// what comes on behind them: it always does where it may.
pub(super) fn to_bot(shown: &str, bot: &dyn Bot) -> String {
    let legal = bot.on_grid();
    let moves_two = |path: &Path| path.squares.len() == 3 && board::is_own(&path.squares[1], bot);
    let path = Path::read(shown).filter(moves_two);
    let whole = path.and_then(|path| ways(&path, &legal).find(|way| !way.path.becomes.is_empty()));
    whole.map_or(shown, |way| way.shown).to_owned()
}

/// A legal action that goes by known squares.
struct Way<'a> {
    action: &'a str,
    shown: &'a str,
    path: Path,
}

fn ways<'a>(path: &Path, legal: &'a [(String, String)]) -> impl Iterator<Item = Way<'a>> {
    let read = legal.iter().filter_map(|(action, shown)| Some(Way { action, shown, path: Path::read(shown)? }));
    read.filter(|way| way.path.squares == path.squares)
}

/// Plays the action of a path, or the two jumps of one that captures two pieces.
fn follow(path: &Path, bot: &mut dyn Bot) -> Option<usize> {
    let known: Vec<(String, Path)> =
        bot.on_grid().into_iter().filter_map(|(action, shown)| Some((action, Path::read(&shown)?))).collect();
    if let Some((action, _)) = known.iter().find(|(_, known)| path.means(known)) {
        return bot.play(action).ok().map(|()| 1);
    }
    let side = bot.side();
    for (action, first) in &known {
        let Some(rest) = path.after(first) else { continue };
        if bot.play(action).is_err() {
            continue;
        }
        // Each time fewer squares are left.
        if bot.side() == side
            && let Some(more) = follow(&rest, bot)
        {
            return Some(more + 1);
        }
        bot.undo();
    }
    None
}

/// Writes a move, a line for each leg.
///
/// # Errors
/// When `out` is closed.
pub(super) fn write_move(shown: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut legs = shown.split(',').peekable();
    while let Some(leg) = legs.next() {
        let comma = if legs.peek().is_some() { "," } else { "" };
        writeln!(out, "move {leg}{comma}")?;
    }
    Ok(())
}

/// Two squares and what follows them.
fn leg(text: &str) -> Option<(&str, &str, &str)> {
    let (from, rest) = square(text)?;
    let (to, becomes) = square(rest)?;
    let is_kind = becomes.len() <= 1 && becomes.chars().all(|letter| letter.is_ascii_lowercase());
    is_kind.then_some((from, to, becomes))
}

/// A letter and a number of one or two digits, and what follows them.
fn square(text: &str) -> Option<(&str, &str)> {
    let rank = text.strip_prefix(|letter: char| letter.is_ascii_lowercase())?;
    let digits = rank.bytes().take(2).take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| text.split_at(1 + digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(text: &str) -> Option<String> {
        Path::read(text).map(|path| path.squares.join(" ") + " " + &path.becomes)
    }

    #[test]
    fn legs_are_read() {
        for (text, read) in [
            ("e2e4", "e2 e4 "),
            ("e7e8q", "e7 e8 q"),
            ("l12a1", "l12 a1 "),
            ("d9e10,e10f11", "d9 e10 f11 "),
            ("d5d6,d6e9,e9f10q", "d5 d6 e9 f10 q"),
            ("a6a6,a5`6", "a6 a5 a6 "),
            ("f2d2,c2e2", "f2 c2 d2 "),
            ("f2c2,c2d2f", "f2 c2 d2 f"),
        ] {
            assert_eq!(squares(text).as_deref(), Some(read), "{text}");
        }
        for text in ["", "P@e2", "@@@@", "e2", "e2e4Q", "e2e4,", "e2e4qq", "a1b1,b1c1,c1d1,d1e1", "é1e2"] {
            assert_eq!(squares(text), None, "{text}");
        }
    }

    #[test]
    fn ways_to_stay() {
        let path = |text| Path::read(text).unwrap();
        for text in ["f3f4,f4f3b", "f3g2,g2f3b", "f3f3b", "f3f3,f2e3"] {
            assert!(path(text).means(&path("f3f4,f4f3b")), "{text}");
        }
        assert!(!path("f3f4,f4f3r").means(&path("f3f4,f4f3b")));
        assert!(!path("f3f4").means(&path("f3f4,f4f3b")));
    }
}

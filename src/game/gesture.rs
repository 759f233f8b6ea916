//! How an action's string is shown on a board: from where, to where, and what else there is to choose.
//!
//! The grammar of all games: `from to suffix`, `LETTER@to` (a piece from a zone), `from@to` (a placing), with squares
//! of a small letter and a number; what is written otherwise (`0000`) is no gesture on the board.

/// An action as a hand on the board makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gesture<'a> {
    pub from: Origin<'a>,
    /// Name of a square; the one that it comes from for what a piece becomes on the spot.
    pub to: &'a str,
    /// What distinguishes actions that go from and to the same squares: the letter after them, or `@` for a placing.
    pub choice: Option<&'a str>,
}

/// Where a piece is taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// Name of a square.
    Square(&'a str),
    /// A piece of this kind (upper case) from the zone of the side to move.
    Zone(char),
}

impl<'a> Gesture<'a> {
    /// The gesture of the action with this string; `None` for one that is none.
    pub fn of(action: &'a str) -> Option<Self> {
        if let Some((zone, to)) = action.split_once('@')
            && let Some(kind) = zone.chars().next().filter(|kind| kind.is_ascii_uppercase() && zone.len() == 1)
        {
            return Some(Gesture { from: Origin::Zone(kind), to: whole_square(to)?, choice: None });
        }
        let (from, rest) = split_square(action)?;
        if let Some(to) = rest.strip_prefix('@') {
            return Some(Gesture { from: Origin::Square(from), to: whole_square(to)?, choice: Some("@") });
        }
        let (to, suffix) = split_square(rest)?;
        let choice = Some(suffix).filter(|suffix| !suffix.is_empty());
        choice.is_none_or(|suffix| suffix.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(Gesture {
            from: Origin::Square(from),
            to,
            choice,
        })
    }
}

/// The square at the beginning of a text, and what comes after it.
fn split_square(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let is_square = text.starts_with(|file: char| file.is_ascii_lowercase()) && digits > 0;
    is_square.then(|| text.split_at(1 + digits))
}

fn whole_square(text: &str) -> Option<&str> {
    split_square(text).filter(|(_, rest)| rest.is_empty()).map(|(square, _)| square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_actions() {
        let on_board = |from, to, choice| Some(Gesture { from: Origin::Square(from), to, choice });
        assert_eq!(Gesture::of("e2e4"), on_board("e2", "e4", None));
        assert_eq!(Gesture::of("d13d14q"), on_board("d13", "d14", Some("q")));
        assert_eq!(Gesture::of("f3f3b"), on_board("f3", "f3", Some("b")));
        assert_eq!(Gesture::of("d2@d10"), on_board("d2", "d10", Some("@")));
        assert_eq!(Gesture::of("P@e2"), Some(Gesture { from: Origin::Zone('P'), to: "e2", choice: None }));
        for none in
            ["", "0000", "e2", "e2e", "e2e4Q", "e2e4=q", "PP@e2", "P@e2q", "p@e2", "e2@e4q", "é2e4", "e2é4", "@"]
        {
            assert_eq!(Gesture::of(none), None, "{none}");
        }
    }
}

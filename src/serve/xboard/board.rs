//! Positions as XBoard writes them.

use super::super::Bot;
use crate::game::{Part, Side, parts, text_game::TextGameError};

/// Sets up what XBoard calls a position: placement, side, castling rights and en passant square, which it leaves out
/// for some games, and counters. The fields that it does not know are `-`, and no zone is an empty one; but the pieces
/// of the start are the start, with all that XBoard does not know of it.
///
/// # Errors
/// When it is no position, even so.
pub(super) fn set_up(text: &str, bot: &mut dyn Bot) -> Result<(), TextGameError> {
    let error = match bot.set_up(Some(text), &[]) {
        Ok(()) => return Ok(()),
        Err(error) => error,
    };
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [placement, side, known @ .., clock, fullmove] = &fields[..] else { return Err(error) };
    let is_bare = known.iter().all(|&field| field == "-");
    if is_bare && is_start(placement, side, bot) {
        return bot.set_up(None, &[]);
    }
    let known = format!("{} -", known.join(" "));
    let middles = if is_bare { vec!["-", "- -", "- - -", "- - --"] } else { vec![known.as_str()] };
    for placement in [(*placement).to_owned(), format!("{placement}[]")] {
        for middle in &middles {
            if bot.set_up(Some(&format!("{placement} {side} {middle} {clock} {fullmove}")), &[]).is_ok() {
                return Ok(());
            }
        }
    }
    Err(error)
}

/// Whether pieces stand so, with that side to move, where every game starts. Zones may be given or not.
fn is_start(placement: &str, side: &str, bot: &dyn Bot) -> bool {
    let start = bot.start();
    let mut fields = start.split(' ');
    let whole = fields.next().unwrap_or_default();
    [Some(whole), whole.split('[').next()].contains(&Some(placement)) && fields.next() == Some(side)
}

/// Whether a piece of the side to move stands on a square of the grid.
pub(super) fn is_own(square: &str, bot: &dyn Bot) -> bool {
    let side = bot.side();
    piece(square, &rows(&bot.position())).is_some_and(|piece| piece.is_ascii_uppercase() == (side == Side::White))
}

/// Whether a square is none of the grid: XBoard names those beside it, where it shows the zones, by letters before a
/// and after the last file.
pub(super) fn is_beside(square: &str, bot: &dyn Bot) -> bool {
    let width = rows(&bot.position()).first().map_or(0, Vec::len);
    file(square).is_none_or(|file| file >= width)
}

fn piece(square: &str, rows: &[Vec<Option<char>>]) -> Option<char> {
    let rank: usize = square.get(1..)?.parse().ok()?;
    *rows.get(rows.len().checked_sub(rank)?)?.get(file(square)?)?
}

fn file(square: &str) -> Option<usize> {
    square.bytes().next()?.checked_sub(b'a').map(usize::from)
}

/// What stands on each place of the grid, from the last rank down; `None` for nothing, and for holes.
pub(super) fn rows(position: &str) -> Vec<Vec<Option<char>>> {
    let placement = position.split([' ', '[']).next().unwrap_or_default();
    placement.split('/').map(row).collect()
}

fn row(text: &str) -> Vec<Option<char>> {
    let mut places = Vec::new();
    for part in parts(text) {
        match part {
            Part::Run(digits) => places.resize(places.len() + digits.parse::<usize>().unwrap_or(0), None),
            Part::Place(letter) => places.push(Some(letter).filter(|&letter| letter != '*')),
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_of_any_width() {
        let rows = rows("w*10/*3k6*/12[Pp] w - - 0 1");
        assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [12, 12, 12]);
        assert_eq!((rows[0][0], rows[0][1], rows[1][4]), (Some('w'), None, Some('k')));
    }
}

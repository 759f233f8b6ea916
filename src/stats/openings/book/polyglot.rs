//! Books in Polyglot's format (Fabien Letouzey's program; the format as H. G. Muller describes it, "Book format of
//! Polyglot"): entries of 16 bytes, sorted by the position's key.

use std::io::{self, Write};

use super::super::Edge;
use crate::game::{Ruleset, shatara::Shatara};

/// The format's 781 random numbers, big-endian: 768 of pieces on squares, 4 of castling rights, 8 of files of
/// en passant, one of White's turn.
static RANDOM: &[u8; 781 * 8] = include_bytes!("polyglot.random");
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITES_TURN: usize = 780;

/// Whether games by these rules are games of chess: its pieces and actions, whenever a game is drawn.
pub(super) fn is_of(ruleset: &Ruleset) -> bool {
    let chess = Shatara::chess(&toml::Table::new()).expect("the preset's rules");
    let same = |option| ruleset.options.get(option) == chess.ruleset().options.get(option);
    ruleset.game == chess.ruleset().game && ["reserve", "ladder", "reinforcement"].into_iter().all(same)
}

/// Writes an entry for each action. What cannot be written is left out: there is no such position in chess.
pub(super) fn write<'a>(edges: impl Iterator<Item = &'a Edge>, out: &mut impl Write) -> io::Result<()> {
    let entry = |edge: &Edge| {
        let code = action(&edge.position, &edge.action)?;
        Some((key(&edge.position)?, edge.record.decisions.searched, code))
    };
    let mut entries: Vec<(u64, u64, u16)> = edges.filter_map(entry).collect();
    entries.sort_by_key(|&(key, searched, code)| (key, std::cmp::Reverse(searched), code));
    let most = entries.iter().map(|&(_, searched, _)| searched).max().unwrap_or(0);
    // Weights have 16 bits; all are scaled alike, so that those of one position keep their proportions.
    let scale = most.div_ceil(u16::MAX.into()).max(1);
    for (key, searched, code) in entries {
        let weight = searched.div_ceil(scale) as u16;
        out.write_all(&key.to_be_bytes())?;
        out.write_all(&code.to_be_bytes())?;
        out.write_all(&weight.to_be_bytes())?;
        out.write_all(&[0; 4])?;
    }
    Ok(())
}

fn random(number: usize) -> u64 {
    u64::from_be_bytes(RANDOM[8 * number..8 * number + 8].try_into().expect("eight bytes"))
}

/// The key of a position. The string names a square of en passant only where a capture there is legal; the format asks
/// only for a pawn beside it, so a pinned one makes the only keys that are not the format's.
fn key(position: &str) -> Option<u64> {
    let mut fields = position.split(' ');
    let placement = fields.next()?.split('[').next()?;
    let (turn, castling, en_passant) = (fields.next()?, fields.next()?, fields.next()?);
    let mut key = if turn == "w" { random(WHITES_TURN) } else { 0 };
    for (rank, row) in placement.split('/').enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let kind = "pPnNbBrRqQkK".find(letter)?;
            let square = 8 * 7_usize.checked_sub(rank)? + file;
            key ^= random(64 * kind + square);
            file += 1;
        }
    }
    for right in castling.chars().filter(|&letter| letter != '-') {
        key ^= random(CASTLING + "KQkq".find(right)?);
    }
    if let [file @ b'a'..=b'h', _] = en_passant.as_bytes() {
        key ^= random(EN_PASSANT + usize::from(file - b'a'));
    }
    Some(key)
}

/// An action as the format has it: to, from and the kind of a promotion, six, six and three bits. Castling takes the
/// own rook.
fn action(position: &str, action: &str) -> Option<u16> {
    let square = |text: &str| {
        let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *text.as_bytes() else { return None };
        Some(8 * u16::from(rank - b'1') + u16::from(file - b'a'))
    };
    let (from, to) = (square(action.get(0..2)?)?, square(action.get(2..4)?)?);
    let promotion = match action.get(4..)? {
        "" => 0,
        kind => "nbrq".find(kind)? as u16 + 1,
    };
    let castles = piece_on(position, from)?.eq_ignore_ascii_case(&'k') && from.abs_diff(to) == 2;
    let to = match (castles, to > from) {
        (false, _) => to,
        (true, true) => to + 1,
        (true, false) => to - 2,
    };
    Some(promotion << 12 | from << 6 | to)
}

/// The letter of the piece on a square of a position.
fn piece_on(position: &str, square: u16) -> Option<char> {
    let row = position.split(['[', ' ']).next()?.split('/').nth(7 - usize::from(square / 8))?;
    let mut file = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(empty) => file += empty as u16,
            None if file == square % 8 => return Some(letter),
            None => file += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys that the description of the format gives to check a program by, and what chess says of the positions.
    #[test]
    fn keys_are_those_of_the_format() {
        let game = Shatara::chess(&toml::Table::new()).unwrap();
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let mut position = game.start();
            for text in moves.split_whitespace() {
                let action = game.parse_action(&position, text).unwrap();
                game.apply(&mut position, action);
            }
            assert_eq!(key(&position.to_string()), Some(expected), "{moves}");
        }
    }

    #[test]
    fn actions_are_those_of_the_format() {
        let open = "r3k2r/P7/8/8/8/8/8/R3K2R[] w KQkq - -";
        for (text, from, to, promotion) in
            [("e1e2", 4, 12, 0), ("e1g1", 4, 7, 0), ("e1c1", 4, 0, 0), ("a7a8q", 48, 56, 4), ("a7b8n", 48, 57, 1)]
        {
            assert_eq!(action(open, text), Some(promotion << 12 | from << 6 | to), "{text}");
        }
        assert_eq!(action("r3k2r/8/8/8/8/8/8/R3K2R[] b kq - -", "e8c8"), Some(60 << 6 | 56));
        // A queen may go as a king castles.
        assert_eq!(action("4k3/8/8/8/8/8/8/K3Q3[] w - - -", "e1g1"), Some(4 << 6 | 6));
        assert_eq!(action(open, "P@e4"), None);
    }
}

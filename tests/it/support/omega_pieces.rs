//! Boards of Omega Chess written as lists of pieces.

/// A placement from pieces on their squares, `Kf0 pw1`.
pub fn placement(pieces: &str) -> String {
    let piece = |square: &str| {
        pieces.split(' ').find(|piece| &piece[1..] == square).map_or('.', |piece| piece.as_bytes()[0].into())
    };
    let corners = |left: &str, right: &str| format!("{}**********{}", piece(left), piece(right));
    let rank = |rank: u32| -> String {
        let squares: String = ('a'..='j').map(|file| piece(&format!("{file}{rank}"))).collect();
        format!("*{squares}*")
    };
    let mut rows = vec![corners("w4", "w3")];
    rows.extend((0..10).rev().map(rank));
    rows.push(corners("w1", "w2"));
    (1..=10).rev().fold(rows.join("/"), |text, run| text.replace(&".".repeat(run), &run.to_string()))
}

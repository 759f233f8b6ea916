//! Boards of Omega Chess written as lists of men.

/// A placement from men on their squares, `Kf0 pw1`.
pub fn placement(men: &str) -> String {
    let man = |square: &str| men.split(' ').find(|man| &man[1..] == square).map_or('.', |man| man.as_bytes()[0].into());
    let corners = |left: &str, right: &str| format!("{}**********{}", man(left), man(right));
    let rank = |rank: u32| -> String {
        let squares: String = ('a'..='j').map(|file| man(&format!("{file}{rank}"))).collect();
        format!("*{squares}*")
    };
    let mut rows = vec![corners("w4", "w3")];
    rows.extend((0..10).rev().map(rank));
    rows.push(corners("w1", "w2"));
    (1..=10).rev().fold(rows.join("/"), |text, run| text.replace(&".".repeat(run), &run.to_string()))
}

//! One witness for each game of the registry, and for the two games of the tests; see [`Witness`].

mod connect_four;
mod omega;
mod omega_advanced;
mod shatar;
mod shatara;
mod shatra;
mod tictactoe;

use crate::support::suite::witness::Witness;

/// The witness of the game called `id`. A new game needs a line here and a file beside this one.
pub fn witness(id: &str) -> &'static Witness {
    match id {
        "shatara" => &shatara::WITNESS,
        "chess" => &shatara::CHESS,
        "shatar" => &shatar::WITNESS,
        "omega" => &omega::WITNESS,
        "omega-advanced" => &omega_advanced::WITNESS,
        "shatra" => &shatra::WITNESS,
        "tictactoe" => &tictactoe::WITNESS,
        "connect-four" => &connect_four::WITNESS,
        _ => panic!("no witness for `{id}`: write tests/it/support/witnesses/{id}.rs"),
    }
}

/// Where counters stop.
const GREATEST: u32 = 9_999_999;

/// A piece in the other colour.
fn swap_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}

/// The digit of a rank seen from the other side of a board of eight.
fn flip_rank(c: char) -> char {
    if let '1'..='8' = c { (b'1' + b'8' - c as u8) as char } else { c }
}

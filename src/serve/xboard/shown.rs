//! What XBoard makes of the moves that it is sent, and what the bot makes of those it is sent, in whole random games.

use std::collections::HashMap;

use rand::seq::IndexedRandom;

use super::{
    super::{Bot, bot::GameBot},
    board,
    legs::{self, Behind, Path},
};
use crate::{
    game::{
        Game, Playable,
        random::stream,
        registry::{GameVisitor, with_game},
    },
    model::Uniform,
};

/// XBoard's variant from which a game descends there.
#[derive(Clone, Copy, PartialEq)]
enum Parent {
    /// Kings castle, pawns capture in passing.
    Chess,
    /// And a piece can come on behind one that moves.
    Seirawan,
    Chu,
}

impl Parent {
    fn of(game: &str) -> Self {
        match game {
            "omega-advanced" => Parent::Seirawan,
            "shatra" => Parent::Chu,
            _ => Parent::Chess,
        }
    }
}

/// Pieces as XBoard shows them.
struct Board(Vec<Vec<Option<char>>>);

impl Board {
    fn of(bot: &dyn Bot) -> Self {
        Board(board::rows(&bot.position()))
    }

    fn at(&mut self, square: &str) -> &mut Option<char> {
        let (file, rank) = square.split_at(1);
        let rank = self.0.len() - rank.parse::<usize>().unwrap();
        &mut self.0[rank][usize::from(file.as_bytes()[0] - b'a')]
    }

    /// Moves pieces as XBoard 4.9.1 does without testing legality: what is on the way is taken off, but for an own
    /// piece, which goes beside the one that moves; a king that goes two files takes the piece along that it looks at;
    /// a pawn that goes to an empty square of another file takes the one behind that square, next to it or next but
    /// one; and a letter is what a pawn becomes, or with Seirawan Chess as parent what comes on behind another piece.
    fn play(&mut self, text: &str, is_white: bool, parent: Parent) {
        let colour = |kind: char| if is_white { kind } else { kind.to_ascii_lowercase() };
        if let Some(square) = text.strip_prefix("P@") {
            *self.at(square) = Some(colour('P'));
            return;
        }
        let Some(path) = Path::read(text) else { return };
        let [from, over @ .., to] = &path.squares[..] else { return };
        let piece = self.at(from).take();
        let kind = piece.unwrap().to_ascii_uppercase();
        let (file, ahead) = (from.as_bytes()[0], to.as_bytes()[0]);
        let name = |file: u8, rank: &str| format!("{}{rank}", char::from(file));
        let towards = |start: u8, end: u8| if end > start { start + 1 } else { start - 1 };
        let mut along = None;
        for square in over {
            along = self.at(square).take().filter(|piece| piece.is_ascii_uppercase() == is_white);
        }
        if parent != Parent::Chu && kind == 'P' && file != ahead && self.at(to).is_none() && over.is_empty() {
            let rank: u32 = to[1..].parse().unwrap();
            let behind = |steps: u32| name(ahead, &if is_white { rank - steps } else { rank + steps }.to_string());
            let steps = if self.at(&behind(1)).is_some() { 1 } else { 2 };
            *self.at(&behind(steps)) = None;
        }
        if parent != Parent::Chu && kind == 'K' && from[1..] == to[1..] && file.abs_diff(ahead) == 2 {
            let mut looked_at = towards(file, ahead);
            while self.at(&name(looked_at, &from[1..])).is_none() {
                looked_at = if ahead > file { looked_at + 1 } else { looked_at - 1 };
            }
            along = self.at(&name(looked_at, &from[1..])).take();
        }
        if along.is_some() {
            *self.at(&name(towards(ahead, file), &to[1..])) = along;
        }
        let letter = path.becomes.chars().next().map(|kind| colour(kind.to_ascii_uppercase()));
        if parent == Parent::Seirawan && kind != 'P' {
            *self.at(from) = letter;
            *self.at(to) = piece;
        } else {
            *self.at(to) = letter.or(piece);
        }
    }
}

/// The position without the clock: a placing that is a step too counts as a step.
fn but_for_the_clock(bot: &dyn Bot) -> String {
    let position = bot.position();
    let mut fields: Vec<&str> = position.split(' ').collect();
    fields.remove(fields.len() - 2);
    fields.join(" ")
}

/// Random games: every legal action is understood as it is sent, and XBoard shows each that is played.
struct Games(u64);

impl GameVisitor for Games {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let name = game.ruleset().game.clone();
        let parent = Parent::of(&name);
        for number in 0..self.0 {
            let mut rng = stream("xboard", 1, 0, number);
            let mut bot = GameBot::new(game.clone(), Uniform::make(), stream("unused", 1, 0, 0), |_| true).unwrap();
            let mut shown = Board::of(&bot);
            while bot.outcome().is_none() {
                let legal = bot.on_grid();
                let mut meant = HashMap::new();
                for (action, text) in &legal {
                    bot.play(action).unwrap();
                    let led_to = but_for_the_clock(&bot);
                    bot.undo();
                    assert_eq!(
                        meant.entry(text).or_insert_with(|| led_to.clone()),
                        &led_to,
                        "{name}: {action} is {text}"
                    );
                    assert_eq!(legs::play(text, Behind::Piece, &mut bot), Some(1), "{name}: {text}");
                    assert_eq!(but_for_the_clock(&bot), led_to, "{name}: {action} is {text}");
                    bot.undo();
                }
                let (action, text) = legal.choose(&mut rng).expect("a game without an outcome has legal actions");
                let is_white = bot.side() == crate::game::Side::White;
                bot.play(action).unwrap();
                shown.play(text, is_white, parent);
                let is_under_way = name == "shatra" && bot.position().contains(':');
                if !is_under_way {
                    hold(&mut shown, &bot, &name);
                }
            }
        }
    }
}

/// XBoard's board is the bot's, but for the waiting shatras that have become pieces.
fn hold(shown: &mut Board, bot: &dyn Bot, name: &str) {
    let real = Board::of(bot);
    for (rank, (row, sent)) in real.0.iter().zip(&mut shown.0).enumerate() {
        for (piece, sent) in row.iter().zip(sent) {
            let is_waiting =
                name == "shatra" && [0, 13].contains(&rank) && sent.is_some_and(|piece| "Pp".contains(piece));
            if is_waiting && piece.is_some() {
                *sent = *piece;
            }
            assert_eq!(sent, piece, "{name}: {}", bot.position());
        }
    }
}

#[test]
fn every_move_is_shown_and_understood() {
    for (game, games) in
        [("shatara", 4), ("chess", 2), ("shatar", 2), ("omega", 2), ("omega-advanced", 4), ("shatra", 12)]
    {
        with_game(game, &toml::Table::new(), Games(games)).unwrap();
    }
}

/// Forms of a move other than the one that the bot sends.
struct Ways<'a> {
    position: &'a str,
    /// What is sent, the number of actions, and the placement they lead to; none for what is refused.
    sent: &'a [(&'a str, Option<(usize, &'a str)>)],
    behind: Behind,
}

impl GameVisitor for Ways<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let mut bot = GameBot::new(game, Uniform::make(), stream("unused", 1, 0, 0), |_| true).unwrap();
        for (text, wanted) in self.sent {
            bot.set_up(Some(self.position), &[]).unwrap();
            let actions = legs::play(text, self.behind, &mut bot);
            let position = bot.position();
            let led_to = actions.map(|actions| (actions, position.split(['[', ' ']).next().unwrap()));
            assert_eq!(led_to, *wanted, "{text}");
            if wanted.is_none() {
                assert_eq!(position, self.position, "{text}");
            }
        }
    }
}

#[test]
fn a_ladder_promotion_by_any_way() {
    let done = Some((1, "4k3/8/8/8/8/2B5/8/4K3"));
    let ways = Ways {
        position: "4k3/8/8/8/8/2N5/8/4K3[PBpb] w - - c3 0 1",
        sent: &[
            ("c3b2,b2c3b", done),
            ("c3h8,h8c3b", done),
            ("c3c3b", done),
            ("c3c3", done),
            // XBoard 4.9.1 for Black.
            ("c3c3,b2d3", done),
            ("c3b2,b2c3r", None),
            ("c3b2,b3c3b", None),
            ("e1e1", None),
        ],
        behind: Behind::Nothing,
    };
    with_game("shatara", &toml::Table::new(), ways).unwrap();
}

#[test]
fn two_pieces_captured_in_one_go() {
    let ways = Ways {
        position: "**3**/**3**/**3**/***k***/7/2p4/1p5/1P5/7/7/***K***/**3**/**3**/**3**[] w - - - 0 1",
        sent: &[
            ("b7b8,b8c9,c9d9", Some((2, "**3**/**3**/**3**/***k***/7/3P3/7/7/7/7/***K***/**3**/**3**/**3**"))),
            ("b7b8,b8c9,c9e9", None),
            ("b7c9,c9b8,b8d9", None),
            ("b7b8,b8c9,c9d9q", None),
            ("b7b9", None),
        ],
        behind: Behind::Nothing,
    };
    with_game("shatra", &toml::Table::new(), ways).unwrap();
}

/// Where White castles, guards and may bring the fool on.
const PAIRS: &str =
    "1**********1/*5k4*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/*1R2QK2R1*/1**********1[F] w b0e0f0i0 - -- 0 5";

#[test]
fn two_pieces_at_once() {
    let led_to = |rank: &str| PAIRS.split('[').next().unwrap().replace("*1R2QK2R1*", rank);
    let (guarding, entry, behind_rook) = (led_to("*2QR1K2R1*"), led_to("*2QRFK2R1*"), led_to("*1FQR1K2R1*"));
    let (castling, castling_behind_rook) = (led_to("*1R2QFRK2*"), led_to("*1R2Q1RKF1*"));
    let always = [
        ("f2c2,c2d2", Some((1, guarding.as_str()))),
        ("f2c2,c2d2f", Some((1, entry.as_str()))),
        ("f2d2f,c2e2", Some((1, entry.as_str()))),
        ("c2e2,f2d2", Some((1, behind_rook.as_str()))),
        ("g2i2f", Some((1, castling.as_str()))),
        ("j2h2,g2i2", Some((1, castling_behind_rook.as_str()))),
        ("f2d2,j2e2", None),
        ("f2e2,c2d2", None),
    ];
    for (behind, meant) in [(Behind::Nothing, &guarding), (Behind::Piece, &entry)] {
        let sent = [&always[..], &[("f2d2,c2e2", Some((1, meant.as_str())))]].concat();
        with_game("omega-advanced", &toml::Table::new(), Ways { position: PAIRS, sent: &sent, behind }).unwrap();
    }
}

/// The form of a move that is sent when the opponent is another bot.
struct Sent<'a>(&'a [(&'a str, &'a str)]);

impl GameVisitor for Sent<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let mut bot = GameBot::new(game, Uniform::make(), stream("unused", 1, 0, 0), |_| true).unwrap();
        bot.set_up(Some(PAIRS), &[]).unwrap();
        for (shown, sent) in self.0 {
            assert_eq!(legs::to_bot(shown, &bot), *sent);
        }
    }
}

#[test]
fn between_bots_guarding_brings_the_fool_on() {
    let sent = Sent(&[("f2c2,c2d2", "f2c2,c2d2f"), ("f2c2,c2d2f", "f2c2,c2d2f"), ("g2i2", "g2i2"), ("f2d2", "f2d2")]);
    with_game("omega-advanced", &toml::Table::new(), sent).unwrap();
}

/// Positions in which XBoard shows every move.
struct Positions<'a>(&'a [&'a str]);

impl GameVisitor for Positions<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let name = game.ruleset().game.clone();
        let mut bot = GameBot::new(game, Uniform::make(), stream("unused", 1, 0, 0), |_| true).unwrap();
        for position in self.0 {
            bot.set_up(Some(position), &[]).unwrap();
            let is_white = bot.side() == crate::game::Side::White;
            for (action, text) in bot.on_grid() {
                let mut shown = Board::of(&bot);
                shown.play(&text, is_white, Parent::of(&name));
                bot.play(&action).unwrap();
                hold(&mut shown, &bot, &name);
                bot.undo();
            }
        }
    }
}

#[test]
fn omega_advanced_is_shown() {
    let black =
        "1**********1/*1r2qk2r1*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/*10*/*5K4*/1**********1[f] b b9e9f9i9 - -- 0 5";
    let promoting =
        "1**********1/*4r3k1*/*5P4*/*4F5*/*10*/*10*/*10*/*10*/*10*/*1p8*/*K1R7*/1**********1[] w - - QR 0 30";
    // A black pawn has gone three squares.
    let passed =
        "1**********1/*5k4*/*10*/*10*/*4P5*/*4Pp1P2*/*10*/*10*/*10*/*10*/*5K4*/1**********1[] w - f7f6 -P 0 30";
    let positions = Positions(&[PAIRS, black, promoting, passed]);
    with_game("omega-advanced", &toml::Table::new(), positions).unwrap();
}

//! What XBoard makes of the moves that it is told, and what the bot makes of those it is told, in whole random games.

use std::collections::HashMap;

use rand::seq::IndexedRandom;

use super::{
    super::{Bot, bot::Seated},
    board,
    legs::{self, Path},
};
use crate::{
    game::{
        Encode,
        random::stream,
        registry::{GameVisitor, with_game},
    },
    model::Uniform,
};

/// Men as XBoard shows them.
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

    /// Moves men as XBoard 4.9.1 does without testing legality: what is on the way is taken off, a king that goes two files takes a rook along where it may castle, and a pawn
    /// that goes to an empty square of another file takes the one beside it.
    fn play(&mut self, text: &str, is_white: bool, is_chess: bool) {
        let colour = |kind: char| if is_white { kind } else { kind.to_ascii_lowercase() };
        if let Some(square) = text.strip_prefix("P@") {
            *self.at(square) = Some(colour('P'));
            return;
        }
        let Some(path) = Path::read(text) else { return };
        let [from, over @ .., to] = &path.squares[..] else { return };
        let man = self.at(from).take();
        over.iter().for_each(|square| *self.at(square) = None);
        let kind = man.unwrap().to_ascii_uppercase();
        let (file, ahead) = (from.as_bytes()[0], to.as_bytes()[0]);
        if is_chess && kind == 'P' && file != ahead && self.at(to).is_none() && over.is_empty() {
            *self.at(&format!("{}{}", char::from(ahead), &from[1..])) = None;
        }
        if is_chess && kind == 'K' && file.abs_diff(ahead) == 2 {
            let (corner, beside) = if ahead > file { ('h', ahead - 1) } else { ('a', ahead + 1) };
            *self.at(&format!("{corner}{}", &from[1..])) = None;
            *self.at(&format!("{}{}", char::from(beside), &from[1..])) = Some(colour('R'));
        }
        let becomes = path.becomes.chars().next().map(|kind| colour(kind.to_ascii_uppercase()));
        *self.at(to) = becomes.or(man);
    }
}

/// The position without the clock: a placing that is a step too counts as a step.
fn but_for_the_clock(bot: &dyn Bot) -> String {
    let position = bot.position();
    let mut fields: Vec<&str> = position.split(' ').collect();
    fields.remove(fields.len() - 2);
    fields.join(" ")
}

/// Random games: every legal action is understood as it is told, and XBoard shows each that is played.
struct Games(u64);

impl GameVisitor for Games {
    type Output = ();

    fn visit<G: Encode>(self, game: G) {
        let name = game.ruleset().game.clone();
        let is_chess = ["shatara", "chess"].contains(&name.as_str());
        for number in 0..self.0 {
            let mut rng = stream("xboard", 1, 0, number);
            let evaluator = Box::new(Uniform { batch_size: 1 });
            let mut bot = Seated::new(game.clone(), evaluator, stream("unused", 1, 0, 0), |_| true);
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
                    assert_eq!(legs::play(text, &mut bot), Some(1), "{name}: {text}");
                    assert_eq!(but_for_the_clock(&bot), led_to, "{name}: {action} is {text}");
                    bot.undo();
                }
                let (action, text) = legal.choose(&mut rng).expect("a game without an outcome has legal actions");
                let is_white = bot.side() == crate::game::Side::White;
                bot.play(action).unwrap();
                // Omega Chess castles and captures en passant in ways of its own, tried with XBoard itself.
                if name == "omega" {
                    continue;
                }
                shown.play(text, is_white, is_chess);
                let is_under_way = name == "shatra" && bot.position().contains(':');
                if !is_under_way {
                    hold(&mut shown, &bot, &name);
                }
            }
        }
    }
}

/// XBoard's board is the bot's, but for the waiting shatras that have become men.
fn hold(shown: &mut Board, bot: &dyn Bot, name: &str) {
    let real = Board::of(bot);
    for (rank, (row, told)) in real.0.iter().zip(&mut shown.0).enumerate() {
        for (man, told) in row.iter().zip(told) {
            let is_waiting = name == "shatra" && [0, 13].contains(&rank) && told.is_some_and(|man| "Pp".contains(man));
            if is_waiting && man.is_some() {
                *told = *man;
            }
            assert_eq!(told, man, "{name}: {}", bot.position());
        }
    }
}

#[test]
fn every_move_is_shown_and_understood() {
    for (game, games) in [("shatara", 4), ("chess", 2), ("shatar", 2), ("omega", 2), ("shatra", 12)] {
        with_game(game, &toml::Table::new(), Games(games)).unwrap();
    }
}

/// Ways of telling a move that the bot would tell otherwise.
struct Ways<'a> {
    position: &'a str,
    /// What is told, the number of actions, and the placement they lead to; none for what is refused.
    told: &'a [(&'a str, Option<(usize, &'a str)>)],
}

impl GameVisitor for Ways<'_> {
    type Output = ();

    fn visit<G: Encode>(self, game: G) {
        let evaluator = Box::new(Uniform { batch_size: 1 });
        let mut bot = Seated::new(game, evaluator, stream("unused", 1, 0, 0), |_| true);
        for (text, wanted) in self.told {
            bot.set_up(Some(self.position), &[]).unwrap();
            let actions = legs::play(text, &mut bot);
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
        told: &[
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
    };
    with_game("shatara", &toml::Table::new(), ways).unwrap();
}

#[test]
fn two_men_captured_in_one_go() {
    let ways = Ways {
        position: "**3**/**3**/**3**/***k***/7/2p4/1p5/1P5/7/7/***K***/**3**/**3**/**3**[] w - - - 0 1",
        told: &[
            ("b7b8,b8c9,c9d9", Some((2, "**3**/**3**/**3**/***k***/7/3P3/7/7/7/7/***K***/**3**/**3**/**3**"))),
            ("b7b8,b8c9,c9e9", None),
            ("b7c9,c9b8,b8d9", None),
            ("b7b8,b8c9,c9d9q", None),
            ("b7b9", None),
        ],
    };
    with_game("shatra", &toml::Table::new(), ways).unwrap();
}

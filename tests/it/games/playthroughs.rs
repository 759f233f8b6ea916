//! For each game of the registry a log of one random game, kept in `tests/golden/playthrough_<id>.txt`: what changes in
//! a game's rules, strings, drawing, order of actions or encoding shows as a difference that a person can read.
//! `UPDATE_GOLDEN=1 cargo test --test it playthroughs` writes the logs anew.

use crate::support::suite;

use std::{fmt::Write, fs, path::Path};

use maydan::{
    encode::{Rows, draw_row},
    game::{
        Game, History, Playable, Side,
        registry::{GameVisitor, IDS, with_game},
    },
};
use suite::walk::{Visit, random_game};

/// The game shown is the first that ends in so many plies, or has as many.
const PLIES: usize = 80;
/// Games looked at for one that ends by the rules and not by an adjudication.
const GAMES: u64 = 400;
/// Plies from one drawing of the planes to the next.
const PLANES: usize = 20;

struct Playthrough;

impl GameVisitor for Playthrough {
    type Output = String;

    fn visit<R: Playable>(self, game: Game<R>) -> String {
        let decided = |visits: &Vec<Visit<R>>| {
            let last = visits.last().expect("a game has a position");
            game.outcome(&last.position, &last.legal, 0).is_some_and(|outcome| outcome.winner.is_some())
        };
        let games = |number| random_game(&game, game.start(), number, PLIES);
        let visits = (0..GAMES).map(games).find(decided).unwrap_or_else(|| games(0));
        let mut text = format!("game: {}\n", game.ruleset().game);
        for (option, value) in &game.ruleset().options {
            writeln!(text, "option: {option} = {value}").unwrap();
        }
        let mut history = History::default();
        for (ply, visit) in visits.iter().enumerate() {
            let position = &visit.position;
            history.push(&game, position);
            write!(text, "\n# Ply {ply}\n\n{}", game.rules().draw(position)).unwrap();
            writeln!(text, "\nposition: {}", position).unwrap();
            writeln!(text, "side: {}", game.side_to_move(position)).unwrap();
            writeln!(
                text,
                "keys: {:016x} {:016x}",
                game.counters(position).key(),
                game.counters(position).repetition_key
            )
            .unwrap();
            if !R::ZONE_KINDS.is_empty() {
                let [white, black] = [Side::White, Side::Black].map(|side| game.rules().zone(position, side));
                writeln!(text, "zones of {}: {white:?} {black:?}", R::ZONE_KINDS).unwrap();
            }
            writeln!(text, "repetitions: {}", visit.repetitions).unwrap();
            writeln!(text, "material: {}", game.rules().material(position)).unwrap();
            if ply % PLANES == 0 {
                let mut rows = Rows::new(game.layout());
                rows.push(&game, position, visit.repetitions);
                write!(text, "planes:\n\n{}\n", draw_row(&rows, 0)).unwrap();
            }
            let actions: Vec<String> = (visit.legal.iter())
                .map(|&action| format!("{}={}", action, game.rules().action_index(position, action)))
                .collect();
            writeln!(text, "legal actions and their indices ({}):", actions.len()).unwrap();
            actions.chunks(12).for_each(|line| writeln!(text, "  {}", line.join(" ")).unwrap());
            match visits.get(ply + 1) {
                Some(next) => {
                    let leads = |action: &&R::Action| {
                        let mut after = *position;
                        game.apply(&mut after, **action);
                        after == next.position
                    };
                    let action = *visit.legal.iter().find(leads).expect("an action leads on");
                    let kind = R::ACTION_KINDS[game.rules().action_kind(position, action)];
                    writeln!(text, "chosen: {} ({kind})", action).unwrap();
                }
                None => match history.outcome(&game, position, &visit.legal) {
                    Some(outcome) => writeln!(text, "outcome: {outcome}").unwrap(),
                    None => writeln!(text, "outcome: ongoing").unwrap(),
                },
            }
        }
        text
    }
}

#[test]
fn playthroughs_are_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for id in IDS {
        let path = folder.join(format!("playthrough_{id}.txt"));
        let log = with_game(id, &toml::Table::new(), Playthrough).unwrap();
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &log).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        if let Some((line, (found, expected))) =
            log.lines().zip(golden.lines()).enumerate().find(|(_, (found, expected))| found != expected)
        {
            panic!("{}, line {}:\n  golden: {expected}\n  now:    {found}", path.display(), line + 1);
        }
        let (found, expected) = (log.lines().count(), golden.lines().count());
        assert_eq!(found, expected, "lines of {}: run this test with UPDATE_GOLDEN=1", path.display());
    }
}

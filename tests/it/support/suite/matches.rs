//! Matches of the players without a network.

use std::sync::atomic::AtomicBool;

use maydan::{
    evaluate::{Contender, MatchConfig, PlayerSpec, play_match},
    game::{Game, History, Playable, Reason},
};

use super::witness::Witness;

/// The baselines play games by the rules to ends by the rules, and `greedy` is no worse than `random`.
pub fn baselines_play_by_the_rules<R: Playable>(game: &Game<R>, _: &Witness) {
    let config = MatchConfig { games: 6, opening_plies: 2, threads: 1, ..MatchConfig::default() };
    for names in [["greedy", "random"], ["alphabeta:1", "greedy"]] {
        let [first, second] = names.map(|name| Contender::baseline(&name.parse::<PlayerSpec>().unwrap()).unwrap());
        let mut records = Vec::new();
        let go_on = AtomicBool::new(false);
        let report =
            play_match(game, [&first, &second], names, &config, &go_on, |record, _| records.push(record.clone()));
        assert_eq!(records.len(), 6);
        for record in records {
            let mut position = game.start();
            let mut history = History::new(game, &position);
            let mut legal = Vec::new();
            for text in record.opening.iter().chain(&record.moves) {
                let action = game.parse_action(&position, text).unwrap();
                game.apply(&mut position, action);
                history.push(game, &position);
            }
            game.legal_actions(&position, &mut legal);
            match history.outcome(game, &position, &legal) {
                Some(outcome) => assert_eq!((outcome.result_name(), outcome.reason), (&*record.result, record.reason)),
                None => assert_eq!(record.reason, Reason::CutOff),
            }
        }
        let total = report.unwrap().total();
        assert!(names[1] != "random" || total.score() >= 0.5, "{total:?}");
    }
}

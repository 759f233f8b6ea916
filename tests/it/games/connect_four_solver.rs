//! The solver of Connect Four against brute force over the rules, and the yardstick that stands on it.

use std::collections::HashMap;

use crate::support::{connect_four, noisy};

use connect_four::{
    board::Board,
    game::ConnectFour,
    solver::Solver,
    yardstick::{questions, shares},
};
use maydan::{
    evaluate::match_search,
    game::{Game, Outcome, random},
    search::SearchConfig,
};
use noisy::Noisy;
use rand::Rng as _;

/// The value of a position for the side to move, by looking at every game.
fn minimax(game: &Game<ConnectFour>, board: &Board, known: &mut HashMap<Board, i32>) -> i32 {
    if let Some(&value) = known.get(board) {
        return value;
    }
    let mut legal = Vec::new();
    game.legal_actions(board, &mut legal);
    let value = match game.outcome(board, &legal, 0) {
        Some(Outcome { winner: None, .. }) => 0,
        Some(_) => -1,
        None => {
            let after = |&column: &u8| -minimax(game, &played(board, column), known);
            legal.iter().map(after).max().expect("a legal action")
        }
    };
    known.insert(*board, value);
    value
}

fn played(board: &Board, column: u8) -> Board {
    let mut next = *board;
    next.drop_stone(column);
    next
}

/// A position with so many stones, by random actions that do not end the game.
fn position(game: &Game<ConnectFour>, stones: u32, number: u64) -> Option<Board> {
    let mut rng = random::stream("connect-four", stones.into(), 0, number);
    let mut board = game.start();
    let mut legal = Vec::new();
    for _ in 0..stones {
        game.legal_actions(&board, &mut legal);
        legal.retain(|&column| !played(&board, column).is_won());
        if legal.is_empty() {
            return None;
        }
        board = played(&board, legal[rng.random_range(0..legal.len())]);
    }
    Some(board)
}

#[test]
fn the_solver_is_brute_force() {
    let game = ConnectFour::game();
    let (mut solver, mut known) = (Solver::new(16), HashMap::new());
    let mut counts = [0; 3];
    for stones in 28..42 {
        for board in (0..30).filter_map(|number| position(&game, stones, number)) {
            let mut legal = Vec::new();
            game.legal_actions(&board, &mut legal);
            let expected: Vec<i32> =
                legal.iter().map(|&column| -minimax(&game, &played(&board, column), &mut known)).collect();
            assert_eq!(solver.values(&board), expected, "{board}");
            let value = minimax(&game, &board, &mut known);
            assert_eq!(solver.value(&board), value, "{board}");
            counts[(value + 1) as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count >= 10), "lost, drawn and won: {counts:?}");
}

#[test]
fn what_the_solver_remembers_changes_nothing() {
    let game = ConnectFour::game();
    let mut large = Solver::new(18);
    for board in (0..30).filter_map(|number| position(&game, 22, number)) {
        let values = large.values(&board);
        // So small a table loses most of what it is told.
        assert_eq!(Solver::new(4).values(&board), values, "{board}");
        let text = board.to_string();
        let (placement, side) = text.split_once(' ').unwrap();
        let rows: Vec<String> = placement.split('/').map(|row| row.chars().rev().collect()).collect();
        let mirrored = game.parse_position(&format!("{} {side}", rows.join("/"))).unwrap();
        let mut mirrored_values = large.values(&mirrored);
        mirrored_values.reverse();
        assert_eq!(mirrored_values, values, "{board}");
    }
}

#[test]
fn a_game_that_is_over_has_its_value() {
    let game = ConnectFour::game();
    let mut solver = Solver::new(4);
    let lost = game.parse_position("......./......./......./......./ooo..../xxxx... b").unwrap();
    assert_eq!((solver.value(&lost), solver.values(&lost)), (-1, vec![]));
    let drawn = game.parse_position("ooxxoox/xxooxxo/ooxxoox/xxooxxo/ooxxoox/xxooxxo w").unwrap();
    assert_eq!((solver.value(&drawn), solver.values(&drawn)), (0, vec![]));
}

#[test]
fn questions_ask_something_and_stay_the_same() {
    let ask = |count| questions(count, 18..=30, 1, &mut Solver::new(18));
    let asked = ask(60);
    assert_eq!(ask(20), asked[..20]);
    for (i, question) in asked.iter().enumerate() {
        assert!((18..=30).contains(&question.board.occupied().count_ones()));
        assert!(!asked[..i].contains(question), "twice: {}", question.board);
        let chance = question.chance();
        assert!(chance > 0.0 && chance < 1.0, "{}: {:?}", question.board, question.values);
        assert_eq!(Solver::new(10).values(&question.board), question.values);
    }
    // Runs of different days compare only as long as the questions do not change.
    assert_eq!(asked[0].board.to_string(), ".o..x../.x..ox./.o..xx./xx..oo./oxo.oxx/oxoxxoo b");
}

/// A player who knows the truth keeps every value; one who is told its opposite finds little but the wins within reach.
#[test]
fn the_yardstick_tells_players_apart() {
    let game = ConnectFour::game();
    let questions = questions(60, 20..=30, 2, &mut Solver::new(18));
    let search = |playouts, truth| {
        let config = SearchConfig { solver: false, ..match_search(playouts) };
        shares(&game, &questions, &config, &mut Noisy::new(truth, 0.0, 0)).unwrap()
    };
    assert_eq!(search(50, 1.0).search, 1.0);
    let misled = search(50, -1.0).search;
    assert!(misled < 0.5, "{misled} by the opposite of the truth");
    let policy = search(50, 1.0).policy;
    assert!(policy < 0.5, "{policy} by a policy that knows nothing");
}

/// The first player wins by the middle column alone, draws beside it, and loses further out (Allen 1988, Allis 1988).
#[test]
#[ignore = "a quarter of an hour or longer, in a release build"]
fn the_first_player_wins_in_the_middle() {
    let game = ConnectFour::game();
    let mut solver = Solver::new(25);
    let left_half: Vec<i32> = (0..4).map(|column| -solver.value(&played(&game.start(), column))).collect();
    assert_eq!(left_half, [-1, -1, 0, 1]);
}

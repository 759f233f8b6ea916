//! The exact solver and the values it stands on: against brute force on tic-tac-toe, and on small games written out by
//! hand.

use std::collections::HashMap;

use maydan::{
    game::{Game, History, Side, random},
    model::Uniform,
    search::{Cache, Mode, Proof, ROOT, Search, SearchConfig, SearchResult, Searcher},
};
use rand::Rng as _;

use crate::support::{search_explicit, toy};

use search_explicit::{Explicit, Place, finish};
use toy::{Grid, TicTacToe};

/// The value of a position for the side to move, by looking at every game.
fn minimax(game: &Game<TicTacToe>, grid: &Grid, known: &mut HashMap<Grid, i32>) -> i32 {
    if let Some(&value) = known.get(grid) {
        return value;
    }
    let mut legal = Vec::new();
    game.legal_actions(grid, &mut legal);
    let value = match game.outcome(grid, &legal, 0) {
        Some(outcome) => outcome.value_for(game.side_to_move(grid)) as i32,
        None => {
            let after = |&action: &u8| -minimax(game, &played(game, grid, action), known);
            legal.iter().map(after).max().expect("a legal action")
        }
    };
    known.insert(*grid, value);
    value
}

fn played(game: &Game<TicTacToe>, grid: &Grid, action: u8) -> Grid {
    let mut next = *grid;
    game.apply(&mut next, action);
    next
}

/// Positions of random games that are not over, `plies` plies in.
fn random_positions(game: &Game<TicTacToe>, plies: usize, count: u64) -> Vec<Grid> {
    let mut positions = Vec::new();
    for i in 0..count {
        let mut rng = random::stream("positions", plies as u64, 0, i);
        let (mut grid, mut legal) = (game.start(), Vec::new());
        game.legal_actions(&grid, &mut legal);
        for _ in 0..plies {
            if game.outcome(&grid, &legal, 0).is_none() {
                game.apply(&mut grid, legal[rng.random_range(0..legal.len())]);
                game.legal_actions(&grid, &mut legal);
            }
        }
        if game.outcome(&grid, &legal, 0).is_none() {
            positions.push(grid);
        }
    }
    positions
}

#[test]
fn tic_tac_toe_agrees_with_brute_force() {
    let game = TicTacToe::game();
    let mut known = HashMap::new();
    let mut rng = random::stream("solver", 0, 0, 0);
    let mut solved = 0;
    for mode in [Mode::Gumbel, Mode::Puct] {
        for (plies, playouts) in [(0, 200), (2, 100), (3, 4), (3, 4000), (4, 30), (5, 1500), (6, 400)] {
            let config = SearchConfig { mode, playouts, ..SearchConfig::default() };
            let mut searcher = Searcher::new(&game, config, 0);
            for grid in random_positions(&game, plies, 20) {
                let result = searcher
                    .search(&grid, &History::new(&game, &grid), &mut Uniform { batch_size: 1 }, &mut rng)
                    .unwrap();
                let truth = minimax(&game, &grid, &mut known);
                let text = grid.to_string();
                // A drawn position stays open while its best lines are proven draws, which draw the visits: only few
                // pieces left close it.
                if playouts >= 400 && (truth != 0 || plies >= 5) {
                    assert!(result.proof.is_known(), "{text} is not solved in {playouts} playouts of {mode:?}");
                }
                if let Some(value) = result.proof.value() {
                    assert_eq!(value as i32, truth, "{text} with {playouts} playouts of {mode:?}");
                    let after = played(&game, &grid, result.best().action);
                    assert_eq!(
                        -minimax(&game, &after, &mut known),
                        truth,
                        "{text}: the action chosen gives the result away"
                    );
                    solved += 1;
                }
                for action in &result.actions {
                    let after = -minimax(&game, &played(&game, &grid, action.action), &mut known);
                    assert!(action.proof.value().is_none_or(|value| value as i32 == after), "{text}: {action:?}");
                    assert!(!action.proof.is_loss() || action.policy == 0.0 || truth == -1, "{text}: {action:?}");
                }
                let total: f32 = result.policy().sum();
                assert!((total - 1.0).abs() < 1e-5, "{text}: the target sums to {total}");
            }
        }
    }
    assert!(solved > 100, "{solved} positions solved");
}

/// A place with equal logits, valued 0.
fn place(side: Side, actions: &[(usize, usize)]) -> Place {
    Place { side, result: None, actions: actions.to_vec(), logits: vec![0.0; actions.len()], value: 0.0 }
}

fn end(side: Side, result: i32) -> Place {
    Place { result: Some(result), ..place(side, &[]) }
}

fn config(mode: Mode, playouts: u32) -> SearchConfig {
    SearchConfig { mode, playouts, gumbel_scale: 0.0, dirichlet_fraction: 0.0, ..SearchConfig::default() }
}

/// Searches the last place of a game that went through `line`.
fn search(game: &Game<Explicit>, config: &SearchConfig, line: &[usize]) -> (Search<Explicit>, SearchResult<usize>) {
    let mut history = History::new(game, &line[0]);
    line[1..].iter().for_each(|place| history.push(game, place));
    let mut search = Search::new();
    search.begin(game, config, line.last().unwrap(), &history, &mut random::stream("solver", 0, 0, 0));
    finish(game, &mut search, &mut Cache::new(0));
    let result = search.result();
    (search, result)
}

#[test]
fn values_turn_with_the_side_and_not_with_the_depth() {
    use Side::{Black, White};
    // Action 0 leaves White to move again, action 1 passes the turn; both next places are good for the side to move
    // there.
    let again = Place { value: 0.4, ..place(White, &[(0, 3), (1, 4)]) };
    let passed = Place { value: 0.4, ..place(Black, &[(0, 3), (1, 4)]) };
    let black_won = end(Black, 1);
    let quiet = Place { value: -0.2, ..place(Black, &[(0, 4)]) };
    let game = Explicit::game(vec![place(White, &[(0, 1), (1, 2)]), again, passed, quiet, black_won], 0);
    for mode in [Mode::Gumbel, Mode::Puct] {
        let (_, result) = search(&game, &SearchConfig { solver: false, ..config(mode, 2) }, &[0]);
        assert!((result.actions[0].q - 0.4).abs() < 1e-6, "{mode:?}: {:?}", result.actions);
        assert!((result.actions[1].q + 0.4).abs() < 1e-6, "{mode:?}: {:?}", result.actions);
        assert!(result.value().abs() < 1e-6, "the mean of 0, 0.4 and -0.4");
    }
    // White wins by moving twice in a row.
    let two_in_a_row =
        vec![place(White, &[(0, 1), (1, 3)]), place(White, &[(0, 2), (1, 3)]), end(Black, -1), end(White, -1)];
    let (_, result) = search(&Explicit::game(two_in_a_row, 0), &config(Mode::Puct, 50), &[0]);
    assert_eq!((result.proof, result.best, result.moves_left), (Proof::Win(2), 0, 2.0));
    assert_eq!(result.wdl.to_array(), [1.0, 0.0, 0.0]);
}

#[test]
fn a_losing_action_is_neither_played_nor_taught() {
    use Side::{Black, White};
    // The evaluator loves action 0, which hangs the game.
    let root = Place { logits: vec![8.0, 0.0], ..place(White, &[(0, 1), (1, 3)]) };
    let mut places = vec![root, place(Black, &[(0, 2), (1, 3)]), end(White, -1)];
    for i in 3..40 {
        places.push(place(if i % 2 == 1 { Black } else { White }, &[(0, i + 1)]));
    }
    places.push(end(White, 0));
    let game = Explicit::game(places, 0);
    for (mode, playouts) in [(Mode::Gumbel, 3), (Mode::Gumbel, 16), (Mode::Puct, 3), (Mode::Puct, 16)] {
        // With so small a scale even a certain loss weighs less than the prior.
        let config = SearchConfig { c_scale: 0.01, ..config(mode, playouts) };
        let (_, result) = search(&game, &config, &[0]);
        let what = format!("{playouts} playouts of {mode:?}: {result:?}");
        assert_eq!((result.best, result.proof, result.actions[0].proof), (1, Proof::Unknown, Proof::Loss(2)), "{what}");
        assert_eq!(result.policy().collect::<Vec<_>>(), [0.0, 1.0], "{what}");
        assert_eq!(result.value(), 0.0, "the refuted line weighs on the root's value after {what}");
        assert_eq!(result.actions[0].visits, 2, "visited when refuted already, in {what}");
    }
}

#[test]
fn a_proven_loss_does_not_squeeze_the_other_actions_together() {
    use Side::{Black, White};
    // Action 0 hangs the game; action 1 is a little better than action 2, for as long as the search looks.
    let mut places = vec![place(White, &[(0, 1), (1, 3), (2, 63)]), place(Black, &[(0, 2)]), end(White, -1)];
    for (first, value) in [(3, 0.05), (63, 0.0)] {
        for i in 0..60 {
            let (side, value) = if i % 2 == 0 { (Black, -value) } else { (White, value) };
            places.push(Place { value, ..place(side, &[(0, if i < 59 { first + i + 1 } else { 123 })]) });
        }
    }
    places.push(end(White, 0));
    let stretched = SearchConfig { c_scale: 0.1, rescale_values: true, ..config(Mode::Gumbel, 24) };
    let (_, result) = search(&Explicit::game(places, 0), &stretched, &[0]);
    assert_eq!((result.actions[0].proof, result.actions[0].policy), (Proof::Loss(2), 0.0));
    // Stretched to 0 and 1 the two are at least e^5 apart; with the loss among them they would be e^0.3 apart.
    let ratio = result.actions[1].policy / result.actions[2].policy;
    assert!(ratio > 5f32.exp(), "{ratio}: {result:?}");
}

#[test]
fn what_a_playout_proves_is_what_it_backs_up() {
    use Side::{Black, White};
    // Below action 0 Black can take a draw or lose; the playout that looks at the loss proves the draw. Action 1 goes
    // on for long.
    let mut places =
        vec![place(White, &[(0, 1), (1, 4)]), place(Black, &[(0, 2), (1, 3)]), end(White, 0), end(White, 1)];
    for i in 4..60 {
        places.push(place(if i % 2 == 0 { Black } else { White }, &[(0, i + 1)]));
    }
    places.push(end(White, 0));
    let (search, result) = search(&Explicit::game(places, 0), &config(Mode::Puct, 20), &[0]);
    assert_eq!((result.proof, result.actions[0].proof), (Proof::Unknown, Proof::Draw(2)));
    assert_eq!(search.tree().edges(ROOT)[0].value_sum, 0.0);
}

#[test]
fn a_draw_by_repetition_counts_the_game_before_the_root() {
    use Side::{Black, White};
    // 0 and 1 lead to each other; the other actions lose for the side that plays them.
    let game = Explicit::game(
        vec![place(White, &[(0, 1), (1, 2)]), place(Black, &[(0, 0), (1, 3)]), end(Black, 1), end(White, 1)],
        3,
    );
    let config = config(Mode::Puct, 100);
    let (fresh, result) = search(&game, &config, &[0]);
    assert_eq!((result.proof, result.best), (Proof::Draw(4), 0), "0 1 0 1 0: the third time, after four plies");
    assert_eq!(fresh.tree().node(ROOT).repetitions, 0);
    let (later, result) = search(&game, &config, &[0, 1, 0]);
    assert_eq!((result.proof, result.best), (Proof::Draw(2), 0), "0 1 0 before, so two plies more");
    assert_eq!(later.tree().node(ROOT).repetitions, 1);
}

//! A yardstick for players: positions whose every action has a known value, and the share of them in which a player
//! chooses an action that keeps the value.

use std::ops::RangeInclusive;

use maydan::{
    encode::Rows,
    game::{Game, History, random},
    model::{Evaluations, Evaluator, EvaluatorError},
    search::{Cache, Search, SearchConfig, SearchResult, Step},
};
use rand::{Rng as _, seq::IndexedRandom};

use super::{
    board::{Board, COLUMNS, completions},
    game::ConnectFour,
    solver::Solver,
};

/// A position that asks something: at least two of its actions differ in value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub board: Board,
    /// The columns, 0 to 6, that its stones were dropped into one after the other.
    pub moves: Vec<u8>,
    /// The value of each legal action for the side to move, in the order of the rules: 1, 0 or -1.
    pub values: Vec<i32>,
}

impl Question {
    /// Whether the action at this place among the legal ones keeps the value of the position.
    pub fn is_kept_by(&self, action: usize) -> bool {
        self.values.iter().max() == Some(&self.values[action])
    }

    /// The share of its actions that keep the value: the score of a player that chooses by chance.
    pub fn chance(&self) -> f64 {
        let kept = (0..self.values.len()).filter(|&action| self.is_kept_by(action)).count();
        kept as f64 / self.values.len() as f64
    }
}

/// So many questions, no position twice, the same for the same seed. Numbers of stones are drawn evenly from `stones`.
///
/// Games lead there in which each side now and then overlooks a four: half of the moves complete one, or stop the other
/// side's, wherever that is possible; all others are random. Random moves alone would leave hanging wins everywhere,
/// and the questions would ask for little else.
pub fn questions(count: usize, stones: RangeInclusive<u32>, seed: u64, solver: &mut Solver) -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    for number in 0.. {
        if questions.len() == count {
            break;
        }
        let mut rng = random::stream("yardstick", seed, 0, number);
        let drawn = rng.random_range(stones.clone());
        let Some((board, moves)) = position(drawn, &mut rng) else { continue };
        let values = solver.values(&board);
        let asks = values.iter().any(|&value| value != values[0]);
        if asks && questions.iter().all(|question| question.board != board) {
            questions.push(Question { board, moves, values });
        }
    }
    questions
}

/// A position with so many stones and the moves to it, unless the game ends before.
fn position(stones: u32, rng: &mut random::Rng) -> Option<(Board, Vec<u8>)> {
    let (mut board, mut moves) = (Board::empty(), Vec::new());
    while board.occupied().count_ones() < stones {
        if board.is_won() {
            return None;
        }
        let landings = board.landings();
        let squares = match rng.random_bool(0.5) {
            true => [completions(board.own()) & landings, completions(board.other()) & landings, landings],
            false => [landings; 3],
        };
        let wanted = squares.into_iter().find(|&squares| squares != 0)?;
        let columns: Vec<u8> = (0..COLUMNS as u8).filter(|&column| board.landing(column) & wanted != 0).collect();
        let column = *columns.choose(rng)?;
        board.drop_stone(column);
        moves.push(column);
    }
    (!board.is_won()).then_some((board, moves))
}

/// Shares of questions, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// In which the evaluator's likeliest action keeps the value.
    pub policy: f64,
    /// In which the search's action does.
    pub search: f64,
}

/// Puts the questions to an evaluator and to a search with it.
///
/// # Errors
/// When the evaluator fails.
pub fn shares(
    game: &Game<ConnectFour>,
    questions: &[Question],
    config: &SearchConfig,
    evaluator: &mut dyn Evaluator,
) -> Result<Shares, EvaluatorError> {
    let (mut policy, mut search) = (0, 0);
    for batch in questions.chunks(evaluator.batch_size()) {
        for (question, result) in batch.iter().zip(searches(game, batch, config, evaluator)?) {
            let likeliest = (0..result.actions.len()).max_by(|&a, &b| {
                let prior = |action: usize| result.actions[action].prior;
                prior(a).total_cmp(&prior(b))
            });
            policy += usize::from(likeliest.is_some_and(|action| question.is_kept_by(action)));
            search += usize::from(question.is_kept_by(result.best));
        }
    }
    let share = |kept: usize| kept as f64 / questions.len() as f64;
    Ok(Shares { policy: share(policy), search: share(search) })
}

/// A search of each position, all at once: each call of the evaluator has a row of every search that waits for one.
fn searches(
    game: &Game<ConnectFour>,
    questions: &[Question],
    config: &SearchConfig,
    evaluator: &mut dyn Evaluator,
) -> Result<Vec<SearchResult<u8>>, EvaluatorError> {
    let mut cache = Cache::new(0);
    let (mut rows, mut evaluations) = (Rows::new(game.layout()), Evaluations::default());
    let mut searches = vec![Search::new(); questions.len()];
    for ((search, question), number) in searches.iter_mut().zip(questions).zip(0..) {
        let history = History::new(game, &question.board);
        search.begin(game, config, &question.board, &history, &mut random::stream("yardstick-search", 0, 0, number));
    }
    loop {
        let mut asking = Vec::new();
        for search in &mut searches {
            if search.step(game, &mut cache) == Step::Evaluate {
                asking.push(search);
            }
        }
        if asking.is_empty() {
            return Ok(searches.iter().map(Search::result).collect());
        }
        rows.clear();
        asking.iter().for_each(|search| rows.push(game, search.pending().position, search.pending().repetitions));
        evaluator.evaluate(&rows, &mut evaluations)?;
        for (row, search) in asking.into_iter().enumerate() {
            search.supply_rows(game, &mut cache, &evaluations, row);
        }
    }
}

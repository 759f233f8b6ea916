//! A validation set from the games of a run: a position a game, searched deeply.

use std::{collections::BTreeMap, ops::RangeInclusive, path::Path};

use rand::{Rng as _, seq::SliceRandom};

use super::{
    super::{
        Contender,
        lockstep::{Job, run_searches},
    },
    set::{FORMAT, Question, SetHeader, ValidationSet},
};
use crate::{
    data::{DataError, ReplayedGame, list_files, replay},
    game::{Encode, Game, History, Material, Notation, XBoard, random::stream},
    model::EvaluatorError,
    search::{Search, SearchConfig, SearchResult},
};

/// Rows of one call of the network.
const BATCH: usize = 32;

/// Positions drawn of a game until one can be asked.
const ATTEMPTS: usize = 16;

/// Parts of a policy target below this are left out.
const LEAST: f32 = 1e-3;

/// Plies for which White must stay ahead, so that a position is not in the middle of an exchange.
const SETTLED: usize = 4;

/// What a set is made of.
#[derive(Clone, Debug)]
pub struct SetConfig {
    pub positions: usize,
    /// Plies of the games at which positions are taken.
    pub plies: RangeInclusive<u32>,
    /// Playouts of a search, and actions at its root that share them.
    pub playouts: u32,
    pub considered_actions: u32,
    pub seed: u64,
}

/// Some games of a run in a random order, at most so many; files that cannot be read are left out.
///
/// # Errors
/// When a folder cannot be listed, or a file holds games of another ruleset.
fn games<R: Encode + Notation>(
    game: &Game<R>,
    run_dir: &Path,
    most: usize,
    seed: u64,
) -> Result<Vec<ReplayedGame<R>>, DataError> {
    let mut files = list_files(run_dir, 0..u64::MAX)?;
    files.shuffle(&mut stream("validation.files", seed, 0, 0));
    let mut games = Vec::new();
    for path in files {
        if games.len() >= most {
            break;
        }
        match replay(game, &path) {
            Ok(more) => games.extend(more),
            Err(error @ DataError::Ruleset { .. }) => return Err(error),
            Err(error) => tracing::warn!("left out: {error}"),
        }
    }
    Ok(games)
}

/// Draws a position of a game that has not occurred before in it and has a choice; none where none is found.
fn draw<R: Encode + Notation>(
    game: &Game<R>,
    played: &ReplayedGame<R>,
    plies: &RangeInclusive<u32>,
    seed: u64,
) -> Option<(u32, R::Position)> {
    let mut rng = stream("validation.ply", seed, played.generation, played.index);
    let last = (played.actions.len() as u32).saturating_sub(1).min(*plies.end());
    let first = *plies.start();
    if first > last {
        return None;
    }
    let mut legal = Vec::new();
    (0..ATTEMPTS).find_map(|_| {
        let ply = rng.random_range(first..=last);
        let mut position = played.start;
        let mut history = History::new(game, &position);
        for &action in &played.actions[..ply as usize] {
            game.apply(&mut position, action);
            history.push(game, &position);
        }
        game.legal_actions(&position, &mut legal);
        (history.repetitions(game, &position) == 0 && legal.len() > 1).then_some((ply, position))
    })
}

/// Makes a set from the games in a run's folder, each position of another game and searched as if a game began there.
/// It has fewer positions where the run has too few games.
///
/// # Errors
/// When the games cannot be read, or the network cannot be evaluated.
pub fn make_set<R: Encode + Notation + Material + XBoard>(
    game: &Game<R>,
    run_dir: &Path,
    network: &Contender,
    id: &str,
    config: &SetConfig,
    mut done: impl FnMut(usize),
) -> Result<Result<ValidationSet, EvaluatorError>, DataError> {
    // Games that end before the first ply asked for have no position.
    let games = games(game, run_dir, 2 * config.positions, config.seed)?;
    let drawn = games.iter().filter_map(|played| draw(game, played, &config.plies, config.seed));
    let drawn: Vec<(u32, R::Position)> = drawn.take(config.positions).collect();
    let settings = SearchConfig {
        playouts: config.playouts,
        considered_actions: config.considered_actions,
        gumbel_scale: 0.0,
        ..SearchConfig::default()
    };
    let mut searched = || -> Result<Vec<Question>, EvaluatorError> {
        let mut batcher = network.batcher(game, BATCH)?;
        let mut questions = Vec::new();
        for part in drawn.chunks(BATCH) {
            let jobs = part.iter().map(|(_, position)| Job {
                config: settings,
                position: *position,
                history: History::new(game, position),
                rng: stream("validation.search", config.seed, 0, 0),
            });
            let results = run_searches(game, &mut batcher, jobs.collect(), Search::result)?;
            questions
                .extend(part.iter().zip(&results).map(|((ply, position), result)| question(*ply, position, result)));
            done(questions.len());
        }
        Ok(questions)
    };
    let header = SetHeader {
        format: FORMAT,
        ruleset: game.ruleset().clone(),
        network: id.to_owned(),
        playouts: config.playouts,
        considered_actions: config.considered_actions,
    };
    Ok(searched().map(|questions| ValidationSet { header, questions }))
}

fn question<A: Copy + ToString>(ply: u32, position: &impl ToString, result: &SearchResult<A>) -> Question {
    let kept = || result.actions.iter().filter(|action| action.policy >= LEAST);
    let sum: f32 = kept().map(|action| action.policy).sum();
    let round = |p: f32| (p * 1e4).round() / 1e4;
    let policy: BTreeMap<String, f32> =
        kept().map(|action| (action.action.to_string(), round(action.policy / sum))).collect();
    let [win, draw, loss] = result.wdl.to_array().map(round);
    Question { position: position.to_string(), ply, win, draw, loss, policy }
}

/// Positions of a run's games in which White is ahead by at least so many centipawns more than at the start, and stays
/// so: one a game, at most so many. A player is measured by how many of them it wins with White.
///
/// # Errors
/// When the games cannot be read.
pub fn won_positions<R: Encode + Notation + Material>(
    game: &Game<R>,
    run_dir: &Path,
    ahead: i32,
    most: usize,
    seed: u64,
) -> Result<Vec<String>, DataError> {
    let level = game.rules().material(&game.start());
    // Most games have such a position or one with Black ahead.
    let games = games(game, run_dir, 8 * most, seed)?;
    let won = games.iter().filter_map(|played| {
        let mut rng = stream("validation.won", seed, played.generation, played.index);
        let (mut position, mut run, mut found) = (played.start, 0, Vec::new());
        for &action in &played.actions {
            let is_ahead = game.rules().material(&position) - level >= ahead;
            run = if is_ahead { run + 1 } else { 0 };
            if run > SETTLED {
                found.push(position);
            }
            game.apply(&mut position, action);
        }
        (!found.is_empty()).then(|| found[rng.random_range(0..found.len())].to_string())
    });
    Ok(won.take(most).collect())
}

//! Self-play beside training: with `[run] lag` above 0 the games of the generations to come are played while the learner
//! trains, by networks that are there already.

use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{
    budget::Budget,
    play::{Games, GamesPlayed, Players},
    run::{Run, RunError},
};
use crate::{
    console::{Ending, Progress},
    disk::remove_partial_files,
    game::Playable,
    model::Checkpoint,
};

/// How often it is looked whether the games are over.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What is played meanwhile.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Generation that is played, and games of it that are over.
    generation: AtomicU64,
    games: AtomicU64,
    /// Whether it is to end, with games that are not over lost.
    stop: AtomicBool,
    /// Whether training is over: no other generation is begun.
    trained: AtomicBool,
}

impl Ahead {
    /// Behind the words of a training.
    pub(super) fn words(&self) -> String {
        let (generation, games) = (self.generation.load(Ordering::Relaxed), self.games.load(Ordering::Relaxed));
        format!("; gen {generation} self-play {games} games")
    }
}

/// A generation that was played, and when.
struct Done {
    number: u64,
    of: GamesPlayed,
    began: Instant,
    ended: Instant,
}

impl<R: Playable> Run<R> {
    /// Trains `checkpoint` while generations are played that its successor need not be there for.
    pub(super) fn learn_and_play_ahead(
        &mut self,
        checkpoint: &Checkpoint,
        whole: Option<Budget>,
    ) -> Result<Ending, RunError> {
        let generation = checkpoint.metadata().generation;
        let (lag, last) = (self.config.run.lag, self.config.run.generations);
        let to_come = (generation + 1..=generation + lag).filter(|&number| last == 0 || number < last);
        let to_come = to_come.map(|number| {
            remove_partial_files(&self.directory.games(number))?;
            self.games(number)
        });
        let to_come = to_come.collect::<Result<Vec<Games<R>>, _>>()?;
        if to_come.is_empty() {
            return self.learn(checkpoint, whole, None);
        }
        let (ahead, stopped, players) = (Ahead::default(), self.stop.clone(), self.players.clone());
        let began = Instant::now();
        let (learned, ended, played) = thread::scope(|scope| {
            let player = scope.spawn(|| play(&*players, &to_come, &ahead, &stopped));
            let learned = self.learn(checkpoint, whole, Some(&ahead));
            let ended = Instant::now();
            ahead.trained.store(true, Ordering::Relaxed);
            if !matches!(learned, Ok(Ending::Done)) {
                ahead.stop.store(true, Ordering::Relaxed);
            }
            let number = ahead.generation.load(Ordering::Relaxed);
            let progress = Progress::new(format!("gen {number} self-play"), self.config.selfplay.games);
            while !player.is_finished() {
                progress.show(ahead.games.load(Ordering::Relaxed), || "games".to_owned());
                thread::sleep(LOOK_EVERY);
            }
            (learned, ended, player.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let (done, failure) = played;
        for Done { number, of, began: since, ended: until } in &done {
            let both = until.min(&ended).saturating_duration_since(*since.max(&began));
            self.report_games(*number, of, both.as_secs_f64())?;
        }
        // Why training ended comes before what happened to games meanwhile.
        let learned = learned?;
        match failure {
            Some(error) => Err(error),
            None => Ok(learned),
        }
    }
}

/// Has one generation after the other played, and gives those that are complete, with what kept it from the next.
fn play<R: Playable>(
    players: &dyn Players<R>,
    to_come: &[Games<R>],
    ahead: &Ahead,
    stopped: &AtomicBool,
) -> (Vec<Done>, Option<RunError>) {
    let mut done = Vec::new();
    for (i, games) in to_come.iter().enumerate() {
        if i > 0 && ahead.trained.load(Ordering::Relaxed) {
            break;
        }
        ahead.games.store(0, Ordering::Relaxed);
        ahead.generation.store(games.number, Ordering::Relaxed);
        let began = Instant::now();
        let played = players.play(games, &ahead.stop, &mut |statistics, _| {
            ahead.games.store(statistics.games, Ordering::Relaxed);
            if stopped.load(Ordering::Relaxed) {
                ahead.stop.store(true, Ordering::Relaxed);
            }
        });
        match played {
            Ok(of) if of.played.complete => {
                done.push(Done { number: games.number, of, began, ended: Instant::now() });
            }
            Ok(_) => break,
            Err(error) => return (done, Some(error)),
        }
    }
    (done, None)
}

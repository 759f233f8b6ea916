//! Threads that search one tree together, each with an evaluator of the same network.

use std::{
    ops::ControlFlow,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use rayon::prelude::*;

use super::{Cache, Leaves, Search};
use crate::{
    encode::Rows,
    game::{Encode, Game, Layout},
    model::{Evaluations, Evaluator, EvaluatorError, MakeEvaluator},
};

/// Rows of the calls that an evaluator is made for, the greatest first. A call is padded to the next of them: a search
/// that has hardly begun should not wait for many positions at once.
const SIZES: [usize; 3] = [16, 4, 1];

/// Playouts that are over for each that may wait: while few are, those under way would know too little of one another.
const OVER_FOR_EACH: u32 = 64;

/// How many positions a search with so many playouts should wait for at once, `most` at most.
pub fn leaves_after(playouts: u32, most: usize) -> usize {
    ((playouts / OVER_FOR_EACH) as usize).clamp(1, most.max(1))
}

/// Runs searches on one or more threads. While one thread evaluates a batch, the others walk the tree or evaluate
/// theirs, so no processor waits for another. With one thread a search goes the same way every time.
pub struct Crew {
    make: Arc<MakeEvaluator>,
    /// The calling thread's first, at least one.
    workers: Vec<Worker>,
}

impl Crew {
    /// A crew of one, for rows of `layout`.
    ///
    /// # Errors
    /// When there is no evaluator to be had.
    pub fn new(make: Arc<MakeEvaluator>, layout: &'static Layout) -> Result<Self, EvaluatorError> {
        let workers = vec![Worker::new(&*make, layout)?];
        Ok(Crew { make, workers })
    }

    /// Computes on so many threads from now on, the caller's among them.
    ///
    /// # Errors
    /// When there are no evaluators for them.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EvaluatorError> {
        let (threads, layout) = (threads.max(1), self.workers[0].rows.layout());
        self.workers.truncate(threads);
        // Side by side: a runtime may compile the network for each.
        let missing = (self.workers.len()..threads).into_par_iter();
        let made: Vec<Worker> = missing.map(|_| Worker::new(&*self.make, layout)).collect::<Result<_, _>>()?;
        self.workers.extend(made);
        Ok(())
    }

    /// Runs a search that was begun, until `look` breaks it off. The calling thread looks again and again: once the
    /// root is evaluated, after each of its batches, and whenever the search has nothing left to do; then `look` must
    /// break it off or [allow](Search::allow) more playouts.
    ///
    /// # Errors
    /// When an evaluator fails; the search can go on then, or be asked for its result.
    pub fn run<R: Encode>(
        &mut self,
        game: &Game<R>,
        search: &mut Search<R>,
        cache: &mut Cache<R>,
        mut look: impl FnMut(&mut Search<R>) -> ControlFlow<()>,
    ) -> Result<(), EvaluatorError> {
        let most_leaves = SIZES[0] * self.workers.len();
        let shared = Shared {
            game,
            most_leaves,
            state: Mutex::new(State { search, cache, is_over: false, result: Ok(()) }),
            changed: Condvar::new(),
        };
        let (own, others) = self.workers.split_first_mut().expect("a crew of at least one");
        thread::scope(|scope| {
            let shared = &shared;
            for worker in others {
                scope.spawn(move || worker.work(shared, None));
            }
            own.work(shared, Some(&mut look));
        });
        shared.state.into_inner().unwrap_or_else(PoisonError::into_inner).result
    }
}

/// What the threads of a search share.
struct Shared<'a, R: Encode> {
    game: &'a Game<R>,
    /// Most positions that all of them wait for at once.
    most_leaves: usize,
    state: Mutex<State<'a, R>>,
    /// Signalled when playouts are over, more are allowed, or the search is over.
    changed: Condvar,
}

struct State<'a, R: Encode> {
    search: &'a mut Search<R>,
    cache: &'a mut Cache<R>,
    is_over: bool,
    /// The first failure.
    result: Result<(), EvaluatorError>,
}

impl<'a, R: Encode> Shared<'a, R> {
    fn lock(&self) -> MutexGuard<'_, State<'a, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the search when its thread panics: the others would wait for it.
struct Alarm<'a, 'b, R: Encode>(&'b Shared<'a, R>);

impl<R: Encode> Drop for Alarm<'_, '_, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().is_over = true;
            self.0.changed.notify_all();
        }
    }
}

/// Looks at a search between two batches.
type Look<'a, R> = dyn FnMut(&mut Search<R>) -> ControlFlow<()> + 'a;

/// What one thread has to itself.
struct Worker {
    evaluator: BySize,
    rows: Rows,
    evaluations: Evaluations,
}

impl Worker {
    fn new(make: &MakeEvaluator, layout: &'static Layout) -> Result<Self, EvaluatorError> {
        Ok(Worker { evaluator: BySize::new(make)?, rows: Rows::new(layout), evaluations: Evaluations::default() })
    }

    /// Takes part in a search until it is over. A thread that can `look` ends it.
    fn work<R: Encode>(&mut self, shared: &Shared<'_, R>, mut look: Option<&mut Look<'_, R>>) {
        let _alarm = Alarm(shared);
        let mut leaves = Leaves::default();
        let mut state = shared.lock();
        while !state.is_over {
            let State { search, cache, .. } = &mut *state;
            let waiting = search.begun() - search.playouts();
            let allowed = leaves_after(search.playouts(), shared.most_leaves).saturating_sub(waiting as usize);
            if allowed > 0 {
                search.gather_into(&mut leaves, shared.game, cache, allowed.min(SIZES[0]));
            }
            let has_worked = !leaves.is_empty();
            if has_worked {
                drop(state);
                let answers = self.evaluate(shared.game, &leaves);
                state = shared.lock();
                let State { search, cache, is_over, result } = &mut *state;
                match answers {
                    Ok(()) => search.supply_rows_to(&mut leaves, shared.game, cache, &self.evaluations, 0),
                    Err(error) => (*is_over, *result) = (true, Err(error)),
                }
            }
            if let Some(look) = &mut look
                && !state.is_over
                && !state.search.tree().is_empty()
            {
                state.is_over = look(state.search).is_break();
            }
            if has_worked || state.is_over {
                shared.changed.notify_all();
            } else if look.is_none() || state.search.begun() > state.search.playouts() {
                state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        state.search.give_up(&mut leaves);
    }

    fn evaluate<R: Encode>(&mut self, game: &Game<R>, leaves: &Leaves<R>) -> Result<(), EvaluatorError> {
        self.rows.clear();
        leaves.iter().for_each(|leaf| self.rows.push(game, leaf.position, leaf.repetitions));
        self.evaluator.evaluate(&self.rows, &mut self.evaluations)
    }
}

/// One network's evaluators for calls of the [`SIZES`], in their order. All are made at once: a search on the clock
/// should not wait for one.
struct BySize(Vec<Box<dyn Evaluator>>);

impl BySize {
    fn new(make: &MakeEvaluator) -> Result<Self, EvaluatorError> {
        SIZES.iter().map(|&size| make(size)).collect::<Result<_, _>>().map(BySize)
    }

    /// At most as many rows as the greatest of [`SIZES`].
    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        let place = SIZES.iter().rposition(|&size| size >= rows.len()).unwrap_or(0);
        self.0[place].evaluate(rows, out)
    }
}

//! An evaluator on a thread of its own, so that several compute at once for one caller.

use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread::{self, JoinHandle},
};

use super::evaluator::{Background, Evaluations, Evaluator, EvaluatorError};
use crate::encode::Rows;

/// Rows for the thread, and memory for its answers.
type Job = (Rows, Evaluations);
type Answer = (Evaluations, Result<(), EvaluatorError>);

/// An evaluator that works while its caller does something else. The thread ends with the worker.
#[derive(Debug)]
pub struct Worker {
    /// Closed when the worker goes.
    jobs: Option<Sender<Job>>,
    answers: Receiver<Answer>,
    /// The memory of the last answers.
    spare: Evaluations,
    busy: bool,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Makes an evaluator on a new thread.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(
        make: impl FnOnce() -> Result<Box<dyn Evaluator>, EvaluatorError> + Send + 'static,
    ) -> Result<Self, EvaluatorError> {
        let (jobs, orders) = channel::<Job>();
        let (results, answers) = channel();
        let (ready, made) = channel();
        let thread = thread::spawn(move || {
            let mut evaluator = match make() {
                Ok(evaluator) => evaluator,
                Err(error) => return drop(ready.send(Err(error))),
            };
            let _ = ready.send(Ok(()));
            for (rows, mut evaluations) in orders {
                let result = evaluator.evaluate(&rows, &mut evaluations);
                if results.send((evaluations, result)).is_err() {
                    break;
                }
            }
        });
        made.recv().unwrap_or_else(|_| Err(gone()))?;
        Ok(Worker { jobs: Some(jobs), answers, spare: Evaluations::default(), busy: false, thread: Some(thread) })
    }
}

impl Background for Worker {
    fn start(&mut self, rows: &Rows) -> Result<(), EvaluatorError> {
        if std::mem::replace(&mut self.busy, true) {
            return Err(EvaluatorError("expected one batch at a time, found another under way".to_owned()));
        }
        let jobs = self.jobs.as_ref().expect("a worker that has not gone");
        jobs.send((rows.clone(), std::mem::take(&mut self.spare))).map_err(|_| gone())
    }

    fn finish(&mut self, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        if !std::mem::take(&mut self.busy) {
            return Err(EvaluatorError("expected a batch under way, found none".to_owned()));
        }
        let (evaluations, result) = self.answers.recv().map_err(|_| gone())?;
        self.spare = std::mem::replace(out, evaluations);
        result
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn gone() -> EvaluatorError {
    EvaluatorError("a thread that evaluates has ended".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::shatara::Shatara, model::Uniform};

    #[test]
    fn answers_as_the_evaluator_itself() {
        let game = Shatara::game(&toml::Table::new()).unwrap();
        let mut worker = Worker::new(|| Ok(Box::new(Uniform { batch_size: 3 }))).unwrap();
        let (mut here, mut there) = (Evaluations::default(), Evaluations::default());
        for count in [3, 1, 2] {
            let mut rows = Rows::new(game.layout());
            (0..count).for_each(|_| rows.push(&game, &game.start(), 0));
            worker.start(&rows).unwrap();
            assert!(worker.start(&rows).is_err());
            worker.finish(&mut there).unwrap();
            Uniform { batch_size: 3 }.evaluate(&rows, &mut here).unwrap();
            assert_eq!(there, here);
        }
        assert!(worker.finish(&mut there).is_err());
        let error = Worker::new(|| Err(EvaluatorError("no such network".to_owned()))).unwrap_err();
        assert_eq!(error.to_string(), "evaluator: no such network");
    }
}

//! Evaluators that wait for the next game. A runtime takes long to compile a network for its processor: without these,
//! a client who begins game after game keeps a core busy, and many clients who come at once wait for each other.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    encode::Rows,
    model::{Background, Evaluations, Evaluator, EvaluatorError, MakeEvaluator},
};

/// Evaluators of one network that nobody uses, as many as were in use at one time.
type Spare = Mutex<Vec<Box<dyn Evaluator>>>;

/// Makes evaluators of the same network, and only where none is spare.
pub(super) fn sparing(network: Arc<MakeEvaluator>) -> Arc<MakeEvaluator> {
    let spare: Arc<Spare> = Arc::default();
    Arc::new(move |batch_size| {
        let known = take(&spare, batch_size).map_or_else(|| network(batch_size), Ok)?;
        Ok(Box::new(Lent { evaluator: Some(known), batch_size, spare: Arc::clone(&spare) }))
    })
}

fn take(spare: &Spare, batch_size: usize) -> Option<Box<dyn Evaluator>> {
    let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
    let fitting = spare.iter().position(|evaluator| evaluator.batch_size() == batch_size)?;
    Some(spare.swap_remove(fitting))
}

/// An evaluator that goes back when its bot goes.
struct Lent {
    /// None once it has failed: another may do better.
    evaluator: Option<Box<dyn Evaluator>>,
    batch_size: usize,
    spare: Arc<Spare>,
}

impl Evaluator for Lent {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        let evaluator =
            self.evaluator.as_mut().ok_or_else(|| EvaluatorError::Refused("it has failed before".to_owned()))?;
        let answer = evaluator.evaluate(rows, out);
        if answer.is_err() {
            self.evaluator = None;
        }
        answer
    }

    fn background(&mut self) -> Option<&mut dyn Background> {
        self.evaluator.as_mut()?.background()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // After a panic nobody knows what it holds.
        if let Some(evaluator) = self.evaluator.take().filter(|_| !std::thread::panicking()) {
            self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(evaluator);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{game::shatar::Shatar, model::Uniform};

    #[test]
    fn none_is_made_while_one_is_spare() {
        let made: Arc<AtomicUsize> = Arc::default();
        let count = Arc::clone(&made);
        let make = sparing(Arc::new(move |batch_size| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(Box::new(Uniform { batch_size }))
        }));
        for _ in 0..3 {
            let both = [make(1).unwrap(), make(4).unwrap()];
            assert_eq!(both.map(|evaluator| evaluator.batch_size()), [1, 4]);
        }
        assert_eq!(made.load(Ordering::SeqCst), 2);
        let both = [make(1).unwrap(), make(1).unwrap()];
        assert_eq!(made.load(Ordering::SeqCst), 3);
        drop(both);
        drop([make(1).unwrap(), make(1).unwrap()]);
        assert_eq!(made.load(Ordering::SeqCst), 3);
    }

    /// Fails at its first call.
    struct Failing;

    impl Evaluator for Failing {
        fn batch_size(&self) -> usize {
            1
        }

        fn evaluate(&mut self, _: &Rows, _: &mut Evaluations) -> Result<(), EvaluatorError> {
            Err(EvaluatorError::Refused("no".to_owned()))
        }
    }

    #[test]
    fn what_has_failed_is_not_used_again() {
        let made: Arc<AtomicUsize> = Arc::default();
        let count = Arc::clone(&made);
        let make = sparing(Arc::new(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(Box::new(Failing))
        }));
        let game = Shatar::game(&toml::Table::new()).unwrap();
        let (rows, mut out) = (Rows::new(game.layout()), Evaluations::default());
        let mut evaluator = make(1).unwrap();
        assert_eq!(evaluator.evaluate(&rows, &mut out).unwrap_err(), EvaluatorError::Refused("no".to_owned()));
        assert!(evaluator.evaluate(&rows, &mut out).is_err());
        drop(evaluator);
        drop(make(1).unwrap());
        assert_eq!(made.load(Ordering::SeqCst), 2);
    }
}

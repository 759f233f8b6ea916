//! Work done ahead of its use.

use std::{
    panic::resume_unwind,
    sync::mpsc::{Receiver, sync_channel},
    thread::{self, JoinHandle},
};

/// The items of an iterator, in order, made ready on a thread of their own while earlier ones are in use.
///
/// The thread ends with the last item, or when this is dropped: then at the latest after the item that it is making.
#[derive(Debug)]
pub struct Prefetch<T> {
    /// `None` once the last item has been taken.
    source: Option<Source<T>>,
}

#[derive(Debug)]
struct Source<T> {
    ready: Receiver<T>,
    thread: JoinHandle<()>,
}

impl<T: Send + 'static> Prefetch<T> {
    /// `ahead` is how many items may wait; one more may be in the making.
    pub fn new(ahead: usize, items: impl Iterator<Item = T> + Send + 'static) -> Self {
        let (sender, ready) = sync_channel(ahead);
        let thread = thread::spawn(move || {
            for item in items {
                if sender.send(item).is_err() {
                    break;
                }
            }
        });
        Prefetch { source: Some(Source { ready, thread }) }
    }
}

impl<T> Iterator for Prefetch<T> {
    type Item = T;

    /// # Panics
    /// When the iterator behind panicked: its items would else seem to be at their end.
    fn next(&mut self) -> Option<T> {
        let item = self.source.as_ref()?.ready.recv().ok();
        if item.is_none()
            && let Some(Source { thread, .. }) = self.source.take()
        {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        item
    }
}

impl<T> Drop for Prefetch<T> {
    fn drop(&mut self) {
        if let Some(Source { ready, thread }) = self.source.take() {
            drop(ready);
            // A panic in there concerns an item that was not asked for.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::{Arc, atomic::AtomicUsize, atomic::Ordering::SeqCst},
    };

    use super::*;

    #[test]
    fn items_come_in_order_and_end() {
        for ahead in [1, 3, 100] {
            let mut items = Prefetch::new(ahead, 0..50);
            assert_eq!(items.by_ref().collect::<Vec<_>>(), (0..50).collect::<Vec<_>>());
            assert_eq!(items.next(), None);
        }
    }

    #[test]
    fn dropped_early_it_stops_the_work() {
        let made = Arc::new(AtomicUsize::new(0));
        let count = made.clone();
        let mut items = Prefetch::new(
            2,
            (0..).inspect(move |_| {
                count.fetch_add(1, SeqCst);
            }),
        );
        assert_eq!((items.next(), items.next()), (Some(0), Some(1)));
        drop(items);
        // Two were taken, two may have waited, one may have been in the making when those stopped waiting, and one when
        // the receiver was gone.
        let made_at_the_end = made.load(SeqCst);
        assert!((2..=6).contains(&made_at_the_end), "{made_at_the_end}");
        assert_eq!(Arc::strong_count(&made), 1, "the thread and what it held are gone");
    }

    #[test]
    fn what_follows_an_error_is_not_waited_for() {
        let items = Prefetch::new(1, (0..).map(|i| if i < 3 { Ok(i) } else { Err(format!("item {i}")) }));
        assert_eq!(items.collect::<Result<Vec<i32>, String>>(), Err("item 3".to_owned()));
    }

    #[test]
    fn a_panic_behind_is_no_end() {
        let mut items = Prefetch::new(1, (0..5).inspect(|&i| assert!(i < 2, "item {i}")));
        assert_eq!((items.next(), items.next()), (Some(0), Some(1)));
        let panic = catch_unwind(AssertUnwindSafe(|| items.next())).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().unwrap(), "item 2");
    }
}

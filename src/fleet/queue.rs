//! The takers' end of a queue of messages, each of which is given to one taker at a time.

use std::time::Duration;

use async_nats::jetstream::{
    self, AckKind,
    consumer::{Consumer, pull},
};
use futures_util::StreamExt as _;

use super::{
    FleetError,
    link::{ANSWER, HEAD, Link},
};

/// The takers' end of a queue.
pub struct Queue<'a> {
    pub(super) link: &'a Link,
    pub(super) consumer: Consumer<pull::Config>,
}

impl Queue<'_> {
    /// Takes up to `most` messages; waits for the first until `patience` is over.
    ///
    /// # Errors
    /// When the queue is not there any more, or there is no answer.
    pub fn take(&self, most: usize, patience: Duration) -> Result<Vec<Taken>, FleetError> {
        let took: Result<Vec<Taken>, String> = self.link.wait(async {
            let batch = self.consumer.fetch().max_messages(most).expires(patience).messages();
            let mut batch = batch.await.map_err(|problem| problem.to_string())?;
            let mut taken = Vec::new();
            // A server that is gone answers nothing at all.
            let mut wait = patience + ANSWER;
            while let Ok(next) = tokio::time::timeout(wait, batch.next()).await {
                match next {
                    Some(Ok(message)) => taken.push(Taken { message }),
                    Some(Err(problem)) if taken.is_empty() => return Err(problem.to_string()),
                    Some(Err(_)) | None => return Ok(taken),
                }
                if taken.len() == most {
                    return Ok(taken);
                }
                wait = ANSWER;
            }
            if taken.is_empty() { Err("no answer".to_owned()) } else { Ok(taken) }
        });
        took.map_err(|problem| self.link.error("queue", problem))
    }
}

/// A message that was taken from a queue.
pub struct Taken {
    message: jetstream::Message,
}

impl Taken {
    pub fn payload(&self) -> &[u8] {
        &self.message.payload
    }

    /// What goes before a file of games.
    pub fn head(&self) -> Option<&[u8]> {
        self.message.headers.as_ref()?.get(HEAD).map(|head| head.as_str().as_bytes())
    }

    /// How often it was handed out, from 1.
    pub fn delivery(&self) -> u64 {
        self.message.info().map_or(1, |info| u64::try_from(info.delivered).unwrap_or(1))
    }

    /// Answers for it.
    fn answer(&self, link: &Link, kind: AckKind) {
        let _ = link.wait(async { tokio::time::timeout(ANSWER, self.message.ack_with(kind)).await });
    }

    /// It is done. Where the server does not take that down, it is handed out again, and its second answer found to be one
    /// too many.
    pub fn done(&self, link: &Link) {
        let _ = link.wait(async { tokio::time::timeout(ANSWER, self.message.double_ack()).await });
    }

    /// It is being worked on.
    pub fn beat(&self, link: &Link) {
        self.answer(link, AckKind::Progress);
    }

    /// Another may take it now.
    pub fn give_back(&self, link: &Link) {
        self.answer(link, AckKind::Nak(None));
    }

    /// Nobody is to take it any more.
    pub fn end(&self, link: &Link) {
        self.answer(link, AckKind::Term);
    }
}

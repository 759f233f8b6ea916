//! How long a server may not answer.

use std::time::{Duration, Instant};

use super::FleetError;

/// Since when there was no answer.
#[derive(Debug)]
pub struct Silence {
    patience: Duration,
    since: Option<Instant>,
}

impl Silence {
    pub fn new(patience: Duration) -> Self {
        Silence { patience, since: None }
    }

    /// There was an answer.
    pub fn broken(&mut self) {
        self.since = None;
    }

    /// Takes an error as a server that is away, until that has lasted too long.
    ///
    /// # Errors
    /// With the problem, when it has, or the server has answered that it refuses.
    pub fn bear(&mut self, problem: FleetError) -> Result<(), FleetError> {
        let since = *self.since.get_or_insert_with(Instant::now);
        if !problem.may_pass() || since.elapsed() > self.patience {
            return Err(problem);
        }
        tracing::info!("{problem}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_away_is_borne_for_so_long_and_one_that_refuses_is_not() {
        let url = || "nats://a:1".to_owned();
        let away = || FleetError::Server { url: url(), what: "read", reason: "no answer".to_owned() };
        let mut silence = Silence::new(Duration::from_secs(3600));
        assert!(silence.bear(away()).is_ok());
        assert!(silence.bear(FleetError::Refused { url: url(), reason: "no".to_owned() }).is_err());
        let mut short = Silence::new(Duration::from_millis(200));
        assert!(short.bear(away()).is_ok(), "it has only begun");
        std::thread::sleep(Duration::from_millis(201));
        assert!(short.bear(away()).is_err());
        short.broken();
        assert!(short.bear(away()).is_ok());
    }
}

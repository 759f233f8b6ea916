//! The line that is printed for a generation when its training is done.

use super::metrics::{SelfplayEvent, TrainEvent};
use crate::game::Outcome;

/// What is known of a generation. A session that goes on where a killed one left off may know less.
#[derive(Debug)]
pub struct Summary<'a> {
    pub generation: u64,
    /// Games and plies on the disk.
    pub games: u64,
    pub plies: u64,
    /// How they were played, from the journal.
    pub played: Option<&'a SelfplayEvent>,
    /// The last losses, from the journal.
    pub trained: Option<&'a TrainEvent>,
}

impl Summary<'_> {
    /// The line.
    pub fn line(&self) -> String {
        let length = self.plies as f64 / self.games.max(1) as f64;
        let mut line = format!("gen {:>4}  {} games of {length:.0} plies", self.generation, self.games);
        if let Some(played) = self.played {
            let share = |result: &str| {
                let count = played.results.get(result).copied().unwrap_or(0);
                format!("{:.0}", 100.0 * count as f64 / played.games.max(1) as f64)
            };
            let [white, draw, black] = Outcome::RESULTS.map(|winner| share(Outcome::name_of(winner)));
            let (plies, evaluations) = (played.plies_per_second, played.evaluations_per_second);
            line += &format!(", white/draw/black {white}/{draw}/{black} %");
            line += &format!(", {plies:.0} plies/s, {evaluations:.0} evaluations/s");
            if played.memory_mib > 0 {
                line += &format!(", {} MiB", played.memory_mib);
            }
        }
        if let Some(trained) = self.trained {
            let heads = trained.losses.iter().filter(|(head, _)| *head != "total");
            let losses: Vec<String> = heads.map(|(head, loss)| format!("{head} {loss:.3}")).collect();
            let (losses, window, rows) = (losses.join(", "), trained.window, trained.rows_per_second);
            line += &format!("; loss: {losses}; step {}, window {window} rows, {rows:.0} rows/s", trained.step);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_known() {
        let played = SelfplayEvent {
            games: 3,
            results: [("white".to_owned(), 2), ("draw".to_owned(), 1)].into(),
            plies_per_second: 812.4,
            evaluations_per_second: 9000.0,
            memory_mib: 412,
            ..SelfplayEvent::default()
        };
        let losses = [("total", 3.0), ("policy", 2.0), ("value", 1.0)].map(|(head, loss)| (head.to_owned(), loss));
        let trained = TrainEvent { step: 70, losses: losses.into(), window: 600, ..TrainEvent::default() };
        let known = Summary { generation: 2, games: 4, plies: 200, played: Some(&played), trained: Some(&trained) };
        let line = known.line();
        for part in [
            "gen    2  4 games of 50 plies",
            "white/draw/black 67/33/0 %",
            "812 plies/s, 9000 evaluations/s, 412 MiB",
            "policy 2.000, value 1.000;",
            "window 600 rows",
        ] {
            assert!(line.contains(part), "{line}");
        }
        let bare = Summary { played: None, trained: None, ..known };
        assert_eq!(bare.line(), "gen    2  4 games of 50 plies");
    }
}

//! What is printed of a generation when its training is done: two lines, of its games and of its training.

use super::{
    budget::Outlook,
    metrics::{SelfplayEvent, TrainEvent},
};
use crate::game::Outcome;

/// What is known of a generation. A session that goes on where a killed one left off may know less.
#[derive(Debug, Default)]
pub struct Summary<'a> {
    pub generation: u64,
    /// Games and plies on the disk.
    pub games: u64,
    pub plies: u64,
    /// How they were played, from the journal.
    pub played: Option<&'a SelfplayEvent>,
    /// The last losses, from the journal.
    pub trained: Option<&'a TrainEvent>,
    /// The same of the generation before.
    pub played_before: Option<&'a SelfplayEvent>,
    pub trained_before: Option<&'a TrainEvent>,
    /// Where the run will end, where that is known.
    pub outlook: Option<Outlook>,
}

/// What is shown of the losses: the name in the journal and on the line.
const LOSSES: [(&str, &str); 3] = [("policy", "policy"), ("value", "value"), ("moves_left", "moves left")];

impl Summary<'_> {
    /// The lines; the second one is missing where nothing is known of the training.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.of_games()];
        lines.extend(self.trained.map(|trained| self.of_training(trained)));
        lines
    }

    fn of_games(&self) -> String {
        let length = self.plies as f64 / self.games.max(1) as f64;
        let change =
            self.played_before.map_or(String::new(), |before| format!(" ({:+.0})", length - before.game_length));
        let of = self.outlook.map_or(String::new(), |outlook| format!(" of {}", outlook.generations));
        let mut line = format!("gen {:>4}{of}  {} games of {length:.0} plies{change}", self.generation, self.games);
        if let Some(played) = self.played {
            let share = |result: &str| {
                let count = played.results.get(result).copied().unwrap_or(0);
                format!("{:.0}", 100.0 * count as f64 / played.games.max(1) as f64)
            };
            let [white, draw, black] = Outcome::RESULTS.map(|winner| share(Outcome::name_of(winner)));
            line += &format!(", white/draw/black {white}/{draw}/{black} %, {:.0} plies/s", played.plies_per_second);
        }
        if let Some(outlook) = self.outlook {
            line += &format!("; {} left", duration(outlook.seconds_left));
        }
        line
    }

    fn of_training(&self, trained: &TrainEvent) -> String {
        let is_known = LOSSES.iter().any(|(head, _)| trained.losses.contains_key(*head));
        // A program of the user's may have heads of its own.
        let own = trained.losses.keys().filter(|_| !is_known).map(|head| (head.as_str(), head.as_str()));
        let losses = LOSSES.into_iter().chain(own).filter_map(|(head, name)| {
            let loss = trained.losses.get(head)?;
            let before = self.trained_before.and_then(|before| before.losses.get(head));
            let change = before.map_or(String::new(), |before| format!(" ({:+.3})", loss - before));
            Some(format!("{name} {loss:.3}{change}"))
        });
        let losses = losses.collect::<Vec<_>>().join(", ");
        let memory = self.played.map(|played| played.memory_mib).filter(|&mib| mib > 0);
        let memory = memory.map_or(String::new(), |mib| format!(", {mib} MiB"));
        format!("          loss: {losses}; step {}, window {} rows{memory}", trained.step, trained.window)
    }
}

/// Seconds in words, to the unit that matters.
fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 90.0 => format!("{seconds:.0} s"),
        seconds if seconds < 90.0 * 60.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game_length: f64) -> SelfplayEvent {
        SelfplayEvent {
            games: 3,
            game_length,
            results: [("white".to_owned(), 2), ("draw".to_owned(), 1)].into(),
            plies_per_second: 812.4,
            evaluations_per_second: 9000.0,
            memory_mib: 412,
            ..SelfplayEvent::default()
        }
    }

    fn trained(value: f64) -> TrainEvent {
        let losses = [("total", 3.0), ("policy", 2.0), ("value", value)].map(|(head, loss)| (head.to_owned(), loss));
        TrainEvent { step: 70, losses: losses.into(), window: 600, ..TrainEvent::default() }
    }

    #[test]
    fn the_lines_say_what_is_known() {
        let (now, before) = ((played(50.0), trained(1.0)), (played(47.0), trained(1.25)));
        let whole = Summary {
            generation: 2,
            games: 4,
            plies: 200,
            played: Some(&now.0),
            trained: Some(&now.1),
            played_before: Some(&before.0),
            trained_before: Some(&before.1),
            outlook: Some(Outlook { generations: 24, seconds_left: 150.0 }),
        };
        let lines = [
            "gen    2 of 24  4 games of 50 plies (+3), white/draw/black 67/33/0 %, 812 plies/s; 2 min left",
            "          loss: policy 2.000 (+0.000), value 1.000 (-0.250); step 70, window 600 rows, 412 MiB",
        ];
        assert_eq!(whole.lines(), lines);
        let own = TrainEvent { losses: [("energy".to_owned(), 0.5)].into(), ..now.1.clone() };
        let foreign = Summary { generation: 2, trained: Some(&own), ..Summary::default() };
        assert_eq!(foreign.lines()[1], "          loss: energy 0.500; step 70, window 600 rows");
        let bare = Summary { generation: 2, games: 4, plies: 200, ..Summary::default() };
        assert_eq!(bare.lines(), ["gen    2  4 games of 50 plies"]);
    }

    #[test]
    fn durations_in_their_unit() {
        assert_eq!([5.4, 100.0, 5399.0, 5401.0].map(duration), ["5 s", "2 min", "90 min", "1.5 h"]);
    }
}

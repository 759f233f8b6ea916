//! What a run reports of itself: `metrics.jsonl`, one JSON object a line, one line an event.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};

use crate::{
    estimate::Interval,
    evaluate::Tally,
    model::{Backend, Plan, Precision},
};

/// The longest line that is read; a longer one is no event.
const LONGEST_LINE: u64 = 1 << 20;

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// When it was written, in seconds since 1970.
    pub time: f64,
    #[serde(flatten)]
    pub event: Event,
}

/// What happened, by the key `event`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// How self-play evaluates was settled.
    Evaluator(EvaluatorEvent),
    /// The self-play of a generation is done.
    Selfplay(SelfplayEvent),
    /// Which workers of a fleet played a generation.
    Players(PlayersEvent),
    /// The mean losses since the last such event.
    Train(TrainEvent),
    /// The network that a training made, judged by games that were held out of it.
    Holdout(HoldoutEvent),
    /// A match is done.
    Match(MatchEvent),
    /// All players of the run rated anew; the last such event holds the run's Elo curve.
    Ratings(RatingsEvent),
    /// An event of a later version, skipped.
    #[serde(other)]
    Unknown,
}

/// How the network is run in self-play, from here on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorEvent {
    /// The first generation that plays so.
    pub generation: u64,
    /// What the configuration asks for.
    pub device: String,
    pub precision: Precision,
    pub backend: Backend,
    pub batch_size: usize,
    /// What it came to.
    pub plan: Plan,
    /// Positions a second of one thread by plan; empty when there was nothing to choose.
    pub positions_per_second: BTreeMap<Plan, f64>,
}

/// The workers of a fleet in one generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayersEvent {
    pub generation: u64,
    /// In the order of their names.
    pub workers: Vec<WorkerEvent>,
}

/// The part of a worker in a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerEvent {
    pub name: String,
    /// Where it computes, and how.
    pub plan: String,
    /// What its arithmetic makes of games that all play.
    pub signature: String,
    /// Files, games and plies that were taken from it.
    pub files: u64,
    pub games: u64,
    pub plies: u64,
    pub evaluations: u64,
    /// Files that had been leased before.
    pub redelivered: u64,
    /// Files that were held against the network.
    pub checked: u64,
    /// Why nothing was taken from it any more; empty where all was well.
    pub refused: String,
}

/// The self-play of one generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SelfplayEvent {
    pub generation: u64,
    pub games: u64,
    pub plies: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// The part of it in which a network was trained too (`run.lag`).
    pub beside_training: f64,
    pub plies_per_second: f64,
    pub evaluations_per_second: f64,
    /// Share of evaluations answered by the cache, 0 to 1.
    pub cache_hits: f64,
    /// Mean share of a batch that was filled, 0 to 1.
    pub batch_fill: f64,
    /// Share of the shards' time that the network took, 0 to 1; the rest is rules and search.
    pub evaluation_share: f64,
    /// Playouts a second, in all games.
    pub playouts_per_second: f64,
    /// Memory of the process when the games were done, in MiB; 0 where the system does not tell.
    pub memory_mib: u64,
    /// Mean plies of a game.
    pub game_length: f64,
    /// Games by result: `white`, `black`, `draw`.
    pub results: BTreeMap<String, u64>,
    /// Games by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Games that one side won, in 1,000 plies.
    pub decided_per_1000_plies: f64,
    /// Mean share of a policy target that lies on actions of at most two visits, 0 to 1, over full searches.
    pub mass_on_few_visits: f64,
    /// Plies decided by a full search; 0 in what an older version wrote.
    pub full_searches: u64,
    /// Mean divergence KL of the policy targets of full searches from the network's policies, in nats; this and the two
    /// below are `null` without a full search, and in what an older version wrote.
    pub policy_kl: Option<f64>,
    /// Mean entropy of the network's policies in full searches, in nats.
    pub prior_entropy: Option<f64>,
    /// Mean entropy of the policy targets, likewise.
    pub target_entropy: Option<f64>,
    /// Plies by kind of action (reinforcements and promotions among them).
    pub actions: BTreeMap<String, u64>,
    /// Plies by kind of action as a share of all plies, 0 to 1.
    pub action_shares: BTreeMap<String, f64>,
    /// Resignations and agreed draws that were played out nevertheless, to see how often they are wrong.
    pub resignations: ChecksEvent,
    pub agreements: ChecksEvent,
}

impl SelfplayEvent {
    /// Wall-clock time that training did not take as well: what self-play adds to it.
    pub fn own_seconds(&self) -> f64 {
        self.seconds - self.beside_training
    }
}

/// Ends that were played out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChecksEvent {
    pub games: u64,
    /// Games among them that came to another result.
    pub wrong: u64,
}

/// Losses of some training steps. Steps that a killed session took are taken and reported again: what comes later in
/// the file holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrainEvent {
    pub generation: u64,
    /// Optimiser steps since the start of the run.
    pub step: u64,
    /// Mean loss by head (`policy`, `value`, ...), with `total`. In nats, except where the head says otherwise.
    pub losses: BTreeMap<String, f64>,
    /// `null` where a program of the user's trains and does not say, as below.
    pub learning_rate: Option<f64>,
    /// Norm of the gradient before clipping.
    pub gradient_norm: Option<f64>,
    pub rows_per_second: f64,
    /// Wall-clock time; 0 in what an older version wrote.
    pub seconds: f64,
    /// Rows in the replay window.
    pub window: u64,
}

/// A network judged by rows of games that it was not trained on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HoldoutEvent {
    /// The generation of the network.
    pub generation: u64,
    pub rows: u64,
    /// Mean loss by head, as in training.
    pub losses: BTreeMap<String, f64>,
    /// The share of the variance of results that the network's values explain, over rows of games with a result;
    /// `null` where all results are alike.
    pub value_r2: Option<f64>,
    /// Slope of results over values: 1 when calibrated, above 1 where values are timid.
    pub value_slope: Option<f64>,
    /// The same share by plies of a game.
    pub plies: Vec<PlyEvent>,
    /// Results by value.
    pub calibration: Vec<CalibrationEvent>,
}

/// Rows of a part of their games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlyEvent {
    /// The first ply of the part, from 0; it goes to the first of the next.
    pub from: u32,
    pub rows: u64,
    pub r2: Option<f64>,
}

/// Rows of similar value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CalibrationEvent {
    pub rows: u64,
    /// Mean value by the network, in [-1, 1], for the side to move.
    pub predicted: f64,
    /// Mean result, likewise.
    pub result: f64,
}

/// A match, from the first player's point of view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchEvent {
    pub generation: u64,
    pub player: String,
    pub opponent: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs by points in a pair: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
    /// Wall-clock time; 0 in what an older version wrote.
    pub seconds: f64,
    /// Results with White and with Black; none in what an older version wrote.
    pub by_colour: Option<[Tally; 2]>,
    /// Elo difference; `null` where every point was won or lost.
    pub elo: Option<f64>,
    /// Ends of the 95% interval; `null` for an unbounded one.
    pub elo_low: Option<f64>,
    pub elo_high: Option<f64>,
}

/// The ratings of all players of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RatingsEvent {
    pub generation: u64,
    pub players: Vec<RatedPlayer>,
    /// Whether they explain the matches; none where there is no match more than ratings.
    pub fit: Option<FitEvent>,
}

/// A player on the run's scale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RatedPlayer {
    pub player: String,
    /// The generation of a network; none for a baseline.
    pub generation: Option<u64>,
    /// `null` where a chain of players who won every point bounds it on one side alone.
    pub elo: Option<f64>,
    /// Ends of the 95% interval; `null` for an unbounded one.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Pairs of games that the player has played.
    pub pairs: u64,
    /// Elo over the network of the run that was measured before, with its 95% interval; `null` as above.
    pub gain: Option<f64>,
    pub gain_low: Option<f64>,
    pub gain_high: Option<f64>,
}

/// Whether one rating a player explains all matches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FitEvent {
    pub deviance: f64,
    /// Matches less free ratings.
    pub freedom: u64,
    /// Probability of a deviance as large, if ratings explain the matches.
    pub p: f64,
    /// The matches that fit worst, worst first.
    pub misfits: Vec<MisfitEvent>,
}

/// A match that ratings explain badly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MisfitEvent {
    /// Who scored more than expected.
    pub player: String,
    pub opponent: String,
    pub games: u64,
    /// The player's share of the points, 0 to 1, and what the ratings expect.
    pub score: f64,
    pub expected: f64,
}

impl RatedPlayer {
    /// The rating with its interval, its unbounded ends infinite; `n` counts pairs of games.
    pub fn rating(&self) -> Interval {
        interval([self.elo, self.low, self.high], self.pairs)
    }

    /// Likewise the difference from the network measured before; none where there is none.
    pub fn gain(&self) -> Option<Interval> {
        let gain = [self.gain, self.gain_low, self.gain_high];
        gain.iter().any(Option::is_some).then(|| interval(gain, self.pairs))
    }
}

fn interval([estimate, low, high]: [Option<f64>; 3], n: u64) -> Interval {
    let unbounded = if low.is_some() { f64::INFINITY } else { f64::NEG_INFINITY };
    let (low, high) = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
    Interval { estimate: estimate.unwrap_or(unbounded), low, high, n }
}

impl FitEvent {
    /// Whether the matches contradict each other by more than chance explains, at 5%.
    pub fn is_bad(&self) -> bool {
        self.p < 0.05
    }

    /// The test and the match that fits worst, in one line.
    pub fn line(&self) -> String {
        let FitEvent { deviance, freedom, p, .. } = self;
        let mut line = format!("test of fit: p = {p:.3} (deviance {deviance:.1} with {freedom} degrees of freedom)");
        if let (true, Some(worst)) = (self.is_bad(), self.misfits.first()) {
            let (player, opponent, games) = (&worst.player, &worst.opponent, worst.games);
            let (score, expected) = (100.0 * worst.score, 100.0 * worst.expected);
            line += &format!(
                "; worst: {player} scored {score:.1}% against {opponent}, expected {expected:.1}% ({games} games)"
            );
        }
        line
    }
}

/// Appends events to a metrics file. A line is written whole and flushed, so a reader beside it sees whole lines, and a
/// killed process loses at most the one being written.
#[derive(Debug)]
pub struct MetricsWriter {
    file: File,
}

impl MetricsWriter {
    /// Opens or creates the file. A half-written last line, left by a killed process, is cut off.
    ///
    /// # Errors
    /// When the file cannot be opened or cut.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let whole = end_of_last_line(&mut file)?;
        file.set_len(whole)?;
        Ok(MetricsWriter { file })
    }

    /// Appends one event.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, metric: &Metric) -> io::Result<()> {
        let mut line = serde_json::to_vec(metric)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.flush()
    }
}

/// Offset just behind the last line break.
fn end_of_last_line(file: &mut File) -> io::Result<u64> {
    let mut block = [0; 4096];
    let mut end = file.seek(SeekFrom::End(0))?;
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// The events of a metrics file, in order. Lines that are no event (half written, of a later version) are left out; a
/// missing file has none.
///
/// # Errors
/// When the file cannot be read.
pub fn read_metrics(path: &Path) -> io::Result<Vec<Metric>> {
    let mut reader = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let (mut metrics, mut line) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(metrics);
        }
        match serde_json::from_slice(&line) {
            Ok(Metric { event: Event::Unknown, .. }) | Err(_) => {}
            Ok(metric) => metrics.push(metric),
        }
    }
}

/// The last rating of a network whose checkpoint is `folder`; none where no run is around it that rated it.
///
/// # Errors
/// When the run's metrics cannot be read.
pub fn read_rating(folder: &Path) -> io::Result<Option<RatedPlayer>> {
    let (Some(name), Some(run)) = (folder.file_name().and_then(OsStr::to_str), folder.parent()) else {
        return Ok(None);
    };
    let ratings = read_metrics(&run.join("metrics.jsonl"))?.into_iter().rev().find_map(|metric| match metric.event {
        Event::Ratings(event) => Some(event),
        _ => None,
    });
    Ok(ratings.and_then(|event| event.players.into_iter().find(|player| player.player == name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn train(step: u64) -> Metric {
        let losses = BTreeMap::from([("policy".to_owned(), 1.5), ("total".to_owned(), 2.25)]);
        Metric { time: 12.5, event: Event::Train(TrainEvent { generation: 1, step, losses, ..TrainEvent::default() }) }
    }

    #[test]
    fn a_line_an_event_and_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        assert_eq!(read_metrics(&path).unwrap(), []);
        let match_event =
            MatchEvent { player: "a\nb".to_owned(), elo: None, elo_low: Some(1.5), ..MatchEvent::default() };
        let written = [train(1), Metric { time: 13.0, event: Event::Match(match_event) }];
        let mut writer = MetricsWriter::open(&path).unwrap();
        written.iter().for_each(|metric| writer.write(metric).unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2);
        assert!(
            text.starts_with(
                r#"{"time":12.5,"event":"train","generation":1,"step":1,"losses":{"policy":1.5,"total":2.25}"#
            ),
            "{text}"
        );
        assert_eq!(read_metrics(&path).unwrap(), written);
    }

    #[test]
    fn a_half_written_last_line_is_left_out_and_cut_off_on_resume() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        MetricsWriter::open(&path).unwrap().write(&train(1)).unwrap();
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        write!(file, r#"{{"time":14,"event":"train","generation":"#).unwrap();
        write!(file, "{}", "9".repeat(10_000)).unwrap();
        assert_eq!(read_metrics(&path).unwrap(), [train(1)]);
        MetricsWriter::open(&path).unwrap().write(&train(2)).unwrap();
        assert_eq!(read_metrics(&path).unwrap(), [train(1), train(2)]);
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
    }

    #[test]
    fn foreign_lines_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let foreign = b"\n{\"time\":1,\"event\":\"export\",\"bytes\":3}\nnull\n\xff\xfe\n{\"time\":2,\"event\":\"train\",\"step\":\"x\"}\n";
        std::fs::write(&path, foreign).unwrap();
        MetricsWriter::open(&path).unwrap().write(&train(1)).unwrap();
        assert_eq!(read_metrics(&path).unwrap(), [train(1)]);
        let newer = r#"{"time":2,"event":"train","step":7,"generation":3,"losses":{},"later":[1]}"#;
        std::fs::write(&path, newer).unwrap();
        let metrics = read_metrics(&path).unwrap();
        assert!(matches!(&metrics[..], [Metric { event: Event::Train(train), .. }] if train.step == 7), "{metrics:?}");
    }
}

//! Matches between baselines and frozen networks, played once for a ruleset: the scale that all its runs are rated on.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use rand::RngCore as _;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Contender, MatchConfig, MatchReport, PlayerSpec, Tally, play_match};
use crate::{
    disk::{DirectoryError, IoError, lock, write_file},
    estimate::PairCounts,
    game::{Game, Playable, Ruleset, random::stream},
    model::EvaluatorError,
};

/// Version of the file.
const FORMAT: u32 = 1;
/// Bytes beyond which a file is not read.
const LONGEST: u64 = 1 << 20;
/// Percent of random actions below a depth, weakest first: below depth 1, below a deeper one that is the first of its
/// game, and between a depth and the one above it. Those of one depth are 100 to 220 Elo apart in Shatara Arena.
const STEPS: [&[u32]; 3] = [&[90, 80, 70, 60, 40, 20], &[90, 80, 70, 60, 40, 30, 20, 10, 5], &[30, 20, 10, 5]];
/// A player meets so many of those above it.
const REACH: usize = 2;
/// Pools for the games' standard rules that come with the program, so that nobody has to play these matches and all
/// runs everywhere have one scale.
const SHIPPED: [&str; 5] = [
    include_str!("pools/shatara.toml"),
    include_str!("pools/omega.toml"),
    include_str!("pools/omega-advanced.toml"),
    include_str!("pools/shatra.toml"),
    include_str!("pools/shatar.toml"),
];

/// The matches played so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    format: u32,
    /// Random plies that open a game.
    opening_plies: u32,
    #[serde(rename = "match", default)]
    matches: Vec<PoolMatch>,
    ruleset: Ruleset,
}

/// A match between two baselines, or with a frozen network, from the first player's point of view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolMatch {
    pub player: String,
    pub opponent: String,
    pub pairs: PairCounts,
    /// With White, with Black.
    pub by_colour: [Tally; 2],
}

/// A pool that cannot be used. Each prints as one line.
#[derive(Debug, Error)]
pub enum PoolError {
    #[error("{}: {problem}; remove the file, and its matches are played again", path.display())]
    File { path: PathBuf, problem: String },
    #[error(transparent)]
    Io(#[from] IoError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
}

/// The names of two players that are to meet.
pub type Meeting = [String; 2];

/// Who is to meet whom, so that all of `opponents` that are baselines are joined by matches that both sides win some
/// of: the depths of `alphabeta` from `least` ([`Material::LEAST_DEPTH`]) up to the deepest with steps between them, each
/// against the next two. A frozen network, which is given by its name, meets each of these depths and the networks
/// before it.
///
/// Nobody has to be joined to the others where there is but one opponent.
///
/// [`Material::LEAST_DEPTH`]: crate::game::Material::LEAST_DEPTH
pub fn meetings(opponents: &[PlayerSpec], networks: &[&str], least: u32) -> Vec<Meeting> {
    let depth = |spec: &PlayerSpec| match spec {
        PlayerSpec::AlphaBeta { depth, .. } => *depth,
        PlayerSpec::Greedy => 1,
        _ => 0,
    };
    let name = |spec: &PlayerSpec| spec.to_string();
    let mut ladder = vec![PlayerSpec::Random];
    for depth in least..=opponents.iter().map(depth).max().unwrap_or(0) {
        let steps = STEPS[if depth > least { 2 } else { usize::from(depth > 1) }];
        ladder.extend(steps.iter().chain(&[0]).map(|&random| PlayerSpec::AlphaBeta { depth, random }));
    }
    let mut meetings = Vec::new();
    for (at, player) in ladder.iter().enumerate() {
        meetings.extend(ladder[at.saturating_sub(REACH)..at].iter().map(|weaker| [player, weaker].map(name)));
    }
    // A player of another kind meets the whole ladder of its depth, or random below the ladder.
    let is_stranger = |spec: &&PlayerSpec| depth(spec) > 0 && !ladder.contains(spec);
    for stranger in opponents.iter().filter(is_stranger) {
        let level = if depth(stranger) < least { 0 } else { depth(stranger) };
        let known = ladder.iter().filter(|known| depth(known) == level);
        meetings.extend(known.map(|known| [stranger, known].map(name)));
    }
    let is_depth = |spec: &&PlayerSpec| matches!(spec, PlayerSpec::AlphaBeta { random: 0, .. });
    let depths: Vec<String> = ladder.iter().filter(is_depth).map(name).collect();
    let is_first = |&(at, network): &(usize, &&str)| !networks[..at].contains(network);
    for (at, network) in networks.iter().enumerate().filter(is_first) {
        let others = depths.iter().cloned().chain(networks[..at].iter().map(ToString::to_string));
        meetings.extend(others.map(|other| [network.to_string(), other]));
    }
    meetings
}

impl Pool {
    /// The file of a ruleset among the runs of `root`: `models/baselines/<game>-<hash>.toml`.
    pub fn path(root: &Path, ruleset: &Ruleset) -> PathBuf {
        root.join("models/baselines").join(format!("{}-{}.toml", ruleset.game, ruleset.hash))
    }

    /// Reads the pool of a ruleset; without a file it is empty.
    ///
    /// # Errors
    /// When the file is damaged, of another version, or of another ruleset.
    pub fn read(path: &Path, ruleset: &Ruleset) -> Result<Pool, PoolError> {
        let opening_plies = MatchConfig::default().opening_plies;
        let mut text = String::new();
        match File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Pool { format: FORMAT, opening_plies, matches: Vec::new(), ruleset: ruleset.clone() });
            }
            Err(error) if error.kind() != io::ErrorKind::InvalidData => return Err(IoError::at(path)(error).into()),
            _ => {}
        }
        let problem = |problem: String| Err(PoolError::File { path: path.to_owned(), problem });
        let pool: Pool = match toml::from_str(&text) {
            Ok(pool) => pool,
            Err(error) => return problem(format!("no pool of baselines: {}", error.message().replace('\n', ", "))),
        };
        let fields = [("format", FORMAT, pool.format), ("opening_plies", opening_plies, pool.opening_plies)];
        if let Some((field, expected, found)) = fields.into_iter().find(|(_, expected, found)| expected != found) {
            return problem(format!("{field}: expected {expected}, found {found}"));
        }
        if pool.ruleset != *ruleset {
            return problem(format!("ruleset: expected {ruleset}, found {}", pool.ruleset));
        }
        if let Some(odd) = pool.matches.iter().find(|played| !played.is_whole()) {
            let PoolMatch { player, opponent, .. } = odd;
            return problem(format!("{player} against {opponent}: expected as many pairs as half of its games"));
        }
        Ok(pool)
    }

    /// Writes the pool, unless another process does so at this moment: the same matches have the same results there.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, path: &Path) -> Result<(), PoolError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(IoError::at(folder))?;
        let _lock = match lock(folder) {
            Ok(lock) => lock,
            Err(DirectoryError::Io(error)) => return Err(error.into()),
            Err(_) => return Ok(()),
        };
        let text = toml::to_string(self).expect("a pool serialises");
        Ok(write_file(path, |file| file.write_all(text.as_bytes()))?)
    }

    pub fn matches(&self) -> &[PoolMatch] {
        &self.matches
    }

    /// Those of `meetings` that have fewer than so many games.
    pub fn missing(&self, meetings: Vec<Meeting>, games: u64) -> Vec<Meeting> {
        meetings.into_iter().filter(|meeting| self.find(meeting).is_none_or(|known| known.games() < games)).collect()
    }

    /// Takes those of `meetings` that come with the program with at least so many games, and with more than are here;
    /// false when there are none. So a file of shorter matches comes to the scale of all others.
    pub fn take_shipped(&mut self, meetings: &[Meeting], games: u64) -> bool {
        let Some(shipped) = Pool::shipped(&self.ruleset) else { return false };
        let longer = |meeting: &Meeting| {
            let here = self.find(meeting).map_or(0, PoolMatch::games);
            shipped.find(meeting).filter(|known| known.games() >= games && known.games() > here)
        };
        let taken: Vec<PoolMatch> = meetings.iter().filter_map(longer).cloned().collect();
        let is_any = !taken.is_empty();
        taken.into_iter().for_each(|played| self.keep(played));
        is_any
    }

    /// The pool of a ruleset that comes with the program.
    pub fn shipped(ruleset: &Ruleset) -> Option<Pool> {
        let pools = SHIPPED.iter().map(|text| toml::from_str::<Pool>(text).expect("a pool of this version"));
        pools.into_iter().find(|pool| pool.ruleset == *ruleset)
    }

    fn find(&self, [player, opponent]: &Meeting) -> Option<&PoolMatch> {
        self.matches.iter().find(|known| known.player == *player && known.opponent == *opponent)
    }

    /// Keeps a match, in the place of one between the same players.
    fn keep(&mut self, played: PoolMatch) {
        self.matches.retain(|known| known.player != played.player || known.opponent != played.opponent);
        self.matches.push(played);
    }

    /// Plays a match between the players of these names, in the place of one with fewer games; false when it was
    /// stopped. Between baselines it depends on the names, the number of games and the ruleset alone; what a network
    /// plays may differ from machine to machine by the last bits of its arithmetic.
    ///
    /// # Errors
    /// When a network cannot be loaded.
    pub fn play<R: Playable>(
        &mut self,
        game: &Game<R>,
        [player, opponent]: &Meeting,
        contenders: [&Contender; 2],
        games: u64,
        stop: &AtomicBool,
        mut each: impl FnMut(&MatchReport),
    ) -> Result<bool, PoolError> {
        let config = MatchConfig {
            games,
            opening_plies: self.opening_plies,
            seed: stream(&format!("pool {player} {opponent}"), 0, 0, 0).next_u64(),
            threads: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            ..MatchConfig::default()
        };
        let report = play_match(game, contenders, [player, opponent], &config, stop, |_, report| each(report))?;
        if report.total().games() < games {
            return Ok(false);
        }
        let (player, opponent) = (player.clone(), opponent.clone());
        self.keep(PoolMatch { player, opponent, pairs: report.pairs, by_colour: report.by_colour });
        Ok(true)
    }
}

impl PoolMatch {
    /// Games, both colours together.
    pub fn games(&self) -> u64 {
        self.by_colour.iter().map(Tally::games).fold(0, u64::saturating_add)
    }

    /// Whether each colour has a game a pair, and the counts cannot run over.
    fn is_whole(&self) -> bool {
        let counts = self
            .pairs
            .0
            .iter()
            .chain(self.by_colour.iter().flat_map(|Tally { wins, draws, losses }| [wins, draws, losses]));
        counts.into_iter().all(|&count| count <= 1 << 40)
            && self.by_colour.iter().all(|tally| tally.games() == self.pairs.pairs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(names: &[&str]) -> Vec<PlayerSpec> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn opponents_are_joined_by_a_ladder() {
        assert!(meetings(&specs(&["random"]), &[], 1).is_empty());
        let found = meetings(&specs(&["random", "alphabeta:1"]), &[], 1);
        let names: Vec<String> = found.iter().map(|meeting| meeting.join(" ")).collect();
        assert_eq!(names[..3], ["alphabeta:1@90% random", "alphabeta:1@80% random", "alphabeta:1@80% alphabeta:1@90%"]);
        assert_eq!(names.last().unwrap(), "alphabeta:1 alphabeta:1@20%");
        let deeper = meetings(&specs(&["random", "alphabeta:2", "alphabeta:1"]), &[], 1);
        assert!(found.iter().all(|meeting| deeper.contains(meeting)), "what is played serves deeper opponents too");
        let strangers = meetings(&specs(&["greedy", "alphabeta:1@33%"]), &[], 1);
        let [greedy, other] =
            ["greedy", "alphabeta:1@33%"].map(|name| strangers.iter().filter(|[player, _]| player == name).count());
        assert_eq!((greedy, other), (7, 7));
    }

    #[test]
    fn frozen_networks_meet_the_whole_depths_and_each_other() {
        let baselines = specs(&["random", "alphabeta:2"]);
        let found = meetings(&baselines, &["one", "two"], 1);
        let (ladder, frozen) = found.split_at(meetings(&baselines, &[], 1).len());
        assert_eq!(ladder, meetings(&baselines, &[], 1));
        let names: Vec<String> = frozen.iter().map(|meeting| meeting.join(" ")).collect();
        assert_eq!(names, ["one alphabeta:1", "one alphabeta:2", "two alphabeta:1", "two alphabeta:2", "two one"]);
        assert_eq!(meetings(&baselines, &["one", "two", "one"], 1), found, "nobody meets himself");
    }

    #[test]
    fn a_ladder_begins_at_the_first_depth_that_beats_random_play() {
        let found = meetings(&specs(&["random", "alphabeta:3", "alphabeta:1"]), &[], 3);
        let names: Vec<String> = found.iter().map(|meeting| meeting.join(" ")).collect();
        assert_eq!(names[0], "alphabeta:3@90% random");
        assert!(names.contains(&"alphabeta:3 alphabeta:3@5%".to_owned()));
        assert_eq!(names.last().unwrap(), "alphabeta:1 random");
        assert_eq!(names.iter().filter(|name| name.contains("alphabeta:1") || name.contains(":2")).count(), 1);
        assert_eq!(meetings(&specs(&["random", "alphabeta:1"]), &[], 3).len(), 1);
    }
}

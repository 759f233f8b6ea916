//! The third phase, every few generations: matches that say how strong the newest checkpoint is.

use std::time::Instant;

use super::{
    budget::{Budget, costs},
    evaluation::PREVIOUS,
    metrics::{Event, MatchEvent},
    run::{Run, RunError},
    standings::{ANCHOR, Standings},
};
use crate::{
    console::{Ending, Progress, say},
    disk::{generation_name, generation_of},
    encode::sample,
    evaluate::{Contender, MatchConfig, MatchReport, PlayerSpec, Pool, match_search, meetings, play_match},
    game::Playable,
    model::{Checkpoint, Plan, backend::BackendConfig},
};

impl<R: Playable> Run<R> {
    /// Plays the matches of a checkpoint that are due and not played yet, and rates all players of the run anew. `last`
    /// makes them due.
    pub(super) fn measure(
        &mut self,
        checkpoint: &Checkpoint,
        length: Option<Budget>,
        last: bool,
    ) -> Result<Ending, RunError> {
        let generation = checkpoint.metadata().generation;
        if generation == 0 || self.config.evaluate.every == 0 || !(last || self.is_due(generation, length)) {
            return Ok(Ending::Done);
        }
        let player = generation_name(generation);
        for opponent in self.config.evaluate.opponents.clone() {
            let Some(opponent) = self.opponent(&opponent, generation) else { continue };
            if self.matches().any(|event| event.player == player && event.opponent == opponent) {
                continue;
            }
            if self.stopping() {
                return Ok(Ending::Stopped);
            }
            let since = Instant::now();
            let Some(report) = self.play_opponent(checkpoint, &player, &opponent)? else { return Ok(Ending::Stopped) };
            let seconds = since.elapsed().as_secs_f64();
            let event = MatchEvent { seconds, ..match_event(generation, &player, &opponent, &report) };
            let (wins, draws, losses) = (event.wins, event.draws, event.losses);
            say(&format!(
                "gen {generation:>4}  against {opponent}: +{wins} ={draws} -{losses}, Elo {:+.1}",
                report.estimate()
            ));
            self.journal.write(Event::Match(event)).map_err(|source| self.io_error(source))?;
        }
        if self.unrated_match() {
            let Some(pool) = self.pool(checkpoint)? else { return Ok(Ending::Stopped) };
            let event = Standings::of_run(self.matches(), Some(&pool)).event(generation);
            if let Some(own) = event.players.iter().find(|rated| rated.player == player) {
                say(&format!("gen {generation:>4}  Elo {:.0} over {ANCHOR}", own.rating()));
                if let Some(gain) = own.gain() {
                    say(&format!("gen {generation:>4}  Elo {gain:+.0} over the network measured before"));
                }
            }
            if let Some(fit) = event.fit.as_ref().filter(|fit| fit.is_bad()) {
                say(&format!("gen {generation:>4}  {}", fit.line()));
            }
            self.journal.write(Event::Ratings(event)).map_err(|source| self.io_error(source))?;
        }
        Ok(Ending::Done)
    }

    /// Whether a generation is to be measured: one in so many, or in a run of a given length the first in each of so many
    /// parts of it.
    fn is_due(&self, generation: u64, length: Option<Budget>) -> bool {
        let Some(length) = length else { return generation.is_multiple_of(self.config.evaluate.every) };
        let costs = costs(self.journal.events());
        let part = |generation: u64| (length.progress(&costs, generation) * self.config.evaluate.times as f64) as u64;
        part(generation) > part(generation - 1)
    }

    /// The matches between baselines and frozen networks, played as far as they neither are there nor come with the
    /// program; none when the user stopped them.
    fn pool(&mut self, checkpoint: &Checkpoint) -> Result<Option<Pool>, RunError> {
        let path = Pool::path(&self.root, self.game.ruleset());
        let mut pool = Pool::read(&path, self.game.ruleset())?;
        let games = self.config.evaluate.pool_games;
        let specs: Vec<PlayerSpec> =
            self.config.evaluate.opponents.iter().filter_map(|name| name.parse().ok()).collect();
        let specs: Vec<PlayerSpec> = specs.into_iter().filter(|spec| Contender::baseline(spec).is_ok()).collect();
        let networks: Vec<&str> = self.frozen.iter().map(|frozen| frozen.name.as_str()).collect();
        let wanted = if games > 0 { meetings(&specs, &networks, R::LEAST_DEPTH) } else { Vec::new() };
        if pool.take_shipped(&wanted, games) {
            pool.write(&path)?;
        }
        let missing = pool.missing(wanted, games);
        if missing.is_empty() {
            return Ok(Some(pool));
        }
        say(&format!("baselines: {} matches of {games} games, once for these rules", missing.len()));
        let plan = self.plan(checkpoint)?;
        let progress = Progress::new("baselines", missing.len() as u64 * games);
        for (done, meeting) in (0..).zip(&missing) {
            let each = |report: &MatchReport| {
                progress.show(done * games + report.total().games(), || format!("{} {}", meeting[0], meeting[1]));
            };
            let contenders = [self.contender(&meeting[0], plan)?, self.contender(&meeting[1], plan)?];
            if !pool.play(&self.game, meeting, contenders.each_ref(), games, &self.stop, each)? {
                return Ok(None);
            }
            pool.write(&path)?;
        }
        Ok(Some(pool))
    }

    /// The opponent's name in the journal: a bundle becomes the network in it, and `previous` the network measured last,
    /// which is none for the first.
    fn opponent(&self, name: &str, generation: u64) -> Option<String> {
        if name != PREVIOUS {
            let frozen = self.frozen.iter().find(|frozen| frozen.opponent == name);
            return Some(frozen.map_or(name, |frozen| &frozen.name).to_owned());
        }
        let earlier = self.matches().map(|event| event.generation).filter(|&earlier| earlier < generation).max()?;
        Some(generation_name(earlier))
    }

    fn matches(&self) -> impl Iterator<Item = &MatchEvent> {
        self.journal.events().filter_map(|event| match event {
            Event::Match(event) => Some(event),
            _ => None,
        })
    }

    /// Whether a match came after the last ratings: one of this session, or of one that was killed before it rated its
    /// players.
    fn unrated_match(&self) -> bool {
        let latest = self.journal.events().rev().find(|event| matches!(event, Event::Match(_) | Event::Ratings(_)));
        matches!(latest, Some(Event::Match(_)))
    }

    /// Plays a match; none when the user stopped it.
    fn play_opponent(
        &mut self,
        checkpoint: &Checkpoint,
        player: &str,
        opponent: &str,
    ) -> Result<Option<MatchReport>, RunError> {
        let config = MatchConfig {
            games: self.config.evaluate.games,
            opening_plies: self.config.evaluate.opening_plies,
            seed: self.config.run.seed.wrapping_add(checkpoint.metadata().generation),
            threads: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            ..MatchConfig::default()
        };
        let plan = self.plan(checkpoint)?;
        let (first, second) = (self.network(checkpoint, plan)?, self.contender(opponent, plan)?);
        let progress = Progress::new(format!("{player} {opponent}"), config.games);
        let each = |_: &_, report: &MatchReport| {
            let total = report.total();
            progress.show(total.games(), || format!("+{} ={} -{}", total.wins, total.draws, total.losses));
        };
        let report = play_match(&self.game, [&first, &second], [player, opponent], &config, &self.stop, each)?;
        Ok((report.total().games() >= config.games).then_some(report))
    }

    /// The opponent of that name in the journal.
    fn contender(&self, name: &str, plan: Plan) -> Result<Contender, RunError> {
        if let Some(frozen) = self.frozen.iter().find(|frozen| frozen.name == name) {
            return self.network(&frozen.checkpoint, plan);
        }
        if generation_of(name).is_some() {
            return self.network(&Checkpoint::load_for(&self.directory.models().join(name), &self.game)?, plan);
        }
        let baseline = name.parse::<PlayerSpec>().ok().and_then(|spec| Contender::baseline(&spec).ok());
        baseline
            .ok_or_else(|| RunError::Opponent(format!("expected a baseline, a bundle or `{PREVIOUS}`, found `{name}`")))
    }

    /// A player that computes as self-play does.
    fn network(&self, checkpoint: &Checkpoint, plan: Plan) -> Result<Contender, RunError> {
        let (precision, backend) = plan.settings();
        let (device, sample) = (self.config.run.device.as_str(), Some(sample(&self.game)));
        let backend = BackendConfig { device, precision, backend, sample, ..BackendConfig::default() };
        Ok(Contender::network(checkpoint.clone(), backend, match_search(self.config.evaluate.playouts), 1)?)
    }
}

fn match_event(generation: u64, player: &str, opponent: &str, report: &MatchReport) -> MatchEvent {
    let (total, estimate) = (report.total(), report.estimate());
    let finite = |elo: f64| elo.is_finite().then_some(elo);
    MatchEvent {
        generation,
        player: player.to_owned(),
        opponent: opponent.to_owned(),
        wins: total.wins,
        draws: total.draws,
        losses: total.losses,
        pairs: report.pairs.0,
        seconds: 0.0,
        by_colour: Some(report.by_colour),
        elo: finite(estimate.estimate),
        elo_low: finite(estimate.low),
        elo_high: finite(estimate.high),
    }
}

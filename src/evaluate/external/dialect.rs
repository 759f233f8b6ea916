//! Commands to an engine, in each protocol.

use std::time::{Duration, Instant};

use super::{
    EngineClock, EngineLimits, EngineSpec, Speech,
    process::{EngineFault, Process},
};

/// How long an engine may take to start, and to answer beyond the time it has for a move.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a move may take that only nodes limit.
const PATIENCE_FOR_NODES: Duration = Duration::from_secs(600);

/// A game as it is given to an engine.
pub(super) struct GameText<'a> {
    /// The position it began in, where that is not the start of every game.
    pub(super) start: Option<&'a str>,
    /// Everything played.
    pub(super) moves: &'a [String],
}

/// A conversation with one engine about one game.
pub(super) struct Dialect {
    process: Process,
    speech: Speech,
    limits: EngineLimits,
    /// XBoard: whether moves are announced by a word.
    announces: bool,
    /// XBoard: moves of the game that the engine knows of.
    known: usize,
}

impl Dialect {
    /// Starts an engine and makes it ready to play.
    ///
    /// # Errors
    /// When it does not start or does not answer.
    pub(super) fn start(spec: &EngineSpec, limits: EngineLimits) -> Result<Self, EngineFault> {
        let process = Process::start(spec)?;
        let mut dialect = Dialect { process, speech: spec.speech, limits, announces: false, known: 0 };
        match spec.speech {
            Speech::Uci => dialect.greet_in_uci(spec)?,
            Speech::Xboard => dialect.greet_in_xboard(spec)?,
        }
        Ok(dialect)
    }

    /// The move that the engine plays now, in its own words.
    ///
    /// # Errors
    /// When it does not answer, or gives up.
    pub(super) fn ask(&mut self, game: &GameText<'_>) -> Result<String, EngineFault> {
        match self.speech {
            Speech::Uci => self.ask_in_uci(game),
            Speech::Xboard => self.ask_in_xboard(game),
        }
    }

    fn greet_in_uci(&mut self, spec: &EngineSpec) -> Result<(), EngineFault> {
        self.process.say("uci")?;
        self.process.hear(PATIENCE, |line| (first(line) == "uciok").then_some(()))?;
        for (name, value) in &spec.options {
            self.process.say(&format!("setoption name {name} value {value}"))?;
        }
        self.process.say("ucinewgame")?;
        self.process.say("isready")?;
        self.process.hear(PATIENCE, |line| (first(line) == "readyok").then_some(()))
    }

    fn ask_in_uci(&mut self, game: &GameText<'_>) -> Result<String, EngineFault> {
        let start = game.start.map_or("startpos".to_owned(), |start| format!("fen {start}"));
        let moves = if game.moves.is_empty() { String::new() } else { format!(" moves {}", game.moves.join(" ")) };
        self.process.say(&format!("position {start}{moves}"))?;
        let nodes = self.limits.nodes.map(|nodes| format!(" nodes {nodes}")).unwrap_or_default();
        let time = self.limits.time.map(|time| format!(" movetime {}", time.as_millis())).unwrap_or_default();
        let clock = self.limits.clock.map(|EngineClock { base, increment }| {
            // The other side's clock is not known here, and is given as the same.
            let (left, more) = (base.as_millis(), increment.as_millis());
            format!(" wtime {left} btime {left} winc {more} binc {more}")
        });
        let clock = clock.unwrap_or_default();
        self.process.say(&format!("go{nodes}{time}{clock}"))?;
        let most = self.limits.time.or(self.limits.clock.map(|clock| clock.base));
        let patience = most.map_or(PATIENCE_FOR_NODES, |time| time + PATIENCE);
        let begun = Instant::now();
        let is_answer = |line: &str| Some(line.strip_prefix("bestmove ")?.split_whitespace().next()?.to_owned());
        let answer = self.process.hear(patience, is_answer)?;
        self.limits.clock.as_mut().map_or(Ok(()), |clock| clock.spend(begun.elapsed()))?;
        Ok(answer)
    }

    /// The options `variant` and `sd` (a depth in plies) are the protocol's own commands of those names.
    fn greet_in_xboard(&mut self, spec: &EngineSpec) -> Result<(), EngineFault> {
        self.process.say("xboard")?;
        self.process.say("protover 2")?;
        let announces = std::cell::Cell::new(false);
        self.process.hear(PATIENCE, |line| {
            let features = line.strip_prefix("feature ")?;
            announces.set(announces.get() || features.contains("usermove=1"));
            features.contains("done=1").then_some(())
        })?;
        self.announces = announces.get();
        let (commands, options): (Vec<_>, Vec<_>) =
            spec.options.iter().partition(|(name, _)| ["variant", "sd"].contains(&name.as_str()));
        for (name, value) in options {
            self.process.say(&format!("option {name}={value}"))?;
        }
        self.process.say("new")?;
        for (name, value) in commands {
            self.process.say(&format!("{name} {value}"))?;
        }
        // Whole seconds, the least that every engine reads.
        let seconds = self.limits.time.map_or(1, |time| time.as_millis().div_ceil(1000).max(1));
        for line in ["easy", "nopost", "force", &format!("st {seconds}")] {
            self.process.say(line)?;
        }
        Ok(())
    }

    fn ask_in_xboard(&mut self, game: &GameText<'_>) -> Result<String, EngineFault> {
        if let Some(start) = game.start {
            self.process.say(&format!("setboard {start}"))?;
            self.known = 0;
        }
        for played in game.moves.iter().skip(self.known) {
            let word = if self.announces { "usermove " } else { "" };
            self.process.say(&format!("{word}{played}"))?;
        }
        self.process.say("go")?;
        let time = self.limits.time.unwrap_or_default().max(Duration::from_secs(1));
        let legs = std::cell::RefCell::new(String::new());
        let answer = self.process.hear(time + PATIENCE, |line| match first(line) {
            "move" => {
                let mut legs = legs.borrow_mut();
                *legs += line.split_whitespace().nth(1)?;
                (!legs.ends_with(',')).then(|| Ok(legs.clone()))
            }
            "Illegal" | "Error" | "resign" | "1-0" | "0-1" | "1/2-1/2" => {
                Some(Err(EngineFault::Refused { line: line.to_owned() }))
            }
            _ => None,
        })??;
        self.process.say("force")?;
        self.known = game.moves.len() + 1;
        Ok(answer)
    }
}

fn first(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

//! The Universal Chess Interface (Meyer-Kahlen and Huber 2000, <https://www.shredderchess.com/download/div/uci.zip>), with positions and moves in the
//! strings of the rules. Beyond it: `d`, `perft N` and `go perft N`.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use super::{
    Bot, Clock, Limits, Options, Report, Thought, Timekeeper, Turn,
    protocol::{Flow, Plain, Protocol, centipawns, mate},
};
use crate::game::Side;

/// Playouts of a `go` that says nothing, where no option does.
const PLAYOUTS: u32 = 800;
/// Deepest count of leaves.
const DEEPEST: u32 = 100;

/// A conversation in UCI.
pub(super) struct Uci {
    name: String,
    options: Options,
    keeper: Timekeeper,
    work: Option<Work>,
}

/// What the bot is at.
enum Work {
    Search,
    /// Leaves of the tree of legal actions, since then.
    Count(Instant),
}

impl Uci {
    pub(super) fn new(name: &str) -> Self {
        Uci { name: name.to_owned(), options: Options::default(), keeper: Timekeeper::default(), work: None }
    }

    fn introduce(&self, bot: &dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "id name maydan {} {}", env!("CARGO_PKG_VERSION"), Plain(&self.name))?;
        writeln!(out, "id author the maydan project")?;
        for option in Options::default().declarations() {
            writeln!(out, "{option}")?;
        }
        let game = &bot.ruleset().game;
        writeln!(out, "option name Ponder type check default false")?;
        writeln!(out, "option name UCI_Variant type combo default {game} var {game}")?;
        writeln!(out, "uciok")
    }

    /// `name NAME [value VALUE]`, both of any number of words.
    fn set_option(&mut self, words: &[&str], bot: &dyn Bot) -> Result<(), String> {
        let ["name", words @ ..] = words else {
            return Err("setoption: expected `name NAME value VALUE`".to_owned());
        };
        let end = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let (name, value) = (words[..end].join(" "), words.get(end + 1..).unwrap_or_default().join(" "));
        let game = &bot.ruleset().game;
        match name.to_ascii_lowercase().as_str() {
            "ponder" => Ok(()),
            "uci_variant" if value == *game => Ok(()),
            "uci_variant" => Err(format!("UCI_Variant: expected {game}, found `{value}`")),
            _ => self.options.set(&name, &value),
        }
    }

    /// `startpos|fen POSITION [moves MOVES]`.
    fn set_position(words: &[&str], bot: &mut dyn Bot) -> Result<(), String> {
        let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let moves = words.get(end + 1..).unwrap_or_default();
        let placed = match &words[..end] {
            ["startpos"] => bot.set_up(None, moves),
            ["fen", fields @ ..] => bot.set_up(Some(&fields.join(" ")), moves),
            _ => return Err("position: expected `startpos` or `fen POSITION`, and `moves MOVES`".to_owned()),
        };
        placed.map_err(|error| error.to_string())
    }

    fn go(&mut self, words: &[&str], bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        let go = Go::read(words);
        if let Some(depth) = go.perft {
            return self.count(depth, bot, out);
        }
        if let Some(outcome) = bot.outcome() {
            writeln!(out, "info string the game is over: {outcome}")?;
        }
        if bot.legal().is_empty() {
            return writeln!(out, "bestmove (none)");
        }
        let turn = if go.ponder { Turn::Other } else { Turn::Own };
        bot.think(&self.options, self.limits(&go, bot.side()), turn);
        self.work = Some(Work::Search);
        Ok(())
    }

    fn limits(&self, go: &Go, side: Side) -> Limits {
        if go.infinite {
            return Limits::default();
        }
        let overhead = self.options.overhead();
        let of_clock = go.left[side.index()].map(|left| {
            let clock = Clock { left, increment: go.increment[side.index()], moves_to_go: go.moves_to_go };
            self.keeper.budget(&clock, overhead)
        });
        let of_move = go.move_time.map(|time| self.keeper.budget_of_move(time, overhead));
        let limits = Limits { nodes: go.nodes, time: of_clock.into_iter().chain(of_move).min(), depth: go.depth };
        let unsaid = if self.options.simulations == 0 { PLAYOUTS } else { self.options.simulations };
        if limits.is_infinite() { Limits { nodes: Some(unsaid), ..limits } } else { limits }
    }

    fn count(&mut self, depth: u32, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        if !(1..=DEEPEST).contains(&depth) {
            return complain(out, format!("perft: expected a depth of 1 to {DEEPEST}, found {depth}"));
        }
        bot.count(depth);
        self.work = Some(Work::Count(Instant::now()));
        Ok(())
    }

    fn report(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let millis = report.time.as_millis();
        let speed = (f64::from(report.playouts) / report.time.as_secs_f64().max(1e-6)).round();
        for (place, variation) in (1..).zip(&report.variations) {
            write!(out, "info depth {}", variation.actions.len())?;
            if self.options.multi_pv > 1 {
                write!(out, " multipv {place}")?;
            }
            match mate(variation.proof) {
                Some(moves) => write!(out, " score mate {moves}")?,
                None => write!(out, " score cp {}", centipawns(variation.wdl))?,
            }
            if self.options.show_wdl {
                let [win, loss] = [0, 2].map(|i| (1000.0 * variation.wdl[i]).round() as i32);
                write!(out, " wdl {win} {} {loss}", 1000 - win - loss)?;
            }
            write!(out, " nodes {} nps {speed} time {millis}", report.playouts)?;
            writeln!(out, " pv {}", variation.actions.join(" "))?;
        }
        Ok(())
    }
}

impl Protocol for Uci {
    fn line(&mut self, line: &str, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<Flow> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, arguments)) = words.split_first() else { return Ok(Flow::On) };
        match command {
            "uci" => self.introduce(bot, out)?,
            "isready" => writeln!(out, "readyok")?,
            "stop" => bot.stop(),
            "ponderhit" => bot.hit(),
            "quit" => return Ok(Flow::Quit),
            "debug" | "register" => {}
            "setoption" => tell(out, self.set_option(arguments, bot))?,
            "position" => tell(out, Self::set_position(arguments, bot))?,
            "d" => {
                write!(out, "{}", bot.draw())?;
                writeln!(out, "position: {}", bot.position())?;
            }
            "ucinewgame" | "go" | "perft" if self.is_at_work() => {
                complain(out, format!("{command}: the last `go` is not answered yet"))?;
            }
            "ucinewgame" => bot.forget(),
            "go" => self.go(arguments, bot, out)?,
            "perft" => self.count(number(arguments.first()).unwrap_or(0), bot, out)?,
            _ => complain(out, format!("no command `{command}`"))?,
        }
        Ok(Flow::On)
    }

    fn too_long(&mut self, out: &mut dyn Write) -> io::Result<()> {
        complain(out, "a line was too long".to_owned())
    }

    fn thought(&mut self, thought: Thought, _: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        match thought {
            Thought::Report(report) => self.report(&report, out),
            Thought::Chosen(decision) => {
                self.work = None;
                self.keeper.learn(decision.late);
                let answer = decision.answer.map(|answer| format!(" ponder {answer}")).unwrap_or_default();
                writeln!(out, "bestmove {}{answer}", decision.action)
            }
            Thought::Counted(None) => {
                self.work = None;
                complain(out, "perft: stopped".to_owned())
            }
            Thought::Counted(Some(leaves)) => {
                let seconds = match self.work.take() {
                    Some(Work::Count(since)) => since.elapsed().as_secs_f64(),
                    _ => 0.0,
                };
                for (action, leaves) in &leaves {
                    writeln!(out, "{action}: {leaves}")?;
                }
                let total = leaves.iter().fold(0u64, |sum, (_, leaves)| sum.saturating_add(*leaves));
                writeln!(out, "\nnodes {total} nps {:.0}", total as f64 / seconds.max(1e-6))
            }
            Thought::Failed(message) => {
                self.work = None;
                complain(out, message)
            }
        }
    }

    fn is_at_work(&self) -> bool {
        self.work.is_some()
    }
}

/// What `go` asks for.
#[derive(Debug, Default)]
struct Go {
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    nodes: Option<u32>,
    depth: Option<u32>,
    move_time: Option<Duration>,
    perft: Option<u32>,
    infinite: bool,
    ponder: bool,
}

impl Go {
    /// Words that mean nothing here are passed over, as the protocol asks.
    fn read(words: &[&str]) -> Self {
        let mut go = Go::default();
        for (i, &word) in words.iter().enumerate() {
            let value = number(words.get(i + 1));
            let time = value.map(|value| Duration::from_millis(value.into()));
            match word {
                "wtime" => go.left[0] = time,
                "btime" => go.left[1] = time,
                "winc" => go.increment[0] = time.unwrap_or_default(),
                "binc" => go.increment[1] = time.unwrap_or_default(),
                "movestogo" => go.moves_to_go = value,
                "movetime" => go.move_time = time,
                "nodes" => go.nodes = value,
                "depth" => go.depth = value,
                "perft" => go.perft = Some(value.unwrap_or(0)),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                _ => {}
            }
        }
        go
    }
}

/// A number of a frontend's, clipped to what fits: a clock may be below zero.
fn number(word: Option<&&str>) -> Option<u32> {
    let number: i128 = word?.parse().ok()?;
    Some(number.clamp(0, u32::MAX.into()) as u32)
}

fn tell(out: &mut dyn Write, result: Result<(), String>) -> io::Result<()> {
    result.or_else(|message| complain(out, message))
}

fn complain(out: &mut dyn Write, message: String) -> io::Result<()> {
    writeln!(out, "info string error: {}", Plain(message))
}

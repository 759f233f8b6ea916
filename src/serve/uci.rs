//! The Universal Chess Interface (Meyer-Kahlen and Huber 2000, <https://www.shredderchess.com/download/div/uci.zip>),
//! with positions and moves in the strings of the rules. Beyond it: `d`, `perft N` and `go perft N`.

use std::{
    io::{self, Write},
    time::Instant,
};

use super::{
    Bot, Options, Thought, Timekeeper, Turn, Variation,
    family::{Go, complain, number, report_failure, setting, write_info},
    protocol::{Flow, Plain, Protocol, centipawns, mate},
};

/// Deepest count of leaves.
const DEEPEST: u32 = 100;

/// A conversation in UCI.
pub(super) struct Uci {
    name: String,
    options: Options,
    keeper: Timekeeper,
    work: Option<Work>,
    /// Whether the work is to end now.
    stopping: bool,
}

/// What the bot is at.
enum Work {
    Search,
    /// Leaves of the tree of legal actions, since then.
    Count(Instant),
}

impl Uci {
    pub(super) fn new(name: &str) -> Self {
        Uci {
            name: name.to_owned(),
            options: Options::default(),
            keeper: Timekeeper::default(),
            work: None,
            stopping: false,
        }
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

    fn set_option(&mut self, words: &[&str], bot: &dyn Bot) -> Result<(), String> {
        let (name, value) = setting(words)?;
        let game = &bot.ruleset().game;
        match name.to_ascii_lowercase().as_str() {
            "ponder" => Ok(()),
            "uci_variant" if value == *game => Ok(()),
            "uci_variant" => Err(format!("UCI_Variant: expected {game}, found `{value}`")),
            _ => self.options.set(&name, &value).map_err(|error| error.to_string()),
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
        let limits = go.limits(bot.side(), &self.options, &mut self.keeper);
        bot.think(&self.options, limits, turn);
        (self.work, self.stopping) = (Some(Work::Search), false);
        Ok(())
    }

    fn count(&mut self, depth: u32, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        if !(1..=DEEPEST).contains(&depth) {
            return complain(out, format!("perft: expected a depth of 1 to {DEEPEST}, found {depth}"));
        }
        bot.count(depth);
        (self.work, self.stopping) = (Some(Work::Count(Instant::now())), false);
        Ok(())
    }
}

impl Protocol for Uci {
    fn line(&mut self, line: &str, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<Flow> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, arguments)) = words.split_first() else { return Ok(Flow::On) };
        match command {
            "uci" => self.introduce(bot, out)?,
            "isready" => {
                if !self.is_at_work() {
                    bot.prepare(&self.options);
                }
                writeln!(out, "readyok")?;
            }
            "stop" => {
                bot.stop();
                self.stopping = true;
            }
            "ponderhit" => bot.hit(),
            "quit" => return Ok(Flow::Quit),
            "debug" | "register" => {}
            "setoption" => report_failure(out, self.set_option(arguments, bot))?,
            "position" => report_failure(out, Self::set_position(arguments, bot))?,
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
            Thought::Report(report) => write_info(&report, &self.options, score, |line| line.actions.join(" "), out),
            Thought::Chosen(decision) => {
                self.work = None;
                self.keeper.learn(decision.thought, decision.late);
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

    fn is_stopping(&self) -> bool {
        self.stopping && self.is_at_work()
    }
}

fn score(variation: &Variation) -> String {
    match mate(variation.proof) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", centipawns(variation.wdl)),
    }
}

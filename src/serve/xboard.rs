//! XBoard's protocol, version 2 (Mann and Muller, <https://www.gnu.org/software/xboard/engine-intf.html>). Squares are places on the grid of position
//! strings, files from a and ranks from 1, whatever the game calls them.

use std::{
    io::{self, Write},
    time::Duration,
};

use super::{
    Bot, Clock, Limits, Options, Report, Thought, Timekeeper, Turn,
    options::SPINS,
    protocol::{Flow, Plain, Protocol, centipawns, mate},
};
use crate::game::{Outcome, Side, spoken::SpokenError};

/// Time for a move before the frontend has said anything about it.
const UNSAID: Duration = Duration::from_secs(5);
/// A mate is shown as this, plus the moves to it.
const MATE: i32 = 100_000;

/// A conversation in XBoard's protocol.
pub(super) struct Xboard {
    name: String,
    options: Options,
    keeper: Timekeeper,
    mode: Mode,
    work: Option<Work>,
    /// Whether thoughts are shown.
    posts: bool,
    control: Control,
}

/// Whose moves the bot finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Nobody's.
    Force,
    Play(Side),
    /// Both sides', and none is played.
    Analyze,
}

/// What the search under way is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Move,
    Analysis,
    /// Nothing any more: the position has changed.
    Nothing,
}

/// What the frontend said of time.
#[derive(Clone, Copy, Debug, Default)]
struct Control {
    /// On the bot's clock.
    left: Option<Duration>,
    increment: Duration,
    /// Moves of a period; 0 for the whole game.
    period: u32,
    /// For every move alike.
    each: Option<Duration>,
    depth: Option<u32>,
}

impl Xboard {
    pub(super) fn new(name: &str) -> Self {
        Xboard {
            name: name.to_owned(),
            options: Options::default(),
            keeper: Timekeeper::default(),
            mode: Mode::Force,
            work: None,
            posts: false,
            control: Control::default(),
        }
    }

    fn introduce(&self, bot: &dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        let name = Plain(&self.name).to_string().replace('"', "'");
        writeln!(out, "feature done=0")?;
        writeln!(out, "feature myname=\"maydan {} {name}\" variants=\"{}\"", env!("CARGO_PKG_VERSION"), variant(bot))?;
        write!(out, "feature ping=1 setboard=1 usermove=1 playother=1 analyze=1 colors=0 sigint=0 sigterm=0 reuse=1")?;
        writeln!(out, " time=1 draw=0 debug=1")?;
        for (spin, value) in SPINS.iter().zip(self.options.spins()) {
            writeln!(out, "feature option=\"{} -spin {value} {} {}\"", spin.name, spin.least, spin.most)?;
        }
        writeln!(out, "feature done=1")
    }

    /// Ends the search under way, whose move is not wanted any more.
    fn drop_work(&mut self, bot: &dyn Bot) {
        if let Some(work) = &mut self.work {
            *work = Work::Nothing;
            bot.stop();
        }
    }

    /// Begins to think if there is something to think about.
    fn go_on(&mut self, bot: &mut dyn Bot) {
        let work = match self.mode {
            Mode::Analyze => Work::Analysis,
            Mode::Play(side) if side == bot.side() && bot.outcome().is_none() => Work::Move,
            _ => return,
        };
        if self.work.is_some() || bot.legal().is_empty() {
            return;
        }
        let limits = if work == Work::Analysis { Limits::default() } else { self.limits(bot.ply()) };
        bot.think(&self.options, limits, Turn::Own);
        self.work = Some(work);
    }

    fn limits(&self, ply: u32) -> Limits {
        let Control { left, increment, period, each, depth } = self.control;
        let overhead = self.options.overhead();
        let of_clock = left.map(|left| {
            let moves_to_go = (period > 0).then(|| period - ply / 2 % period);
            self.keeper.budget(&Clock { left, increment, moves_to_go }, overhead)
        });
        let of_move = each.map(|time| self.keeper.budget_of_move(time, overhead));
        let time = of_move.or(of_clock).or(depth.is_none().then_some(UNSAID));
        Limits { nodes: None, time, depth }
    }

    /// A move of the other side's.
    fn user_move(&mut self, text: &str, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        if self.work == Some(Work::Move) {
            return writeln!(out, "Illegal move (it is not your turn): {}", Plain(text));
        }
        if bot.play_on_grid(text).is_err() {
            return writeln!(out, "Illegal move: {}", Plain(text));
        }
        self.drop_work(bot);
        self.close(bot, out)
    }

    /// Tells the result, if the game is over.
    fn close(&self, bot: &dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        match bot.outcome() {
            Some(outcome) if self.mode != Mode::Analyze => writeln!(out, "{} {{{}}}", score(outcome), outcome.reason),
            _ => Ok(()),
        }
    }

    fn undo(&mut self, plies: usize, bot: &mut dyn Bot) {
        self.drop_work(bot);
        for _ in 0..plies {
            bot.undo();
        }
    }

    fn report(&self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        let centiseconds = report.time.as_millis() / 10;
        for variation in &report.variations {
            let score = match mate(variation.proof) {
                Some(moves) if moves < 0 => moves - MATE,
                Some(moves) => moves + MATE,
                None => centipawns(variation.wdl),
            };
            let depth = variation.actions.len();
            writeln!(out, "{depth} {score} {centiseconds} {} {}", report.playouts, variation.on_grid.join(" "))?;
        }
        Ok(())
    }
}

impl Protocol for Xboard {
    fn line(&mut self, line: &str, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<Flow> {
        let (command, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        let count = || rest.parse::<u32>().ok();
        match command {
            "" | "xboard" | "accepted" | "rejected" | "random" | "hard" | "easy" | "computer" | "name" | "rating"
            | "ics" | "otim" | "draw" | "hint" | "bk" | "." | "nps" => {}
            "quit" => return Ok(Flow::Quit),
            "protover" => self.introduce(bot, out)?,
            "ping" => writeln!(out, "pong {}", Plain(rest))?,
            "post" => self.posts = true,
            "nopost" => self.posts = false,
            "new" => {
                self.drop_work(bot);
                self.mode = Mode::Play(Side::Black);
                self.control.depth = None;
                // The start of every game is a position of it.
                let _ = bot.set_up(None, &[]);
            }
            "variant" if rest == variant(bot) => write!(out, "{}", bot.xboard())?,
            "variant" => writeln!(out, "Error (this bot plays {} alone): variant {}", variant(bot), Plain(rest))?,
            "setboard" => {
                self.drop_work(bot);
                if let Err(error) = set_board(rest, bot) {
                    writeln!(out, "tellusererror Illegal position: {}", Plain(error))?;
                }
            }
            "force" | "result" => {
                self.drop_work(bot);
                self.mode = Mode::Force;
            }
            "go" => {
                self.drop_work(bot);
                self.mode = Mode::Play(bot.side());
            }
            "playother" => {
                self.drop_work(bot);
                self.mode = Mode::Play(!bot.side());
            }
            "analyze" => {
                self.drop_work(bot);
                (self.mode, self.posts) = (Mode::Analyze, true);
            }
            "exit" => {
                self.drop_work(bot);
                self.mode = Mode::Force;
            }
            "usermove" => self.user_move(rest, bot, out)?,
            "undo" => self.undo(1, bot),
            "remove" => self.undo(2, bot),
            "?" if self.work == Some(Work::Move) => bot.stop(),
            "?" => {}
            "time" => self.control.left = count().map(|cs| Duration::from_millis(u64::from(cs) * 10)),
            "st" => self.control.each = count().map(|seconds| Duration::from_secs(seconds.into())),
            "sd" => self.control.depth = count(),
            "level" => match level(rest) {
                Some(control) => self.control = Control { depth: self.control.depth, ..control },
                None => writeln!(out, "Error (expected MOVES BASE INCREMENT): level {}", Plain(rest))?,
            },
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                if let Err(problem) = self.options.set(name, value) {
                    writeln!(out, "Error ({}): option", Plain(problem))?;
                }
            }
            _ => writeln!(out, "Error (unknown command): {}", Plain(command))?,
        }
        self.go_on(bot);
        Ok(Flow::On)
    }

    fn too_long(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "Error (too long): line")
    }

    fn thought(&mut self, thought: Thought, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        match thought {
            Thought::Report(report) if self.posts && self.work != Some(Work::Nothing) => self.report(&report, out)?,
            Thought::Report(_) | Thought::Counted(_) => {}
            Thought::Chosen(decision) => {
                if self.work.take() == Some(Work::Move) {
                    self.keeper.learn(decision.thought, decision.late);
                    let played =
                        bot.on_grid(&decision.action).and_then(|shown| bot.play(&decision.action).map(|()| shown));
                    // A search of this position chose a legal action of it.
                    if let Ok(shown) = played {
                        writeln!(out, "move {shown}")?;
                        self.close(bot, out)?;
                    }
                }
                self.go_on(bot);
            }
            Thought::Failed(message) => writeln!(out, "tellusererror {}", Plain(message))?,
        }
        Ok(())
    }

    fn is_at_work(&self) -> bool {
        self.work.is_some()
    }
}

/// Sets up what XBoard calls a position. It writes a field for castling and one for en passant in every game; one that has a single field for both, or
/// none of its own, is read without the second.
fn set_board(text: &str, bot: &mut dyn Bot) -> Result<(), SpokenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    match fields[..] {
        [placement, side, "-", "-", clock, fullmove] if bot.set_up(Some(text), &[]).is_err() => {
            bot.set_up(Some(&[placement, side, "-", clock, fullmove].join(" ")), &[])
        }
        _ => bot.set_up(Some(text), &[]),
    }
}

/// The name of the game among XBoard's variants.
fn variant(bot: &dyn Bot) -> &str {
    match bot.ruleset().game.as_str() {
        "chess" => "normal",
        game => game,
    }
}

/// `MOVES BASE INCREMENT`: base in minutes or `minutes:seconds`, increment in seconds.
fn level(text: &str) -> Option<Control> {
    let [period, base, increment] = text.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
    let (minutes, seconds): (u32, u32) = (minutes.parse().ok()?, seconds.parse().ok()?);
    let increment = increment.parse().ok().filter(|seconds: &f64| (0.0..1e6).contains(seconds))?;
    Some(Control {
        left: Some(Duration::from_secs(u64::from(minutes) * 60 + u64::from(seconds))),
        increment: Duration::from_secs_f64(increment),
        period: period.parse().ok()?,
        ..Control::default()
    })
}

fn score(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Side::White) => "1-0",
        Some(Side::Black) => "0-1",
        None => "1/2-1/2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls() {
        let control = level("40 5:30 0.5").unwrap();
        assert_eq!((control.period, control.left), (40, Some(Duration::from_secs(330))));
        assert_eq!(control.increment, Duration::from_millis(500));
        for text in ["", "40 5", "40 5 -1", "40 5:x 0", "0 5 nan", "0 5 1e300"] {
            assert!(level(text).is_none(), "{text}");
        }
    }
}

//! The protocol's state: commands in, answers out.

use std::{
    io::{self, Write},
    time::Duration,
};

use super::{
    super::{
        Bot, Decision, Limits, Options, Report, Thought, Timekeeper, Turn,
        options::SPINS,
        protocol::{Flow, Plain, Protocol, centipawns, mate},
    },
    board,
    control::Control,
    hand::Hand,
    legs,
};
use crate::game::{Outcome, Side};

/// Options that XBoard has commands of its own for.
const COMMANDED: [&str; 2] = ["Hash", "Threads"];
/// No move: what the other side does while a piece goes on.
const PASS: &str = "@@@@";
/// A mate is shown as this, plus the moves to it.
const MATE: i32 = 100_000;
/// What a user does then, said when he takes a piece up instead.
const GOES_ON: &str = "The bot goes on with the same piece. To let it, click the bot's clock.";

/// A conversation in XBoard's protocol.
pub(in super::super) struct Xboard {
    name: String,
    options: Options,
    keeper: Timekeeper,
    mode: Mode,
    work: Option<Work>,
    /// Whether thoughts are shown.
    posts: bool,
    /// Whether the bot thinks on the other side's time.
    ponders: bool,
    control: Control,
    /// Moves as XBoard counts them.
    moves: Vec<Move>,
    /// The last move did not end its side's turn. XBoard knows nothing of that: to it the other side has to pass.
    owes_pass: bool,
    /// The other side is a bot too.
    faces_bot: bool,
    /// What the other side would do best, as XBoard writes it.
    hint: Option<String>,
    hand: Hand,
}

/// A move as XBoard counts them.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// None for a pass, two for two pieces captured in one go.
    actions: usize,
    /// Whether a pass was owed before it.
    was_owed: bool,
}

/// Whose moves the bot finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// No side's.
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
    /// On the other side's time.
    Pondering,
    /// Nothing any more: the position has changed.
    Nothing,
}

impl Xboard {
    pub(in super::super) fn new(name: &str) -> Self {
        Xboard {
            name: name.to_owned(),
            options: Options::default(),
            keeper: Timekeeper::default(),
            mode: Mode::Force,
            work: None,
            posts: false,
            ponders: false,
            control: Control::default(),
            moves: Vec::new(),
            owes_pass: false,
            faces_bot: false,
            hint: None,
            hand: Hand::default(),
        }
    }

    fn introduce(&self, bot: &dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        let name = Plain(&self.name).to_string().replace('"', "'");
        writeln!(out, "feature done=0")?;
        writeln!(out, "feature myname=\"maydan {} {name}\" variants=\"{}\"", env!("CARGO_PKG_VERSION"), variant(bot))?;
        write!(out, "feature ping=1 setboard=1 usermove=1 playother=1 analyze=1 colors=0 sigint=0 sigterm=0 reuse=1")?;
        writeln!(out, " time=1 draw=0 debug=1 memory=1 smp=1 highlight=1")?;
        let spins = SPINS.iter().zip(self.options.spins());
        for (spin, value) in spins.filter(|(spin, _)| !COMMANDED.contains(&spin.name)) {
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

    /// Plays the move that the bot has chosen, and sends it.
    fn decide(&mut self, decision: &Decision, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        let addressed = |shown: String| if self.faces_bot { legs::to_bot(&shown, bot) } else { shown };
        let shown = shown_as(&decision.action, bot).map(addressed);
        // A search of this position chose a legal action of it.
        let Some(shown) = shown.filter(|shown| self.play(shown, bot)) else { return Ok(()) };
        legs::write_move(&shown, out)?;
        self.close(bot, out)?;
        self.hint = decision.answer.as_ref().and_then(|answer| shown_as(answer, bot));
        self.ponder(bot);
        Ok(())
    }

    /// Whose turn it is to XBoard.
    fn turn(&self, bot: &dyn Bot) -> Side {
        if self.owes_pass { !bot.side() } else { bot.side() }
    }

    /// Begins to think if there is something to think about.
    fn go_on(&mut self, bot: &mut dyn Bot) {
        let (work, limits) = match self.mode {
            Mode::Analyze => (Work::Analysis, Limits::default()),
            Mode::Play(side) if side == self.turn(bot) && bot.outcome().is_none() => {
                (Work::Move, self.control.limits(bot.ply(), &mut self.keeper, self.options.overhead()))
            }
            _ => return,
        };
        if self.work.is_some() || bot.legal().is_empty() {
            return;
        }
        bot.think(&self.options, limits, Turn::Own);
        self.work = Some(work);
    }

    /// Goes on thinking after the bot's own move, about all that the other side may do: the tree is kept for what it
    /// does.
    fn ponder(&mut self, bot: &mut dyn Bot) {
        if self.ponders && self.work.is_none() && self.mode != Mode::Force && bot.outcome().is_none() {
            bot.think(&self.options, Limits::default(), Turn::Other);
            self.work = Some(Work::Pondering);
        }
    }

    /// Plays what XBoard writes so. Gives whether it is legal.
    fn play(&mut self, text: &str, bot: &mut dyn Bot) -> bool {
        let was_owed = self.owes_pass;
        let side = bot.side();
        let actions = match text {
            PASS if was_owed => Some(0),
            _ => legs::play(text, self.hand.behind(), bot),
        };
        let Some(actions) = actions else { return false };
        self.moves.push(Move { actions, was_owed });
        self.owes_pass = actions > 0 && bot.side() == side && bot.outcome().is_none();
        (self.hint, self.hand) = (None, Hand::default());
        true
    }

    /// A move of the other side's.
    fn user_move(&mut self, text: &str, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        if self.work == Some(Work::Move) {
            return writeln!(out, "Illegal move (it is not your turn): {}", Plain(text));
        }
        if !self.play(text, bot) {
            return writeln!(out, "Illegal move: {}", Plain(text));
        }
        self.drop_work(bot);
        self.close(bot, out)?;
        if self.owes_pass && self.mode == Mode::Play(self.turn(bot)) && self.play(PASS, bot) {
            legs::write_move(PASS, out)?;
        }
        Ok(())
    }

    /// Writes the result, if the game is over.
    fn close(&self, bot: &dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        match bot.outcome() {
            Some(outcome) if self.mode != Mode::Analyze => writeln!(out, "{} {{{}}}", score(outcome), outcome.reason),
            _ => Ok(()),
        }
    }

    /// Takes back moves as XBoard counts them.
    fn undo(&mut self, moves: usize, bot: &mut dyn Bot) {
        self.drop_work(bot);
        self.hint = None;
        for last in (0..moves).map_while(|_| self.moves.pop()).collect::<Vec<_>>() {
            self.owes_pass = last.was_owed;
            (0..last.actions).for_each(|_| _ = bot.undo());
        }
    }

    /// Another game, or another position.
    fn begin(&mut self) {
        (self.moves, self.owes_pass, self.hint) = (Vec::new(), false, None);
    }

    /// Scores are the bot's own, on the other side's time too.
    fn report(&self, report: &Report, bot: &dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        let centiseconds = report.time.as_millis() / 10;
        let sign = if self.mode == Mode::Play(!bot.side()) { -1 } else { 1 };
        for variation in &report.variations {
            let score = sign
                * match mate(variation.proof) {
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
            "" | "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics" | "otim" | "draw" | "bk"
            | "." | "nps" | "hover" => {}
            "quit" => return Ok(Flow::Quit),
            "protover" => self.introduce(bot, out)?,
            "ping" => {
                if self.work.is_none() {
                    bot.prepare(&self.options);
                }
                writeln!(out, "pong {}", Plain(rest))?;
            }
            "post" => self.posts = true,
            "nopost" => self.posts = false,
            "new" => {
                self.drop_work(bot);
                self.begin();
                (self.mode, self.faces_bot) = (Mode::Play(Side::Black), false);
                self.control.depth = None;
                // The start of every game is a position of it.
                let _ = bot.set_up(None, &[]);
            }
            "computer" => self.faces_bot = true,
            "variant" if rest == variant(bot) => write!(out, "{}", bot.xboard())?,
            "variant" => writeln!(out, "Error (this bot plays {} alone): variant {}", variant(bot), Plain(rest))?,
            "setboard" => {
                self.drop_work(bot);
                self.begin();
                if let Err(error) = board::set_up(rest, bot) {
                    writeln!(out, "tellusererror Illegal position: {}", Plain(error))?;
                }
            }
            "force" | "result" => {
                self.drop_work(bot);
                self.mode = Mode::Force;
            }
            "go" => {
                self.drop_work(bot);
                self.mode = Mode::Play(self.turn(bot));
            }
            "playother" => {
                self.drop_work(bot);
                self.mode = Mode::Play(!self.turn(bot));
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
            "lift" => {
                if self.owes_pass && self.mode == Mode::Play(bot.side()) {
                    writeln!(out, "telluser {GOES_ON}")?;
                }
                self.hand.lift(rest, bot);
                writeln!(out, "highlight {}", self.hand.marks(bot))?;
            }
            "put" => {
                self.hand.put(rest);
                let choice = self.hand.choice(bot);
                if !choice.is_empty() {
                    writeln!(out, "choice {choice}")?;
                }
            }
            "hint" => {
                if let Some(hint) = &self.hint {
                    writeln!(out, "Hint: {hint}")?;
                }
            }
            "hard" => self.ponders = true,
            "easy" => {
                self.ponders = false;
                if self.work == Some(Work::Pondering) {
                    self.drop_work(bot);
                }
            }
            "memory" | "cores" => {
                let name = if command == "memory" { "Hash" } else { "Threads" };
                if let Some(number) = count() {
                    self.options.set_nearest(name, number);
                }
            }
            "?" if self.work == Some(Work::Move) => bot.stop(),
            "?" => {}
            "time" => self.control.left = count().map(|cs| Duration::from_millis(u64::from(cs) * 10)),
            "st" => self.control.each = count().map(|seconds| Duration::from_secs(seconds.into())),
            "sd" => self.control.depth = count(),
            "level" => match Control::level(rest) {
                Some(control) => {
                    let depth = self.control.depth;
                    self.control = control;
                    self.control.depth = depth;
                }
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
            Thought::Report(report) if self.work != Some(Work::Nothing) => {
                if self.posts {
                    self.report(&report, bot, out)?;
                }
                if self.work == Some(Work::Pondering) && self.turn(bot) == bot.side() {
                    self.hint = report.variations.first().and_then(|best| best.on_grid.first().cloned());
                }
            }
            Thought::Report(_) | Thought::Counted(_) => {}
            Thought::Chosen(decision) => {
                if self.work.take() == Some(Work::Move) {
                    self.keeper.learn(decision.thought, decision.late);
                    self.decide(&decision, bot, out)?;
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

/// A legal action as XBoard writes it.
fn shown_as(action: &str, bot: &dyn Bot) -> Option<String> {
    bot.on_grid().into_iter().find(|(known, _)| known == action).map(|(_, shown)| shown)
}

/// The name of the game among XBoard's variants.
fn variant(bot: &dyn Bot) -> &str {
    match bot.ruleset().game.as_str() {
        "chess" => "normal",
        game => game,
    }
}

fn score(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Side::White) => "1-0",
        Some(Side::Black) => "0-1",
        None => "1/2-1/2",
    }
}

//! USHI, the protocol of Shatrabase, a database and board for Altai Shatra (<https://github.com/franzm/shatrabase>):
//! UCI with other commands, positions in SPN and moves by numbers of squares. The bot searches jump by jump; `info` and
//! `bestmove` have the whole series.
//!
//! Layout, lowest first:
//!
//! - `spn`: squares and positions.
//! - `notation`: moves.
//! - `accepted`: which actions Shatrabase takes.

mod accepted;
mod notation;
mod spn;

use std::io::{self, Write};

use self::{accepted::accepted, spn::Spn};
use super::{
    Bot, Decision, Options, Report, Thought, Timekeeper, Turn, Variation,
    family::{Go, complain, report_failure, setting, write_info},
    options::MOST_VARIATIONS,
    protocol::{Flow, Plain, Protocol, WrongGame, centipawns, mate},
};
use crate::{
    game::{
        Ruleset,
        text_game::{TextGame, text_game},
    },
    search::Proof,
};

/// The one game of Shatrabase.
const GAME: &str = "shatra";
const ANALYSE_MODE: &str = "USHI_AnalyseMode";
const VERSION: &str = "Shatra version";
/// The "Extended" rules, with en passant and promotion to captured pieces.
const EXTENDED: &str = "2";

/// A conversation in USHI.
pub(super) struct Ushi {
    name: String,
    rules: Box<dyn TextGame>,
    options: Options,
    /// Whether the frontend analyses: the bot then plays its best.
    analyses: bool,
    keeper: Timekeeper,
    /// What the frontend showed last, with its marks; `None` after a position that these rules do not know.
    board: Option<Spn>,
    /// Notices that are printed only once.
    announced: Vec<&'static str>,
    work: Option<Work>,
    stopping: bool,
}

/// A search under way.
struct Work {
    position: String,
    /// What may be played.
    accepted: Vec<String>,
    /// The last report, without what may not be played.
    variations: Vec<Variation>,
}

impl Ushi {
    /// # Errors
    /// When the rules are not Altai Shatra's.
    pub(super) fn new(name: &str, ruleset: &Ruleset) -> Result<Self, WrongGame> {
        if ruleset.game != GAME {
            return Err(WrongGame::Game { protocol: "ushi", expected: GAME, found: ruleset.game.clone() });
        }
        let rules = text_game(&ruleset.game, &ruleset.options)?;
        Ok(Ushi {
            name: name.to_owned(),
            board: Spn::of_position(&rules.start()),
            rules,
            options: Options::default(),
            analyses: false,
            keeper: Timekeeper::default(),
            announced: Vec::new(),
            work: None,
            stopping: false,
        })
    }

    fn introduce(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "id name maydan {} {}", env!("CARGO_PKG_VERSION"), Plain(&self.name))?;
        writeln!(out, "id author the maydan project")?;
        for option in Options::default().declarations() {
            writeln!(out, "{option}")?;
        }
        writeln!(out, "option name {ANALYSE_MODE} type check default false")?;
        writeln!(out, "option name {VERSION} type spin default {EXTENDED} min 1 max {EXTENDED}")?;
        writeln!(out, "ushiok")
    }

    fn set_option(&mut self, words: &[&str], out: &mut dyn Write) -> io::Result<()> {
        let (name, value) = match setting(words) {
            Ok(setting) => setting,
            Err(problem) => return complain(out, problem),
        };
        if name.eq_ignore_ascii_case(VERSION) {
            return writeln!(out, "version {}supported", if value == EXTENDED { "" } else { "un" });
        }
        if !name.eq_ignore_ascii_case(ANALYSE_MODE) {
            return report_failure(out, self.options.set(&name, &value));
        }
        match value.to_ascii_lowercase().parse() {
            Ok(analyses) => self.analyses = analyses,
            Err(_) => complain(out, format!("{ANALYSE_MODE}: expected true or false, found `{value}`"))?,
        }
        Ok(())
    }

    /// `startpos|spn POSITION [moves MOVES]`.
    fn set_position(&mut self, words: &[&str], bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        self.board = None;
        match self.read_position(words, bot) {
            Ok(board) => {
                self.board = Some(board);
                Ok(())
            }
            Err(problem) => complain(out, format!("position: {problem}")),
        }
    }

    fn read_position(&self, words: &[&str], bot: &mut dyn Bot) -> Result<Spn, String> {
        let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let moves = words.get(end + 1..).unwrap_or_default();
        let (board, start) = match &words[..end] {
            ["startpos"] => (None, self.rules.start()),
            ["spn", fields @ ..] => {
                let board: Spn =
                    fields.join(" ").parse().map_err(|problem: crate::game::PositionError| problem.to_string())?;
                // Shatrabase names the square passed over even where no pawn can capture there.
                let start = self.rules.normal(&board.position()).or_else(|problem| match problem.field {
                    "ep" => self.rules.normal(&board.clone().without_passed().position()),
                    _ => Err(problem),
                });
                (Some(board), start.map_err(|problem| problem.to_string())?)
            }
            _ => return Err("expected `startpos` or `spn POSITION`, and `moves MOVES`".to_owned()),
        };
        let (mut actions, mut position) = (Vec::new(), start.clone());
        for text in moves {
            let (read, after) = notation::read(self.rules.as_ref(), &position, text)?;
            actions.extend(read);
            position = after;
        }
        let actions: Vec<&str> = actions.iter().map(String::as_str).collect();
        bot.set_up(Some(&start), &actions).map_err(|problem| problem.to_string())?;
        let unread = || format!("{position} is not read");
        board.filter(|_| moves.is_empty()).or_else(|| Spn::of_position(&position)).ok_or_else(unread)
    }

    fn go(&mut self, words: &[&str], bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        let Some(board) = &self.board else {
            complain(out, "go: the last position was none".to_owned())?;
            return writeln!(out, "bestmove pass");
        };
        if let Some(outcome) = bot.outcome() {
            writeln!(out, "info string the game is over: {outcome}")?;
        }
        let (position, legal) = (bot.position(), bot.legal());
        if legal.is_empty() {
            return writeln!(out, "bestmove pass");
        }
        let accepted = self.choices(board, &position, &legal);
        let is_restricted = accepted.len() < legal.len();
        let mut options = self.options;
        if self.analyses {
            options.temperature = 0.0;
        }
        // All variations are needed where the chosen action may not be allowed, and where a series continues after it.
        options.multi_pv = MOST_VARIATIONS;
        let limits = Go::read(words).limits(bot.side(), &options, &mut self.keeper);
        bot.think(&options, limits, Turn::Own);
        self.work = Some(Work { position, accepted, variations: Vec::new() });
        self.stopping = false;
        if is_restricted {
            self.once("Shatrabase refuses some of the moves that these rules allow; the bot keeps to the others", out)?;
        }
        Ok(())
    }

    /// Those of the legal actions that Shatrabase takes; all, where it takes none.
    fn choices(&self, board: &Spn, position: &str, legal: &[String]) -> Vec<String> {
        let side = |position: &str| position.split(' ').nth(1).map(str::to_owned);
        let goes_on =
            |action: &str| self.rules.after(position, action).is_ok_and(|after| side(&after) == side(position));
        let taken = accepted(board, legal, goes_on);
        if taken.is_empty() { legal.to_vec() } else { taken }
    }

    /// Warns the user, the first time.
    fn once(&mut self, message: &'static str, out: &mut dyn Write) -> io::Result<()> {
        if self.announced.contains(&message) {
            return Ok(());
        }
        self.announced.push(message);
        writeln!(out, "info string {message}")
    }

    fn report(&mut self, mut report: Report, out: &mut dyn Write) -> io::Result<()> {
        let Some(work) = &mut self.work else { return Ok(()) };
        report.variations.retain(|variation| work.accepted.contains(&variation.actions[0]));
        let rules = self.rules.as_ref();
        let moves = |variation: &Variation| notation::line(rules, &work.position, &variation.actions).join(" ");
        write_info(&report, &self.options, score, moves, out)?;
        work.variations = report.variations;
        Ok(())
    }

    /// Writes the move: the action chosen, and where it is a jump those that the search expects after it, up to the
    /// series' end.
    fn answer(&mut self, decision: &Decision, out: &mut dyn Write) -> io::Result<()> {
        let Some(work) = self.work.take() else { return Ok(()) };
        self.keeper.learn(decision.thought, decision.late);
        let first = if work.accepted.contains(&decision.action) {
            &decision.action
        } else {
            work.variations.first().map_or(&work.accepted[0], |variation| &variation.actions[0])
        };
        let expected = work.variations.iter().find(|variation| variation.actions[0] == *first);
        let expected = expected.map_or(std::slice::from_ref(first), |variation| &variation.actions);
        let turn = self.turn(&work.position, expected);
        writeln!(out, "bestmove {}", notation::line(self.rules.as_ref(), &work.position, &turn).join(" "))
    }

    /// The actions of the side to move until the turn passes: those expected, then the first that Shatrabase takes.
    fn turn(&self, position: &str, expected: &[String]) -> Vec<String> {
        let mut turn: Vec<String> = Vec::new();
        let mut position = position.to_owned();
        while let Some(board) = Spn::of_position(&position) {
            if !turn.is_empty() && board.jumper.is_none() {
                break;
            }
            let legal = self.rules.legal(&position).unwrap_or_default();
            let legal: Vec<String> = legal.into_iter().map(|legal| legal.action).collect();
            let choices = self.choices(&board, &position, &legal);
            let wanted = expected.get(turn.len()).filter(|action| turn.is_empty() || choices.contains(action));
            let Some(action) = wanted.or(choices.first()).cloned() else { break };
            let Ok(after) = self.rules.after(&position, &action) else { break };
            turn.push(action);
            position = after;
        }
        turn
    }
}

impl Protocol for Ushi {
    fn line(&mut self, line: &str, bot: &mut dyn Bot, out: &mut dyn Write) -> io::Result<Flow> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, arguments)) = words.split_first() else { return Ok(Flow::On) };
        match command {
            "ushi" => self.introduce(out)?,
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
            "quit" => return Ok(Flow::Quit),
            "debug" => {}
            "setoption" => self.set_option(arguments, out)?,
            "ushinewgame" | "position" | "go" if self.is_at_work() => {
                complain(out, format!("{command}: the last `go` is not answered yet"))?;
            }
            "ushinewgame" => bot.forget(),
            "position" => self.set_position(arguments, bot, out)?,
            "go" => self.go(arguments, bot, out)?,
            "d" => {
                write!(out, "{}", bot.draw())?;
                let spn = Spn::of_position(&bot.position()).map(|board| board.to_string());
                writeln!(out, "position: {}", spn.unwrap_or_default())?;
            }
            _ => complain(out, format!("no command `{command}`"))?,
        }
        Ok(Flow::On)
    }

    fn too_long(&mut self, out: &mut dyn Write) -> io::Result<()> {
        complain(out, "a line was too long".to_owned())
    }

    fn thought(&mut self, thought: Thought, _: &mut dyn Bot, out: &mut dyn Write) -> io::Result<()> {
        match thought {
            Thought::Report(report) => self.report(report, out),
            Thought::Chosen(decision) => self.answer(&decision, out),
            // No count was asked for.
            Thought::Counted(_) => Ok(()),
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
    match (variation.proof, mate(variation.proof)) {
        (Proof::Win(_), Some(moves)) => format!("win {moves}"),
        (Proof::Loss(_), Some(moves)) => format!("loss {}", -moves),
        _ => format!("cp {}", centipawns(variation.wdl)),
    }
}

//! `maydan play`: a game against a player in the terminal.

use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
};

use clap::{Args, ValueEnum};

use super::{
    examples::examples,
    players::{PlayerOptions, SearchChanges},
};
use crate::{
    console::{Line, read_line},
    evaluate::{Batcher, Choice, Contender, Player, PlayerSpec, Thought, Turn},
    game::{
        Game, History, Outcome, Playable, Reason, Side, Wdl,
        random::{Rng, stream},
        registry::GameVisitor,
    },
    model::EvaluatorError,
};

/// Play against a network (or a baseline) in the terminal
///
/// Moves are typed in the strings of the rules, as `maydan rules <game> moves` prints them. Other words: moves, hint,
/// undo, position, resign, help, quit.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan play models/shatara.maydan",
    "maydan play models/shatra.maydan --playouts 1000 --side black",
    "maydan play alphabeta:2 --game chess --side both",
]))]
pub(super) struct Arguments {
    /// A bundle (`*.maydan`), a checkpoint or a run by its folder or name, `random`, `greedy`, `alphabeta:DEPTH`,
    /// `alphabeta:DEPTH@PERCENT%` (that share of its moves is random) or another program (`uci:COMMAND`)
    opponent: PlayerSpec,
    /// The side that you play
    #[arg(long, default_value = "white")]
    side: Sides,
    /// Begin from this position
    #[arg(long, value_name = "POS")]
    position: Option<String>,
    /// Seed of the opponent's choices among equals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    players: PlayerOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sides {
    White,
    Black,
    /// You move for both sides and ask for hints
    Both,
}

impl Sides {
    fn include(self, side: Side) -> bool {
        match self {
            Sides::White => side == Side::White,
            Sides::Black => side == Side::Black,
            Sides::Both => true,
        }
    }
}

/// Longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 12;
/// Moves shown of those that a player considered.
const SHOWN: usize = 5;

const HELP: &str = "\
a move      play it, as in the list that `moves` prints
moves       list the legal moves
hint        what the opponent would play here
undo        take your last move back
position    print the position as a string
resign      give the game up
quit        leave
";

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let matched = arguments.players.resolve(&[(&arguments.opponent, &SearchChanges::default())])?;
    matched.with_game(Play { arguments: &arguments, contender: &matched.contenders[0] })?
}

struct Play<'a> {
    arguments: &'a Arguments,
    contender: &'a Contender,
}

impl GameVisitor for Play<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let start = match &self.arguments.position {
            None => game.start(),
            Some(text) => game.parse_position(text)?,
        };
        let Arguments { side, seed, .. } = *self.arguments;
        let mut session = Session::new(&game, self.contender, start, side, seed)?;
        let mut out = io::stdout().lock();
        writeln!(out, "{} against {}; `help` lists what you can type.", game.ruleset(), self.arguments.opponent)?;
        session.run(&mut io::stdin().lock(), &mut out)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A game between a person and a player.
struct Session<'a, R: Playable> {
    game: &'a Game<R>,
    contender: &'a Contender,
    person: Sides,
    batcher: Batcher<R>,
    player: Box<dyn Player<R>>,
    rng: Rng,
    /// The positions of the game, the present one last; never empty.
    positions: Vec<R::Position>,
    history: History,
    legal: Vec<R::Action>,
}

/// What comes of a line that was typed.
enum Answer {
    /// The position is another.
    Moved,
    /// It is the same.
    Printed,
    Over(Outcome),
    Left,
}

impl<'a, R: Playable> Session<'a, R> {
    fn new(
        game: &'a Game<R>,
        contender: &'a Contender,
        start: R::Position,
        person: Sides,
        seed: u64,
    ) -> Result<Self, EvaluatorError> {
        let mut legal = Vec::new();
        game.legal_actions(&start, &mut legal);
        Ok(Session {
            game,
            contender,
            person,
            batcher: contender.batcher(game, 1)?,
            player: contender.player(),
            rng: stream("play", seed, 0, 0),
            positions: vec![start],
            history: History::new(game, &start),
            legal,
        })
    }

    fn position(&self) -> &R::Position {
        &self.positions[self.positions.len() - 1]
    }

    fn side(&self) -> Side {
        self.game.side_to_move(self.position())
    }

    /// Plays until the game is over, the person leaves or the input ends.
    fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        self.show(out)?;
        loop {
            if let Some(outcome) = self.history.outcome(self.game, self.position(), &self.legal) {
                writeln!(out, "The game is over: {outcome}.")?;
                return Ok(());
            }
            if !self.person.include(self.side()) {
                let choice = self.consult()?;
                self.explain(&choice, out)?;
                writeln!(out, "{} plays {}", self.side(), choice.action)?;
                self.play(choice.action);
                self.show(out)?;
                continue;
            }
            write!(out, "{}> ", self.side())?;
            out.flush()?;
            let Some(Line::Text(line) | Line::TooLong(line)) = read_line(input, LONGEST_LINE)? else {
                writeln!(out)?;
                return Ok(());
            };
            match self.answer(line.trim(), out)? {
                Answer::Moved => self.show(out)?,
                Answer::Printed => {}
                Answer::Over(outcome) => {
                    writeln!(out, "The game is over: {outcome}.")?;
                    return Ok(());
                }
                Answer::Left => return Ok(()),
            }
        }
    }

    fn answer(&mut self, line: &str, out: &mut impl Write) -> anyhow::Result<Answer> {
        match line {
            "" => {}
            "help" | "?" => write!(out, "{HELP}")?,
            "quit" | "exit" => return Ok(Answer::Left),
            "resign" => return Ok(Answer::Over(Outcome::win(!self.side(), Reason::Resignation))),
            "position" => writeln!(out, "{}", self.position())?,
            "moves" => {
                let text = |action: &R::Action| action.to_string();
                let mut moves: Vec<String> = self.legal.iter().map(text).collect();
                moves.sort_unstable();
                writeln!(out, "{}", moves.join(" "))?;
            }
            "hint" => {
                let choice = self.consult()?;
                self.explain(&choice, out)?;
                writeln!(out, "hint: {}", choice.action)?;
            }
            "undo" if self.undo() => return Ok(Answer::Moved),
            "undo" => writeln!(out, "there is no move of yours to take back")?,
            text => match self.game.parse_action(self.position(), text) {
                Ok(action) => {
                    self.play(action);
                    return Ok(Answer::Moved);
                }
                Err(_) => {
                    writeln!(out, "`{text}` is not a legal move here; `moves` lists them, `help` the other words")?
                }
            },
        }
        Ok(Answer::Printed)
    }

    fn play(&mut self, action: R::Action) {
        let mut next = *self.position();
        self.game.apply(&mut next, action);
        self.positions.push(next);
        self.history.push(self.game, &next);
        self.game.legal_actions(&next, &mut self.legal);
        self.player.observe(action);
    }

    /// Takes moves back up to and with the person's last one; whether there was one.
    fn undo(&mut self) -> bool {
        let before = &self.positions[..self.positions.len() - 1];
        let Some(last) = before.iter().rposition(|position| self.person.include(self.game.side_to_move(position)))
        else {
            return false;
        };
        while self.positions.len() > last + 1 {
            self.positions.pop();
            self.history.pop();
        }
        let position = *self.position();
        self.game.legal_actions(&position, &mut self.legal);
        self.player = self.contender.player();
        true
    }

    /// What the player would play here.
    fn consult(&mut self) -> anyhow::Result<Choice<R::Action>> {
        let position = *self.position();
        let turn = Turn { game: self.game, position: &position, history: &self.history, legal: &self.legal };
        loop {
            match self.player.think(&turn, &mut self.rng, &mut self.batcher) {
                Thought::Chosen(choice) => return Ok(choice),
                Thought::Forfeit(reason) => anyhow::bail!("the opponent cannot go on: {reason}"),
                Thought::Waiting => {
                    self.batcher.evaluate()?;
                    self.player.receive(self.game, &mut self.batcher, 0);
                    self.batcher.rows.clear();
                }
            }
        }
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\n{}\n", self.game.rules().draw(self.position()).trim_end())
    }

    fn explain(&self, choice: &Choice<R::Action>, out: &mut impl Write) -> io::Result<()> {
        if let Some(Wdl { win, draw, loss }) = choice.wdl {
            let [win, draw, loss] = [win, draw, loss].map(|share| 100.0 * share);
            writeln!(out, "{} expects: win {win:.0}%, draw {draw:.0}%, loss {loss:.0}%", self.side())?;
        }
        if !choice.candidates.is_empty() {
            writeln!(out, "{:>10}{:>8}{:>8}{:>8}", "move", "visits", "prior", "value")?;
        }
        for candidate in choice.candidates.iter().take(SHOWN) {
            let text = candidate.action.to_string();
            let prior = 100.0 * candidate.prior;
            writeln!(out, "{text:>10}{:>8}{prior:>7.1}%{:>+8.2}", candidate.visits, candidate.value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evaluate::match_search, game::shatara::Shatara, model::Uniform};

    /// A session with a searching player, as text.
    fn play(position: &str, person: Sides, input: &str) -> String {
        let game = Shatara::game(&toml::Table::new()).unwrap();
        let evaluator = Box::new(|batch_size| Ok(Box::new(Uniform { batch_size }) as _));
        let contender = Contender::Network { evaluator, leaves: 16, search: match_search(400) };
        let start = if position.is_empty() { game.start() } else { game.parse_position(position).unwrap() };
        let mut out = Vec::new();
        let mut session = Session::new(&game, &contender, start, person, 1).unwrap();
        session.run(&mut input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_player_with_a_search_says_what_it_expects() {
        let text = play("6k1/5ppp/8/8/8/8/8/R5K1[] w - - - 0 1", Sides::White, "hint\na1a8\n");
        assert!(text.contains("white expects: win 100%, draw 0%, loss 0%"), "{text}");
        let best = text.lines().skip_while(|line| !line.trim_start().starts_with("move ")).nth(1).unwrap();
        assert!(best.trim_start().starts_with("a1a8 ") && best.ends_with("+1.00"), "{best}");
        assert!(text.contains("hint: a1a8\n") && text.ends_with("The game is over: white checkmate.\n"), "{text}");
    }

    /// Black's reply after an undo is thought out anew, and play goes on.
    #[test]
    fn undo_and_hint_leave_a_game_that_goes_on() {
        let text = play("", Sides::Black, "undo\nhint\ne7e5\nundo\nd7d5\nhint\nposition\nquit\n");
        assert!(text.contains("there is no move of yours to take back"), "{text}");
        assert_eq!(text.matches("\nwhite plays ").count(), 3, "{text}");
        assert_eq!(text.matches("hint: ").count(), 2, "{text}");
        let position = text.lines().rev().find(|line| line.contains('[')).unwrap();
        assert!(position.contains(" b ") && position.ends_with(" 2"), "{position}");
    }

    #[test]
    fn resigning_gives_the_other_side_the_game() {
        assert!(play("", Sides::Both, "e2e4\nresign\n").ends_with("The game is over: white resignation.\n"));
    }
}

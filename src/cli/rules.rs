//! `maydan rules`: asks the rules of a game.

use std::{
    io::{self, BufReader, Write},
    process::ExitCode,
};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use rand::Rng;
use serde_json::{Map, Value, json};

use super::{examples::examples, options::RulesetOptions};
use crate::{
    console::{Line, read_line},
    game::{
        Game, History, Playable,
        perft::{divide, perft},
        random,
        registry::{self, GameVisitor},
    },
};

/// Ask the rules of a game: positions, legal moves, perft, outcomes
///
/// With `-` for POS, reads one `POS`, `POS<TAB>DEPTH` or `POS<TAB>MOVE MOVE ...` a line from standard input and answers
/// each with one line, `POS<TAB>answer`; a line that is wrong is answered `POS<TAB>error: ...` and makes the exit code
/// 2 at the end.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan rules shatara start",
    "maydan rules omega text",
    "maydan rules chess perft \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" 4",
    "maydan rules shatara random 1 20 --set promotion_stock=consume",
]))]
pub(super) struct Arguments {
    /// Id of the game, such as `shatara` or `chess`
    game: String,
    /// What to ask
    question: Question,
    /// What it is asked about: a position is one (quoted) argument
    arguments: Vec<String>,
    /// Answer in JSON: a string, a number, an array or an object; with `-` an object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: RulesetOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Question {
    /// The position in which every game starts
    Start,
    /// POS: its legal moves, sorted
    Moves,
    /// POS DEPTH: perft of each move, sorted, then the total
    Divide,
    /// POS DEPTH: number of legal sequences of DEPTH moves
    Perft,
    /// POS MOVE...: the position after the moves
    Play,
    /// POS: `ongoing`, or who won (`white`, `black`, `draw`) and the reason
    Outcome,
    /// SEED PLIES: a random game, one `POS<TAB>move` a ply, the last `POS<TAB>-`
    Random,
    /// The rules in words
    Text,
}

/// Deepest perft: beyond it no machine would answer.
const MAX_DEPTH: u32 = 64;
/// Longest line read from standard input, in bytes; a line of a whole game's moves is far shorter.
const MAX_LINE: u64 = 1 << 20;

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let overrides = arguments.options.overrides()?;
    registry::with_game(&arguments.game, &overrides, &arguments)?
}

impl GameVisitor for &Arguments {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let words: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        // A user at a terminal wants lines at once; a program wants them in bulk. The buffer is flushed whenever we are
        // about to wait.
        let mut out = io::BufWriter::new(io::stdout().lock());
        let code = match (self.question, &words[..]) {
            (Question::Start, []) => self.print(&Answer::Word(game.start().to_string()), &mut out)?,
            (Question::Text, []) if self.json => self.print(&Answer::Word(R::RULES_TEXT.to_owned()), &mut out)?,
            (Question::Text, []) => {
                write!(out, "{}", R::RULES_TEXT)?;
                ExitCode::SUCCESS
            }
            (Question::Random, &[seed, plies]) => {
                random_game(&game, seed, plies, self.json, &mut out)?;
                ExitCode::SUCCESS
            }
            (Question::Start | Question::Text, _) => bail!("{} takes no argument", self.question.name()),
            (Question::Random, _) => bail!("random takes SEED PLIES"),
            (question, ["-", rest @ ..]) => answer_lines(&game, question, rest, self.json, &mut out)?,
            (question, [position, rest @ ..]) => self.print(&answer(&game, question, position, rest)?, &mut out)?,
            (question, []) => {
                bail!("{} needs a position, or `-` to read positions from standard input", question.name())
            }
        };
        out.flush()?;
        Ok(code)
    }
}

impl Arguments {
    fn print(&self, answer: &Answer, out: &mut impl Write) -> io::Result<ExitCode> {
        if self.json {
            writeln!(out, "{}", answer.to_json())?;
        } else {
            for line in answer.to_lines() {
                writeln!(out, "{line}")?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What is answered to a question.
enum Answer {
    Word(String),
    Number(u64),
    Words(Vec<String>),
    /// Numbers by name, and their sum.
    Counts(Vec<(String, u64)>, u64),
}

impl Answer {
    /// An item a line.
    fn to_lines(&self) -> Vec<String> {
        match self {
            Answer::Word(word) => vec![word.clone()],
            Answer::Number(number) => vec![number.to_string()],
            Answer::Words(words) => words.clone(),
            Answer::Counts(counts, total) => {
                let line = |(name, count): &(String, u64)| format!("{name} {count}");
                counts.iter().map(line).chain([format!("total {total}")]).collect()
            }
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Answer::Word(word) => json!(word),
            Answer::Number(number) => json!(number),
            Answer::Words(words) => json!(words),
            Answer::Counts(counts, total) => {
                let moves: Map<String, Value> =
                    counts.iter().map(|(name, count)| (name.clone(), json!(count))).collect();
                json!({ "moves": moves, "total": total })
            }
        }
    }
}

impl Question {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// The answer about one position.
fn answer<R: Playable>(game: &Game<R>, question: Question, position: &str, rest: &[&str]) -> anyhow::Result<Answer> {
    let mut position = game.parse_position(position)?;
    Ok(match (question, rest) {
        (Question::Moves, []) => {
            let mut legal = Vec::new();
            game.legal_actions(&position, &mut legal);
            let mut moves: Vec<String> = legal.iter().map(|&action| action.to_string()).collect();
            moves.sort_unstable();
            Answer::Words(moves)
        }
        (Question::Perft, [depth]) => Answer::Number(perft(game, &position, depth_of(depth)?)),
        (Question::Divide, [depth]) => {
            let depth = depth_of(depth)?;
            let counts = divide(game, &position, depth);
            let total = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
            let mut counts: Vec<(String, u64)> =
                counts.iter().map(|(action, count)| (action.to_string(), *count)).collect();
            counts.sort_unstable();
            Answer::Counts(counts, total)
        }
        (Question::Play, moves) => {
            for text in moves {
                let action = game.parse_action(&position, text)?;
                game.apply(&mut position, action);
            }
            Answer::Word(position.to_string())
        }
        (Question::Outcome, []) => {
            let mut legal = Vec::new();
            game.legal_actions(&position, &mut legal);
            let outcome = game.outcome(&position, &legal, 0);
            Answer::Word(outcome.map_or("ongoing".to_owned(), |outcome| outcome.to_string()))
        }
        (Question::Perft | Question::Divide, _) => bail!("{} takes a position and a depth", question.name()),
        _ => bail!("{} takes a position and nothing else", question.name()),
    })
}

fn depth_of(text: &str) -> anyhow::Result<u32> {
    match text.parse() {
        Ok(depth) if depth <= MAX_DEPTH => Ok(depth),
        _ => bail!("depth: expected a number, 0 to {MAX_DEPTH}, found `{text}`"),
    }
}

/// Answers standard input line by line. What a line does not say after its position is taken from `rest`.
fn answer_lines<R: Playable>(
    game: &Game<R>,
    question: Question,
    rest: &[&str],
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut code = ExitCode::SUCCESS;
    loop {
        if input.buffer().is_empty() {
            out.flush()?;
        }
        // No game takes the beginning of an overlong line for a position.
        let Some(Line::Text(line) | Line::TooLong(line)) = read_line(&mut input, MAX_LINE)? else { return Ok(code) };
        let (position, words) = line.split_once('\t').unwrap_or((&line, ""));
        let mut words: Vec<&str> = words.split_whitespace().collect();
        if words.is_empty() {
            words = rest.to_vec();
        }
        match answer(game, question, position, &words) {
            Ok(answer) if json => {
                writeln!(out, "{}", json!({ "position": position, "answer": answer.to_json() }))?;
            }
            Ok(answer) => writeln!(out, "{position}\t{}", answer.to_lines().join(" "))?,
            Err(error) => {
                if json {
                    writeln!(out, "{}", json!({ "position": position, "error": format!("{error:#}") }))?;
                } else {
                    writeln!(out, "{position}\terror: {error:#}")?;
                }
                code = ExitCode::from(2);
            }
        }
    }
}

/// Plays uniformly random legal moves until the game ends or `plies` have been played.
fn random_game<R: Playable>(
    game: &Game<R>,
    seed: &str,
    plies: &str,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let seed: u64 = seed.parse().with_context(|| format!("seed: expected a number below 2^64, found `{seed}`"))?;
    let plies: u64 = plies.parse().with_context(|| format!("plies: expected a number below 2^64, found `{plies}`"))?;
    let mut line = |position: &R::Position, action: Option<String>| match json {
        true => writeln!(out, "{}", json!({ "position": position.to_string(), "move": action })),
        false => writeln!(out, "{position}\t{}", action.as_deref().unwrap_or("-")),
    };
    let mut rng = random::stream("rules", seed, 0, 0);
    let mut position = game.start();
    let mut history = History::new(game, &position);
    let mut legal = Vec::new();
    for _ in 0..plies {
        game.legal_actions(&position, &mut legal);
        if history.outcome(game, &position, &legal).is_some() {
            break;
        }
        let action = legal[rng.random_range(0..legal.len())];
        line(&position, Some(action.to_string()))?;
        game.apply(&mut position, action);
        history.push(game, &position);
    }
    Ok(line(&position, None)?)
}

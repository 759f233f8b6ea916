//! `maydan analyse`: what a bot thinks of a position, or of every move of a game.

use std::{
    fs,
    io::{self, Read as _, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::{
    bots::{BotCompute, BotName, BotVisitor, FoundBot},
    examples::examples,
    options::RulesetOptions,
};
use crate::{
    console::{HEADING, Progress, output, styled},
    game::{Game, Playable, Ruleset, Wdl, random::stream, record::Record},
    serve::{Analysis, Analyst, Limits, Options, Variation, annotated},
};

/// Most bytes of a record that are read.
const LONGEST: u64 = 1 << 20;
/// Most actions of a record.
const MOST_ACTIONS: usize = 10_000;
/// Moves of a line that are printed.
const SHOWN: usize = 8;

/// Analyse a position, or every move of a game, with a bot
///
/// A position gets the best lines, each with visits, prior, chances and principal variation. A game gets the chances
/// before and after each move, seen by the side that made it, and what the move gave away.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan analyse --bot models/shatara.maydan",
    "maydan analyse --bot uniform:chess --seconds 2 --lines 3",
    "maydan analyse game.txt --bot models/shatara.maydan --page game.html",
]))]
pub(super) struct Arguments {
    /// A position string, the file of a record (as `maydan games` and the page write it), or `-` for a record on standard
    /// input; where every game starts if not given
    #[arg(value_name = "POS|FILE")]
    subject: Option<String>,
    /// A bundle (`*.maydan`), a checkpoint or a run by its folder or name, or `uniform:GAME` for a search without a network
    #[arg(long, value_name = "BOT")]
    bot: BotName,
    /// Playouts of each search
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    playouts: u32,
    /// Seconds of each search, in place of playouts
    #[arg(long, value_name = "S", conflicts_with = "playouts")]
    seconds: Option<f64>,
    /// Lines of a position
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=500))]
    lines: u32,
    /// Threads that compute the network
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Write the page of an analysed game to this file
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    compute: BotCompute,
    #[command(flatten)]
    rules: RulesetOptions,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    if let Some(seconds) = arguments.seconds {
        ensure!(seconds > 0.0 && seconds <= 1e6, "--seconds: expected above 0 to 1000000, found {seconds}");
    }
    let overrides = arguments.rules.overrides()?;
    let subject = Subject::of(arguments.subject.as_deref())?;
    arguments.bot.find(&arguments.compute, &overrides, Analyse { arguments: &arguments, subject })?
}

/// What is analysed.
enum Subject {
    Position(Option<String>),
    /// The text of a record.
    Game(String),
}

impl Subject {
    fn of(text: Option<&str>) -> anyhow::Result<Self> {
        let read = |input: &mut dyn io::Read| {
            let mut text = String::new();
            input.take(LONGEST).read_to_string(&mut text).map(|_| Subject::Game(text))
        };
        match text {
            None => Ok(Subject::Position(None)),
            Some("-") => Ok(read(&mut io::stdin().lock())?),
            Some(path) if Path::new(path).is_file() => {
                let mut file = fs::File::open(path).with_context(|| path.to_owned())?;
                read(&mut file).with_context(|| path.to_owned())
            }
            Some(position) => Ok(Subject::Position(Some(position.to_owned()))),
        }
    }
}

struct Analyse<'a> {
    arguments: &'a Arguments,
    subject: Subject,
}

impl BotVisitor for Analyse<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>, bot: FoundBot) -> Self::Output {
        let Arguments { playouts, seconds, lines, threads, json, .. } = *self.arguments;
        let options = Options { multi_pv: lines, threads, ..Options::default() };
        let limits = match seconds {
            Some(seconds) => Limits { time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() },
            None => Limits { nodes: Some(playouts), ..Limits::default() },
        };
        let ruleset = game.ruleset().clone();
        let mut analyst = Analyst::new(game, bot.network, stream("analyse", 0, 0, 0), options, limits)?;
        let mut out = output();
        match self.subject {
            Subject::Position(position) => {
                let analysis = analyst.position(position.as_deref(), &[]).with_context(|| match position {
                    Some(text) => format!("`{text}` is no file, and as a position"),
                    None => ruleset.to_string(),
                })?;
                if json {
                    writeln!(out, "{}", position_json(&ruleset, &analysis))?;
                } else {
                    writeln!(out, "{ruleset}\n{}\n\n{}\n", analysis.position, analyst.draw().trim_end())?;
                    print_position(&mut out, &analysis)?;
                }
            }
            Subject::Game(text) => {
                // Of several games, as `maydan games` writes them, the first.
                let first = text.split("\n[maydan ").next().unwrap_or_default();
                let record = Record::read(first, &ruleset, MOST_ACTIONS)?;
                let progress = Progress::new("moves", record.actions.len() as u64);
                let mut done = 0;
                let moves = analyst.game(record.start, &record.actions, &mut |_| {
                    done += 1;
                    progress.show(done, String::new);
                })?;
                drop(progress);
                if let Some(file) = &self.arguments.page {
                    annotated(&ruleset, record.start, &moves).write(file)?;
                }
                if json {
                    let game = json!({ "game": ruleset.game, "ruleset": ruleset.hash, "start": record.start, "result": record.result, "moves": moves });
                    writeln!(out, "{game}")?;
                } else {
                    writeln!(out, "{ruleset}\n{}\n", record.start)?;
                    write!(out, "{}", annotated(&ruleset, record.start, &moves).tables_to_text(MOST_ACTIONS))?;
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn print_position(out: &mut impl Write, analysis: &Analysis) -> io::Result<()> {
    let Some(report) = &analysis.report else {
        let outcome = analysis.outcome.map(|outcome| outcome.to_string());
        return writeln!(out, "The game is over: {}.", outcome.unwrap_or_default());
    };
    let [win, draw, loss] = percent(report.wdl);
    let seconds = report.time.as_secs_f64();
    writeln!(
        out,
        "{} to move: win {win:.1}%, draw {draw:.1}%, loss {loss:.1}%; {} playouts in {seconds:.2} s\n",
        analysis.side, report.playouts
    )?;
    let head = format!("{:>8} {:>7} {:>6} {:>6} {:>6} {:>6}  line", "visits", "prior", "value", "win", "draw", "loss");
    writeln!(out, "{}", styled(HEADING, head))?;
    for Variation { actions, visits, prior, wdl, .. } in &report.variations {
        let ([win, draw, loss], prior) = (percent(*wdl), 100.0 * prior);
        let line = actions[..actions.len().min(SHOWN)].join(" ");
        let value = wdl.value();
        writeln!(out, "{visits:>8} {prior:>6.1}% {value:>+6.2} {win:>5.1}% {draw:>5.1}% {loss:>5.1}%  {line}")?;
    }
    Ok(())
}

fn position_json(ruleset: &Ruleset, analysis: &Analysis) -> Value {
    let line = |variation: &Variation| {
        json!({
            "actions": variation.actions,
            "visits": variation.visits,
            "prior": variation.prior,
            "value": variation.wdl.value(),
            "wdl": variation.wdl.to_array(),
            "proven": variation.proof.is_known(),
        })
    };
    let report = analysis.report.as_ref();
    json!({
        "game": ruleset.game,
        "ruleset": ruleset.hash,
        "position": analysis.position,
        "side": analysis.side.name(),
        "wdl": analysis.wdl().to_array(),
        "playouts": report.map_or(0, |report| report.playouts),
        "outcome": analysis.outcome.map(|outcome| outcome.to_string()),
        "lines": report.map_or(Vec::new(), |report| report.variations.iter().map(line).collect()),
    })
}

fn percent(wdl: Wdl) -> [f32; 3] {
    wdl.to_array().map(|chance| 100.0 * chance)
}

//! `maydan match`: two players against each other.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{anyhow, bail};
use clap::Args;
use serde_json::{Value, json};

use super::{
    examples::examples,
    players::{PlayerOptions, SearchChanges},
};
use crate::{
    console::{HEADING, INTERRUPTED, Pace, Progress, output, stop_flag, styled},
    disk::{IoError, PartialFile},
    estimate::{Sprt, Verdict},
    evaluate::{Contender, GameRecord, MatchConfig, MatchReport, PlayerSpec, Tally, play_match_from},
    game::{Game, History, Playable, registry::GameVisitor},
};

/// Play two players against each other: results, Elo difference with its 95% interval
///
/// A player is a bundle (`*.maydan`), a checkpoint or a run by its folder or name (its newest network plays), `random`,
/// `greedy` (best material after its own move), `alphabeta:DEPTH` (material and mobility, fixed depth; with `@20%` behind
/// it every fifth move is random) or another program: `uci:COMMAND`, with options as in
/// `uci:COMMAND?Hash=16&Threads=1`. A program that dies, hangs or plays an illegal move loses the game; one that does not
/// answer before the first game ends the match. Each opening, a few random moves, is played twice with colours swapped.
/// The same seed gives the same games. Ctrl-C stops and reports the games so far.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "maydan match greedy random --game shatara --games 20",
    "maydan match models/shatara.maydan alphabeta:2 --playouts 200",
    "maydan match models/shatara.maydan models/shatara-small --search-a mode=gumbel --sprt 0,50",
    "maydan match shatara-demo alphabeta:1 --games-file games.jsonl --json",
]))]
pub(super) struct Arguments {
    /// The first player, whose point of view the results take
    a: PlayerSpec,
    /// The second player
    b: PlayerSpec,
    /// Games; an odd number is rounded up
    #[arg(long, default_value_t = MatchConfig::default().games)]
    games: u64,
    /// Random moves at the start of a game
    #[arg(long, value_name = "PLIES", default_value_t = MatchConfig::default().opening_plies)]
    openings: u32,
    /// Begin the pairs of games at the positions in this file, a line each, in place of random openings; not with another
    /// program
    #[arg(long, value_name = "FILE", conflicts_with = "openings")]
    positions: Option<PathBuf>,
    /// Seed of openings and players
    #[arg(long, default_value_t = MatchConfig::default().seed)]
    seed: u64,
    /// Threads that play; they change no game
    #[arg(long, default_value_t = MatchConfig::default().threads)]
    threads: usize,
    /// Stop once the games tell these Elo differences apart, with the given error probabilities (0.05 each)
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true, value_parser = parse_sprt)]
    sprt: Option<Sprt>,
    /// Write the games to this file: a line about the match, then one JSON object a game
    #[arg(long, value_name = "FILE")]
    games_file: Option<PathBuf>,
    /// How the search of a network that is the first player differs, as in `mode=gumbel,considered_actions=16`; keys of
    /// `[selfplay.search]`, and `leaves`, the positions that it waits for at once (1)
    #[arg(long, value_name = "KEY=VALUE,...")]
    search_a: Option<SearchChanges>,
    /// The same for the second player
    #[arg(long, value_name = "KEY=VALUE,...")]
    search_b: Option<SearchChanges>,
    /// Print one JSON object in place of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    players: PlayerOptions,
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let sprt = match numbers.as_deref() {
        Ok(&[elo0, elo1]) => Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 },
        Ok(&[elo0, elo1, alpha, beta]) => Sprt { elo0, elo1, alpha, beta },
        _ => return Err("expected two or four numbers with commas between, as in `0,10`".to_owned()),
    };
    sprt.validate().map(|()| sprt).map_err(|error| error.to_string())
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let config = MatchConfig {
        games: arguments.games,
        opening_plies: arguments.openings,
        seed: arguments.seed,
        threads: arguments.threads,
        sprt: arguments.sprt,
        ..MatchConfig::default()
    };
    config.validate().map_err(|message| anyhow!("--{message}"))?;
    let [search_a, search_b] =
        [&arguments.search_a, &arguments.search_b].map(|given| given.clone().unwrap_or_default());
    let matched = arguments.players.resolve(&[(&arguments.a, &search_a), (&arguments.b, &search_b)])?;
    matched.with_game(Match { arguments: &arguments, config, contenders: &matched.contenders })?
}

/// A player with what its search does differently.
fn name(player: &PlayerSpec, changes: Option<&SearchChanges>) -> String {
    match changes {
        None => player.to_string(),
        Some(changes) => format!("{player} ({changes})"),
    }
}

struct Match<'a> {
    arguments: &'a Arguments,
    config: MatchConfig,
    /// Two.
    contenders: &'a [Contender],
}

impl GameVisitor for Match<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
        let Arguments { a, b, search_a, search_b, .. } = self.arguments;
        let names = [name(a, search_a.as_ref()), name(b, search_b.as_ref())];
        let mut file = self.arguments.games_file.as_deref().map(GamesFile::create).transpose()?;
        if let Some(file) = &mut file {
            file.line(&json!({
                "ruleset": game.ruleset(), "first": names[0], "second": names[1], "seed": self.config.seed,
                "opening_plies": self.config.opening_plies, "playouts": self.arguments.players.playouts,
            }))?;
        }
        let positions = self.arguments.positions.as_deref().map_or(Ok(Vec::new()), |path| positions(&game, path))?;
        if !positions.is_empty() && self.contenders.iter().any(Contender::blocks) {
            bail!("--positions: expected players of this program, found another program");
        }
        let progress = Progress::paced("games", self.config.games.next_multiple_of(2), Pace::Tenths);
        let mut written = Ok(());
        let contenders = [&self.contenders[0], &self.contenders[1]];
        let each = |record: &GameRecord, report: &MatchReport| {
            let total = report.total();
            progress.show(total.games(), || format!("A +{} ={} -{}", total.wins, total.draws, total.losses));
            if let Some(note) = &record.note {
                progress.warn(&format!("game {}: {} loses: {note}", record.game, record.loser().unwrap_or_default()));
            }
            if let (Some(file), Ok(())) = (&mut file, &written) {
                written = file.line(record);
            }
        };
        let report =
            play_match_from(&game, &positions, contenders, [&names[0], &names[1]], &self.config, &stop_flag(), each)?;
        drop(progress);
        written?;

        let mut out = output();
        let decided = matches!(report.verdict, Some(Verdict::H0 | Verdict::H1));
        let stopped = report.total().games() < self.config.games && !decided;
        if self.arguments.json {
            let facts = json!({ "ruleset": game.ruleset(), "a": names[0], "b": names[1], "stopped": stopped });
            writeln!(out, "{}", report_json(facts, &self.config, &report))?;
        } else {
            writeln!(out, "{}\nA: {}\nB: {}\n", game.ruleset(), names[0], names[1])?;
            print_report(&mut out, &self.config, &report)?;
            if stopped {
                writeln!(out, "stopped after {} of {} games", report.total().games(), self.config.games)?;
            }
        }
        if let Some(file) = file {
            file.0.finish()?;
        }
        Ok(if stopped { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
    }
}

/// The positions in a file, in each of which the game goes on; empty lines are skipped.
fn positions<R: Playable>(game: &Game<R>, path: &Path) -> anyhow::Result<Vec<R::Position>> {
    let text = fs::read_to_string(path).map_err(IoError::at(path))?;
    let mut positions = Vec::new();
    let mut legal = Vec::new();
    for (text, line) in text.lines().zip(1..).filter(|(text, _)| !text.trim().is_empty()) {
        let fault = |reason: String| anyhow!("{}, line {line}: {reason}", path.display());
        let position = game.parse_position(text.trim()).map_err(|error| fault(error.to_string()))?;
        game.legal_actions(&position, &mut legal);
        if let Some(outcome) = History::new(game, &position).outcome(game, &position, &legal) {
            return Err(fault(format!("expected a position in which the game goes on, found {outcome}")));
        }
        positions.push(position);
    }
    if positions.is_empty() {
        bail!("{}: expected a position a line, found none", path.display());
    }
    Ok(positions)
}

/// `facts`, an object, with the results of A in it. An unbounded end of the interval is `null`.
fn report_json(mut facts: Value, config: &MatchConfig, report: &MatchReport) -> Value {
    let tally = |tally: Tally| {
        json!({
            "games": tally.games(), "won": tally.wins, "drawn": tally.draws, "lost": tally.losses,
            "score": (tally.games() > 0).then(|| tally.score()),
        })
    };
    let ([white, black], elo) = (report.by_colour, report.estimate());
    facts["results"] = tally(report.total());
    facts["as_white"] = tally(white);
    facts["as_black"] = tally(black);
    facts["pairs"] = json!(report.pairs.0);
    facts["elo"] = json!({ "estimate": elo.estimate, "low": elo.low, "high": elo.high });
    facts["sprt"] = json!(config.sprt.map(|sprt| {
        let verdict = match sprt.verdict(&report.pairs) {
            Verdict::Undecided => "undecided",
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
        };
        json!({ "elo0": sprt.elo0, "elo1": sprt.elo1, "llr": sprt.llr(&report.pairs), "bounds": sprt.bounds(), "verdict": verdict })
    }));
    facts
}

fn print_report(out: &mut impl Write, config: &MatchConfig, report: &MatchReport) -> io::Result<()> {
    let head = format!("{:<12}{:>8}{:>8}{:>8}{:>8}{:>9}", "", "games", "won", "drawn", "lost", "score");
    writeln!(out, "{}", styled(HEADING, head))?;
    let [white, black] = report.by_colour;
    for (name, tally) in [("A", report.total()), ("A as white", white), ("A as black", black)] {
        let (games, score) = (tally.games(), 100.0 * tally.score());
        writeln!(out, "{name:<12}{games:>8}{:>8}{:>8}{:>8}{score:>8.1}%", tally.wins, tally.draws, tally.losses)?;
    }
    let counts = report.pairs.0.map(|count| count.to_string()).join(" ");
    writeln!(out, "\npairs in which A won 0, 1/2, 1, 3/2, 2 points: {counts}")?;
    writeln!(out, "{}", styled(HEADING, format_args!("Elo of A over B: {:+.1} (95%)", report.estimate())))?;
    if let Some(sprt) = config.sprt {
        let ((lower, upper), llr) = (sprt.bounds(), sprt.llr(&report.pairs));
        let verdict = match sprt.verdict(&report.pairs) {
            Verdict::Undecided => "undecided".to_owned(),
            Verdict::H0 => format!("H0 accepted, A is less than {} Elo stronger", sprt.elo1),
            Verdict::H1 => format!("H1 accepted, A is more than {} Elo stronger", sprt.elo0),
        };
        writeln!(
            out,
            "SPRT of {} against {} Elo: LLR {llr:.2} in [{lower:.2}, {upper:.2}], {verdict}",
            sprt.elo0, sprt.elo1
        )?;
    }
    Ok(())
}

/// The games, written beside their file and moved there once whole.
struct GamesFile(PartialFile);

impl GamesFile {
    fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(GamesFile(PartialFile::create(path).map_err(|error| anyhow!("--games-file: {error}"))?))
    }

    fn line(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, value)?;
        self.0.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::PairCounts;

    #[test]
    fn report_as_text() {
        let half = Tally { wins: 6, draws: 2, losses: 2 };
        let report = MatchReport { by_colour: [half, half], pairs: PairCounts([0, 2, 1, 4, 3]), verdict: None };
        let sprt = Some(parse_sprt("0, 10").unwrap());
        let mut text = Vec::new();
        print_report(&mut text, &MatchConfig { sprt, ..MatchConfig::default() }, &report).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("A                 20      12       4       4    70.0%\n"), "{text}");
        assert!(text.contains("Elo of A over B: +147.2 ["), "{text}");
        assert!(text.contains("SPRT of 0 against 10 Elo: LLR 0."), "{text}");
    }

    #[test]
    fn report_as_json() {
        let (won, nothing) = (Tally { wins: 4, ..Tally::default() }, Tally::default());
        let report = MatchReport { by_colour: [won, nothing], pairs: PairCounts([0, 0, 0, 0, 2]), verdict: None };
        let json = report_json(json!({ "a": "greedy" }), &MatchConfig::default(), &report);
        assert_eq!(json["results"], json!({ "games": 4, "won": 4, "drawn": 0, "lost": 0, "score": 1.0 }));
        assert!(
            json["as_black"]["score"].is_null() && json["elo"]["high"].is_null() && json["sprt"].is_null(),
            "{json}"
        );
        assert!(json["elo"]["low"].is_number() && json["a"] == "greedy", "{json}");
    }

    #[test]
    fn sprt_as_typed() {
        assert_eq!(parse_sprt("-5,5,0.1,0.2"), Ok(Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.1, beta: 0.2 }));
        for text in ["", "5", "5,0", "0,10,0.05", "a,b", "0,10,0,0.5", "0,inf"] {
            assert!(parse_sprt(text).is_err(), "{text}");
        }
    }
}

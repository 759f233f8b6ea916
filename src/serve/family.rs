//! Commands that the protocols of UCI's family share: `setoption`, `go`, `info`.

use std::{
    fmt::Display,
    io::{self, Write},
    time::Duration,
};

use super::{Clock, Limits, Options, Report, Timekeeper, Variation, protocol::Plain};
use crate::game::Side;

/// Playouts of a `go` that says nothing, where no option does.
const PLAYOUTS: u32 = 800;

/// What `go` asks for.
#[derive(Debug, Default)]
pub(super) struct Go {
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    nodes: Option<u32>,
    depth: Option<u32>,
    move_time: Option<Duration>,
    /// Depth of a count of leaves.
    pub perft: Option<u32>,
    infinite: bool,
    /// On the other side's time.
    pub ponder: bool,
}

impl Go {
    /// Words that mean nothing here are passed over, as UCI asks.
    pub fn read(words: &[&str]) -> Self {
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

    /// What ends the search of `side`'s move, which begins.
    pub fn limits(&self, side: Side, options: &Options, keeper: &mut Timekeeper) -> Limits {
        if self.infinite {
            return Limits::default();
        }
        let overhead = options.overhead();
        let of_clock = self.left[side.index()].map(|left| {
            let clock = Clock { left, increment: self.increment[side.index()], moves_to_go: self.moves_to_go };
            keeper.begin(clock);
            keeper.budget(&clock, overhead)
        });
        let of_move = self.move_time.map(|time| keeper.budget_of_move(time, overhead));
        let usual = of_clock.map(|budget| budget.usual);
        let limits = Limits {
            nodes: self.nodes,
            time: usual.into_iter().chain(of_move).min(),
            longest: of_clock.map(|budget| budget.longest).filter(|_| of_move.is_none()),
            depth: self.depth,
        };
        let unsaid = if options.playouts == 0 { PLAYOUTS } else { options.playouts };
        if limits.is_infinite() { Limits { nodes: Some(unsaid), ..limits } } else { limits }
    }
}

/// A number of a frontend's, clipped to what fits: a clock may be below zero.
pub(super) fn number(word: Option<&&str>) -> Option<u32> {
    let number: i128 = word?.parse().ok()?;
    Some(number.clamp(0, u32::MAX.into()) as u32)
}

/// `name NAME [value VALUE]`, both of any number of words: the two.
pub(super) fn setting(words: &[&str]) -> Result<(String, String), String> {
    let ["name", words @ ..] = words else {
        return Err("setoption: expected `name NAME value VALUE`".to_owned());
    };
    let end = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    Ok((words[..end].join(" "), words.get(end + 1..).unwrap_or_default().join(" ")))
}

/// Writes a line for each variation of a report, whose score and moves the protocol puts into words.
pub(super) fn write_info(
    report: &Report,
    options: &Options,
    score: impl Fn(&Variation) -> String,
    moves: impl Fn(&Variation) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    let millis = report.time.as_millis();
    let speed = (f64::from(report.playouts) / report.time.as_secs_f64().max(1e-6)).round();
    for (place, variation) in (1..=options.multi_pv).zip(&report.variations) {
        write!(out, "info depth {}", variation.actions.len())?;
        if options.multi_pv > 1 {
            write!(out, " multipv {place}")?;
        }
        write!(out, " score {}", score(variation))?;
        if options.show_wdl {
            let [win, loss] = [variation.wdl.win, variation.wdl.loss].map(|share| (1000.0 * share).round() as i32);
            write!(out, " wdl {win} {} {loss}", 1000 - win - loss)?;
        }
        write!(out, " nodes {} nps {speed} time {millis}", report.playouts)?;
        writeln!(out, " pv {}", moves(variation))?;
    }
    Ok(())
}

/// Reports what went wrong, if it did.
pub(super) fn report_failure(out: &mut dyn Write, result: Result<(), impl Display>) -> io::Result<()> {
    result.or_else(|error| complain(out, error.to_string()))
}

pub(super) fn complain(out: &mut dyn Write, message: String) -> io::Result<()> {
    writeln!(out, "info string error: {}", Plain(message))
}

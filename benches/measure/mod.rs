//! Contenders measured side by side: they take turns, round after round, so that whatever else the machine does slows
//! all of them, and the ratios hold.
#![allow(dead_code, reason = "no benchmark uses all of it")]

pub mod program;

use std::{
    hint::black_box,
    io::IsTerminal,
    time::{Duration, Instant},
};

/// Turns of each contender.
const ROUNDS: usize = 15;
/// A turn repeats its work for at least this long.
const TURN: Duration = Duration::from_millis(60);

/// One table: contenders that do the same sort of work.
pub struct Table<'a> {
    title: String,
    contenders: Vec<Contender<'a>>,
}

struct Contender<'a> {
    name: String,
    /// Our share of its speed that the project aims at.
    aim: Option<f64>,
    /// Does the work once and returns how many things it did.
    work: Box<dyn FnMut() -> u64 + 'a>,
}

impl<'a> Table<'a> {
    /// A table whose first contender is ours: the others are compared to it.
    pub fn new(title: impl Into<String>, name: &str, work: impl FnMut() -> u64 + 'a) -> Self {
        let ours = Contender { name: name.to_owned(), aim: None, work: Box::new(work) };
        Table { title: title.into(), contenders: vec![ours] }
    }

    /// Adds a contender that we only look at.
    pub fn beside(mut self, name: &str, work: impl FnMut() -> u64 + 'a) -> Self {
        self.contenders.push(Contender { name: name.to_owned(), aim: None, work: Box::new(work) });
        self
    }

    /// Adds a contender of whose speed we aim to reach `aim` times.
    pub fn against(mut self, name: &str, aim: f64, work: impl FnMut() -> u64 + 'a) -> Self {
        self.contenders.push(Contender { name: name.to_owned(), aim: Some(aim), work: Box::new(work) });
        self
    }

    /// Measures and prints the table, unless the words on the command line leave it out.
    pub fn print(mut self) {
        if !is_wanted(&self.title) {
            return;
        }
        if std::io::stderr().is_terminal() {
            eprint!("measuring {} ...\r", self.title);
        }
        let mut rates = vec![Vec::with_capacity(ROUNDS); self.contenders.len()];
        for _ in 0..ROUNDS {
            for (contender, rates) in self.contenders.iter_mut().zip(&mut rates) {
                rates.push(turn(&mut contender.work));
            }
        }
        println!("\n{}", self.title);
        for (contender, theirs) in self.contenders.iter().zip(&rates) {
            print!("  {:<28} {:>9.3} M/s", contender.name, median(theirs) / 1e6);
            if !std::ptr::eq(theirs, &rates[0]) {
                let ratios: Vec<f64> = rates[0].iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
                print!("   {} is {:.2}x", self.contenders[0].name, median(&ratios));
                if let Some(aim) = contender.aim {
                    print!(" (aim {aim}x)");
                }
            }
            println!();
        }
    }
}

/// Whether a table of this title is to be measured: without words on the command line all are, with some those that
/// have one of them.
pub fn is_wanted(title: &str) -> bool {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-')).peekable();
    words.peek().is_none() || words.any(|word| title.contains(&word))
}

/// Things a second over one turn.
fn turn(work: &mut dyn FnMut() -> u64) -> f64 {
    let (start, mut done) = (Instant::now(), 0);
    while start.elapsed() < TURN {
        done += black_box(work());
    }
    done as f64 / start.elapsed().as_secs_f64()
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

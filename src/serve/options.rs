//! Options that a frontend can set.

use std::time::Duration;

use thiserror::Error;

/// Most playouts of one move: sums of 32 bits count exactly so far.
pub const MOST_PLAYOUTS: u32 = 1 << 24;

/// Most variations that can be requested.
pub(super) const MOST_VARIATIONS: u32 = 500;
/// Most threads that can be asked for.
const MOST_THREADS: u32 = 64;

/// Options of a bot's search and of its reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Most playouts a move, whatever else limits it: the bot's level. 0 for none.
    pub playouts: u32,
    /// Threads that compute the network; the search itself is one.
    pub threads: u32,
    /// Number of variations in a report.
    pub multi_pv: u32,
    /// Memory for tree and evaluations, in MiB.
    pub hash: u32,
    /// What a move takes besides thinking, in milliseconds, kept back from the clock.
    pub move_overhead: u32,
    /// Actions are drawn by visits^(1 / temperature); 0 plays the best.
    pub temperature: f32,
    /// Actions of a game, from its start, that are drawn so; 0 for all of them.
    pub temperature_plies: u32,
    /// How much less a draw is worth to the bot than to the rules, and more to the other side, in hundredths of a win,
    /// -100 to 100.
    pub contempt: i32,
    /// Whether scores come with the chances of win, draw and loss.
    pub show_wdl: bool,
    /// A search reports after so long at the latest, and not only when its playouts have doubled. No
    /// option of the protocols.
    pub pace: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            playouts: 0,
            threads: 1,
            multi_pv: 1,
            hash: 256,
            move_overhead: 30,
            temperature: 0.0,
            temperature_plies: 0,
            contempt: 0,
            show_wdl: false,
            pace: None,
        }
    }
}

/// An option that is a whole number.
pub struct Spin {
    pub name: &'static str,
    pub least: u32,
    pub most: u32,
    field: fn(&mut Options) -> &mut u32,
}

/// The whole numbers among the options.
pub const SPINS: [Spin; 5] = [
    Spin { name: "Playouts", least: 0, most: MOST_PLAYOUTS, field: |options| &mut options.playouts },
    Spin { name: "Threads", least: 1, most: MOST_THREADS, field: |options| &mut options.threads },
    Spin { name: "MultiPV", least: 1, most: MOST_VARIATIONS, field: |options| &mut options.multi_pv },
    Spin { name: "Hash", least: 1, most: 65_536, field: |options| &mut options.hash },
    Spin { name: "Move Overhead", least: 0, most: 10_000, field: |options| &mut options.move_overhead },
];

const TEMPERATURE: &str = "Temperature";
/// Highest temperature: beyond, all actions that were visited are nearly alike.
pub(super) const HOTTEST: f32 = 10.0;
/// Not one of [`SPINS`]: XBoard does not get the options that go with it either.
const TEMPERATURE_PLIES: Spin =
    Spin { name: "Temperature Plies", least: 0, most: 10_000, field: |options| &mut options.temperature_plies };
const CONTEMPT: &str = "Contempt";
const MOST_CONTEMPT: i32 = 100;
const SHOW_WDL: &str = "UCI_ShowWDL";

/// An option that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("no option `{0}`")]
    Unknown(String),
    #[error("{name}: expected {expected}, found `{found}`")]
    Value { name: &'static str, expected: String, found: String },
}

impl Options {
    /// Sets the option called `name`, in upper or lower case.
    ///
    /// # Errors
    /// When there is no such option, or it takes no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let out_of_range = |name, expected| OptionError::Value { name, expected, found: value.to_owned() };
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if let Some(spin) = SPINS.iter().chain([&TEMPERATURE_PLIES]).find(|spin| is(spin.name)) {
            let Spin { name, least, most, field } = spin;
            let number = value.parse().ok().filter(|number| (least..=most).contains(&number));
            *field(self) = number.ok_or_else(|| out_of_range(name, format!("{least} to {most}")))?;
        } else if is(TEMPERATURE) {
            let number = value.parse().ok().filter(|number| (0.0..=HOTTEST).contains(number));
            self.temperature = number.ok_or_else(|| out_of_range(TEMPERATURE, format!("0 to {HOTTEST}")))?;
        } else if is(CONTEMPT) {
            let number = value.parse().ok().filter(|number| (-MOST_CONTEMPT..=MOST_CONTEMPT).contains(number));
            let expected = || format!("-{MOST_CONTEMPT} to {MOST_CONTEMPT}");
            self.contempt = number.ok_or_else(|| out_of_range(CONTEMPT, expected()))?;
        } else if is(SHOW_WDL) {
            let flag = value.to_ascii_lowercase().parse();
            self.show_wdl = flag.map_err(|_| out_of_range(SHOW_WDL, "true or false".to_owned()))?;
        } else {
            return Err(OptionError::Unknown(name.to_owned()));
        }
        Ok(())
    }

    /// Sets an option that is a whole number to the nearest value that it takes.
    pub(super) fn set_nearest(&mut self, name: &str, value: u32) {
        if let Some(Spin { least, most, field, .. }) = SPINS.iter().find(|spin| spin.name == name) {
            *field(self) = value.clamp(*least, *most);
        }
    }

    /// The options as UCI declares them, with these values as defaults.
    pub fn declarations(mut self) -> Vec<String> {
        let mut declare = |Spin { name, least, most, field }: &Spin| {
            format!("option name {name} type spin default {} min {least} max {most}", field(&mut self))
        };
        let plies = declare(&TEMPERATURE_PLIES);
        let mut lines: Vec<String> = SPINS.iter().map(declare).collect();
        lines.push(format!("option name {TEMPERATURE} type string default {}", self.temperature));
        lines.push(plies);
        let contempt = self.contempt;
        lines.push(format!(
            "option name {CONTEMPT} type spin default {contempt} min -{MOST_CONTEMPT} max {MOST_CONTEMPT}"
        ));
        lines.push(format!("option name {SHOW_WDL} type check default {}", self.show_wdl));
        lines
    }

    /// The values of [`SPINS`], in their order.
    pub(super) fn spins(mut self) -> [u32; SPINS.len()] {
        SPINS.map(|spin| *(spin.field)(&mut self))
    }

    /// The temperature at which the next action is drawn in a game of so many actions.
    pub(super) fn temperature_after(&self, actions: usize) -> f32 {
        let draws = self.temperature_plies == 0 || actions < self.temperature_plies as usize;
        if draws { self.temperature } else { 0.0 }
    }

    /// [`move_overhead`](Options::move_overhead).
    pub fn overhead(&self) -> Duration {
        Duration::from_millis(self.move_overhead.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        let mut options = Options::default();
        for (name, value) in [
            ("playouts", "400"),
            ("MULTIPV", "3"),
            ("Move Overhead", "0"),
            ("Temperature", "0.5"),
            ("temperature plies", "16"),
            ("Contempt", "-20"),
            ("uci_showwdl", "True"),
        ] {
            options.set(name, value).unwrap();
        }
        let expected = Options {
            playouts: 400,
            multi_pv: 3,
            move_overhead: 0,
            temperature: 0.5,
            temperature_plies: 16,
            contempt: -20,
            show_wdl: true,
            ..Options::default()
        };
        assert_eq!(options, expected);
        for (name, value) in [
            ("Threads", "0"),
            ("Threads", "65"),
            ("Hash", "0"),
            ("Hash", ""),
            ("Temperature", "nan"),
            ("Temperature Plies", "-1"),
            ("UCI_ShowWDL", "yes"),
            ("Contempt", "101"),
            ("Contempt", "0.5"),
            ("Style", "1"),
        ] {
            assert!(options.set(name, value).unwrap_err().to_string().contains(name), "{name} {value}");
        }
        assert_eq!(options, expected);
        assert_eq!([0, 15, 16, 400].map(|actions| options.temperature_after(actions)), [0.5, 0.5, 0.0, 0.0]);
        options.temperature_plies = 0;
        assert_eq!(options.temperature_after(400), 0.5);
    }
}

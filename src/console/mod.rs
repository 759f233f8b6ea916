//! Floor 0: what passes between the program and the terminal that it was started from. Knows nothing of games,
//! networks or files of games.
//!
//! Layout, each on its own:
//!
//! - `colour`: styles, where a terminal shows them ([`output`], [`errors`]).
//! - `interrupt`: Ctrl-C ([`stop_flag`], [`on_interrupt`]) and the end of a process at once ([`leave`]).
//! - `lines`: lines of input, in bounded memory ([`Lines`], [`read_line`]).
//! - `memory`: how much memory the process has ([`Memory`]), and its machine ([`machine_memory`]).
//! - `overlay`: a TOML file with `key=value` laid over it ([`read_config`]).
//! - `progress`: bars on a terminal, plain lines elsewhere ([`Progress`]); what a quiet program leaves out ([`note`]).
//! - `suggest`: what a mistyped word may have meant ([`nearest`]).

mod colour;
mod interrupt;
mod lines;
mod memory;
mod overlay;
mod progress;
mod suggest;

pub use colour::{ColorChoice, ERROR, HEADING, WARNING, errors, errors_have_colour, headed, output, styled};
pub use interrupt::{Ending, INTERRUPTED, StopFlag, leave, on_interrupt, stop_flag};
pub use lines::{Line, Lines, read_line};
pub use memory::{Memory, machine_memory};
pub use overlay::{ConfigError, parse_config, read_config, typed_value};
pub use progress::{Pace, Progress, be_quiet, note, say, warn};
pub use suggest::nearest;

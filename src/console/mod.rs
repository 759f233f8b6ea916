//! Floor 0: what passes between the program and the terminal that it was started from. Knows nothing of games,
//! networks or files of games.
//!
//! Layout, each on its own:
//!
//! - `interrupt`: Ctrl-C ([`stop_flag`], [`on_interrupt`]).
//! - `lines`: lines of input, in bounded memory ([`Lines`], [`read_line`]).
//! - `memory`: how much memory the process has ([`Memory`]), and its machine ([`machine_memory`]).
//! - `overlay`: a TOML file with `key=value` laid over it ([`read_config`]).
//! - `progress`: bars on a terminal, plain lines elsewhere ([`Progress`]).
//! - `suggest`: what a mistyped word may have meant ([`nearest`]).

mod interrupt;
mod lines;
mod memory;
mod overlay;
mod progress;
mod suggest;

pub use interrupt::{Ending, INTERRUPTED, StopFlag, on_interrupt, stop_flag};
pub use lines::{Line, Lines, read_line};
pub use memory::{Memory, machine_memory};
pub use overlay::{ConfigError, parse_config, read_config, typed_value};
pub use progress::{Pace, Progress, say};
pub use suggest::nearest;

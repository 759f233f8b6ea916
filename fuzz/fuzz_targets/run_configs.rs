//! Configurations of runs: what is read is written as a text that is read as the same. Needs libtorch, as training
//! does.

#![no_main]

use libfuzzer_sys::fuzz_target;
use maydan::pipeline::Config;

fuzz_target!(|text: &str| {
    let Ok(config) = Config::parse(text, "fuzz.toml", &[]) else { return };
    let written = config.to_toml();
    // Compared as text: a value that is no number differs from itself.
    assert_eq!(Config::parse(&written, "fuzz.toml", &[]).expect("a text written by the program").to_toml(), written);
});

//! Tests of games, of the library's modules and of the commands. None of them needs libtorch; a few more run where it
//! is there.
//!
//! One module tests one subject; `support` holds what several of them use. `tests/README.md` says what goes where.

/// The floors of the source.
mod floors;
/// The bytes that a rearrangement of the code must leave alone.
mod frozen;
/// Links between the pages.
mod links;
/// What packages, images and downloads are made of.
mod packaging;

mod games {
    mod connect_four;
    mod connect_four_solver;
    mod every_game;
    mod gestures;
    mod omega_advanced_rules;
    mod omega_rules;
    mod omega_sjaak;
    mod perft;
    mod playthroughs;
    mod positions;
    mod shatar_fairy;
    mod shatar_rules;
    mod shatra_crowds;
    mod shatra_rules;
    mod toy_game;
}

mod encode {
    mod shatara;
    mod toy;
}

mod model {
    mod checkpoint;
    mod module;
    mod onnx_runtimes;
    mod portable;
}

mod search {
    mod golden;
    mod improvement;
    mod leaves;
    mod machine;
    mod repetition;
    mod solver;
}

mod data {
    mod files;
    mod forged;
    mod numpy;
    mod python;
    mod resealed;
    mod sampler;
}

mod selfplay {
    mod generation;
    mod material;
    mod verify;
}

mod evaluate {
    mod alphabeta;
    mod external;
    mod improvement;
    mod matches;
    mod pool;
    mod validation;
    mod validation_sets;
}

mod export {
    mod bundle;
}

mod stats {
    mod book;
    mod compare;
    mod duckdb;
    mod effect;
    mod games;
    mod openings;
    mod reserves;
}

mod pipeline {
    mod tensorboard;
}

mod serve {
    mod rubbish;
    mod uci;
    mod ushi;
    mod web;
    mod web_limits;
    mod web_play;
    mod xboard;
}

mod browse {
    mod shelf;
    mod watch;
}

mod cli {
    mod analyse;
    mod compare;
    mod completions;
    mod evaluate;
    mod manual;
    mod ratings;
    mod report;
    mod rules;
    mod study;
    mod terminal;
}

mod support {
    pub mod by_hand;
    pub mod client;
    #[path = "../../../examples/connect_four"]
    pub mod connect_four {
        pub mod board;
        pub mod game;
        pub mod solver;
        pub mod yardstick;
    }
    pub mod forged;
    pub mod noisy;
    pub mod omega_pieces;
    pub mod opinionated;
    pub mod played;
    pub mod search_explicit;
    pub mod suite;
    pub mod toy;
    pub mod transcript;
    pub mod witnesses;
}

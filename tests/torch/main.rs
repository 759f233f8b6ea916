//! Tests of what needs libtorch: the network, training and whole runs.

mod configs;
mod connect_four_trained;
mod documents;
#[cfg(feature = "fleet")]
mod fleet;
mod lag;
mod length;
mod missing;
mod module;
mod network;
mod origin;
mod outside;
mod rows;
mod run;
mod selfplay;
mod shipped;
mod stops;
mod toy_trained;
mod trainer;
mod trial;
mod verify;

mod support {
    #[path = "../../../examples/connect_four"]
    pub mod connect_four {
        pub mod board;
        pub mod game;
        pub mod solver;
        pub mod taught;
        pub mod yardstick;
    }
    pub mod processor;
    pub mod solved;
    #[path = "../../it/support/toy.rs"]
    pub mod toy;
}

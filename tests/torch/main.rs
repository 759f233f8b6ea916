//! Tests of what needs libtorch: the network, training and whole runs.

mod configs;
mod network;
mod run;
mod selfplay;
mod shipped;
mod toy_trained;
mod trainer;
mod trial;

mod support {
    pub mod solved;
    #[path = "../../it/support/toy.rs"]
    pub mod toy;
}

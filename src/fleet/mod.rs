//! Floor 8: many machines. A coordinator leases files of games to workers through a NATS server, and trains on them; the
//! truth is the run's folder, and whatever the server holds can be made again from it.
//!
//! Layout, lowest first:
//!
//! - `error`: what goes wrong ([`FleetError`]).
//! - `host`: the machine's name ([`host_name`]).
//! - `names`: subjects and streams.
//! - `messages`: what coordinator and workers say to each other.
//! - `ledger`: which files are there and which are to be played; pure.
//! - `keys`: who may do what.
//! - `certificate`: the certificate of the run's own server.
//! - `server`: the server as a child of the coordinator.
//! - `link`: a connection to the server; `queue`: messages that are taken from it.
//! - `store`: a store of files that many machines reach.
//! - `place`: the place of the only coordinator.
//! - `signature`: what a machine's arithmetic makes of games that all play.
//! - `leases`: the files that a worker plays.
//! - `silence`: how long a server may not answer.
//! - `networks`: the networks that a worker plays with.
//! - `member`: a worker as one of a fleet ([`WorkerConfig`]).
//! - `session`: the files of one order on their way through a worker.
//! - `worker`: plays for a coordinator ([`work`]).
//! - `state`: asks how a fleet is doing ([`state`](state())).
//! - `mirror`: a run whose files go through a store, without a server ([`Mirror`]).
//! - `roster`: what is known of the workers.
//! - `shared`: what the threads of a coordinator share ([`Site`]).
//! - `processes`: files that are played on the coordinator's machine.
//! - `collector`: files that come in, and what is to be thought of them.
//! - `announcement`: what the coordinator puts on the server for its workers.
//! - `coordinator`: has a run's games played by workers ([`Coordinator`]).

mod announcement;
mod certificate;
mod collector;
mod coordinator;
mod error;
mod host;
mod keys;
mod leases;
mod ledger;
mod link;
mod member;
mod messages;
mod mirror;
mod names;
mod networks;
mod place;
mod processes;
mod queue;
mod roster;
mod server;
mod session;
mod shared;
mod signature;
mod silence;
mod state;
#[cfg(feature = "cloud")]
mod store;
#[cfg(not(feature = "cloud"))]
#[path = "no_store.rs"]
mod store;
mod worker;

pub use coordinator::Coordinator;
pub use error::FleetError;
pub use host::host_name;
pub use keys::{Join, Key};
pub use link::Address;
pub use member::WorkerConfig;
pub use messages::{State, WorkerState};
pub use mirror::Mirror;
pub use names::check_worker;
pub use shared::Site;
pub use state::state;
pub use worker::{play_file, work};

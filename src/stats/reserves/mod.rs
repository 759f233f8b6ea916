//! When and how reserves are used.
//!
//! Layout, lowest first:
//!
//! - `board`: the men that a position string shows.
//! - `men`: the life of every man of a game ([`Lives`]).
//! - `event`: a use of the reserve or another rank for a man ([`Event`]).
//! - `columns`, `file`: the table of events on disk ([`EventFile`]).

mod board;
mod columns;
mod event;
mod file;
mod men;

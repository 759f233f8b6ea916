//! Floor 1: results for people: tables, figures and pages in English and Arabic. Knows no game.
//!
//! Layout, lowest first:
//!
//! - `bidi`: numbers inside of Arabic.
//! - `phrase`: a text in both languages ([`Phrase`]).
//! - `cell`: a value and how it is printed ([`Cell`], [`Kind`]).
//! - `table`: typed rows, printed as text ([`Table`]).
//! - `file`: tables as CSV and Parquet.
//! - `figure`: a plot and the data behind it ([`Figure`]).
//! - `plot`: a plot as SVG; several in one file ([`sheet()`]).
//! - `section`: what a page is made of ([`Section`], [`Block`]).
//! - `html`: a page as one file ([`Page`]).

mod bidi;
mod cell;
mod figure;
mod file;
mod html;
mod phrase;
mod plot;
mod section;
mod table;

pub use cell::{Cell, Kind};
pub use figure::{Bars, Figure, Heat, Lines, Plot, Point, Scale, Series, Style};
pub use html::Page;
pub use phrase::{Language, Phrase};
pub use plot::{Panel, sheet};
pub use section::{Block, Section};
pub use table::{Column, Table};

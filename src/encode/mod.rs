//! Floor 3: positions as planes, actions as indices, symmetries. The meaning of each plane is the game's
//! ([`Encode`](crate::game::Encode)); this room knows rows and batches of them.
//!
//! Layout, lowest first:
//!
//! - `mirror`: a row and an action seen in a mirror.
//! - `rows`: encoded positions, packed ([`Rows`]), and what the network sees of them.
//! - `batch`: positions straight to `[B, C, H, W]` ([`encode`]).
//! - `sample`: positions as they come up in games ([`sample()`]).
//! - `policy`: from logits over the action space to priors over the legal actions ([`priors`]).
//! - `drawing`: a row as text ([`draw_row`]).
//! - `table`: a layout as Markdown ([`layout_table`]).

mod batch;
mod drawing;
mod mirror;
mod policy;
mod rows;
mod sample;
mod table;

pub use batch::encode;
pub use drawing::draw_row;
pub use mirror::{mirror_actions, mirror_planes};
pub use policy::{action_indices, priors};
pub use rows::{RowError, Rows};
pub use sample::sample;
pub use table::layout_table;

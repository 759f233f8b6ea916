//! Floor 2: positions as planes, actions as indices, symmetries. The meaning of each plane is the game's ([`Encode`](crate::game::Encode)); this room
//! knows rows and batches of them.

mod rows;

pub use rows::Rows;

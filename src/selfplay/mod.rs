//! Floor 6: self-play: game slots, shards, adjudication.

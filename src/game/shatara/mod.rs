//! Shatara Arena and its `chess` preset.

use serde::{Deserialize, Serialize};

/// stub
#[derive(Clone, Debug)]
pub struct Shatara {}

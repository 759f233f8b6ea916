//! Settings of the server: the bots it offers, and its limits.

use axum::Router;

use super::{
    Bounds, Offer,
    messages::{Hello, LimitsInfo, Refusal, VERSION},
};

/// Bots, and what clients may ask of them.
pub struct ServerConfig {
    /// With none there is no page to play on.
    pub offers: Vec<Offer>,
    /// Pages beside the one to play on.
    pub pages: Router,
    pub bounds: Bounds,
    /// Names besides `localhost` and addresses that clients may call the server by.
    pub names: Vec<String>,
    /// Of the bots' random streams.
    pub seed: u64,
}

impl ServerConfig {
    /// What is said first.
    pub(super) fn hello(&self) -> Hello {
        let Bounds { playouts, candidates, actions, message_bytes, .. } = self.bounds;
        let seconds = self.bounds.thinking.as_secs_f32();
        Hello {
            version: VERSION,
            program: concat!("maydan ", env!("CARGO_PKG_VERSION")),
            bots: self.offers.iter().map(Offer::info).collect(),
            limits: LimitsInfo { playouts, seconds, candidates, actions, message_bytes },
        }
    }

    /// The bot with this number.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn offer(&self, bot: usize) -> Result<&Offer, Refusal> {
        let last = self.offers.len() - 1;
        self.offers.get(bot).ok_or_else(|| Refusal::new("bot", format!("bot: expected 0 to {last}, found {bot}")))
    }
}

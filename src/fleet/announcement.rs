//! What the coordinator puts on the server for its workers: networks, orders, and what those need to know who join.

use std::{fs, path::Path};

use super::{
    FleetError,
    link::Unpublished,
    messages::{Joining, NetworkFiles, Order, from_json, to_json},
    names::{STORED_NETWORKS, stored_network},
    shared::Shared,
    signature::signature,
};
use crate::{
    disk::IoError,
    game::Playable,
    model::Checkpoint,
    pipeline::{FleetConfig, Games, RunError},
};

/// Bytes of a network in a message.
const PART: usize = 4 << 20;

/// Networks that stay on the server beside those that are asked for.
const NETWORKS: usize = 3;

impl Shared {
    /// Puts on the server what workers need for a generation, as far as it is not there.
    ///
    /// # Errors
    /// When the server refuses, or another coordinator has said otherwise.
    pub fn announce<R: Playable>(&self, games: &Games<R>, order: &Order) -> Result<(), FleetError> {
        self.publish_network(&games.checkpoint, &games.checkpoint_folder)?;
        self.publish_order(order)?;
        self.publish_joining(games, order)
    }

    /// Puts the files of a network on the server, unless they are there.
    fn publish_network(&self, checkpoint: &Checkpoint, folder: &Path) -> Result<(), FleetError> {
        let (link, names, id) = (&self.link, &self.names, &checkpoint.metadata().id);
        let was_put = self.books().networks.contains(id);
        let is_announced = link.newest(&names.orders_stream(), names.network(id, 0))?.is_some();
        // The store is not the server's: what that knows of an earlier session may be gone from it.
        if !is_announced || (self.store.is_some() && !was_put) {
            let mut described = NetworkFiles { files: Vec::new(), parts: 0 };
            let mut bytes = Vec::new();
            for name in ["checkpoint.toml", checkpoint.content().file_name()] {
                let path = folder.join(name);
                let content = fs::read(&path).map_err(IoError::at(&path))?;
                described.files.push((name.to_owned(), content.len() as u64));
                match &self.store {
                    Some(store) => drop(store.create(&stored_network(id, name), content)?),
                    None => bytes.extend(content),
                }
            }
            let publish = |part: u64, content: Vec<u8>| {
                let published = link.publish(names.network(id, part), None, content, None);
                published.map_err(|problem| link.error("network", problem))
            };
            for part in bytes.chunks(PART.min(link.largest_message())) {
                described.parts += 1;
                publish(described.parts, part.to_vec())?;
            }
            // Who finds this finds all.
            publish(0, to_json(&described))?;
        }
        for old in self.surplus_networks(id) {
            link.purge(&names.orders_stream(), names.whole_network(&old));
            if let Some(store) = &self.store {
                store.clear(&format!("{STORED_NETWORKS}/{old}"))?;
            }
        }
        Ok(())
    }

    /// Takes down that a network is in use, and gives those that nobody needs any more.
    fn surplus_networks(&self, id: &str) -> Vec<String> {
        let mut books = self.books();
        books.networks.retain(|known| known != id);
        books.networks.push(id.to_owned());
        let beyond = books.networks.len().saturating_sub(NETWORKS);
        let mut surplus: Vec<String> = books.networks.drain(..beyond).collect();
        surplus.retain(|old| books.joining.as_ref().is_none_or(|joining| joining.order.checkpoint != *old));
        surplus
    }

    /// Says how a generation is to be played: once and for all by which network.
    fn publish_order(&self, order: &Order) -> Result<(), FleetError> {
        let (link, names) = (&self.link, &self.names);
        let publish = |expected| link.publish(names.order(order.generation), None, to_json(order), expected);
        let published = match publish(Some(0)) {
            Err(Unpublished::Taken) => {
                let newest = link.newest(&names.orders_stream(), names.order(order.generation))?;
                let known = newest.and_then(|(_, bytes)| from_json::<Order>(&bytes));
                match known {
                    Some(known) if known.checkpoint != order.checkpoint => {
                        let (run, generation) = (&self.run, order.generation);
                        return Err(FleetError::Fenced(format!(
                            "run {run}: generation {generation} is played by network {} as another coordinator said, \
                             here by {}; give one of the two another name (--run)",
                            known.checkpoint, order.checkpoint
                        )));
                    }
                    Some(known) if known == *order => return Ok(()),
                    // With other settings of self-play, or as an older version said it.
                    Some(_) | None => publish(None),
                }
            }
            published => published,
        };
        published.map(drop).map_err(|problem| link.error("order", problem))
    }

    /// Says what those need to know who join, unless it is said.
    fn publish_joining<R: Playable>(&self, games: &Games<R>, order: &Order) -> Result<(), FleetError> {
        let known = self.books().joining.clone();
        let joining = match known {
            Some(joining) if joining.order.checkpoint == order.checkpoint || self.has_network(&joining)? => joining,
            known => {
                let networks = games.open()?;
                let evaluators = |_| networks[0].evaluator(games.batch_size);
                let FleetConfig { arithmetic, lease, tries, .. } = self.config;
                let store = self.config.store().map(str::to_owned);
                if known.is_some() {
                    tracing::info!("the network that workers joined by is no more on the server");
                }
                Joining {
                    order: order.clone(),
                    signature: signature(&games.game, order, &evaluators).map_err(RunError::from)?,
                    arithmetic,
                    store,
                    lease,
                    tries,
                    over: false,
                }
            }
        };
        let said = to_json(&joining);
        let newest = self.link.newest(&self.names.orders_stream(), self.names.run())?;
        if newest.is_none_or(|(_, bytes)| bytes != said) {
            let published = self.link.publish(self.names.run(), None, said, None);
            published.map_err(|problem| self.link.error("run", problem))?;
        }
        self.books().joining = Some(joining);
        Ok(())
    }

    fn has_network(&self, joining: &Joining) -> Result<bool, FleetError> {
        let described = self.names.network(&joining.order.checkpoint, 0);
        Ok(self.link.newest(&self.names.orders_stream(), described)?.is_some())
    }
}

//! Where a server listens, for commands that show pages.

use std::{
    io::{self, Write as _},
    net::{IpAddr, SocketAddr},
    process::ExitCode,
};

use anyhow::Context;
use clap::Args;

use crate::{
    console::{leave, on_interrupt},
    serve::web::{Server, ServerConfig},
};

/// Options of every command that shows pages.
#[derive(Debug, Args)]
pub(super) struct Listening {
    /// Where the page is; 0 takes a port that is free
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// Address of this machine to be reached at, `0.0.0.0` for all of them; everybody who reaches it can use the page
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// A name that clients may call this machine by, besides addresses and `localhost`; may be repeated
    #[arg(long = "name", value_name = "NAME")]
    pub(super) names: Vec<String>,
}

impl Listening {
    /// Prints the address of the page and serves it until Ctrl-C, which ends the process. `risk` is what everybody who
    /// reaches the machine can do, for a warning where it is open to others.
    ///
    /// # Errors
    /// When the port is taken.
    pub(super) fn serve(&self, config: ServerConfig, risk: &str) -> anyhow::Result<ExitCode> {
        let address = SocketAddr::new(self.host, self.port);
        let server = Server::bind(address, config).with_context(|| address.to_string())?;
        let stopper = server.stopper();
        on_interrupt(move || stopper.stop()).context("Ctrl-C")?;
        if !self.host.is_loopback() {
            tracing::warn!("--host {}: everybody who reaches this machine can {risk}", self.host);
        }
        let mut out = io::stdout().lock();
        writeln!(out, "http://{}/", server.address()?)?;
        out.flush()?;
        drop(out);
        server.run();
        // A search that outlived the server's patience may still be at work.
        leave(0)
    }
}

//! A server of the test's own, and someone who visits it over the wire.

use std::{
    net::{SocketAddr, TcpStream},
    thread::{self, JoinHandle},
    time::Duration,
};

use axum::Router;
use maydan::{
    game::{
        Game, Playable,
        registry::{GameVisitor, IDS, with_game},
    },
    model::Uniform,
    serve::web::{Bounds, Offer, Server, ServerConfig, Stopper},
};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client::IntoClientRequest, http};

/// Bounds that do not slow a test down.
pub fn bounds() -> Bounds {
    Bounds { messages: 1_000_000, ..Bounds::default() }
}

/// Every game with a search without a network, in the order of the registry.
pub fn every_game() -> Vec<Offer> {
    struct Offering;
    impl GameVisitor for Offering {
        type Output = Offer;

        fn visit<R: Playable>(self, game: Game<R>) -> Offer {
            Offer::new("uniform", game, Uniform::make(), 20)
        }
    }
    IDS.iter().map(|id| with_game(id, &toml::Table::new(), Offering).unwrap()).collect()
}

/// A server on a port of its own, until it is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn new(offers: Vec<Offer>, bounds: Bounds) -> Self {
        let config =
            ServerConfig { offers, pages: Router::new(), bounds, names: vec!["arena.example".to_owned()], seed: 1 };
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), config).unwrap();
        let (address, stopper) = (server.address().unwrap(), server.stopper());
        Running { address, stopper, thread: Some(thread::spawn(move || server.run())) }
    }

    /// Waits until the server has ended.
    pub fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopper.stop();
        self.join();
    }
}

/// One conversation.
pub struct Client {
    socket: WebSocket<TcpStream>,
}

impl Client {
    /// A conversation that has not begun yet, with these headers.
    pub fn knock(address: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Self, tungstenite::Error> {
        let mut request = format!("ws://{address}/ws").into_client_request()?;
        for &(name, value) in headers {
            request.headers_mut().insert(name, http::HeaderValue::from_str(value).unwrap());
        }
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Client { socket }),
            Err(tungstenite::HandshakeError::Failure(error)) => Err(error),
            Err(tungstenite::HandshakeError::Interrupted(_)) => unreachable!("a socket that blocks"),
        }
    }

    /// A conversation after the server's `hello`, which comes with it.
    pub fn enter(address: SocketAddr) -> (Self, Value) {
        let mut client = Client::knock(address, &[]).unwrap();
        let hello = client.hear();
        assert_eq!(hello["type"], "hello", "{hello}");
        (client, hello)
    }

    pub fn say(&mut self, message: Value) {
        self.say_text(message.to_string());
    }

    pub fn say_text(&mut self, text: String) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// Sending fails after so long.
    pub fn give_up_after(&self, time: Duration) {
        self.socket.get_ref().set_write_timeout(Some(time)).unwrap();
    }

    /// Whether the message went off.
    pub fn try_to_say(&mut self, text: String) -> bool {
        self.socket.send(Message::text(text)).is_ok()
    }

    /// The next message of the server; `null` once it has closed.
    pub fn hear(&mut self) -> Value {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).unwrap(),
                Ok(_) => {}
                Err(_) => return Value::Null,
            }
        }
    }

    /// The next message of this type; what the bot thinks meanwhile is passed over.
    pub fn hear_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear();
            if message["type"] == kind {
                return message;
            }
            assert_eq!(message["type"], "thought", "waiting for {kind}: {message}");
        }
    }

    /// Begins a game and returns its state.
    pub fn begin(&mut self, bot: usize) -> Value {
        self.say(json!({ "type": "new", "bot": bot }));
        self.hear_of("state")
    }

    /// Plays an action and returns the state after it.
    pub fn play(&mut self, action: &str) -> Value {
        self.say(json!({ "type": "play", "action": action }));
        self.hear_of("state")
    }
}

//! A page with a game on it, and who looks at it.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use maydan::game::registry::IDS;

use super::Browser;

/// A program that serves bots without networks; it ends with this value.
struct Server {
    program: Child,
    address: String,
}

impl Server {
    fn start(port: u16) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_maydan"))
            .arg("serve")
            .args(IDS.iter().map(|game| format!("uniform:{game}")))
            .args(["--port", &port.to_string(), "--seed", "1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Server { program, address: address.trim().to_owned() }
    }

    fn port(&self) -> u16 {
        self.address.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap()
    }

    fn end(&mut self) {
        self.program.kill().ok();
        self.program.wait().ok();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// A page with a game on it, and who looks at it.
pub struct Client {
    pub browser: Browser,
    server: Server,
}

impl Client {
    /// `None` where there is no browser.
    pub fn arrive() -> Option<Self> {
        let browser = Browser::start()?;
        let mut client = Client { browser, server: Server::start(0) };
        client.browser.resize(1280, 800);
        client.open();
        Some(client)
    }

    pub fn open(&mut self) {
        self.browser.open(&self.server.address, "document.querySelector('.source, #status[data-result]')");
    }

    /// The program ends, and with it the connection.
    pub fn lose_server(&mut self) {
        self.server.end();
    }

    /// Another program at the same address.
    pub fn replace_server(&mut self) {
        self.server = Server::start(self.server.port());
    }

    /// Begins a game from a position, or with an empty text from where it starts.
    pub fn begin(&mut self, game: &str, position: &str) {
        let number = IDS.iter().position(|&known| known == game).unwrap();
        self.browser.click("#new-game");
        if !position.is_empty() {
            self.browser.click("#position");
            self.browser.write(position);
        }
        // The pieces of the game before go when the next one is there; a game may begin without any.
        self.browser.look::<()>("void (window.before = document.querySelector('.pieces .piece'))");
        self.browser.click(&format!("#bots li:nth-child({}) button", number + 1));
        self.browser.until(&format!(
            "!window.before?.isConnected && document.querySelectorAll('.move').length === 0
             && document.querySelector('#board').dataset.game === '{game}'"
        ));
    }

    /// Seats a person or the bot.
    pub fn seat(&mut self, side: &str, player: &str) {
        self.browser.click(&format!("#player-{side} [value={player}] + span"));
    }

    /// The bot thinks as little as it can.
    pub fn weaken(&mut self) {
        self.browser.click("#level");
        self.browser.press("Home");
        self.browser.until("document.querySelector('#level').valueAsNumber === 0");
    }

    pub fn moves(&mut self) -> Vec<String> {
        self.browser.look("[...document.querySelectorAll('.move')].map((move) => move.dataset.move)")
    }

    /// Waits until so many actions were played and a person may act, or the game is over.
    pub fn wait_for_turn(&mut self, actions: usize) {
        self.browser.until(&format!(
            "document.querySelectorAll('.move').length >= {actions}
             && (document.querySelector('.source, [data-plain]') || document.querySelector('#status').dataset.result)"
        ));
    }

    /// Waits until exactly these actions stand on the page, and a person may act.
    pub fn wait_for_moves(&mut self, moves: &[&str]) {
        self.browser.until(&format!(
            "[...document.querySelectorAll('.move')].map((move) => move.dataset.move).join(' ') === '{}'
             && document.querySelector('.source, [data-plain]')",
            moves.join(" ")
        ));
    }

    /// Plays an action by clicks.
    pub fn play(&mut self, action: &str) {
        let Some((from, to)) = places(action) else {
            self.browser.click(&format!("[data-plain='{action}']"));
            return;
        };
        // In a series the piece is in the hand already.
        if !self.browser.look::<bool>(&format!("document.querySelector({from:?}).classList.contains('selected')")) {
            self.browser.click(&from);
        }
        if from == to {
            self.browser.click(&format!(".badge[data-action='{action}']"));
            return;
        }
        let before = self.moves().len();
        self.browser.click(&to);
        self.browser.until(&format!(
            "document.querySelectorAll('.move').length > {before} || document.querySelector('#chooser:popover-open')"
        ));
        if self.browser.look("document.querySelector('#chooser:popover-open') !== null") {
            self.browser.click(&format!("#chooser [data-action='{action}']"));
        }
    }

    /// Opens an address of this server, behind its `#`.
    pub fn follow_link(&mut self, fragment: &str) {
        let address = format!("{}{fragment}", self.server.address);
        self.browser.open("about:blank", "true");
        self.browser.open(address, "document.querySelector('#walk-count')?.textContent");
    }

    pub fn text(&mut self, selector: &str) -> String {
        self.browser.look(&format!("document.querySelector({selector:?}).textContent"))
    }

    pub fn count(&mut self, selector: &str) -> usize {
        self.browser.look(&format!("document.querySelectorAll({selector:?}).length"))
    }
}

/// Selectors of where an action begins and ends; none for one that is no way on the board.
fn places(action: &str) -> Option<(String, String)> {
    let starts: Vec<usize> = action.match_indices(|c: char| c.is_ascii_lowercase()).map(|(at, _)| at).collect();
    let square = |at: usize| {
        let digits = action[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| format!("[data-square='{}']", &action[at..=at + digits]))
    };
    let squares: Vec<String> = starts.into_iter().filter_map(square).collect();
    match &squares[..] {
        [to] => Some((format!("[data-zone='zone:{}']", &action[..1]), to.clone())),
        [from, to] => Some((from.clone(), to.clone())),
        _ => None,
    }
}

//! A browser to test a page in: Chromium without a window, text_game to in the Chrome DevTools Protocol
//! (<https://chromedevtools.github.io/devtools-protocol/>). The page gets the events of a mouse, a finger and a
//! keyboard; scripts only look at it.

mod client;

use std::{
    env,
    fmt::Display,
    fs,
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use base64::prelude::{BASE64_STANDARD, Engine as _};
pub use client::Client;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, client as handshake};

/// How long anything may take; a test that waits so long fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// What Chromium is called.
const PROGRAMS: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Chromium with one page; both end with this value.
pub struct Browser {
    program: Child,
    socket: WebSocket<TcpStream>,
    /// The page's session, once there is one.
    session: Option<String>,
    commands: u64,
    /// What went wrong in the page: exceptions, refused requests, violations of its policy.
    faults: Vec<String>,
    /// Where pictures of the page go, for a person to look at: the folder `MAYDAN_SCREENSHOTS`.
    album: Option<PathBuf>,
    /// The user's folder; gone with this value.
    _profile: TempDir,
}

/// A point of the window, in pixels.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Browser {
    /// Starts Chromium; `None`, with a line that says so, where it is not installed. `CHROMIUM` names another program.
    pub fn start() -> Option<Self> {
        let Some(path) = installed() else {
            eprintln!("skipped: no Chromium is installed ({}), and CHROMIUM names none", PROGRAMS.join(", "));
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let program = Command::new(path)
            // As root there is no sandbox; some containers have little shared memory.
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--allow-pre-commit-input",
            ])
            .args(["--disable-extensions", "--disable-background-networking", "--hide-scrollbars", "--lang=en"])
            .args(["--remote-debugging-port=0", "--window-size=1280,800"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (port, path) = debugging_port(profile.path());
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = handshake(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap();
        let album = env::var_os("MAYDAN_SCREENSHOTS").map(PathBuf::from);
        let mut browser =
            Browser { program, socket, session: None, commands: 0, faults: Vec::new(), album, _profile: profile };
        let target = browser.command("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.command("Target.attachToTarget", attach);
        browser.session = Some(session["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log"] {
            browser.command(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Sends a command to the page, and waits for what it answers.
    pub fn command(&mut self, method: &str, parameters: Value) -> Value {
        self.commands += 1;
        let id = self.commands;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let message = self.hear();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    /// The next message; faults are kept.
    fn hear(&mut self) -> Value {
        let message = self.socket.read().unwrap_or_else(|error| panic!("the browser says nothing more: {error}"));
        let message: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.faults.push(parameters["exceptionDetails"].to_string()),
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                let entry = parameters["entry"].to_string();
                // What the browser remarks when a page looks for a server that a test took away.
                if !entry.contains("ERR_CONNECTION_REFUSED") {
                    self.faults.push(entry);
                }
            }
            _ => {}
        }
        message
    }

    /// What an expression of the page is worth.
    pub fn look<T: DeserializeOwned>(&mut self, expression: &str) -> T {
        let answer = self.command(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        serde_json::from_value(answer["result"].get("value").cloned().unwrap_or_default())
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Waits until an expression of the page is true.
    pub fn until(&mut self, expression: &str) {
        let patience = PATIENCE.as_millis() / 2;
        let script = format!(
            "new Promise((done) => {{
                const end = performance.now() + {patience};
                const look = () => {{
                    if ({expression}) done(true);
                    else if (performance.now() > end) done(false);
                    else setTimeout(look, 4);
                }};
                look();
            }})"
        );
        if !self.look::<bool>(&script) {
            let seen: String = self.look("document.body.innerText");
            panic!("never came true: {expression}\nfaults: {:?}\nthe page shows:\n{seen}", self.faults);
        }
    }

    /// Opens an address and waits until an expression is true there.
    pub fn open(&mut self, address: impl Display, ready: &str) {
        self.look::<Value>("void (window.isLeft = true)");
        self.command("Page.navigate", json!({ "url": address.to_string() }));
        self.until(&format!("!window.isLeft && ({ready})"));
        self.call();
    }

    /// Clicks into the corner until the page hears it: what comes before its first frames are shown is passed over.
    fn call(&mut self) {
        self.look::<Value>("void addEventListener('click', () => (window.isAwake = true), { once: true })");
        let end = Instant::now() + PATIENCE;
        while !self.look::<bool>("window.isAwake === true") {
            assert!(Instant::now() < end, "the page hears no click");
            let corner = Point { x: 1.0, y: 1.0 };
            self.mouse("mousePressed", corner, 1);
            self.mouse("mouseReleased", corner, 0);
        }
    }

    /// A window of this size in pixels, of a computer.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", size);
    }

    /// A telephone with a screen of this size in pixels.
    pub fn become_phone(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": true });
        self.command("Emulation.setDeviceMetricsOverride", size);
        self.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    }

    /// A preference of the user, such as `prefers-color-scheme`.
    pub fn prefer(&mut self, feature: &str, value: &str) {
        let features = json!({ "features": [{ "name": feature, "value": value }] });
        self.command("Emulation.setEmulatedMedia", features);
    }

    /// The middle of the first element that a selector names, scrolled into view. Nothing must lie upon it.
    pub fn middle(&mut self, selector: &str) -> Point {
        self.until(&format!("document.querySelector({selector:?})?.getClientRects().length > 0"));
        let script = format!(
            "(() => {{
                const found = document.querySelector({selector:?});
                found.scrollIntoView({{ block: 'nearest', inline: 'nearest', behavior: 'instant' }});
                const {{ left, top, width, height }} = found.getBoundingClientRect();
                const [x, y] = [left + width / 2, top + height / 2];
                const seen = document.elementFromPoint(x, y);
                return {{ x, y, hit: found.contains(seen) || (found.labels?.[0]?.contains(seen) ?? false), seen: seen?.outerHTML?.slice(0, 200) }};
            }})()"
        );
        let found: Value = self.look(&script);
        assert!(found["hit"] == true, "{selector} lies under {}", found["seen"]);
        serde_json::from_value(found).unwrap()
    }

    fn mouse(&mut self, kind: &str, Point { x, y }: Point, buttons: u32) {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        self.command(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 }),
        );
    }

    /// A click of the mouse on an element.
    pub fn click(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.mouse("mouseMoved", at, 0);
        self.mouse("mousePressed", at, 1);
        self.mouse("mouseReleased", at, 0);
    }

    /// The mouse over an element.
    pub fn hover(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.mouse("mouseMoved", at, 0);
    }

    /// The mouse takes an element, carries it and lets go over another.
    pub fn drag(&mut self, from: &str, to: &str) {
        let (start, end) = (self.middle(from), self.middle(to));
        self.mouse("mouseMoved", start, 0);
        self.mouse("mousePressed", start, 1);
        for part in way(start, end) {
            self.mouse("mouseMoved", part, 1);
        }
        self.mouse("mouseReleased", end, 0);
    }

    fn touch(&mut self, kind: &str, at: Option<Point>) {
        let points: Vec<Value> = at.iter().map(|Point { x, y }| json!({ "x": x, "y": y })).collect();
        self.command("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// A finger taps an element.
    pub fn tap(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.touch("touchStart", Some(at));
        self.touch("touchEnd", None);
    }

    /// A finger carries an element to another.
    pub fn carry(&mut self, from: &str, to: &str) {
        let (start, end) = (self.middle(from), self.middle(to));
        self.touch("touchStart", Some(start));
        for part in way(start, end) {
            self.touch("touchMove", Some(part));
        }
        self.touch("touchEnd", None);
    }

    /// A key goes down and up: a named one (`Enter`, `ArrowUp`) or a character.
    pub fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            _ if key.chars().count() == 1 => key,
            _ => "",
        };
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let down = json!({ "type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code });
        self.command("Input.dispatchKeyEvent", down);
        let up = json!({ "type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code });
        self.command("Input.dispatchKeyEvent", up);
    }

    /// Types a text into the field that has the focus.
    pub fn write(&mut self, text: &str) {
        self.command("Input.insertText", json!({ "text": text }));
    }

    /// Gives a file to a field that takes one, as the user's choice.
    pub fn give_file(&mut self, selector: &str, file: &Path) {
        let document = self.command("DOM.getDocument", json!({}));
        let node = json!({ "nodeId": document["root"]["nodeId"], "selector": selector });
        let found = self.command("DOM.querySelector", node);
        self.command("DOM.setFileInputFiles", json!({ "nodeId": found["nodeId"], "files": [file] }));
    }

    /// Keeps a picture of the window, if anybody asked for pictures.
    pub fn picture(&mut self, name: &str) {
        let Some(album) = self.album.clone() else { return };
        fs::create_dir_all(&album).unwrap();
        let picture = self.command("Page.captureScreenshot", json!({ "format": "png" }));
        let text = picture["data"].as_str().unwrap();
        fs::write(album.join(format!("{name}.png")), BASE64_STANDARD.decode(text).unwrap()).unwrap();
    }

    /// Holds that nothing went wrong in the page.
    pub fn assert_well(&mut self) {
        // A round trip brings in what was still under way.
        self.look::<bool>("true");
        assert_eq!(self.faults, [""; 0]);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Its other processes end with the first one; the profile is removed after that.
        self.program.kill().ok();
        self.program.wait().ok();
    }
}

/// Points on the way, the last one its end.
fn way(start: Point, end: Point) -> impl Iterator<Item = Point> {
    let between =
        move |part: f64| Point { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
    [0.2, 0.6, 0.9, 1.0].into_iter().map(between)
}

fn installed() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let folders = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    PROGRAMS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// The port that Chromium chose, and the path of its first conversation: it writes them into its profile.
fn debugging_port(profile: &Path) -> (u16, String) {
    let end = Instant::now() + PATIENCE;
    loop {
        let content = fs::read_to_string(profile.join("DevToolsActivePort")).unwrap_or_default();
        if let Some((port, path)) = content.split_once('\n')
            && path.starts_with('/')
        {
            return (port.parse().unwrap(), path.trim().to_owned());
        }
        assert!(Instant::now() < end, "Chromium does not start");
        thread::sleep(Duration::from_millis(10));
    }
}

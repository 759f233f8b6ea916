//! The page of `maydan serve` in Chromium: games of every kind played by clicks to their end, and the other ways of the hand. Skipped where Chromium is not installed.

mod browser;

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use browser::Browser;
use maydan::{
    evaluate::{AlphaBeta, Desk, Player, Thought, Turn},
    game::{
        Encode, History,
        random::stream,
        registry::{GameVisitor, IDS, with_game},
    },
};

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
            .args(["--port", &port.to_string()])
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
}

impl Drop for Server {
    fn drop(&mut self) {
        self.program.kill().ok();
        self.program.wait().ok();
    }
}

/// A page with a game on it, and who looks at it.
struct Visitor {
    browser: Browser,
    server: Server,
}

impl Visitor {
    /// `None` where there is no browser.
    fn arrive() -> Option<Self> {
        let browser = Browser::start()?;
        let mut visitor = Visitor { browser, server: Server::start(0) };
        visitor.browser.resize(1280, 800);
        visitor.open();
        Some(visitor)
    }

    fn open(&mut self) {
        self.browser.open(&self.server.address, "document.querySelector('.source, #status[data-result]')");
    }

    /// Begins a game from a position, or with an empty text from where it starts.
    fn begin(&mut self, game: &str, position: &str) {
        let number = IDS.iter().position(|&known| known == game).unwrap();
        self.browser.click("#new-game");
        if !position.is_empty() {
            self.browser.click("#position");
            self.browser.write(position);
        }
        self.browser.click(&format!("#bots li:nth-child({}) button", number + 1));
        self.browser
            .until("!document.querySelector('#new-dialog').open && document.querySelectorAll('.move').length === 0");
        self.browser.until(&format!("document.querySelector('#board').dataset.game === '{game}'"));
    }

    /// Seats a person or the bot.
    fn seat(&mut self, side: &str, player: &str) {
        self.browser.click(&format!("#player-{side} [value={player}] + span"));
    }

    /// The bot thinks as little as it can.
    fn weaken(&mut self) {
        self.browser.click("#level");
        self.browser.press("Home");
        self.browser.until("document.querySelector('#level').valueAsNumber === 0");
    }

    fn moves(&mut self) -> Vec<String> {
        self.browser.look("[...document.querySelectorAll('.move')].map((move) => move.textContent)")
    }

    /// Waits until so many actions were played and a person may act, or the game is over.
    fn wait_for_turn(&mut self, actions: usize) {
        self.browser.until(&format!(
            "document.querySelectorAll('.move').length >= {actions}
             && (document.querySelector('.source, [data-plain]') || document.querySelector('#status').dataset.result)"
        ));
    }

    /// Waits until exactly these actions stand on the page, and a person may act.
    fn wait_for_moves(&mut self, moves: &[&str]) {
        self.browser.until(&format!(
            "[...document.querySelectorAll('.move')].map((move) => move.textContent).join(' ') === '{}'
             && document.querySelector('.source, [data-plain]')",
            moves.join(" ")
        ));
    }

    /// Plays an action by clicks.
    fn play(&mut self, action: &str) {
        let Some((from, to)) = places(action) else {
            self.browser.click(&format!("[data-plain='{action}']"));
            return;
        };
        // In a series the man is in the hand already.
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

    fn text(&mut self, selector: &str) -> String {
        self.browser.look(&format!("document.querySelector({selector:?}).textContent"))
    }

    fn count(&mut self, selector: &str) -> usize {
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

/// Plays a whole game on the page, White by clicks and with some foresight, Black by the bot; the rules follow it.
struct ToTheEnd<'a>(&'a mut Visitor);

impl GameVisitor for ToTheEnd<'_> {
    type Output = ();

    fn visit<G: Encode>(self, game: G) {
        let visitor = self.0;
        let id = game.ruleset().game.clone();
        let (mut position, mut legal, mut played) = (game.start(), Vec::new(), 0);
        let mut history = History::new(&game, &position);
        let mut desk = Desk::new(&game, None);
        let (mut player, mut rng) = (AlphaBeta::new(2), stream("page", 1, 0, 0));
        let outcome = loop {
            for action in &visitor.moves()[played..] {
                let action = game.parse_action(&position, action).unwrap();
                game.apply(&mut position, action);
                history.push(&game, &position);
                played += 1;
            }
            game.legal_actions(&position, &mut legal);
            if let Some(outcome) = history.outcome(&game, &position, &legal) {
                break outcome;
            }
            if played == 30 {
                visitor.browser.picture(&format!("game-{id}"));
            }
            let turn = Turn { game: &game, position: &position, history: &history, legal: &legal };
            let Thought::Chosen(choice) = player.think(&turn, &mut rng, &mut desk) else { unreachable!() };
            visitor.play(&game.action_string(&position, choice.action));
            visitor.wait_for_turn(played + 1);
        };
        visitor.browser.until("document.querySelector('#status').dataset.result !== ''");
        let shown: [String; 2] = visitor.browser.look(
            "[document.querySelector('#status').dataset.result, document.querySelector('#status').dataset.reason]",
        );
        assert_eq!(shown, [outcome.result_name().to_owned(), outcome.reason.to_string()], "{id}");
        assert_eq!(visitor.count(".source, .target"), 0, "nothing can be played any more");
        assert_eq!(
            visitor.browser.look::<String>("document.querySelector('#board').dataset.position"),
            game.position_string(&position)
        );
        visitor.browser.picture(&format!("end-{id}"));
    }
}

fn play_to_the_end(game: &str) {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.begin(game, "");
    visitor.weaken();
    with_game(game, &toml::Table::new(), ToTheEnd(&mut visitor)).unwrap();
    visitor.browser.assert_well();
}

#[test]
fn shatara_to_the_end() {
    play_to_the_end("shatara");
}

#[test]
fn chess_to_the_end() {
    play_to_the_end("chess");
}

#[test]
fn omega_to_the_end() {
    play_to_the_end("omega");
}

#[test]
fn omega_advanced_to_the_end() {
    play_to_the_end("omega-advanced");
}

#[test]
fn shatar_to_the_end() {
    play_to_the_end("shatar");
}

#[test]
fn shatra_to_the_end() {
    play_to_the_end("shatra");
}

/// A man is promoted where it stands by its badge, from the zone and into the zone; a pawn comes from the zone; by mouse and by key.
#[test]
fn the_support_zone() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.seat("black", "person");
    let position =
        "rnbqkb1r/pppp2pp/5n2/4p3/4P3/5N2/PPPP2PP/RNBQKB1R[PPPPPPPPNNBBRRQppppppppnnbbrrq] w KQkq - f3e4e5f6 0 3";
    visitor.begin("shatara", position);
    visitor.browser.drag("[data-zone='zone:P']", "[data-square=f2]");
    visitor.wait_for_moves(&["P@f2"]);
    visitor.browser.click("[data-zone='zone:P']");
    assert_eq!(visitor.count(".square.target"), 2, "e7 and f7");
    visitor.browser.click("[data-square=e7]");
    visitor.wait_for_moves(&["P@f2", "P@e7"]);
    visitor.browser.click("[data-square=f3]");
    visitor.browser.picture("zone-badge");
    visitor.browser.click(".badge");
    visitor.wait_for_moves(&["P@f2", "P@e7", "f3f3b"]);
    visitor.browser.drag("[data-zone='zone:N']", "[data-square=e5]");
    visitor.wait_for_moves(&["P@f2", "P@e7", "f3f3b", "e5e5n"]);
    visitor.browser.drag("[data-square=e4]", "[data-zone='zone:N']");
    let all = ["P@f2", "P@e7", "f3f3b", "e5e5n", "e4e4n", "f6f6b"];
    visitor.wait_for_moves(&all[..5]);
    visitor.browser.click("[data-square=f6]");
    visitor.browser.press("+");
    visitor.wait_for_moves(&all);
    let counts: Vec<String> =
        visitor.browser.look("[...document.querySelectorAll('.zone.near .count')].map((count) => count.textContent)");
    assert_eq!(counts, ["1", "2", "1", "2", "8"], "White's queens, rooks, bishops, knights and pawns");
    visitor.browser.assert_well();
}

/// A drag goes where it may and nowhere else; several actions of one way are asked about; a series is made step by step and stopped.
#[test]
fn the_hand() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.seat("black", "person");
    visitor.begin("chess", "");
    visitor.browser.drag("[data-square=e2]", "[data-square=e5]");
    visitor.browser.drag("[data-square=g1]", "#seat-near");
    assert_eq!(visitor.count(".ghost"), 0);
    assert_eq!(visitor.moves(), [""; 0]);
    visitor.browser.drag("[data-square=e2]", "[data-square=e4]");
    visitor.wait_for_moves(&["e2e4"]);
    visitor.browser.click("[data-square=e7]");
    assert_eq!(visitor.count(".square.target"), 2);
    visitor.browser.click("[data-square=d7]");
    visitor.browser.until("document.querySelector('.square.selected').dataset.square === 'd7'");
    visitor.browser.click("[data-square=a4]");
    assert_eq!(visitor.count(".selected"), 0);
    visitor.play("d7d5");
    visitor.wait_for_moves(&["e2e4", "d7d5"]);

    visitor.begin("chess", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    visitor.browser.click("[data-square=e7]");
    visitor.browser.click("[data-square=e8]");
    visitor.browser.until("document.querySelectorAll('#chooser:popover-open button').length === 4");
    visitor.browser.picture("chooser");
    visitor.browser.press("Escape");
    visitor.browser.until("!document.querySelector('#chooser:popover-open')");
    visitor.browser.drag("[data-square=e7]", "[data-square=e8]");
    visitor.browser.click("#chooser [data-action=e7e8r]");
    visitor.wait_for_moves(&["e7e8r"]);

    visitor.begin("shatra", "**3**/**3**/**3**/***1***/6k/7/3p3/7/3p3/3K3/***1***/**3**/**3**/**3**[] w - - - 0 1");
    visitor.play("d5d7");
    visitor.wait_for_moves(&["d5d7"]);
    assert_eq!(visitor.count("[data-square=d7].selected"), 1, "the man is in the hand");
    visitor.browser.picture("series");
    visitor.browser.click("[data-plain='0000']");
    visitor.wait_for_moves(&["d5d7", "0000"]);
    visitor.browser.click("#take-back");
    visitor.wait_for_moves(&["d5d7"]);
    visitor.browser.click("[data-square=d9]");
    visitor.wait_for_moves(&["d5d7", "d7d9"]);

    visitor.begin("shatra", "**3**/**3**/**3**/***1***/7/7/3k3/3K3/7/7/***1***/**3**/**3**/**3**[] w - - - 0 1");
    visitor.play("d7d9");
    visitor.browser.until("document.querySelector('#status').dataset.result");
    assert_eq!(visitor.text("#status"), "White wins, the biy is captured");
    visitor.browser.assert_well();
}

/// The board by keys alone, from the beginning of the page.
#[test]
fn the_keyboard() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    let mut steps = 0;
    while !visitor.browser.look::<bool>("document.activeElement.dataset.square !== undefined") {
        visitor.browser.press("Tab");
        steps += 1;
        assert!(steps < 20, "Tab comes to the board");
    }
    let focused = "document.activeElement.dataset.square";
    assert_eq!(visitor.browser.look::<String>(focused), "a1");
    for key in ["ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"] {
        visitor.browser.press(key);
    }
    assert_eq!(visitor.browser.look::<String>(focused), "e2");
    let label: String = visitor.browser.look("document.activeElement.getAttribute('aria-label')");
    assert_eq!(label, "e2, white pawn, chosen");
    assert!(visitor.text("#said").starts_with("white pawn e2 chosen; 2 possible squares"));
    visitor.browser.press("Escape");
    assert_eq!(visitor.count(".selected"), 0);
    for key in ["Enter", "ArrowUp", "ArrowUp", " "] {
        visitor.browser.press(key);
    }
    visitor.wait_for_turn(2);
    assert_eq!(visitor.moves()[0], "e2e4");
    assert_eq!(visitor.browser.look::<String>(focused), "e4", "the focus stays where the man went");
    assert!(visitor.text("#said").starts_with("Black: "), "{}", visitor.text("#said"));

    // Beside a hole lies a way: from a0 to the corner beyond it, and back.
    visitor.begin("omega", "");
    visitor.browser.click("[data-square=a0]");
    visitor.browser.press("ArrowDown");
    assert_eq!(visitor.browser.look::<String>(focused), "w1");
    visitor.browser.press("ArrowUp");
    assert_eq!(visitor.browser.look::<String>(focused), "a0");
    visitor.browser.assert_well();
}

/// In Arabic the page runs from right to left; board and moves do not. The language is remembered.
#[test]
fn arabic() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.browser.click("#language");
    visitor.browser.until("document.documentElement.dir === 'rtl' && document.documentElement.lang === 'ar'");
    assert_eq!(visitor.text("#status"), "دورك (الأبيض)");
    let left = |square: &str| format!("document.querySelector('[data-square={square}]').getBoundingClientRect().left");
    assert!(visitor.browser.look::<bool>(&format!("{} < {}", left("a1"), left("h1"))));
    visitor.play("e2e4");
    visitor.wait_for_turn(2);
    assert_eq!(visitor.browser.look::<String>("getComputedStyle(document.querySelector('.move')).direction"), "ltr");
    for game in IDS {
        visitor.begin(game, "");
        visitor.browser.picture(&format!("arabic-{game}"));
        let label: String =
            visitor.browser.look("document.querySelector('[data-square=a5]').getAttribute('aria-label')");
        assert!(label.contains('،'), "{label}");
    }
    let untold: Vec<String> = visitor.browser.look(
        "[...document.querySelectorAll('[data-say]')].filter(({ dataset, textContent }) => textContent === dataset.say).map(({ dataset }) => dataset.say)",
    );
    assert_eq!(untold, [""; 0], "words that are missing");
    visitor.open();
    assert_eq!(visitor.browser.look::<String>("document.documentElement.dir"), "rtl");
    visitor.browser.assert_well();
}

/// On a phone nothing is wider than the screen, and a finger plays by taps and by carrying.
#[test]
fn a_phone() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.browser.become_phone(360, 640);
    visitor.open();
    for game in IDS {
        visitor.begin(game, "");
        assert_eq!(visitor.browser.look::<u32>("document.documentElement.scrollWidth"), 360, "{game}");
        let inside = "[...document.querySelectorAll('.square')].every((square) => {
            const { left, right, width } = square.getBoundingClientRect();
            return left >= 0 && right <= 360 && width >= 24;
        })";
        assert!(visitor.browser.look::<bool>(inside), "{game}: squares that a finger can meet");
        visitor.browser.picture(&format!("phone-{game}"));
    }
    visitor.seat("black", "person");
    visitor.begin("shatara", "");
    visitor.browser.tap("[data-square=e2]");
    visitor.browser.tap("[data-square=e4]");
    visitor.wait_for_moves(&["e2e4"]);
    visitor.browser.carry("[data-square=g8]", "[data-square=f6]");
    visitor.wait_for_moves(&["e2e4", "g8f6"]);
    visitor.browser.assert_well();
}

/// Taking back goes to the person's last move; a record is copied, pasted and read from a file; a wrong one is told.
#[test]
fn the_record() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.weaken();
    visitor.play("e2e4");
    visitor.wait_for_turn(2);
    visitor.play("d2d3");
    visitor.wait_for_turn(4);
    let played = visitor.moves();
    visitor.browser.click("#take-back");
    visitor.wait_for_moves(&[&played[0], &played[1]]);

    visitor.browser.click("#record");
    let record: String = visitor.browser.look("document.querySelector('#record-now').value");
    assert!(record.contains(&format!("e2e4 {}", played[1])), "{record}");
    visitor.browser.picture("record");
    visitor.browser.click("#copy");
    visitor.browser.until("document.querySelector('#copy').textContent === 'Copied'");
    visitor.browser.click("#record-load");
    visitor.browser.write("e2e5 is no record");
    visitor.browser.click("#load");
    visitor.browser.until("document.querySelector('#record-notice').textContent !== ''");
    visitor.browser.press("Escape");
    visitor.browser.until("!document.querySelector('#record-dialog').open");

    visitor.begin("omega", "");
    visitor.begin("shatara", "");
    visitor.browser.click("#record");
    visitor.browser.click("#record-load");
    visitor.browser.write(&record);
    visitor.browser.click("#load");
    visitor.wait_for_moves(&[&played[0], &played[1]]);
    assert!(!visitor.browser.look::<bool>("document.querySelector('#record-dialog').open"));

    visitor.begin("shatara", "");
    visitor.browser.click("#record");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, &record).unwrap();
    visitor.browser.give_file("#file", file.path());
    visitor.wait_for_moves(&[&played[0], &played[1]]);

    visitor.browser.click("#new-game");
    visitor.browser.click("#position");
    visitor.browser.write("8/8 w");
    visitor.browser.press("Enter");
    visitor.browser.until("document.querySelector('#notice').textContent !== ''");
    assert_eq!(visitor.moves().len(), 2, "the game goes on");
    visitor.browser.assert_well();
}

/// The analysis shows candidates and chances; one that is pointed at is drawn, and played by a click.
#[test]
fn the_analysis() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.browser.click("#analysis");
    visitor
        .browser
        .until("document.querySelectorAll('.candidates li').length > 1 && document.querySelector('.chance .bar')");
    visitor.browser.hover(".candidates li:nth-child(2) button");
    visitor.browser.until("document.querySelector('.arrows').children.length > 0");
    visitor.browser.picture("analysis");
    visitor.browser.click(".candidates li:first-child button");
    visitor.wait_for_turn(2);
    visitor.browser.until("document.querySelectorAll('.candidates li').length > 1");
    visitor.browser.click("#analysis");
    visitor.browser.until("document.querySelector('#thought').hidden");
    visitor.browser.assert_well();
}

/// Bot against bot goes on by itself, stops and goes on; whoever plays Black alone sits at Black's side.
#[test]
fn who_plays() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.weaken();
    visitor.seat("white", "bot");
    visitor.browser.until("document.querySelectorAll('.move').length > 5");
    // The bot may have moved once more before it heard.
    visitor.seat("black", "person");
    visitor.browser.until("document.querySelector('#board').dataset.near === 'black'");
    visitor.browser.until("document.querySelector('.source')");
    let near = |square: &str| format!("document.querySelector('[data-square={square}]').getBoundingClientRect().top");
    assert!(visitor.browser.look::<bool>(&format!("{} > {}", near("a8"), near("a1"))));
    visitor.browser.click("#turn");
    visitor.browser.until("document.querySelector('#board').dataset.near === 'white'");
    // With all its strength the bot thinks long enough to be stopped.
    visitor.browser.click("#level");
    visitor.browser.press("End");
    visitor.seat("black", "bot");
    visitor.browser.click("#pause");
    visitor.browser.until("document.querySelector('#pause').classList.contains('primary')");
    let stopped = visitor.moves().len();
    visitor.weaken();
    visitor.browser.click("#pause");
    visitor.browser.until(&format!("document.querySelectorAll('.move').length > {stopped}"));
    visitor.browser.assert_well();
}

/// A game outlives the connection, and the page being loaded again.
#[test]
fn a_lost_connection() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.seat("black", "person");
    visitor.begin("shatar", "");
    visitor.play("e2e3");
    visitor.wait_for_moves(&["e2e3"]);
    let port = visitor.server.port();
    visitor.server.program.kill().unwrap();
    visitor.server.program.wait().unwrap();
    visitor.browser.until("document.querySelector('#notice').textContent !== '' && !document.querySelector('.source')");
    visitor.server = Server::start(port);
    visitor.wait_for_moves(&["e2e3"]);
    visitor.browser.until("document.querySelector('#notice').textContent === ''");
    visitor.play("e7e6");
    visitor.wait_for_moves(&["e2e3", "e7e6"]);
    visitor.open();
    visitor.wait_for_moves(&["e2e3", "e7e6"]);
}

/// The colours follow the system, or what was chosen.
#[test]
fn colours() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    let lightness = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])";
    visitor.browser.prefer("prefers-color-scheme", "light");
    assert!(visitor.browser.look::<u32>(lightness) > 200);
    visitor.browser.prefer("prefers-color-scheme", "dark");
    assert!(visitor.browser.look::<u32>(lightness) < 60);
    for game in IDS {
        visitor.begin(game, "");
        visitor.browser.picture(&format!("dark-{game}"));
    }
    visitor.browser.click("#theme");
    visitor.browser.until(&format!("{lightness} > 200"));
    visitor.browser.click("#rules");
    visitor.browser.until("document.querySelector('#rulebook h2').textContent === 'Altai Shatra'");
    visitor.browser.picture("rules");
    visitor.browser.press("Escape");
    visitor.browser.assert_well();
}

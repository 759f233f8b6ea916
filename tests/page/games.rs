//! The pages of games and of runs in Chromium. Skipped where Chromium is not installed.

use std::{
    fmt::Display,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::AtomicBool,
};

use maydan::{
    game::{
        Game, Playable,
        registry::{GameVisitor, IDS, with_game},
    },
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig},
};

use crate::browser::Browser;

const GAMES: u64 = 6;

/// Plays a run of so many games of so many plies into a folder of the game's name.
struct Played<'a> {
    root: &'a Path,
    games: u64,
    plies: u32,
}

impl GameVisitor for Played<'_> {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let mut config = SelfPlayConfig {
            games: self.games,
            games_per_file: self.games / 2,
            shards: 1,
            slots: 8,
            max_plies: self.plies,
            ..SelfPlayConfig::default()
        };
        config.search.playouts = 4;
        config.search.considered_actions = 4;
        config.opening.max_plies = 4;
        let run_dir = self.root.join("data").join(&game.ruleset().game);
        let generation =
            Generation { game: &game, config: &config, seed: 3, number: 0, checkpoint: "uniform", run_dir: &run_dir };
        generation.run(&|_| Ok(Box::new(Uniform { batch_size: 8 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
    }
}

/// What reaches beyond the window, though it cannot be scrolled into it by itself.
fn wider(browser: &mut Browser) -> Vec<String> {
    browser.look(
        "[...document.querySelectorAll('body *')].filter((element) => !element.closest('.scroll') && element.getBoundingClientRect().right > innerWidth + 1)
            .map((element) => `${element.tagName} ${element.id} ${element.className.baseVal ?? element.className}`)",
    )
}

/// A short run of every game.
fn play_all(root: &Path) {
    for id in IDS {
        with_game(id, &toml::Table::new(), Played { root, games: GAMES, plies: 40 }).unwrap();
    }
}

/// A program that watches runs; it ends with this value.
struct Watch {
    program: Child,
    address: String,
}

impl Watch {
    fn start(root: &Path) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_maydan"))
            .arg("watch")
            .args(IDS)
            .args(["--port", "0", "--root"])
            .arg(root)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Watch { program, address: address.trim().trim_end_matches('/').to_owned() }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.program.kill().ok();
        self.program.wait().ok();
    }
}

/// Opens an address anew, though the page may be there already with something else behind `#`.
fn visit(browser: &mut Browser, address: impl Display, ready: &str) {
    browser.open("about:blank", "true");
    browser.open(address, ready);
}

const ROWS: &str = "document.querySelectorAll('#list tbody tr').length";

/// In every game: the list, a filter, a game stepped through, and the way there by an address alone.
#[test]
fn games_are_found_and_stepped_through() {
    let Some(mut browser) = Browser::start() else { return };
    let root = tempfile::tempdir().unwrap();
    play_all(root.path());
    let watch = Watch::start(root.path());
    browser.resize(1280, 1000);
    for id in IDS {
        visit(&mut browser, format!("{}/games#run={id}", watch.address), &format!("{ROWS} === {GAMES}"));
        let first: String =
            browser.look("document.querySelector('#list tbody td:nth-child(5)').textContent.split(' ')[0]");
        browser.click("[name=opening]");
        browser.write(&first);
        browser.press("Enter");
        browser.until(&format!(
            "[...document.querySelectorAll('#list tbody td:nth-child(5)')].every((cell) => cell.textContent.startsWith('{first}')) && {ROWS} > 0"
        ));
        browser.click("#clear");
        browser.until(&format!("{ROWS} === {GAMES}"));

        browser.click("#list tbody tr:nth-child(2) a");
        browser.until("!document.querySelector('#viewer').hidden");
        let start: String = browser.look("document.querySelector('#board').dataset.position");
        browser.click("#next");
        browser.until("location.hash.includes('ply=1')");
        let next: String = browser.look("document.querySelector('#board').dataset.position");
        assert_ne!(start, next, "{id}");
        browser.press("End");
        browser.until("document.querySelector('#candidates').hidden");
        browser.picture(&format!("games-{id}"));
        browser.press("Home");
        browser.until(&format!("document.querySelector('#board').dataset.position === {start:?}"));
    }
    browser.assert_well();
}

/// A game is reached by its address, steps to where a search was made, and shows what it found; a wrong one is one line;
/// the page is in Arabic too, and narrow.
#[test]
fn an_address_holds_a_game() {
    let Some(mut browser) = Browser::start() else { return };
    let root = tempfile::tempdir().unwrap();
    play_all(root.path());
    let watch = Watch::start(root.path());
    browser.resize(1280, 1000);
    let address = format!("{}/games#run=shatara&game=0-4&ply=6", watch.address);
    visit(&mut browser, &address, "document.querySelectorAll('#candidates tbody tr').length > 0");
    assert_eq!(browser.look::<String>("document.querySelector('#count').textContent.match(/\\d+/)[0]"), "6");
    assert!(browser.look::<bool>("document.querySelectorAll('#candidates tbody tr.chosen').length === 1"));
    assert!(browser.look::<bool>("document.querySelectorAll('#graph .curve').length > 0"));
    browser.click("#language");
    browser.until("document.documentElement.dir === 'rtl'");
    let unsaid: Vec<String> = browser.look(
        "[...document.querySelectorAll('[data-term], [data-say]')].filter(({ dataset, textContent }) => textContent.trim() === '' || textContent === dataset.term).map(({ dataset }) => dataset.term ?? dataset.say)",
    );
    assert_eq!(unsaid, [""; 0], "words that are missing");
    browser.picture("games-arabic");
    let hidden = "[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth).length";
    assert_eq!(browser.look::<u32>(hidden), 0, "the beginnings of the first moves are in sight");
    browser.resize(390, 844);
    assert_eq!(wider(&mut browser), [""; 0], "nothing is cut off");
    browser.picture("games-phone");
    visit(
        &mut browser,
        format!("{}/games#run=shatara&game=0-99", watch.address),
        "document.querySelector('#trouble')?.textContent",
    );
    let trouble: String = browser.look("document.querySelector('#trouble').textContent");
    assert_eq!(trouble, "لا يدل العنوان على مباراة هنا.");
}

/// The page of a run shows its newest game by itself, and its last ones in a list.
#[test]
fn a_run_is_watched() {
    let Some(mut browser) = Browser::start() else { return };
    let root = tempfile::tempdir().unwrap();
    play_all(root.path());
    let watch = Watch::start(root.path());
    browser.resize(1280, 1000);
    visit(&mut browser, format!("{}/watch#run=shatra", watch.address), "document.querySelector('#progress section')");
    browser.until("document.querySelector('#game-name').textContent.includes('0-5')");
    browser.until("/^[1-9]/.test(document.querySelector('#count').textContent)");
    browser.until(&format!("{ROWS} === {GAMES}"));
    let last: String = browser.look("document.querySelector('#list tbody a').getAttribute('href')");
    assert_eq!(last, "/games#run=shatra&game=0-5");
    browser.picture("watch");
    browser.resize(390, 844);
    assert_eq!(wider(&mut browser), [""; 0], "nothing is cut off");
    browser.assert_well();
}

/// The report's games need no server, and its lines of openings and kinds of action lead to them.
#[test]
fn a_report_leads_to_its_games() {
    let Some(mut browser) = Browser::start() else { return };
    let root = tempfile::tempdir().unwrap();
    // The tree of openings leaves out what only a few games have.
    with_game("shatara", &toml::Table::new(), Played { root: root.path(), games: 300, plies: 4 }).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_maydan"))
        .args(["report", "shatara", "--games", "4", "-o", "report.html", "--root", "."])
        .current_dir(root.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = format!("file://{}/report.html", root.path().display());
    browser.resize(1280, 1000);
    visit(&mut browser, &page, "document.querySelector('[data-games] a')");
    let leads = |browser: &mut Browser, selector: &str| -> String {
        browser.look(&format!("document.querySelector({selector:?}).href"))
    };
    let kind = leads(&mut browser, "[data-games='kind=reinforcement'] a");
    assert!(kind.ends_with("games.html#kind=reinforcement"), "{kind}");
    let opening = leads(&mut browser, ".opening-tree [data-games] a");
    assert!(opening.contains("games.html#opening="), "{opening}");
    let all = format!("file://{}/games.html", root.path().display());
    visit(&mut browser, &all, &format!("{ROWS} === 4"));
    browser.click("#list tbody tr:nth-child(1) a");
    browser.until("document.querySelector('#board').dataset.position && !document.querySelector('#viewer').hidden");
    browser.press("End");
    browser.until("document.querySelector('#candidates').hidden");
    browser.picture("games-offline");
    let first: String = browser.look("document.querySelector('#list tbody td:nth-child(5)').textContent.split(' ')[0]");
    visit(
        &mut browser,
        format!("{all}#opening={first}"),
        &format!("{ROWS} >= 1 && document.querySelector('[name=opening]').value === {first:?}"),
    );
    browser.assert_well();
}

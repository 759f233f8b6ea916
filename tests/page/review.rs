//! The page of `maydan serve` in Chromium: looking over a game, its lines and its values. Skipped where Chromium is not
//! installed.

use crate::browser;

use browser::Client;
use maydan::game::registry::IDS;

/// White gives mate on a8.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

const TEXTS: &str = "[...document.querySelectorAll('.move')].map((move) => move.textContent)";

/// Plays a short game of two persons.
fn play_open_game(client: &mut Client) {
    client.seat("black", "person");
    client.begin("shatara", "");
    for (at, action) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
        client.play(action);
        client.wait_for_turn(at + 1);
    }
}

/// The analysis is that of the position on the board; moves tried there and whole lines are kept beside the game.
#[test]
fn the_analysis_follows() {
    let Some(mut client) = Client::arrive() else { return };
    play_open_game(&mut client);
    client.browser.click("#analysis");
    client.browser.until("document.querySelectorAll('.candidates li').length > 1");
    client.browser.click("[data-after='1']");
    client.browser.until("document.querySelector('#walk-count').textContent === '1 / 4'");
    // Black is to move there: his candidates, and his moves.
    client.browser.until(
        "/^[a-h][78]/.test(document.querySelector('.candidates .candidate')?.dataset.candidate ?? '')
         && document.querySelector('.source')",
    );
    assert_eq!(client.count("#gauge[aria-label*='%']"), 1);
    assert!(client.count("#graph .curve") > 0, "a value is known, and drawn");
    client.browser.picture("analysis-past");
    client.browser.click("[data-square=d7]");
    client.browser.click("[data-square=d5]");
    client.browser.until("document.querySelector('#status').textContent === 'Beside the game: Black’s d7-d5'");
    assert_eq!((client.moves().len(), client.count(".side-move")), (4, 1), "the game is as it was");

    // A whole line, and a walk along it.
    client.browser.until("document.querySelector('.candidates .unfold') && document.querySelector('.source')");
    client.browser.click(".candidates li:first-child .unfold");
    client.browser.until("document.querySelectorAll('.candidates li:first-child .step').length > 1");
    client.browser.picture("line");
    client.browser.click(".candidates li:first-child .step:nth-child(2)");
    client.browser.until("document.querySelector('#walk-count').textContent.startsWith('4 / ')");
    client.browser.click("#walk-previous");
    client.browser.until("document.querySelector('#walk-count').textContent.startsWith('3 / ')");
    client.browser.press("ArrowRight");
    client.browser.until("document.querySelector('#walk-count').textContent.startsWith('4 / ')");
    client.browser.picture("beside");
    let beside = client.count(".side-move");
    assert!(beside > 2, "{beside}");
    client.browser.click("#present");
    client.wait_for_turn(4);
    client.open();
    client.wait_for_turn(4);
    assert_eq!(client.count(".side-move"), beside, "they outlive the page");
    client.browser.click(".side-move");
    client.browser.until("document.querySelector('#status').textContent.startsWith('Beside the game: Black’s d7-d5')");
    client.browser.click("#branch");
    client.wait_for_moves(&["e2e4", "d7d5"]);
    assert!(client.count(".side-move") >= 3, "the game that was left is kept beside");
    client.browser.click("#forget");
    client.browser.until("document.querySelectorAll('.side-move').length === 0");
    client.browser.assert_well();
}

/// What was taken back comes again, as long as nothing else was played.
#[test]
fn redo() {
    let Some(mut client) = Client::arrive() else { return };
    play_open_game(&mut client);
    let all = ["e2e4", "e7e5", "g1f3", "b8c6"];
    assert!(client.browser.look::<bool>("document.querySelector('#redo').disabled"));
    client.browser.click("#take-back");
    client.wait_for_moves(&all[..3]);
    client.browser.click("#take-back");
    client.wait_for_moves(&all[..2]);
    client.browser.click("#redo");
    client.wait_for_moves(&all[..3]);
    client.browser.click("#redo");
    client.wait_for_moves(&all);
    client.browser.click("#take-back");
    client.wait_for_moves(&all[..3]);
    client.play("g8f6");
    client.wait_for_turn(4);
    assert!(client.browser.look::<bool>("document.querySelector('#redo').disabled"));
    assert_eq!(client.count(".side-move"), 1, "the other move is kept");
    client.browser.assert_well();
}

/// A link holds the game and the position that is looked at; one that holds none is told in a line.
#[test]
fn links() {
    let Some(mut client) = Client::arrive() else { return };
    play_open_game(&mut client);
    client.browser.click("[data-after='3']");
    client.browser.until("document.querySelector('.past')");
    client.browser.click("#record");
    let link: String = client.browser.look("document.querySelector('#link-now').value");
    client.browser.picture("link");
    let (_, fragment) = link.split_once('#').unwrap();
    client.follow_link(&format!("#{fragment}"));
    client.browser.until("document.querySelector('#walk-count').textContent === '3 / 4'");
    assert_eq!(client.moves(), ["e2e4", "e7e5", "g1f3", "b8c6"]);
    assert_eq!(client.browser.look::<String>("location.hash"), "", "it is opened once");

    let rules = fragment.split('&').find(|part| part.starts_with("rules=")).unwrap();
    for (wrong, words) in [
        ("#nothing", "The link holds no game that can be shown."),
        ("#bot=uniform&rules=<b>", "The link holds no game that can be shown."),
        (&format!("#bot=uniform&{rules}&moves=e2e4.e2e4"), "The link holds no game that can be shown."),
        (&format!("#bot=uniform&{rules}&start=%00&moves=e2e4"), "The link holds no game that can be shown."),
        (&format!("#bot=uniform&{rules}&at=-1"), "The link holds no game that can be shown."),
        ("#bot=uniform&rules=0000000000000000", "No bot here plays the game of the link by its rules."),
    ] {
        client.follow_link(wrong);
        client
            .browser
            .until("document.querySelector('#notice').textContent !== '' && document.querySelector('.source')");
        assert_eq!(client.text("#notice"), words, "{wrong}");
        assert_eq!(client.text("#walk-count"), "4 / 4", "the game of the page is there all the same");
    }
    client.play("f1c4");
    client.wait_for_turn(5);
    client.browser.until("document.querySelector('#notice').textContent === ''");
    // The page does not leave the game for a link that leads nowhere.
    let moves = client.moves();
    client.browser.look::<()>("void (location.hash = '#bot=uniform&rules=')");
    client.browser.until("document.querySelector('#notice').textContent !== ''");
    assert_eq!(client.moves(), moves);
    client.browser.assert_well();
}

/// Check and mate are seen on the king; a finished game can be played again or looked over, and blocks nothing.
#[test]
fn the_end_of_a_game() {
    let Some(mut client) = Client::arrive() else { return };
    client.seat("black", "person");
    client.begin("chess", "6k1/5p1p/8/8/8/8/8/R3K3 w - - 0 1");
    client.play("a1a8");
    client.wait_for_turn(1);
    assert_eq!(client.count(".square.check[data-square=g8]"), 1);
    assert_eq!(client.text("#status"), "Black to move, check");
    let label = "document.querySelector('[data-square=g8]').getAttribute('aria-label')";
    assert!(client.browser.look::<String>(label).contains("check"));
    client.browser.picture("check");

    client.begin("chess", MATE_IN_ONE);
    assert_eq!(client.count(".square.check"), 0);
    assert!(client.browser.look::<bool>("document.querySelector('#ending').hidden"));
    client.play("a1a8");
    client.browser.until("!document.querySelector('#ending').hidden");
    assert_eq!(client.count(".square.mate[data-square=g8]"), 1);
    assert!(client.browser.look::<String>(label).contains("checkmate"));
    assert_eq!(client.browser.look::<Vec<String>>(TEXTS), ["Ra1-a8#"]);
    client.browser.picture("ending");
    client.browser.click("#again");
    client.browser.until("document.querySelectorAll('.move').length === 0 && document.querySelector('.source')");
    client.play("a1a8");
    client.browser.until("!document.querySelector('#ending').hidden");
    client.browser.click("#review");
    client.browser.until("document.querySelector('#walk-count').textContent === '0 / 1'");
    client.browser.until("document.querySelectorAll('.candidates li').length > 0");
    // The first value and the result make a curve.
    client.browser.until("(document.querySelector('#graph .curve')?.getAttribute('d').match(/L/g) ?? []).length === 1");
    client.browser.picture("review");
    client.browser.click("#present");
    client.browser.until("!document.querySelector('.past')");
    assert!(client.browser.look::<bool>("document.querySelector('#ending').hidden"), "it was put away");
    client.browser.assert_well();
}

/// Moves are written to be read, and uses of the reserve by their names; their own strings stand beside them.
#[test]
fn the_notation() {
    let Some(mut client) = Client::arrive() else { return };
    client.seat("black", "person");
    let position = "rnbqk2r/ppppPppp/5n2/8/8/5N2/PPPP2PP/RNBQK2R[PPPPPPPPNNBBRRQppppppppnnbbrrq] b KQkq - f3f6 0 3";
    client.begin("shatara", position);
    for (at, action) in ["d8e7", "e1f1", "f6f6b", "P@f2", "e8g8"].into_iter().enumerate() {
        client.play(action);
        client.wait_for_turn(at + 1);
    }
    let texts: Vec<String> = client.browser.look(TEXTS);
    assert_eq!(texts, ["Qd8xe7+", "Ke1-f1", "Nf6=B ladder", "P@f2 reinforcement", "O-O"]);
    let title: String = client.browser.look("document.querySelector('[data-after=\"3\"]').title");
    assert_eq!(title, "f6f6b · ladder");
    client.begin("shatra", "**3**/**3**/**3**/***1***/6k/7/3p3/7/3p3/3K3/***1***/**3**/**3**/**3**[] w - - - 0 1");
    client.play("d5d7");
    client.wait_for_turn(1);
    client.play("0000");
    client.wait_for_turn(2);
    assert_eq!(client.browser.look::<Vec<String>>(TEXTS), ["Kd5xd7", "stop"]);
    client.browser.assert_well();
}

/// The zones are explained once for each game that has them.
#[test]
fn captions() {
    let Some(mut client) = Client::arrive() else { return };
    let hidden = "document.querySelector('#captions').hidden";
    assert!(client.text("#captions-list").contains("reinforcement: "));
    client.browser.picture("captions");
    client.browser.click("#captions-close");
    assert!(client.browser.look::<bool>(hidden));
    client.open();
    assert!(client.browser.look::<bool>(hidden), "it is remembered");
    for game in IDS {
        client.begin(game, "");
        let expected = ["shatra", "omega-advanced"].contains(game);
        client.browser.until(&format!("{hidden} === {}", !expected));
    }
    client.browser.assert_well();
}

/// The pieces of a zone have the colours of those on the board, in light and in dark.
#[test]
fn pieces_of_the_zones() {
    let Some(mut client) = Client::arrive() else { return };
    for theme in ["light", "dark"] {
        client.browser.prefer("prefers-color-scheme", theme);
        for side in ["white", "black"] {
            let fill =
                |place: &str| format!("getComputedStyle(document.querySelector('{place} .piece.{side} .body')).fill");
            let colours = format!("[{}, {}]", fill(".zone"), fill("#board"));
            let [zone, board]: [String; 2] = client.browser.look(&colours);
            assert_eq!(zone, board, "{theme} {side}");
            let line = |place: &str| fill(place).replace(".fill", ".stroke");
            let colours = format!("[{}, {}]", line(".zone"), line("#board"));
            let [zone, board]: [String; 2] = client.browser.look(&colours);
            assert_eq!(zone, board, "{theme} {side}");
        }
    }
    client.browser.assert_well();
}

/// A level has a name, and after a search how long it takes.
#[test]
fn levels() {
    let Some(mut client) = Client::arrive() else { return };
    assert_eq!(client.text("#level-words"), "by time, about 1.0 s");
    client.weaken();
    assert_eq!(client.text("#level-words"), "at a glance, 1 playout a move");
    client.browser.press("End");
    client.browser.until("document.querySelector('#level-words').textContent === 'by time, about 10 s'");
    for _ in 0..3 {
        client.browser.press("ArrowLeft");
    }
    client.browser.until("document.querySelector('#level-words').textContent.startsWith('utmost, 12,800 playouts')");
    client.browser.click("#analysis");
    client.browser.until("/ s$/.test(document.querySelector('#level-words').textContent)");
    client.browser.assert_well();
}

/// In Arabic the rules are in Arabic, of every game; in English they are the server's.
#[test]
fn the_rules_in_arabic() {
    let Some(mut client) = Client::arrive() else { return };
    client.browser.click("#language");
    for game in IDS {
        client.begin(game, "");
        client.browser.click("#rules");
        client.browser.until("document.querySelector('#rulebook').lang === 'ar'");
        let words: String = client.browser.look("document.querySelector('#rulebook h2').textContent");
        assert!(words.chars().all(|c| !c.is_ascii_alphabetic()), "{game}: {words}");
        assert_eq!(
            client.browser.look::<String>("getComputedStyle(document.querySelector('#rulebook')).direction"),
            "rtl"
        );
        client.browser.picture(&format!("rules-{game}"));
        client.browser.click("#rules-dialog [type=submit]");
        client.browser.until("!document.querySelector('#rules-dialog').open");
    }
    client.browser.click("#language");
    client.browser.click("#rules");
    client.browser.until("document.querySelector('#rulebook').lang === 'en' && document.querySelector('#rulebook h2')");
    client.browser.assert_well();
}

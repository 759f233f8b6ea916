//! The page of `maydan serve` in Chromium: how the hand plays, by mouse, key and finger. Skipped where Chromium is not
//! installed.

use crate::browser;

use browser::Client;
use maydan::game::registry::IDS;

/// A piece is promoted where it stands by its badge, from the zone and into the zone; a pawn comes from the zone; by
/// mouse and by key.
#[test]
fn the_support_zone() {
    let Some(mut client) = Client::arrive() else { return };
    client.seat("black", "person");
    let position =
        "rnbqkb1r/pppp2pp/5n2/4p3/4P3/5N2/PPPP2PP/RNBQKB1R[PPPPPPPPNNBBRRQppppppppnnbbrrq] w KQkq - f3e4e5f6 0 3";
    client.begin("shatara", position);
    client.browser.drag("[data-zone='zone:P']", "[data-square=f2]");
    client.wait_for_moves(&["P@f2"]);
    client.browser.click("[data-zone='zone:P']");
    assert_eq!(client.count(".square.target"), 2, "e7 and f7");
    client.browser.click("[data-square=e7]");
    client.wait_for_moves(&["P@f2", "P@e7"]);
    client.browser.click("[data-square=f3]");
    client.browser.picture("zone-badge");
    client.browser.click(".badge");
    client.wait_for_moves(&["P@f2", "P@e7", "f3f3b"]);
    client.browser.drag("[data-zone='zone:N']", "[data-square=e5]");
    client.wait_for_moves(&["P@f2", "P@e7", "f3f3b", "e5e5n"]);
    client.browser.drag("[data-square=e4]", "[data-zone='zone:N']");
    let all = ["P@f2", "P@e7", "f3f3b", "e5e5n", "e4e4n", "f6f6b"];
    client.wait_for_moves(&all[..5]);
    client.browser.click("[data-square=f6]");
    client.browser.press("+");
    client.wait_for_moves(&all);
    let counts: Vec<String> =
        client.browser.look("[...document.querySelectorAll('.zone.near .count')].map((count) => count.textContent)");
    assert_eq!(counts, ["1", "2", "1", "2", "8"], "White's queens, rooks, bishops, knights and pawns");
    // What is in the hand stays behind with the game, where another one begins on a board without its square.
    client.begin("shatara", position);
    client.browser.click("[data-square=f3]");
    client.browser.until("document.querySelector('.badge')");
    client.begin("shatra", "");
    client.browser.until("document.querySelector('.source') && !document.querySelector('.badge')");
    client.browser.assert_well();
}

/// A drag goes where it may and nowhere else; several actions of one way are asked about; a series is made step by step
/// and stopped.
#[test]
fn the_hand() {
    let Some(mut client) = Client::arrive() else { return };
    client.seat("black", "person");
    client.begin("chess", "");
    client.browser.drag("[data-square=e2]", "[data-square=e5]");
    client.browser.drag("[data-square=g1]", "#seat-near");
    assert_eq!(client.count(".ghost"), 0);
    assert_eq!(client.moves(), [""; 0]);
    client.browser.drag("[data-square=e2]", "[data-square=e4]");
    client.wait_for_moves(&["e2e4"]);
    client.browser.click("[data-square=e7]");
    assert_eq!(client.count(".square.target"), 2);
    client.browser.click("[data-square=d7]");
    client.browser.until("document.querySelector('.square.selected').dataset.square === 'd7'");
    client.browser.click("[data-square=a4]");
    assert_eq!(client.count(".selected"), 0);
    client.play("d7d5");
    client.wait_for_moves(&["e2e4", "d7d5"]);

    client.begin("chess", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    client.browser.click("[data-square=e7]");
    client.browser.click("[data-square=e8]");
    client.browser.until("document.querySelectorAll('#chooser:popover-open button').length === 4");
    client.browser.picture("chooser");
    client.browser.press("Escape");
    client.browser.until("!document.querySelector('#chooser:popover-open')");
    client.browser.drag("[data-square=e7]", "[data-square=e8]");
    client.browser.click("#chooser [data-action=e7e8r]");
    client.wait_for_moves(&["e7e8r"]);

    client.begin("shatra", "**3**/**3**/**3**/***1***/6k/7/3p3/7/3p3/3K3/***1***/**3**/**3**/**3**[] w - - - 0 1");
    client.play("d5d7");
    client.wait_for_moves(&["d5d7"]);
    assert_eq!(client.count("[data-square=d7].selected"), 1, "the piece is in the hand");
    client.browser.picture("series");
    client.browser.click("[data-plain='0000']");
    client.wait_for_moves(&["d5d7", "0000"]);
    client.browser.click("#take-back");
    client.wait_for_moves(&["d5d7"]);
    client.browser.click("[data-square=d9]");
    client.wait_for_moves(&["d5d7", "d7d9"]);

    client.begin("shatra", "**3**/**3**/**3**/***1***/7/7/3k3/3K3/7/7/***1***/**3**/**3**/**3**[] w - - - 0 1");
    client.play("d7d9");
    client.browser.until("document.querySelector('#status').dataset.result");
    assert_eq!(client.text("#status"), "White wins, the biy is captured");
    client.browser.assert_well();
}

/// The board by keys alone, from the beginning of the page.
#[test]
fn the_keyboard() {
    let Some(mut client) = Client::arrive() else { return };
    let mut steps = 0;
    while !client.browser.look::<bool>("document.activeElement.dataset.square !== undefined") {
        client.browser.press("Tab");
        steps += 1;
        assert!(steps < 20, "Tab comes to the board");
    }
    let focused = "document.activeElement.dataset.square";
    assert_eq!(client.browser.look::<String>(focused), "a1");
    for key in ["ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"] {
        client.browser.press(key);
    }
    assert_eq!(client.browser.look::<String>(focused), "e2");
    let label: String = client.browser.look("document.activeElement.getAttribute('aria-label')");
    assert_eq!(label, "e2, white pawn, chosen");
    assert!(client.text("#said").starts_with("white pawn e2 chosen; 2 possible squares"));
    client.browser.press("Escape");
    assert_eq!(client.count(".selected"), 0);
    for key in ["Enter", "ArrowUp", "ArrowUp", " "] {
        client.browser.press(key);
    }
    client.wait_for_turn(2);
    assert_eq!(client.moves()[0], "e2e4");
    assert_eq!(client.browser.look::<String>(focused), "e4", "the focus stays where the piece went");
    assert!(client.text("#said").starts_with("Black: "), "{}", client.text("#said"));

    // Beside a hole lies a way: from a0 to the corner beyond it, and back.
    client.begin("omega", "");
    client.browser.click("[data-square=a0]");
    client.browser.press("ArrowDown");
    assert_eq!(client.browser.look::<String>(focused), "w1");
    client.browser.press("ArrowUp");
    assert_eq!(client.browser.look::<String>(focused), "a0");
    client.browser.assert_well();
}

/// On a phone nothing is wider than the screen, and a finger plays by taps and by carrying.
#[test]
fn a_phone() {
    let Some(mut client) = Client::arrive() else { return };
    client.browser.become_phone(360, 640);
    client.open();
    for game in IDS {
        client.begin(game, "");
        assert_eq!(client.browser.look::<u32>("document.documentElement.scrollWidth"), 360, "{game}");
        let inside = "[...document.querySelectorAll('.square')].every((square) => {
            const { left, right, width } = square.getBoundingClientRect();
            return left >= 0 && right <= 360 && width >= 24;
        })";
        assert!(client.browser.look::<bool>(inside), "{game}: squares that a finger can meet");
        client.browser.picture(&format!("phone-{game}"));
    }
    client.seat("black", "person");
    client.begin("shatara", "");
    client.browser.tap("[data-square=e2]");
    client.browser.tap("[data-square=e4]");
    client.wait_for_moves(&["e2e4"]);
    client.browser.carry("[data-square=g8]", "[data-square=f6]");
    client.wait_for_moves(&["e2e4", "g8f6"]);
    client.browser.tap("#walk-first");
    client.browser.until("document.querySelector('.past') && !document.querySelector('.source')");
    assert_eq!(client.browser.look::<u32>("document.documentElement.scrollWidth"), 360);
    client.browser.picture("phone-past");
    client.browser.tap("[data-after='1']");
    client.browser.until("document.querySelector('#walk-count').textContent === '1 / 2'");
    client.browser.picture("phone-moves");
    client.browser.tap("#present");
    client.wait_for_moves(&["e2e4", "g8f6"]);
    client.browser.assert_well();
}

//! The page of `maydan serve` in Chromium: how the hand plays, by mouse, key and finger. Skipped where Chromium is not installed.

use crate::browser;

use browser::Visitor;
use maydan::game::registry::IDS;

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
    // What is in the hand stays behind with the game, where another one begins on a board without its square.
    visitor.begin("shatara", position);
    visitor.browser.click("[data-square=f3]");
    visitor.browser.until("document.querySelector('.badge')");
    visitor.begin("shatra", "");
    visitor.browser.until("document.querySelector('.source') && !document.querySelector('.badge')");
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
    visitor.browser.tap("#walk-first");
    visitor.browser.until("document.querySelector('.past') && !document.querySelector('.source')");
    assert_eq!(visitor.browser.look::<u32>("document.documentElement.scrollWidth"), 360);
    visitor.browser.picture("phone-past");
    visitor.browser.tap("[data-after='1']");
    visitor.browser.until("document.querySelector('#walk-count').textContent === '1 / 2'");
    visitor.browser.picture("phone-moves");
    visitor.browser.tap("#present");
    visitor.wait_for_moves(&["e2e4", "g8f6"]);
    visitor.browser.assert_well();
}

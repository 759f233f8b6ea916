//! The page on screens of all sizes.

use maydan::game::registry::IDS;

use crate::browser::Client;

/// Whether the board shows, beside it or under it or over it nothing that overlaps, and the status is seen.
const CLEAR: &str = "
(() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const board = box('#board');
  const apart = (other) =>
    other.left >= board.right || other.right <= board.left || other.top >= board.bottom || other.bottom <= board.top;
  const squares = [...document.querySelectorAll('#board .square')].map((square) => square.getBoundingClientRect());
  const covered = squares.filter(({ left, top, width, height }) => {
    const [x, y] = [left + width / 2, top + height / 2];
    if (y < 0 || y >= innerHeight) return false;
    return !document.elementFromPoint(x, y)?.closest('.arena');
  });
  const status = box('#status');
  return JSON.stringify({
    squares: squares.length > 30,
    covered: covered.length,
    panel: [...document.querySelectorAll('.panel .card, .status, .zone')].every((card) => apart(card.getBoundingClientRect())),
    inside: board.left >= 0 && board.right <= innerWidth,
    status: status.top >= 0 && status.bottom <= innerHeight,
  });
})()";

#[test]
fn nothing_covers_the_board_and_the_status_is_in_view() {
    let Some(mut client) = Client::arrive() else { return };
    let sizes = [(1280, 720), (1680, 1050), (1920, 1080), (2560, 1440), (768, 1024), (390, 844), (844, 390)];
    for game in IDS {
        client.begin(game, "");
        for (width, height) in sizes {
            client.browser.resize(width, height);
            client.browser.look::<()>("void scrollTo(0, 0)");
            let clear: String = client.browser.look(CLEAR);
            let expected = r#"{"squares":true,"covered":0,"panel":true,"inside":true,"status":true}"#;
            client.browser.picture(&format!("size-{width}x{height}-{game}"));
            assert_eq!(clear, expected, "{game} {width}x{height}");
        }
    }
    client.browser.assert_well();
}

/// On phones and tablets the status is seen beside the board without scrolling, and nothing is wider than the screen.
#[test]
fn the_status_above_the_fold() {
    let Some(mut client) = Client::arrive() else { return };
    for (width, height) in [(390, 844), (768, 1024)] {
        client.browser.become_phone(width, height);
        client.open();
        client.browser.click("#analysis");
        for game in IDS {
            client.begin(game, "");
            client.browser.look::<()>("void scrollTo(0, 0)");
            let seen: f64 = client.browser.look("document.querySelector('#status').getBoundingClientRect().bottom");
            let board: f64 = client.browser.look("document.querySelector('#board').getBoundingClientRect().bottom");
            assert!(seen < f64::from(height) && board < f64::from(height), "{game}: {seen} {board}");
            assert_eq!(client.browser.look::<u32>("document.documentElement.scrollWidth"), width, "{game}");
            client.browser.picture(&format!("fold-{width}-{game}"));
        }
    }
    client.browser.assert_well();
}

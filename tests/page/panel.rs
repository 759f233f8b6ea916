//! The page of `maydan serve` in Chromium: all that is beside the board. Skipped where Chromium is not installed.

use crate::browser;

use browser::Client;
use maydan::game::registry::IDS;

/// In Arabic the page runs from right to left; board and moves do not. The language is remembered.
#[test]
fn arabic() {
    let Some(mut client) = Client::arrive() else { return };
    client.browser.click("#language");
    client.browser.until("document.documentElement.dir === 'rtl' && document.documentElement.lang === 'ar'");
    assert_eq!(client.text("#status"), "دورك (الأبيض)");
    let left = |square: &str| format!("document.querySelector('[data-square={square}]').getBoundingClientRect().left");
    assert!(client.browser.look::<bool>(&format!("{} < {}", left("a1"), left("h1"))));
    client.play("e2e4");
    client.wait_for_turn(2);
    assert_eq!(client.browser.look::<String>("getComputedStyle(document.querySelector('.move')).direction"), "ltr");
    client.browser.click("#walk-previous");
    client.browser.until("document.querySelector('.past')");
    assert_eq!(client.text("#status"), "مراجعة: نقلة الأبيض \u{2066}e2-e4\u{2069}");
    client.browser.picture("arabic-past");
    client.browser.press("ArrowLeft");
    client.browser.until("document.querySelector('#walk-count').textContent === '0 / 2'");
    client.browser.press("Escape");
    client.browser.until("!document.querySelector('.past')");
    client.browser.click("#new-game");
    client.browser.click("#position");
    client.browser.write("8/8 w");
    client.browser.press("Enter");
    client.browser.until("document.querySelector('#notice .detail')");
    client.browser.picture("arabic-error");
    let line = client.text("#notice .detail");
    assert!(line.starts_with("position field"), "{line}");
    assert_eq!(client.text("#notice"), format!("هذا النصّ لا يصف وضعًا صحيحًا.{line}"));
    client.browser.click("#language");
    client.browser.until("document.documentElement.lang === 'en'");
    assert_eq!(client.text("#notice"), line, "one language is enough");
    client.browser.click("#language");
    for game in IDS {
        client.begin(game, "");
        client.browser.picture(&format!("arabic-{game}"));
        let label: String = client.browser.look("document.querySelector('[data-square]').getAttribute('aria-label')");
        assert!(label.contains('،'), "{label}");
    }
    let unsaid: Vec<String> = client.browser.look(
        "[...document.querySelectorAll('[data-say]')].filter(({ dataset, textContent }) => textContent === dataset.say).map(({ dataset }) => dataset.say)",
    );
    assert_eq!(unsaid, [""; 0], "words that are missing");
    client.open();
    assert_eq!(client.browser.look::<String>("document.documentElement.dir"), "rtl");
    client.browser.assert_well();
}

/// Taking back goes to the person's last move; a record is copied, pasted and read from a file; a wrong one is
/// reported.
#[test]
fn the_record() {
    let Some(mut client) = Client::arrive() else { return };
    client.weaken();
    client.play("e2e4");
    client.wait_for_turn(2);
    client.play("d2d3");
    client.wait_for_turn(4);
    let played = client.moves();
    client.browser.click("#take-back");
    client.wait_for_moves(&[&played[0], &played[1]]);

    client.browser.click("#record");
    let record: String = client.browser.look("document.querySelector('#record-now').value");
    assert!(record.contains(&format!("e2e4 {}", played[1])), "{record}");
    client.browser.picture("record");
    client.browser.click("#copy");
    client.browser.until("document.querySelector('#copy').textContent === 'Copied'");
    client.browser.click("#record-load");
    client.browser.write("e2e5 is no record");
    client.browser.click("#load");
    client.browser.until("document.querySelector('#record-notice').textContent !== ''");
    client.browser.press("Escape");
    client.browser.until("!document.querySelector('#record-dialog').open");

    client.begin("omega", "");
    client.begin("shatara", "");
    client.browser.click("#record");
    client.browser.click("#record-load");
    client.browser.write(&record);
    client.browser.click("#load");
    client.wait_for_moves(&[&played[0], &played[1]]);
    assert!(!client.browser.look::<bool>("document.querySelector('#record-dialog').open"));

    client.begin("shatara", "");
    client.browser.click("#record");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, &record).unwrap();
    client.browser.give_file("#file", file.path());
    client.wait_for_moves(&[&played[0], &played[1]]);

    client.browser.click("#new-game");
    client.browser.click("#position");
    client.browser.write("8/8 w");
    client.browser.press("Enter");
    client.browser.until("document.querySelector('#notice').textContent !== ''");
    assert_eq!(client.moves().len(), 2, "the game goes on");
    client.browser.assert_well();
}

/// The analysis shows candidates and chances; one that is pointed at is drawn, and played by a click.
#[test]
fn the_analysis() {
    let Some(mut client) = Client::arrive() else { return };
    client.browser.click("#analysis");
    client.browser.until(
        "(window.bar = document.querySelector('.candidates .bar')) && (window.note = document.querySelector('#thought .note').textContent)",
    );
    client.browser.until("document.querySelectorAll('.candidates li').length > 1");
    client.browser.until("document.querySelector('#thought .note').textContent !== window.note");
    assert!(client.browser.look::<bool>("window.bar.isConnected"), "a click on what is replaced would be lost");
    client.browser.hover(".candidates li:nth-child(2) button");
    client.browser.until("document.querySelector('.arrows').children.length > 0");
    client.browser.picture("analysis");
    client.browser.click(".candidates li:first-child button");
    client.wait_for_turn(2);
    client.browser.until("document.querySelectorAll('.candidates li').length > 1");
    client.browser.click("#analysis");
    client.browser.until("document.querySelector('#thought').hidden");
    client.browser.assert_well();
}

/// Bot against bot goes on by itself, stops and goes on; who plays Black alone sees the board from Black's side.
#[test]
fn who_plays() {
    let Some(mut client) = Client::arrive() else { return };
    client.weaken();
    client.seat("white", "bot");
    client.browser.until("document.querySelectorAll('.move').length > 5");
    // The bot may have moved once more before it heard.
    client.seat("black", "person");
    client.browser.until("document.querySelector('#board').dataset.near === 'black'");
    client.browser.until("document.querySelector('.source')");
    let near = |square: &str| format!("document.querySelector('[data-square={square}]').getBoundingClientRect().top");
    assert!(client.browser.look::<bool>(&format!("{} > {}", near("a8"), near("a1"))));
    client.browser.click("#turn");
    client.browser.until("document.querySelector('#board').dataset.near === 'white'");
    // With all its strength the bot thinks long enough to be stopped.
    client.browser.click("#level");
    client.browser.press("End");
    client.seat("black", "bot");
    client.browser.click("#pause");
    client.browser.until("document.querySelector('#pause').classList.contains('primary')");
    let stopped = client.moves().len();
    client.weaken();
    client.browser.click("#pause");
    client.browser.until(&format!("document.querySelectorAll('.move').length > {stopped}"));
    client.browser.assert_well();
}

/// Without variety two games of a bot against itself are one and the same, with it they are not; what was chosen is
/// remembered.
#[test]
fn variety() {
    let Some(mut client) = Client::arrive() else { return };
    client.weaken();
    client.browser.press("ArrowRight");
    client.browser.press("ArrowRight");
    let games = |client: &mut Client, variety: &str| {
        client.browser.click(&format!("#variety [value={variety}] + span"));
        let mut game = || {
            for side in ["white", "black"] {
                client.seat(side, "person");
            }
            client.begin("chess", "");
            for side in ["white", "black"] {
                client.seat(side, "bot");
            }
            client.browser.until("document.querySelectorAll('.move').length >= 8");
            client.moves()[..8].to_vec()
        };
        [game(), game()]
    };
    assert!(client.browser.look::<bool>("document.querySelector('#variety [value=little]').checked"));
    let [one, other] = games(&mut client, "none");
    assert_eq!(one, other);
    let [one, other] = games(&mut client, "more");
    assert_ne!(one, other);
    client.browser.picture("variety");
    for side in ["white", "black"] {
        client.seat(side, "person");
    }
    client.open();
    assert!(client.browser.look::<bool>("document.querySelector('#variety [value=more]').checked"));
    client.browser.assert_well();
}

/// Earlier positions are looked at by buttons, moves and keys; nothing can be played there, and the game goes on.
#[test]
fn looking_back() {
    let Some(mut client) = Client::arrive() else { return };
    let position = "document.querySelector('#board').dataset.position";
    client.seat("black", "person");
    let mut positions = vec![client.browser.look::<String>(position)];
    let played = ["e2e4", "e7e5", "b1c3", "b8c6", "c3c3b", "c6c6b", "g1f3"];
    for (at, action) in played.into_iter().enumerate() {
        client.play(action);
        client.wait_for_turn(at + 1);
        positions.push(client.browser.look(position));
    }
    let expect = |client: &mut Client, after: usize| {
        client.browser.until(&format!("{position} === {:?}", positions[after]));
        let past = after < played.len();
        assert_eq!(client.text("#walk-count"), format!("{after} / {}", played.len()));
        assert_eq!(client.count(".table.past"), usize::from(past));
        assert_eq!(client.count(".source") == 0, past, "a past position takes no moves");
        let current = "[...document.querySelectorAll('.move[aria-current]')].map((move) => Number(move.dataset.after))";
        let expected: Vec<usize> = (after > 0).then_some(after).into_iter().collect();
        assert_eq!(client.browser.look::<Vec<usize>>(current), expected);
    };
    expect(&mut client, 7);
    client.browser.click("#walk-previous");
    expect(&mut client, 6);
    assert_eq!(client.text("#status"), "Looking back: Black’s Nc6=B");
    client.browser.click("[data-after='3']");
    expect(&mut client, 3);
    let counts: Vec<String> =
        client.browser.look("[...document.querySelectorAll('.zone.near .count')].map((count) => count.textContent)");
    assert_eq!(counts, ["1", "2", "2", "2", "8"], "no pawn was promoted then");
    assert_eq!(client.count(".square.last"), 2, "b1 and c3");
    client.browser.drag("[data-square=e5]", "[data-square=e4]");
    client.browser.click("[data-square=d7]");
    assert_eq!((client.count(".selected, .ghost"), client.moves().len()), (0, 7));
    client.browser.picture("past");
    client.browser.click("#walk-first");
    expect(&mut client, 0);
    client.browser.click("#walk-next");
    expect(&mut client, 1);
    client.browser.click("#present");
    expect(&mut client, 7);
    assert_eq!(client.browser.look::<String>("document.activeElement.dataset.square"), "a1", "the focus goes on");

    // By keys: on the board, on the list of moves, and beside both.
    for (key, after) in
        [("PageUp", 6), ("PageUp", 5), ("PageDown", 6), ("Home", 0), ("End", 7), ("Home", 0), ("Escape", 7)]
    {
        client.browser.press(key);
        expect(&mut client, after);
    }
    client.browser.click("[data-after='2']");
    for (key, after) in [("ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowRight", 1), ("End", 7), ("ArrowLeft", 6)] {
        client.browser.press(key);
        expect(&mut client, after);
        let focused: usize = client.browser.look("Number(document.activeElement.dataset.after)");
        assert_eq!(focused, after.max(1), "the focus goes with what is seen");
    }
    client.browser.click("#status");
    client.browser.press("ArrowLeft");
    expect(&mut client, 5);
    // What is held down is not asked for step by step, and ends where it should.
    for _ in 0..4 {
        client.browser.press("ArrowLeft");
    }
    expect(&mut client, 1);

    // It outlives a lost connection, and the game itself is what a page shows that is opened again.
    client.lose_server();
    client.browser.until("document.querySelector('#notice').textContent !== ''");
    client.replace_server();
    client.browser.until("document.querySelector('#notice').textContent === ''");
    client.browser.click("#walk-previous");
    expect(&mut client, 0);
    client.open();
    expect(&mut client, 7);
    client.browser.click("#walk-previous");
    expect(&mut client, 6);
    client.browser.click("[data-after='4']");
    expect(&mut client, 4);
    client.browser.click("#branch");
    client.wait_for_moves(&played[..4]);
    assert_eq!((client.count(".past"), client.text("#walk-count")), (0, "4 / 4".to_owned()));
    client.play("d2d4");
    client.wait_for_turn(5);
    client.browser.assert_well();
}

/// The bot's move does not fetch anybody from the past, and is there when they come back.
#[test]
fn looking_back_while_the_bot_plays() {
    let Some(mut client) = Client::arrive() else { return };
    client.weaken();
    client.play("e2e4");
    client.wait_for_turn(2);
    client.browser.click("#walk-first");
    client.browser.until("document.querySelector('.past')");
    client.seat("white", "bot");
    client.browser.until("document.querySelectorAll('.move').length > 6");
    let position: String = client.browser.look("document.querySelector('#board').dataset.position");
    assert!(position.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), "{position}");
    client.browser.until("document.querySelector('#walk-count').textContent.startsWith('0 / ')");
    client.seat("white", "person");
    client.browser.until("document.querySelector('#pause').hidden");
    client.browser.click("#walk-last");
    client.browser.until("document.querySelector('.source') && !document.querySelector('.past')");
    // A game that is loaded is shown as it stands.
    client.browser.click("#walk-first");
    client.browser.until("document.querySelector('.past')");
    client.browser.click("#record");
    let [position, record]: [String; 2] =
        client.browser.look("['position', 'record'].map((name) => document.querySelector(`#${name}-now`).value)");
    assert!(record.contains(&format!("[start {position}]")), "the position is that on the board: {position}");
    client.browser.click("#record-load");
    client.browser.write(&record);
    client.browser.click("#load");
    client.browser.until("!document.querySelector('#record-dialog').open && document.querySelector('.source')");
    assert_eq!(client.count(".past"), 0);
    client.browser.assert_well();
}

/// A game outlives the connection, and the page being loaded again.
#[test]
fn a_lost_connection() {
    let Some(mut client) = Client::arrive() else { return };
    client.seat("black", "person");
    client.begin("shatar", "");
    client.play("e2e3");
    client.wait_for_moves(&["e2e3"]);
    client.lose_server();
    client.browser.until("document.querySelector('#notice').textContent !== '' && !document.querySelector('.source')");
    client.replace_server();
    client.wait_for_moves(&["e2e3"]);
    client.browser.until("document.querySelector('#notice').textContent === ''");
    client.play("e7e6");
    client.wait_for_moves(&["e2e3", "e7e6"]);
    client.open();
    client.wait_for_moves(&["e2e3", "e7e6"]);
}

/// The colours follow the system, or what was chosen.
#[test]
fn colours() {
    let Some(mut client) = Client::arrive() else { return };
    let lightness = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])";
    client.browser.prefer("prefers-color-scheme", "light");
    assert!(client.browser.look::<u32>(lightness) > 200);
    client.browser.prefer("prefers-color-scheme", "dark");
    assert!(client.browser.look::<u32>(lightness) < 60);
    for game in IDS {
        client.begin(game, "");
        client.browser.picture(&format!("dark-{game}"));
    }
    client.begin("shatra", "");
    client.browser.click("#theme");
    client.browser.until(&format!("{lightness} > 200"));
    client.browser.click("#rules");
    client.browser.until("document.querySelector('#rulebook h2').textContent === 'Altai Shatra'");
    client.browser.picture("rules");
    client.browser.press("Escape");
    client.browser.assert_well();
}

//! The page of `maydan serve` in Chromium: all that is beside the board. Skipped where Chromium is not installed.

use crate::browser;

use browser::Visitor;
use maydan::game::registry::IDS;

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
    visitor.browser.click("#walk-previous");
    visitor.browser.until("document.querySelector('.past')");
    assert_eq!(visitor.text("#status"), "مراجعة: نقلة الأبيض \u{2066}e2e4\u{2069}");
    visitor.browser.picture("arabic-past");
    visitor.browser.press("ArrowLeft");
    visitor.browser.until("document.querySelector('#walk-count').textContent === '0 / 2'");
    visitor.browser.press("Escape");
    visitor.browser.until("!document.querySelector('.past')");
    visitor.browser.click("#new-game");
    visitor.browser.click("#position");
    visitor.browser.write("8/8 w");
    visitor.browser.press("Enter");
    visitor.browser.until("document.querySelector('#notice .detail')");
    visitor.browser.picture("arabic-error");
    let line = visitor.text("#notice .detail");
    assert!(line.starts_with("position field"), "{line}");
    assert_eq!(visitor.text("#notice"), format!("هذا النصّ لا يصف وضعًا صحيحًا.{line}"));
    visitor.browser.click("#language");
    visitor.browser.until("document.documentElement.lang === 'en'");
    assert_eq!(visitor.text("#notice"), line, "one language is enough");
    visitor.browser.click("#language");
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
    visitor.browser.until(
        "(window.bar = document.querySelector('.candidates .bar')) && (window.told = document.querySelector('#thought .note').textContent)",
    );
    visitor.browser.until("document.querySelectorAll('.candidates li').length > 1");
    visitor.browser.until("document.querySelector('#thought .note').textContent !== window.told");
    assert!(visitor.browser.look::<bool>("window.bar.isConnected"), "a click on what is replaced would be lost");
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

/// Without variety two games of a bot against itself are one and the same, with it they are not; what was chosen is remembered.
#[test]
fn variety() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.weaken();
    visitor.browser.press("ArrowRight");
    visitor.browser.press("ArrowRight");
    let games = |visitor: &mut Visitor, variety: &str| {
        visitor.browser.click(&format!("#variety [value={variety}] + span"));
        let mut game = || {
            for side in ["white", "black"] {
                visitor.seat(side, "person");
            }
            visitor.begin("chess", "");
            for side in ["white", "black"] {
                visitor.seat(side, "bot");
            }
            visitor.browser.until("document.querySelectorAll('.move').length >= 8");
            visitor.moves()[..8].to_vec()
        };
        [game(), game()]
    };
    assert!(visitor.browser.look::<bool>("document.querySelector('#variety [value=little]').checked"));
    let [one, other] = games(&mut visitor, "none");
    assert_eq!(one, other);
    let [one, other] = games(&mut visitor, "more");
    assert_ne!(one, other);
    visitor.browser.picture("variety");
    for side in ["white", "black"] {
        visitor.seat(side, "person");
    }
    visitor.open();
    assert!(visitor.browser.look::<bool>("document.querySelector('#variety [value=more]').checked"));
    visitor.browser.assert_well();
}

/// Earlier positions are looked at by buttons, moves and keys; nothing can be played there, and the game goes on.
#[test]
fn looking_back() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    let position = "document.querySelector('#board').dataset.position";
    visitor.seat("black", "person");
    let mut positions = vec![visitor.browser.look::<String>(position)];
    let played = ["e2e4", "e7e5", "b1c3", "b8c6", "c3c3b", "c6c6b", "g1f3"];
    for (at, action) in played.into_iter().enumerate() {
        visitor.play(action);
        visitor.wait_for_turn(at + 1);
        positions.push(visitor.browser.look(position));
    }
    let expect = |visitor: &mut Visitor, after: usize| {
        visitor.browser.until(&format!("{position} === {:?}", positions[after]));
        let past = after < played.len();
        assert_eq!(visitor.text("#walk-count"), format!("{after} / {}", played.len()));
        assert_eq!(visitor.count(".table.past"), usize::from(past));
        assert_eq!(visitor.count(".source") == 0, past, "a past position takes no moves");
        let current = "[...document.querySelectorAll('.move[aria-current]')].map((move) => Number(move.dataset.after))";
        let expected: Vec<usize> = (after > 0).then_some(after).into_iter().collect();
        assert_eq!(visitor.browser.look::<Vec<usize>>(current), expected);
    };
    expect(&mut visitor, 7);
    visitor.browser.click("#walk-previous");
    expect(&mut visitor, 6);
    assert_eq!(visitor.text("#status"), "Looking back: Black’s c6c6b");
    visitor.browser.click("[data-after='3']");
    expect(&mut visitor, 3);
    let counts: Vec<String> =
        visitor.browser.look("[...document.querySelectorAll('.zone.near .count')].map((count) => count.textContent)");
    assert_eq!(counts, ["1", "2", "2", "2", "8"], "nobody was promoted then");
    assert_eq!(visitor.count(".square.last"), 2, "b1 and c3");
    visitor.browser.drag("[data-square=e5]", "[data-square=e4]");
    visitor.browser.click("[data-square=d7]");
    assert_eq!((visitor.count(".selected, .ghost"), visitor.moves().len()), (0, 7));
    visitor.browser.picture("past");
    visitor.browser.click("#walk-first");
    expect(&mut visitor, 0);
    visitor.browser.click("#walk-next");
    expect(&mut visitor, 1);
    visitor.browser.click("#present");
    expect(&mut visitor, 7);
    assert_eq!(visitor.browser.look::<String>("document.activeElement.dataset.square"), "a1", "the focus goes on");

    // By keys: on the board, on the list of moves, and beside both.
    for (key, after) in
        [("PageUp", 6), ("PageUp", 5), ("PageDown", 6), ("Home", 0), ("End", 7), ("Home", 0), ("Escape", 7)]
    {
        visitor.browser.press(key);
        expect(&mut visitor, after);
    }
    visitor.browser.click("[data-after='2']");
    for (key, after) in [("ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowRight", 1), ("End", 7), ("ArrowLeft", 6)] {
        visitor.browser.press(key);
        expect(&mut visitor, after);
        let focused: usize = visitor.browser.look("Number(document.activeElement.dataset.after)");
        assert_eq!(focused, after.max(1), "the focus goes with what is seen");
    }
    visitor.browser.click("#status");
    visitor.browser.press("ArrowLeft");
    expect(&mut visitor, 5);
    // What is held down is not asked for step by step, and ends where it should.
    for key in ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight"] {
        visitor.browser.press(key);
    }
    expect(&mut visitor, 3);

    // It outlives a lost connection, and the game itself is what a page shows that is opened again.
    visitor.lose_server();
    visitor.browser.until("document.querySelector('#notice').textContent !== ''");
    visitor.replace_server();
    visitor.browser.until("document.querySelector('#notice').textContent === ''");
    visitor.browser.click("#walk-previous");
    expect(&mut visitor, 2);
    visitor.open();
    expect(&mut visitor, 7);
    visitor.browser.click("#walk-previous");
    expect(&mut visitor, 6);
    visitor.browser.click("[data-after='4']");
    expect(&mut visitor, 4);
    visitor.browser.click("#branch");
    visitor.wait_for_moves(&played[..4]);
    assert_eq!((visitor.count(".past"), visitor.text("#walk-count")), (0, "4 / 4".to_owned()));
    visitor.play("d2d4");
    visitor.wait_for_turn(5);
    visitor.browser.assert_well();
}

/// The bot's move does not fetch anybody from the past, and is there when they come back.
#[test]
fn looking_back_while_the_bot_plays() {
    let Some(mut visitor) = Visitor::arrive() else { return };
    visitor.weaken();
    visitor.play("e2e4");
    visitor.wait_for_turn(2);
    visitor.browser.click("#walk-first");
    visitor.browser.until("document.querySelector('.past')");
    visitor.seat("white", "bot");
    visitor.browser.until("document.querySelectorAll('.move').length > 6");
    let position: String = visitor.browser.look("document.querySelector('#board').dataset.position");
    assert!(position.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), "{position}");
    visitor.browser.until("document.querySelector('#walk-count').textContent.startsWith('0 / ')");
    visitor.seat("white", "person");
    visitor.browser.until("document.querySelector('#pause').hidden");
    visitor.browser.click("#walk-last");
    visitor.browser.until("document.querySelector('.source') && !document.querySelector('.past')");
    // A game that is loaded is shown as it stands.
    visitor.browser.click("#walk-first");
    visitor.browser.until("document.querySelector('.past')");
    visitor.browser.click("#record");
    let [position, record]: [String; 2] =
        visitor.browser.look("['position', 'record'].map((name) => document.querySelector(`#${name}-now`).value)");
    assert!(record.contains(&format!("[start {position}]")), "the position is that on the board: {position}");
    visitor.browser.click("#record-load");
    visitor.browser.write(&record);
    visitor.browser.click("#load");
    visitor.browser.until("!document.querySelector('#record-dialog').open && document.querySelector('.source')");
    assert_eq!(visitor.count(".past"), 0);
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
    visitor.lose_server();
    visitor.browser.until("document.querySelector('#notice').textContent !== '' && !document.querySelector('.source')");
    visitor.replace_server();
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

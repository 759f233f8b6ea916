//! The page of `maydan report` in Chromium: on a phone, by links, from the keyboard, without scripts, and on paper.
//! Skipped where Chromium is not installed.

use std::{fs, path::Path, process::Command};

use serde_json::json;

use crate::browser::Browser;

/// Writes the journal of a run, and its report; gives the address of the page.
fn write_report(root: &Path) -> String {
    let events = (0..24).flat_map(|generation| {
        let played = json!({"time": 100.0 * f64::from(generation), "event": "selfplay", "generation": generation, "games": 8, "plies": 400, "seconds": 60.0, "plies_per_second": 6.5, "evaluations_per_second": 50.0, "playouts_per_second": 70.0, "game_length": 50.0, "results": {"white": 3, "draw": 5}, "reasons": {"checkmate": 3, "repetition": 5}, "full_searches": 90, "policy_kl": 0.3, "prior_entropy": 1.4, "target_entropy": 1.1});
        let trained = json!({"time": 100.0 * f64::from(generation) + 90.0, "event": "train", "generation": generation, "step": 50 * generation + 50, "losses": {"total": 4.5, "policy": 3.5, "value": 1.0}, "learning_rate": 0.001, "gradient_norm": 0.5, "rows_per_second": 900.0, "seconds": 20.0, "window": 400});
        let met = json!({"time": 100.0 * f64::from(generation) + 95.0, "event": "match", "generation": generation + 1, "player": format!("gen-{:06}", generation + 1), "opponent": "random", "wins": 14, "losses": 6, "pairs": [3, 0, 0, 0, 7], "seconds": 5.0});
        [played, trained, met]
    });
    let folder = root.join("models/run");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("metrics.jsonl"), events.map(|event| format!("{event}\n")).collect::<String>()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root).args(["report", "run"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    format!("file://{}", folder.join("report.html").display())
}

/// Opens an address anew.
fn visit(browser: &mut Browser, address: &str) {
    browser.open("about:blank", "true");
    browser.open(address, "document.readyState === 'complete'");
}

const HEIGHT: &str = "document.documentElement.scrollHeight";

/// Whether the section is unfolded and its title within the window.
fn is_shown(browser: &mut Browser, section: &str) -> bool {
    browser.look(&format!(
        "(() => {{
            const fold = document.getElementById('fold-{section}');
            const {{ top, bottom }} = fold.querySelector('h2').getBoundingClientRect();
            return fold.open && top >= 0 && bottom <= innerHeight;
        }})()"
    ))
}

#[test]
fn on_a_phone_a_report_is_its_headline_and_titles() {
    let Some(mut browser) = Browser::start() else { return };
    let root = tempfile::tempdir().unwrap();
    let page = write_report(root.path());
    browser.become_phone(390, 844);
    visit(&mut browser, &page);
    browser.picture("report-phone");
    assert!(browser.look::<bool>("[...document.querySelectorAll('details')].every((details) => !details.open)"));
    assert!(
        browser.look::<bool>("document.querySelector('.lead figure').getBoundingClientRect().bottom < innerHeight")
    );
    let folded: f64 = browser.look(HEIGHT);
    browser.look::<()>("void document.querySelectorAll('.fold').forEach((fold) => (fold.open = true))");
    let unfolded: f64 = browser.look(HEIGHT);
    assert!(2.0 * folded < unfolded, "{folded} of {unfolded} pixels");
    assert!(browser.look::<bool>("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off");

    visit(&mut browser, &format!("{page}#strength"));
    browser.until("document.getElementById('fold-strength').open");
    assert!(is_shown(&mut browser, "strength"), "a link unfolds what it leads to");
    browser.look::<()>("void (location.hash = '#throughput')");
    browser.until("document.getElementById('fold-throughput').open");
    assert!(is_shown(&mut browser, "throughput"));

    // From the keyboard, with the headings kept.
    browser.look::<()>("document.querySelector('#fold-settings > summary').focus()");
    browser.press("Enter");
    browser.until("document.getElementById('fold-settings').open");
    browser.press("Enter");
    browser.until("!document.getElementById('fold-settings').open");
    assert!(browser.look::<bool>(
        "document.querySelectorAll('summary h2').length === document.querySelectorAll('section').length"
    ));
    browser.assert_well();
}

#[test]
fn a_wide_screen_and_paper_show_all() {
    let Some(mut browser) = Browser::start() else { return };
    let root = tempfile::tempdir().unwrap();
    let page = write_report(root.path());
    browser.resize(1280, 900);
    visit(&mut browser, &page);
    browser.picture("report");
    assert!(browser.look::<bool>("[...document.querySelectorAll('.fold')].every((fold) => fold.open)"));
    browser.resize(390, 844);
    visit(&mut browser, &page);
    let is_seen = "document.querySelector('#training svg').checkVisibility({ contentVisibilityAuto: true })";
    assert!(!browser.look::<bool>(is_seen));
    browser.command("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    assert!(browser.look::<bool>("document.querySelector('#training svg').getBoundingClientRect().height > 0"));
    assert!(browser.look::<bool>(is_seen), "by style alone");
    browser.command("Emulation.setEmulatedMedia", json!({ "media": "" }));
    browser.look::<()>("void dispatchEvent(new Event('beforeprint'))");
    assert!(browser.look::<bool>("[...document.querySelectorAll('.fold')].every((fold) => fold.open)"));
    browser.look::<()>("void dispatchEvent(new Event('afterprint'))");
    assert!(browser.look::<bool>("[...document.querySelectorAll('.fold')].every((fold) => !fold.open)"));
    browser.assert_well();
}

#[test]
fn without_its_script_a_link_unfolds_its_section() {
    let Some(mut browser) = Browser::start() else { return };
    let root = tempfile::tempdir().unwrap();
    write_report(root.path());
    let text = fs::read_to_string(root.path().join("models/run/report.html")).unwrap();
    let (head, rest) = text.split_once("<script>").unwrap();
    let (_, body) = rest.split_once("</script>").unwrap();
    let still = root.path().join("still.html");
    fs::write(&still, format!("{head}{body}")).unwrap();
    browser.resize(390, 844);
    visit(&mut browser, &format!("file://{}#strength", still.display()));
    browser.until("document.getElementById('fold-strength').open");
    assert!(is_shown(&mut browser, "strength"));
    browser.click("#fold-summary > summary");
    browser.until("document.getElementById('fold-summary').open");
}

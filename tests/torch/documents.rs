//! The commands of README.md, docs/ and data/README.md, run as they are written, after the demo.
//!
//! The demo is the real one with smaller numbers: the same number of generations, tiny games and networks. A command that
//! goes on is interrupted. Commands that need the network, a compiler or a program that is not installed are not run.

use std::{
    fs,
    io::Read,
    net::TcpListener,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Time after which a command that does not end is interrupted; training is waited for.
const PATIENCE: Duration = Duration::from_secs(8);
const TRAINING: Duration = Duration::from_secs(300);

/// Where pages are served if nothing else is said.
const PORT: u16 = 8000;

/// What `timeout` makes of a command that it interrupted, and what our commands answer to Ctrl-C.
const STOPPED: [i32; 2] = [124, 130];

/// Commands whose output does not depend on the machine.
const EXACT: [&str; 2] = ["maydan rules ", "maydan match greedy random "];

/// A command of a page.
struct Told {
    page: String,
    command: String,
    /// What the page shows below it.
    shown: String,
}

/// The commands of a page, in order: lines of `sh` blocks, and lines that begin with `$` of `console` blocks.
fn commands(page: &Path) -> Vec<Told> {
    let text = fs::read_to_string(page).unwrap();
    let page = page.file_name().unwrap().to_string_lossy().into_owned();
    let told = |command: &str| Told { page: page.clone(), command: command.to_owned(), shown: String::new() };
    let (mut found, mut language) = (Vec::<Told>::new(), None);
    for line in text.lines() {
        match (line.strip_prefix("```"), language) {
            (Some(name), None) => language = Some(name.trim()),
            (Some(_), Some(_)) => language = None,
            (None, Some("sh")) if !line.trim().is_empty() && !line.starts_with('#') => found.push(told(line)),
            (None, Some("console")) => match line.strip_prefix("$ ") {
                Some(command) => found.push(told(command)),
                None => {
                    let told = found.last_mut().unwrap_or_else(|| panic!("{page}: output before a command"));
                    told.shown += &format!("{line}\n");
                }
            },
            _ => {}
        }
    }
    assert_eq!(language, None, "{page}: a block without an end");
    found
}

fn is_installed(program: &str) -> bool {
    Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap().status.success()
}

/// Whether a test can run it.
fn can_run(command: &str) -> bool {
    let ours = ["maydan ", "duckdb "].iter().any(|first| command.starts_with(first));
    let needed = ["fairy-stockfish", "sjaakii", "duckdb"].iter().filter(|program| command.contains(*program));
    let serves = ["maydan serve", "maydan watch"].iter().any(|first| command.starts_with(first));
    let is_free = || TcpListener::bind(("127.0.0.1", PORT)).is_ok();
    ours && needed.into_iter().all(|program| is_installed(program)) && (!serves || is_free())
}

/// The project's folders as a newcomer has them, with a demo that takes seconds.
fn newcomer() -> tempfile::TempDir {
    let (root, project) = (tempfile::tempdir().unwrap(), Path::new(env!("CARGO_MANIFEST_DIR")));
    for folder in ["configs", "data", "models"] {
        fs::create_dir(root.path().join(folder)).unwrap();
    }
    for entry in ["configs/shatara.toml", "models/shatara-small", "tests"] {
        symlink(project.join(entry), root.path().join(entry)).unwrap();
    }
    for game in ["shatara", "omega", "omega-advanced", "shatra", "shatar"] {
        let bundle = format!("models/{game}.maydan");
        fs::copy(project.join(&bundle), root.path().join(&bundle)).unwrap();
    }
    let demo = "configs/shatara-demo.toml";
    let mut config: toml::Table = fs::read_to_string(project.join(demo)).unwrap().parse().unwrap();
    for (section, key, value) in [
        ("selfplay", "games", 4),
        ("selfplay", "games_per_file", 2),
        ("selfplay", "slots", 4),
        ("selfplay", "max_plies", 24),
        ("model", "blocks", 1),
        ("model", "channels", 8),
        ("evaluate", "games", 2),
        ("evaluate", "pool_games", 2),
        ("evaluate", "playouts", 2),
    ] {
        let table = config[section].as_table_mut().unwrap();
        table.insert(key.to_owned(), toml::Value::Integer(value));
    }
    let search = config["selfplay"]["search"].as_table_mut().unwrap();
    search.insert("playouts".to_owned(), toml::Value::Integer(4));
    search.insert("considered_actions".to_owned(), toml::Value::Integer(2));
    // Measuring what is fastest would take longer than the run.
    for (key, value) in [("precision", "f32"), ("backend", "eager")] {
        config["run"].as_table_mut().unwrap().insert(key.to_owned(), value.into());
    }
    fs::write(root.path().join(demo), config.to_string()).unwrap();
    root
}

/// Runs a command in a shell, with nothing to read, interrupted when its time is over: exit code, standard output and
/// standard error.
fn run(root: &Path, path: &str, command: &str, patience: Duration) -> (i32, String, String) {
    let seconds = patience.as_secs().to_string();
    let mut child = Command::new("timeout")
        .args(["--signal=INT", "--kill-after=20", &seconds, "bash", "-c", &format!("exec {command}")])
        .current_dir(root)
        .env("PATH", path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = child.stderr.take().unwrap();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).unwrap();
        text
    });
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).unwrap(), reader.join().unwrap())
}

#[test]
fn every_command_of_the_pages_runs_as_written() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = newcomer();
    let binary = Path::new(env!("CARGO_BIN_EXE_maydan")).parent().unwrap().display().to_string();
    let path = format!("{binary}:{}", std::env::var("PATH").unwrap());
    let mut pages: Vec<PathBuf> = fs::read_dir(project.join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.extend(["README.md", "data/README.md"].map(|page| project.join(page)));
    let told: Vec<Told> = pages.iter().flat_map(|page| commands(page)).collect();
    // The demo first: other pages speak of its run.
    let demo = "maydan train configs/shatara-demo.toml --run shatara-demo";
    assert!(told.iter().any(|told| told.command == demo), "the tour begins with the demo");
    let order = [demo].into_iter().chain(told.iter().map(|told| told.command.as_str()).filter(|&other| other != demo));
    let (mut count, begun) = (0, Instant::now());
    for command in order.filter(|command| can_run(command)) {
        let patience = if command.starts_with("maydan train") { TRAINING } else { PATIENCE };
        let (code, out, errors) = run(root.path(), &path, command, patience);
        assert!(code == 0 || STOPPED.contains(&code) && patience == PATIENCE, "{command}: exit code {code}: {errors}");
        assert!(!errors.contains("error: "), "{command}: {errors}");
        count += 1;
        let exact = EXACT.iter().any(|exact| command.starts_with(exact));
        for told in told.iter().filter(|told| exact && told.command == command && !told.shown.is_empty()) {
            assert_eq!(out.trim(), told.shown.trim(), "{}: {command}", told.page);
        }
    }
    println!("{count} commands in {:?}", begun.elapsed());
    assert!(count >= 25, "{count} commands");
}

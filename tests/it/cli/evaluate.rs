//! `maydan match` and `maydan play` as a user runs them.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

fn maydan(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_maydan"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that ends without reading leaves a closed pipe behind.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_match_prints_the_same_on_any_number_of_threads_and_writes_games_that_replay() {
    let folder = tempfile::tempdir().unwrap();
    let run = |threads: &str, file: &str| {
        let path = folder.path().join(file);
        let arguments = ["match", "greedy", "random", "--game", "shatara", "--games", "12", "--threads", threads];
        let output = maydan(&[&arguments[..], &["--games-file", path.to_str().unwrap()]].concat(), b"");
        (text(&output), std::fs::read_to_string(path).unwrap())
    };
    let (one, games) = run("1", "one.jsonl");
    assert_eq!((one.clone(), games.clone()), run("2", "two.jsonl"));
    assert!(one.contains("A: greedy\nB: random\n") && one.contains("Elo of A over B: "), "{one}");

    let mut lines = games.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let header = lines.next().unwrap();
    assert_eq!((&header["ruleset"]["game"], &header["first"]), (&"shatara".into(), &"greedy".into()));
    let games: Vec<_> = lines.collect();
    assert_eq!(games.len(), 12);
    let start = text(&maydan(&["rules", "shatara", "start"], b""));
    let words = |list: &serde_json::Value| {
        list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let game = games.iter().find(|game| game["reason"] == "checkmate").expect("greedy mates random");
    let moves = [words(&game["opening"]), words(&game["moves"])].concat();
    let mut replay = vec!["rules", "shatara", "play", start.trim()];
    replay.extend(moves.iter().map(String::as_str));
    let end = text(&maydan(&replay, b""));
    let outcome = text(&maydan(&["rules", "shatara", "outcome", end.trim()], b""));
    assert_eq!(outcome.trim(), format!("{} checkmate", game["result"].as_str().unwrap()));
}

#[test]
fn a_match_in_json_has_the_numbers_of_its_text() {
    let arguments = ["match", "greedy", "random", "--game", "shatara", "--games", "4", "--sprt", "0,400"];
    let text = text(&maydan(&arguments, b""));
    let output = maydan(&[&arguments[..], &["--json"]].concat(), b"");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["a"], &json["ruleset"]["game"]), (&"greedy".into(), &"shatara".into()));
    let results = &json["results"];
    let line = ["games", "won", "drawn", "lost"].map(|key| format!("{:>8}", results[key].as_u64().unwrap())).concat();
    assert!(text.contains(&format!("A           {line}")), "{text}: {json}");
    assert!(json["sprt"]["llr"].is_number() && json["elo"]["low"].is_number(), "{json}");
}

#[test]
fn a_match_begins_at_given_positions() {
    let folder = tempfile::tempdir().unwrap();
    let (positions, games) = (folder.path().join("won.txt"), folder.path().join("games.jsonl"));
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3[] w - - - 0 1";
    std::fs::write(&positions, format!("{mate}\n\n4k3/8/8/8/8/8/PPPPPPPP/RQ2K3[] b - - - 0 1\n")).unwrap();
    let run = |more: &[&str]| {
        let base = ["match", "alphabeta:2", "random", "--game", "shatara", "--games", "6"];
        let files = ["--positions", positions.to_str().unwrap(), "--games-file", games.to_str().unwrap()];
        maydan(&[&base[..], &files, more].concat(), b"")
    };
    let output = text(&run(&[]));
    assert!(output.contains("A as white         3       3       0       0   100.0%"), "{output}");
    let records = std::fs::read_to_string(&games).unwrap();
    let records: Vec<serde_json::Value> =
        records.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let starts: Vec<&str> = records.iter().map(|record| record["start"].as_str().unwrap()).collect();
    assert_eq!([starts[0], starts[1], starts[4], starts[5]], [mate; 4]);
    assert!(starts[2] == starts[3] && starts[2] != mate);
    assert_eq!(records[0]["moves"], serde_json::json!(["a1a8"]));

    for (content, part) in [
        ("nonsense\n", "won.txt, line 1: "),
        (
            "\n\n6k1/5ppp/8/8/8/8/8/R3K3[] b - - - 999 1\n",
            "won.txt, line 3: expected a position in which the game goes on",
        ),
        ("\n", "won.txt: expected a position a line, found none"),
    ] {
        std::fs::write(&positions, content).unwrap();
        let output = run(&[]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(part), "{error}");
    }
}

#[test]
fn sprt_is_reported() {
    let arguments = ["match", "greedy", "random", "--game", "chess", "--games", "400", "--sprt", "0,200"];
    let output = text(&maydan(&arguments, b""));
    assert!(output.contains("H1 accepted, A is more than 0 Elo stronger"), "{output}");
}

#[test]
fn a_game_against_a_baseline() {
    let input = b"moves\n  e2e4 \nnonsense\n\xff\xfe\n\nhint\nundo\nposition\nundo\nresign\n";
    let output = text(&maydan(&["play", "alphabeta:1", "--game", "chess"], input));
    for part in [
        " e2e4 ",
        "black plays ",
        "`nonsense` is not a legal move here",
        "hint: ",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - - 0 1",
        "there is no move of yours to take back",
        "The game is over: black resignation.",
    ] {
        assert!(output.contains(part), "{part:?} in {output}");
    }
}

#[test]
fn a_game_ends_with_the_input_or_the_game() {
    let eof = text(&maydan(&["play", "random", "--game", "chess", "--side", "both"], b"e2e4\ne7e5"));
    assert!(eof.ends_with("white> \n"), "{eof}");
    let long = text(&maydan(&["play", "random", "--game", "chess"], &b"x".repeat(1 << 20)));
    assert!(long.contains("not a legal move"), "{}", long.len());
    let mate = ["play", "random", "--game", "chess", "--position", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"];
    assert!(text(&maydan(&mate, b"f7g7\n")).contains("The game is over: white checkmate."));
    let over = ["play", "random", "--game", "chess", "--position", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"];
    assert!(text(&maydan(&over, b"")).contains("The game is over: white checkmate."));
}

#[test]
fn mistakes_are_one_line_and_exit_code_2() {
    for (arguments, part) in [
        (&["match", "random", "greedy"][..], "--game"),
        (&["match", "random", "alphabeta:0", "--game", "chess"], "alphabeta:0"),
        (&["match", "random", "greedy", "--game", "nochess"], "nochess"),
        (&["match", "random", "greedy", "--game", "chess", "--games", "0"], "games"),
        (&["match", "random", "greedy", "--game", "chess", "--set", "none=1"], "none"),
        (&["match", "random", "greedy", "--game", "chess", "--sprt", "5,1"], "sprt"),
        (&["match", "random", "greedy", "--game", "chess", "--playouts", "0"], "playouts"),
        (&["match", "random", "greedy", "--game", "chess", "--games-file", "/no/such/folder/x"], "games-file"),
        (&["match", "random", "no/such/checkpoint", "--game", "chess"], "no/such/checkpoint"),
        (&["play", "random", "--game", "chess", "--position", "x"], "placement"),
    ] {
        let output = maydan(arguments, b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(part), "{arguments:?}: {error}");
    }
}

#[cfg(feature = "torch")]
mod networks {
    use std::{path::Path, sync::Arc};

    use maydan::{
        game::shatara::Shatara,
        model::{Architecture, Checkpoint, Counters, ModelConfig, Weights},
    };

    use super::{maydan, text};

    /// Saves a small network that has learnt nothing, for a game with these options.
    fn save_network(folder: &Path, options: &str, seed: u64) {
        let game = Shatara::game(&options.parse().unwrap()).unwrap();
        let config = ModelConfig { blocks: 1, channels: 8, ..ModelConfig::default() };
        let architecture = Architecture::of(config, game.layout()).unwrap();
        let weights = Weights::random(Arc::new(architecture), seed);
        Checkpoint::new(weights, game.ruleset().clone(), 0, Counters::default()).save(folder).unwrap();
    }

    #[test]
    fn networks_play_matches_and_people() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (a, b) = (path("a"), path("b"));
        save_network(Path::new(&a), "max_plies = 40", 1);
        save_network(Path::new(&b), "max_plies = 40", 2);
        let run = |threads: &str, file: &str| {
            let file = path(file);
            let options = ["--games", "6", "--playouts", "6", "--threads", threads, "--games-file", &file];
            let output = text(&maydan(&[&["match", &a, &b][..], &options].concat(), b""));
            (output, std::fs::read_to_string(file).unwrap())
        };
        let (one, games) = run("1", "one.jsonl");
        assert_eq!((one.clone(), games), run("2", "two.jsonl"));
        assert!(one.contains("A                  6"), "{one}");

        let output = text(&maydan(&["play", &a, "--playouts", "6"], b"e2e4\nhint\nquit\n"));
        assert!(output.contains("black expects: win ") && output.contains("white expects: win "), "{output}");
        let gumbel = text(&maydan(&["play", &a, "--playouts", "6", "--search", "gumbel", "--side", "both"], b"hint\n"));
        assert!(gumbel.contains("hint: "), "{gumbel}");
    }

    #[test]
    fn players_of_two_rulesets_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (a, b) = (path("a"), path("b"));
        save_network(Path::new(&a), "repetition = 3", 1);
        save_network(Path::new(&b), "repetition = 2", 1);
        for (arguments, part) in [
            (&["match", &a, &b][..], "was trained with repetition = 2, and the game has repetition = 3"),
            (&["match", &a, "random", "--set", "repetition=2"], "`--other-rules repetition` lets it play so"),
            (&["match", "random", &a, "--game", "chess"], "expected players of chess, found "),
            (&["play", &a, "--game", "omega"], "which plays shatara"),
            (&["play", &b, "--set", "repetition=4"], "repetition = 4"),
            (&["match", &a, &b, "--other-rules", "ladder,stock"], "`--other-rules repetition`"),
        ] {
            let output = maydan(arguments, b"");
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
            assert!(error.lines().count() == 1 && error.contains(part), "{error}");
        }
        for agreeing in [
            &["match", &a, "random", "--game", "shatara", "--set", "repetition=3"][..],
            &["match", &a, &b, "--other-rules", "ladder,repetition"],
        ] {
            text(&maydan(&[agreeing, &["--games", "2", "--playouts", "2"]].concat(), b""));
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_with_the_games_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_maydan"))
        .args(["match", "random", "random", "--game", "chess", "--games", "10000000", "--games-file"])
        .arg(&games)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let under_way = || {
        let mut files = std::fs::read_dir(folder.path()).unwrap();
        files.any(|file| file.unwrap().metadata().is_ok_and(|metadata| metadata.len() > 0))
    };
    while !under_way() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{printed}");
    let lines = std::fs::read_to_string(&games).unwrap().lines().count();
    assert!(lines > 1 && printed.contains(&format!("stopped after {} of 10000000 games", lines - 1)), "{printed}");
}

/// What a user can get wrong is one line that says what was expected.
#[test]
fn players_that_are_not_there_are_named_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let mute = folder.path().join("mute");
    std::fs::write(
        &mute,
        "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) exit;; esac; done",
    )
    .unwrap();
    let mute = format!("uci:sh {}", mute.display());
    for (player, parts) in [
        ("randon", &["player `randon`: expected `random`, `greedy`, `alphabeta:DEPTH`", "did you mean `random`?"][..]),
        ("shatara-smal", &["did you mean `models/shatara-small`?"]),
        ("shatara", &["did you mean `models/shatara.maydan`?"]),
        ("nobody/at/all", &["a checkpoint or a run by its folder or name, found nothing of that name"]),
        ("src", &["src: expected a bundle (`*.maydan`), a module (`*.pt`, `*.onnx`), or the folder of a checkpoint"]),
        ("uci:nosuchengine", &["uci:nosuchengine: `nosuchengine` does not start"]),
        (&mute, &["the engine died"]),
    ] {
        let output = maydan(&["match", player, "random", "--game", "chess", "--games", "2"], b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn what_is_mistyped_is_suggested_and_the_usage_told() {
    for (arguments, parts) in [
        (
            &["match", "random", "greedy", "--playout", "3"][..],
            &["'--playout'", "'--playouts'", "usage: maydan match"][..],
        ),
        (&["mtach"], &["'mtach'", "'match'", "usage: maydan"]),
        (&["match", "random"], &["<B>", "usage: maydan match"]),
    ] {
        let output = maydan(arguments, b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    assert!(text(&maydan(&[], b"")).contains("Usage: maydan"));
    let version = text(&maydan(&["--version"], b""));
    assert!(version.starts_with(concat!("maydan ", env!("CARGO_PKG_VERSION"), " (")), "{version}");
    assert_eq!(version.contains("libtorch 2.11.0"), cfg!(feature = "torch"), "{version}");
}

/// Words of a user or a file do not reach the terminal as they are.
#[test]
fn an_error_is_one_line_of_bounded_length_without_control_characters() {
    let player = format!("\u{1b}[31m{}", "x".repeat(60_000));
    let output = maydan(&["match", &player, "random", "--game", "chess"], b"");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: player `\\u{1b}[31mxxx") && error.len() < 2100, "{error}");
}

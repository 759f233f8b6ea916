//! Matches against other programs: this one, ones that misbehave, and Fairy-Stockfish and Sjaak II where they are
//! installed (Debian packages `fairy-stockfish` and `sjaakii`).

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use maydan::{
    encode::Rows,
    evaluate::{Contender, EngineLimits, GameRecord, MatchConfig, match_search, play_match},
    game::{
        Game, Playable, Reason,
        registry::{GameVisitor, with_game},
        shatara::Shatara,
    },
    model::{Evaluations, Evaluator, EvaluatorError, Uniform},
};

/// Two games of an engine against random play.
struct Match(Contender);

impl GameVisitor for Match {
    type Output = Vec<GameRecord>;

    fn visit<R: Playable>(self, game: Game<R>) -> Vec<GameRecord> {
        let config = MatchConfig { games: 2, opening_plies: 2, threads: 2, max_plies: 400, ..MatchConfig::default() };
        let mut records = Vec::new();
        let each = |record: &GameRecord, _: &_| records.push(record.clone());
        let contenders = [&self.0, &Contender::Random];
        play_match(&game, contenders, ["engine", "random"], &config, &AtomicBool::new(false), each).unwrap();
        records
    }
}

fn play(game: &str, engine: &str) -> Vec<GameRecord> {
    play_within(EngineLimits { nodes: Some(20), time: Some(Duration::from_secs(1)), clock: None }, game, engine)
}

fn play_within(limits: EngineLimits, game: &str, engine: &str) -> Vec<GameRecord> {
    let contender = Contender::Engine { spec: engine.parse().unwrap(), limits };
    with_game(game, &toml::Table::new(), Match(contender)).unwrap()
}

/// The games were played to an end by the rules.
fn assert_whole(records: &[GameRecord], engine: &str) {
    assert_eq!(records.len(), 2, "{engine}");
    for record in records {
        assert_eq!(record.note, None, "{engine}: {record:?}");
        assert_ne!(record.reason, Reason::Forfeit);
        assert!(record.moves.len() > 4, "{engine}: {record:?}");
    }
}

#[test]
fn this_program_is_such_an_engine() {
    let program = env!("CARGO_BIN_EXE_maydan");
    for game in ["shatara", "omega", "omega-advanced", "shatra"] {
        let uci = format!("uci:{program} engine uniform:{game}?Hash=4&Move Overhead=0");
        let xboard = format!("xboard:{program} engine uniform:{game}?Hash=4&Playouts=20");
        for engine in [uci, xboard] {
            assert_whole(&play(game, &engine), &engine);
        }
    }
}

#[test]
fn an_engine_has_the_time_of_its_clock() {
    let limits = |clock: &str| EngineLimits { clock: Some(clock.parse().unwrap()), ..EngineLimits::default() };
    let engine = format!("uci:{} engine uniform:shatara?Hash=4&Playouts=20", env!("CARGO_BIN_EXE_maydan"));
    assert_whole(&play_within(limits("600+10"), "shatara", &engine), &engine);

    let folder = tempfile::tempdir().unwrap();
    let (path, heard) = (folder.path().join("slow"), folder.path().join("heard"));
    let script = "while read line; do echo $line >> heard; case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) sleep 0.2; echo bestmove a2a3;; esac; done";
    fs::write(&path, script.replace("heard", heard.to_str().unwrap())).unwrap();
    let engine = format!("uci:sh {}", path.display());
    let note = play_within(limits("0.1+0.5"), "chess", &engine)[0].note.clone();
    assert!(note.as_ref().is_some_and(|note| note.starts_with("the engine's clock ran out ")), "{note:?}");
    let heard = fs::read_to_string(heard).unwrap();
    assert!(heard.lines().any(|line| line == "go wtime 100 btime 100 winc 500 binc 500"), "{heard}");
}

/// Remembers the largest batch that it was given.
struct Watched {
    inner: Uniform,
    widest: Arc<AtomicUsize>,
}

impl Evaluator for Watched {
    fn batch_size(&self) -> usize {
        self.inner.batch_size
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        self.widest.fetch_max(rows.len(), Ordering::Relaxed);
        self.inner.evaluate(rows, out)
    }
}

#[test]
fn games_against_an_engine_share_batches_and_nothing_else() {
    let game = Shatara::chess(&toml::Table::new()).unwrap();
    let spec = format!("uci:{} engine uniform:chess?Hash=4", env!("CARGO_BIN_EXE_maydan")).parse().unwrap();
    let limits = EngineLimits { nodes: Some(5), ..EngineLimits::default() };
    let engine = Contender::Engine { spec, limits };
    let played = |games, batch_size| {
        let widest = Arc::new(AtomicUsize::new(0));
        let given = widest.clone();
        let evaluator = move |batch_size| -> Result<Box<dyn Evaluator>, EvaluatorError> {
            Ok(Box::new(Watched { inner: Uniform { batch_size }, widest: given.clone() }))
        };
        let network = Contender::Network { evaluator: Box::new(evaluator), leaves: 1, search: match_search(8) };
        let config = MatchConfig { games, batch_size, threads: 1, max_plies: 16, ..MatchConfig::default() };
        let mut records = Vec::new();
        let each = |record: &GameRecord, _: &_| records.push(record.clone());
        let contenders = [&network, &engine];
        play_match(&game, contenders, ["network", "engine"], &config, &AtomicBool::new(false), each).unwrap();
        (records, widest.load(Ordering::Relaxed))
    };
    let (alone, one) = played(4, 1);
    assert!(alone.iter().all(|record| record.note.is_none()), "{alone:?}");
    let (together, four) = played(4, 16);
    assert_eq!((alone, one, four), (together, 1, 4));
    assert_eq!(played(12, 16).1, 8);
}

#[test]
fn an_engine_that_misbehaves_loses_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let polite = "while read word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go)";
    for (name, script, reported) in [
        ("gone", "exit 0".to_owned(), "the engine died"),
        ("dies", format!("{polite} exit 3;; esac; done"), "the engine died"),
        ("cheats", format!("{polite} echo bestmove e2e5;; esac; done"), "`e2e5` is not a legal action of `rnb"),
        ("gives_up", format!("{polite} echo 'bestmove (none)';; esac; done"), "`(none)` is not a legal action"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, script).unwrap();
        let records = play("chess", &format!("uci:sh {}", path.display()));
        assert_eq!(records.len(), 2);
        for record in records {
            assert_eq!((record.reason, record.loser()), (Reason::Forfeit, Some("engine")), "{name}");
            assert!(record.note.as_ref().unwrap().contains(reported), "{name}: {record:?}");
        }
    }
    let records = play("chess", "uci:/no/such/program");
    assert!(records[0].note.as_ref().unwrap().contains("does not start"), "{records:?}");
}

/// The program's path, where it is installed; Debian's games are not in everybody's PATH.
fn installed(name: &str) -> Option<String> {
    let path = format!("/usr/games/{name}");
    let found = fs::exists(&path).unwrap_or(false).then_some(path);
    if found.is_none() {
        eprintln!("skipped: {name} is not installed");
    }
    found
}

#[test]
fn fairy_stockfish_plays_chess_and_shatar() {
    let Some(program) = installed("fairy-stockfish") else { return };
    assert_whole(&play("chess", &format!("uci:{program}?Threads=1&Hash=4")), "chess");
    let variants = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/external/shatar_fairy.ini");
    let shatar = format!("uci:{program}?VariantPath={variants}&UCI_Variant=maydan-shatar");
    assert_whole(&play("shatar", &shatar), "shatar");
}

#[test]
fn sjaak_plays_omega() {
    let Some(program) = installed("sjaakii") else { return };
    // Without its own chance: it has faults in the corners (`tests/it/games/omega_sjaak.rs`), which another game might
    // come upon.
    let options = "variant=omega&sd=2&Send O-O/O-O-O for castling=0&Claim repetitions=0&Randomise opening moves=0&Random amplitude (0 to disable)=0";
    assert_whole(&play("omega", &format!("xboard:{program} -xboard?{options}")), "omega");
}

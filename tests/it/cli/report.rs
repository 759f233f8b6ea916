//! `maydan report` as a user runs it: a whole run, halves of one, and none.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    sync::atomic::AtomicBool,
};

use maydan::{
    data,
    game::shatara::Shatara,
    model::Uniform,
    selfplay::{Generation, SelfPlayConfig},
};

const METRICS: &str = r#"{"time":100.0,"event":"selfplay","generation":0,"games":8,"plies":400,"seconds":60.0,"plies_per_second":6.5,"evaluations_per_second":50.0,"cache_hits":0.1,"batch_fill":0.9,"evaluation_share":0.8,"game_length":50.0,"results":{"white":3,"draw":5},"reasons":{"checkmate":3,"cut_off":4,"repetition":1},"actions":{"quiet":300,"ladder":100},"action_shares":{"quiet":0.75,"ladder":0.25},"resignations":{"games":4,"wrong":1}}
{"time":110.0,"event":"train","generation":0,"step":50,"losses":{"total":4.5,"policy":3.5,"value":1.0},"learning_rate":0.001,"gradient_norm":0.5,"rows_per_second":900.0,"window":400}
{"time":120.0,"event":"train","generation":0,"step":100,"losses":{"total":3.9,"policy":3.1,"value":0.8},"learning_rate":0.001,"gradient_norm":0.4,"rows_per_second":900.0,"window":400}
{"time":130.0,"event":"train","generation":0,"step":100,"losses":{"total":3.7,"policy":3.0,"value":0.7},"learning_rate":0.001,"gradient_norm":0.4,"rows_per_second":900.0,"window":400}
{"time":140.0,"event":"match","generation":1,"player":"gen-000001","opponent":"random","wins":20,"draws":0,"losses":0,"pairs":[0,0,0,0,10],"elo":null,"elo_low":130.2,"elo_high":null}
{"time":3700.0,"event":"ratings","generation":1,"players":[{"player":"random","generation":null,"elo":0.0,"low":0.0,"high":0.0},{"player":"gen-000001","generation":1,"elo":321.0,"low":82.0,"high":560.0}]}
{"time":3800.0,"event":"train","generation":1,"st"#;

fn report(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
    command.current_dir(root).arg("report").args(arguments).output().unwrap()
}

/// The page at `path` after a report that must succeed.
fn page(root: &Path, arguments: &[&str], path: &str) -> String {
    let output = report(root, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(root.join(path)).unwrap()
}

fn write_models(root: &Path, metrics: &str) {
    let folder = root.join("models/run");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("metrics.jsonl"), metrics).unwrap();
    fs::write(folder.join("config.toml"), "game = \"shatara\" # <b>\n").unwrap();
}

fn play(root: &Path) {
    let mut config = SelfPlayConfig { games: 8, games_per_file: 4, shards: 1, slots: 8, ..SelfPlayConfig::default() };
    config.search.playouts = 4;
    config.search.considered_actions = 4;
    config.max_plies = 50;
    let game = Shatara::game(&toml::Table::new()).unwrap();
    let run_dir = root.join("data/run");
    let generation =
        Generation { game: &game, config: &config, seed: 5, number: 0, checkpoint: "uniform", run_dir: &run_dir };
    generation.run(&|_| Ok(Box::new(Uniform { batch_size: 8 })), &AtomicBool::new(false), &mut |_| {}).unwrap();
}

/// A command in `root` that must succeed, and what it prints.
fn prints(root: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn figures_are_files_and_tables_are_json() {
    let root = tempfile::tempdir().unwrap();
    write_models(root.path(), METRICS);
    play(root.path());
    page(root.path(), &["run", "--figures", "figures"], "models/run/report.html");
    let mut names: Vec<String> = fs::read_dir(root.path().join("figures"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.contains(&"elo.svg".to_owned()) && names.contains(&"elo.ar.svg".to_owned()), "{names:?}");
    for name in &names {
        let svg = fs::read_to_string(root.path().join("figures").join(name)).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
        assert_eq!(svg.contains("Run run"), !name.ends_with(".ar.svg"), "{name}: the title of its page");
    }

    for question in ["openings", "reserves", "effect"] {
        let drawn: &[&str] = if question == "effect" { &["--drawn-plies", "8"] } else { &[] };
        let arguments = [&["stats", question, "run", "--json", "--figures", question], drawn].concat();
        let json = prints(root.path(), &arguments);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(json["games"] == 8 && json["runs"][0] == "run" && json["ruleset"]["game"] == "shatara", "{question}");
        let tables = json["tables"].as_object().unwrap();
        assert!(tables.values().any(|rows| rows.as_array().is_some_and(|rows| !rows.is_empty())), "{question}");
        assert!(question == "effect" || fs::read_dir(root.path().join(question)).unwrap().count() > 0, "{question}");
    }
    let start = prints(root.path(), &["rules", "shatara", "start"]);
    let explored = prints(root.path(), &["stats", "explore", "run", start.trim(), "--json"]);
    let explored: serde_json::Value = serde_json::from_str(&explored).unwrap();
    let rows = explored["tables"]["explore"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["games"].as_u64().unwrap()).sum::<u64>(), 8, "{explored}");
}

#[test]
fn a_whole_run_is_written_in_both_languages() {
    let root = tempfile::tempdir().unwrap();
    write_models(root.path(), METRICS);
    play(root.path());
    // A truncated file is left out and reported.
    let first = data::chunk_path(&data::generation_dir(&root.path().join("data/run"), 0), 0);
    let bytes = fs::read(first).unwrap();
    fs::write(root.path().join("data/run/gen-000000/0007.parquet"), &bytes[..bytes.len() / 2]).unwrap();

    let page = page(root.path(), &["run", "--tables", "tables"], "models/run/report.html");
    for part in [
        "Run run",
        "<bdi>1:01:00</bdi>",
        "at least 265",
        "Elo of <code dir=\"ltr\">gen-000001</code> above",
        "1 damaged or foreign files",
        "Training loss by head",
        "Elo over generations",
        "نقاط إيلو عبر الأجيال",
        "Reserves: when",
        "Adjudications that were played out",
        "# &lt;b&gt;",
        "ruleset",
        "How to reproduce",
        "كيف يعاد هذا",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("Missing"), "nothing is missing");
    let places = ["at least 265", "Elo over generations", "<main>", "Training loss by head", "Elo over games and time"];
    let places = places.map(|part| page.find(part).unwrap());
    assert!(places.is_sorted(), "the headline and one figure come first: {places:?}");
    assert!(page.contains("<dt><span lang=\"en\" dir=\"ltr\">games</span>"), "games stand beside it");
    for section in
        ["summary", "training", "strength", "selfplay", "throughput", "openings-tree", "settings", "terms", "again"]
    {
        let (link, fold) =
            (format!("<a href=\"#{section}\">"), format!("<details class=\"fold\" id=\"fold-{section}\">"));
        assert!(page.contains(&link) && page.contains(&fold), "{section}");
    }
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"), "the page needs no network");

    let table = |name: &str| fs::read_to_string(root.path().join(format!("tables/{name}.csv"))).unwrap();
    let losses = table("training_losses");
    assert_eq!(
        losses, "training_step,total,policy,value\n50,4.5,3.5,1\n100,3.7,3,0.7\n",
        "a step written twice counts once"
    );
    assert!(table("matches").contains("gen-000001,random,20,20,0,0,1,,130.2,\n"));
    let results = table("selfplay_results");
    let row = results.lines().nth(1).unwrap();
    assert!(row.starts_with("0,0.375,0.136") && row.contains(",0.125,") && row.contains(",0.5,"), "{row}");
    assert!(root.path().join("tables/elo.parquet").is_file());
    assert!(!page.contains("Policy before and after search") && !page.contains("KL of search"), "not in this journal");
    assert_eq!(
        table("elo_over_costs").lines().next().unwrap(),
        "generation,games,elo,elo_low,elo_high",
        "this journal does not tell how long training took"
    );
    assert!(page.contains("no hours") && !page.contains("work (h:mm:ss)"));
}

/// A run of two sessions, a day apart: generation 1 was begun in the one and ended in the other.
const SESSIONS: &str = r#"{"time":3600.0,"event":"selfplay","generation":0,"games":8,"plies":400,"seconds":1800.0,"game_length":50.0,"results":{"draw":8},"reasons":{"repetition":8},"full_searches":100,"policy_kl":0.5,"prior_entropy":2.0,"target_entropy":1.5}
{"time":5400.0,"event":"train","generation":0,"step":50,"losses":{"policy_kl":0.4},"seconds":900.0}
{"time":5401.0,"event":"holdout","generation":1,"rows":64,"losses":{"policy_kl":0.7},"value_r2":0.25,"calibration":[{"rows":40,"predicted":0.1,"result":0.0},{"rows":8,"predicted":0.9,"result":1.0}]}
{"time":7000.0,"event":"match","generation":1,"player":"gen-000001","opponent":"random","wins":16,"losses":4,"pairs":[2,0,0,0,8],"seconds":1500.0}
{"time":7600.0,"event":"selfplay","generation":1,"games":4,"plies":200,"seconds":600.0,"game_length":50.0,"results":{"draw":4},"reasons":{"repetition":4},"full_searches":100,"policy_kl":0.2,"prior_entropy":1.0,"target_entropy":0.5}
{"time":90000.0,"event":"selfplay","generation":1,"games":4,"plies":200,"seconds":600.0,"game_length":50.0,"results":{"draw":4},"reasons":{"repetition":4},"full_searches":300,"policy_kl":0.6,"prior_entropy":1.0,"target_entropy":0.9}
{"time":91000.0,"event":"train","generation":1,"step":100,"losses":{"policy_kl":0.4},"seconds":900.0}
{"time":92000.0,"event":"match","generation":2,"player":"gen-000002","opponent":"random","wins":18,"losses":2,"pairs":[1,0,0,0,9],"seconds":1500.0}
"#;

#[test]
fn policies_hours_of_work_and_rows_without_a_result_are_told() {
    let root = tempfile::tempdir().unwrap();
    write_models(root.path(), SESSIONS);
    let page = page(root.path(), &["run", "--tables", "tables", "--figures", "figures"], "models/run/report.html");
    let table = |name: &str| fs::read_to_string(root.path().join(format!("tables/{name}.csv"))).unwrap();
    let policies = table("selfplay_policy");
    assert_eq!(
        policies, "generation,kl_of_search_from_prior,entropy_of_priors,entropy_of_targets\n0,0.5,2,1.5\n1,0.5,1,0.8\n",
        "sessions are weighed by their searches"
    );
    for part in ["Policy before and after search", "السياسة قبل البحث وبعده", "500 full searches", "hours of work"]
    {
        assert!(page.contains(part), "{part}");
    }
    // Self-play and training of each generation, without the day between the sessions and without the matches.
    let places: Vec<String> =
        table("elo_over_costs").lines().map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(places, ["generation,games,hours", "1,8,0.75", "2,16,1.3333333333333333"]);
    assert!(page.contains("<bdi>1:20:00</bdi>"), "the time in the headline");
    assert!(page.contains("16 of the 64 rows judged are of games that were cut off"), "{page}");
    for name in ["elo", "elo_over_costs", "selfplay_policy"] {
        for end in ["svg", "ar.svg"] {
            assert!(root.path().join(format!("figures/{name}.{end}")).is_file(), "{name}.{end}");
        }
    }

    let partly =
        SESSIONS.replacen(r#""policy_kl":0.5,"prior_entropy":2.0,"target_entropy":1.5"#, r#""policy_kl":null"#, 1);
    write_models(root.path(), &partly);
    assert!(report(root.path(), &["run", "--tables", "tables"]).status.success());
    assert!(table("selfplay_policy").ends_with("targets\n1,0.5,1,0.8\n"), "a gap where nothing was told");
}

/// What the page defines is on the page, and in the files that it is made of.
#[test]
fn the_glossary_has_what_was_measured() {
    let root = tempfile::tempdir().unwrap();
    let terms = |metrics: &str| -> Vec<String> {
        write_models(root.path(), metrics);
        let page = page(root.path(), &["run"], "models/run/report.html");
        let glossary = page.split("id=\"terms\"").nth(1).unwrap().split("</section>").next().unwrap();
        let names = glossary.split("<dt><span lang=\"en\" dir=\"ltr\">").skip(1);
        names.map(|name| name.split("</span>").next().unwrap().to_owned()).collect()
    };
    assert_eq!(terms(""), ["generation", "ply"]);
    let old = terms(METRICS);
    for (term, is_there) in
        [("cut off", true), ("Elo", true), ("policy loss", true), ("policy KL", false), ("moves-left loss", false)]
    {
        assert_eq!(old.iter().any(|name| name == term), is_there, "{term}: {old:?}");
    }
    assert!(!old.iter().any(|name| name.contains("entropy")), "{old:?}");
    let new = terms(SESSIONS);
    assert!(new.iter().any(|name| name.starts_with("KL of search")) && !new.contains(&"cut off".to_owned()), "{new:?}");
}

#[test]
fn half_a_run_is_a_page_that_says_what_is_missing() {
    let root = tempfile::tempdir().unwrap();
    write_models(root.path(), "");
    let empty = page(root.path(), &["run"], "models/run/report.html");
    for part in ["Missing: training", "Missing: ratings", "Missing: no whole file of games", "غير موجود: التدريب"]
    {
        assert!(empty.contains(part), "{part}");
    }

    write_models(root.path(), METRICS);
    let written = page(root.path(), &["run", "-o", "here.html"], "here.html");
    assert!(written.contains("Training loss by head") && written.contains("Missing: no whole file of games"));

    let taken = report(root.path(), &["run", "-o", "games.html"]);
    assert_eq!(taken.status.code(), Some(2), "the games have this name");
    assert!(!root.path().join("games.html").exists());

    fs::remove_dir_all(root.path().join("models")).unwrap();
    play(root.path());
    let games = page(root.path(), &["run", "-o", "other.html"], "other.html");
    assert!(games.contains("Missing: matches") && games.contains("Reserves: when"));
    assert!(games.contains("config.toml") && games.contains("promotion_stock"), "the rules come from the games");
}

#[test]
fn an_unknown_run_is_one_line() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("models")).unwrap();
    for name in ["nobody", "", "..", "../models", "a/b"] {
        let output = report(root.path(), &[name]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {error}");
        assert!(error.lines().count() == 1 && error.contains("no such run: expected the name"), "{error}");
    }
    assert_eq!(fs::read_dir(root.path().join("models")).unwrap().count(), 0, "nothing is written");
}

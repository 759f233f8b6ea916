//! Runs compared as a user asks for it, held against a count of its own.

use crate::support::played::play;

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use maydan::{
    game::shatara::Shatara,
    stats::{Runs, compare::Compare},
};

fn maydan(root: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_maydan"))
        .current_dir(root)
        .args(["stats", "compare"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn runs_compared_as_a_user_asks_for_it() {
    let root = tempfile::tempdir().unwrap();
    let game = Shatara::game(&toml::Table::new()).unwrap();
    play(&game, &root.path().join("data/one"), 3, 12);
    play(&game, &root.path().join("data/two"), 2, 20);
    let names = ["one".to_owned(), "two".to_owned()];

    // Uses of each kind a game, and the share of games that were cut off.
    let mut expected: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for name in &names {
        let runs = Runs::open(root.path(), std::slice::from_ref(name), 0..=u64::MAX).unwrap();
        let rules = runs.rules().clone();
        let (mut games, mut uses, mut cut_off) = (0.0, 0.0, 0.0);
        let count = runs.for_each(&mut |_| {}, |game| {
            let kind = |ply: &usize| rules.action_kinds()[usize::from(game.kind(*ply))] == "reinforcement";
            games += 1.0;
            uses += (0..game.plies()).filter(kind).count() as f64;
            cut_off += f64::from(u8::from(!game.was_ended()));
            Ok::<(), ()>(())
        });
        assert!(count.unwrap().0.is_empty());
        expected.insert(name.clone(), [uses / games, cut_off / games]);
    }
    let runs = Runs::open(root.path(), &names, 0..=u64::MAX).unwrap();
    let mut compare = Compare::new(&runs, 2);
    runs.for_each(&mut |_| {}, |game| {
        compare.add(&game);
        Ok::<(), ()>(())
    })
    .unwrap();
    assert_eq!(compare.games(), 76);
    let quantities = compare.quantities();
    for (at, name) in ["uses_reinforcement", "cut_off"].into_iter().enumerate() {
        let quantity = quantities.iter().find(|quantity| quantity.name == name).unwrap();
        for (run, of_run) in names.iter().zip(&quantity.runs) {
            let found = [of_run.over_games, of_run.over_generations()].map(|interval| interval.unwrap().estimate);
            assert!(found.iter().all(|found| (found - expected[run][at]).abs() < 1e-12), "{name} {run}: {found:?}");
        }
    }

    let output = maydan(root.path(), &["one", "two", "--bands", "2", "--out", "tables"]);
    for part in [
        "one, two: shatara (a92979a0e63d9b47)\n76 games\n",
        "What runs say together: means",
        "mean of runs",
        "Generations 1 less",
    ] {
        assert!(output.contains(part), "{part:?} in {output}");
    }
    let page = fs::read_to_string(root.path().join("tables/compare.html")).unwrap();
    assert!(page.contains("بين التجارب"));
    for name in ["runs_shares", "runs_means", "between_means", "changes_shares"] {
        assert!(root.path().join("tables").join(name).with_extension("parquet").exists(), "{name}");
    }
    assert_eq!(output, maydan(root.path(), &["one", "two", "--bands", "2", "--out", "tables"]), "the same again");

    let alone = maydan(root.path(), &["one"]);
    assert!(alone.contains("One run is one sample") && !alone.contains("What runs say together"), "{alone}");
}

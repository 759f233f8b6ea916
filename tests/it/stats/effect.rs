//! Effects of kinds of action against a slow second way, which takes its numbers from the columns of the files.

use crate::support::played;

use std::{fs, path::Path, process::Command};

use arrow_array::{cast::AsArray, types::*};
use maydan::{
    data::{list_files, read_columns},
    game::{Facts, shatara::Shatara},
    page::{Block, Cell, Table},
    stats::{Runs, Temperature, effect::Effects},
};

/// Plies at which the games of the tests are drawn.
const DRAWN: u32 = 24;

fn games(root: &Path) {
    played::play(&Shatara::game(&toml::Table::new()).unwrap(), &root.join("data/run"), 1, 60);
}

/// The tables of the effects of the run in `root`.
fn tables(root: &Path) -> Vec<Table> {
    let runs = Runs::open(root, &["run".to_owned()], 0..=u64::MAX).unwrap().with_searches();
    let given = Temperature { start: 1.0, plies: DRAWN, end: 0.0 };
    let mut effects = Effects::new(&runs, Some(given)).unwrap();
    let each = |game| -> Result<(), ()> {
        effects.add(&game);
        Ok(())
    };
    runs.for_each(&mut |_| {}, each).unwrap();
    effects.section().blocks.iter().filter_map(Block::table).cloned().collect()
}

/// Number in a column of the row of a kind.
fn number(table: &Table, kind: &str, column: &str) -> Option<f64> {
    let place = table.columns.iter().position(|other| other.name == column).unwrap();
    let row = table.rows.iter().find(|row| matches!(&row[0], Cell::Words(name) if name.en == kind))?;
    match row[place] {
        Cell::Count(count) => Some(count as f64),
        Cell::Number(number) => Some(number),
        _ => None,
    }
}

/// Decisions, choices, expected choices and effect on the points of a kind, and the variance of its choices, summed row
/// by row.
fn by_hand(root: &Path, kind: usize) -> [f64; 5] {
    let names =
        ["ply", "side", "decision", "policy", "legal_kinds", "chosen", "root_win", "root_loss", "result", "reason"];
    let mut sums = [0.0; 5];
    for path in list_files(&root.join("data/run"), 0..1).unwrap() {
        for rows in read_columns(&path, &names).unwrap().1 {
            let text = |name: &str, row: usize| rows[name].as_string::<i32>().value(row).to_owned();
            for row in 0..rows.num_rows() {
                let root = ["root_win", "root_loss"].map(|name| rows[name].as_primitive::<Float32Type>().value(row));
                let searched = ["full", "cheap"].contains(&text("decision", row).as_str());
                let ply = rows["ply"].as_primitive::<UInt32Type>().value(row);
                if !searched || ply >= DRAWN || root.contains(&1.0) {
                    continue;
                }
                let policy = rows["policy"].as_list::<i32>().value(row);
                let kinds = rows["legal_kinds"].as_list::<i32>().value(row);
                let kinds = kinds.as_primitive::<UInt8Type>();
                let of_kind = policy.as_primitive::<Float32Type>().iter().zip(kinds.values());
                let total: f64 = policy.as_primitive::<Float32Type>().values().iter().copied().map(f64::from).sum();
                let p = of_kind.filter(|&(_, k)| usize::from(*k) == kind).map(|(p, _)| f64::from(p.unwrap()));
                let p = p.sum::<f64>() / total;
                if !(1e-6..=1.0 - 1e-6).contains(&p) {
                    continue;
                }
                let chosen = rows["chosen"].as_primitive::<UInt16Type>().value(row);
                let a = f64::from(u8::from(usize::from(kinds.value(usize::from(chosen))) == kind));
                let (result, side) = (text("result", row), text("side", row));
                let points = if result == "draw" { 0.5 } else { f64::from(u8::from(result == side)) };
                let expected = f64::midpoint(1.0, f64::from(root[0]) - f64::from(root[1]));
                let terms = [1.0, a, p, (a - p) * (points - expected), p * (1.0 - p)];
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
            }
        }
    }
    [sums[0], sums[1], sums[2], sums[3] / sums[4], sums[4]]
}

#[test]
fn effects_agree_with_sums_over_the_rows() {
    let root = tempfile::tempdir().unwrap();
    games(root.path());
    let tables = tables(root.path());
    let mut compared = 0;
    for (kind, name) in Shatara::ACTION_KINDS.iter().enumerate() {
        let Some(decisions) = number(&tables[0], name, "decisions") else { continue };
        let expected = by_hand(root.path(), kind);
        let found = ["chosen", "expected"].map(|column| number(&tables[0], name, column).unwrap());
        assert_eq!((decisions, found[0]), (expected[0], expected[1]), "{name}");
        assert!((found[1] - expected[2]).abs() < 1e-3, "{name}: {found:?} {expected:?}");
        let effect = number(&tables[0], name, "effect");
        assert_eq!(effect.is_some(), expected[4] >= 25.0, "{name}: {effect:?} {expected:?}");
        assert!(effect.is_none_or(|effect| (effect - expected[3]).abs() < 1e-5), "{name}: {effect:?} {expected:?}");
        compared += u32::from(effect.is_some());
    }
    assert!(compared >= 2, "{compared} kinds");
}

/// Actions were drawn from the recorded policy before the temperature fell.
#[test]
fn calibration_holds_where_actions_were_drawn() {
    let root = tempfile::tempdir().unwrap();
    games(root.path());
    let tables = tables(root.path());
    let calibration = tables.iter().find(|table| table.name == "effect_calibration").unwrap();
    let z: Vec<f64> = calibration
        .rows
        .iter()
        .filter_map(|row| match row.last() {
            Some(Cell::Number(z)) => Some(z.abs()),
            _ => None,
        })
        .collect();
    assert!(z.len() >= 5 && z.iter().all(|z| *z < 4.0), "{z:?}");
}

#[test]
fn effects_as_a_user_asks_for_them() {
    let root = tempfile::tempdir().unwrap();
    games(root.path());
    let maydan = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_maydan")).current_dir(root.path()).args(arguments).output().unwrap()
    };
    let refused = maydan(&["stats", "effect", "run"]);
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.contains("run: temperature: expected `models/<run>/config.toml`"), "{error}");
    let given = maydan(&["stats", "effect", "run", "--drawn-plies", "24", "--out", "out"]);
    assert!(given.status.success(), "{}", String::from_utf8_lossy(&given.stderr));
    let printed = String::from_utf8(given.stdout).unwrap();
    fs::create_dir_all(root.path().join("models/run")).unwrap();
    let config = "[selfplay.temperature]\nstart = 1.0\nplies = 24\nend = 0.0\n";
    fs::write(root.path().join("models/run/config.toml"), config).unwrap();
    let known = maydan(&["stats", "effect", "run", "--out", "out"]);
    assert_eq!(String::from_utf8(known.stdout).unwrap(), printed);
    for file in ["effect.html", "effects.csv", "effects_by_ply.parquet", "effect_calibration.csv"] {
        assert!(root.path().join("out").join(file).is_file(), "{file}");
    }
}

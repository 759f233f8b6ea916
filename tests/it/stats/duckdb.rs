//! The queries of data/README.md give what `maydan stats` gives. Skipped where Python has no `duckdb`; `MAYDAN_PYTHON`
//! chooses the Python.

use crate::support::played;

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use maydan::game::shatara::Shatara;

#[test]
fn duckdb_counts_the_same() {
    let python = env::var_os("MAYDAN_PYTHON").unwrap_or_else(|| "python3".into());
    let has_duckdb = Command::new(&python).args(["-c", "import duckdb"]).output();
    if !has_duckdb.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no duckdb in {}", python.display());
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("tables");
    played::play(&Shatara::game(&toml::Table::new()).unwrap(), &root.path().join("data/small"), 3, 60);
    // As the README asks for them.
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[PPPPPPPPNNBBRRQppppppppnnbbrrq] b KQkq - e4 0 1";
    stats(root.path(), &out, &["openings", "small", "--min-count", "1"]);
    stats(root.path(), &out, &["explore", "small", after_e4]);
    stats(root.path(), &out, &["reserves", "small", "--bands", "1"]);

    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let games: PathBuf = root.path().join("data/small/gen-*/*.parquet");
    let compared = Command::new(&python)
        .args([here.join("tests/external/duckdb_queries.py"), here.join("data/README.md"), games, out])
        .output()
        .unwrap();
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stderr));
    println!("{}", String::from_utf8_lossy(&compared.stdout));
}

fn stats(root: &Path, out: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
    command.arg("stats").args(arguments).arg("--root").arg(root).arg("--out").arg(out);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

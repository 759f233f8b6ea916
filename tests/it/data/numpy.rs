//! The lines of data/README.md that unpack planes with numpy give what the columns say. Skipped where Python has no
//! `pyarrow`; `MAYDAN_PYTHON` chooses the Python.

use crate::support::played;

use std::{env, path::Path, process::Command};

use arrow_array::{Array, cast::AsArray, types::Float32Type};
use maydan::{
    data,
    game::{
        Game, Playable,
        registry::{GameVisitor, with_game},
    },
};

/// What the lines print, and every element times its place in its row (modulo 1000).
const PRINTS: &str = "print(x.shape, x.mean())";
const CHECKSUM: &str = "print(x.shape, (x.reshape(len(x), -1) * (np.arange(x[0].size) % 1000)).astype('f8').sum())";

struct Unpacked;

impl GameVisitor for Unpacked {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let python = env::var_os("MAYDAN_PYTHON").unwrap_or_else(|| "python3".into());
        let has_pyarrow = Command::new(&python).args(["-c", "import pyarrow, numpy"]).output();
        if !has_pyarrow.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: no pyarrow in {}", python.display());
            return;
        }
        let root = tempfile::tempdir().unwrap();
        let run = root.path().join("data/shatara-demo");
        played::play(&game, &run, 1, 4);
        let readme = include_str!("../../../data/README.md");
        let lines = readme.split("```python\n").find(|block| block.contains("np.unpackbits")).unwrap();
        let lines = lines.split("```").next().unwrap();
        assert!(lines.contains(PRINTS), "{lines}");
        let script = lines.replace(PRINTS, CHECKSUM);
        let output = Command::new(&python).args(["-c", &script]).current_dir(root.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (shape, sum) = checksum(&game, &data::list_files(&run, 0..1).unwrap()[0]);
        let printed = String::from_utf8(output.stdout).unwrap();
        let (found, found_sum) = printed.trim().rsplit_once(' ').unwrap();
        assert_eq!(found, shape);
        // Sums differ in their order.
        assert!((found_sum.parse::<f64>().unwrap() / sum - 1.0).abs() < 1e-9, "{found_sum} {sum}");
    }
}

/// The same from the columns, bit by bit.
fn checksum<R: Playable>(game: &Game<R>, path: &Path) -> (String, f64) {
    let layout = game.layout();
    let (squares, words) = (layout.squares(), layout.words_per_plane());
    let (mut rows, mut sum) = (0, 0.0);
    let weight = |place: usize| (place % 1000) as f64;
    let (_, batches) = data::read_columns(path, &["planes", "scalars"]).unwrap();
    for batch in &batches {
        let (planes, scalars) = (batch.column(0).as_binary::<i32>(), batch.column(1).as_list::<i32>());
        for row in 0..batch.num_rows() {
            for plane in 0..layout.bit_planes.len() {
                let bit = |square: usize| planes.value(row)[8 * words * plane + square / 8] >> (square % 8) & 1;
                let set = (0..squares).filter(|&square| bit(square) == 1);
                sum += set.map(|square| weight(plane * squares + square)).sum::<f64>();
            }
            for (i, scalar) in scalars.value(row).as_primitive::<Float32Type>().values().iter().enumerate() {
                let place = (layout.bit_planes.len() + i) * squares;
                sum += (place..place + squares).map(|place| f64::from(*scalar) * weight(place)).sum::<f64>();
            }
            assert!(!planes.is_null(row));
        }
        rows += batch.num_rows();
    }
    (format!("({rows}, {}, {}, {})", layout.channels(), layout.height, layout.width), sum)
}

#[test]
fn numpy_unpacks_the_planes() {
    for game in ["shatara", "omega"] {
        with_game(game, &toml::Table::new(), Unpacked).unwrap();
    }
}

//! Files of games that are what they say, and files that are not.

use crate::support::{by_hand::by_hand, toy};

use std::{path::Path, sync::atomic::AtomicBool};

use maydan::{
    data,
    encode::Rows,
    game::Wdl,
    model::{Evaluations, Evaluator, EvaluatorError},
    selfplay::{Generation, SelfPlayConfig, VERIFY_TOLERANCE, Verified, VerifyError, verify},
};
use toy::TicTacToe;

/// Thinks more of a position the fewer pieces lie on it; `shift` more of winning and less of losing.
struct Counting {
    shift: f32,
}

impl Evaluator for Counting {
    fn batch_size(&self) -> usize {
        4
    }

    fn evaluate(&mut self, rows: &Rows, out: &mut Evaluations) -> Result<(), EvaluatorError> {
        *out = Evaluations::default();
        let actions = rows.layout().actions();
        out.logits.in_order(actions).resize(rows.len() * actions, 0.0);
        for row in 0..rows.len() {
            let pieces: u32 = rows.bits(row).iter().map(|word| word.count_ones()).sum();
            let win = 0.3 + 0.04 * pieces as f32 % 0.3;
            out.wdl.push(Wdl { win: win + self.shift, draw: 0.2, loss: 0.8 - win - self.shift });
            out.moves_left.push(1.0);
        }
        Ok(())
    }
}

fn check(path: &Path, shift: f32) -> Result<Verified, VerifyError> {
    verify(&TicTacToe::game(), path, "counting", &mut Counting { shift })
}

#[test]
fn a_file_is_of_the_network_that_played_it() {
    let folder = tempfile::tempdir().unwrap();
    let game = TicTacToe::game();
    let mut config = SelfPlayConfig { games: 6, games_per_file: 6, shards: 1, slots: 3, ..SelfPlayConfig::default() };
    config.search.playouts = 6;
    config.opening.max_plies = 2;
    let generation =
        Generation { game: &game, config: &config, seed: 3, number: 2, checkpoint: "counting", run_dir: folder.path() };
    let make = |_| Ok(Box::new(Counting { shift: 0.0 }) as Box<dyn Evaluator>);
    let played = generation.run(&make, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let path = data::chunk_path(&data::generation_dir(folder.path(), 2), 0);

    let found = check(&path, 0.0).unwrap();
    assert_eq!((found.games, found.rows), (6, played.statistics.plies));
    assert!(found.evaluated > 6 && found.evaluated <= found.rows, "{found:?}");
    assert!(found.mean_error < 1e-7 && found.is_of_network(), "{found:?}");
    // Two of three probabilities are off by so much.
    let bits = check(&path, 0.003).unwrap();
    assert!((bits.mean_error - 0.002).abs() < 1e-5 && bits.is_of_network(), "{bits:?}");
    let other = check(&path, 0.03).unwrap();
    assert!(other.mean_error > VERIFY_TOLERANCE && other.largest_error >= other.mean_error, "{other:?}");
    assert!(!other.is_of_network());
    assert!(!check(&path, f32::NAN).unwrap().is_of_network());

    let stranger = verify(&game, &path, "another", &mut Counting { shift: 0.0 }).unwrap_err().to_string();
    assert!(stranger.contains("checkpoint") && stranger.contains("another"), "{stranger}");
}

#[test]
fn rows_that_are_not_their_positions_are_named() {
    let game = TicTacToe::game();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hand.parquet");
    let record = by_hand(&[4, 0, 8], Some(Wdl::DRAW));
    let manifest = data::Manifest::new(&game, 0, 0, "counting");
    let write = |spoil: &dyn Fn(&mut data::GameRecord)| {
        let mut spoilt = record.clone();
        spoil(&mut spoilt);
        data::write_games(&path, &manifest, &[spoilt]).unwrap();
        check(&path, 0.0)
    };
    let whole = write(&|_| {}).unwrap();
    assert_eq!((whole.games, whole.rows, whole.evaluated), (1, 3, 3));
    assert!(!whole.is_of_network(), "it thinks otherwise: {whole:?}");
    type Spoil<'a> = &'a dyn Fn(&mut data::GameRecord);
    let faults: [(&str, Spoil<'_>); 5] = [
        ("row 1: planes: expected those of the position", &|record| {
            let [first, second, third] = [0, 1, 2].map(|row| record.rows.bits(row).to_vec());
            let scalars: Vec<Vec<f32>> = (0..3).map(|row| record.rows.scalars(row).to_vec()).collect();
            record.rows.clear();
            for (bits, scalars) in [first, third, second].iter().zip(&scalars) {
                record.rows.push_packed(bits, scalars).unwrap();
            }
        }),
        ("row 2: legal: expected the legal actions", &|record| record.decisions[2].legal.swap(0, 1)),
        ("row 0: legal: expected the legal actions", &|record| record.decisions[0].legal[3] = 4),
        ("row 2: net_win: expected what the network said", &|record| record.decisions[2].net_wdl = None),
        ("row 1: action: ", &|record| record.decisions[1].action = "4".into()),
    ];
    for (expected, spoil) in faults {
        let problem = write(spoil).unwrap_err().to_string();
        assert!(problem.contains("hand.parquet") && problem.contains(expected), "{problem}");
    }
}

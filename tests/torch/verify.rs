//! Files of games held against the network that played them, as a user does it.

use crate::run::{Place, complaint};

use std::{
    fs,
    process::{Command, Output},
};

fn verify(place: &Place, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
    command.arg("verify").args(arguments).current_dir(place.folder.path()).output().unwrap()
}

#[test]
fn games_are_those_of_their_network_and_of_no_other() {
    let place = Place::new();
    place.done("train", &["--set", "run.precision=bf16"]);
    let games = "data/tiny/gen-000001";
    // In another arithmetic than it played in.
    let right = verify(&place, &[games, "--checkpoint", "models/tiny/gen-000001"]);
    let printed = String::from_utf8_lossy(&right.stdout);
    assert!(right.status.success(), "{}", complaint(&right));
    assert!(printed.ends_with("3 of 3 files verified\n") && printed.contains("0002.parquet: 2 games, "), "{printed}");

    let other = verify(&place, &[games, "--checkpoint", "models/tiny/gen-000002"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(complaint(&other).contains("0000.parquet: checkpoint: expected "), "{}", complaint(&other));
    assert!(String::from_utf8_lossy(&other.stdout).ends_with("0 of 3 files verified\n"));

    fs::write(place.data("gen-000001/0001.parquet"), "damaged").unwrap();
    let damaged = verify(&place, &[games, "--checkpoint", "models/tiny/gen-000001"]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(complaint(&damaged).contains("wrong: ") && complaint(&damaged).contains("0001.parquet"));
    assert!(String::from_utf8_lossy(&damaged.stdout).ends_with("2 of 3 files verified\n"));

    let nothing = verify(&place, &["models", "--checkpoint", "models/tiny/gen-000001"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(complaint(&nothing).contains("expected files of games"), "{}", complaint(&nothing));
}

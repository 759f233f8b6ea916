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

#[test]
fn games_that_no_network_played_are_held_against_the_material() {
    let place = Place::new();
    place.done("train", &["--set", "selfplay.material.generations=1"]);
    for (generation, valued) in [("gen-000000", "rows; material: "), ("gen-000001", "rows; network: ")] {
        let (games, network) = (format!("data/tiny/{generation}"), format!("models/tiny/{generation}"));
        let right = verify(&place, &[&games, "--checkpoint", &network, "--play-again"]);
        let printed = String::from_utf8_lossy(&right.stdout);
        assert!(right.status.success(), "{}", complaint(&right));
        assert_eq!(printed.matches(valued).count(), 3, "{printed}");
        assert_eq!(printed.matches("the same when played again").count(), 3, "{printed}");
    }
}

#[test]
fn games_that_are_played_again_are_the_same_and_others_are_not() {
    let place = Place::new();
    place.done("train", &["--set", "run.lag=1"]);
    let again = |generation: &str, player: &str| {
        let (games, network) = (format!("data/tiny/{generation}"), format!("models/tiny/{player}"));
        verify(&place, &[&games, "--checkpoint", &network, "--play-again"])
    };
    // The second generation was played by the first network.
    for generation in ["gen-000000", "gen-000001"] {
        let right = again(generation, "gen-000000");
        let printed = String::from_utf8_lossy(&right.stdout);
        assert!(right.status.success(), "{}", complaint(&right));
        assert_eq!(printed.matches("the same when played again").count(), 3, "{printed}");
    }
    // Fewer playouts are in order, but for that.
    let config = place.model("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("playouts = 8\n", "playouts = 4\n")).unwrap();
    let other = again("gen-000000", "gen-000000");
    assert_eq!(other.status.code(), Some(1));
    assert!(complaint(&other).contains("games: expected those that are played here, found others"));
    fs::write(&config, text.replace("games_per_file = 2\n", "games_per_file = 3\n")).unwrap();
    let other = again("gen-000000", "gen-000000");
    assert!(complaint(&other).contains("expected games 0 to 3 (selfplay.games_per_file), found 2 from 0"));
    fs::remove_file(&config).unwrap();
    assert_eq!(again("gen-000000", "gen-000000").status.code(), Some(2));
}

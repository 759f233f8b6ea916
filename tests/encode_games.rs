//! The checks of encodings that need no word about a game, on every game of the registry: a new game is checked by being listed there.

mod suite;

use maydan::game::{
    Encode,
    registry::{GameVisitor, IDS, with_game},
};
use suite::{encoding, walk::random_games};

struct Checks;

impl GameVisitor for Checks {
    type Output = ();

    fn visit<G: Encode>(self, game: G) {
        let visits = random_games(&game, 4, 120);
        encoding::actions_have_their_own_index(&game, &visits);
        encoding::a_batch_is_its_rows(&game, &visits);
        encoding::the_mirror_is_its_own_inverse(&game, &visits);
        let bases: Vec<_> = visits.iter().step_by(60).map(|visit| visit.position).collect();
        encoding::no_two_positions_encode_alike(&game, &visits, &bases);
        if game.adjudication().repetition > 0 {
            encoding::repetitions_show(&game, &game.start());
        }
    }
}

#[test]
fn every_game_of_the_registry_is_encoded_soundly() {
    for id in IDS {
        println!("{id}");
        with_game(id, &toml::Table::new(), Checks).unwrap();
    }
}

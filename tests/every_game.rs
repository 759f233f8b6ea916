//! The suite on every game of the registry, under every ruleset that its witness names: a new game is tested by being listed there.

mod suite;
mod witnesses;

use maydan::game::{
    Encode,
    registry::{GameVisitor, IDS, with_game},
};
use suite::{encoding, games, rules, search, witness::Witness};
use witnesses::witness;

macro_rules! test_every_game {
    ($($name:ident => $check:path,)+) => {
        $(
            #[test]
            fn $name() {
                struct Check(&'static Witness);

                impl GameVisitor for Check {
                    type Output = ();

                    fn visit<G: Encode>(self, game: G) {
                        println!("{} {:?}", game.ruleset(), game.ruleset().options);
                        $check(&game, self.0);
                    }
                }

                for id in IDS {
                    for options in [""].iter().chain(witness(id).options) {
                        with_game(id, &options.parse().unwrap(), Check(witness(id))).unwrap();
                    }
                }
            }
        )+
    };
}

suite::checks!(test_every_game);

#[test]
fn every_seed_is_a_position() {
    struct Seeds(&'static Witness);

    impl GameVisitor for Seeds {
        type Output = ();

        fn visit<G: Encode>(self, game: G) {
            for text in self.0.seeds {
                game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    for id in IDS {
        with_game(id, &toml::Table::new(), Seeds(witness(id))).unwrap();
    }
}

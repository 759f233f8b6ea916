//! Floor 0: squares, bitboards, attack tables. Knows no game.

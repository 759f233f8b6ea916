//! Floor 7: how strong a player is: matches, Elo, SPRT, baselines.

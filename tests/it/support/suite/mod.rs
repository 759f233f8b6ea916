//! What must hold of every game, generic over the game: `every_game.rs` makes these checks of each game of the
//! registry, with its witness.
//!
//! Layout, lowest first:
//!
//! - `witness`: what the suite must know of a game.
//! - `walk`: positions of random games.
//! - `rules`: legal actions, strings, keys, ends.
//! - `encoding`: planes and action indices.
//! - `attacks`: planes of attacked squares.
//! - `games`: self-play, and its games in files.
//! - `matches`: matches of the players without a network.
//! - `search`: the solver against brute force, and what every search keeps.

pub mod attacks;
pub mod encoding;
pub mod games;
pub mod matches;
pub mod rules;
pub mod search;
pub mod walk;
pub mod witness;

/// Hands every check of the suite, `fn(&Game<R>, &Witness)`, to the macro `$each` with a name for its test.
macro_rules! checks {
    ($each:ident) => {
        $each! {
            the_witness_knows_the_same_actions => rules::the_witness_knows_the_same_actions,
            strings_round_trip_and_keys_are_fresh => rules::strings_round_trip_and_keys_are_fresh,
            keys_tell_positions_apart => rules::keys_tell_positions_apart,
            actions_are_unique_and_in_a_fixed_order => rules::actions_are_unique_and_in_a_fixed_order,
            swapped_colours_swap_the_game => rules::swapped_colours_swap_the_game,
            batched_calls_are_single_calls => rules::batched_calls_are_single_calls,
            damaged_strings_are_read_or_refused => rules::damaged_strings_are_read_or_refused,
            every_game_ends => rules::every_game_ends,
            actions_have_their_own_index => encoding::actions_have_their_own_index,
            a_batch_is_its_rows => encoding::a_batch_is_its_rows,
            a_sample_shows_the_game => encoding::a_sample_shows_the_game,
            no_two_positions_encode_alike => encoding::no_two_positions_encode_alike,
            the_number_of_the_move_shows_near_the_limit_alone =>
                encoding::the_number_of_the_move_shows_near_the_limit_alone,
            repetitions_show => encoding::repetitions_show,
            the_board_plane_is_the_board => encoding::the_board_plane_is_the_board,
            the_mirror_is_its_own_inverse => encoding::the_mirror_is_its_own_inverse,
            the_mirror_is_seen => encoding::the_mirror_is_seen,
            colours_do_not_matter => encoding::colours_do_not_matter,
            attacks_are_of_the_pieces_shown => attacks::attacks_are_of_the_pieces_shown,
            games_are_rebuilt_from_their_rows => games::games_are_rebuilt_from_their_rows,
            shards_leave_every_byte_alone => games::shards_leave_every_byte_alone,
            baselines_play_by_the_rules => matches::baselines_play_by_the_rules,
            the_solver_agrees_with_brute_force => search::the_solver_agrees_with_brute_force,
            searches_keep_their_promises => search::searches_keep_their_promises,
        }
    };
}
pub(crate) use checks;

//! Planes and action indices.

use std::collections::{BTreeSet, HashMap, HashSet};

use maydan::{
    encode::{Rows, encode, mirror_actions, sample},
    game::{Game, Playable},
};
use ndarray::Array4;

use super::{
    rules::turned,
    walk::{Visit, seeds, visits},
    witness::{Symmetry, Witness},
};

/// Every legal action has an index of the action space, and no other legal action of its position has the same.
pub fn actions_have_their_own_index<R: Playable>(game: &Game<R>, witness: &Witness) {
    let size = game.layout().actions();
    for visit in visits(game, witness, 6, 200) {
        let indices: BTreeSet<usize> =
            visit.legal.iter().map(|&action| game.rules().action_index(&visit.position, action)).collect();
        let text = visit.position.to_string();
        assert_eq!(indices.len(), visit.legal.len(), "two actions of {text} share an index");
        assert!(indices.iter().all(|&index| index < size), "an action of {text} is beyond the space: {indices:?}");
    }
}

/// A batch holds what the rows hold one by one, and both hold only finite values.
pub fn a_batch_is_its_rows<R: Playable>(game: &Game<R>, witness: &Witness) {
    let (layout, visits) = (game.layout(), visits(game, witness, 2, 200));
    let positions: Vec<(R::Position, u32)> = visits.iter().map(|visit| (visit.position, visit.repetitions)).collect();
    let mut batch = Array4::from_elem((positions.len(), layout.channels(), layout.height, layout.width), f32::NAN);
    encode(game, &positions, batch.view_mut());
    let mut rows = Rows::new(layout);
    for (position, repetitions) in &positions {
        rows.push(game, position, *repetitions);
    }
    let mut one_by_one = vec![f32::NAN; batch.len()];
    rows.unpack_all(&mut one_by_one);
    assert!(one_by_one.iter().all(|value| value.is_finite()));
    assert_eq!(batch.as_slice().unwrap(), one_by_one);
}

/// A sample is the same every time, begins where games begin, and goes far beyond.
pub fn a_sample_shows_the_game<R: Playable>(game: &Game<R>, _: &Witness) {
    let rows = sample(game);
    assert_eq!((rows.len(), &rows), (512, &sample(game)));
    let mut start = Rows::new(game.layout());
    start.push(game, &game.start(), 0);
    assert_eq!((rows.bits(0), rows.scalars(0)), (start.bits(0), start.scalars(0)));
    let seen: HashSet<_> = (0..rows.len()).map(|row| rows.bits(row)).collect();
    assert!(seen.len() > 100, "{} placements of pieces", seen.len());
}

/// Positions whose strings differ in more than the number of the move encode differently, and so do all near misses of them that the game reads: every
/// character of a few strings removed, doubled, swapped with the next or replaced by any other, and every field taken
/// from another of them.
pub fn no_two_positions_encode_alike<R: Playable>(game: &Game<R>, witness: &Witness) {
    let visits = visits(game, witness, 4, 200);
    let mut seen = HashMap::new();
    let mut check = |position: &R::Position| {
        let text = position.to_string();
        let text = text.rsplit_once(' ').expect("fields").0.to_owned();
        let first = seen.entry(fingerprint(game, position)).or_insert_with(|| text.clone());
        assert_eq!(*first, text, "two positions encode alike");
    };
    for visit in &visits {
        check(&visit.position);
    }
    let some = visits.iter().step_by(97).map(|visit| visit.position);
    let texts: Vec<String> = some.chain(seeds(game, witness)).map(|position| position.to_string()).collect();
    let alphabet: BTreeSet<char> = texts.iter().flat_map(|text| text.chars()).collect();
    let fields = |text: &str| text.split([' ', '[']).map(str::to_owned).collect::<Vec<_>>();
    let mut alone: BTreeSet<usize> = BTreeSet::new();
    for text in &texts {
        for mutant in mutants(text, &alphabet).into_iter().chain(crosses(text, &texts)) {
            let Ok(position) = game.parse_position(&mutant) else { continue };
            check(&position);
            let (before, after) = (fields(text), fields(&position.to_string()));
            let changed: Vec<usize> = (0..before.len()).filter(|&field| before[field] != after[field]).collect();
            alone.extend(changed.first().filter(|_| changed.len() == 1));
        }
    }
    for field in 0..fields(&texts[0]).len() {
        let contents: BTreeSet<String> = texts.iter().map(|text| fields(text).swap_remove(field)).collect();
        let constant = contents.len() == 1;
        assert!(constant || alone.contains(&field), "no two positions differ in field {field} alone: {contents:?}");
    }
}

/// The strings one edit of one character away.
fn mutants(text: &str, alphabet: &BTreeSet<char>) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut mutants = Vec::new();
    for i in 0..chars.len() {
        let mut edit = |range: std::ops::Range<usize>, with: &[char]| {
            let mut mutant = chars.clone();
            mutant.splice(range, with.iter().copied());
            mutants.push(mutant.into_iter().collect());
        };
        edit(i..i + 1, &[]);
        edit(i..i, &[chars[i]]);
        if i + 1 < chars.len() {
            edit(i..i + 2, &[chars[i + 1], chars[i]]);
        }
        for &other in alphabet {
            edit(i..i + 1, &[other]);
        }
    }
    mutants
}

/// `text` with each field in turn taken from each of `others`.
fn crosses(text: &str, others: &[String]) -> Vec<String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let mut crosses = Vec::new();
    for other in others {
        for (i, field) in other.split(' ').enumerate() {
            let mut crossed = fields.clone();
            crossed[i] = field;
            crosses.push(crossed.join(" "));
        }
    }
    crosses
}

/// The number of the move does not show until a hundred plies before the ruleset's limit, and then more and more. From
/// move 21, before which it is among the rules of one game.
pub fn the_number_of_the_move_shows_near_the_limit_alone<R: Playable>(game: &Game<R>, witness: &Witness) {
    let limit = game.adjudication().max_plies;
    let has_number = game.start().to_string().ends_with(" 1");
    if !has_number || 0 < limit && limit < 300 {
        return;
    }
    let last = limit / 2;
    let moves = if limit == 0 { [21, 60, 400, 5000] } else { [21, 60, last - 48, last - 51] };
    for visit in visits(game, witness, 2, 100) {
        let text = visit.position.to_string();
        let fields = text.rsplit_once(' ').expect("fields").0;
        let rows = moves.map(|number| {
            let mut rows = Rows::new(game.layout());
            let position = game.parse_position(&format!("{fields} {number}")).expect("another number of the move");
            rows.push(game, &position, visit.repetitions);
            (rows.bits(0).to_vec(), rows.scalars(0).to_vec())
        });
        assert_eq!(rows[0], rows[1], "{text}");
        assert_eq!(rows[0], rows[3], "{text}");
        assert_eq!(rows[0] == rows[2], limit == 0, "{text}");
    }
}

/// Repetitions 0, 1 and 2 encode differently, where they matter.
pub fn repetitions_show<R: Playable>(game: &Game<R>, _: &Witness) {
    if game.adjudication().repetition == 0 {
        return;
    }
    let mut rows = Rows::new(game.layout());
    for repetitions in 0..3 {
        rows.push(game, &game.start(), repetitions);
    }
    let scalars: Vec<Vec<u32>> =
        (0..3).map(|i| rows.scalars(i).iter().map(|value| value.to_bits()).collect()).collect();
    assert!(scalars[0] != scalars[1] && scalars[1] != scalars[2] && scalars[0] != scalars[2]);
}

/// A plane of the board is the same in every row, and everything else that the network sees or plays lies on the board.
pub fn the_board_plane_is_the_board<R: Playable>(game: &Game<R>, witness: &Witness) {
    let layout = game.layout();
    let Some(board) = layout.board else { return };
    let words = layout.words_per_plane();
    let mut first: Option<Vec<u64>> = None;
    for visit in visits(game, witness, 2, 100) {
        let mut rows = Rows::new(layout);
        rows.push(game, &visit.position, visit.repetitions);
        let planes: Vec<&[u64]> = rows.bits(0).chunks_exact(words).collect();
        let mask = first.get_or_insert_with(|| planes[board].to_vec());
        assert_eq!(planes[board], mask, "the board changes");
        let on_board = |square: usize| mask[square / 64] >> (square % 64) & 1 == 1;
        for (plane, info) in planes.iter().zip(&layout.bit_planes) {
            assert!(
                plane.iter().zip(&*mask).all(|(&bits, &mask)| bits & !mask == 0),
                "`{}` has pieces in holes",
                info.name
            );
        }
        for &action in &visit.legal {
            let index = game.rules().action_index(&visit.position, action);
            assert!(on_board(index % layout.squares()), "{} is indexed in a hole", action);
        }
    }
    let squares: u32 = first.unwrap().iter().map(|word| word.count_ones()).sum();
    assert!(
        squares > 0 && (squares as usize) < layout.squares(),
        "{squares} squares: a board without holes needs no plane"
    );
}

/// Mirrored twice, an index and a row are what they were.
pub fn the_mirror_is_its_own_inverse<R: Playable>(game: &Game<R>, witness: &Witness) {
    let table = mirror_actions(game);
    assert_eq!(table.len(), game.layout().actions());
    for (index, &mirrored) in table.iter().enumerate() {
        assert_eq!(table[mirrored as usize] as usize, index);
    }
    let mut rows = Rows::new(game.layout());
    for visit in visits(game, witness, 2, 100) {
        rows.push(game, &visit.position, visit.repetitions);
    }
    let before = rows.clone();
    (0..rows.len()).for_each(|i| rows.mirror(i));
    assert_ne!(rows, before);
    (0..rows.len()).for_each(|i| rows.mirror(i));
    assert_eq!(rows, before);
}

/// Where the rules are symmetric left to right, the mirrored position encodes as the mirrored row, and its legal
/// actions have the mirrored indices.
pub fn the_mirror_is_seen<R: Playable>(game: &Game<R>, witness: &Witness) {
    let table = mirror_actions(game);
    let visits = visits(game, witness, 6, 200);
    let symmetric: Vec<&Visit<R>> =
        visits.iter().filter(|visit| game.rules().mirror_applies(&visit.position)).collect();
    assert!(!symmetric.is_empty(), "the mirror never applies");
    for visit in symmetric {
        let position = turned(game, &visit.position, &witness.mirror);
        assert!(game.rules().mirror_applies(&position));
        let mut rows = Rows::new(game.layout());
        rows.push(game, &visit.position, visit.repetitions);
        rows.push(game, &position, visit.repetitions);
        rows.mirror(0);
        assert_eq!(rows.bits(0), rows.bits(1), "{}", visit.position);
        assert_eq!(rows.scalars(0), rows.scalars(1), "{}", visit.position);
        same_actions(game, visit, &position, &witness.mirror, |index| table[index] as usize);
    }
}

/// The position with colours swapped encodes as the same row, save the scalars that tell the colours, and its legal
/// actions have the same indices.
pub fn colours_do_not_matter<R: Playable>(game: &Game<R>, witness: &Witness) {
    let names: Vec<&str> = game.layout().scalars.iter().map(|scalar| scalar.name.as_str()).collect();
    let save = witness.colours;
    assert!(save.iter().all(|name| names.contains(name)), "{save:?} are scalars");
    for visit in &visits(game, witness, 6, 200) {
        let position = turned(game, &visit.position, &witness.swap);
        let mut rows = Rows::new(game.layout());
        rows.push(game, &visit.position, visit.repetitions);
        rows.push(game, &position, visit.repetitions);
        let text = visit.position.to_string();
        assert_eq!(rows.bits(0), rows.bits(1), "{text}");
        for ((name, a), b) in names.iter().zip(rows.scalars(0)).zip(rows.scalars(1)) {
            assert!(a == b || save.contains(name), "`{name}` of {text}: {a} and {b}");
        }
        same_actions(game, visit, &position, &witness.swap, |index| index);
    }
}

/// `turned` has the turned legal actions of `visit`, no more and no fewer, at the indices that `index` gives.
fn same_actions<R: Playable>(
    game: &Game<R>,
    visit: &Visit<R>,
    turned: &R::Position,
    symmetry: &Symmetry,
    index: impl Fn(usize) -> usize,
) {
    let expected: BTreeSet<(String, usize)> = visit
        .legal
        .iter()
        .map(|&action| {
            let text = (symmetry.action)(&action.to_string());
            (text, index(game.rules().action_index(&visit.position, action)))
        })
        .collect();
    let mut legal = Vec::new();
    game.legal_actions(turned, &mut legal);
    let found: BTreeSet<(String, usize)> =
        legal.into_iter().map(|action| (action.to_string(), game.rules().action_index(turned, action))).collect();
    assert_eq!(found, expected, "{}", visit.position);
}

/// A row as a key: equal for equal rows alone.
fn fingerprint<R: Playable>(game: &Game<R>, position: &R::Position) -> (Vec<u64>, Vec<u32>) {
    let mut rows = Rows::new(game.layout());
    rows.push(game, position, 0);
    (rows.bits(0).to_vec(), rows.scalars(0).iter().map(|value| value.to_bits()).collect())
}

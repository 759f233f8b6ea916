//! Planes of attacked squares, against pieces that walk over the planes of pieces square by square.

use std::{collections::BTreeMap, iter};

use maydan::{
    encode::Rows,
    game::{Game, Playable},
};

use super::{walk::visits, witness::Witness};

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Where a piece of a kind captures, in columns and rows towards the enemy, and whether it slides.
fn ways(kind: &str) -> (Vec<(i32, i32)>, bool) {
    let around = |column: i32, row: i32| {
        let all = [(column, row), (row, column)].into_iter();
        let mut all: Vec<_> = all.flat_map(|(x, y)| [(x, y), (x, -y), (-x, y), (-x, -y)]).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    match kind {
        "pawns" => (vec![(-1, 1), (1, 1)], false),
        "qayins" => (vec![(0, 1)], false),
        "knights" | "noyans" => (around(1, 2), false),
        "champions" => ([around(0, 1), around(0, 2), around(2, 2)].concat(), false),
        "wizards" => ([around(1, 1), around(1, 3)].concat(), false),
        "bishops" | "temes" | "yalkyns" => (DIAGONAL.to_vec(), true),
        "rooks" | "bers" | "turas" => (STRAIGHT.to_vec(), true),
        "queens" | "viziers" | "batyrs" => ([STRAIGHT, DIAGONAL].concat(), true),
        "kings" | "khans" | "shatras" | "biys" => ([STRAIGHT, DIAGONAL].concat(), false),
        _ => panic!("where do {kind} go?"),
    }
}

/// A row's planes and scalars by name, and its grid.
struct Board {
    planes: BTreeMap<String, Vec<bool>>,
    scalars: BTreeMap<String, f32>,
    height: i32,
    width: i32,
}

impl Board {
    fn of<R: Playable>(game: &Game<R>, position: &R::Position) -> Board {
        let layout = game.layout();
        let mut rows = Rows::new(layout);
        rows.push(game, position, 0);
        let words = rows.bits(0).chunks_exact(layout.words_per_plane());
        let planes = layout.bit_planes.iter().zip(words).map(|(plane, words)| {
            let squares = (0..layout.squares()).map(|square| words[square / 64] >> (square % 64) & 1 == 1);
            (plane.name.clone(), squares.collect())
        });
        let scalars = layout.scalars.iter().zip(rows.scalars(0)).map(|(scalar, &value)| (scalar.name.clone(), value));
        let [height, width] = [layout.height as i32, layout.width as i32];
        Board { planes: planes.collect(), scalars: scalars.collect(), height, width }
    }

    fn squares(&self, plane: &str) -> Vec<usize> {
        let squares = self.planes[plane].iter().enumerate();
        squares.filter(|&(_, &set)| set).map(|(square, _)| square).collect()
    }

    /// The square some columns and rows away, unless it is off the board.
    fn step(&self, from: usize, (columns, rows): (i32, i32)) -> Option<usize> {
        let (column, row) = (from as i32 % self.width + columns, from as i32 / self.width + rows);
        let on_grid = (0..self.width).contains(&column) && (0..self.height).contains(&row);
        let square = on_grid.then_some((row * self.width + column) as usize)?;
        self.planes.get("board").is_none_or(|board| board[square]).then_some(square)
    }

    /// Squares that a piece on `from` attacks; `north` is 1 for a piece of the side to move.
    fn attacked(&self, occupied: &[bool], kind: &str, from: usize, north: i32) -> Vec<usize> {
        let (ways, slides) = ways(kind);
        let mut attacked = Vec::new();
        for (columns, rows) in ways {
            let mut at = self.step(from, (columns, north * rows));
            while let Some(square) = at {
                attacked.push(square);
                at = if slides && !occupied[square] { self.step(square, (columns, north * rows)) } else { None };
            }
        }
        attacked
    }

    /// Squares over which a piece on `from` could jump if an enemy stood there, in Altai Shatra (§3, §6).
    fn jumped_over(&self, occupied: &[bool], owner: &str, kind: &str, from: usize) -> Vec<usize> {
        let row = |square: usize| square as i32 / self.width;
        let in_home = |square| if owner == "own" { row(square) < 4 } else { row(square) >= self.height - 4 };
        let last_row = if owner == "own" { self.height - 1 } else { 0 };
        let reserve = self.squares(&format!("{owner}_reserve"));
        let barred = !reserve.is_empty() && !reserve.contains(&from) && kind != "biys";
        let is_own = |square: usize| {
            let kinds = ["shatras", "yalkyns", "turas", "batyrs", "biys"];
            kinds.iter().any(|kind| self.planes[&format!("{owner}_{kind}")][square])
        };
        let (mut ways, slides) = ways(kind);
        if kind == "shatras" && row(from) == last_row {
            ways.retain(|&(_, rows)| rows == 0);
        }
        // The squares from one on: all up to the first that is occupied, that one too, or the next alone.
        let ahead = |from: usize, way: (i32, i32)| {
            iter::successors(self.step(from, way), move |&at| match slides && !occupied[at] {
                true => self.step(at, way),
                false => None,
            })
        };
        let mut over = Vec::new();
        for way in ways {
            let lands = |over| ahead(over, way).any(|to| !(occupied[to] || barred && in_home(to)));
            let enemies_or_none = ahead(from, way).filter(|&at| !is_own(at) && !self.planes["jumped"][at]);
            over.extend(enemies_or_none.filter(|&at| lands(at)));
        }
        over
    }
}

/// The planes of attacked squares, where a game has them, show what the pieces of the other planes attack.
pub fn attacks_are_of_the_pieces_shown<R: Playable>(game: &Game<R>, witness: &Witness) {
    let names = game.layout().bit_planes.iter().map(|plane| plane.name.as_str());
    let attacks: Vec<(&str, &str)> = names
        .filter_map(|name| name.strip_suffix("_attack"))
        .map(|name| name.split_once('_').expect("an owner and a kind"))
        .collect();
    let mut seen = BTreeMap::new();
    for visit in visits(game, witness, 4, 200) {
        let board = Board::of(game, &visit.position);
        let mut occupied = vec![false; game.layout().squares()];
        for (owner, kind) in &attacks {
            board.squares(&format!("{owner}_{kind}")).into_iter().for_each(|square| occupied[square] = true);
        }
        let mut times = BTreeMap::from([("own", vec![0; occupied.len()]), ("enemy", vec![0; occupied.len()])]);
        for &(owner, kind) in &attacks {
            let moves_as = match kind {
                "fools" => {
                    let is = |name: &&String| {
                        name.starts_with(&format!("{owner}_fools_are_")) && board.scalars[*name] == 1.0
                    };
                    board.scalars.keys().find(is).map(|name| name.rsplit_once('_').expect("a kind").1)
                }
                _ => Some(kind),
            };
            let mut expected = vec![false; occupied.len()];
            for from in board.squares(&format!("{owner}_{kind}")) {
                let north = if owner == "own" { 1 } else { -1 };
                let attacked = match board.planes.get("jumped") {
                    Some(jumped) if jumped[from] => None,
                    Some(_) => Some(board.jumped_over(&occupied, owner, kind, from)),
                    None => moves_as.map(|kind| board.attacked(&occupied, kind, from, north)),
                };
                for square in attacked.unwrap_or_default() {
                    expected[square] = true;
                    times.get_mut(owner).expect("an owner")[square] += 1;
                }
            }
            let name = format!("{owner}_{kind}_attack");
            assert_eq!(board.planes[&name], expected, "`{name}` of {}", visit.position);
            *seen.entry(name).or_insert(0) += expected.iter().filter(|&&attacked| attacked).count();
        }
        if !attacks.is_empty() {
            for (owner, times) in &times {
                let twice: Vec<bool> = times.iter().map(|&times| times >= 2).collect();
                assert_eq!(board.planes[&format!("{owner}_attack_twice")], twice, "{owner} in {}", visit.position);
            }
        }
    }
    assert!(seen.values().all(|&squares| squares > 0), "{seen:?}");
}

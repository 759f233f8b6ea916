//! Tic-tac-toe: a solved game with the whole trait, for tests of the rooms that never name a game.
//!
//! Position string: nine characters `x`, `o`, `.`, rows from the top, then the side to move (`w` plays x). Action
//! string: the number of a square, 0-8 from the top left.

use std::{fmt, sync::LazyLock};

use maydan::game::{
    Context, Counters, Encode, Facts, Game, Layout, Material, Notation, Outcome, PlaneInfo, PositionError, Reason,
    RowMut, Rules, Show, Side, XBoard,
};

#[derive(Clone, Debug)]
pub struct TicTacToe;

/// Squares taken by each side, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    taken: [u16; 2],
    side: Side,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

impl TicTacToe {
    pub fn game() -> Game<TicTacToe> {
        Game::new(TicTacToe, "tictactoe", &toml::Table::new())
    }
}

impl Rules for TicTacToe {
    type Position = Grid;
    type Action = u8;

    fn start(&self) -> Grid {
        Grid { taken: [0; 2], side: Side::White }
    }

    fn side_to_move(&self, grid: &Grid) -> Side {
        grid.side
    }

    fn counters(&self, grid: &Grid) -> Counters {
        let bits = u64::from(grid.taken[0]) | u64::from(grid.taken[1]) << 9 | (grid.side.index() as u64) << 18;
        let marks = (grid.taken[0] | grid.taken[1]).count_ones();
        Counters::new((bits + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15), 0, marks / 2 + 1)
    }

    fn legal_actions(&self, grid: &Grid, out: &mut Vec<u8>) {
        out.clear();
        if !won(grid.taken[(!grid.side).index()]) {
            let taken = grid.taken[0] | grid.taken[1];
            out.extend((0..9).filter(|i| taken >> i & 1 == 0));
        }
    }

    fn apply(&self, grid: &mut Grid, action: u8) {
        grid.taken[grid.side.index()] |= 1 << action;
        grid.side = !grid.side;
    }

    fn ending(&self, grid: &Grid, legal: &[u8]) -> Option<Outcome> {
        if won(grid.taken[(!grid.side).index()]) {
            Some(Outcome::win(!grid.side, Reason::Checkmate))
        } else {
            legal.is_empty().then_some(Outcome::draw(Reason::Stalemate))
        }
    }
}

/// The position string.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |i: u32| match (self.taken[0] >> i & 1, self.taken[1] >> i & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        };
        let side = if self.side == Side::White { 'w' } else { 'b' };
        write!(f, "{} {side}", (0..9).map(mark).collect::<String>())
    }
}

impl Notation for TicTacToe {
    fn parse_position(&self, text: &str) -> Result<Grid, PositionError> {
        let (board, side) = text.split_once(' ').ok_or_else(|| PositionError::new("side", "missing"))?;
        let mut grid = self.start();
        if board.len() != 9 {
            return Err(PositionError::new("placement", "expected nine squares"));
        }
        for (i, mark) in board.chars().enumerate() {
            match mark {
                'x' => grid.taken[0] |= 1 << i,
                'o' => grid.taken[1] |= 1 << i,
                '.' => {}
                _ => return Err(PositionError::new("placement", format!("`{mark}` is no mark"))),
            }
        }
        grid.side = match side {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return Err(PositionError::new("side", "expected `w` or `b`")),
        };
        Ok(grid)
    }
}

impl Facts for TicTacToe {
    const ACTION_KINDS: &'static [&'static str] = &["mark"];

    fn action_kind(&self, _: &Grid, _: u8) -> usize {
        0
    }
}

impl Show for TicTacToe {
    const RULES_TEXT: &'static str = "Three in a row wins.";

    fn draw(&self, grid: &Grid) -> String {
        let text = grid.to_string();
        format!("{}\n{}\n{}\n", &text[0..3], &text[3..6], &text[6..9])
    }
}

impl XBoard for TicTacToe {}

impl Material for TicTacToe {
    fn material(&self, _: &Grid) -> i32 {
        0
    }
}

fn won(taken: u16) -> bool {
    LINES.iter().any(|line| taken & line == *line)
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout {
    version: 1,
    height: 3,
    width: 3,
    board: None,
    bit_planes: vec![PlaneInfo::new("own", "own marks", "present"), PlaneInfo::new("enemy", "enemy marks", "present")],
    scalars: vec![PlaneInfo::new("black", "Black to move", "yes")],
    action_planes: vec![PlaneInfo::new("mark", "mark this square", "")],
});

impl Encode for TicTacToe {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn encode(&self, grid: &Grid, _: Context, row: RowMut<'_>) {
        row.bits[0] = u64::from(grid.taken[grid.side.index()]);
        row.bits[1] = u64::from(grid.taken[(!grid.side).index()]);
        row.scalars[0] = grid.side.index() as f32;
    }

    fn action_index(&self, _: &Grid, action: u8) -> usize {
        usize::from(action)
    }

    fn mirror_applies(&self, _: &Grid) -> bool {
        true
    }

    fn mirror_action(&self, index: usize) -> usize {
        index / 3 * 3 + 2 - index % 3
    }
}

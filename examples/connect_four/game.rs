//! Connect Four through the library's traits: the rules, and the facets that training needs.
//!
//! White (`x`) moves first. A turn puts a stone into a column that is not full; four in a row, in any of the four
//! directions, win; a full board is a draw. An action is the number of a column from the left, 0 to 6.

use std::sync::LazyLock;

use maydan::game::{
    Context, Counters, Encode, Facts, Game, Layout, Material, Notation, Outcome, PlaneInfo, PositionError, Reason,
    RowMut, Rules, Show, Side, XBoard,
};

use super::board::{Board, COLUMNS, ROWS, STRIDE, key};

#[derive(Clone, Debug)]
pub struct ConnectFour;

impl ConnectFour {
    pub fn game() -> Game<ConnectFour> {
        Game::new(ConnectFour, "connect-four", &toml::Table::new())
    }
}

impl Rules for ConnectFour {
    type Position = Board;
    type Action = u8;

    fn start(&self) -> Board {
        Board::empty()
    }

    fn side_to_move(&self, board: &Board) -> Side {
        board.side()
    }

    fn counters(&self, board: &Board) -> Counters {
        /// Odd, so that the product is as unique as the key.
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let white = if board.side() == Side::White { board.own() } else { board.other() };
        let key = (key(white, board.occupied()) | (board.side().index() as u64) << 63).wrapping_mul(SPREAD);
        Counters::new(key, 0, board.occupied().count_ones() / 2 + 1)
    }

    fn legal_actions(&self, board: &Board, out: &mut Vec<u8>) {
        out.clear();
        if !board.is_won() {
            out.extend((0..COLUMNS as u8).filter(|&column| board.landing(column) != 0));
        }
    }

    fn count_legal_actions(&self, board: &Board) -> u64 {
        if board.is_won() { 0 } else { board.landings().count_ones().into() }
    }

    fn apply(&self, board: &mut Board, column: u8) {
        board.drop_stone(column);
    }

    fn ending(&self, board: &Board, legal: &[u8]) -> Option<Outcome> {
        let won = board.is_won().then(|| Outcome::win(!board.side(), Reason::Checkmate));
        won.or_else(|| legal.is_empty().then_some(Outcome::draw(Reason::Stalemate)))
    }
}

impl Notation for ConnectFour {
    fn parse_position(&self, text: &str) -> Result<Board, PositionError> {
        let (placement, side) = text.split_once(' ').ok_or_else(|| PositionError::new("side", "missing"))?;
        let rows: Vec<&str> = placement.split('/').collect();
        if rows.len() != ROWS {
            return Err(PositionError::new("placement", format!("expected {ROWS} rows, found {}", rows.len())));
        }
        let mut stones = [0; 2];
        for (row, line) in (0..ROWS).rev().zip(rows) {
            if line.chars().count() != COLUMNS {
                let reason = format!("row {}: expected {COLUMNS} squares", row + 1);
                return Err(PositionError::new("placement", reason));
            }
            for (column, mark) in line.chars().enumerate() {
                let square = 1 << (STRIDE * row + column);
                match mark {
                    'x' => stones[Side::White.index()] |= square,
                    'o' => stones[Side::Black.index()] |= square,
                    '.' => {}
                    _ => {
                        let reason = format!("row {}: expected `x`, `o` and `.`, found {mark:?}", row + 1);
                        return Err(PositionError::new("placement", reason));
                    }
                }
            }
        }
        match side {
            "w" => Board::new(stones, Side::White),
            "b" => Board::new(stones, Side::Black),
            _ => Err(PositionError::new("side", "expected `w` or `b`")),
        }
    }
}

impl Facts for ConnectFour {
    const ACTION_KINDS: &'static [&'static str] = &["drop"];

    fn action_kind(&self, _: &Board, _: u8) -> usize {
        0
    }
}

impl Show for ConnectFour {
    const RULES_TEXT: &'static str = "Stones fall to the lowest free square of a column. Four in a row win.";

    fn draw(&self, board: &Board) -> String {
        let text = board.to_string();
        let (placement, _) = text.split_once(' ').expect("a position string has two fields");
        placement.replace('/', "\n") + "\n"
    }
}

impl XBoard for ConnectFour {}

impl Material for ConnectFour {
    fn material(&self, _: &Board) -> i32 {
        0
    }
}

/// What the network sees: own stones, the other side's, and whose turn it is. An action is the square on which its
/// stone lands, so that the policy is a plane of the board.
static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout {
    version: 1,
    height: ROWS,
    width: COLUMNS,
    board: None,
    bit_planes: vec![PlaneInfo::new("own", "own stones", "present"), PlaneInfo::new("other", "others", "present")],
    scalars: vec![PlaneInfo::new("black", "Black to move", "yes")],
    action_planes: vec![PlaneInfo::new("drop", "a stone lands on this square", "")],
});

impl Encode for ConnectFour {
    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn encode(&self, board: &Board, _: Context, row: RowMut<'_>) {
        row.bits[0] = plane(board.own());
        row.bits[1] = plane(board.other());
        row.scalars[0] = board.side().index() as f32;
    }

    fn action_index(&self, board: &Board, column: u8) -> usize {
        plane(board.landing(column)).trailing_zeros() as usize
    }

    fn mirror_applies(&self, _: &Board) -> bool {
        true
    }

    fn mirror_action(&self, index: usize) -> usize {
        index / COLUMNS * COLUMNS + (COLUMNS - 1) - index % COLUMNS
    }
}

/// Squares of the board as a plane of bits, without the place between the rows.
fn plane(squares: u64) -> u64 {
    (0..ROWS).map(|row| (squares >> (STRIDE * row) & 0x7f) << (COLUMNS * row)).sum()
}

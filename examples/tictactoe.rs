//! A game of one's own, from its rules to a trained network: tic-tac-toe through the library's traits.
//!
//! ```sh
//! cargo run --release --example tictactoe
//! ```
//!
//! Needs libtorch (feature `torch`) and about a minute. Trains for some generations in a temporary folder: self-play
//! fills the replay buffer, the trainer learns from it, and each generation ends with a checkpoint. Prints a line for
//! each phase, and at the end how the untrained and the trained network score against random actions.

use std::{
    fmt,
    sync::{Arc, LazyLock, atomic::AtomicBool},
};

use anyhow::Result;
use maydan::{
    disk::ConfigChange,
    evaluate::{Contender, MatchConfig, match_search, play_match},
    game::{
        Context, Counters, Encode, Facts, Game, Layout, Material, Notation, Outcome, PlaneInfo, PositionError, Reason,
        RowMut, Rules, Show, Side, XBoard,
    },
    model::{Checkpoint, backend::BackendConfig},
    pipeline::{Config, Run},
};

/// The last generation; generation 0 is the untrained network.
const GENERATIONS: u64 = 12;

/// What differs from the defaults, as in the files of `configs/`. Temperature 2 over the first plies varies the games.
const CONFIG: &str = r#"
game = "tictactoe"
run = { seed = 1, generations = 12 }
model = { blocks = 1, channels = 16, policy_channels = 16, value_channels = 16, value_hidden = 16 }
train = { batch_size = 64, threads = 1, warmup_steps = 20 }
evaluate = { every = 0 }
[selfplay]
games = 200
games_per_file = 200
slots = 32
opening = { max_plies = 6, temperature = 2.0 }
search = { playouts = 32, considered_actions = 9 }
"#;

#[derive(Clone, Debug)]
struct TicTacToe;

/// Squares taken by each side, a bit each from the top left, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Grid {
    taken: [u16; 2],
    side: Side,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

impl Grid {
    /// Whether the side that has just moved has a line.
    fn is_won(&self) -> bool {
        LINES.iter().any(|line| self.taken[(!self.side).index()] & line == *line)
    }
}

/// The position string: `x`, `o` and `.` by square, then the side to move.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |i: u32| ['.', 'x', 'o'][usize::from(self.taken[0] >> i & 1 | (self.taken[1] >> i & 1) << 1)];
        write!(f, "{} {}", (0..9).map(mark).collect::<String>(), self.side)
    }
}

/// All that the search needs. An action is the number of a square.
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
        if !grid.is_won() {
            out.extend((0..9).filter(|i| (grid.taken[0] | grid.taken[1]) >> i & 1 == 0));
        }
    }

    fn apply(&self, grid: &mut Grid, action: u8) {
        grid.taken[grid.side.index()] |= 1 << action;
        grid.side = !grid.side;
    }

    fn ending(&self, grid: &Grid, legal: &[u8]) -> Option<Outcome> {
        let won = grid.is_won().then(|| Outcome::win(!grid.side, Reason::Checkmate));
        won.or_else(|| legal.is_empty().then_some(Outcome::draw(Reason::Stalemate)))
    }
}

impl Notation for TicTacToe {
    fn parse_position(&self, text: &str) -> Result<Grid, PositionError> {
        let (board, side) = text.split_once(' ').ok_or_else(|| PositionError::new("side", "missing"))?;
        if board.len() != 9 || board.chars().any(|mark| !"xo.".contains(mark)) {
            return Err(PositionError::new("placement", "expected nine of `x`, `o` and `.`"));
        }
        let side = side.parse().map_err(|_| PositionError::new("side", "expected `white` or `black`"))?;
        let taken = ['x', 'o'].map(|own| board.chars().zip(0..).map(|(mark, i)| u16::from(mark == own) << i).sum());
        Ok(Grid { taken, side })
    }
}

/// What the files of games say beside positions and actions.
impl Facts for TicTacToe {
    const ACTION_KINDS: &'static [&'static str] = &["mark"];

    fn action_kind(&self, _: &Grid, _: u8) -> usize {
        0
    }
}

impl Show for TicTacToe {
    const RULES_TEXT: &'static str = "Three in a row win.";

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

/// What the network sees: own marks, the other side's, and whose turn it is; one action a square.
static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout {
    version: 1,
    height: 3,
    width: 3,
    board: None,
    bit_planes: vec![PlaneInfo::new("own", "own marks", "present"), PlaneInfo::new("other", "others", "present")],
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

fn main() -> Result<()> {
    let game = Game::new(TicTacToe, "tictactoe", &toml::Table::new());
    let config = Config::parse(CONFIG, "tictactoe", &[])?;
    let folder = tempfile::tempdir()?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut run = Run::open(game.clone(), config, folder.path(), "demo", ConfigChange::Refuse, stop.clone())?;
    run.train(None)?;

    // One playout a move: what is measured is the network, not the search.
    for generation in [0, GENERATIONS] {
        let checkpoint = Checkpoint::load_for(&run.directory().checkpoint(generation), &game)?;
        let network = Contender::network(checkpoint, BackendConfig::default(), match_search(1), 1)?;
        let config = MatchConfig { games: 400, opening_plies: 1, ..MatchConfig::default() };
        let players = [&network, &Contender::Random];
        let report = play_match(&game, players, ["network", "random"], &config, &stop, |_, _| {})?;
        let total = report.total();
        println!(
            "generation {generation} against random: +{} ={} -{}, score {:.3}",
            total.wins,
            total.draws,
            total.losses,
            total.score()
        );
    }
    Ok(())
}

//! Random games of every game: steps a second, a step being the legal list, a uniform pick, the action played and the
//! test of the end. Chess beside the same loop over cozy-chess, each also writing what a network sees of every
//! position. Run with `cargo bench --bench playouts`; words after `--` choose among the tables. `benches/playouts.py`
//! lays OpenSpiel and Pgx beside these.
//!
//! Games end as their rulesets say, repetition and insufficient material included. cozy-chess reports the lack of
//! moves, the clock and a hash; the loop over it looks for the third occurrence and for insufficient material itself,
//! as ours does, and stops at 512 plies too.

mod measure;

use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square};
use maydan::{
    encode::Rows,
    game::{
        Encode, Game, History, Playable,
        random::{self, Rng},
        registry::{GameVisitor, IDS, with_game},
        shatara::{Position, Shatara},
    },
};
use measure::Table;
use rand::seq::IndexedRandom;

/// Games that are played at a time.
const GAMES: usize = 20;

fn main() {
    for id in IDS {
        with_game(id, &toml::Table::new(), EveryGame).expect("the presets are rulesets");
    }
    let chess = Shatara::chess(&toml::Table::new()).expect("a preset is a ruleset");
    let (mut ours, mut theirs) = (Loop::new(&chess), CozyLoop::new());
    Table::new("chess beside cozy-chess, no planes", "maydan", || ours.play(|_, _| ()))
        .against("cozy-chess", 0.8, || theirs.play(|_, _| ()))
        .print();

    compare_rows(&chess);
    let (mut ours, mut theirs) = (Loop::new(&chess), CozyLoop::new());
    let (mut our_rows, mut their_rows) = (Rows::new(chess.layout()), Rows::new(chess.layout()));
    let mut our_packed = |position: &Position, repetitions| {
        our_rows.clear();
        our_rows.push(&chess, position, repetitions);
    };
    let mut their_packed = |board: &Board, repetitions| {
        their_rows.clear();
        write_planes(board, repetitions, &mut their_rows);
    };
    Table::new("chess beside cozy-chess, packed planes", "maydan", || ours.play(&mut our_packed))
        .against("cozy-chess", 0.8, || theirs.play(&mut their_packed))
        .print();
}

struct EveryGame;

impl GameVisitor for EveryGame {
    type Output = ();

    fn visit<R: Playable>(self, game: Game<R>) {
        let (mut bare, mut packed, mut unpacked) = (Loop::new(&game), Loop::new(&game), Loop::new(&game));
        let layout = game.layout();
        let (mut rows, mut other_rows) = (Rows::new(layout), Rows::new(layout));
        let mut planes = vec![0.0; layout.channels() * layout.squares()];
        let title = format!("{}, random games", game.ruleset().game);
        Table::new(title, "no planes", || bare.play(|_, _| ()))
            .beside("packed planes", || {
                packed.play(|position, repetitions| {
                    rows.clear();
                    rows.push(&game, position, repetitions);
                })
            })
            .beside("planes of f32", || {
                unpacked.play(|position, repetitions| {
                    other_rows.clear();
                    other_rows.push(&game, position, repetitions);
                    other_rows.unpack(0, &mut planes);
                })
            })
            .print();
    }
}

/// Random games of ours.
struct Loop<'a, R: Encode> {
    game: &'a Game<R>,
    rng: Rng,
    actions: Vec<R::Action>,
}

impl<'a, R: Encode> Loop<'a, R> {
    fn new(game: &'a Game<R>) -> Self {
        Loop { game, rng: random::stream("playouts", 1, 0, 0), actions: Vec::new() }
    }

    /// Plays some games and shows every position to `see`; returns the number of steps.
    fn play(&mut self, mut see: impl FnMut(&R::Position, u32)) -> u64 {
        let mut steps = 0;
        for _ in 0..GAMES {
            let mut position = self.game.start();
            let mut history = History::new(self.game, &position);
            loop {
                self.game.legal_actions(&position, &mut self.actions);
                let repetitions = history.repetitions(self.game, &position);
                if self.game.outcome(&position, &self.actions, repetitions).is_some() {
                    break;
                }
                see(&position, repetitions);
                let action = *self.actions.choose(&mut self.rng).expect("a game without an outcome has legal actions");
                self.game.apply(&mut position, action);
                history.push(self.game, &position);
                steps += 1;
            }
        }
        steps
    }
}

/// The same games over cozy-chess.
struct CozyLoop {
    rng: Rng,
    moves: Vec<Move>,
}

impl CozyLoop {
    fn new() -> Self {
        CozyLoop { rng: random::stream("playouts", 1, 0, 0), moves: Vec::new() }
    }

    fn play(&mut self, mut see: impl FnMut(&Board, u32)) -> u64 {
        let mut steps = 0;
        for _ in 0..GAMES {
            let mut board = Board::default();
            let mut hashes = vec![board.hash()];
            loop {
                self.moves.clear();
                board.generate_moves(|moves| {
                    self.moves.extend(moves);
                    false
                });
                let (&hash, before) = hashes.split_last().expect("the first is there");
                let reach = before.len().min(board.halfmove_clock().into());
                let same = before[before.len() - reach..].iter().filter(|&&other| other == hash);
                let repetitions = same.count() as u32;
                let over = self.moves.is_empty() || board.halfmove_clock() >= 100 || is_insufficient(&board);
                if over || repetitions >= 2 || before.len() >= 512 {
                    break;
                }
                see(&board, repetitions);
                board.play_unchecked(*self.moves.choose(&mut self.rng).expect("there is a move"));
                hashes.push(board.hash());
                steps += 1;
            }
        }
        steps
    }
}

/// Sees that both say the same of a position: else the table would lay unequal work side by side.
fn compare_rows(chess: &Game<Shatara>) {
    let (mut ours, mut theirs) = (Rows::new(chess.layout()), Rows::new(chess.layout()));
    Loop::new(chess).play(|position, repetitions| {
        let text = position.to_string().replace("[]", "");
        let fields: Vec<&str> = text.split(' ').collect();
        let [placement, side, castling, passed, _, clock, number] = fields[..] else {
            panic!("{text}: expected seven fields")
        };
        let fen = format!("{placement} {side} {castling} {passed} {clock} {number}");
        let board = Board::from_fen(&fen, false).expect("a position of chess");
        ours.clear();
        ours.push(chess, position, repetitions);
        theirs.clear();
        write_planes(&board, repetitions, &mut theirs);
        assert_eq!((ours.bits(0), ours.scalars(0)), (theirs.bits(0), theirs.scalars(0)), "{text}");
    });
}

/// No pawn, rook or queen, and at most one knight or bishop.
fn is_insufficient(board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    heavy.is_empty() && (board.pieces(Piece::Knight) | board.pieces(Piece::Bishop)).len() <= 1
}

/// Squares that a piece attacks.
fn attacks(color: Color, piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => cozy_chess::get_pawn_attacks(from, color),
        Piece::Knight => cozy_chess::get_knight_moves(from),
        Piece::Bishop => cozy_chess::get_bishop_moves(from, occupied),
        Piece::Rook => cozy_chess::get_rook_moves(from, occupied),
        Piece::Queen => cozy_chess::get_bishop_moves(from, occupied) | cozy_chess::get_rook_moves(from, occupied),
        Piece::King => cozy_chess::get_king_moves(from),
    }
}

/// What our encoding of chess says of a position, from cozy-chess's board.
fn write_planes(board: &Board, repetitions: u32, rows: &mut Rows) {
    let own = board.side_to_move();
    let turned = |set: BitBoard| if own == Color::White { set.0 } else { set.0.swap_bytes() };
    let row = rows.push_blank();
    for (i, piece) in Piece::ALL.into_iter().enumerate() {
        row.bits[i] = turned(board.colored_pieces(own, piece));
        row.bits[6 + i] = turned(board.colored_pieces(!own, piece));
    }
    let passed = |file: File| Square::new(file, Rank::Sixth.relative_to(own)).bitboard();
    row.bits[14] = board.en_passant().map_or(0, |file| turned(passed(file)));
    for (planes, color) in row.bits[15..].chunks_exact_mut(7).zip([own, !own]) {
        let (mut all, mut twice) = (BitBoard::EMPTY, BitBoard::EMPTY);
        for (plane, piece) in planes.iter_mut().zip(Piece::ALL) {
            for from in board.colored_pieces(color, piece) {
                let attacked = attacks(color, piece, from, board.occupied());
                twice |= all & attacked;
                all |= attacked;
                *plane |= turned(attacked);
            }
        }
        planes[6] = turned(twice);
    }
    for (i, color) in [own, !own].into_iter().enumerate() {
        let rights = board.castle_rights(color);
        row.scalars[2 * i] = f32::from(u8::from(rights.short.is_some()));
        row.scalars[2 * i + 1] = f32::from(u8::from(rights.long.is_some()));
    }
    let counters = [
        f32::from(board.halfmove_clock()) / 100.0,
        // How near the limit of plies is, which takes the number of the move.
        f32::from(board.fullmove_number().saturating_sub(207)) / 50.0,
        f32::from(own as u8),
        f32::from(u8::from(repetitions >= 1)),
        f32::from(u8::from(repetitions >= 2)),
    ];
    row.scalars[14..].copy_from_slice(&counters);
}

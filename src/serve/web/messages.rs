//! Messages between page and server: each is one JSON object, whose field `type` names its kind.

use serde::{Deserialize, Serialize};

use crate::{
    game::{
        Mark, Outcome, Reason, Ruleset, Side, TextGame, Wdl, Words,
        gesture::{Gesture, Origin},
        text_game::{LegalAction, Piece, Scene},
    },
    search::Proof,
    serve::{Report, Variation, protocol::Plain},
};

/// Version of the messages.
pub(super) const VERSION: u32 = 4;

/// What the page asks for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Request {
    /// Another game, against a bot by its number.
    New {
        bot: usize,
        /// Where every game starts, if none is given.
        #[serde(default)]
        position: Option<String>,
        #[serde(default)]
        actions: Vec<String>,
    },
    /// A game from its record.
    Load { bot: usize, record: String },
    /// An action of a person, of either side.
    Play { action: String },
    /// Takes actions back.
    Undo {
        #[serde(default = "one")]
        plies: usize,
        /// How many actions stay, instead of how many go: what the bot plays meanwhile makes no difference.
        #[serde(default)]
        after: Option<usize>,
    },
    /// Shows the position after the first actions of the game, which goes on as it stands.
    Look {
        /// How many actions.
        after: usize,
    },
    /// The bot plays for the side to move.
    Move {
        #[serde(default)]
        playouts: Option<u32>,
        /// How long it thinks; without playouts beside it, that alone ends the search.
        #[serde(default)]
        seconds: Option<f32>,
        /// Temperature at which it draws its first actions of a game; 0 for always the best.
        #[serde(default)]
        variety: f32,
    },
    /// The bot searches and does not play.
    Analyse {
        #[serde(default)]
        playouts: Option<u32>,
        #[serde(default)]
        candidates: Option<u32>,
    },
    /// Ends the search under way.
    Stop,
}

fn one() -> usize {
    1
}

/// What a client cannot have, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// A word for programs.
    id: &'static str,
    message: String,
}

impl Refusal {
    pub(super) fn new(id: &'static str, message: impl ToString) -> Self {
        Refusal { id, message: message.to_string() }
    }

    /// The same, with where in the client's message it is.
    pub(super) fn at(self, place: &str) -> Self {
        Refusal { message: format!("{place}: {}", self.message), ..self }
    }
}

/// Fit to be shown, whatever it quotes.
impl From<Refusal> for Reply {
    fn from(Refusal { id, message }: Refusal) -> Self {
        Reply::Error { message: Plain(message).to_string(), id }
    }
}

/// What the server says.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Reply {
    Hello(Hello),
    State(Box<State>),
    Past(Box<Past>),
    Thought(ReportInfo),
    /// The search under way has ended, and played nothing.
    Idle,
    Error {
        /// One line for a person.
        message: String,
        /// A word for a program.
        id: &'static str,
    },
}

/// The first message of a conversation.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Hello {
    pub version: u32,
    pub program: &'static str,
    pub bots: Vec<BotInfo>,
    pub limits: LimitsInfo,
}

/// A bot and what it plays.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BotInfo {
    pub name: String,
    pub game: String,
    pub ruleset: String,
    pub options: toml::Table,
    pub start: String,
    /// Playouts before a move that its maker suggests.
    pub playouts: u32,
    pub elo: Option<f64>,
    pub rules: &'static str,
    pub board: BoardInfo,
    /// Letters of all kinds of pieces.
    pub kinds: String,
    pub zone_kinds: &'static str,
    pub words: Words,
}

/// The grid of a board and the squares on it; a place without one is a hole.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BoardInfo {
    pub rows: usize,
    pub columns: usize,
    pub squares: Vec<PlaceInfo>,
}

/// A square on the grid: row 0 on White's side, column 0 on White's left.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PlaceInfo {
    pub name: String,
    pub row: usize,
    pub column: usize,
    /// The side whose home it is, or `field`.
    pub ground: String,
}

/// What a client may ask for.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LimitsInfo {
    pub playouts: u32,
    pub seconds: f32,
    pub candidates: u32,
    pub actions: usize,
    pub message_bytes: usize,
}

/// The game as it stands.
#[derive(Clone, Debug, Serialize)]
pub(super) struct State {
    pub bot: usize,
    /// Plies from the start, by the position's own counters.
    pub ply: u32,
    #[serde(flatten)]
    pub sight: Sight,
    /// Empty once the game is over.
    pub legal: Vec<ActionInfo>,
    pub moves: Vec<Move>,
    pub outcome: Option<OutcomeInfo>,
    pub record: String,
}

/// An earlier position of the game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Past {
    /// How many actions of the game led to it.
    pub after: usize,
    #[serde(flatten)]
    pub sight: Sight,
}

/// What there is to see in a position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Sight {
    pub side: Side,
    pub position: String,
    pub pieces: Vec<PieceInfo>,
    pub zones: Zones,
    pub marks: Vec<MarkInfo>,
    /// Squares of the action that led to it.
    pub last: Vec<String>,
    /// Where the king of the side to move is in check.
    pub check: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct PieceInfo {
    pub square: String,
    pub kind: char,
    pub side: Side,
}

impl From<Piece> for PieceInfo {
    fn from(Piece { square, kind, side }: Piece) -> Self {
        PieceInfo { square, kind, side }
    }
}

/// Pieces of each side's zone, in the order of the zone kinds.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Zones {
    pub white: Vec<u8>,
    pub black: Vec<u8>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct MarkInfo {
    pub square: String,
    pub mark: String,
}

/// A legal action, and the gesture that makes it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ActionInfo {
    pub action: String,
    pub kind: &'static str,
    /// A square, or `zone:` and the kind that is taken from there.
    pub from: Option<String>,
    pub to: Option<String>,
    pub choice: Option<String>,
}

impl From<LegalAction> for ActionInfo {
    fn from(LegalAction { action, kind }: LegalAction) -> Self {
        let gesture = Gesture::of(&action);
        let from = gesture.map(|gesture| match gesture.from {
            Origin::Square(name) => name.to_owned(),
            Origin::Zone(kind) => format!("zone:{kind}"),
        });
        let to = gesture.map(|gesture| gesture.to.to_owned());
        let choice = gesture.and_then(|gesture| gesture.choice).map(str::to_owned);
        ActionInfo { action, kind, from, to, choice }
    }
}

/// An action that was played, by whom, and what a reader of the game needs beside its string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Move {
    pub action: String,
    pub side: Side,
    /// One of the game's kinds of action.
    pub kind: &'static str,
    /// Letter of the piece that acted, upper case; none for an action that is no gesture on the board.
    pub piece: Option<char>,
    /// Whether it took or jumped an enemy.
    pub capture: bool,
    /// Whether it gave check.
    pub check: bool,
}

impl Move {
    /// What `action` did that led from one scene to the other.
    pub(super) fn new(action: &str, before: &Scene, after: &Scene, check: bool) -> Self {
        let piece = Gesture::of(action).and_then(|gesture| match gesture.from {
            Origin::Zone(kind) => Some(kind),
            Origin::Square(name) => before.pieces.iter().find(|piece| piece.square == name).map(|piece| piece.kind),
        });
        let legal = before.legal.iter().find(|legal| legal.action == action);
        Move {
            action: action.to_owned(),
            side: before.side,
            kind: legal.map_or("", |legal| legal.kind),
            piece,
            capture: enemies(before, before.side) > enemies(after, before.side),
            check,
        }
    }
}

/// Pieces of the other side that are on the board to stay: a jumped one leaves it when the series ends.
fn enemies(scene: &Scene, side: Side) -> usize {
    let is_jumped = |square: &str| scene.marks.iter().any(|(name, mark)| name == square && *mark == Mark::Jumped);
    scene.pieces.iter().filter(|piece| piece.side != side && !is_jumped(&piece.square)).count()
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct OutcomeInfo {
    /// `None` for a draw.
    pub winner: Option<Side>,
    pub reason: Reason,
}

impl From<Outcome> for OutcomeInfo {
    fn from(Outcome { winner, reason }: Outcome) -> Self {
        OutcomeInfo { winner, reason }
    }
}

/// How far a search has got. Chances are win, draw and loss for the side to move.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ReportInfo {
    pub playouts: u32,
    pub seconds: f32,
    pub value: Wdl,
    pub candidates: Vec<CandidateInfo>,
}

/// An action that the bot considers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CandidateInfo {
    pub action: String,
    pub visits: u32,
    pub wdl: Wdl,
    pub proof: Option<&'static str>,
    /// Plies to the end that is proven.
    pub plies: Option<u16>,
    pub line: Vec<String>,
}

impl From<Report> for ReportInfo {
    fn from(report: Report) -> Self {
        ReportInfo {
            playouts: report.playouts,
            seconds: report.time.as_secs_f32(),
            value: report.wdl,
            candidates: report.variations.into_iter().map(CandidateInfo::from).collect(),
        }
    }
}

impl From<Variation> for CandidateInfo {
    fn from(variation: Variation) -> Self {
        let proof = match variation.proof {
            Proof::Win(_) => Some("win"),
            Proof::Draw(_) => Some("draw"),
            Proof::Loss(_) => Some("loss"),
            Proof::Unknown => None,
        };
        CandidateInfo {
            action: variation.actions.first().cloned().unwrap_or_default(),
            visits: variation.visits,
            wdl: variation.wdl,
            proof,
            plies: variation.proof.plies(),
            line: variation.actions,
        }
    }
}

impl BoardInfo {
    pub(super) fn of(rules: &dyn TextGame) -> Self {
        let (rows, columns) = rules.grid();
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let squares = places.filter_map(|(row, column)| {
            let square = rules.square(row, column)?;
            let ground = square.home.map_or("field".to_owned(), |side| side.to_string());
            Some(PlaceInfo { name: square.name, row, column, ground })
        });
        BoardInfo { rows, columns, squares: squares.collect() }
    }
}

impl BotInfo {
    /// What is to be said of a bot called `name` that plays by `rules`.
    pub(super) fn new(name: &str, rules: &dyn TextGame, playouts: u32, elo: Option<f64>) -> Self {
        let Ruleset { game, hash, options } = rules.ruleset().clone();
        let start = rules.start();
        let pieces = rules.scene(&start).map(|scene| scene.pieces).unwrap_or_default();
        let mut kinds: Vec<char> = pieces.iter().map(|piece| piece.kind).chain(rules.zone_kinds().chars()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        BotInfo {
            name: name.to_owned(),
            game,
            ruleset: hash,
            options,
            start,
            playouts,
            elo,
            rules: rules.text(),
            board: BoardInfo::of(rules),
            kinds: kinds.into_iter().collect(),
            zone_kinds: rules.zone_kinds(),
            words: rules.words().clone(),
        }
    }
}

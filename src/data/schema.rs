//! The columns of a file of games: the one place that says what each is called, holds and means.

use std::{fmt::Write, sync::Arc};

use arrow_schema::{DataType, Field, Schema};

/// Changes whenever a column changes its name, type or meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// Keys of the file's metadata, each with what it holds.
pub const METADATA: &[(&str, &str)] = &[
    (key::SCHEMA, "version of these columns"),
    (key::GAME, "game id"),
    (key::RULESET, "hash of the ruleset; files of different rulesets are never mixed"),
    (key::OPTIONS, "every option of the ruleset, TOML"),
    (key::ENCODING, "version of the planes and action indices"),
    (key::SEED, "seed of the run"),
    (key::GENERATION, "generation"),
    (key::CHECKPOINT, "checkpoint that played"),
    (key::FIRST_GAME, "index of the first game of the file within its generation"),
    (key::GAMES, "number of games in the file, all of them whole"),
    (
        key::ACTION_KINDS,
        "names of the kinds of action, separated by spaces, in the order of the numbers in `legal_kinds`",
    ),
    (key::ZONE_KINDS, "letters of the men counted by `zone_white` and `zone_black`, in their order"),
];

/// Names of the metadata keys.
pub(super) mod key {
    pub const SCHEMA: &str = "maydan.schema";
    pub const GAME: &str = "maydan.game";
    pub const RULESET: &str = "maydan.ruleset";
    pub const OPTIONS: &str = "maydan.options";
    pub const ENCODING: &str = "maydan.encoding";
    pub const SEED: &str = "maydan.seed";
    pub const GENERATION: &str = "maydan.generation";
    pub const CHECKPOINT: &str = "maydan.checkpoint";
    pub const FIRST_GAME: &str = "maydan.first_game";
    pub const GAMES: &str = "maydan.games";
    pub const ACTION_KINDS: &str = "maydan.action_kinds";
    pub const ZONE_KINDS: &str = "maydan.zone_kinds";
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int8,
    UInt16,
    UInt32,
    Float,
    Text,
    Bytes,
    ListUInt8,
    ListUInt32,
    ListFloat,
}

impl Type {
    /// The Arrow type.
    pub fn arrow(self) -> DataType {
        let list = |item: DataType, nullable: bool| DataType::List(Arc::new(Field::new_list_field(item, nullable)));
        match self {
            Type::Bool => DataType::Boolean,
            Type::Int8 => DataType::Int8,
            Type::UInt16 => DataType::UInt16,
            Type::UInt32 => DataType::UInt32,
            Type::Float => DataType::Float32,
            Type::Text => DataType::Utf8,
            Type::Bytes => DataType::Binary,
            Type::ListUInt8 => list(DataType::UInt8, true),
            Type::ListUInt32 => list(DataType::UInt32, true),
            Type::ListFloat => list(DataType::Float32, true),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int8 => "int8",
            Type::UInt16 => "uint16",
            Type::UInt32 => "uint32",
            Type::Float => "float32",
            Type::Text => "string",
            Type::Bytes => "binary",
            Type::ListUInt8 => "list<uint8>",
            Type::ListUInt32 => "list<uint32>",
            Type::ListFloat => "list<float32>",
        }
    }
}

/// Whose eyes a column's numbers are seen with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Those of the side to move in the row.
    Mover,
    /// Nobody's: the same whoever looks.
    Neutral,
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub name: &'static str,
    pub ty: Type,
    /// Whether a row may lack it.
    pub nullable: bool,
    pub view: View,
    pub unit: &'static str,
    pub meaning: &'static str,
}

const fn column(name: &'static str, ty: Type, view: View, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, ty, nullable: false, view, unit, meaning }
}

const fn optional(name: &'static str, ty: Type, view: View, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, ty, nullable: true, view, unit, meaning }
}

/// Columns that training reads.
pub const TRAINING: &[Column] = &[
    column(
        "planes",
        Type::Bytes,
        View::Mover,
        "bits",
        "bit planes of the encoded position: little-endian 64-bit words, ceil(H * W / 64) a plane; bit `row * W + column`, lowest first",
    ),
    column("scalars", Type::ListFloat, View::Mover, "", "scalars of the encoded position, each a plane of one value"),
    column("legal", Type::ListUInt32, View::Mover, "action index", "the L legal actions, in the game's fixed order"),
    column(
        "policy",
        Type::ListFloat,
        View::Mover,
        "probability",
        "policy target beside `legal`: the search's improved policy; empty without a search",
    ),
    column("value", Type::Int8, View::Mover, "", "how the game ended: 1 win, 0 draw, -1 loss"),
    optional("root_win", Type::Float, View::Mover, "probability", "win by the search; null without one"),
    optional("root_draw", Type::Float, View::Mover, "probability", "draw by the search; null without one"),
    optional("root_loss", Type::Float, View::Mover, "probability", "loss by the search; null without one"),
    column(
        "moves_left",
        Type::UInt32,
        View::Neutral,
        "plies",
        "plies until the end of the game as it was played, this one included",
    ),
    column(
        "decision",
        Type::Text,
        View::Neutral,
        "",
        "how the action was decided on: `full` search (teaches policy and value), `cheap` search (teaches the value), \
         `opening` (drawn from the network's policy to vary the openings; teaches nothing), `forced` (the only legal action; teaches nothing)",
    ),
    column("mirror", Type::Bool, View::Neutral, "", "whether the rules are symmetric left to right in this position"),
];

/// Columns for people and statistics.
pub const RECORD: &[Column] = &[
    column("game_id", Type::Text, View::Neutral, "", "generation and game index, `000042-000123`"),
    column("generation", Type::UInt32, View::Neutral, "", "generation that played the game"),
    column("game_index", Type::UInt32, View::Neutral, "", "the game's index within its generation, from 0"),
    column("ply", Type::UInt32, View::Neutral, "plies", "decisions before this one, from 0"),
    column("side", Type::Text, View::Neutral, "", "side to move: `white` or `black`"),
    column("position", Type::Text, View::Neutral, "", "position string before the action"),
    column("action", Type::Text, View::Neutral, "", "action string"),
    column("action_kind", Type::Text, View::Neutral, "", "kind of the action, one of `maydan.action_kinds`"),
    column(
        "legal_kinds",
        Type::ListUInt8,
        View::Neutral,
        "",
        "kind of each action beside `legal`, counted from 0 in `maydan.action_kinds`",
    ),
    column(
        "zone_white",
        Type::ListUInt8,
        View::Neutral,
        "men",
        "White's zone before the action, by kind as in `maydan.zone_kinds`",
    ),
    column("zone_black", Type::ListUInt8, View::Neutral, "men", "Black's zone likewise"),
    column("chosen", Type::UInt16, View::Neutral, "", "place of the action in `legal`, from 0"),
    column(
        "visits",
        Type::ListUInt32,
        View::Neutral,
        "playouts",
        "visits of each action beside `legal` at the root; empty without a search",
    ),
    column(
        "q",
        Type::ListFloat,
        View::Mover,
        "value in [-1, 1]",
        "value of each action beside `legal`, null where not visited; empty without a search",
    ),
    column("chosen_visits", Type::UInt32, View::Neutral, "playouts", "visits of the action played; 0 without a search"),
    column("total_visits", Type::UInt32, View::Neutral, "playouts", "visits of all actions; 0 without a search"),
    optional(
        "chosen_prior",
        Type::Float,
        View::Mover,
        "probability",
        "the network's probability of the action played; null when it was not asked",
    ),
    optional(
        "net_win",
        Type::Float,
        View::Mover,
        "probability",
        "win by the network alone; null when it was not asked",
    ),
    optional("net_draw", Type::Float, View::Mover, "probability", "draw likewise"),
    optional("net_loss", Type::Float, View::Mover, "probability", "loss likewise"),
    column("result", Type::Text, View::Neutral, "", "how the game ended: `white`, `black` or `draw`"),
    column(
        "reason",
        Type::Text,
        View::Neutral,
        "",
        "why it ended: `checkmate`, `stalemate`, `king_captured`, `no_action`, `no_progress`, `insufficient`, `repetition`, `max_plies`, \
         `resignation` (after the last row's action, by the side of that row), `agreement` (both sides' values stayed near a draw) or `cut_off` \
         (self-play's own limit of plies: no result of the rules; training takes the last search's value instead of the draw)",
    ),
    column("game_plies", Type::UInt32, View::Neutral, "plies", "length of the whole game"),
    optional(
        "overruled",
        Type::Text,
        View::Neutral,
        "",
        "in a game played out to see whether adjudications are right, the result that resignation (`white`, `black`) or agreement (`draw`) \
         would have given it; else null",
    ),
    column("checkpoint", Type::Text, View::Neutral, "", "checkpoint that played both sides"),
    column("ruleset", Type::Text, View::Neutral, "", "hash of the ruleset"),
];

/// Every column, in the order of the file.
pub fn columns() -> impl Iterator<Item = &'static Column> {
    TRAINING.iter().chain(RECORD)
}

/// The Arrow schema of a file.
pub fn schema() -> Arc<Schema> {
    let fields: Vec<Field> = columns().map(|c| Field::new(c.name, c.ty.arrow(), c.nullable)).collect();
    Arc::new(Schema::new(fields))
}

/// `data/README.md`, written from the tables above.
pub fn readme() -> String {
    let mut text = String::from(include_str!("readme_head.md"));
    let mut table = |title: &str, columns: &[Column]| {
        let _ = write!(
            text,
            "\n## {title}\n\n| column | type | unit | seen by | meaning |\n| --- | --- | --- | --- | --- |\n"
        );
        for c in columns {
            let null = if c.nullable { ", null" } else { "" };
            let view = match c.view {
                View::Mover => "side to move",
                View::Neutral => "",
            };
            let _ = writeln!(text, "| `{}` | {}{null} | {} | {view} | {} |", c.name, c.ty.name(), c.unit, c.meaning);
        }
    };
    table("Columns for training", TRAINING);
    table("Columns for people and statistics", RECORD);
    text.push_str("\n## File metadata\n\nKey-value pairs of the Parquet footer.\n\n| key | value |\n| --- | --- |\n");
    for (key, meaning) in METADATA {
        let _ = writeln!(text, "| `{key}` | {meaning} |");
    }
    let _ = write!(text, "\nThis page describes schema version {SCHEMA_VERSION}.\n");
    text
}

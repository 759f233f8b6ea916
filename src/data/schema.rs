//! The columns of a file of games: the one place that says what each is called, holds and means, and what a row has in
//! it.

use std::{fmt::Write, sync::Arc};

use arrow_schema::Schema;

use super::{
    column::{self, Column, Table, Type, Value, View},
    record::{Decision, GameRecord, Manifest},
};
use crate::game::Wdl;

/// Changes whenever a column changes its name, type or meaning.
pub const SCHEMA_VERSION: u32 = 3;

/// Keys of the file's metadata, each with what it holds.
pub const METADATA: &[(&str, &str)] = &[
    (key::SCHEMA, "version of these columns"),
    (key::GAME, "game id"),
    (key::RULESET, "hash of the ruleset; files of different rulesets are never mixed"),
    (key::OPTIONS, "every option of the ruleset, TOML"),
    (key::ENCODING, "version of the planes and action indices"),
    (key::HEIGHT, "rows of squares, H"),
    (key::WIDTH, "columns of squares, W"),
    (key::PLANES, "planes in column `planes`"),
    (key::SCALARS, "numbers in column `scalars`"),
    (key::ACTIONS, "size of the action space"),
    (key::SEED, "seed of the run"),
    (key::GENERATION, "generation"),
    (key::CHECKPOINT, "checkpoint that played"),
    (key::FIRST_GAME, "index of the first game of the file within its generation"),
    (key::GAMES, "number of games in the file, all of them whole"),
    (key::FULL_ROWS, "rows of full searches, which teach value and policy"),
    (key::CHEAP_ROWS, "rows of cheap searches, which teach the value"),
    (
        key::ACTION_KINDS,
        "names of the kinds of action, separated by spaces, in the order of the numbers in `legal_kinds`",
    ),
    (key::ZONE_KINDS, "letters of the pieces counted by `zone_white` and `zone_black`, in their order"),
];

/// Names of the metadata keys.
pub(super) mod key {
    pub const SCHEMA: &str = "maydan.schema";
    pub const GAME: &str = "maydan.game";
    pub const RULESET: &str = "maydan.ruleset";
    pub const OPTIONS: &str = "maydan.options";
    pub const ENCODING: &str = "maydan.encoding";
    pub const HEIGHT: &str = "maydan.height";
    pub const WIDTH: &str = "maydan.width";
    pub const PLANES: &str = "maydan.planes";
    pub const SCALARS: &str = "maydan.scalars";
    pub const ACTIONS: &str = "maydan.actions";
    pub const SEED: &str = "maydan.seed";
    pub const GENERATION: &str = "maydan.generation";
    pub const CHECKPOINT: &str = "maydan.checkpoint";
    pub const FIRST_GAME: &str = "maydan.first_game";
    pub const GAMES: &str = "maydan.games";
    pub const FULL_ROWS: &str = "maydan.full_rows";
    pub const CHEAP_ROWS: &str = "maydan.cheap_rows";
    pub const ACTION_KINDS: &str = "maydan.action_kinds";
    pub const ZONE_KINDS: &str = "maydan.zone_kinds";
}

/// Files of games.
#[derive(Clone, Copy, Debug)]
pub enum Games {}

/// A decision, with the game and the file that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub manifest: &'a Manifest,
    pub game: &'a GameRecord,
    pub ply: usize,
}

impl<'a> Row<'a> {
    fn decision(self) -> &'a Decision {
        &self.game.decisions[self.ply]
    }
}

impl Table for Games {
    type Row<'a> = Row<'a>;

    fn columns() -> impl Iterator<Item = &'static Column<Games>> {
        TRAINING.iter().chain(RECORD)
    }
}

const fn column(
    name: &'static str,
    ty: Type,
    view: View,
    unit: &'static str,
    meaning: &'static str,
    value: for<'a> fn(&'a Row<'a>) -> Value<'a>,
) -> Column<Games> {
    Column { name, ty, nullable: false, view, unit, meaning, value }
}

const fn optional(
    name: &'static str,
    ty: Type,
    view: View,
    unit: &'static str,
    meaning: &'static str,
    value: for<'a> fn(&'a Row<'a>) -> Value<'a>,
) -> Column<Games> {
    Column { name, ty, nullable: true, view, unit, meaning, value }
}

/// One of the three probabilities, where there are any.
fn chance(wdl: Option<Wdl>, of: impl FnOnce(Wdl) -> f32) -> Value<'static> {
    Value::optional(wdl, |wdl| Value::Float(of(wdl)))
}

/// Columns that training reads.
pub const TRAINING: &[Column<Games>] = &[
    column(
        "planes",
        Type::Bytes,
        View::Mover,
        "bits",
        "bit planes of the encoded position: little-endian 64-bit words, ceil(H * W / 64) a plane; bit `row * W + column`, lowest first",
        |row| Value::Bytes(row.game.rows.bits(row.ply).iter().flat_map(|word| word.to_le_bytes()).collect()),
    ),
    column(
        "scalars",
        Type::ListFloat,
        View::Mover,
        "",
        "scalars of the encoded position, each a plane of one value",
        |row| Value::ListFloat(row.game.rows.scalars(row.ply)),
    ),
    column(
        "legal",
        Type::ListUInt32,
        View::Mover,
        "action index",
        "the L legal actions, in the game's fixed order",
        |row| Value::ListUInt32(&row.decision().legal),
    ),
    column(
        "policy",
        Type::ListFloat,
        View::Mover,
        "probability",
        "policy target beside `legal`: the search's improved policy; empty without a search",
        |row| Value::ListFloat(&row.decision().policy),
    ),
    column("value", Type::Int8, View::Mover, "", "how the game ended: 1 win, 0 draw, -1 loss", |row| {
        Value::Int8(row.game.outcome.value_for(row.decision().side) as i8)
    }),
    optional("root_win", Type::Float, View::Mover, "probability", "win by the search; null without one", |row| {
        chance(row.decision().root_wdl, |wdl| wdl.win)
    }),
    optional("root_draw", Type::Float, View::Mover, "probability", "draw by the search; null without one", |row| {
        chance(row.decision().root_wdl, |wdl| wdl.draw)
    }),
    optional("root_loss", Type::Float, View::Mover, "probability", "loss by the search; null without one", |row| {
        chance(row.decision().root_wdl, |wdl| wdl.loss)
    }),
    column(
        "moves_left",
        Type::UInt32,
        View::Neutral,
        "plies",
        "plies until the end of the game as it was played, this one included",
        |row| Value::UInt32((row.game.decisions.len() - row.ply) as u32),
    ),
    column(
        "decision",
        Type::Word,
        View::Neutral,
        "",
        "how the action was decided on: `full` search (teaches policy and value), `cheap` search (teaches the value), \
         `opening` (drawn from the network's policy to vary the openings; teaches nothing), `forced` (the only legal action; teaches nothing)",
        |row| Value::text(row.decision().kind.name()),
    ),
    column(
        "mirror",
        Type::Bool,
        View::Neutral,
        "",
        "whether the rules are symmetric left to right in this position",
        |row| Value::Bool(row.decision().mirror),
    ),
];

/// Columns for people and statistics.
pub const RECORD: &[Column<Games>] = &[
    column("game_id", Type::Word, View::Neutral, "", "generation and game index, `000042-000123`", |row| {
        Value::text(format!("{:06}-{:06}", row.manifest.generation, row.game.index))
    }),
    column("generation", Type::UInt32, View::Neutral, "", "generation that played the game", |row| {
        Value::UInt32(row.manifest.generation as u32)
    }),
    column("game_index", Type::UInt32, View::Neutral, "", "the game's index within its generation, from 0", |row| {
        Value::UInt32(row.game.index as u32)
    }),
    column("ply", Type::UInt32, View::Neutral, "plies", "decisions before this one, from 0", |row| {
        Value::UInt32(row.ply as u32)
    }),
    column("side", Type::Word, View::Neutral, "", "side to move: `white` or `black`", |row| {
        Value::text(row.decision().side.name())
    }),
    column("position", Type::Text, View::Neutral, "", "position string before the action", |row| {
        Value::text(&row.decision().position)
    }),
    column("action", Type::Text, View::Neutral, "", "action string", |row| Value::text(&row.decision().action)),
    column("action_kind", Type::Word, View::Neutral, "", "kind of the action, one of `maydan.action_kinds`", |row| {
        Value::text(&row.manifest.action_kinds[usize::from(row.decision().legal_kinds[row.decision().chosen])])
    }),
    column(
        "legal_kinds",
        Type::ListUInt8,
        View::Neutral,
        "",
        "kind of each action beside `legal`, counted from 0 in `maydan.action_kinds`",
        |row| Value::ListUInt8(&row.decision().legal_kinds),
    ),
    column(
        "zone_white",
        Type::ListUInt8,
        View::Neutral,
        "pieces",
        "White's zone before the action, by kind as in `maydan.zone_kinds`",
        |row| Value::ListUInt8(&row.decision().zones[0]),
    ),
    column("zone_black", Type::ListUInt8, View::Neutral, "pieces", "Black's zone likewise", |row| {
        Value::ListUInt8(&row.decision().zones[1])
    }),
    column("chosen", Type::UInt16, View::Neutral, "", "place of the action in `legal`, from 0", |row| {
        Value::UInt16(row.decision().chosen as u16)
    }),
    column(
        "visits",
        Type::ListUInt32,
        View::Neutral,
        "playouts",
        "visits of each action beside `legal` at the root, 0 in a search by the material; empty without a search",
        |row| Value::ListUInt32(&row.decision().visits),
    ),
    column(
        "q",
        Type::ListFloat,
        View::Mover,
        "value in [-1, 1]",
        "value of each action beside `legal`, null where not visited; empty without a search",
        |row| Value::ListOptionalFloat(&row.decision().q),
    ),
    column(
        "chosen_visits",
        Type::UInt32,
        View::Neutral,
        "playouts",
        "visits of the action played; 0 without a search",
        |row| Value::UInt32(row.decision().visits.get(row.decision().chosen).copied().unwrap_or(0)),
    ),
    column(
        "total_visits",
        Type::UInt32,
        View::Neutral,
        "playouts",
        "visits of all actions; 0 without a search",
        |row| Value::UInt32(row.decision().visits.iter().sum()),
    ),
    optional(
        "chosen_prior",
        Type::Float,
        View::Mover,
        "probability",
        "the network's probability of the action played; null when it was not asked",
        |row| Value::optional(row.decision().prior, Value::Float),
    ),
    optional(
        "net_win",
        Type::Float,
        View::Mover,
        "probability",
        "win by the network alone; null when it was not asked",
        |row| chance(row.decision().net_wdl, |wdl| wdl.win),
    ),
    optional("net_draw", Type::Float, View::Mover, "probability", "draw likewise", |row| {
        chance(row.decision().net_wdl, |wdl| wdl.draw)
    }),
    optional("net_loss", Type::Float, View::Mover, "probability", "loss likewise", |row| {
        chance(row.decision().net_wdl, |wdl| wdl.loss)
    }),
    optional(
        "policy_kl",
        Type::Float,
        View::Mover,
        "nats",
        "divergence KL of `policy` from the network's policy; null without a search",
        |row| Value::optional(row.decision().policy_kl, Value::Float),
    ),
    column("result", Type::Word, View::Neutral, "", "how the game ended: `white`, `black` or `draw`", |row| {
        Value::text(row.game.outcome.result_name())
    }),
    column(
        "reason",
        Type::Word,
        View::Neutral,
        "",
        "why it ended: `checkmate`, `stalemate`, `king_captured`, `no_action`, `no_progress`, `insufficient`, `repetition`, `max_plies`, \
         `resignation` (after the last row's action, by the side of that row), `agreement` (both sides' values stayed near a draw) or `cut_off` \
         (self-play's own limit of plies: no result of the rules; training takes the last search's value instead of the draw)",
        |row| Value::text(row.game.outcome.reason.name()),
    ),
    column("game_plies", Type::UInt32, View::Neutral, "plies", "length of the whole game", |row| {
        Value::UInt32(row.game.decisions.len() as u32)
    }),
    optional(
        "overruled",
        Type::Word,
        View::Neutral,
        "",
        "in a game played out to see whether adjudications are right, the result that resignation (`white`, `black`) or agreement (`draw`) \
         would have given it; else null",
        |row| Value::optional(row.game.overruled, |outcome| Value::text(outcome.result_name())),
    ),
    column(
        "checkpoint",
        Type::Word,
        View::Neutral,
        "",
        "checkpoint that played both sides, or `material` where none did",
        |row| Value::text(&row.manifest.checkpoint),
    ),
    column("ruleset", Type::Word, View::Neutral, "", "hash of the ruleset", |row| {
        Value::text(&row.manifest.ruleset.hash)
    }),
];

/// Every column, in the order of the file.
pub fn columns() -> impl Iterator<Item = &'static Column<Games>> {
    Games::columns()
}

/// The Arrow schema of a file.
pub fn schema() -> Arc<Schema> {
    column::schema::<Games>()
}

/// `data/README.md`, written from the tables above.
pub fn readme() -> String {
    let mut text = String::from(include_str!("readme_head.md"));
    let mut table = |title: &str, columns: &[Column<Games>]| {
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

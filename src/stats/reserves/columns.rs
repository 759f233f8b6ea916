//! The columns of the event table: what each is called, holds and means.

use super::event::Event;
use crate::{game::Spoken, stats::Game};

/// An event with the game that it belongs to.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub game: &'a Game,
    pub event: &'a Event,
    pub rules: &'a dyn Spoken,
}

/// What a column holds. All but texts that are always there may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Text,
    Count,
    Number,
    Counts,
}

/// What a row has in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    Null,
    Text(&'a str),
    Letter(u8),
    Count(u64),
    Number(f64),
    Counts(&'a [u32]),
}

/// One column.
pub struct Column {
    pub name: &'static str,
    pub ty: Type,
    pub meaning: &'static str,
    pub value: for<'a> fn(&Row<'a>) -> Value<'a>,
}

const fn column(
    name: &'static str,
    ty: Type,
    meaning: &'static str,
    value: for<'a> fn(&Row<'a>) -> Value<'a>,
) -> Column {
    Column { name, ty, meaning, value }
}

/// Every column, in the order of the file. Values are for the side whose event it is.
pub const COLUMNS: [Column; 33] = [
    column("run", Type::Text, "name of the run", |row| Value::Text(&row.game.run)),
    column("generation", Type::Count, "generation that played the game", |row| Value::Count(row.game.generation)),
    column("game", Type::Text, "column `game_id` of the games", |row| Value::Text(row.game.id())),
    column("ply", Type::Count, "plies before the action", |row| count(row.event.ply)),
    column("side", Type::Text, "whose event it is: `white` or `black`", |row| Value::Text(row.event.side.name())),
    column("kind", Type::Text, "kind of the action", |row| {
        Value::Text(row.rules.action_kinds()[usize::from(row.event.kind)])
    }),
    column(
        "decision",
        Type::Text,
        "how the action was decided on, as in the games; `waiting` where the other side's action brought the event about",
        |row| Value::Text(&row.event.decision),
    ),
    column("action", Type::Text, "action string", |row| Value::Text(&row.event.action)),
    column(
        "from_rank",
        Type::Text,
        "the man's rank before, a letter; null when it came from outside the board",
        |row| row.event.from_rank.map_or(Value::Null, Value::Letter),
    ),
    column("to_rank", Type::Text, "the man's rank afterwards", |row| Value::Letter(row.event.to_rank)),
    column(
        "by_rank",
        Type::Text,
        "rank of another man of the side whose move the action was, as where a man comes on in its place; null when there was none",
        |row| row.event.by_rank.map_or(Value::Null, Value::Letter),
    ),
    column("square", Type::Text, "where the man stands afterwards", |row| Value::Text(&row.event.place)),
    column("column", Type::Count, "its column, from 0", |row| count(row.event.square % row.rules.grid().1)),
    column("row", Type::Count, "its row, from 0, White's first", |row| count(row.event.square / row.rules.grid().1)),
    column("from_column", Type::Count, "where it stood; null when it came from outside the board", |row| {
        row.event.from.map_or(Value::Null, |from| count(from % row.rules.grid().1))
    }),
    column("from_row", Type::Count, "likewise", |row| {
        row.event.from.map_or(Value::Null, |from| count(from / row.rules.grid().1))
    }),
    column(
        "zone_before",
        Type::Counts,
        "men of the side's zone before the action, by kind as in `maydan.zone_kinds`",
        |row| Value::Counts(&row.event.zone_before),
    ),
    column("zone_after", Type::Counts, "likewise after it", |row| Value::Counts(&row.event.zone_after)),
    column("legal", Type::Count, "legal actions; null where the side had nothing to decide", |row| {
        Some(row.event.legal).filter(|&legal| legal > 0).map_or(Value::Null, count)
    }),
    column("legal_same_kind", Type::Count, "those of the same kind among them", |row| {
        Some(row.event.legal_same_kind).filter(|&legal| legal > 0).map_or(Value::Null, count)
    }),
    column("prior", Type::Number, "the network's probability of the action", |row| number(row.event.prior)),
    column("visit_share", Type::Number, "share of the search's visits that the action got", |row| {
        number(row.event.visit_share)
    }),
    column("root_value", Type::Number, "what the search expected before the action, win less loss", |row| {
        number(row.event.root_value)
    }),
    column("q", Type::Number, "the search's value of the action, -1 to 1", |row| number(row.event.q)),
    column("best_other_q", Type::Number, "best value among the visited actions of no reserve kind", |row| {
        number(row.event.best_other_q)
    }),
    column("delta_q", Type::Number, "q less best_other_q", |row| number(row.event.delta_q())),
    column("captured_ply", Type::Count, "ply of the action that captured the man; null when none did", |row| {
        row.event.captured.map_or(Value::Null, count)
    }),
    column("age", Type::Count, "plies from the event to the man's capture or the end of the game", |row| {
        count(row.event.captured.unwrap_or(row.game.plies() - 1) - row.event.ply)
    }),
    column("final_rank", Type::Text, "the man's rank when it was captured or the game ended", |row| {
        Value::Letter(row.event.final_rank)
    }),
    column("score", Type::Number, "points of the side whose event it is: 1, 1/2 or 0", |row| {
        Value::Number(row.game.score(row.event.side))
    }),
    column("result", Type::Text, "`win`, `draw` or `loss` of that side", |row| match row.game.winner {
        None => Value::Text("draw"),
        Some(winner) if winner == row.event.side => Value::Text("win"),
        Some(_) => Value::Text("loss"),
    }),
    column("reason", Type::Text, "why the game ended, as in the games", |row| Value::Text(&row.game.reason)),
    column("game_plies", Type::Count, "length of the game", |row| count(row.game.plies())),
];

/// The columns as a table in Markdown, for `docs/statistics.md`.
pub fn columns_table() -> String {
    let mut table = String::from("| column | type | meaning |\n| --- | --- | --- |\n");
    for Column { name, ty, meaning, .. } in &COLUMNS {
        let ty = match ty {
            Type::Text => "string",
            Type::Count => "uint64",
            Type::Number => "double",
            Type::Counts => "list<uint32>",
        };
        table += &format!("| `{name}` | {ty} | {meaning} |\n");
    }
    table
}

fn count(number: usize) -> Value<'static> {
    Value::Count(number as u64)
}

fn number(number: Option<f64>) -> Value<'static> {
    number.map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COLUMNS.len());
    }
}

//! The columns of the event table: what each is called, holds and means.

use super::event::Event;
use crate::{
    data::column::{Column, Table, Type, Value, View},
    game::TextGame,
    stats::GameColumns,
};

/// An event with the game that it belongs to.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub game: &'a GameColumns,
    pub event: &'a Event,
    pub rules: &'a dyn TextGame,
}

/// The table of events.
#[derive(Clone, Copy, Debug)]
pub enum Events {}

impl Table for Events {
    type Row<'a> = Row<'a>;

    fn columns() -> impl Iterator<Item = &'static Column<Events>> {
        COLUMNS.iter()
    }
}

const fn column(
    name: &'static str,
    ty: Type,
    meaning: &'static str,
    value: for<'a> fn(&'a Row<'a>) -> Value<'a>,
) -> Column<Events> {
    Column { name, ty, nullable: true, view: View::Neutral, unit: "", meaning, value }
}

/// Every column, in the order of the file. Values are for the side whose event it is.
const COLUMNS: &[Column<Events>] = &[
    column("run", Type::Text, "name of the run", |row| Value::text(&*row.game.run)),
    column("generation", Type::UInt64, "generation that played the game", |row| Value::UInt64(row.game.generation)),
    column("game", Type::Text, "column `game_id` of the games", |row| Value::text(row.game.id())),
    column("ply", Type::UInt64, "plies before the action", |row| count(row.event.ply)),
    column("side", Type::Text, "whose event it is: `white` or `black`", |row| Value::text(row.event.side.name())),
    column("kind", Type::Text, "kind of the action", |row| {
        Value::text(row.rules.action_kinds()[usize::from(row.event.kind)])
    }),
    column(
        "decision",
        Type::Text,
        "how the action was decided on, as in the games; `waiting` where the other side's action brought the event about",
        |row| Value::text(&row.event.decision),
    ),
    column("action", Type::Text, "action string", |row| Value::text(&row.event.action)),
    column(
        "from_rank",
        Type::Text,
        "the piece's rank before, a letter; null when it came from outside the board",
        |row| letter(row.event.from_rank),
    ),
    column("to_rank", Type::Text, "the piece's rank afterwards", |row| letter(Some(row.event.to_rank))),
    column(
        "by_rank",
        Type::Text,
        "rank of another piece of the side whose move the action was, as where a piece comes on in its place; null when there was none",
        |row| letter(row.event.by_rank),
    ),
    column("square", Type::Text, "where the piece stands afterwards", |row| Value::text(&row.event.place)),
    column("column", Type::UInt64, "its column, from 0", |row| count(row.event.square % row.rules.grid().1)),
    column("row", Type::UInt64, "its row, from 0, White's first", |row| count(row.event.square / row.rules.grid().1)),
    column("from_column", Type::UInt64, "where it stood; null when it came from outside the board", |row| {
        Value::optional(row.event.from, |from| count(from % row.rules.grid().1))
    }),
    column("from_row", Type::UInt64, "likewise", |row| {
        Value::optional(row.event.from, |from| count(from / row.rules.grid().1))
    }),
    column(
        "zone_before",
        Type::ListUInt32,
        "pieces of the side's zone before the action, by kind as in `maydan.zone_kinds`",
        |row| Value::ListUInt32(&row.event.zone_before),
    ),
    column("zone_after", Type::ListUInt32, "likewise after it", |row| Value::ListUInt32(&row.event.zone_after)),
    column("legal", Type::UInt64, "legal actions; null where the side had nothing to decide", |row| {
        Value::optional(Some(row.event.legal).filter(|&legal| legal > 0), count)
    }),
    column("legal_same_kind", Type::UInt64, "those of the same kind among them", |row| {
        Value::optional(Some(row.event.legal_same_kind).filter(|&legal| legal > 0), count)
    }),
    column("prior", Type::Double, "the network's probability of the action", |row| number(row.event.prior)),
    column("visit_share", Type::Double, "share of the search's visits that the action got", |row| {
        number(row.event.visit_share)
    }),
    column("root_value", Type::Double, "what the search expected before the action, win less loss", |row| {
        number(row.event.root_value)
    }),
    column("q", Type::Double, "the search's value of the action, -1 to 1", |row| number(row.event.q)),
    column("best_other_q", Type::Double, "best value among the visited actions of no reserve kind", |row| {
        number(row.event.best_other_q)
    }),
    column(
        "delta_q",
        Type::Double,
        "q less best_other_q, as it is: its mean has no zero to be held against (of actions chosen for their values it is too high, of actions drawn by chance too low, \
         and it depends on how many actions were visited); `advantage.csv` has what is left of it beside a placebo",
        |row| number(row.event.delta_q()),
    ),
    column("captured_ply", Type::UInt64, "ply of the action that captured the piece; null when none did", |row| {
        Value::optional(row.event.captured, count)
    }),
    column("age", Type::UInt64, "plies from the event to the piece's capture or the end of the game", |row| {
        count(row.event.captured.unwrap_or(row.game.plies() - 1) - row.event.ply)
    }),
    column("final_rank", Type::Text, "the piece's rank when it was captured or the game ended", |row| {
        letter(Some(row.event.final_rank))
    }),
    column(
        "score",
        Type::Double,
        "points of the side whose event it is: 1, 1/2 or 0; null when self-play's own limit of plies cut the game off",
        |row| Value::optional(row.game.was_ended().then(|| row.game.score(row.event.side)), Value::Double),
    ),
    column("result", Type::Text, "`win`, `draw` or `loss` of that side; null likewise", |row| {
        let result = match row.game.winner {
            None => "draw",
            Some(winner) if winner == row.event.side => "win",
            Some(_) => "loss",
        };
        Value::optional(row.game.was_ended().then_some(result), Value::text)
    }),
    column("reason", Type::Text, "why the game ended, as in the games", |row| Value::text(&row.game.reason)),
    column("game_plies", Type::UInt64, "length of the game", |row| count(row.game.plies())),
];

/// The columns as a table in Markdown, for `docs/statistics.md`.
pub fn columns_table() -> String {
    let mut table = String::from("| column | type | meaning |\n| --- | --- | --- |\n");
    for Column { name, ty, meaning, .. } in COLUMNS {
        table += &format!("| `{name}` | {} | {meaning} |\n", ty.name());
    }
    table
}

fn count(number: usize) -> Value<'static> {
    Value::UInt64(number as u64)
}

fn number(number: Option<f64>) -> Value<'static> {
    Value::optional(number, Value::Double)
}

fn letter(letter: Option<u8>) -> Value<'static> {
    Value::optional(letter, |letter| Value::text(char::from(letter).to_string()))
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

//! Shares at a glance: a line for each thing, a column for each band of generations.

use super::{
    Openings,
    groups::{By, Group},
};
use crate::{
    estimate::Interval,
    page::{Cell, Column, Kind, Phrase, Table},
    stats::words::count_column,
};

/// Lines of a table at most.
const FIRST_MOVES: usize = 12;
const SECOND_MOVES: usize = 24;

/// The most frequent first moves.
pub fn first_moves(openings: &Openings) -> Table {
    let title = Phrase::new("First moves by generation", "النقلات الأولى عبر الأجيال");
    let note = cut("first_moves", FIRST_MOVES);
    let mut table = table(openings, "first_moves_overview", title, note, &[("action", MOVE)]);
    for action in openings.first_moves().into_iter().take(FIRST_MOVES) {
        let games = |group: &Group<'_>| count(group.tally.first.get(action));
        push(openings, &mut table, &[action], games, |group| group.tally.games());
    }
    table
}

/// The most frequent pairs of a first move and a reply.
pub fn second_moves(openings: &Openings) -> Table {
    let title = Phrase::new("Second moves by generation", "النقلات الثانية عبر الأجيال");
    let note = cut("second_moves", SECOND_MOVES);
    let names = [("first", ("first move", "النقلة الأولى")), ("reply", ("reply", "الردّ"))];
    let mut table = table(openings, "second_moves_overview", title, note, &names);
    for pair in openings.second_moves().into_iter().take(SECOND_MOVES) {
        let games = |group: &Group<'_>| count(group.tally.second.get(pair));
        push(openings, &mut table, &[&pair.0, &pair.1], games, |group| count(group.tally.first.get(&pair.0)));
    }
    table
}

const MOVE: (&str, &str) = ("move", "النقلة");

fn count(games: Option<&u64>) -> u64 {
    games.copied().unwrap_or_default()
}

/// What a reader of the shares must know.
fn cut(whole: &str, lines: usize) -> Phrase {
    Phrase::new(
        format!(
            "Shares in percent with 95% intervals, of the games of the generations above, for a reply of those with its first move. The {lines} most frequent; `{whole}.csv` \
             has all, with counts."
        ),
        format!(
            "النسب بالمئة مع فترات ثقة 95% من مباريات الأجيال المذكورة أعلى العمود، وللردّ من مباريات نقلته الأولى. الأكثر شيوعًا وعددها {lines}؛ والبقية مع الأعداد في `{whole}.csv`."
        ),
    )
}

fn table(openings: &Openings, name: &str, title: Phrase, note: Phrase, names: &[(&str, (&str, &str))]) -> Table {
    let mut columns: Vec<Column> =
        names.iter().map(|&(name, (en, ar))| Column::new(name, Phrase::new(en, ar), Kind::Text)).collect();
    columns.push(count_column("games", Phrase::new("games", "المباريات")));
    columns.extend(openings.groups.by(By::Band).iter().map(|group| {
        let title = match group.name {
            Cell::Words(words) => words.clone(),
            name => Phrase::same(Kind::Text.print(name)),
        };
        Column::new(title.en.clone(), title, Kind::Text)
    }));
    Table::new(name, title, openings.note(&note), columns)
}

/// A line: what it is about, its games, and their share in each group.
fn push(
    openings: &Openings,
    table: &mut Table,
    names: &[&str],
    games: impl Fn(&Group<'_>) -> u64,
    of: impl Fn(&Group<'_>) -> u64,
) {
    let groups = openings.groups.by(By::Band);
    let mut row: Vec<Cell> = names.iter().map(|&name| name.into()).collect();
    // All games are the first group.
    row.push(games(&groups[0]).into());
    row.extend(groups.iter().map(|group| Cell::from(Interval::share(games(group), of(group)).as_ref().map(percent))));
    table.push(row);
}

/// A share with its interval, `5.5 [4.9, 6.3]`.
fn percent(share: &Interval) -> String {
    format!("{:.1}", share.map(|share| 100.0 * share))
}

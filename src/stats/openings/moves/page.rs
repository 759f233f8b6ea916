//! First and second moves as tables and figures.

use crate::{
    estimate::Interval,
    page::{Cell, Column, Figure, Kind, Phrase, Table},
    stats::{
        openings::{
            Openings,
            figures::{series, share_of_games, shares},
            groups::{By, Group},
            tables::{move_column, row, share_cells, share_columns, text_column},
        },
        words::count_column,
    },
};

/// Lines of an overview at most.
const FIRST_MOVES: usize = 12;
const SECOND_MOVES: usize = 24;
/// Most lines of a figure.
const LINES: usize = 6;

/// First moves by group, the most frequent first.
pub fn first_table(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("First moves", "النقلات الأولى"));
    let mut columns = vec![by.column(), move_column()];
    columns.extend(share_columns());
    let note = openings.note(&Phrase::new(
        "Shares are of the group's games. Moves that none of them chose are left out.",
        "النسب من مباريات المجموعة. النقلات التي لم تخترها أي منها محذوفة.",
    ));
    let mut table = Table::new(by.name("first_moves"), title, note, columns);
    for action in openings.groups.all.moves.most_frequent_first() {
        for group in openings.groups.by(by) {
            if let Some(&games) = group.tally.moves.first.get(action) {
                table.push(row([group.name.cell(), action.into()], share_cells(games, group.tally.games())));
            }
        }
    }
    table
}

/// Second moves by group: the replies to each first move, the most frequent first.
pub fn second_table(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("Second moves", "النقلات الثانية"));
    let mut columns = vec![by.column(), text_column("first", Phrase::new("first move", "النقلة الأولى"))];
    columns.push(text_column("reply", Phrase::new("reply", "الردّ")));
    columns.extend(share_columns());
    let note = openings.note(&Phrase::new(
        "Shares are of the group's games with that first move.",
        "النسب من مباريات المجموعة التي بدأت بتلك النقلة.",
    ));
    let mut table = Table::new(by.name("second_moves"), title, note, columns);
    for pair in openings.groups.all.moves.most_frequent_second() {
        for group in openings.groups.by(by) {
            if let Some(&games) = group.tally.moves.second.get(pair) {
                let of = group.tally.moves.first.get(&pair.0).copied().unwrap_or_default();
                let names = [group.name.cell(), pair.0.as_ref().into(), pair.1.as_ref().into()];
                table.push(row(names, share_cells(games, of)));
            }
        }
    }
    table
}

/// The most frequent first moves: a line for each, a column for each band of generations.
pub fn first_overview(openings: &Openings) -> Table {
    let title = Phrase::new("First moves by generation", "النقلات الأولى عبر الأجيال");
    let note = cut("first_moves", FIRST_MOVES);
    let mut table = table(openings, "first_moves_overview", title, note, &[("action", MOVE)]);
    for action in openings.groups.all.moves.most_frequent_first().into_iter().take(FIRST_MOVES) {
        let games = |group: &Group<'_>| count(group.tally.moves.first.get(action));
        push(openings, &mut table, &[action], games, |group| group.tally.games());
    }
    table
}

/// The most frequent pairs of a first move and a reply likewise.
pub fn second_overview(openings: &Openings) -> Table {
    let title = Phrase::new("Second moves by generation", "النقلات الثانية عبر الأجيال");
    let note = cut("second_moves", SECOND_MOVES);
    let names = [("first", ("first move", "النقلة الأولى")), ("reply", ("reply", "الردّ"))];
    let mut table = table(openings, "second_moves_overview", title, note, &names);
    for pair in openings.groups.all.moves.most_frequent_second().into_iter().take(SECOND_MOVES) {
        let games = |group: &Group<'_>| count(group.tally.moves.second.get(pair));
        push(openings, &mut table, &[&pair.0, &pair.1], games, |group| count(group.tally.moves.first.get(&pair.0)));
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
        let title = group.name.phrase();
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

/// Shares of the most frequent first moves.
pub fn first_figure(openings: &Openings) -> Figure {
    let series = openings.groups.all.moves.most_frequent_first().into_iter().take(LINES).map(|action| {
        series(openings, Phrase::same(action), |group| {
            let games = group.tally.moves.first.get(action).copied().unwrap_or_default();
            Interval::share(games, group.tally.games())
        })
    });
    let title = Phrase::new("First moves", "النقلات الأولى");
    shares(openings, title, share_of_games(), series.collect(), first_table(openings, By::Step))
}

/// Shares of the most frequent replies to the most frequent first move; none where no game has a second move.
pub fn second_figure(openings: &Openings) -> Option<Figure> {
    let first = openings.groups.all.moves.most_frequent_first().into_iter().next()?;
    let replies: Vec<_> =
        openings.groups.all.moves.most_frequent_second().into_iter().filter(|pair| *pair.0 == *first).collect();
    let series = replies.iter().take(LINES).map(|pair| {
        series(openings, Phrase::same(&*pair.1), |group| {
            let count = |games: Option<&u64>| games.copied().unwrap_or_default();
            Interval::share(count(group.tally.moves.second.get(*pair)), count(group.tally.moves.first.get(first)))
        })
    });
    let title = Phrase::new(format!("Replies to `{first}`"), format!("الردود على `{first}`"));
    let of = Phrase::new("share of its games", "النسبة من مبارياتها");
    let mut data = second_table(openings, By::Step);
    data.rows.retain(|row| row[1] == first.into());
    (!replies.is_empty()).then(|| shares(openings, title, of, series.collect(), data))
}

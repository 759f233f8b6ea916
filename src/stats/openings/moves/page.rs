//! First and second moves as tables and figures.

use crate::{
    estimate::Interval,
    page::{Cell, Column, Figure, Kind, Phrase, Table},
    stats::{
        openings::{
            Openings,
            figures::{series, shares},
            groups::{By, Group},
            notes::{join, temperature},
            record::Decisions,
            tables::{PERCENT, change_name, decision_cells, decision_columns, move_column, row, text_column},
        },
        words::{count_column, interval_cells, interval_columns},
    },
};

/// Lines of an overview at most.
const FIRST_MOVES: usize = 12;
const SECOND_MOVES: usize = 24;
/// Most lines of a figure.
const LINES: usize = 6;

/// How the moves of each ply were chosen.
pub fn decisions_table(openings: &Openings) -> Table {
    let title = Phrase::new("How the first moves were chosen", "كيف اختيرت النقلات الأولى");
    let mut columns = vec![
        count_column("ply", Phrase::new("ply", "نصف النقلة")),
        count_column("games", Phrase::new("games", "المباريات")),
        count_column("searched", Phrase::new("searched", "بالبحث")),
    ];
    columns.extend(interval_columns("searched_share", Phrase::new("share", "النسبة"), PERCENT));
    columns.push(count_column("drawn", Phrase::new("drawn without search", "بالسحب دون بحث")));
    columns.extend(interval_columns("drawn_share", Phrase::new("share", "النسبة"), PERCENT));
    columns.push(count_column("forced", Phrase::new("forced", "مفروضة")));
    let note = openings.note(&join(
        &Phrase::new(
            "Moves drawn from the network's policy without a search vary the openings; they do not say what the search would play. Forced: one move was legal.",
            "النقلات المسحوبة من سياسة الشبكة دون بحث تنوّع الافتتاحات، ولا تقول ما كان البحث سيلعبه. مفروضة: كانت النقلة القانونية الوحيدة.",
        ),
        &temperature(),
    ));
    let mut table = Table::new("decisions", title, note, columns);
    for (ply, decisions) in openings.first_plies.decisions.iter().enumerate() {
        let games = decisions.total();
        let mut cells: Vec<Cell> = vec![ply.into(), games.into(), decisions.searched.into()];
        cells.extend(interval_cells(Interval::share(decisions.searched, games).as_ref()));
        cells.push(decisions.drawn.into());
        cells.extend(interval_cells(Interval::share(decisions.drawn, games).as_ref()));
        cells.push(decisions.forced.into());
        table.push(cells);
    }
    table
}

/// First moves by group, those that searches chose most often first.
pub fn first_table(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("First moves", "النقلات الأولى"));
    let mut columns = vec![by.column(), move_column(), count_column("games", Phrase::new("games", "المباريات"))];
    columns.extend(decision_columns());
    let note = openings.note(&join(
        &Phrase::new(
            "Shares are of the group's first moves that a search chose, and of those that were drawn. Moves that no game chose are left out.",
            "النسب من النقلات الأولى للمجموعة التي اختارها البحث، ومن المسحوبة. النقلات التي لم تخترها أي مباراة محذوفة.",
        ),
        &temperature(),
    ));
    let mut table = Table::new(by.name("first_moves"), title, note, columns);
    for action in openings.groups.all.moves.most_frequent_first() {
        for group in openings.groups.by(by) {
            if let Some(chosen) = group.tally.moves.first.get(action) {
                let names = [group.name.cell(), action.into(), chosen.total().into()];
                table.push(row(names, decision_cells(chosen, &group.tally.moves.all)));
            }
        }
    }
    table
}

/// Second moves by group: the replies to each first move, those that searches chose most often first.
pub fn second_table(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("Second moves", "النقلات الثانية"));
    let mut columns = vec![by.column(), text_column("first", Phrase::new("first move", "النقلة الأولى"))];
    columns.push(text_column("reply", Phrase::new("reply", "الردّ")));
    columns.push(count_column("games", Phrase::new("games", "المباريات")));
    columns.extend(decision_columns());
    let note = openings.note(&join(
        &Phrase::new(
            "Shares are of the replies to that first move in the group that a search chose, and of those that were drawn; the first move may be either.",
            "النسب من الردود على تلك النقلة الأولى في المجموعة التي اختارها البحث، ومن المسحوبة؛ والنقلة الأولى قد تكون أيًّا منهما.",
        ),
        &temperature(),
    ));
    let mut table = Table::new(by.name("second_moves"), title, note, columns);
    for pair in openings.groups.all.moves.most_frequent_second() {
        for group in openings.groups.by(by) {
            if let Some(chosen) = group.tally.moves.second.get(pair) {
                let names = [group.name.cell(), pair.0.as_ref().into(), pair.1.as_ref().into(), chosen.total().into()];
                table.push(row(names, decision_cells(chosen, &count(group.tally.moves.replies.get(&pair.0)))));
            }
        }
    }
    table
}

/// The first moves that searches chose most often: a line for each, a column for each band of generations.
pub fn first_overview(openings: &Openings) -> Table {
    let title = Phrase::new("First moves by generation", "النقلات الأولى عبر الأجيال");
    let note = cut("first_moves", FIRST_MOVES);
    let mut table = table(openings, "first_moves_overview", title, note, &[("action", MOVE)]);
    for action in openings.groups.all.moves.most_frequent_first().into_iter().take(FIRST_MOVES) {
        let chosen = |group: &Group<'_>| count(group.tally.moves.first.get(action));
        push(openings, &mut table, &[action], chosen, |group| group.tally.moves.all);
    }
    table
}

/// Pairs of a first move and a reply likewise.
pub fn second_overview(openings: &Openings) -> Table {
    let title = Phrase::new("Second moves by generation", "النقلات الثانية عبر الأجيال");
    let note = cut("second_moves", SECOND_MOVES);
    let names = [("first", ("first move", "النقلة الأولى")), ("reply", ("reply", "الردّ"))];
    let mut table = table(openings, "second_moves_overview", title, note, &names);
    for pair in openings.groups.all.moves.most_frequent_second().into_iter().take(SECOND_MOVES) {
        let chosen = |group: &Group<'_>| count(group.tally.moves.second.get(pair));
        let of = |group: &Group<'_>| count(group.tally.moves.replies.get(&pair.0));
        push(openings, &mut table, &[&pair.0, &pair.1], chosen, of);
    }
    table
}

const MOVE: (&str, &str) = ("move", "النقلة");

fn count(decisions: Option<&Decisions>) -> Decisions {
    decisions.copied().unwrap_or_default()
}

/// What a reader of the shares must know.
fn cut(whole: &str, lines: usize) -> Phrase {
    join(
        &Phrase::new(
            format!(
                "Shares in percent with 95% intervals: of the moves that a search chose in the generations above, for a reply of those to its first move. Beside them how often the move \
                 was drawn without a search, and that share of all draws. Last less first is the difference of the last band and the first. The {lines} most frequent; `{whole}.csv` has all, \
                 with counts."
            ),
            format!(
                "النسب بالمئة مع فترات ثقة 95%: من النقلات التي اختارها البحث في الأجيال المذكورة أعلى العمود، وللردّ من الردود على نقلته الأولى. وبجانبها كم مرة سُحبت النقلة دون بحث ونسبتها \
                 من كل ما سُحب. «الأخيرة ناقص الأولى» الفرق بين آخر مجموعة أجيال وأولها. الأكثر شيوعًا وعددها {lines}؛ والبقية مع الأعداد في `{whole}.csv`."
            ),
        ),
        &temperature(),
    )
}

fn table(openings: &Openings, name: &str, title: Phrase, note: Phrase, names: &[(&str, (&str, &str))]) -> Table {
    let mut columns: Vec<Column> =
        names.iter().map(|&(name, (en, ar))| Column::new(name, Phrase::new(en, ar), Kind::Text)).collect();
    columns.push(count_column("searched", Phrase::new("searched", "بالبحث")));
    columns.extend(openings.groups.by(By::Band).iter().map(|group| {
        let title = group.name.phrase();
        Column::new(title.en.clone(), title, Kind::Text)
    }));
    columns.push(text_column("change", change_name()));
    columns.push(count_column("drawn", Phrase::new("drawn without search", "بالسحب دون بحث")));
    columns.push(Column::new("drawn_share", Phrase::new("share", "النسبة"), Kind::Text));
    Table::new(name, title, openings.note(&note), columns)
}

/// A line: what it is about, how often a search chose it, the share of it in each group, how that changed; then the
/// draws.
fn push(
    openings: &Openings,
    table: &mut Table,
    names: &[&str],
    chosen: impl Fn(&Group<'_>) -> Decisions,
    of: impl Fn(&Group<'_>) -> Decisions,
) {
    let groups = openings.groups.by(By::Band);
    let share = |group: &Group<'_>| chosen(group).share_of_searched(&of(group));
    let mut row: Vec<Cell> = names.iter().map(|&name| name.into()).collect();
    // All games are the first group.
    let all = chosen(&groups[0]);
    row.push(all.searched.into());
    row.extend(groups.iter().map(|group| Cell::from(share(group).as_ref().map(percent))));
    row.push(openings.groups.change(share).as_ref().map(percent).into());
    row.push(all.drawn.into());
    row.push(all.share_of_drawn(&of(&groups[0])).as_ref().map(percent).into());
    table.push(row);
}

/// A share with its interval, `5.5 [4.9, 6.3]`.
fn percent(share: &Interval) -> String {
    format!("{:.1}", share.map(|share| 100.0 * share))
}

/// Shares of the first moves that searches chose most often.
pub fn first_figure(openings: &Openings) -> Figure {
    let series = openings.groups.all.moves.most_frequent_first().into_iter().take(LINES).map(|action| {
        series(openings, Phrase::same(action), |group| {
            count(group.tally.moves.first.get(action)).share_of_searched(&group.tally.moves.all)
        })
    });
    let title = Phrase::new("First moves that a search chose", "النقلات الأولى التي اختارها البحث");
    shares(openings, title, of_searched(), series.collect(), first_table(openings, By::Step))
}

/// The axis of shares of searched moves.
fn of_searched() -> Phrase {
    Phrase::new("share of searched moves", "النسبة من النقلات المختارة بالبحث")
}

/// Shares of the most frequent replies to the most frequent first move; none where no game has a second move.
pub fn second_figure(openings: &Openings) -> Option<Figure> {
    let first = openings.groups.all.moves.most_frequent_first().into_iter().next()?;
    let replies: Vec<_> =
        openings.groups.all.moves.most_frequent_second().into_iter().filter(|pair| *pair.0 == *first).collect();
    let series = replies.iter().take(LINES).map(|pair| {
        series(openings, Phrase::same(&*pair.1), |group| {
            let moves = &group.tally.moves;
            count(moves.second.get(*pair)).share_of_searched(&count(moves.replies.get(first)))
        })
    });
    let title = Phrase::new(
        format!("Replies to `{first}` that a search chose"),
        format!("الردود على `{first}` التي اختارها البحث"),
    );
    let mut data = second_table(openings, By::Step);
    data.rows.retain(|row| row[1] == first.into());
    (!replies.is_empty()).then(|| shares(openings, title, of_searched(), series.collect(), data))
}

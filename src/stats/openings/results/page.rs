//! White's score and the ends of games as tables and figures.

use crate::{
    estimate::Interval,
    page::{Cell, Figure, Phrase, Plot, Point, Series, Style, Table},
    stats::{
        openings::{
            Openings,
            figures::{series, share_of_games, shares},
            groups::{By, Group},
            record::Results,
            tables::{
                PERCENT, change_name, result_cells, result_columns, row, share_cells, share_columns, text_column,
            },
        },
        words::{count_column, interval_cells, interval_columns, reason_name},
    },
};

/// White's score by group.
pub fn score_table(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("First-move advantage: White's score", "أفضلية البدء: معدّل نقاط الأبيض"));
    let mut columns = vec![by.column(), count_column("games", Phrase::new("games", "المباريات"))];
    let (white, black) = (Phrase::new("White won", "فاز الأبيض"), Phrase::new("Black won", "فاز الأسود"));
    columns.extend(result_columns(["white_wins", "black_wins"], white, black));
    columns.extend(interval_columns("score", Phrase::new("score", "معدّل النقاط"), PERCENT));
    let with_draws = Phrase::new("cut off as draws", "باحتساب المقطوعة تعادلًا");
    columns.extend(interval_columns("score_of_all", with_draws, PERCENT));
    let note = openings.note(&Phrase::new(
        "The score is of games with a result; the other one takes every game, those cut off as draws. The last line is the difference of the last band and the first.",
        "معدّل النقاط للمباريات ذات النتيجة؛ والمعدّل الآخر لجميع المباريات باحتساب المقطوعة تعادلًا. السطر الأخير الفرق بين آخر مجموعة أجيال وأولها.",
    ));
    let mut table = Table::new(by.name("white_score"), title, note, columns);
    for Group { name, tally, .. } in openings.groups.by(by) {
        let results = &tally.ends.all;
        let mut cells = result_cells(results).to_vec();
        cells.extend(interval_cells(results.score().as_ref()));
        cells.extend(interval_cells(results.score_of_all().as_ref()));
        table.push(row([name.cell(), results.games().into()], cells));
    }
    let changes = [Results::score, Results::score_of_all]
        .map(|score| openings.groups.change(|group| score(&group.tally.ends.all)).filter(|_| by == By::Band));
    if changes.iter().any(Option::is_some) {
        let cells = changes.iter().flat_map(|change| interval_cells(change.as_ref()));
        table.push(row([change_name().into(), Cell::Empty], [const { Cell::Empty }; 4].into_iter().chain(cells)));
    }
    table
}

/// How games end, by group.
pub fn ends_table(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("How games end", "كيف تنتهي المباريات"));
    let mut columns = vec![by.column(), text_column("reason", Phrase::new("reason", "السبب"))];
    columns.extend(share_columns());
    let (white, black) = (Phrase::new("White won", "فاز الأبيض"), Phrase::new("Black won", "فاز الأسود"));
    columns.extend(result_columns(["white_wins", "black_wins"], white, black));
    let note = openings.note(&Phrase::new("Shares are of all games of the group.", "النسب من جميع مباريات المجموعة."));
    let mut table = Table::new(by.name("results"), title, note, columns);
    for reason in openings.groups.all.ends.reasons() {
        for Group { name, tally, .. } in openings.groups.by(by) {
            if let Some(results) = tally.ends.by_reason.get(reason) {
                let mut cells = share_cells(results.games(), tally.games()).to_vec();
                cells.extend(result_cells(results));
                table.push(row([name.cell(), reason_name(reason).into()], cells));
            }
        }
        let share = |group: &Group<'_>| {
            let games = group.tally.ends.by_reason.get(reason).map_or(0, Results::games);
            Interval::share(games, group.tally.games())
        };
        if let Some(change) = openings.groups.change(share).filter(|_| by == By::Band) {
            let [share, low, high] = interval_cells(Some(&change));
            let cells = [Cell::Empty, Cell::Empty, share, low, high].into_iter().chain([const { Cell::Empty }; 4]);
            table.push(row([change_name().into(), reason_name(reason).into()], cells));
        }
    }
    table
}

/// White's score.
pub fn score_figure(openings: &Openings) -> Figure {
    let results = |group: &Group<'_>| group.tally.ends.all;
    let mut lines = vec![
        series(openings, Phrase::new("games with a result", "مباريات ذات نتيجة"), |group| {
            results(group).score()
        }),
        series(openings, Phrase::new("all, cut off as draws", "الكل، والمقطوعة تعادل"), |group| {
            results(group).score_of_all()
        }),
    ];
    let ends: Vec<f64> = lines[1].points.iter().map(|point| point.x).collect();
    if let (Some(&first), Some(&last)) = (ends.first(), ends.last()) {
        let points = vec![Point::new(first, 0.5), Point::new(last, 0.5)];
        lines.push(Series { name: Phrase::new("no advantage", "لا أفضلية"), style: Style::Dashed, points });
    }
    // An advantage is a few percent: the axis shows what there is, in steps of a tenth, rather than all from 0 to 1.
    let points = || lines.iter().flat_map(|line| &line.points);
    let low = points().filter_map(|point| point.low).fold(0.4, f64::min);
    let high = points().filter_map(|point| point.high).fold(0.6, f64::max);
    let range = ((10.0 * low).floor() / 10.0, (10.0 * high).ceil() / 10.0);
    let title = Phrase::new("First-move advantage", "أفضلية البدء");
    let y = Phrase::new("White's score", "معدّل نقاط الأبيض");
    let mut figure = shares(openings, title, y, lines, score_table(openings, By::Step));
    if let Plot::Lines(lines) = &mut figure.plot {
        lines.y_range = Some(range);
    }
    figure
}

/// How games end.
pub fn ends_figure(openings: &Openings) -> Figure {
    let series = openings.groups.all.ends.reasons().into_iter().map(|reason| {
        series(openings, reason_name(reason), |group| {
            let games = group.tally.ends.by_reason.get(reason).map_or(0, |results| results.games());
            Interval::share(games, group.tally.games())
        })
    });
    let title = Phrase::new("How games end", "كيف تنتهي المباريات");
    shares(openings, title, share_of_games(), series.collect(), ends_table(openings, By::Step))
}

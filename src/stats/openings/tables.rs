//! The tables of openings.

use super::{
    Openings,
    groups::{By, Group},
    record::{Record, Results},
};
use crate::{
    estimate::Interval,
    page::{Cell, Column, Kind, Phrase, Table},
    stats::words::{self, count_column, interval_cells, interval_columns},
};

const PERCENT: Kind = Kind::Percent { decimals: 1 };
const PLIES: Kind = Kind::Number { decimals: 1 };

/// The actions of the graph.
pub fn edges(openings: &Openings) -> Table {
    let title = Phrase::new("Moves of the opening graph", "نقلات مخطّط الافتتاحات");
    let mut columns = vec![
        text_column("position", Phrase::new("position", "الوضعية")),
        count_column("ply", Phrase::new("ply", "نصف النقلة")),
        move_column(),
        text_column("to", Phrase::new("position after", "الوضعية بعدها")),
        count_column("transposition", Phrase::new("shown elsewhere (=)", "مبسوطة في موضع آخر (=)")),
    ];
    columns.extend(record_columns());
    let mut table = Table::new("openings", title, openings.graph_note(), columns);
    for edge in &openings.edges {
        let mut row: Vec<Cell> = vec![
            edge.position.as_ref().into(),
            edge.record.ply.into(),
            edge.action.as_ref().into(),
            edge.to.as_ref().into(),
            u64::from(edge.is_transposition).into(),
        ];
        row.extend(record_cells(&edge.record, edge.position_games));
        table.push(row);
    }
    table
}

/// The columns of a [`Record`], with the games through its position.
pub fn record_columns() -> Vec<Column> {
    let mut columns = vec![
        count_column("games", Phrase::new("games", "المباريات")),
        count_column("position_games", Phrase::new("games in the position", "مباريات الوضعية")),
    ];
    columns.extend(interval_columns("share", Phrase::new("share", "النسبة"), PERCENT));
    columns.extend(result_columns(["wins", "losses"], Phrase::new("wins", "فوز"), Phrase::new("losses", "خسارة")));
    columns.extend(interval_columns("score", Phrase::new("score", "معدّل النقاط"), PERCENT));
    columns.extend([
        count_column("from_policy", Phrase::new("drawn without search", "سُحبت دون بحث")),
        Column::new("prior", Phrase::new("prior", "احتمال الشبكة"), PERCENT),
        count_column("searched", Phrase::new("searched", "بُحثت")),
        Column::new("visit_share", Phrase::new("visits", "حصّة الزيارات"), PERCENT),
        Column::new("root_value", Phrase::new("root value", "قيمة الجذر"), Kind::Number { decimals: 3 }),
        count_column("first_generation", Phrase::new("first generation", "أول جيل")),
        count_column("last_generation", Phrase::new("last generation", "آخر جيل")),
    ]);
    columns
}

/// The cells for [`record_columns`].
pub fn record_cells(record: &Record, position_games: Option<u64>) -> Vec<Cell> {
    let share = position_games.and_then(|games| Interval::share(record.games().min(games), games));
    let mut cells = vec![record.games().into(), position_games.into()];
    cells.extend(interval_cells(share.as_ref()));
    cells.extend(result_cells(&record.results));
    cells.extend(interval_cells(record.results.score().as_ref()));
    cells.extend([
        record.from_policy.into(),
        record.prior.mean().into(),
        record.visit_share.n.into(),
        record.visit_share.mean().into(),
        record.root_value.mean().into(),
        record.generations.0.into(),
        record.generations.1.into(),
    ]);
    cells
}

/// First moves by group, the most frequent first.
pub fn first_moves(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("First moves", "النقلات الأولى"));
    let mut columns = vec![by.column(), move_column()];
    columns.extend(share_columns());
    let note = openings.note(&Phrase::new(
        "Shares are of the group's games. Moves that none of them chose are left out.",
        "النسب من مباريات المجموعة. النقلات التي لم تخترها أي منها محذوفة.",
    ));
    let mut table = Table::new(by.name("first_moves"), title, note, columns);
    for action in openings.first_moves() {
        for group in openings.groups.by(by) {
            if let Some(&games) = group.tally.first.get(action) {
                table.push(row([group.name.clone(), action.into()], share_cells(games, group.tally.games())));
            }
        }
    }
    table
}

/// Second moves by group: the replies to each first move, the most frequent first.
pub fn second_moves(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("Second moves", "النقلات الثانية"));
    let mut columns = vec![by.column(), text_column("first", Phrase::new("first move", "النقلة الأولى"))];
    columns.push(text_column("reply", Phrase::new("reply", "الردّ")));
    columns.extend(share_columns());
    let note = openings.note(&Phrase::new(
        "Shares are of the group's games with that first move.",
        "النسب من مباريات المجموعة التي بدأت بتلك النقلة.",
    ));
    let mut table = Table::new(by.name("second_moves"), title, note, columns);
    for pair in openings.second_moves() {
        for group in openings.groups.by(by) {
            if let Some(&games) = group.tally.second.get(pair) {
                let of = group.tally.first.get(&pair.0).copied().unwrap_or_default();
                let names = [group.name.clone(), pair.0.as_ref().into(), pair.1.as_ref().into()];
                table.push(row(names, share_cells(games, of)));
            }
        }
    }
    table
}

/// How many openings there are in effect, by generation.
pub fn diversity(openings: &Openings) -> Table {
    let title = Phrase::new("Effective number of openings", "العدد الفعّال للافتتاحات");
    let number = Kind::Number { decimals: 1 };
    let mut columns = vec![
        By::Generation.column(),
        count_column("plies", Phrase::new("plies", "أنصاف النقلات")),
        count_column("games", Phrase::new("games", "المباريات")),
        count_column("order_0", Phrase::new("order 0: openings seen", "الرتبة 0: افتتاحات ظهرت")),
    ];
    columns.extend(interval_columns("order_1", Phrase::new("order 1", "الرتبة 1"), number));
    columns.extend(interval_columns("order_2", Phrase::new("order 2", "الرتبة 2"), number));
    let mut table = Table::new("diversity", title, openings.diversity_note(), columns);
    for census in &openings.censuses {
        for (generation, hill) in census.hill() {
            let names = [generation.into(), census.plies().into(), hill.shannon.n.into(), Cell::Count(hill.kinds)];
            let numbers = [interval_cells(Some(&hill.shannon)), interval_cells(Some(&hill.simpson))].concat();
            table.push(row(names, numbers));
        }
    }
    table
}

/// White's score by group.
pub fn white_score(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("First-move advantage: White's score", "أفضلية البدء: معدّل نقاط الأبيض"));
    let mut columns = vec![by.column(), count_column("games", Phrase::new("games", "المباريات"))];
    let (white, black) = (Phrase::new("White won", "فاز الأبيض"), Phrase::new("Black won", "فاز الأسود"));
    columns.extend(result_columns(["white_wins", "black_wins"], white, black));
    columns.extend(interval_columns("score", Phrase::new("score", "معدّل النقاط"), PERCENT));
    let with_draws = Phrase::new("cut off as draws", "باحتساب المقطوعة تعادلًا");
    columns.extend(interval_columns("score_of_all", with_draws, PERCENT));
    let note = openings.note(&Phrase::new(
        "The score is of games with a result; the other one takes every game, those cut off as draws.",
        "معدّل النقاط للمباريات ذات النتيجة؛ والمعدّل الآخر لجميع المباريات باحتساب المقطوعة تعادلًا.",
    ));
    let mut table = Table::new(by.name("white_score"), title, note, columns);
    for Group { name, tally, .. } in openings.groups.by(by) {
        let results = &tally.results;
        let mut cells = result_cells(results).to_vec();
        cells.extend(interval_cells(results.score().as_ref()));
        cells.extend(interval_cells(results.score_of_all().as_ref()));
        table.push(row([name.clone(), results.games().into()], cells));
    }
    table
}

/// Length of games by group.
pub fn lengths(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("Length of games in plies", "طول المباريات بأنصاف النقلات"));
    let mut columns = vec![
        by.column(),
        count_column("games", Phrase::new("games", "المباريات")),
        count_column("cut_off", Phrase::new("cut off", "مقطوعة")),
    ];
    columns.extend(interval_columns("mean", Phrase::new("mean", "المتوسّط"), PLIES));
    let ended = Phrase::new("mean of those with a result", "متوسّط ذات النتيجة");
    columns.extend(interval_columns("mean_of_ended", ended, PLIES));
    columns.extend(interval_columns("tenth", Phrase::new("shortest tenth up to", "أقصر عُشر حتى"), PLIES));
    columns.extend(interval_columns("median", Phrase::new("median", "الوسيط"), PLIES));
    columns.extend(interval_columns("nine_tenths", Phrase::new("nine tenths up to", "تسعة أعشار حتى"), PLIES));
    let note = openings.note(&Phrase::new(
        "A game that was cut off would have been longer: means of all games and quantiles at the limit are too low. Means with bootstrap intervals over games, \
         quantiles with intervals by order statistics.",
        "المباراة المقطوعة كانت ستطول: فالمتوسّط على جميع المباريات والمئينات عند الحدّ أدنى من الحقيقة. فترات المتوسّطات بإعادة المعاينة (bootstrap) على المباريات، \
         وفترات المئينات بالإحصاءات الترتيبية.",
    ));
    let mut table = Table::new(by.name("lengths"), title, note, columns);
    for Group { name, tally, .. } in openings.groups.by(by) {
        let means = [tally.plies.interval(), tally.plies_of_ended.interval()];
        let quantiles = [0.1, 0.5, 0.9].map(|share| tally.length(share));
        let cells = means.iter().chain(&quantiles).flat_map(|interval| interval_cells(interval.as_ref()));
        let names = [name.clone(), tally.games().into(), tally.results.cut_off.into()];
        table.push(row(names, cells));
    }
    table
}

/// How games end, by group.
pub fn results(openings: &Openings, by: By) -> Table {
    let title = by.title(Phrase::new("How games end", "كيف تنتهي المباريات"));
    let mut columns = vec![by.column(), text_column("reason", Phrase::new("reason", "السبب"))];
    columns.extend(share_columns());
    let (white, black) = (Phrase::new("White won", "فاز الأبيض"), Phrase::new("Black won", "فاز الأسود"));
    columns.extend(result_columns(["white_wins", "black_wins"], white, black));
    let note = openings.note(&Phrase::new("Shares are of all games of the group.", "النسب من جميع مباريات المجموعة."));
    let mut table = Table::new(by.name("results"), title, note, columns);
    for reason in openings.reasons() {
        for Group { name, tally, .. } in openings.groups.by(by) {
            if let Some(results) = tally.reasons.get(reason) {
                let mut cells = share_cells(results.games(), tally.games()).to_vec();
                cells.extend(result_cells(results));
                table.push(row([name.clone(), words::reason_name(reason).into()], cells));
            }
        }
    }
    table
}

fn text_column(name: &str, title: Phrase) -> Column {
    Column::new(name, title, Kind::Text)
}

fn move_column() -> Column {
    text_column("action", Phrase::new("move", "النقلة"))
}

/// So many games, of how many, and the share.
fn share_columns() -> Vec<Column> {
    let mut columns =
        vec![count_column("games", Phrase::new("games", "المباريات")), count_column("of", Phrase::new("of", "من"))];
    columns.extend(interval_columns("share", Phrase::new("share", "النسبة"), PERCENT));
    columns
}

fn share_cells(games: u64, of: u64) -> [Cell; 5] {
    let [share, low, high] = interval_cells(Interval::share(games, of).as_ref());
    [games.into(), of.into(), share, low, high]
}

fn result_columns([wins, losses]: [&str; 2], won: Phrase, lost: Phrase) -> [Column; 4] {
    [
        count_column(wins, won),
        count_column("draws", Phrase::new("draws", "تعادل")),
        count_column(losses, lost),
        count_column("cut_off", Phrase::new("cut off", "مقطوعة")),
    ]
}

fn result_cells(results: &Results) -> [Cell; 4] {
    [results.wins, results.draws, results.losses, results.cut_off].map(Cell::Count)
}

fn row<const N: usize>(names: [Cell; N], cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
    names.into_iter().chain(cells).collect()
}

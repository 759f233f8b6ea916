//! Columns and cells that the tables of openings share.

use super::{
    groups::{By, Name},
    record::{Decisions, LEAST_SEARCHES, Record, Results},
};
use crate::{
    estimate::Interval,
    page::{Cell, Column, Kind, Phrase},
    stats::words::{band_column, count_column, interval_cells, interval_columns},
};

/// How shares and scores are printed.
pub const PERCENT: Kind = Kind::Percent { decimals: 1 };

impl By {
    /// The name of a table in this grouping.
    pub fn name(self, stem: &str) -> String {
        match self {
            By::Band => stem.to_owned(),
            By::Step => format!("{stem}_drawn"),
            By::Generation => format!("{stem}_by_generation"),
        }
    }

    /// A title in this grouping.
    pub fn title(self, title: Phrase) -> Phrase {
        match self {
            By::Band | By::Step => title,
            By::Generation => Phrase::new(title.en + ", by generation", title.ar + "، جيلًا جيلًا"),
        }
    }

    /// The column that names the group.
    pub fn column(self) -> Column {
        match self {
            By::Band | By::Step => band_column(),
            By::Generation => Column::new("generation", Phrase::new("generation", "الجيل"), Kind::Count),
        }
    }
}

impl Name {
    /// The name for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Name::All => Phrase::new("all", "الكل"),
            Name::Band(name) => Phrase::same(name),
            Name::Generation(generation) => Phrase::same(generation.to_string()),
        }
    }

    /// The name in the column of [`By::column`].
    pub fn cell(&self) -> Cell {
        match self {
            Name::All => self.phrase().into(),
            Name::Band(name) => Cell::Text(name.clone()),
            Name::Generation(generation) => Cell::Count(*generation),
        }
    }
}

/// The columns of a [`Record`], with the games through its position and the choices there.
pub fn record_columns() -> Vec<Column> {
    let mut columns = vec![
        count_column("games", Phrase::new("games", "المباريات")),
        count_column("position_games", Phrase::new("games in the position", "مباريات الوضعية")),
    ];
    columns.extend(decision_columns());
    columns.extend(result_columns(["wins", "losses"], Phrase::new("wins", "فوز"), Phrase::new("losses", "خسارة")));
    columns.extend(interval_columns("score", Phrase::new("score", "معدّل النقاط"), PERCENT));
    columns.extend([
        Column::new("prior", Phrase::new("prior", "احتمال الشبكة"), PERCENT),
        Column::new("visit_share", Phrase::new("visits", "حصّة الزيارات"), PERCENT),
        Column::new("root_value", Phrase::new("root value", "قيمة الجذر"), Kind::Number { decimals: 3 }),
        count_column("first_generation", Phrase::new("first generation", "أول جيل")),
        count_column("last_generation", Phrase::new("last generation", "آخر جيل")),
    ]);
    columns
}

/// The cells for [`record_columns`]; of a position, the games through it and the choices there, where they are known.
pub fn record_cells(record: &Record, position: Option<(u64, Decisions)>) -> Vec<Cell> {
    let mut cells = vec![record.games().into(), position.map(|(games, _)| games).into()];
    match position {
        Some((_, choices)) => cells.extend(decision_cells(&record.decisions, &choices)),
        None => {
            let Decisions { searched, drawn, .. } = record.decisions;
            let [none, count] = [Cell::default(), Cell::Count(searched)];
            cells.extend([count, none.clone(), none.clone(), none.clone(), none.clone()]);
            cells.extend([Cell::Count(drawn), none.clone(), none.clone(), none.clone(), none]);
        }
    }
    cells.extend(result_cells(&record.results));
    cells.extend(interval_cells(record.results.score().as_ref()));
    cells.extend([
        record.prior.mean().into(),
        record.visit_share.mean_of_at_least(LEAST_SEARCHES).into(),
        record.root_value.mean_of_at_least(LEAST_SEARCHES).into(),
        record.generations.0.into(),
        record.generations.1.into(),
    ]);
    cells
}

/// A column of texts.
pub fn text_column(name: &str, title: Phrase) -> Column {
    Column::new(name, title, Kind::Text)
}

/// The column of moves.
pub fn move_column() -> Column {
    text_column("action", Phrase::new("move", "النقلة"))
}

/// So many games, of how many, and the share.
pub fn share_columns() -> Vec<Column> {
    let mut columns =
        vec![count_column("games", Phrase::new("games", "المباريات")), count_column("of", Phrase::new("of", "من"))];
    columns.extend(interval_columns("share", Phrase::new("share", "النسبة"), PERCENT));
    columns
}

/// The cells for [`share_columns`].
pub fn share_cells(games: u64, of: u64) -> [Cell; 5] {
    let [share, low, high] = interval_cells(Interval::share(games, of).as_ref());
    [games.into(), of.into(), share, low, high]
}

/// How often something was chosen by a search, of how many searches, and the share; then the same of draws without a
/// search.
pub fn decision_columns() -> Vec<Column> {
    let mut columns = vec![
        count_column("searched", Phrase::new("searched", "بالبحث")),
        count_column("searched_of", Phrase::new("of", "من")),
    ];
    columns.extend(interval_columns("searched_share", Phrase::new("share", "النسبة"), PERCENT));
    columns.push(count_column("drawn", Phrase::new("drawn without search", "بالسحب دون بحث")));
    columns.push(count_column("drawn_of", Phrase::new("of", "من")));
    columns.extend(interval_columns("drawn_share", Phrase::new("share", "النسبة"), PERCENT));
    columns
}

/// The cells for [`decision_columns`].
pub fn decision_cells(chosen: &Decisions, of: &Decisions) -> Vec<Cell> {
    let mut cells = vec![chosen.searched.into(), of.searched.into()];
    cells.extend(interval_cells(chosen.share_of_searched(of).as_ref()));
    cells.extend([chosen.drawn.into(), of.drawn.into()]);
    cells.extend(interval_cells(chosen.share_of_drawn(of).as_ref()));
    cells
}

/// The columns of [`Results`].
pub fn result_columns([wins, losses]: [&str; 2], won: Phrase, lost: Phrase) -> [Column; 4] {
    [
        count_column(wins, won),
        count_column("draws", Phrase::new("draws", "تعادل")),
        count_column(losses, lost),
        count_column("cut_off", Phrase::new("cut off", "مقطوعة")),
    ]
}

/// The cells for [`result_columns`].
pub fn result_cells(results: &Results) -> [Cell; 4] {
    [results.wins, results.draws, results.losses, results.cut_off].map(Cell::Count)
}

/// The name of what is compared between bands.
pub fn change_name() -> Phrase {
    Phrase::new("last less first", "الأخيرة ناقص الأولى")
}

/// A row: names, then numbers.
pub fn row<const N: usize>(names: [Cell; N], cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
    names.into_iter().chain(cells).collect()
}

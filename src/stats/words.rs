//! Words of the results in both languages, and how an interval is put into a table or a figure.

use crate::{
    estimate::{Hill, Interval},
    game::words::{Term, Words},
    page::{Cell, Column, Kind, Phrase, Point},
};

/// The name that a game gives to a kind of action; as files have it where the game gives none.
pub fn kind_name(words: &Words, kind: &str) -> Phrase {
    match words.kinds.get(kind) {
        Some(Term { en, ar }) => Phrase::new(en, ar),
        None => Phrase::same(kind),
    }
}

/// The name of a result, seen by one side: `win`, `draw`, `loss`, `cut off`.
pub fn result_name(result: &str) -> Phrase {
    let arabic = match result {
        "win" => "فوز",
        "draw" => "تعادل",
        "loss" => "خسارة",
        "cut off" => "مقطوعة",
        other => return Phrase::same(other),
    };
    Phrase::new(result, arabic)
}

/// Why a game ended; in English the word of the files with spaces in it.
pub fn reason_name(reason: &str) -> Phrase {
    let arabic = match reason {
        "checkmate" => "كش مات",
        "stalemate" => "جمود (لا نقلة ولا كش)",
        "king_captured" => "أسر الملك",
        "no_action" => "نفاد النقلات",
        "no_progress" => "لا تقدّم",
        "insufficient" => "قطع لا تكفي",
        "repetition" => "تكرار الوضعية",
        "max_plies" => "حدّ القواعد لأنصاف النقلات",
        "resignation" => "استسلام",
        "agreement" => "اتفاق",
        "forfeit" => "خسارة لمخالفة أو عطل",
        "cut_off" => "مقطوعة",
        other => return Phrase::same(other),
    };
    Phrase::new(reason.replace('_', " "), arabic)
}

/// The name of a rank, a letter.
pub fn rank_name(rank: u8) -> String {
    char::from(rank).to_string()
}

/// The column of generation bands; `all` stands for all generations together.
pub fn band_column() -> Column {
    Column::new("generations", Phrase::new("generations", "الأجيال"), Kind::Text)
}

/// The column of kinds of action.
pub fn kind_column() -> Column {
    Column::new("kind", Phrase::new("kind", "النوع"), Kind::Text)
}

/// A column of whole numbers.
pub fn count_column(name: &str, title: Phrase) -> Column {
    Column::new(name, title, Kind::Count)
}

/// Three columns for an estimate and its 95% interval.
pub fn interval_columns(name: &str, title: Phrase, kind: Kind) -> [Column; 3] {
    let low = Phrase::new("95% from", "95% من");
    let high = Phrase::new("to", "إلى");
    [
        Column::new(name, title, kind),
        Column::new(format!("{name}_low"), low, kind),
        Column::new(format!("{name}_high"), high, kind),
    ]
}

/// The cells for [`interval_columns`].
pub fn interval_cells(interval: Option<&Interval>) -> [Cell; 3] {
    match interval {
        Some(interval) if interval.estimate == f64::INFINITY => {
            [Cell::AtLeast(interval.low), Cell::Number(interval.low), Cell::Empty]
        }
        Some(interval) => [Cell::Number(interval.estimate), finite(interval.low), finite(interval.high)],
        None => [Cell::Empty, Cell::Empty, Cell::Empty],
    }
}

/// The columns of Hill numbers: estimates of orders 0, 1 and 2, the size of smaller samples, and what these show.
pub fn hill_columns(kind: Kind) -> Vec<Column> {
    let order = |name: &str, en: &str, ar: &str| interval_columns(name, Phrase::new(en, ar), kind);
    let mut columns = order("order_0", "order 0, at least", "الرتبة 0، على الأقل")[..2].to_vec();
    columns.extend(order("order_1", "order 1", "الرتبة 1"));
    columns.extend(order("order_2", "order 2", "الرتبة 2"));
    columns.push(count_column("size", Phrase::new("of samples of", "لعيّنات من")));
    columns.extend(order("rarefied_0", "order 0", "الرتبة 0"));
    columns.extend(order("rarefied_1", "order 1", "الرتبة 1"));
    columns.extend(order("rarefied_2", "order 2", "الرتبة 2"));
    columns
}

/// The cells for [`hill_columns`].
pub fn hill_cells(hill: &Hill) -> Vec<Cell> {
    // Nothing bounds the number of kinds from above.
    let mut cells = interval_cells(Some(&hill.richness))[..2].to_vec();
    cells.extend(interval_cells(Some(&hill.shannon)));
    cells.extend(interval_cells(Some(&hill.simpson)));
    cells.push(hill.size.into());
    cells.extend(hill.rarefied.iter().flat_map(|number| interval_cells(Some(number))));
    cells
}

/// A number; an end that the sample does not bound is left empty.
fn finite(number: f64) -> Cell {
    if number.is_infinite() { Cell::Empty } else { Cell::Number(number) }
}

/// An estimate with its interval, at x.
pub fn point(x: f64, interval: &Interval) -> Point {
    Point { x, y: interval.estimate, low: Some(interval.low), high: Some(interval.high) }
}

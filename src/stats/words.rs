//! Words of the results in both languages, and how an interval is put into a table or a figure.

use crate::{
    estimate::Interval,
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

/// Why a game ended; in English the word of the files.
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
        "cut_off" => "قطعها حدّ اللعب الذاتي",
        other => return Phrase::same(other),
    };
    Phrase::new(reason, arabic)
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
        Some(interval) => [interval.estimate, interval.low, interval.high].map(Cell::Number),
        None => [Cell::Empty, Cell::Empty, Cell::Empty],
    }
}

/// An estimate with its interval, at x.
pub fn point(x: f64, interval: &Interval) -> Point {
    Point { x, y: interval.estimate, low: Some(interval.low), high: Some(interval.high) }
}

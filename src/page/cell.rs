//! One value of a table, and how a column shows it.

use super::Phrase;

/// A value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Unknown or not applicable: nothing in text and CSV, null in Parquet.
    #[default]
    Empty,
    Text(String),
    /// Text with its Arabic, which pages show; everything else has the English.
    Words(Phrase),
    Count(u64),
    /// What a sample bounds from below alone, as a median beyond the longest time that was seen: printed with its bound,
    /// and an infinity in files.
    AtLeast(f64),
    /// Not a number is [`Cell::Empty`] wherever it is shown; an infinity stays one.
    Number(f64),
}

/// What a column holds, and how it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything, printed as it is.
    Text,
    /// Whole numbers.
    Count,
    /// Numbers, printed with so many decimals and written whole to CSV and Parquet.
    Number { decimals: usize },
    /// Shares in [0, 1], printed as percent with so many decimals and written as they are to CSV and Parquet.
    Percent { decimals: usize },
}

impl Kind {
    /// Whether a column of this kind may hold `cell`.
    pub fn holds(self, cell: &Cell) -> bool {
        match self {
            Kind::Text => true,
            Kind::Count => matches!(cell, Cell::Empty | Cell::Count(_)),
            Kind::Number { .. } | Kind::Percent { .. } => !matches!(cell, Cell::Text(_) | Cell::Words(_)),
        }
    }

    /// `cell` as a person reads it; empty for an empty one.
    pub fn print(self, cell: &Cell) -> String {
        match (self, cell) {
            (_, Cell::Empty) => String::new(),
            (_, Cell::Text(text)) => text.clone(),
            (_, Cell::Words(words)) => words.en.clone(),
            (_, Cell::AtLeast(bound)) => format!("at least {}", self.print(&Cell::Number(*bound))),
            (Kind::Text | Kind::Count, Cell::Count(count)) => count.to_string(),
            (Kind::Text | Kind::Count, Cell::Number(number)) => finite_or(*number, number.to_string()),
            (Kind::Number { decimals }, cell) => {
                let number = cell.number().unwrap_or(f64::NAN);
                finite_or(number, fixed(number, decimals))
            }
            (Kind::Percent { decimals }, cell) => {
                let share = cell.number().unwrap_or(f64::NAN);
                finite_or(share, fixed(100.0 * share, decimals) + "%")
            }
        }
    }
}

impl Cell {
    /// The value as a number, where it is one.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Cell::Count(count) => Some(count as f64),
            Cell::Number(number) if !number.is_nan() => Some(number),
            Cell::AtLeast(_) => Some(f64::INFINITY),
            Cell::Number(_) | Cell::Empty | Cell::Text(_) | Cell::Words(_) => None,
        }
    }
}

/// `printed`, or what stands for a number that is none or infinite.
fn finite_or(number: f64, printed: String) -> String {
    if number.is_nan() {
        String::new()
    } else if number.is_infinite() {
        if number > 0.0 { "+inf".to_owned() } else { "-inf".to_owned() }
    } else {
        printed
    }
}

/// A number with so many decimals; never a negative zero.
fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

impl From<Phrase> for Cell {
    fn from(words: Phrase) -> Self {
        Cell::Words(words)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Cell::Count(count)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Cell::Count(count.into())
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Cell::Count(count as u64)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Cell::Number(number)
    }
}

impl From<f32> for Cell {
    fn from(number: f32) -> Self {
        Cell::Number(number.into())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_print_as_their_column_says() {
        let percent = Kind::Percent { decimals: 1 };
        let number = Kind::Number { decimals: 2 };
        for (kind, cell, text) in [
            (percent, Cell::from(0.1234), "12.3%"),
            (percent, Cell::from(1_u64), "100.0%"),
            (number, Cell::from(3_u64), "3.00"),
            (number, Cell::from(-0.001), "0.00"),
            (number, Cell::from(-0.006), "-0.01"),
            (number, Cell::from(f64::NAN), ""),
            (number, Cell::from(f64::NEG_INFINITY), "-inf"),
            (number, Cell::AtLeast(240.0), "at least 240.00"),
            (Kind::Count, Cell::from(12_usize), "12"),
            (Kind::Text, Cell::from("e2e4"), "e2e4"),
            (Kind::Text, Cell::from(Phrase::new("ladder", "سلّم")), "ladder"),
            (Kind::Count, Cell::from(None::<u64>), ""),
        ] {
            assert_eq!(kind.print(&cell), text, "{cell:?}");
        }
        assert!(!Kind::Count.holds(&Cell::from(0.5)) && !number.holds(&Cell::from("x")));
    }
}

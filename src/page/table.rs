//! Typed rows under named columns: the one form in which results are printed, written to CSV and Parquet, and shown on
//! a page.

use super::{
    Phrase,
    cell::{Cell, Kind},
};

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// In `snake_case`: the heading in text, CSV and Parquet.
    pub name: String,
    /// The heading on a page.
    pub title: Phrase,
    pub kind: Kind,
}

impl Column {
    pub fn new(name: impl Into<String>, title: Phrase, kind: Kind) -> Self {
        Column { name: name.into(), title, kind }
    }
}

/// Rows under columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// In `snake_case`: the stem of its files.
    pub name: String,
    pub title: Phrase,
    /// What a reader must know: n, interval, filters, definition.
    pub note: Phrase,
    pub columns: Vec<Column>,
    /// As many cells each as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new(name: impl Into<String>, title: Phrase, note: Phrase, columns: Vec<Column>) -> Self {
        Table { name: name.into(), title, note, columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row does not fit the columns, in number or in kind, which is a bug of the caller.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "table {}: cells in a row", self.name);
        for (cell, column) in row.iter().zip(&self.columns) {
            assert!(column.kind.holds(cell), "table {}: {cell:?} in {column:?}", self.name);
        }
        self.rows.push(row);
    }

    /// The rows as an array of objects, a member a column, with all digits; what is unknown or infinite is `null`.
    pub fn to_json(&self) -> serde_json::Value {
        let member = |(column, cell): (&Column, &Cell)| {
            let value = match cell {
                Cell::Text(text) => text.as_str().into(),
                Cell::Words(words) => words.en.as_str().into(),
                Cell::Count(count) => (*count).into(),
                // JSON has no infinity: `Value::from` makes it null.
                Cell::Empty | Cell::AtLeast(_) | Cell::Number(_) => cell.number().into(),
            };
            (column.name.clone(), value)
        };
        let row = |row: &Vec<Cell>| self.columns.iter().zip(row).map(member).collect::<serde_json::Map<_, _>>();
        self.rows.iter().map(row).collect()
    }

    /// The table as text for a terminal: its title in English, aligned columns (numbers to the right), at most `limit`
    /// rows, its note.
    pub fn to_text(&self, limit: usize) -> String {
        let shown = &self.rows[..self.rows.len().min(limit)];
        let printed: Vec<Vec<String>> =
            std::iter::once(self.columns.iter().map(|column| column.name.clone()).collect())
                .chain(
                    shown.iter().map(|row| row.iter().zip(&self.columns).map(|(cell, c)| c.kind.print(cell)).collect()),
                )
                .collect();
        let width = |at: usize| printed.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = format!("{}\n", self.title.en);
        for row in &printed {
            let cells = row.iter().zip(&widths).zip(&self.columns).map(|((cell, &width), column)| match column.kind {
                Kind::Text => format!("{cell:<width$}"),
                Kind::Count | Kind::Number { .. } | Kind::Percent { .. } => format!("{cell:>width$}"),
            });
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
        match self.rows.len() - shown.len() {
            0 => {}
            1 => text += "... 1 more row\n",
            more => text += &format!("... {more} more rows\n"),
        }
        if !self.note.en.is_empty() {
            text += &format!("{}\n", self.note.en);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_as_json_have_names_and_all_digits() {
        let columns = vec![
            Column::new("action", Phrase::same("action"), Kind::Text),
            Column::new("share", Phrase::same("share"), Kind::Percent { decimals: 1 }),
        ];
        let mut table = Table::new("first", Phrase::default(), Phrase::default(), columns);
        table.push(vec!["e2\"e4".into(), (1.0 / 3.0).into()]);
        table.push(vec![Cell::Empty, Cell::AtLeast(2.0)]);
        let expected = r#"[{"action":"e2\"e4","share":0.3333333333333333},{"action":null,"share":null}]"#;
        assert_eq!(table.to_json().to_string(), expected);
    }

    #[test]
    fn text_is_aligned_and_cut() {
        let columns = vec![
            Column::new("action", Phrase::new("action", "الحركة"), Kind::Text),
            Column::new("games", Phrase::new("games", "المباريات"), Kind::Count),
            Column::new("share", Phrase::new("share", "النسبة"), Kind::Percent { decimals: 1 }),
        ];
        let mut table = Table::new("first", Phrase::same("First moves"), Phrase::same("n = 4"), columns);
        table.push(vec!["e2e4".into(), 1200_u64.into(), 0.5.into()]);
        table.push(vec!["a1=♜b".into(), Cell::Empty, f64::NAN.into()]);
        table.push(vec!["d2d4".into(), 7_u64.into(), 1.0.into()]);
        let expected = "\
First moves
action  games  share
e2e4     1200  50.0%
a1=♜b
... 1 more row
n = 4
";
        assert_eq!(table.to_text(2), expected);
    }

    #[test]
    #[should_panic(expected = "cells in a row")]
    fn a_row_of_another_width_is_a_bug() {
        let columns = vec![Column::new("a", Phrase::same("a"), Kind::Text)];
        Table::new("t", Phrase::default(), Phrase::default(), columns).push(vec![]);
    }
}

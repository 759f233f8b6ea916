//! A plot, its words and the data behind it.

use std::collections::BTreeMap;

use super::{Cell, Column, Kind, Phrase, Table};

/// A plot with its words and the data behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub title: Phrase,
    /// What a reader must know: n, interval, filters, definition.
    pub caption: Phrase,
    pub plot: Plot,
    /// The numbers of the plot; shown below it and written beside the page.
    pub data: Table,
}

impl Figure {
    /// A figure of lines whose data, a table called `name`, are read off the lines: a row for each x, a column for each
    /// series.
    pub fn of_lines(name: &str, title: Phrase, caption: Phrase, lines: Lines) -> Self {
        let data = lines.table(name, &title);
        Figure { title, caption, plot: Plot::Lines(lines), data }
    }
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    Lines(Lines),
    Bars(Bars),
    Heat(Heat),
    /// Plots of the same series, side by side where there is room; the legend is that of the first.
    Panels(Vec<Plot>),
}

impl Plot {
    /// Its panels; of a plot that has none, itself.
    pub fn panels(&self) -> &[Plot] {
        match self {
            Plot::Panels(panels) => panels,
            plot => std::slice::from_ref(plot),
        }
    }
}

/// Series over a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    pub x: Phrase,
    pub y: Phrase,
    /// Ends of the axes; by the data where not given.
    pub x_range: Option<(f64, f64)>,
    pub y_range: Option<(f64, f64)>,
    pub series: Vec<Series>,
    /// How values of y are written.
    pub scale: Scale,
}

impl Lines {
    fn table(&self, name: &str, title: &Phrase) -> Table {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let kind = match self.scale {
            Scale::Percent => Kind::Percent { decimals: 1 },
            Scale::Number => Kind::Number { decimals: decimals(points().map(|point| point.y)) },
        };
        let whole = points().all(|point| point.x >= 0.0 && point.x.fract() == 0.0);
        let x_kind = if whole { Kind::Count } else { Kind::Number { decimals: 2 } };
        let mut columns = vec![Column::new(snake_case(&self.x.en), self.x.clone(), x_kind)];
        let mut rows: BTreeMap<Place, Vec<Cell>> = BTreeMap::new();
        for series in &self.series {
            let (first, name) = (columns.len(), snake_case(&series.name.en));
            columns.push(Column::new(&name, series.name.clone(), kind));
            let has_interval = series.points.iter().any(|point| point.low.is_some() || point.high.is_some());
            if has_interval {
                columns.push(Column::new(format!("{name}_low"), Phrase::new("95% from", "95% من"), kind));
                columns.push(Column::new(format!("{name}_high"), Phrase::new("to", "إلى"), kind));
            }
            for point in &series.points {
                let row = rows.entry(Place(point.x)).or_default();
                row.resize(first - 1, Cell::Empty);
                row.push(point.y.into());
                if has_interval {
                    row.extend([point.low.into(), point.high.into()]);
                }
            }
        }
        let mut table = Table::new(name, title.clone(), Phrase::default(), columns);
        for (Place(x), mut row) in rows {
            row.resize(table.columns.len() - 1, Cell::Empty);
            row.insert(0, if whole { Cell::Count(x as u64) } else { x.into() });
            table.push(row);
        }
        table
    }
}

/// A number by which rows are ordered.
#[derive(Clone, Copy, Debug)]
struct Place(f64);

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Decimals that leave the greatest of some numbers four digits.
fn decimals(numbers: impl Iterator<Item = f64>) -> usize {
    let greatest =
        numbers.filter(|number| number.is_finite()).fold(0.0, |greatest: f64, number| greatest.max(number.abs()));
    if greatest > 0.0 { (3.0 - greatest.log10().floor()).clamp(0.0, 8.0) as usize } else { 0 }
}

/// A name for a column out of a name for people.
fn snake_case(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_").to_lowercase()
}

/// A named row of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: Phrase,
    /// How it is drawn; bars are bars.
    pub style: Style,
    /// In the order of x. A point with a number that is not finite is left out, and so is an interval.
    pub points: Vec<Point>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// From point to point; intervals are a band.
    Line,
    /// Each value holds until the next point; intervals are a band.
    Step,
    /// Points alone; intervals are bars.
    Dots,
    /// Like a line, thin and dashed: what the others are held against.
    Dashed,
    /// Like a step, thin and dashed.
    DashedStep,
}

/// A value with its interval, where it has one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Point {
    /// A value without an interval.
    pub fn new(x: f64, y: f64) -> Self {
        Point { x, y, low: None, high: None }
    }
}

/// Series over names: a group of bars for each label.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    pub x: Phrase,
    pub y: Phrase,
    pub labels: Vec<Phrase>,
    /// The x of a point is an index into `labels`.
    pub series: Vec<Series>,
    /// How values of y are written.
    pub scale: Scale,
}

/// Values over two lists of names.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    pub x: Phrase,
    pub y: Phrase,
    pub columns: Vec<String>,
    /// The first is drawn at the bottom, as on a board.
    pub rows: Vec<String>,
    /// By row, then column; none where there is no value.
    pub values: Vec<Vec<Option<f64>>>,
    /// What the colours stand for.
    pub unit: Phrase,
    pub scale: Scale,
}

/// How values are written on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Number,
    /// Shares in [0, 1], as percent.
    Percent,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_read_off_the_lines() {
        let series = |name: &str, points: Vec<Point>| Series { name: Phrase::same(name), style: Style::Line, points };
        let interval = Point { low: Some(90.0), high: Some(120.0), ..Point::new(2.0, 100.0) };
        let lines = Lines {
            x: Phrase::same("Training step"),
            y: Phrase::same("Elo"),
            x_range: None,
            y_range: None,
            series: vec![
                series("alphabeta:1", vec![Point::new(1.0, 2.5), Point::new(4.0, 3.0)]),
                series("network", vec![interval]),
            ],
            scale: Scale::Number,
        };
        let figure = Figure::of_lines("elo", Phrase::same("Elo"), Phrase::default(), lines);
        let expected = "\
Elo
training_step  alphabeta_1  network  network_low  network_high
            1          2.5
            2                 100.0         90.0         120.0
            4          3.0
";
        assert_eq!(figure.data.to_text(9), expected);
    }
}

//! A plot, its words and the data behind it.

use super::{Phrase, Table};

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

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    Lines(Lines),
    Bars(Bars),
    Heat(Heat),
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
    pub percent: Scale,
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
    /// A thin dashed line, for what the others are held against.
    Dashed,
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

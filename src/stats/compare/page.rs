//! The comparison of runs as tables and sections.

use super::{Compare, Quantity};
use crate::{
    estimate::Interval,
    page::{Block, Cell, Column, Kind, Phrase, Section, Table},
    stats::{
        Bands,
        words::{count_column, interval_cells, interval_columns},
    },
};

/// The groups of numbers, each with tables of its own.
const GROUPS: [Group; 2] = [
    Group { suffix: "shares", title: ("shares", "نسب"), kind: Kind::Percent { decimals: 1 } },
    Group { suffix: "means", title: ("means", "متوسّطات"), kind: Kind::Number { decimals: 2 } },
];

/// Numbers that are printed alike.
struct Group {
    suffix: &'static str,
    title: (&'static str, &'static str),
    kind: Kind,
}

impl Group {
    /// The title of one of its tables.
    fn title(&self, en: &str, ar: &str) -> Phrase {
        Phrase::new(format!("{en}: {}", self.title.0), format!("{ar}: {}", self.title.1))
    }
}

impl Compare {
    /// The comparison as parts of a page.
    pub fn sections(&self) -> Vec<Section> {
        let quantities = self.quantities();
        let section =
            |id: &str, en: &str, ar: &str, blocks| Section { id: id.to_owned(), title: Phrase::new(en, ar), blocks };
        let tables = |table: &dyn Fn(&Group, &[&Quantity]) -> Option<Table>| -> Vec<Block> {
            let tables = GROUPS.iter().filter_map(|group| {
                let alike: Vec<&Quantity> = quantities.iter().filter(|quantity| quantity.kind == group.kind).collect();
                table(group, &alike).filter(|table| !table.rows.is_empty())
            });
            tables.map(Block::Table).collect()
        };
        let mut runs = Vec::new();
        if self.runs.len() == 1 {
            runs.push(Block::Paragraph(Phrase::new(
                "One run is one sample: what another seed would give can only be told from several runs.",
                "التجربة الواحدة عيّنة واحدة: ولا يُعرف ما تعطيه بذرة أخرى إلا من تجارب عدّة.",
            )));
        }
        runs.extend(tables(&|group, alike| Some(self.runs_table(group, alike))));
        let mut sections = vec![section("runs", "Each run", "كل تجربة", runs)];
        let between = tables(&|group, alike| Some(between_table(group, alike)));
        if !between.is_empty() {
            sections.push(section("between", "Between runs", "بين التجارب", between));
        }
        let changes = tables(&|group, alike| self.changes_table(group, alike));
        if !changes.is_empty() {
            sections.push(section("changes", "How runs change", "كيف تتغيّر التجارب", changes));
        }
        sections.push(section("definitions", "Definitions", "تعريفات", vec![Block::Definitions(definitions())]));
        sections
    }

    /// Each number of each run, with its two intervals.
    fn runs_table(&self, group: &Group, quantities: &[&Quantity]) -> Table {
        let mut columns = vec![quantity_column(), run_column()];
        columns.push(count_column("n", Phrase::new("games counted", "مباريات محسوبة")));
        columns.push(count_column("generations", Phrase::new("generations", "الأجيال")));
        columns.extend(interval_columns("estimate", Phrase::new("estimate", "التقدير"), group.kind));
        let over = interval_columns("over_generations", Phrase::default(), group.kind);
        columns.extend([
            Column {
                title: Phrase::new("over generations, 95% from", "على الأجيال، 95% من"), ..over[1].clone()
            },
            Column { title: Phrase::new("to", "إلى"), ..over[2].clone() },
        ]);
        columns.push(wider_column());
        let note = Phrase::new(
            "The first interval takes games as independent, the second whole generations, whose games come of one network. Wider: the second by the first.",
            "الفترة الأولى تعدّ المباريات مستقلة، والثانية الأجيال كاملة، فمباريات الجيل لشبكة واحدة. «أوسع»: عرض الثانية على عرض الأولى.",
        );
        let title = group.title("Each number of each run", "كل رقم لكل تجربة");
        let mut table = Table::new(format!("runs_{}", group.suffix), title, note, columns);
        for quantity in quantities {
            for (run, of_run) in self.runs.iter().zip(&quantity.runs) {
                let (games, generations) = (of_run.over_games, of_run.over_generations());
                let [_, low, high] = interval_cells(generations.as_ref());
                let wider = generations.zip(games).map(|(wide, narrow)| width(&wide) / width(&narrow));
                let mut row: Vec<Cell> = vec![quantity.title.clone().into(), run.as_ref().into()];
                row.push(games.map(|interval| interval.n).into());
                row.push(of_run.generations.len().into());
                row.extend(interval_cells(games.as_ref()));
                row.extend([low, high, wider.filter(|wider| wider.is_finite() && *wider > 0.0).into()]);
                table.push(row);
            }
        }
        table
    }

    /// How each number changes from the first band of generations to the last; none of one band, or where runs have no
    /// generation in common.
    fn changes_table(&self, group: &Group, quantities: &[&Quantity]) -> Option<Table> {
        let bands = Bands::new(quantities.first()?.common_generations()?, self.bands);
        if bands.len() < 2 {
            return None;
        }
        let (first, last) = (bands.name(0), bands.name(bands.len() - 1));
        let mut columns = vec![quantity_column(), run_column()];
        columns.push(Column::new(
            "first",
            Phrase::new(format!("generations {first}"), format!("الأجيال {first}")),
            group.kind,
        ));
        columns.push(Column::new(
            "last",
            Phrase::new(format!("generations {last}"), format!("الأجيال {last}")),
            group.kind,
        ));
        columns.extend(interval_columns("change", Phrase::new("last less first", "الأخيرة ناقص الأولى"), group.kind));
        let note = Phrase::new(
            format!(
                "Generations {last} less generations {first}, of those that all runs have. Of a run, with the interval over generations; of all runs, the mean with Student's t interval over \
                 runs."
            ),
            format!(
                "الأجيال {last} ناقص الأجيال {first}، من الأجيال التي في كل التجارب. للتجربة بفترتها على الأجيال؛ ولكل التجارب المتوسّط بفترة ستودنت على التجارب."
            ),
        );
        let title = group.title("Change from the first generations to the last", "التغيّر من أول الأجيال إلى آخرها");
        let mut table = Table::new(format!("changes_{}", group.suffix), title, note, columns);
        for quantity in quantities {
            for (run, of_run) in self.runs.iter().zip(&quantity.runs) {
                let ends = [0, bands.len() - 1].map(|band| of_run.in_band(&bands, band));
                let mut row: Vec<Cell> = vec![quantity.title.clone().into(), run.as_ref().into()];
                row.extend(ends.map(Cell::from));
                row.extend(interval_cells(of_run.change(&bands).as_ref()));
                table.push(row);
            }
            if let Some(change) = quantity.mean_change(&bands) {
                let name = Phrase::new("mean of runs", "متوسّط التجارب");
                let mut row: Vec<Cell> = vec![quantity.title.clone().into(), name.into(), Cell::Empty, Cell::Empty];
                row.extend(interval_cells(Some(&change)));
                table.push(row);
            }
        }
        Some(table)
    }
}

/// What runs say together; no rows of one run.
fn between_table(group: &Group, quantities: &[&Quantity]) -> Table {
    let mut columns = vec![quantity_column(), count_column("runs", Phrase::new("runs", "التجارب"))];
    columns.extend(interval_columns("mean", Phrase::new("mean of runs", "متوسّط التجارب"), group.kind));
    let deviation = Phrase::new("standard deviation between runs", "الانحراف المعياري بين التجارب");
    columns.push(Column::new("deviation", deviation, group.kind));
    columns.push(wider_column());
    let note = Phrase::new(
        "Runs are the units: Student's t interval over runs. Wider: this interval by the mean width of the runs' intervals over games. What is the same in all runs has no such interval and is \
         left out.",
        "التجارب هي الوحدات: فترة ستودنت على التجارب. «أوسع»: عرض هذه الفترة على متوسّط عرض فترات التجارب على المباريات. وما تساوى في كل التجارب فلا فترة له كهذه، وهو محذوف.",
    );
    let title = group.title("What runs say together", "ما تقوله التجارب معًا");
    let mut table = Table::new(format!("between_{}", group.suffix), title, note, columns);
    for quantity in quantities {
        let Some(between) = quantity.between() else { continue };
        let mut row: Vec<Cell> = vec![quantity.title.clone().into(), between.mean.n.into()];
        row.extend(interval_cells(Some(&between.mean)));
        row.push(between.deviation.into());
        row.push(Some(between.wider).filter(|wider| wider.is_finite()).into());
        table.push(row);
    }
    table
}

fn width(interval: &Interval) -> f64 {
    interval.high - interval.low
}

fn quantity_column() -> Column {
    Column::new("quantity", Phrase::new("number", "الرقم"), Kind::Text)
}

fn run_column() -> Column {
    Column::new("run", Phrase::new("run", "التجربة"), Kind::Text)
}

fn wider_column() -> Column {
    Column::new("wider", Phrase::new("wider", "أوسع"), Kind::Number { decimals: 2 })
}

/// What the words mean, with sources.
fn definitions() -> Vec<(Phrase, Phrase)> {
    vec![
        (
            Phrase::new("over games", "على المباريات"),
            Phrase::new(
                "Games are the units, the two sides of one together. Means and ratios: 200 Poisson bootstrap samples (Hanley and MacGibbon, Computer Methods and Programs in Biomedicine 83, \
                 2006). Share of the first move: Wilson (Journal of the American Statistical Association 22, 1927). Mean plies up to a limit: Kaplan and Meier's curve (Journal of the American \
                 Statistical Association 53, 1958). Effective openings: rarefaction (Chao and others, Ecological Monographs 84, 2014), the mean over generations.",
                "المباريات هي الوحدات، وطرفا المباراة معًا. للمتوسّطات والنسب: 200 عيّنة بإعادة المعاينة البواسونية (Hanley and MacGibbon 2006). لنسبة النقلة الأولى: ويلسون (Wilson 1927). لمتوسّط أنصاف \
                 النقلات حتى حدّ: منحنى كابلان وماير (Kaplan and Meier 1958). للعدد الفعّال للافتتاحات: عيّنات الحجم الواحد (Chao and others 2014)، والمتوسّط على الأجيال.",
            ),
        ),
        (
            Phrase::new("over generations", "على الأجيال"),
            Phrase::new(
                "The same bootstrap with whole generations as the units (a cluster bootstrap: Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8). It needs some \
                 dozens of generations.",
                "إعادة المعاينة نفسها والأجيال كاملة هي الوحدات (Davison and Hinkley 1997). وتحتاج إلى عشرات من الأجيال.",
            ),
        ),
        (
            Phrase::new("between runs", "بين التجارب"),
            Phrase::new(
                "The mean of the runs with Student's t interval (Biometrika 6, 1908): what runs of other seeds would give on average. It needs no assumption on games.",
                "متوسّط التجارب بفترة ستودنت (Student 1908): ما تعطيه تجارب ببذور أخرى في المتوسّط. ولا تفترض شيئًا عن المباريات.",
            ),
        ),
        (
            Phrase::new("cut off", "مقطوعة"),
            Phrase::new(
                "A game that self-play stopped at its own limit of plies: no result. Uses of the reserve are those until then.",
                "مباراة أوقفها اللعب الذاتي عند حدّه من أنصاف النقلات: فلا نتيجة لها. واستعمالات الاحتياطي هي ما وقع حتى ذلك الحين.",
            ),
        ),
    ]
}

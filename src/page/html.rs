//! A page as one HTML file that needs no network: both languages are in it, and a switch shows one.

use std::{io::Write, path::Path};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    Block, Cell, Figure, Kind, Language, Phrase, Section, Style, Table,
    plot::{colour, legend, svg},
};
use crate::disk::{IoError, write_file};

/// Rows of a table on a page at most.
const ROWS: usize = 200;
/// Of which on paper at most.
const PRINTED_ROWS: usize = 60;
/// A table of no more columns stands beside a figure.
const NARROW: usize = 5;
/// Longer code is folded.
const OPEN_LINES: usize = 12;
/// Longer tables are folded.
const OPEN_ROWS: usize = 12;

/// A page of sections.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub title: Phrase,
    pub subtitle: Phrase,
    /// What is read first. Below it, sections are folded.
    pub lead: Vec<Block>,
    pub sections: Vec<Section>,
}

impl Page {
    /// Every block, in order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.lead.iter().chain(self.sections.iter().flat_map(|section| &section.blocks))
    }

    /// Every table, those behind figures too.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks().filter_map(Block::table)
    }

    /// Writes every figure as SVG into a folder, once a language.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write_figures(&self, folder: &Path) -> Result<(), IoError> {
        for block in self.blocks() {
            if let Block::Figure(figure) = block {
                figure.write_svg(folder, &self.title)?;
            }
        }
        Ok(())
    }

    /// The tables as text, of each at most so many rows.
    pub fn tables_to_text(&self, rows: usize) -> String {
        self.tables().map(|table| table.to_text(rows)).collect::<Vec<_>>().join("\n")
    }

    /// Writes every table as CSV and Parquet, and the page as `index.html`, into a folder.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write_with_tables(&self, folder: &Path, metadata: &[(String, String)]) -> Result<(), IoError> {
        for table in self.tables() {
            table.write_csv(folder)?;
            table.write_parquet(folder, metadata)?;
        }
        self.write(&folder.join("index.html"))
    }

    /// The page as the text of one HTML file.
    pub fn to_html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" dir="ltr" data-en=(self.title.en) data-ar=(self.title.ar) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title.en) }
                    style { (PreEscaped(include_str!("page.css"))) }
                    script { (PreEscaped(include_str!("page.js"))) }
                }
                body {
                    header {
                        nav.languages { a href="#en" lang="en" { "English" } a href="#ar" lang="ar" { "العربية" } }
                        h1 { (words(&self.title)) }
                        p.subtitle { (words(&self.subtitle)) }
                        (self.lead_markup())
                        nav.contents {
                            ol { @for section in &self.sections { li { a href={ "#" (section.id) } { (words(&section.title)) } } } }
                        }
                    }
                    main { (self.sections_markup()) }
                }
            }
        };
        page.into_string()
    }

    /// What is read first and the sections, to stand within another page.
    pub fn to_fragment(&self) -> String {
        html! { (self.lead_markup()) (self.sections_markup()) }.into_string()
    }

    fn lead_markup(&self) -> Markup {
        html! { @if !self.lead.is_empty() { div.lead.blocks { (blocks(&self.lead)) } } }
    }

    fn sections_markup(&self) -> Markup {
        let markup = if self.lead.is_empty() { open } else { folded };
        html! { @for section in &self.sections { (markup(section)) } }
    }

    /// Writes the page to `path`, whole or not at all.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, path: &Path) -> Result<(), IoError> {
        write_file(path, |file| file.write_all(self.to_html().as_bytes()))
    }
}

fn open(section: &Section) -> Markup {
    html! {
        section id=(section.id) {
            h2 { (words(&section.title)) }
            div.blocks { (blocks(&section.blocks)) }
        }
    }
}

/// The anchor is inside, so that a link to it unfolds the section without a script too.
fn folded(section: &Section) -> Markup {
    html! {
        section.folded {
            details.fold id={ "fold-" (section.id) } {
                summary { h2 { (words(&section.title)) } }
                div.blocks id=(section.id) { (blocks(&section.blocks)) }
            }
        }
    }
}

fn blocks(blocks: &[Block]) -> Markup {
    html! {
        @for block in blocks {
            @match block {
                Block::Heading(title) => h3 { (words(title)) },
                Block::Paragraph(text) => p { (words(text)) },
                Block::Table(table) => (table_markup(table)),
                Block::Figure(figure) => (figure_markup(figure)),
                Block::Headline(values) => (headline(values)),
                Block::Definitions(terms) => (definitions(terms)),
                Block::Code { title, text } => (code(title, text)),
                Block::Markup(markup) => div.markup { (markup) },
            }
        }
    }
}

fn headline(values: &[(Phrase, Cell)]) -> Markup {
    html! {
        dl.headline {
            @for (name, value) in values { div { dt { (words(name)) } dd { (value_markup(value, Kind::Text)) } } }
        }
    }
}

/// A phrase in both languages, or once where they read alike.
fn words(phrase: &Phrase) -> Markup {
    if phrase.is_same() {
        return html! { bdi { (coded(&phrase.en)) } };
    }
    html! {
        @for language in Language::ALL {
            span lang=(language.code()) dir=(language.direction()) { (coded(&phrase.shown(language))) }
        }
    }
}

/// Text with code between backticks. A backtick without a second one is itself.
fn coded(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    html! {
        @for (at, part) in parts.iter().enumerate() {
            @if at % 2 == 0 { (part) }
            @else if at + 1 < parts.len() { code dir="ltr" { (part) } }
            @else { "`" (part) }
        }
    }
}

fn definitions(terms: &[(Phrase, Phrase)]) -> Markup {
    html! { dl { @for (term, meaning) in terms { div { dt { (words(term)) } dd { (words(meaning)) } } } } }
}

fn code(title: &Phrase, text: &str) -> Markup {
    let block = html! { pre dir="ltr" tabindex="0" { code { (text.trim_end()) } } };
    if text.lines().count() > OPEN_LINES {
        html! { details.code { summary { (words(title)) } (block) } }
    } else {
        html! { div.code { p.title { (words(title)) } (block) } }
    }
}

fn table_markup(table: &Table) -> Markup {
    html! {
        figure.table.narrow[table.columns.len() <= NARROW] {
            figcaption { h4 { (words(&table.title)) } }
            @if table.rows.len() > OPEN_ROWS {
                details.fold id={ "rows-" (table.name) } {
                    summary { (words(&count_of_rows(table.rows.len()))) }
                    (rows(table))
                }
            } @else {
                (rows(table))
            }
            @if table.note != Phrase::default() { p.note { (words(&table.note)) } }
        }
    }
}

fn count_of_rows(rows: usize) -> Phrase {
    Phrase::new(format!("{rows} rows"), format!("الصفوف: {rows}"))
}

fn rows(table: &Table) -> Markup {
    let all = table.rows.len();
    html! {
        @if table.rows.is_empty() {
            p.note { (words(&Phrase::new("no rows", "لا صفوف"))) }
        } @else {
            div.scroll tabindex="0" {
                table {
                    thead { tr { @for column in &table.columns { th.text[column.kind == Kind::Text] scope="col" { (words(&column.title)) } } } }
                    tbody {
                        @for row in table.rows.iter().take(ROWS) {
                            tr { @for (cell, column) in row.iter().zip(&table.columns) { (cell_markup(cell, column.kind)) } }
                        }
                    }
                }
            }
        }
        @if all > PRINTED_ROWS {
            p.note.paper { (words(&Phrase::new(
                format!("On paper: the first {PRINTED_ROWS} of {all} rows."),
                format!("على الورق: أول {PRINTED_ROWS} من {all} صفًا."),
            ))) }
        }
        @if all > ROWS {
            p.note { (words(&Phrase::new(
                format!("The first {ROWS} of {all} rows; `{}.csv` has all of them where tables were written out.", table.name),
                format!("أول {ROWS} من {all} صفًا؛ وكلها في `{}.csv` إن كُتبت الجداول في ملفات.", table.name),
            ))) }
        }
    }
}

fn cell_markup(cell: &Cell, kind: Kind) -> Markup {
    let is_text = kind == Kind::Text && matches!(cell, Cell::Text(_) | Cell::Words(_));
    html! { td.text[is_text] { (value_markup(cell, kind)) } }
}

fn value_markup(cell: &Cell, kind: Kind) -> Markup {
    let printed = kind.print(cell);
    match (kind, cell) {
        (Kind::Text, Cell::Text(_)) => html! { bdi { (printed) } },
        (Kind::Text, Cell::Words(phrase)) => words(phrase),
        (_, Cell::Count(_)) => html! { (grouped(&printed)) },
        (_, Cell::AtLeast(bound)) => {
            let bound = kind.print(&Cell::Number(*bound));
            words(&Phrase::new(printed, format!("{bound} على الأقل")))
        }
        _ => html! { (printed) },
    }
}

/// Digits in groups of three.
fn grouped(digits: &str) -> String {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.to_owned();
    }
    let (first, rest) = digits.split_at((digits.len() - 1) % 3 + 1);
    rest.as_bytes().chunks(3).fold(first.to_owned(), |text, group| text + "," + &String::from_utf8_lossy(group))
}

fn figure_markup(figure: &Figure) -> Markup {
    let panels = figure.plot.panels();
    let has_panels = panels.len() > 1;
    let drawings = |language| panels.iter().map(|panel| svg(panel, language)).collect::<String>();
    let drawings = Language::ALL.map(drawings);
    html! {
        figure.plot.wide[has_panels] {
            figcaption { h4 { (words(&figure.title)) } }
            div.card {
                @if drawings[0] == drawings[1] {
                    div.panels[has_panels] role="img" aria-label=(figure.title.en) { (PreEscaped(&drawings[0])) }
                } @else {
                    @for (language, drawing) in Language::ALL.into_iter().zip(&drawings) {
                        div.panels[has_panels] lang=(language.code()) role="img" aria-label=(figure.title.shown(language)) {
                            (PreEscaped(drawing))
                        }
                    }
                }
                (legend_markup(figure))
            }
            @if figure.caption != Phrase::default() { p.note { (words(&figure.caption)) } }
            details.data id={ "rows-" (figure.data.name) } {
                summary { (words(&Phrase::new("Data", "البيانات"))) }
                (rows(&figure.data))
                @if figure.data.note != Phrase::default() { p.note { (words(&figure.data.note)) } }
            }
        }
    }
}

/// Names of the series, below the plot, where they hide nothing.
fn legend_markup(figure: &Figure) -> Markup {
    let entries = legend(&figure.plot);
    html! {
        @if !entries.is_empty() {
            ul.legend {
                @for (at, (series, style)) in entries.into_iter().enumerate() {
                    li { (swatch(at, style)) (words(&series.name)) }
                }
            }
        }
    }
}

fn swatch(at: usize, style: Option<Style>) -> Markup {
    let (red, green, blue) = colour(at);
    let paint = format!("#{red:02X}{green:02X}{blue:02X}");
    html! {
        svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true" {
            @match style {
                Some(Style::Line | Style::Step) => path d="M0 6H24" stroke=(paint) stroke-width="3" {},
                Some(Style::Dashed | Style::DashedStep) => path d="M0 6H24" stroke=(paint) stroke-width="2" stroke-dasharray="6 3" {},
                Some(Style::Dots) => circle cx="12" cy="6" r="4.5" fill=(paint) {},
                None => rect x="4" width="16" height="12" fill=(paint) {},
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Column, Lines, Plot, Point, Scale, Series};

    fn table(rows: usize) -> Table {
        let columns = vec![
            Column::new("action", Phrase::new("action", "النقلة"), Kind::Text),
            Column::new("games", Phrase::new("games", "المباريات"), Kind::Count),
        ];
        let mut table = Table::new("moves", Phrase::new("Moves", "النقلات"), Phrase::same("n < 3 & more"), columns);
        (0..rows).for_each(|row| table.push(vec!["<script>".into(), (row + 12_345).into()]));
        table
    }

    fn figure(points: Vec<Point>) -> Figure {
        let series = ["first", "second"].map(|name| Series {
            name: Phrase::same(name),
            style: Style::Line,
            points: points.clone(),
        });
        let (x, y) = (Phrase::new("ply", "نصف النقلة"), Phrase::new("share", "النسبة"));
        let lines = Lines { x, y, x_range: None, y_range: None, series: series.to_vec(), scale: Scale::Number };
        Figure {
            title: Phrase::new("Shares", "النسب"),
            caption: Phrase::default(),
            plot: Plot::Lines(lines),
            data: table(1),
        }
    }

    fn page(blocks: Vec<Block>) -> String {
        let section = Section { id: "moves".to_owned(), title: Phrase::new("A & B", "أ و ب"), blocks };
        let (title, subtitle) = (Phrase::new("Run \"x\" <1>", "التجربة"), Phrase::same("shatara"));
        Page { title, subtitle, lead: Vec::new(), sections: vec![section] }.to_html()
    }

    #[test]
    fn all_text_is_escaped() {
        let evil = || Phrase::same("</script><b>&");
        let html = page(vec![
            Block::Heading(evil()),
            Block::Paragraph(evil()),
            Block::Table(table(1)),
            Block::Figure(Figure { title: evil(), ..figure(vec![Point::new(1.0, 2.0)]) }),
            Block::Definitions(vec![(evil(), evil())]),
            Block::Code { title: evil(), text: "</pre><b>".to_owned() },
        ]);
        assert!(!html.contains("<b>") && !html.contains("<script>\"") && !html.contains("n < 3"), "{html}");
        assert_eq!(html.matches("<script>").count(), 1, "the page's own");
        assert!(html.contains("A &amp; B") && html.contains("data-en=\"Run &quot;x&quot; &lt;1&gt;\""), "{html}");
    }

    #[test]
    fn both_languages_are_there_and_shared_text_is_once() {
        let html = page(vec![
            Block::Paragraph(Phrase::new("seen in `e2e4`", "في `e2e4`")),
            Block::Paragraph(Phrase::same("12,5")),
        ]);
        for text in [
            r#"<span lang="en" dir="ltr">seen in <code dir="ltr">e2e4</code></span>"#,
            r#"<span lang="ar" dir="rtl">في <code dir="ltr">e2e4</code></span>"#,
            "<bdi>12,5</bdi>",
            r##"<a href="#moves">"##,
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(
            !html.contains("http://") || !html.replace("http://www.w3.org/2000/svg", "").contains("http"),
            "no network"
        );
        assert_eq!(coded("a `b").into_string(), "a `b");
    }

    #[test]
    fn figures_come_with_legend_and_data() {
        let html = page(vec![Block::Figure(figure(vec![Point::new(0.0, 1.0), Point::new(1.0, 2.0)]))]);
        assert_eq!(html.matches("<svg width").count(), 2, "one a language");
        assert_eq!(html.matches("<bdi>second</bdi>").count(), 1);
        assert!(html.contains("<details") && html.contains("12,345"), "{html}");
        assert!(page(vec![Block::Figure(figure(Vec::new()))]).contains("no data"));
    }

    #[test]
    fn what_is_read_first_comes_first_and_the_rest_is_folded() {
        let section = |id: &str, blocks| Section { id: id.to_owned(), title: Phrase::same(id), blocks };
        let headline = vec![
            (Phrase::new("Elo", "نقاط إيلو"), Cell::from(Phrase::new("at least 7", "7 على الأقل"))),
            (Phrase::new("games", "المباريات"), 12_345_u64.into()),
        ];
        let page = Page {
            lead: vec![Block::Headline(headline), Block::Figure(figure(vec![Point::new(1.0, 2.0)]))],
            sections: vec![section("first", vec![Block::Table(table(13))]), section("second", Vec::new())],
            ..Page::default()
        };
        let html = page.to_html();
        let places =
            ["at least 7", "12,345", "<figure", "class=\"contents\"", "href=\"#second\"", "<main>", "id=\"first\""]
                .map(|part| html.find(part).unwrap_or_else(|| panic!("{part}: {html}")));
        assert!(places.is_sorted(), "{places:?}: {html}");
        for id in ["first", "second"] {
            let folded = format!(
                "<details class=\"fold\" id=\"fold-{id}\"><summary><h2><bdi>{id}</bdi></h2></summary><div class=\"blocks\" id=\"{id}\">"
            );
            assert!(html.contains(&folded), "{folded}: {html}");
        }
        assert!(!html.contains(" open"), "{html}");
        assert!(
            html.contains("<details class=\"fold\" id=\"rows-moves\"><summary><span lang=\"en\" dir=\"ltr\">13 rows")
        );
        assert!(page.to_fragment().starts_with("<div class=\"lead blocks\"><dl class=\"headline\">"));
        let open = Page { lead: Vec::new(), ..page }.to_html();
        assert!(open.contains("<section id=\"first\"><h2>") && !open.contains("fold-first"), "{open}");
    }

    #[test]
    fn panels_are_drawings_with_one_legend() {
        let one = figure(vec![Point::new(0.0, 1.0), Point::new(1.0, 2.0)]);
        let panels = Figure { plot: Plot::Panels(vec![one.plot.clone(); 3]), ..one };
        let html = page(vec![Block::Figure(panels.clone())]);
        assert_eq!(html.matches("<svg width").count(), 6, "three a language");
        assert_eq!(html.matches("<bdi>second</bdi>").count(), 1);
        assert!(html.contains("<figure class=\"plot wide\">") && html.contains("<div class=\"panels\""), "{html}");
        let folder = tempfile::tempdir().unwrap();
        panels.write_svg(folder.path(), &Phrase::same("Run")).unwrap();
        let svg = std::fs::read_to_string(folder.path().join("moves.svg")).unwrap();
        assert_eq!((svg.matches("<svg").count(), svg.matches("second").count()), (1, 1), "{svg}");
        assert_eq!(svg.matches("share").count(), 3, "an axis each: {svg}");
    }

    #[test]
    fn long_tables_are_cut_and_say_so() {
        let html = page(vec![Block::Table(table(203))]);
        assert_eq!(html.matches("<tr>").count(), 201);
        assert!(html.contains("The first 200 of 203 rows") && html.contains("moves.csv"), "{html}");
        assert!(page(vec![Block::Table(table(0))]).contains("no rows"));
    }
}

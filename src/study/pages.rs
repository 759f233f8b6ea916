//! The results of a study as text, as files and as a page.

use std::path::Path;

use super::{Study, Tally, results::Counted};
use crate::{
    disk::IoError,
    page::{Block, Page, Phrase, Section},
};

/// Rows of a table that are printed as text; the files have all.
const TEXT_ROWS: usize = 60;

/// What a study came to.
pub struct Results {
    page: Page,
    metadata: Vec<(String, String)>,
}

impl Results {
    /// Tables and figures of a study, from what its arms came to.
    pub fn new(study: &Study, tallies: &[Tally]) -> Results {
        let counted = Counted { study, tallies };
        let figure = Block::Figure;
        let section = |id: &str, title: Phrase, blocks: Vec<Block>| Section { id: id.to_owned(), title, blocks };
        let mut sections = vec![
            section(
                "arms",
                Phrase::new("What was played", "ما لُعب"),
                vec![played(), Block::Table(counted.arms_table())],
            ),
            section(
                "outcomes",
                Phrase::new("Outcomes", "النتائج"),
                vec![
                    figure(counted.outcomes()),
                    figure(counted.decisive()),
                    figure(counted.edge()),
                    figure(counted.edge_in_elo()),
                    figure(counted.endings()),
                ],
            ),
            section(
                "shape",
                Phrase::new("The shape of games", "هيئة المباريات"),
                vec![figure(counted.length()), figure(counted.branching()), Block::Table(counted.openings())],
            ),
        ];
        if let Some(reserve) = counted.reserve() {
            let mut blocks = vec![figure(reserve)];
            blocks.extend(counted.reserve_by_side().map(Block::Table));
            sections.push(section("reserve", Phrase::new("The reserve", "الاحتياطي"), blocks));
        }
        if let Some(prices) = counted.prices() {
            sections.push(section("restrictions", Phrase::new("Restrictions", "القيود"), vec![figure(prices)]));
        }
        let config = study.config();
        let method = vec![
            Block::Definitions(definitions()),
            Block::Code {
                title: Phrase::new("The study, every key resolved", "الدراسة بجميع مفاتيحها"),
                text: config.to_toml(),
            },
        ];
        sections.push(section("method", Phrase::new("How it was counted", "كيف حُسبت الأرقام"), method));
        let ruleset = study.arms()[0].rules.ruleset();
        let page = Page {
            title: Phrase::new(
                format!("The price of a rule: {}", study.name()),
                format!("ثمن القاعدة: {}", study.name()),
            ),
            subtitle: Phrase::same(ruleset.to_string()),
            lead: Vec::new(),
            sections,
        };
        let metadata = [
            ("maydan.study", study.name().to_owned()),
            ("maydan.game", ruleset.game.clone()),
            ("maydan.ruleset", ruleset.hash.clone()),
            ("maydan.seed", config.seed.to_string()),
        ];
        Results { page, metadata: metadata.map(|(key, value)| (key.to_owned(), value)).into() }
    }

    /// What is known, laid out to be read.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// The tables as text.
    pub fn to_text(&self) -> String {
        self.page.tables_to_text(TEXT_ROWS)
    }

    /// Writes every table as CSV and Parquet, and `index.html`, into a folder.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, folder: &Path) -> Result<(), IoError> {
        self.page.write_with_tables(folder, &self.metadata)
    }
}

fn played() -> Block {
    Block::Paragraph(Phrase::new(
        "Every arm is a set of games of one player against itself, under rules that differ from those of the base in what its line says. In an arm whose name \
         has `-white` or `-black`, that side may not take the actions named, unless it would be left with none, or must take one of them. Nobody resigns; a network sees the position \
         and not the changed rule, unless it was trained under it. Game number i of every arm draws from the same random numbers, so that games are alike until a \
         rule makes a difference; intervals of differences do not count on that, and so err on the wide side.",
        "كل صيغة مجموعة مباريات يلعب فيها لاعب واحد ضد نفسه بقواعد تختلف عن قواعد الأساس فيما يذكره سطرها. وفي الصيغ التي في اسمها `-white` أو `-black` يُمنع ذلك \
         الطرف من النقلات المذكورة ما لم يُترك بلا نقلة، أو يُلزَم بواحدة منها. لا استسلام في هذه المباريات، والشبكة ترى الوضعية ولا ترى تغيير القاعدة إلا إذا دُرّبت عليه. وتستمدّ المباراة ذات الرقم الواحد \
         في كل الصيغ الأعداد العشوائية نفسها، فتتشابه المباريات إلى أن تُحدث القاعدة فرقًا؛ ولا تعوّل فترات الفروق على ذلك فتأتي أوسع مما يلزم.",
    ))
}

/// Terms with their sources.
fn definitions() -> Vec<(Phrase, Phrase)> {
    let wilson = "Wilson, J. Am. Stat. Assoc. 22 (1927)";
    let newcombe = "Newcombe, Stat. Med. 17 (1998)";
    let tango = "Tango, Stat. Med. 17 (1998)";
    let zou = "Zou and Donner, Stat. Med. 27 (2008)";
    let hanley = "Hanley and MacGibbon, Comput. Methods Programs Biomed. 83 (2006)";
    let hill = "Hill, Ecology 54 (1973); Jost, Oikos 113 (2006)";
    let chao = "Chao, Biometrics 43 (1987)";
    let wang = "Chao, Wang and Jost, Methods Ecol. Evol. 4 (2013)";
    let rarefied = "Chao and others, Ecol. Monogr. 84 (2014)";
    let simpson = "Simpson, Nature 163 (1949)";
    let ltr = |source: &str| Phrase::ltr(source);
    vec![
        (
            Phrase::new("Share", "النسبة"),
            Phrase::new(
                format!("Interval: {wilson}. Of a difference: {newcombe}, method 10."),
                format!("فترة الثقة: {}. وللفروق: {}، الطريقة 10.", ltr(wilson), ltr(newcombe)),
            ),
        ),
        (
            Phrase::new("Score", "معدّل النقاط"),
            Phrase::new(
                format!(
                    "Points a game: 1 for a win, 1/2 for a draw. Interval: the score interval of a paired difference, {tango}; of a difference: MOVER, {zou}."
                ),
                format!(
                    "نقاط المباراة: 1 للفوز و{} للتعادل. فترة الثقة: فترة الفرق المزدوج، {}؛ وللفروق طريقة {}، {}.",
                    ltr("1/2"),
                    ltr(tango),
                    ltr("MOVER"),
                    ltr(zou)
                ),
            ),
        ),
        (
            Phrase::new("Mean and ratio", "المتوسّط والنسبة بين مجموعين"),
            Phrase::new(
                format!("A sum over games by another. Interval: Poisson bootstrap over games, {hanley}."),
                format!(
                    "مجموع على المباريات مقسوم على آخر. فترة الثقة: إعادة المعاينة البواسونية على المباريات، {}.",
                    ltr(hanley)
                ),
            ),
        ),
        (
            Phrase::new("Opening diversity", "تنوّع الافتتاح"),
            Phrase::new(
                format!(
                    "Hill numbers, {hill}. Order 0: {chao}; order 1: {wang}; order 2: {simpson}. Samples of one size, and intervals: {rarefied}."
                ),
                format!(
                    "أعداد هيل: {}. الرتبة 0: {}؛ والرتبة 1: {}؛ والرتبة 2: {}. وعيّنات الحجم الواحد والفترات: {}.",
                    ltr(hill),
                    ltr(chao),
                    ltr(wang),
                    ltr(simpson),
                    ltr(rarefied)
                ),
            ),
        ),
        (
            Phrase::new("Elo lost", "إيلو المفقود"),
            Phrase::new(
                format!(
                    "Minus the Elo difference of the restricted side by its score in pairs of games; the interval counts pairs and has their variance, {wilson}."
                ),
                format!(
                    "سالب فارق إيلو للطرف المقيَّد بحسب نقاطه في أزواج المباريات، وفترة الثقة على مستوى الأزواج وبتباينها: {}.",
                    ltr(wilson)
                ),
            ),
        ),
    ]
}

//! The openings for people: definitions, the sections of a page.

use super::{
    Openings, diversity, groups::By, lengths, moves::page as moves, notes::join, results::page as results,
    tree::page as tree,
};
use crate::page::{Block, Phrase, Section, Table};

/// The tables of games in groups.
const GROUPED: [fn(&Openings, By) -> Table; 5] =
    [moves::first_table, moves::second_table, results::score_table, lengths::page::table, results::ends_table];

impl Openings {
    /// The tables for a terminal, the shortest first.
    pub fn tables_for_reading(&self) -> Vec<Table> {
        let mut all = vec![moves::decisions_table(self), moves::first_overview(self), moves::second_overview(self)];
        all.extend(
            [results::score_table, lengths::page::table, results::ends_table].map(|table| table(self, By::Band)),
        );
        all.push(diversity::page::table(self));
        all.extend(GROUPED.map(|table| table(self, By::Generation)));
        all
    }

    /// Every table that is a file and on no page.
    pub fn tables_for_files(&self) -> Vec<Table> {
        let mut all = vec![self.graph_table(), moves::first_table(self, By::Band), moves::second_table(self, By::Band)];
        all.extend(GROUPED.map(|table| table(self, By::Generation)));
        all
    }

    /// The moves of the graph.
    pub fn graph_table(&self) -> Table {
        tree::edges(self)
    }

    /// The openings as parts of a page, with at most `lines` actions of the tree, those of the most games.
    pub fn sections(&self, lines: usize) -> Vec<Section> {
        let section = |id: &str, title, blocks| Section { id: format!("openings-{id}"), title, blocks };
        let shown = self.grow(lines);
        let mut note = self.graph_note();
        if shown.min_count > self.options.min_count {
            let games = shown.min_count;
            note = join(
                &note,
                &Phrase::new(
                    format!("Shown here: moves of at least {games} games."),
                    format!("المعروض هنا: النقلات التي لُعبت في {games} على الأقل من المباريات."),
                ),
            );
        }
        let mut moves = vec![Block::Table(moves::decisions_table(self)), Block::Figure(moves::first_figure(self))];
        moves.extend(moves::second_figure(self).map(Block::Figure));
        moves.push(Block::Figure(diversity::page::figure(self)));
        moves.push(Block::Table(moves::first_overview(self)));
        moves.push(Block::Table(moves::second_overview(self)));
        vec![
            section(
                "tree",
                Phrase::new("Tree of openings", "شجرة الافتتاحات"),
                vec![Block::Paragraph(note), Block::Markup(shown.markup())],
            ),
            section("moves", Phrase::new("First and second moves", "النقلتان الأولى والثانية"), moves),
            section(
                "games",
                Phrase::new("Results and length", "النتائج وطول المباريات"),
                vec![
                    Block::Figure(results::score_figure(self)),
                    Block::Figure(results::ends_figure(self)),
                    Block::Figure(lengths::page::figure(self)),
                    Block::Table(results::score_table(self, By::Band)),
                    Block::Table(results::ends_table(self, By::Band)),
                    Block::Table(lengths::page::table(self, By::Band)),
                ],
            ),
            section(
                "definitions",
                Phrase::new("Openings: definitions", "الافتتاحات: تعريفات"),
                vec![Block::Definitions(definitions())],
            ),
        ]
    }
}

/// What the words mean, with sources.
fn definitions() -> Vec<(Phrase, Phrase)> {
    [
        (
            ("position, move", "الوضعية والنقلة"),
            (
                "A position is its string without the two counters at its end, so that different orders of moves lead to the same position. A game counts once for each move in each \
                 position, however often it comes back to it.",
                "الوضعية نصّها دون العدّادين في آخره، فتلتقي فيها طرق مختلفة من النقلات. تُحسب المباراة مرة واحدة لكل نقلة في كل وضعية مهما تكرّرت.",
            ),
        ),
        (
            ("searched, drawn, forced", "بالبحث، بالسحب، مفروضة"),
            (
                "How a move was chosen: by a search, full or cheap; drawn from the network's policy without a search, to vary the openings; or because it was the one legal move. \
                 Before the switch of self-play's temperature a searched move too is drawn, in proportion to the search's policy.",
                "كيف اختيرت النقلة: ببحث كامل أو مختصر؛ أو بالسحب من سياسة الشبكة دون بحث لتنويع الافتتاحات؛ أو لأنها النقلة القانونية الوحيدة. وقبل تبديل حرارة اللعب الذاتي تُسحب النقلة \
                 المختارة بالبحث أيضًا، بنسبة سياسة البحث.",
            ),
        ),
        (
            ("share", "النسبة"),
            (
                "Of moves: searched choices of the move, of the searched choices in the position; beside it the same of draws. A game counts once for each move in each position. With \
                 Wilson's score interval (Wilson, Journal of the American Statistical Association 22, 1927); of a difference, Newcombe's (Statistics in Medicine 17, 1998).",
                "للنقلات: ما اختاره البحث من النقلة من كل ما اختاره في الوضعية؛ وبجانبها مثل ذلك للسحب. تُحسب المباراة مرة واحدة لكل نقلة في كل وضعية. مع فترة ويلسون (Wilson 1927)؛ وللفرق \
                 فترة نيوكومب (Newcombe 1998).",
            ),
        ),
        (
            ("score", "معدّل النقاط"),
            (
                "Points a game, 1 for a win, 1/2 for a draw, over games with a result. Its interval is Wilson's where there are no draws, and the score interval of paired proportions \
                 where there are (Tango, Statistics in Medicine 17, 1998). Games that last beyond self-play's limit are missing from it, and need not end like the others.",
                "النقاط لكل مباراة، 1 للفوز و1/2 للتعادل، على المباريات ذات النتيجة. فترتها فترة ويلسون إذا خلت من التعادل، وإلا ففترة النسب المزدوجة (Tango 1998). لا تدخل فيها \
                 المباريات التي تجاوزت حدّ اللعب الذاتي، وقد لا تنتهي كغيرها.",
            ),
        ),
        (
            ("prior, visits, root value", "احتمال الشبكة والزيارات وقيمة الجذر"),
            (
                "Means over the games with the move: the network's probability of it; its share of the search's visits; and what the search expects for the side to move, win less loss, \
                 -1 to 1. The last two where there was a search.",
                "متوسّطات على المباريات التي فيها النقلة: احتمالها عند الشبكة؛ وحصّتها من زيارات البحث؛ وما يتوقّعه البحث لصاحب الدور، الفوز ناقص الخسارة، من -1 إلى 1. الأخيرتان حيث جرى بحث.",
            ),
        ),
        (
            ("effective number of openings", "العدد الفعّال للافتتاحات"),
            (
                "Hill numbers: how many equally common openings would be as diverse. Order 0 counts those seen, order 1 is the exponential of Shannon's entropy, order 2 one by the \
                 probability that two games agree (Hill, Ecology 54, 1973; Jost, Oikos 113, 2006).",
                "أعداد هيل: كم افتتاحًا متساوي الشيوع له هذا التنوّع. الرتبة 0 عدد ما ظهر، والرتبة 1 أسّ إنتروبيا شانون، والرتبة 2 مقلوب احتمال اتفاق مباراتين (Hill 1973؛ Jost 2006).",
            ),
        ),
        (
            ("cut off", "مقطوعة"),
            (
                "Self-play stops a game at its own limit of plies, which is no rule: the game has no result. What resignation and agreement end has one, the one that was foreseen.",
                "يوقف اللعب الذاتي المباراة عند حدّ من عنده ليس من القواعد: فلا نتيجة لها. أما ما انتهى باستسلام أو اتفاق فنتيجته ما كان متوقّعًا.",
            ),
        ),
        (
            ("mean, quantiles of length", "متوسّط الطول ومئيناته"),
            (
                "The mean's interval is by the Poisson bootstrap over games (Hanley and MacGibbon, Computer Methods and Programs in Biomedicine 83, 2006), a quantile's by order statistics \
                 (Thompson, Annals of Mathematical Statistics 7, 1936) with Wilson's interval.",
                "فترة المتوسّط بإعادة المعاينة البواسونية على المباريات (Hanley and MacGibbon 2006)، وفترة المئين بالإحصاءات الترتيبية (Thompson 1936) مع فترة ويلسون.",
            ),
        ),
    ]
    .into_iter()
    .map(|((term, term_ar), (meaning, meaning_ar))| (Phrase::new(term, term_ar), Phrase::new(meaning, meaning_ar)))
    .collect()
}

//! The openings for people: notes, definitions, the sections of a page.

use super::{Openings, figures, groups::By, overview, tables};
use crate::page::{Block, Phrase, Section, Table};

/// The tables of games in groups.
const GROUPED: [fn(&Openings, By) -> Table; 5] =
    [tables::first_moves, tables::second_moves, tables::white_score, tables::lengths, tables::results];

impl Openings {
    /// The tables for a terminal, the shortest first.
    pub fn tables_for_reading(&self) -> Vec<Table> {
        let mut all = vec![overview::first_moves(self), overview::second_moves(self)];
        all.extend([tables::white_score, tables::lengths, tables::results].map(|table| table(self, By::Band)));
        all.push(tables::diversity(self));
        all.extend(GROUPED.map(|table| table(self, By::Generation)));
        all
    }

    /// Every table that is a file and on no page.
    pub fn tables_for_files(&self) -> Vec<Table> {
        let mut all =
            vec![self.graph_table(), tables::first_moves(self, By::Band), tables::second_moves(self, By::Band)];
        all.extend(GROUPED.map(|table| table(self, By::Generation)));
        all
    }

    /// The moves of the graph.
    pub fn graph_table(&self) -> Table {
        tables::edges(self)
    }

    /// The openings as parts of a page, with at most `lines` actions of the tree, those of the most games.
    pub fn sections(&self, lines: usize) -> Vec<Section> {
        let section = |id: &str, title, blocks| Section { id: format!("openings-{id}"), title, blocks };
        let tree = self.grow(lines);
        let mut note = self.graph_note();
        if tree.min_count > self.options.min_count {
            let games = tree.min_count;
            note = join(
                &note,
                &Phrase::new(
                    format!("Shown here: moves of at least {games} games."),
                    format!("المعروض هنا: النقلات التي لُعبت في {games} على الأقل من المباريات."),
                ),
            );
        }
        let mut moves = vec![Block::Figure(figures::first_moves(self))];
        moves.extend(figures::second_moves(self).map(Block::Figure));
        moves.push(Block::Figure(figures::diversity(self)));
        moves.push(Block::Table(overview::first_moves(self)));
        moves.push(Block::Table(overview::second_moves(self)));
        vec![
            section(
                "tree",
                Phrase::new("Tree of openings", "شجرة الافتتاحات"),
                vec![Block::Paragraph(note), Block::Markup(tree.markup())],
            ),
            section("moves", Phrase::new("First and second moves", "النقلتان الأولى والثانية"), moves),
            section(
                "games",
                Phrase::new("Results and length", "النتائج وطول المباريات"),
                vec![
                    Block::Figure(figures::white_score(self)),
                    Block::Figure(figures::results(self)),
                    Block::Figure(figures::lengths(self)),
                    Block::Table(tables::white_score(self, By::Band)),
                    Block::Table(tables::results(self, By::Band)),
                    Block::Table(tables::lengths(self, By::Band)),
                ],
            ),
            section(
                "definitions",
                Phrase::new("Openings: definitions", "الافتتاحات: تعريفات"),
                vec![Block::Definitions(definitions())],
            ),
        ]
    }

    /// Which games were counted.
    fn sample(&self) -> Phrase {
        let (first, last) = self.generations.clone().into_inner();
        let (games, cut_off) = (self.groups.all.games(), self.groups.all.results.cut_off);
        let runs: Vec<String> = self.runs.iter().map(|run| format!("`{run}`")).collect();
        let (game, hash) = (&self.ruleset.game, &self.ruleset.hash);
        Phrase::new(
            format!(
                "{} (`{game}`, ruleset `{hash}`), generations {first} to {last}: n = {games} games, {cut_off} of them cut off by self-play's own limit of plies, \
                 without a result of the rules.",
                runs.join(", ")
            ),
            format!(
                "{} (`{game}`، القواعد `{hash}`)، الأجيال من {first} إلى {last}: n = {games} مباراة، منها {cut_off} قطعها حدّ أنصاف النقلات في اللعب الذاتي \
                 فلا نتيجة لها بحكم القواعد.",
                runs.join("، ")
            ),
        )
    }

    /// What a table's reader must know: which games, and more.
    pub(super) fn note(&self, more: &Phrase) -> Phrase {
        join(&self.sample(), more)
    }

    /// The note on everything that shows the graph.
    pub(super) fn graph_note(&self) -> Phrase {
        let (depth, first) = (self.options.depth, self.first_plies);
        let mut note = self.note(&Phrase::new(
            format!(
                "First {depth} plies; moves of fewer than {} games are left out. Positions are one whatever the order of moves; `=` marks a move whose continuation stands \
                 elsewhere. Scores are for the side to move, in the games that ended with a result, with 95% intervals. {} of {} decisions were drawn from the network's policy without a \
                 search; they have a prior, but no visits and no root value.",
                self.options.min_count, first.from_policy, first.decisions
            ),
            format!(
                "أول {depth} من أنصاف النقلات؛ والنقلات التي لُعبت في أقل من {} من المباريات محذوفة. الوضعية واحدة مهما كان ترتيب النقلات؛ والعلامة `=` لنقلة تتمّتها في موضع آخر. \
                 معدّل النقاط لصاحب الدور في المباريات ذات النتيجة، مع فترات ثقة 95%. سُحب {} من أصل {} قرارًا من سياسة الشبكة دون بحث، فلها احتمال الشبكة وليس لها زيارات ولا قيمة جذر.",
                self.options.min_count, first.from_policy, first.decisions
            ),
        ));
        if first.elsewhere > 0 {
            let elsewhere = first.elsewhere;
            note = join(
                &note,
                &Phrase::new(
                    format!("{elsewhere} games start in another position; the tree leaves them out."),
                    format!("{elsewhere} من المباريات تبدأ من وضعية أخرى فلا تظهر في الشجرة."),
                ),
            );
        }
        let missed = self.graph.missed();
        if missed > 0 {
            note = join(
                &note,
                &Phrase::new(
                    format!(
                        "Rare moves were forgotten to save memory (`--max-positions`): each count may be too small by up to {missed}, and only moves of at most {missed} games are missing."
                    ),
                    format!(
                        "نُسيت نقلات نادرة توفيرًا للذاكرة (`--max-positions`): قد ينقص كل عدد بما لا يزيد على {missed}، ولا تغيب إلا نقلات لم تزد مبارياتها على {missed}."
                    ),
                ),
            );
        }
        note
    }

    /// The note on numbers of openings.
    pub(super) fn diversity_note(&self) -> Phrase {
        let mut note = self.note(&Phrase::new(
            "Hill numbers of the positions after so many plies, as observed: they grow with the number of games. Intervals are large-sample 95% intervals.",
            "أعداد هيل للوضعيات بعد هذا العدد من أنصاف النقلات كما شوهدت: تكبر بعدد المباريات. الفترات فترات ثقة 95% للعيّنات الكبيرة.",
        ));
        for census in self.censuses.iter().filter(|census| census.gave_up()) {
            let plies = census.plies();
            note = join(
                &note,
                &Phrase::new(
                    format!("Openings of {plies} plies are more than `--max-positions` and left out."),
                    format!("الافتتاحات بطول {plies} من أنصاف النقلات أكثر من `--max-positions` فحُذفت."),
                ),
            );
        }
        note
    }
}

fn join(first: &Phrase, second: &Phrase) -> Phrase {
    Phrase::new(format!("{} {}", first.en, second.en), format!("{} {}", first.ar, second.ar))
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
            ("share", "النسبة"),
            (
                "Games with the move, of the games through the position, with Wilson's score interval (Wilson, Journal of the American Statistical Association 22, 1927).",
                "المباريات التي فيها النقلة من المباريات التي مرّت بالوضعية، مع فترة ويلسون (Wilson 1927).",
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

//! Definitions, sources of the methods, and the commands to reproduce the report.

use super::Record;
use crate::{
    game::Reason,
    page::{Block, Phrase, Section},
};

/// A quantity, in English and Arabic.
struct Term {
    name: [&'static str; 2],
    meaning: [&'static str; 2],
    /// Whether the run has it.
    is_measured: fn(&Record) -> bool,
}

const TERMS: &[Term] = &[
    Term {
        name: ["generation", "الجيل"],
        meaning: [
            "Games of one checkpoint against itself, then the training that makes the next checkpoint from the newest games.",
            "مباريات نقطة حفظ واحدة ضد نفسها، ثم التدريب الذي يصنع النقطة التالية من أحدث المباريات.",
        ],
        is_measured: |_| true,
    },
    Term {
        name: ["ply", "نصف النقلة"],
        meaning: ["One action of one side.", "نقلة واحدة من طرف واحد."],
        is_measured: |_| true,
    },
    Term {
        name: ["cut off", "مقطوعة"],
        meaning: [
            "A game that self-play stopped at its own limit of plies (`selfplay.max_plies`): no result of the rules, which this page counts apart from draws.",
            "مباراة أوقفها اللعب الذاتي عند حدّه من أنصاف النقلات (`selfplay.max_plies`): ليست نتيجة من القواعد، وهي في هذه الصفحة غير التعادل.",
        ],
        is_measured: |record| record.selfplay.values().any(|event| event.reasons.contains_key(Reason::CutOff.name())),
    },
    Term {
        name: ["Elo", "نقاط إيلو"],
        meaning: [
            "A player `d` points stronger scores `1 / (1 + 10^(-d/400))` of the points on average (A. Elo, The Rating of Chessplayers, Past and Present, 1978). All players are rated at once from all matches of the run and those between the baselines: R. Bradley and M. Terry, Biometrika 39 (1952), a draw as half a win and half a loss, a tenth of a drawn game a match as prior. A match counts as many independent games as the variance of its pairs of games says. Intervals are those of the profile likelihood; an end is unbounded where a chain of players won every point.",
            "اللاعب الأقوى بمقدار `d` ينال في المتوسّط `1 / (1 + 10^(-d/400))` من النقاط (أ. إيلو، The Rating of Chessplayers, Past and Present (1978)). يُقدَّر كل اللاعبين معًا من كل مواجهات التجربة وما بين اللاعبين المرجعيين: برادلي وتيري، Biometrika 39 (1952)، والتعادل نصف فوز ونصف خسارة، وعُشر مباراة تعادل لكل مواجهة معرفةً مسبقة. وتُعدّ المواجهة بقدر ما يدلّ عليه تباين أزواج مبارياتها من مباريات مستقلة. والفترات من الإمكان الجانبي (profile likelihood)؛ ولا حدّ لطرفها حيث ربحت سلسلة من اللاعبين كل النقاط.",
        ],
        is_measured: |record| record.ratings.is_some(),
    },
    Term {
        name: ["Elo difference of a match", "فرق إيلو في مواجهة"],
        meaning: [
            "The Elo of the score. Its 95% interval is over pairs of games with one opening and colours swapped, since those are not independent; an end is unbounded where the games do not bound it.",
            "نقاط إيلو المقابلة للنتيجة. فترة 95% محسوبة على أزواج المباريات ذات الافتتاح الواحد واللونين المتبادلين، لأنها غير مستقلة؛ ولا حدّ لطرفها حيث لا تحدّه المباريات.",
        ],
        is_measured: |record| !record.matches.is_empty(),
    },
    Term {
        name: ["95% interval of a share", "فترة 95% لنسبة"],
        meaning: [
            "Wilson's score interval: E. Wilson, Journal of the American Statistical Association 22 (1927). It takes games as independent.",
            "فترة ويلسون: إ. ويلسون، Journal of the American Statistical Association 22 (1927). وهي تعدّ المباريات مستقلة.",
        ],
        is_measured: |record| !record.selfplay.is_empty(),
    },
    Term {
        name: ["policy loss", "خسارة السياسة"],
        meaning: [
            "Cross-entropy between the search's improved policy and the network's, over legal actions, in nats.",
            "الإنتروبيا التقاطعية بين سياسة البحث المحسّنة وسياسة الشبكة على النقلات القانونية، بالنات.",
        ],
        is_measured: |record| has_loss(record, "policy"),
    },
    Term {
        name: ["policy KL", "تباعد KL للسياسة"],
        meaning: [
            "The policy loss less the entropy of its targets, in nats: 0 when learnt perfectly.",
            "خسارة السياسة ناقص إنتروبيا أهدافها، بالنات: صفر عند التعلّم التام.",
        ],
        is_measured: |record| has_loss(record, "policy_kl"),
    },
    Term {
        name: ["value loss", "خسارة القيمة"],
        meaning: [
            "Cross-entropy of win, draw and loss, in nats.",
            "الإنتروبيا التقاطعية للفوز والتعادل والخسارة، بالنات.",
        ],
        is_measured: |record| has_loss(record, "value"),
    },
    Term {
        name: ["moves-left loss", "خسارة أنصاف النقلات الباقية"],
        meaning: [
            "Huber loss of the plies until the end of the game, in its own unit, not nats (P. Huber, Annals of Mathematical Statistics 35, 1964).",
            "خسارة هوبر لعدد أنصاف النقلات حتى نهاية المباراة، بوحدتها لا بالنات (ب. هوبر، Annals of Mathematical Statistics 35 (1964)).",
        ],
        is_measured: |record| has_loss(record, "moves_left"),
    },
    Term {
        name: [
            "KL of search from prior, entropy of priors and of targets",
            "تباعد KL بين البحث والسابق، إنتروبيا السوابق والأهداف",
        ],
        meaning: [
            "Of a full search, over legal actions, in nats: `Σ t ln(t / p)`, `-Σ p ln p` and `-Σ t ln t`, with `p` the network's policy (the prior) and `t` the search's (the target). The first is what the search changed; an entropy is 0 where one action has all.",
            "لبحث كامل على النقلات القانونية، بالنات: `Σ t ln(t / p)` و`-Σ p ln p` و`-Σ t ln t`، حيث `p` سياسة الشبكة (السابق) و`t` سياسة البحث (الهدف). الأول ما غيّره البحث؛ والإنتروبيا صفر حيث لنقلة واحدة كل شيء.",
        ],
        is_measured: |record| record.selfplay.values().any(|event| event.policy_kl.is_some()),
    },
    Term {
        name: ["playout", "المحاكاة"],
        meaning: [
            "One descent of the search tree to a new leaf or an end. An evaluation is one position given to the network; the cache answers the rest.",
            "نزول واحد في شجرة البحث إلى ورقة جديدة أو نهاية. والتقييم وضعية واحدة تُعطى للشبكة؛ وتجيب الذاكرة المخبئية عن الباقي.",
        ],
        is_measured: |record| record.selfplay.values().any(|event| event.playouts_per_second > 0.0),
    },
    Term {
        name: [
            "batch filled, cache hits, time in the network",
            "امتلاء الدفعات، إصابات الذاكرة المخبئية، الزمن في الشبكة",
        ],
        meaning: [
            "Mean share of a batch that held positions; share of evaluations that the cache answered; share of the self-play threads' time that the network took.",
            "متوسّط ما شغلته الوضعيات من الدفعة؛ نسبة التقييمات التي أجابت عنها الذاكرة المخبئية؛ نسبة ما أخذته الشبكة من زمن خيوط اللعب الذاتي.",
        ],
        is_measured: |record| !record.selfplay.is_empty(),
    },
];

/// Whether a training or held-out rows were judged by this loss.
fn has_loss(record: &Record, head: &str) -> bool {
    record.training.iter().any(|event| event.losses.contains_key(head))
        || record.holdout.values().any(|event| event.losses.contains_key(head))
}

/// The definitions of what the run has.
pub fn section(record: &Record) -> Section {
    let phrase = |[en, ar]: [&str; 2]| Phrase::new(en, ar);
    let terms = TERMS.iter().filter(|term| (term.is_measured)(record));
    let terms = terms.map(|term| (phrase(term.name), phrase(term.meaning)));
    Section {
        id: "terms".to_owned(),
        title: Phrase::new("Definitions and sources", "التعريفات والمصادر"),
        blocks: vec![Block::Definitions(terms.collect())],
    }
}

/// Commands that make this page and what is behind it.
pub fn again(record: &Record) -> Section {
    let Record { name, root, models, data, .. } = record;
    let (root, models, data) = (root.display(), models.display(), data.display());
    let code = |en: &str, ar: &str, text: String| Block::Code { title: Phrase::new(en, ar), text };
    let blocks = vec![
        code("This page", "هذه الصفحة", format!("maydan report {name} --root {root}")),
        code(
            "A run with the same configuration",
            "تجربة بالإعدادات نفسها",
            format!("maydan train {models}/config.toml --root {root} --run {name}-again"),
        ),
        code(
            "Statistics of its games, with tables as CSV and Parquet",
            "إحصاءات مبارياتها، وجداولها CSV وParquet",
            format!(
                "maydan stats openings {name} --root {root}\nmaydan stats reserves {name} --root {root} --out reserves"
            ),
        ),
        code(
            "Results and reasons, in DuckDB",
            "النتائج وأسبابها في DuckDB",
            format!(
                "duckdb -c \"SELECT generation, result, reason, count(*) AS games FROM '{data}/gen-*/*.parquet' WHERE ply = 0 GROUP BY ALL ORDER BY ALL\""
            ),
        ),
    ];
    Section { id: "again".to_owned(), title: Phrase::new("How to reproduce", "كيف يعاد هذا"), blocks }
}

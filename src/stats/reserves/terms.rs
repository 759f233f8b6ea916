//! What the words on the page mean, and where the methods come from.

use crate::page::{Block, Phrase, Section};

/// The definitions.
pub fn section() -> Section {
    let terms = [
        (
            ("event", "حدث"),
            (
                "An action that uses the reserve or gives a piece another rank: a reinforcement, a ladder promotion, a pawn's promotion, a placing; also a waiting pawn that becomes a piece by the other side's action. One row of events.parquet.",
                "نقلة تستعمل الاحتياطي أو تعطي قطعة رتبة أخرى: تعزيز أو ترقية في السلّم أو ترقية جندي أو إنزال؛ وكذلك جندي منتظر يصير قطعة بنقلة الطرف الآخر. صف واحد في events.parquet.",
            ),
        ),
        (
            ("side", "طرف"),
            (
                "White or Black in one game: each game has two. Values and squares are seen by the side whose event it is.",
                "الأبيض أو الأسود في مباراة واحدة: لكل مباراة طرفان. القيم والمربعات من جهة صاحب الحدث.",
            ),
        ),
        (
            ("real less placebo", "الحقيقي ناقص الوهمي"),
            (
                "At the root of a full search: the best value of a visited action of the kind less the best of one of no reserve kind, less the mean of that difference when the same values get as many labels at random (a permutation test, computed exactly). Above 0: the kind's best action is better than as many actions without a name would be. The column delta_q of events.parquet, value of the action played less the best other, has no such zero.",
                "عند جذر بحث كامل: أفضل قيمة لنقلة مزورة من النوع ناقص أفضل قيمة لنقلة لا تمسّ الاحتياطي، ناقص متوسط هذا الفرق حين توزَّع الأسماء بعددها على القيم نفسها عشوائيًا (اختبار تباديل يُحسب حسابًا دقيقًا). فوق الصفر: أفضل نقلات النوع أفضل مما يكون لعددها من النقلات بلا اسم. أما العمود delta_q في events.parquet، وهو قيمة النقلة الملعوبة ناقص أفضل غيرها، فلا صفر له.",
            ),
        ),
        (
            ("cumulative incidence", "الوقوع التراكمي"),
            (
                "Share of sides (or pieces) to which the event has come by a ply when another end (the game's, a capture, another rank) may forestall it: the estimator of Aalen and Johansen, Scandinavian Journal of Statistics 5 (1978). 1 - Kaplan-Meier would count games that are over as if the event could still come.",
                "نسبة الأطراف (أو القطع) التي وقع لها الحدث حتى نصف نقلة ما حين قد تسبقه نهاية أخرى: مقدّر آلن ويوهانسن، المجلة الإسكندنافية للإحصاء 5 (1978). أما 1 ناقص كابلان-ماير فيعدّ المباريات المنتهية كأن الحدث ما زال ممكنًا.",
            ),
        ),
        (
            ("hazard", "معدّل الخطر"),
            (
                "At a ply: uses among the decisions at which the use was legal and the side had not made one before. Beside it stands the share of such actions among the legal ones, which is what a random choice does.",
                "عند نصف نقلة: الاستعمالات من بين القرارات التي كان الاستعمال فيها قانونيًا ولم يسبق للطرف استعمال. وإلى جانبه حصة هذه النقلات من النقلات القانونية، وهو ما يفعله اختيار عشوائي.",
            ),
        ),
        (
            ("survival", "البقاء"),
            (
                "Share of pieces not captured by an age in plies, whatever their rank: the estimator of Kaplan and Meier, Journal of the American Statistical Association 53 (1958); the end of the game censors. How long a piece keeps its rank is another question: there capture and another rank are competing events.",
                "نسبة القطع التي لم تُؤسر حتى عمر ما بأنصاف النقلات مهما كانت رتبتها: مقدّر كابلان وماير، مجلة الجمعية الإحصائية الأمريكية 53 (1958)؛ ونهاية المباراة بتر. أما كم تحتفظ القطعة برتبتها فسؤال آخر: الأسر والرتبة الأخرى فيه حدثان متنافسان.",
            ),
        ),
        (
            ("95% interval", "فترة 95%"),
            (
                "Of a share: Wilson, Journal of the American Statistical Association 22 (1927). Of means, differences and curves: percentiles of 200 Poisson bootstrap samples of whole games (Chamandy and others, 2012), since plies, pieces and the two sides of one game are not independent; where every sample agrees (nobody, everybody), Wilson's for as many trials as games.",
                "للنسبة: ويلسون، مجلة الجمعية الإحصائية الأمريكية 22 (1927). للمتوسطات والفروق والمنحنيات: مئينات 200 عيّنة بواسون من مباريات كاملة (تشاماندي وآخرون، 2012)، لأن أنصاف نقلات المباراة الواحدة وقطعها وطرفيها غير مستقلة؛ وحيث تتفق العيّنات كلها (لا أحد، الجميع) فترة ويلسون بعدد المباريات.",
            ),
        ),
        (
            ("landmark", "مَعلم"),
            (
                "A ply at which sides are told apart by what they have done before it, among the games that still go on: what comes later cannot decide who is compared (Anderson, Cain and Gelber, Journal of Clinical Oncology 1, 1983).",
                "نصف نقلة تُميَّز عنده الأطراف بما فعلته قبله، بين المباريات المستمرة حينها: فلا يحدّد ما يأتي بعده من يُقارن (أندرسون وكين وغيلبر، Journal of Clinical Oncology 1 (1983)).",
            ),
        ),
        (
            ("cut off", "مقطوعة"),
            (
                "A game that self-play stopped at its own limit of plies: no result of the rules. It censors times and is left out of scores.",
                "مباراة أوقفها اللعب الذاتي عند حدّه من أنصاف النقلات: ليست نتيجة من القواعد. تُبتر بها الأزمنة وتُستبعد من النتائج.",
            ),
        ),
    ];
    let terms = terms.map(|((en, ar), (meaning, meaning_ar))| (Phrase::new(en, ar), Phrase::new(meaning, meaning_ar)));
    Section {
        id: "reserve-terms".to_owned(),
        title: Phrase::new("Reserves: definitions", "الاحتياطي: التعريفات"),
        blocks: vec![Block::Definitions(terms.to_vec())],
    }
}

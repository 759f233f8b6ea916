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
            ("delta_q", "delta_q"),
            (
                "q of the action less the greatest q among visited legal actions of no reserve kind, at the root of the search that chose it; in [-2, 2]. Above 0: the search preferred to use the reserve.",
                "قيمة q للنقلة ناقص أكبر q بين النقلات القانونية المزورة التي لا تمسّ الاحتياطي، عند جذر البحث الذي اختارها؛ بين -2 و2. فوق الصفر: فضّل البحث استعمال الاحتياطي.",
            ),
        ),
        (
            ("cumulative incidence", "الوقوع التراكمي"),
            (
                "Share of sides (or pieces) to which the event has come by a ply when another end, the game's or a capture, may forestall it: the estimator of Aalen and Johansen, Scandinavian Journal of Statistics 5 (1978). 1 - Kaplan-Meier would count games that are over as if the event could still come.",
                "نسبة الأطراف (أو القطع) التي وقع لها الحدث حتى نصف نقلة ما حين قد تسبقه نهاية أخرى: مقدّر آلن ويوهانسن، المجلة الإسكندنافية للإحصاء 5 (1978). أما 1 ناقص كابلان-ماير فيعدّ المباريات المنتهية كأن الحدث ما زال ممكنًا.",
            ),
        ),
        (
            ("hazard", "معدّل الخطر"),
            (
                "At a ply: uses among the decisions at which the use was legal and the side had not made one before.",
                "عند نصف نقلة: الاستعمالات من بين القرارات التي كان الاستعمال فيها قانونيًا ولم يسبق للطرف استعمال.",
            ),
        ),
        (
            ("survival", "البقاء"),
            (
                "Share of pieces not captured by an age in plies: the estimator of Kaplan and Meier, Journal of the American Statistical Association 53 (1958); a life ends with capture, and another rank or the end of the game censors it.",
                "نسبة القطع التي لم تُؤسر حتى عمر ما بأنصاف النقلات: مقدّر كابلان وماير، مجلة الجمعية الإحصائية الأمريكية 53 (1958)؛ ينتهي العمر بالأسر، والرتبة الجديدة أو نهاية المباراة بتر.",
            ),
        ),
        (
            ("95% interval", "فترة 95%"),
            (
                "Of a share: Wilson, Journal of the American Statistical Association 22 (1927). Of a score with draws: Tango, Statistics in Medicine 17 (1998), which is Wilson's without draws. Of means and of curves over pieces: percentiles of 200 Poisson bootstrap samples of whole games (Chamandy and others, 2012), since plies of one game are not independent.",
                "للنسبة: ويلسون، مجلة الجمعية الإحصائية الأمريكية 22 (1927). للنتيجة مع التعادلات: تانغو، الإحصاء في الطب 17 (1998)، وهي فترة ويلسون دون تعادلات. للمتوسطات ولمنحنيات القطع: مئينات 200 عينة بواسون من مباريات كاملة (تشاماندي وآخرون، 2012)، لأن أنصاف نقلات المباراة الواحدة غير مستقلة.",
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

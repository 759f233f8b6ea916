//! What the run is and how far it came.

use super::{
    Record,
    headline::{clock, work},
};
use crate::page::{Block, Phrase, Section};

pub fn section(record: &Record) -> Section {
    let mut facts: Vec<(Phrase, Phrase)> = Vec::new();
    let mut fact = |en: &str, ar: &str, value: Option<Phrase>| {
        facts.push((Phrase::new(en, ar), value.unwrap_or_else(|| Phrase::new("unknown", "غير معروف"))));
    };
    let ruleset = record.ruleset();
    fact("game", "اللعبة", ruleset.map(|ruleset| Phrase::same(&ruleset.game)));
    fact("ruleset", "القواعد", ruleset.map(|ruleset| Phrase::same(format!("`{}`", ruleset.hash))));
    fact("generations", "الأجيال", generations(record));
    fact("games on the disk", "المباريات على القرص", Some(Phrase::same(record.stock.games.to_string())));
    fact("plies of those", "أنصاف نقلاتها", Some(Phrase::same(record.stock.plies.to_string())));
    let steps = record.checkpoint.as_ref().map(|checkpoint| checkpoint.counters.steps);
    fact("training steps", "خطوات التدريب", steps.map(|steps| Phrase::same(steps.to_string())));
    fact("network", "الشبكة", network(record));
    let evaluator = record.evaluator.as_ref();
    fact(
        "evaluator",
        "المقيّم",
        evaluator.map(|event| Phrase::same(format!("`{}` (`{}`)", event.plan.name(), event.device))),
    );
    let time = (record.seconds > 0.0).then(|| Phrase::same(clock(record.seconds)));
    fact("time from first to last event (h:mm:ss)", "الزمن من أول حدث إلى آخره (س:دد:ثث)", time);
    let work = work(record).map(|seconds| Phrase::same(clock(seconds)));
    fact("of which work: self-play and training", "منه العمل: اللعب الذاتي والتدريب", work);
    let playing: f64 = record.selfplay.values().map(|event| event.seconds).sum();
    let playing = (playing > 0.0).then(|| Phrase::same(clock(playing)));
    fact("of which self-play", "منه اللعب الذاتي", playing);

    let mut blocks = vec![Block::Definitions(facts)];
    let skipped = record.stock.skipped;
    if skipped > 0 {
        blocks.push(Block::Paragraph(Phrase::new(
            format!("{skipped} damaged or foreign files in `{}` were left out.", record.data.display()),
            format!("تُركت ملفات تالفة أو غريبة عددها {skipped} في `{}`.", record.data.display()),
        )));
    }
    Section { id: "summary".to_owned(), title: Phrase::new("Summary", "الخلاصة"), blocks }
}

/// How many generations were played, and which checkpoint is the newest.
fn generations(record: &Record) -> Option<Phrase> {
    let played = record.selfplay.len();
    match &record.checkpoint {
        Some(checkpoint) => {
            let newest = checkpoint.generation;
            Some(Phrase::new(
                format!("{played} played; newest checkpoint `gen-{newest:06}`"),
                format!("لُعب منها {played}؛ أحدث نقطة حفظ `gen-{newest:06}`"),
            ))
        }
        None if played > 0 => Some(Phrase::new(format!("{played} played"), format!("لُعب منها {played}"))),
        None => None,
    }
}

fn network(record: &Record) -> Option<Phrase> {
    let checkpoint = record.checkpoint.as_ref()?;
    let Some(model) = &checkpoint.model else {
        let format = checkpoint.module?;
        return Some(Phrase::new(format!("another architecture, {format}"), format!("معمارية أخرى، {format}")));
    };
    let (blocks, channels) = (model.blocks, model.channels);
    Some(Phrase::new(
        format!("{blocks} blocks of {channels} channels"),
        format!("كتل عددها {blocks}، وقنوات كل منها {channels}"),
    ))
}

//! Key figures of the run.

use super::Record;
use crate::{
    estimate::Interval,
    page::{Block, Phrase, Section},
};

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
    let playing: f64 = record.selfplay.values().map(|event| event.seconds).sum();
    let playing = (playing > 0.0).then(|| Phrase::same(clock(playing)));
    fact("of which self-play", "منه اللعب الذاتي", playing);
    fact("last Elo, 95% interval", "آخر نقاط إيلو، فترة 95%", last_elo(record));

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
    let model = &record.checkpoint.as_ref()?.model;
    let (blocks, channels) = (model.blocks, model.channels);
    Some(Phrase::new(
        format!("{blocks} blocks of {channels} channels"),
        format!("كتل عددها {blocks}، وقنوات كل منها {channels}"),
    ))
}

/// The rating of the newest network that has one.
fn last_elo(record: &Record) -> Option<Phrase> {
    let players = &record.ratings.as_ref()?.players;
    let networks = players.iter().filter(|player| player.generation.is_some());
    let newest = networks.max_by_key(|player| player.generation)?;
    let (player, rating) = (&newest.player, elo_text(&newest.rating()));
    Some(Phrase::new(
        format!("{} (`{player}`, above `random`)", rating.en),
        format!("{} (`{player}` فوق `random`)", rating.ar),
    ))
}

/// `645 [146, 1144]`, or the one bound that there is.
fn elo_text(rating: &Interval) -> Phrase {
    let Interval { estimate, low, high, .. } = rating;
    if *estimate == f64::INFINITY {
        return Phrase::new(format!("at least {low:.0}"), format!("{low:.0} على الأقل"));
    }
    if *estimate == f64::NEG_INFINITY {
        return Phrase::new(format!("at most {high:.0}"), format!("{high:.0} على الأكثر"));
    }
    Phrase::same(format!("{rating:.0}"))
}

/// `1:02:03`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
